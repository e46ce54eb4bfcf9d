"""Points to fly to as answers, in the worlds that are not made of `flying`, and in swarms."""

import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Pictures, Words, companion
from envsuite.core.language import Refusal
from envsuite.core.world import make_world
from envsuite.quadcopters.language import find_set_point
from tests.quadcopters.tasks import started


def test_points_are_found():
    np.testing.assert_array_equal(find_set_point("Let me go to (1, -2.5, 3e-1), slowly."), [1, -2.5, 0.3])
    np.testing.assert_array_equal(find_set_point("go to [1, 1, 1]? No: set-point [0, 0, 1]"), [0, 0, 1])
    assert find_set_point("[0.1, 0.2, 0.3]") is None
    assert find_set_point("to [0.1, 0.2, 0.3]") is None
    assert isinstance(find_set_point("fly to [up, up, up]"), Refusal)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("QuadHover", {}),
        ("QuadHoverGPD", {}),
        ("QuadMultiHover", {}),
        ("QuadSwarmGoals", {"scenario": "static_diff_goal"}),
    ],
)
def test_answers_fly_there(name, options):
    card = envsuite.card(name)
    world = make_world(card.world, **{**card.options, **options})
    batch = started(name, 1, **options)
    batch.horizon = 0
    agents = max(1, len(world.agents))

    def positions():
        state = batch.states[0]
        drones = next(state[field] for field in ("body", "drones", "crafts") if field in state.dtype.names)
        return np.asarray(drones["position"], float).reshape(-1, 3)

    places = positions() + np.array([0.1, 0.1, 0.2])
    if name == "QuadHover":
        places[:] = 0.1
    texts = [f"go to [{x:.3f}, {y:.3f}, {z:.3f}]" for x, y, z in places]
    assert all("go to [x, y, z]" in companion(world, Words).describe(batch.states[0], n) for n in range(agents))
    for _ in range((2 if agents > 2 else 5) * companion(world, Pictures).fps):
        actions = [companion(world, Words).parse(texts[n], batch.states[0], n) for n in range(agents)]
        actions = np.array(actions, np.float32)
        output = batch.step(actions[np.newaxis] if world.agents else actions)
        assert not output.terminated.any()
    assert np.linalg.norm(positions() - places, axis=1).max() < 0.15

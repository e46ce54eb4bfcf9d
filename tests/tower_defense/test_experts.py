"""Reference players: they score what the rules were calibrated to."""

import numpy as np
import pytest

from envsuite.core import rng
from envsuite.core.jit import records
from envsuite.core.world import allocate
from envsuite.tower_defense.experts import Scripted, Searched
from envsuite.tower_defense.experts.judge import play_out
from envsuite.tower_defense.experts.plans import NO_PLAN, PATTERN
from envsuite.tower_defense.kernel import BulwarkWorld
from tests.tower_defense.common import batch_of

# Mean lives lost on levels 1 to 5 in the calibration of the rules: 100 games, half-second decisions, no friendly fire.
CALIBRATION = {
    0: (20, 20, 20, 20, 20),
    1: (2.9, 13.2, 10.8, 12.1, 14.7),
    2: (0.0, 1.3, 3.1, 6.5, 10.6),
    3: (0.0, 0.9, 1.7, 3.0, 8.1),
}


@pytest.mark.parametrize("style", CALIBRATION)
def test_players_score_what_the_rules_were_calibrated_to(style):
    """Within a life and a half, the tolerance of the calibration; far below the differences between players."""
    for level, expected in enumerate(CALIBRATION[style], 1):
        world = BulwarkWorld(level=level, friendly_fire=False)
        states = allocate(world, 100)
        for k in range(100):
            states[k]["rng"]["key"] = rng.seed_key(k)
        play_out(states, records(world.params), style, PATTERN, NO_PLAN)
        assert abs(20 - states["life"].mean() - expected) < 1.5, level


def finished(batch, policy):
    """Lives lost in every game."""
    policy.reset(np.ones(batch.num_envs, bool), np.arange(batch.num_envs))
    output = batch.last
    while not batch.done.all():
        output = batch.step(policy.act(output.observations, batch.states), batch.done & False)
    return 20 - batch.states["life"]


@pytest.mark.parametrize("actions", ["site", "xyc", "grid"])
def test_scripted_player_plays_every_encoding(actions):
    lost = finished(batch_of(40, level=2, actions=actions), Scripted(BulwarkWorld(level=2, actions=actions)))
    assert lost.mean() < 3


def test_scripted_player_hardly_errs():
    batch = batch_of(20, level=4)
    finished(batch, Scripted(batch.world))
    faults = batch.states["faults"]
    assert faults[:, 1:].sum() <= 0.01 * faults.sum()


@pytest.mark.slow
def test_slower_decisions_cost_little():
    """Every two seconds on the first three levels, as calibrated."""
    for level, expected in ((1, 0.0), (2, 1.1), (3, 1.4)):
        world = BulwarkWorld(level=level, friendly_fire=False, actions="xyc")
        batch = batch_of(100, level=level, friendly_fire=False, actions="xyc")
        assert abs(finished(batch, Scripted(world, every=4)).mean() - expected) < 1.5


@pytest.mark.slow
def test_beam_search_beats_the_scripted_player():
    """On games that the search has not seen."""
    world = BulwarkWorld(level=3)
    searched = Searched(world, width=3, lucks=6, depth=6)
    plain, planned = (finished(batch_of(200, 5000, level=3), one) for one in (Scripted(world), searched))
    error = np.hypot(plain.std(), planned.std()) / np.sqrt(200)
    assert planned.mean() < plain.mean() - 2 * error


def test_search_is_reproducible_and_needs_one_level():
    world = BulwarkWorld(level=1)
    plans = [Searched(world, width=2, lucks=2, depth=2).plan for _ in range(2)]
    assert np.array_equal(*plans)
    with pytest.raises(ValueError, match="5 levels"):
        Searched(BulwarkWorld(level="multi"))

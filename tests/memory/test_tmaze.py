"""Endless T-Maze against closed forms and a reference written here."""

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.memory.tmaze.experts import Guesser
from envsuite.memory.tmaze.world import FORWARD, OPERATIONS, SHOWN, TMazeWorld

SIXTEEN = [f"{mode}{n}x{length}" for mode in ("Fixed", "Uniform") for n in (1, 3, 5, 10) for length in (5, 10)]


def begun(world: TMazeWorld, slots: int) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def near(sample: np.ndarray, expected: float) -> bool:
    """Whether a mean lies within four standard errors of what is expected."""
    return abs(sample.mean() - expected) <= 4 * sample.std(ddof=1) / len(sample) ** 0.5 + 1e-6


@pytest.mark.parametrize("name", SIXTEEN)
def test_perfect_memory_earns_the_closed_form(name):
    """n in corridors of one length; where lengths are uniform each costs (l - 1) / 2 probes of 0.01."""
    card = envsuite.card(f"envsuite/EndlessTMaze{name}-v0")
    n, length = card.options["corridors"], card.options["length"]
    episodes = play(card, expert_policy, 1000)
    assert episodes.metrics["is_success"].all()
    if card.options["mode"] == "fixed":
        assert (episodes.returns == n).all()
        assert (episodes.lengths == n * (length + 1)).all()
    else:
        assert near(episodes.returns, n * (1 - 0.01 * (length - 1) / 2))


@pytest.mark.parametrize("n", [1, 3, 5, 10])
def test_a_guess_at_each_junction_succeeds_with_half_to_the_n(n):
    """Corridors passed are geometric, so they sum to 1 - 2^-n, and so do failures."""
    episodes = play(envsuite.card(f"envsuite/EndlessTMazeFixed{n}x5-v0"), lambda world, slots: Guesser(world), 4000)
    assert near(episodes.metrics["is_success"].astype(float), 0.5**n)
    assert near(episodes.metrics["corridors"].astype(float), 1 - 0.5**n)
    assert near(episodes.returns, 0.0)


def reference(world: TMazeWorld, turns: list[int], operations: list[int]) -> list[int]:
    """The right ways, from the directions that cues show and their operations."""
    directions = int(world.params[0]["directions"])
    right: list[int] = []
    for shown, operation in zip(turns, operations, strict=True):
        rules = {
            SHOWN: lambda shown=shown: shown,
            OPERATIONS.index("invert"): lambda: (right[-1] + 1) % directions,
            OPERATIONS.index("cancel"): lambda: right[-2] if len(right) > 1 else right[-1],
            OPERATIONS.index("reset"): lambda: right[0],
            OPERATIONS.index("repeat"): lambda: right[-1],
        }
        right.append(rules[operation]())
    return right


@pytest.mark.parametrize("directions", [2, 3, 4])
def test_operations_change_the_last_direction(directions):
    """Corridors of many episodes against the reference."""
    world = TMazeWorld(corridors=12, length=1, directions=directions, operations=OPERATIONS)
    batch = begun(world, 50)
    turns, operations, right = [], [], []
    for _ in range(12):
        states = batch.states
        turns.append(states["turn"].copy())
        operations.append(states["operation"].copy())
        right.append(states["turn"].copy())
        batch.step(np.full(50, FORWARD))
        batch.step(1 + states["turn"].astype(np.int64))
    turns, operations, right = (np.array(one).T for one in (turns, operations, right))
    assert (operations[:, 0] == SHOWN).all()
    assert set(operations[:, 1:].ravel()) == {0, 1, 2, 3, SHOWN}
    for k in range(50):
        assert reference(world, turns[k].tolist(), operations[k].tolist()) == right[k].tolist()


def test_the_cue_is_seen_in_its_cell_alone():
    """And the position tells nothing of the junction."""
    world = TMazeWorld(length=6, mode="uniform", cue_delay=2)
    batch = begun(world, 200)
    assert batch.states["length"].min() == 3
    assert batch.states["length"].max() == 6
    for x in range(4):
        seen = batch.step(np.full(200, FORWARD)).observations
        states = batch.states
        alive = states["clock"]["done"] == 0
        assert (seen[alive, 1:].any(axis=1) == (states["x"][alive] == 2)).all(), x
        assert np.allclose(seen[alive, 0], states["x"][alive] / 6)


@pytest.mark.parametrize(("action", "reward"), [(FORWARD, -1.0), (1, 1.0), (2, -1.0)])
def test_at_the_junction_all_but_the_right_turn_ends_it(action, reward):
    """Forward as well."""
    batch = begun(TMazeWorld(corridors=2, length=1), 1)
    batch.states["turn"] = 0
    batch.step(np.array([FORWARD]))
    output = batch.step(np.array([action]))
    assert output.rewards[0] == reward
    assert output.terminated[0] == (reward < 0)


def test_compat_has_the_small_penalty():
    """A wrong turn costs what a turn inside a corridor does."""
    batch = begun(TMazeWorld(corridors=2, length=1, compat="endless-t-maze"), 1)
    assert batch.step(np.array([1])).rewards[0] == np.float32(-0.01)
    batch.step(np.array([FORWARD]))
    assert batch.step(np.array([FORWARD])).rewards[0] == np.float32(-0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"operations": ("flip",)}, "unknown operation 'flip'"),
        ({"operations": ("reset", "reset")}, "at most once"),
        ({"cue_delay": 5}, "cue_delay is 5, expected less than the length 5"),
        ({"corridors": 0}, "corridors"),
        ({"directions": 5}, "directions"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options, message):
    """The error names the value."""
    with pytest.raises((ValueError, TypeError), match=message):
        TMazeWorld(**options)


def test_all_extras_are_observed():
    """Junction, operations and noise have blocks; noise is drawn anew in each step."""
    world = TMazeWorld(corridors=3, length=2, show_junction=True, operations=OPERATIONS, distractors=3)
    batch = begun(world, 20)
    first = batch.step(np.zeros(20, np.int64)).observations.copy()
    last = batch.step(np.zeros(20, np.int64)).observations
    at = world.observation.offset("junction")
    assert (first[:, at] == 0).all()
    assert (last[:, at] == 1).all()
    noise = slice(world.observation.offset("distractors"), None)
    assert (first[:, noise] != last[:, noise]).all()
    assert world.observation.shape == (1 + 2 + 1 + 4 + 3,)

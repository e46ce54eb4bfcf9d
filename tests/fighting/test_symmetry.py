"""No side and no player is favoured, and nothing leaves its bounds."""

from itertools import product

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.fighting.kernel import DuelVersusWorld
from envsuite.fighting.params import CROUCH, METER, STAGE, UNIT
from tests.fighting.common import luck_inputs

PAIRS = list(product(range(12), range(12)))
MIRRORED = ("vx", "facing", "push")
EQUAL = (
    *("y", "vy", "hp", "meter", "character", "state", "age", "move", "frame", "first", "last", "total", "ex", "kick"),
    *("hit", "armour", "stop", "stun", "combo", "juggle", "special", "stale", "stale_timer", "normal", "repeats"),
    *("grab_safe", "knockdown", "air_left", "guard", "jump_to", "dashing", "held", "wins", "due", "techable"),
    *("direction", "pressed", "pressed_age", "motion", "tap", "tap_age", "charge_back", "charge_down", "serial"),
    *("hits", "blocked", "whiffs", "throws", "techs", "dealt"),
)


def batch_of(pairs, **options):
    """A fight a pair, with these characters, from the same seeds."""
    world = DuelVersusWorld(frame_skip=1, swap_sides=False, rounds=2, **options)
    batch = Batch(world, len(pairs), num_threads=1)
    batch.seed([7] * len(pairs))
    batch.reset()
    for k, pair in enumerate(pairs):
        for i in range(2):
            fighter = batch.states["fighters"]
            fighter["character"][k, i] = pair[i]
            row = world.params[0]["characters"][pair[i]]
            fighter["hp"][k, i] = fighter["full"][k, i] = row["hp"]
            fighter["meter"][k, i] = 2000
    return batch


def assert_mirrored(one, other, frame):
    for i in range(2):
        mine, theirs = one["fighters"][:, i], other["fighters"][:, 1 - i]
        for name in EQUAL:
            assert np.array_equal(mine[name], theirs[name]), (frame, i, name)
        for name in MIRRORED:
            assert np.array_equal(mine[name], -theirs[name]), (frame, i, name)
        assert np.array_equal(mine["x"], STAGE - theirs["x"]), (frame, i)
        on = mine["shots"]["on"] != 0
        assert np.array_equal(on, theirs["shots"]["on"] != 0), (frame, i)
        assert np.array_equal(mine["shots"]["x"][on], STAGE - theirs["shots"]["x"][on]), (frame, i)
        for name in ("hits", "life", "damage"):
            assert np.array_equal(mine["shots"][name][on], theirs["shots"][name][on]), (frame, i, name)
    for name in ("side", "left", "pause", "sudden"):
        assert np.array_equal(one[name], other[name]), (frame, name)


def test_swapped_players_with_mirrored_inputs_fight_the_mirrored_fight():
    frames = 2000
    inputs = luck_inputs(np.random.default_rng(1), frames, len(PAIRS))
    one, other = batch_of(PAIRS), batch_of([pair[::-1] for pair in PAIRS])
    seen = set()
    for t in range(frames):
        for batch, actions in ((one, inputs[t]), (other, inputs[t][:, ::-1])):
            batch.step(np.ascontiguousarray(actions))
        assert_mirrored(one.states, other.states, t)
        assert np.array_equal(one.last.observations, other.last.observations[:, ::-1]), t
        seen |= set(np.unique(one.states["fighters"]["state"]).tolist())
    assert seen >= set(range(18)), f"states never met: {set(range(18)) - seen}"


def test_what_must_always_hold():
    frames = 3000
    inputs = luck_inputs(np.random.default_rng(2), frames, len(PAIRS))
    batch = batch_of(PAIRS)
    fighters = batch.states["fighters"]
    half = batch.world.params[0]["characters"]["half"][fighters["character"]] * UNIT
    before, pause = fighters["hp"].copy(), batch.states["pause"].copy()
    for t in range(frames):
        output = batch.step(inputs[t])
        fighters = batch.states["fighters"]
        running = (pause == 0) & (batch.states["clock"]["done"] == 0)
        assert (fighters["hp"] <= before)[running].all(), "nobody heals in a round"
        assert (fighters["hp"] >= 0).all()
        assert ((fighters["meter"] >= 0) & (fighters["meter"] <= METER)).all()
        assert ((fighters["x"] >= half) & (fighters["x"] <= STAGE - half)).all()
        assert (fighters["y"] >= 0).all()
        assert (fighters["juggle"] <= 3).all()
        assert (fighters["shots"]["on"].sum(axis=2) <= 2).all()
        resting = (fighters["state"] <= CROUCH).all(axis=1)
        gap = np.abs(fighters["x"][:, 0] - fighters["x"][:, 1])
        assert (gap[resting] >= half.sum(axis=1)[resting] - UNIT).all(), "bodies overlap at rest"
        assert (output.rewards.sum(axis=1) == 0).all(), "winning is zero-sum"
        before, pause = fighters["hp"].copy(), batch.states["pause"].copy()
    assert batch.states["clock"]["done"].sum() > 10, "hardly any match ended"


@pytest.mark.parametrize("reward", ["win", "hp", "annealed"])
def test_zero_sum_rewards(reward):
    pairs = PAIRS[::5]
    batch = batch_of(pairs, reward=reward)
    if reward == "annealed":
        batch.world.anneal(0.3)
    inputs = luck_inputs(np.random.default_rng(3), 600, len(pairs))
    total = 0.0
    for t in range(600):
        rewards = batch.step(inputs[t]).rewards
        assert (rewards.sum(axis=1) == 0).all()
        total += np.abs(rewards).sum()
    assert total > 0 or reward == "win"

"""Policies and pools as opponents of Duel, queues of macros, and the clock that runs while a player thinks."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.fighting.kernel import DuelVersusWorld, DuelWorld
from envsuite.fighting.params import ATTACK, BLOCK_STAND, MACRO_NAMES, QUEUE_FRAMES, WALK_B, WALK_F
from tests.fighting.common import luck_inputs


def begun(world, number=1, seed=0):
    batch = Batch(world, number, num_threads=1)
    batch.seed(range(seed, seed + number))
    return batch, batch.reset()


class Player:
    """Replays rows of inputs, and remembers what it was told."""

    def __init__(self, rows):
        self.rows, self.step, self.begins, self.seen = rows, 0, [], []

    def reset(self, mask, seeds):
        self.begins.append((mask.copy(), seeds.copy()))

    def act(self, observations, states):
        self.seen.append(observations.copy())
        self.step += 1
        return self.rows[self.step - 1]


def test_a_policy_as_opponent_is_the_second_player_of_a_versus_fight():
    number, steps = 4, 120
    rows = luck_inputs(np.random.default_rng(3), steps, number)
    second = Player(rows[:, :, 1])
    duel, _ = begun(DuelWorld(character="arden", opponent=("cinder", second), swap_sides=False), number)
    versus, _ = begun(DuelVersusWorld(characters=("arden", "cinder"), swap_sides=False), number)
    for k in range(steps):
        before = versus.last.observations[:, 1].copy()
        one, two = duel.step(rows[k, :, 0]), versus.step(rows[k])
        assert np.array_equal(second.seen[-1], before)
        assert np.array_equal(one.observations, two.observations[:, 0])
        assert np.array_equal(one.rewards, two.rewards[:, 0])
        if duel.done.any():
            break
    assert k > 20
    assert second.begins[0][0].all()
    assert not second.begins[1][0].any()


def test_pools_are_drawn_by_seed_and_functions_see_their_instances_only():
    rows = []

    def presses(observations):
        rows.append(len(observations))
        return np.tile([4, 1], (len(observations), 1))

    pool = [presses, ("juno", 3), "stand", ("garr", presses)]
    batch, output = begun(DuelWorld(opponent=pool), 64)
    kinds = output.info["other_policy"].copy()
    assert set(kinds.tolist()) == {-1, 0, 1}
    assert (output.info["other_character"][kinds == 1] == 6).all()
    levels = output.info["other_level"]
    assert set(levels[kinds < 0].tolist()) == {3, 9}
    assert (output.info["other_character"][levels == 3] == 9).all()
    assert (levels[kinds >= 0] == 0).all()
    batch.step(np.tile([4, 0], (64, 1)))
    assert rows == [(kinds == 0).sum(), (kinds == 1).sum()]
    moving = batch.states["fighters"]["state"][:, 1] == ATTACK
    assert np.array_equal(moving, kinds >= 0)
    alone, first = begun(DuelWorld(opponent=pool), 1, seed=17)
    assert first.info["other_policy"][0] == kinds[17]
    assert first.info["other_character"][0] == output.info["other_character"][17]
    alone.close()


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (np.full((1, 2), 9), ValueError, "opponent 0, .*action 9 at index"),
        (np.zeros((1, 3), int), ValueError, "expected \\(1, 2\\)"),
        (np.zeros((1, 2)), TypeError, "expected integers"),
    ],
)
def test_what_a_policy_answers_is_checked(answer, error, words):
    batch, _ = begun(DuelWorld(opponent=lambda observations: answer))
    with pytest.raises(error, match=words):
        batch.step(np.array([[4, 0]]))


@pytest.mark.parametrize(
    ("frames", "state", "whiffs"),
    [(QUEUE_FRAMES, WALK_F, 0), (QUEUE_FRAMES + 4, ATTACK, 0), (60, WALK_B, 1)],
)
def test_macros_wait_in_a_queue(frames, state, whiffs):
    options = {"opponent": "arden", "level": "stand", "start_gap": 300, "swap_sides": False}
    batch, _ = begun(DuelWorld(actions="queue", frame_skip=frames, **options))
    begin = int(batch.states["fighters"]["x"][0, 0])
    batch.step(np.array([[MACRO_NAMES.index(name) for name in ("forward", "jab", "back")]]))
    fighter = batch.states["fighters"][0, 0]
    assert fighter["state"] == state
    assert fighter["whiffs"] == whiffs
    if state == WALK_F:
        assert fighter["x"] - begin == QUEUE_FRAMES * batch.world.params[0]["characters"]["walk_f"][0]


def test_who_thinks_guards_and_the_fight_goes_on():
    batch, _ = begun(DuelWorld(character="arden", opponent="arden", level="stand", actions="queue", frame_skip=30))
    left = int(batch.states["left"][0])
    batch.elapse(45)
    assert left - int(batch.states["left"][0]) == 45
    assert batch.states["clock"]["step"][0] == 0
    assert batch.states["fighters"]["state"][0, 0] == WALK_B
    slow, _ = begun(DuelWorld(character="arden", opponent="cinder", level=8))
    while not slow.done[0]:
        output = slow.elapse(60)
    assert output.terminated[0]
    assert output.rewards[0] == {1: 1, 2: -1, 3: 0}[int(slow.states["outcome"][0])]
    assert (slow.states["fighters"]["blocked"][0, 1] > 3) or slow.states["fighters"]["state"][0, 0] == BLOCK_STAND

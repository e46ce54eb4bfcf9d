"""The memory task of MiniGrid against the original, and against its rules told once more here."""

import itertools

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.evaluation.rollout import expert_policy, named_player, play
from envsuite.memory.minigrid.world import BALL, EMPTY, KEY, UNSEEN, WALL, MiniGridMemoryWorld

NAMES = ("S7", "S9", "S11", "S13", "S13Random", "S17Random")


def begun(world: MiniGridMemoryWorld, slots: int) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def test_rooms_hallways_and_halls():
    """Each grid has a room, one way through the middle, and a hall with the two objects."""
    batch = begun(MiniGridMemoryWorld(size=13, random_length=True), 300)
    ends = set()
    for state in batch.states:
        grid, end = state["grid"], int(state["end"])
        assert (grid[[0, -1]] == WALL).all()
        assert (grid[:, [0, -1]] == WALL).all()
        assert (grid[:, end + 1] == WALL).all()
        assert (grid[6, 1 : end + 1] == EMPTY).all()
        assert (grid[[5, 7], 4:end] == WALL).all()
        assert grid[5, 1] in (KEY, BALL)
        assert {int(grid[4, end]), int(grid[8, end])} == {KEY, BALL}
        assert bool(state["up"]) == (grid[5, 1] == grid[4, end])
        assert 1 <= state["column"] <= end - 1
        assert (state["row"], state["direction"]) == (6, 0)
        ends.add(end)
    assert ends == set(range(5, 12))


def test_what_is_seen_lies_ahead_and_walls_hide_the_rest():
    """The sight of random walks: every cell in it is where it should be, no wall is seen through."""
    batch, draws = begun(MiniGridMemoryWorld(size=9), 30), np.random.default_rng(0)
    ahead = ((1, 0), (0, 1), (-1, 0), (0, -1))
    for _ in range(60):
        batch.step(draws.choice(7, 30, p=[0.2, 0.2, 0.5, 0.025, 0.025, 0.025, 0.025]))
        for state in batch.states:
            down, right = ahead[state["direction"]], ahead[(state["direction"] + 1) % 4]
            for i, j in itertools.product(range(7), repeat=2):
                cell = state["sight"][i, j]
                column, row = (
                    int(state[name]) + (6 - j) * down[k] + (i - 3) * right[k]
                    for k, name in enumerate(("column", "row"))
                )
                inside = 0 <= column < 9 and 0 <= row < 9
                assert cell in (UNSEEN, state["grid"][row, column] if inside else WALL)
                if cell != UNSEEN and (i, j) != (3, 6):
                    around = [(i + a, j + b) for a in (-1, 0, 1) for b in (0, 1) if (a, b) != (0, 0)]
                    seen = [state["sight"][a, b] for a, b in around if 0 <= a < 7 and b < 7]
                    assert any(one not in (UNSEEN, WALL) for one in seen)


@pytest.mark.parametrize("name", NAMES)
def test_perfect_memory_always_succeeds(name):
    """And its reward is that of the original."""
    card = envsuite.card(f"envsuite/MiniGridMemory{name}-v0")
    episodes = play(card, expert_policy, 200)
    assert episodes.metrics["is_success"].all()
    assert np.allclose(episodes.returns, 1 - 0.9 * episodes.lengths / card.horizon, atol=1e-6)


def test_words_tell_of_objects_in_sight():
    """A ball two ahead and one to the right."""
    world = MiniGridMemoryWorld(size=9)
    state = begun(world, 1).states[0]
    state["sight"] = UNSEEN
    state["sight"][3, 6] = state["sight"][3, 5] = EMPTY
    state["sight"][4, 4], state["sight"][3, 4] = BALL, WALL
    told = companion(world, Words).describe(state)
    assert "You see a green ball, 2 steps ahead and 1 step to the right." in told
    assert "Ahead: 1 free cell, then a wall." in told


def test_even_sizes_are_refused():
    """The hallway needs a middle row."""
    with pytest.raises(ValueError, match="size is 8, expected an odd number"):
        MiniGridMemoryWorld(size=8)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "random_length"), [(7, False), (9, False), (13, True), (17, True)])
def test_equals_the_original(size, random_length):
    """Observations, rewards and ends of random play in the original's own grids (package minigrid, 3.1.0 or later)."""
    memory = pytest.importorskip("minigrid.envs.memory")
    ours = Batch(MiniGridMemoryWorld(size=size, random_length=random_length), 1, num_threads=1)
    theirs, draws, steps = memory.MemoryEnv(size=size, random_length=random_length), np.random.default_rng(0), 0
    kinds = {"wall": WALL, "key": KEY, "ball": BALL}
    while steps < 10_000:
        theirs.reset(seed=steps)
        ours.seed([0])
        ours.reset()
        state = ours.states[0]
        cells = [theirs.grid.get(x, y) for y in range(size) for x in range(size)]
        state["grid"] = np.reshape([kinds[one.type] if one else EMPTY for one in cells], (size, size))
        state["column"], state["row"] = theirs.agent_pos
        state["end"], state["up"] = theirs.success_pos[0], theirs.success_pos[1] < size // 2
        for _ in range(200):
            action = int(draws.choice(7, p=[0.15, 0.15, 0.5, 0.05, 0.05, 0.05, 0.05]))
            output = ours.step(np.array([action]))
            seen, reward, terminated, truncated, _ = theirs.step(action)
            assert np.array_equal(output.observations[0], [*seen["image"].ravel(), seen["direction"]])
            assert output.rewards[0] == np.float32(reward)
            assert (output.terminated[0], truncated) == (terminated, False)
            steps += 1
            if terminated:
                break


def test_late_successes_pay_nothing():
    batch = begun(MiniGridMemoryWorld(size=7), 4)
    for _ in range(280):  # 245 are the original's limit
        out = batch.step(np.full(4, 6))
    player = companion(batch.world, Players).expert()
    player.reset(np.ones(4, bool), np.arange(4))
    won = np.zeros(4, bool)
    while not won.all():
        out = batch.step(player.act(out.observations, batch.states))
        won |= out.info["is_success"]
        assert (out.rewards == 0).all()


@pytest.mark.parametrize(("name", "least", "most"), [("S7", 0.85, 0.94), ("S9", 0.87, 0.95), ("S11", 0.4, 0.6)])
def test_small_grids_need_no_memory(name, least, most):
    """All three objects are in view from between the two at the end, if one faces the room."""
    card = envsuite.card(f"MiniGridMemory{name}")
    assert least < play(card, named_player("memoryless"), 300).returns.mean() < most
    assert bool(card.unranked) == (least > 0.5)

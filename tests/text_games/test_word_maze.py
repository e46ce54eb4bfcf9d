"""LMRL-Gym's maze against Markov chains written here."""

from dataclasses import replace

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.text_games.word_maze.world import UNKNOWN, WordMazeWorld

FREE = sorted(
    {(1, j) for j in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)}
    | {(i, j) for i in (2, 3, 4) for j in (3, 9)}
    | {(5, j) for j in range(3, 10)}
    | {(i, 6) for i in (6, 7, 8)}
)
"""Cells of the maze as its description lists them."""
GOAL = FREE.index((8, 6))
STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def after(cell: tuple[int, int], name: str) -> tuple[int, int]:
    """Where a move leads."""
    there = (cell[0] + STEPS[name][0], cell[1] + STEPS[name][1])
    return there if there in FREE else cell


def begun(world, slots: int = 1) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def placed(world, cell: tuple[int, int]) -> Batch:
    """A batch of one slot with the walker in a cell."""
    batch = begun(world)
    state = batch.states
    state["row"], state["column"] = cell
    state["past_row"][0, 0], state["past_column"][0, 0] = cell
    return batch


def taken(batch: Batch, *names: str):
    """The output of the last of some steps of the only slot."""
    for name in names:
        output = batch.step(np.array([batch.world.action.names.index(name)]))
    return output


def chain() -> np.ndarray:
    """Probabilities of random moves from cell to cell; the goal keeps who is there."""
    found = np.zeros((26, 26))
    for k, cell in enumerate(FREE):
        for name in STEPS:
            found[k, FREE.index(cell if k == GOAL else after(cell, name))] += 0.25
    return found


def test_the_maze_is_the_one_described():
    world = WordMazeWorld()
    assert sorted(zip(*np.nonzero(world.params[0]["wall"] == 0), strict=True)) == FREE
    moves = chain() > 0
    distance, reached = np.full(26, 99), np.arange(26) == GOAL
    for steps in range(30):
        distance[reached] = np.minimum(distance[reached], steps)
        reached = moves @ reached > 0
    others = np.delete(distance, GOAL)
    assert (others.mean(), others.max()) == (7.84, 12)
    batch = begun(world, 25)
    batch.states["row"], batch.states["column"] = np.delete(np.array(FREE), GOAL, axis=0).T
    returns, over = np.zeros(25), np.zeros(25, bool)
    expert = companion(world, Players).expert()
    while not over.all():
        output = batch.step(expert.act(batch.last.observations, batch.states), np.zeros(25, bool))
        returns += np.where(over, 0, output.rewards)
        over |= output.terminated
        batch.states["clock"]["done"] = 0
    assert returns.mean() == pytest.approx(-6.84)
    assert (returns == 1 - others).all()


@pytest.mark.parametrize("name", ["LMRLMaze", "LMRLMazePO"])
def test_random_moves_score_what_they_should(name):
    """By powers of the chain: -85.7 and 0.248 according to the fact sheet, which played."""
    moves, there = chain(), [np.arange(26) == GOAL]
    for _ in range(100):
        there.append(moves @ there[-1])
    starts = np.arange(26) != GOAL
    success = there[100][starts].mean()
    expected = -sum(1 - one[starts].mean() for one in there[1:]) - (1 - success)
    assert expected == pytest.approx(-85.7, abs=0.3)
    assert success == pytest.approx(0.248, abs=0.002)
    found = play(envsuite.card(name), random_policy, 6000, first_seed=0)
    assert abs(found.returns.mean() - expected) < 4 * found.returns.std() / np.sqrt(6000)
    assert abs(found.metrics["success"].mean() - success) < 4 * np.sqrt(success / 6000)
    assert (found.returns.min(), found.lengths.max()) == (-101, 101)
    assert (found.terminated == found.metrics["success"]).all()


def best_from_walls() -> float:
    """Fewest moves on average of who knows the maze and sees the walls around: a search for the best plan of each set.

    Sets of cells part by what is seen; a plan is cut where it can be no better than the best so far.
    """
    walls = {cell: tuple(after(cell, name) == cell for name in STEPS) for cell in FREE}

    def parted(cells):
        groups: dict = {}
        for cell in cells:
            if cell != (8, 6):
                groups.setdefault(walls[cell], set()).add(cell)
        return [frozenset(one) for one in groups.values()]

    def cost(cells: frozenset, depth: int) -> float:
        if not cells:
            return 0.0
        if depth == 0:
            return 1e9
        key = (cells, depth)
        if key not in known:
            free = [name for name, stopped in zip(STEPS, walls[next(iter(cells))], strict=True) if not stopped]
            known[key] = len(cells) + min(
                sum(cost(one, depth - 1) for one in parted(after(cell, name) for cell in cells)) for name in free
            )
        return known[key]

    known: dict = {}
    return sum(cost(one, 30) for one in parted(FREE)) / 25


def test_who_sees_walls_alone_plays_as_well_as_one_can():
    assert best_from_walls() == pytest.approx(8.24)
    world = WordMazeWorld(observed="walls")
    batch, expert = begun(world, 25), companion(world, Players).expert()
    cells = np.delete(np.array(FREE), GOAL, axis=0)
    batch.states["row"], batch.states["column"] = cells.T
    batch.states["past_row"][:, 0], batch.states["past_column"][:, 0] = cells.T
    expert.reset(np.ones(25, bool), np.arange(25))
    lengths, over = np.zeros(25), np.zeros(25, bool)
    while not over.all():
        output = batch.step(expert.act(batch.last.observations, batch.states), np.zeros(25, bool))
        lengths += ~over
        over |= output.terminated
        batch.states["clock"]["done"] = 0
    assert lengths.mean() == pytest.approx(8.24)


def test_every_start_is_as_likely():
    states = begun(WordMazeWorld(), 5000).states
    cells = list(zip(states["row"].tolist(), states["column"].tolist(), strict=True))
    counts = [cells.count(one) for one in FREE if one != (8, 6)]
    assert sum(counts) == 5000
    assert max(abs(one - 200) for one in counts) < 4.5 * np.sqrt(200)


def test_walls_stop_and_the_goal_pays():
    batch = placed(WordMazeWorld(), (6, 6))
    for name, cell, reward, over in (
        ("left", (6, 6), -1, False),
        ("up", (5, 6), -1, False),
        ("up", (5, 6), -1, False),
        ("right", (5, 7), -1, False),
        ("left", (5, 6), -1, False),
        ("down", (6, 6), -1, False),
        ("down", (7, 6), -1, False),
        ("down", (8, 6), 0, True),
    ):
        output = taken(batch, name)
        assert ((batch.states["row"][0], batch.states["column"][0]), output.rewards[0], output.terminated[0]) == (
            cell,
            reward,
            over,
        )
    assert output.info["success"][0]


def test_the_step_after_a_hundred_moves_ends_it_and_moves_nobody():
    batch = placed(WordMazeWorld(rewards="illegal_penalty"), (7, 6))
    output = taken(batch, *["left"] * 100)
    assert (output.rewards[0], output.truncated[0]) == (0, False)
    output = taken(batch, "down")
    assert (output.rewards[0], output.terminated[0], output.truncated[0]) == (-1, False, True)
    assert batch.states["row"][0] == 7


@pytest.mark.parametrize(
    ("options", "goal", "move", "unknown"),
    [
        ({}, 0, -1, -1),
        ({"illegal_reward": -2.5}, 0, -1, -2.5),
        ({"compat": "lmrl"}, 0, -1, -4),
        ({"rewards": "illegal_penalty"}, 1, 0, -1),
        ({"rewards": "diff_scale"}, 1, -1, -100),
        ({"rewards": "diff_scale", "compat": "lmrl"}, 1, -1, -100),
    ],
)
def test_rewards_are_those_of_their_names(options, goal, move, unknown):
    batch = placed(WordMazeWorld(**options), (7, 6))
    assert batch.last.info["action_mask"][0].tolist() == [1, 1, 1, 1, 0]
    assert [float(taken(batch, name).rewards[0]) for name in ("left", "unknown", "down")] == [move, unknown, goal]
    assert batch.world.reward.low <= min(move, unknown, -1)
    assert batch.world.reward.high == goal


def test_the_small_maze_is_a_u():
    world = WordMazeWorld(maze="umaze", start="first")
    batch = begun(world, 20)
    assert {(int(one["row"]), int(one["column"])) for one in batch.states} == {(3, 1)}
    batch = begun(world)
    output = taken(batch, "up", "up", "right", "right", "down", "down")
    assert (output.rewards[0], output.terminated[0]) == (0, True)
    assert len({(int(one["row"]), int(one["column"])) for one in begun(WordMazeWorld(maze="umaze"), 200).states}) == 6


def test_the_last_forty_texts_are_seen():
    world = WordMazeWorld(observed="walls")
    batch, words = placed(world, (1, 1)), companion(world, Words)
    names = ["right", "right", "left", "up", "down"] * 6
    told = [words.walls(1, 1)]
    for name in names:
        output = taken(batch, name)
        told += [f"move {name}", words.walls(int(batch.states["row"][0]), int(batch.states["column"][0]))]
        assert words.history(batch.states[0]) == told[-40:]
        walls, moves = output.observations[0, :80].reshape(20, 4), output.observations[0, 80:180].reshape(20, 5)
        seen = []
        for wall, move in zip(walls[::-1], moves[::-1], strict=True):
            seen += [f"move {world.action.names[k]}" for k in np.flatnonzero(move)]
            sides = [("to your left", "to your right", "above you", "below you")[k] for k in np.flatnonzero(wall)]
            if sides:
                seen.append(f"There {'is a wall' if len(sides) == 1 else 'are walls'} {', '.join(sides)}.")
        assert seen == told[-40:], "no cell of this walk is without walls"


def test_places_that_look_the_same_are_told_and_drawn_the_same():
    one, other = (placed(WordMazeWorld(observed="walls"), cell) for cell in ((2, 3), (4, 9)))
    for batch in (one, other):
        taken(batch, "right")
    assert (one.last.observations == other.last.observations).all()
    for kind, call in ((Words, lambda made, state: made.describe(state)), (Pictures, draw)):
        first, second = (call(companion(batch.world, kind), batch.states[0]) for batch in (one, other))
        assert np.array_equal(first, second)


def draw(pictures: Pictures, state: np.void) -> np.ndarray:
    """A frame."""
    return pictures.draw(state, pictures.size)


def test_an_unknown_command_empties_the_history_in_the_original():
    for compat, texts in ((None, 5), ("lmrl", 2)):
        batch = placed(WordMazeWorld(observed="walls", compat=compat), (1, 1))
        taken(batch, "right", "unknown")
        told = companion(batch.world, Words).history(batch.states[0])
        assert len(told) == texts
        assert told[-2] == "You answered something that is no command."


def test_collected_data_are_as_published():
    """Exactly, by a chain for each part; published are length 19.7 (deviation 24.5) and success 0.11."""
    parts = [2 if i >= 6 or (i == 5 and 4 <= j <= 8) else int(j > 6) for i, j in FREE]
    nearer = {(5, j): "right" if j < 6 else "left" for j in (3, 4, 5, 7, 8, 9)}
    nearer |= {(1, j): "right" if j in (1, 2, 7, 8) else "left" for j in (1, 2, 4, 5, 7, 8, 10, 11)}
    nearer |= {(i, j): "down" for i in (1, 2, 3, 4) for j in (3, 9)} | {(i, 6): "up" for i in (6, 7)}
    moves, goal, left = np.zeros((26, 26)), np.zeros(26), np.zeros(26)
    for k, cell in enumerate(FREE):
        free = [name for name in STEPS if after(cell, name) != cell]
        chances = {name: (0.85 if cell in nearer else 1.0) / len(free) for name in free}
        if cell in nearer:
            chances[nearer[cell]] += 0.15
        for name, chance in chances.items():
            there = FREE.index(after(cell, name))
            if there == GOAL:
                goal[k] += chance
            elif parts[there] != parts[k]:
                left[k] += chance
            else:
                moves[k, there] += chance
    here = np.array([0 if k == GOAL else 1 / 3 / (7 if part == 2 else 9) for k, part in enumerate(parts)])
    assert here.sum() == pytest.approx(1)
    lengths, success = np.zeros(102), 0.0
    for steps in range(1, 101):
        lengths[steps] = here @ (goal + left)
        success += here @ goal
        here = here @ moves
    lengths[101] = here.sum()
    mean = lengths @ np.arange(102)
    deviation = np.sqrt(lengths @ np.arange(102) ** 2 - mean**2)
    assert mean == pytest.approx(19.7, abs=0.3)
    assert success == pytest.approx(0.11, abs=0.005)
    assert deviation == pytest.approx(20.7, abs=0.2), "less than the published 24.5"

    found = play(
        replace(envsuite.card("LMRLMaze"), options={"parts": True}),
        lambda world, slots: companion(world, Players).collector("wander"),
        8000,
        first_seed=0,
    )
    assert abs(found.lengths.mean() - mean) < 4 * deviation / np.sqrt(8000)
    assert abs(found.metrics["success"].mean() - success) < 4 * np.sqrt(success / 8000)
    assert (found.terminated == found.metrics["success"]).all()


def test_an_episode_leaves_nothing_behind():
    world = WordMazeWorld(observed="walls")
    batch, fresh = begun(world, 32), begun(world, 32)
    policy = random_policy(world, 32)
    policy.reset(np.ones(32, bool), np.arange(32))
    for _ in range(120):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(32))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()
    assert (play(envsuite.card("LMRLMazePO"), expert_policy, 200, first_seed=0).metrics["success"]).all()


@pytest.mark.parametrize(
    ("text", "expected", "original"),
    [
        ("move left\n", "left", "left"),
        ("move left", "left", "left"),
        ("Left.", "left", "unknown"),
        ("The goal is to the right and down. Action: down", "down", "unknown"),
        ("Up is a wall, left is not, so move left", "left", "unknown"),
        ("left or right", RefusalKind.AMBIGUOUS, "unknown"),
        ("move north", RefusalKind.UNKNOWN_NAME, "unknown"),
        ("", RefusalKind.EMPTY, RefusalKind.EMPTY),
        ("x" * 100_000, RefusalKind.UNKNOWN_NAME, "unknown"),
    ],
)
def test_moves_are_read_from_text(text, expected, original):
    for compat, wanted in ((None, expected), ("lmrl", original)):
        batch = placed(WordMazeWorld(compat=compat), (5, 6))
        found = companion(batch.world, Words).parse(text, batch.states[0])
        if isinstance(wanted, RefusalKind):
            assert isinstance(found, Refusal)
            assert found.kind == wanted
        else:
            assert batch.world.action.names[found] == wanted
            assert (found == UNKNOWN) == (wanted == "unknown")


def test_places_are_told_in_words():
    batch = placed(WordMazeWorld(spaced_digits=True), (1, 11))
    told = companion(batch.world, Words).describe(batch.states[0])
    assert (
        "The goal is in row 8, column 6. You are in row 1, column 1 1. There are walls to your right, above you" in told
    )
    told = companion(batch.world, Words).walls(5, 6)
    assert told == "There is a wall above you."


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WordMazeWorld(maze="large"), "maze is 'large', expected one of 'double_t', 'umaze'"),
        (lambda: WordMazeWorld(illegal_reward=1.0), "illegal_reward is 1.0, expected a number from -100"),
        (lambda: WordMazeWorld(start="first", parts=True), "start is 'first', expected 'any'"),
    ],
)
def test_bad_options_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()

"""Memory Gym's tasks against the original, and against their rules told once more here."""

import itertools
import sys

import numpy as np
import pytest

import envsuite
from envsuite.core import rng
from envsuite.core.batch import Batch
from envsuite.core.jit import records
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.memory.memory_gym.endless_path import EndlessMysteryPathWorld, on_path
from envsuite.memory.memory_gym.mortar import COMMANDS, OFFSETS, MortarMayhemWorld
from envsuite.memory.memory_gym.mystery import MysteryPathWorld
from envsuite.memory.memory_gym.path import CELLS, SIDE, draw_path


def begun(world, slots: int) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def endless_return(horizon: int) -> float:
    """Of all commands done in time: the first one is judged after 3 steps of showing and 7 more, each later one 8 steps
    after the one before, and 4 more where a new command is shown between.
    """
    step, done, count = 3 + 7, 0, 1
    while True:
        for k in range(count):
            step += 8 if done and k else 0
            if step > horizon:
                return 0.1 * done
            done += 1
        step, count = step + 4 + 8, count + 1


def test_perfect_memory_carries_out_all_commands():
    """And is never late."""
    for name in ("MortarMayhem", "MortarMayhemAct"):
        episodes = play(envsuite.card(f"envsuite/{name}-v0"), expert_policy, 500)
        assert episodes.metrics["is_success"].all()
        assert np.allclose(episodes.returns, 1)
    card = envsuite.card("envsuite/EndlessMortarMayhem-v0")
    episodes = play(card, expert_policy, 100)
    assert np.allclose(episodes.returns, endless_return(card.horizon), atol=1e-5)
    assert (episodes.lengths == card.horizon).all()


@pytest.mark.parametrize(("endless", "allowed"), [(False, 5), (False, 9), (True, 9)])
def test_commands_stay_in_the_arena(endless, allowed):
    """Where it has a border; kinds are equally likely where all lead inside."""
    batch = begun(MortarMayhemWorld(endless=endless, allowed=allowed, commands=20), 500)
    for state in batch.states:
        x, y = int(state["x"]), int(state["y"])
        for k in range(20):
            x, y = (a + b for a, b in zip((x, y), OFFSETS[state["command"][k]], strict=True))
            assert endless or (0 <= x < 5 and 0 <= y < 5)
    seen = np.bincount(batch.states["command"][:, :20].ravel(), minlength=9)
    assert (seen[allowed:] == 0).all()
    assert (seen[:allowed] > 0).all()


def test_paths_lead_from_side_to_side():
    """Each cell beside the one before, none twice, ends on opposite sides; all sides begin paths."""
    batch, sides = begun(MysteryPathWorld(), 400), set()
    for state in batch.states:
        path = [divmod(int(cell), SIDE) for cell in state["path"][: state["length"]]]
        assert len(set(path)) == len(path)
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in itertools.pairwise(path))
        ends = [{k for k in range(2) if {path[0][k], path[-1][k]} == {0, SIDE - 1}}]
        assert ends[0]
        sides |= {(k, path[0][k]) for k in ends[0] if len(ends[0]) == 1}
        assert (state["x"], state["y"]) == path[0]
        assert state["on"].sum() == len(path)
    assert sides == set(itertools.product((0, 1), (0, SIDE - 1)))


def test_a_fall_leads_back_and_the_goal_pays():
    """The action after a fall does nothing."""
    batch = begun(MysteryPathWorld(progress=True), 1)
    state = batch.states[0]
    path = [0, 1, 2]
    state["path"][:3], state["length"], state["on"], state["x"], state["y"] = path, 3, 0, 0, 0
    state["on"][path] = 1
    state["facing"] = 3
    assert batch.step(np.array([3])).rewards[0] == 0
    assert (state["x"], state["y"], state["off"], state["falls"]) == (1, 0, 1, 1)
    batch.step(np.array([3]))
    assert (state["x"], state["y"], state["off"]) == (0, 0, 0)
    batch.step(np.array([2]))
    output = batch.step(np.array([3]))
    assert (state["y"], output.rewards[0]) == (1, np.float32(0.1))
    output = batch.step(np.array([3]))
    assert (output.rewards[0], output.terminated[0]) == (1, True)


def test_endless_paths_never_go_back():
    """Every column has one run of cells that meets those of its neighbours."""
    batch = begun(EndlessMysteryPathWorld(), 100)
    for state in batch.states:
        for x in range(int(state["known"]) - 1):
            rows = [y for y in range(SIDE) if on_path(state, x, y)]
            assert rows == list(range(rows[0], rows[-1] + 1))
            assert state["enters"][x] in (rows[0], rows[-1])
            assert state["enters"][x + 1] in (rows[0], rows[-1])
            if x % 8 == 7:
                assert len(rows) == 1


def test_falls_that_could_be_known_end_the_endless_path():
    """One new fall is forgiven, the same one again is not; nor is one before what was reached."""
    for again in (True, False):
        batch = begun(EndlessMysteryPathWorld(), 1)
        state = batch.states[0]
        state["enters"][:9], state["y"] = 3, 3
        assert batch.step(np.array([1])).rewards[0] == np.float32(0.1)
        output = batch.step(np.array([2]))
        assert (state["off"], bool(output.terminated[0]), state["stamina"]) == (1, False, 19)
        batch.step(np.array([1]))
        assert (state["x"], state["y"]) == (0, 3)
        output = batch.step(np.array([1 if again else 3]))
        assert output.rewards[0] == 0
        if again:
            assert not output.terminated[0]
            output = batch.step(np.array([2]))
        assert output.terminated[0]


def test_stamina_runs_out():
    """Twenty steps without a new cell."""
    batch = begun(EndlessMysteryPathWorld(), 1)
    ends = [bool(batch.step(np.array([0])).terminated[0]) for _ in range(20)]
    assert ends == [False] * 19 + [True]


def test_growing_commands_cannot_be_told():
    """The vector would grow."""
    with pytest.raises(ValueError, match="told is True, expected False"):
        MortarMayhemWorld(endless=True, told=True)


@pytest.fixture(scope="module")
def original():
    """The package memory-gym, 1.0.2."""
    return pytest.importorskip("memory_gym")


class Draws:
    """Answers the original's questions for random numbers from a stream of ours."""

    def __init__(self, seed: int):
        self.stream = records(np.zeros(1, rng.STREAM))
        rng.begin(self.stream, [seed])

    def integers(self, low, high=None):
        low, high = (0, low) if high is None else (low, high)
        return low + int(rng.integers(self.stream[0], rng.RESET, int(high - low)))

    def choice(self, options):
        return options[self.integers(len(options))]


@pytest.mark.slow
def test_paths_equal_those_of_the_original(original):
    """Cell by cell, from the same random numbers."""
    paths = sys.modules["memory_gym.pygame_assets"]
    ends = np.random.default_rng(0).integers(0, SIDE, (500, 2))
    for seed, (a, b) in enumerate(ends.tolist()):
        theirs = paths.MysteryPath(SIDE, SIDE, (0, a), (SIDE - 1, b), Draws(seed))
        ours, stream = np.zeros(CELLS, np.int16), Draws(seed).stream
        length = draw_path(stream[0], rng.RESET, a, (SIDE - 1) * SIDE + b, ours)
        assert [divmod(int(cell), SIDE) for cell in ours[:length]] == [(one.x, one.y) for one in reversed(theirs.path)]


NAMES = {one: one.replace(" ", "_") for one in COMMANDS}


@pytest.mark.slow
def test_mortar_mayhem_equals_the_original(original):
    """Places, rewards, fire and ends under the same commands, with players that are right, late and random."""
    module = sys.modules["memory_gym.mortar_mayhem_grid"]
    world = MortarMayhemWorld(compat="memory-gym")
    ours, theirs, draws, steps = (
        Batch(world, 1, num_threads=1),
        module.GridMortarMayhemEnv(),
        np.random.default_rng(0),
        0,
    )
    player = expert_policy(world, 1)
    for episode in itertools.count():
        ours.seed([episode])
        ours.reset()
        state = ours.states[0]
        theirs.reset(seed=episode)
        place, names = theirs.normalized_agent_position, theirs._commands
        state["x"], state["y"] = (int(one) for one in place)
        state["command"][:10] = [COMMANDS.index(one.replace("_", " ")) for one in names]
        state["target_x"], state["target_y"] = (int(one) for one in theirs._target_pos)
        player.reset(np.ones(1, bool), np.array([0]))
        careless = draws.random() * 0.2
        for _ in range(130):
            action = int(draws.integers(4)) if draws.random() < careless else int(player.act(None, ours.states)[0])
            output, (_, reward, done, _, info) = ours.step(np.array([action])), theirs.step(action)
            steps += 1
            assert (state["x"], state["y"]) == tuple(int(one) for one in theirs.normalized_agent_position)
            assert bool(state["burning"]) == bool(theirs.arena.tiles_on)
            assert output.rewards[0] == np.float32(reward)
            assert bool(output.terminated[0]) == done
            if done:
                assert state["success"] == info["success"]
                break
        if steps > 10_000:
            break


@pytest.mark.slow
def test_mystery_path_equals_the_original(original):
    """Places, falls, rewards and ends on the original's paths."""
    module = sys.modules["memory_gym.mystery_path_grid"]
    world = MysteryPathWorld(progress=True)
    ours, theirs, draws, steps = (
        Batch(world, 1, num_threads=1),
        module.GridMysteryPathEnv(),
        np.random.default_rng(0),
        0,
    )
    player = expert_policy(world, 1)
    for episode in itertools.count():
        ours.seed([episode])
        ours.reset()
        state = ours.states[0]
        theirs.reset(seed=episode, options={"reward_path_progress": 0.1})
        path = [one.x * SIDE + one.y for one in reversed(theirs.mystery_path.path)]
        state["path"][: len(path)], state["length"], state["on"] = path, len(path), 0
        state["on"][path] = 1
        state["x"], state["y"] = divmod(path[0], SIDE)
        player.reset(np.ones(1, bool), np.array([0]))
        for _ in range(128):
            action = int(draws.integers(4)) if draws.random() < 0.1 else int(player.act(None, ours.states)[0])
            output, (_, reward, done, _, info) = ours.step(np.array([action])), theirs.step(action)
            steps += 1
            assert (state["x"], state["y"]) == tuple(int(one) for one in theirs.normalized_agent_position)
            assert bool(state["off"]) == theirs.is_off_path
            assert output.rewards[0] == np.float32(reward)
            if done:
                assert bool(output.terminated[0]) == bool(info["success"])
                assert state["falls"] == info["num_fails"]
                break
        if steps > 10_000:
            break

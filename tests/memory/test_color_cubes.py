"""Color-Cubes against its rules, told once more here."""

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Words, companion
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.memory.color_cubes.world import ALL, MOVES, NOTHING, PLACES, TOUCH, ColorCubesWorld

STEPS = {"stay": (0, 0), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def begun(world: ColorCubesWorld, slots: int) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


@pytest.mark.parametrize("name", ["Trivial", "Medium", "MediumLarge", "Extreme", "ExtremeLarge"])
def test_perfect_memory_always_succeeds(name):
    """So what is shown is enough, and time too."""
    episodes = play(envsuite.card(f"envsuite/ColorCubes{name}-v0"), expert_policy, 1000)
    assert episodes.metrics["is_success"].all()
    assert (episodes.returns == envsuite.card(f"envsuite/ColorCubes{name}-v0").options["phases"]).all()


def wanted(world: ColorCubesWorld, state: np.void) -> np.ndarray:
    """The observation, in slow Python."""
    p = world.params[0]
    side, cubes = int(p["side"]), int(p["cubes"])
    eye, colours = np.eye(side), np.eye(cubes)
    parts = [eye[state["row"]], eye[state["column"]], np.eye(4)[state["facing"] - 1]]
    parts.append(colours[state["target"]] if state["begins"] else np.zeros(cubes))
    parts.append([state["shown"] != NOTHING])
    slots = []
    for k, cell in enumerate(state["cell"]):
        colour = colours[k] if state["shown"] == ALL else np.zeros(cubes)
        slots.append((cell, np.concatenate([eye[cell // side], eye[cell % side], colour])))
    if state["shown"] == PLACES:
        slots.sort(key=lambda one: one[0])
    parts += [one if state["shown"] != NOTHING else 0 * one for _, one in slots]
    return np.concatenate(parts)


@pytest.mark.parametrize("update", ["all", "places"])
def test_random_play_follows_the_rules(update):
    """Moves, touches, jumps and observations of many steps."""
    world = ColorCubesWorld(size=4, cubes=3, phases=3, teleport=0.3, update=update)
    batch, draws = begun(world, 40), np.random.default_rng(0)
    jumps = steps = 0
    for _ in range(150):
        before = batch.states.copy()
        over = before["clock"]["done"] != 0
        actions = draws.integers(0, 6, 40)
        output = batch.step(actions)
        for k in np.flatnonzero(~over):
            old, new, name = before[k], batch.states[k], MOVES[actions[k]]
            assert len({*new["cell"].tolist()}) == 3
            assert np.array_equal(output.observations[k], wanted(world, new))
            if actions[k] != TOUCH:
                row, column = (
                    min(max(int(old[a]) + b, 0), 3) for a, b in zip(("row", "column"), STEPS[name], strict=True)
                )
                assert (new["row"], new["column"]) == (row, column)
                assert output.rewards[k] == 0
            else:
                row, column = int(old["row"]), int(old["column"])
                down, right = STEPS[MOVES[old["facing"]]]
                places = [(row, column), (row + down, column + right)]
                cubes = {(int(cell) // 4, int(cell) % 4): j for j, cell in enumerate(old["cell"])}
                hit = next((cubes[place] for place in places if place in cubes), None)
                if hit == old["target"]:
                    assert output.rewards[k] == 1
                    assert new["phase"] == old["phase"] + 1
                    assert output.terminated[k] == (new["phase"] == 3)
                    assert new["cell"][hit] != old["cell"][hit]
                    assert (new["begins"], new["shown"]) == (1, ALL)
                    continue
                assert output.rewards[k] == np.float32(-0.1)
            moved = np.flatnonzero(new["cell"] != old["cell"])
            steps, jumps = steps + 1, jumps + len(moved)
            assert len(moved) <= 1
            assert new["shown"] == ((ALL if update == "all" else PLACES) if len(moved) else NOTHING)
            assert old["target"] not in moved
            assert (new["begins"], new["target"]) == (0, old["target"])
    assert abs(jumps / steps - 0.3) < 4 * (0.3 * 0.7 / steps) ** 0.5


def test_the_image_holds_the_same():
    """Planes of the grid against places."""
    world = ColorCubesWorld(observe="image")
    batch = begun(world, 10)
    states = batch.states
    seen = np.zeros((10, 5, 5, 12), np.float32)
    info = np.zeros(10, world.info_dtype)
    world.loops.observe(states, world.params, seen, info, 0, 10)
    for k in range(10):
        assert seen[k, states["row"][k], states["column"][k], states["facing"][k] - 1] == 1
        assert seen[k, :, :, :4].sum() == 1
        for cube, cell in enumerate(states["cell"][k]):
            assert seen[k, cell // 5, cell % 5, 4 + cube] == 1
        assert (seen[k, :, :, 8 + states["target"][k]] == 1).all()
        assert seen[k, :, :, 4:8].sum() == 3


def test_agents_are_not_told_what_they_have_to_remember():
    """Neither in words nor in pictures."""
    world = ColorCubesWorld()
    batch = begun(world, 1)
    words, pictures = companion(world, Words), companion(world, Pictures)
    assert "cube is in" in words.describe(batch.states[0])
    batch.step(np.array([0]))
    state = batch.states[0]
    state["shown"] = NOTHING
    other = state.copy()
    other["cell"], other["target"] = (other["cell"] + 1) % 25, (other["target"] + 1) % 3
    assert words.describe(state) == words.describe(other)
    assert np.array_equal(pictures.draw(state, (84, 84)), pictures.draw(other, (84, 84)))
    pictures.view = "all"
    assert not np.array_equal(pictures.draw(state, (84, 84)), pictures.draw(other, (84, 84)))


def test_a_full_grid_is_refused():
    """A cube needs a cell to jump to."""
    with pytest.raises(ValueError, match="3 cubes on 2 x 2 cells, expected at most 2"):
        ColorCubesWorld(size=2, cubes=3)

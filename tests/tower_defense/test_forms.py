"""Planes, several forms at once, and the further encodings of actions."""

import json
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from envsuite.core.companions import Words, companion
from envsuite.tower_defense.env import FORMS, ManyForms, ManyFormsVector, PlaceAndCommand
from envsuite.tower_defense.kernel import BulwarkWorld
from envsuite.tower_defense.params import COMMANDS
from envsuite.tower_defense.state import PLANE_NAMES
from tests.tower_defense.common import batch_of, randomly


def cell(x, y):
    """Row and column, written out: the map is 6,144 wide, y points up."""
    return min(max(int((3072 - y) // 256), 0), 23), min(max(int((x + 3072) // 256), 0), 23)


def test_planes_show_what_the_record_holds():
    batch = batch_of(12, level=4, senses="planes")
    luck = np.random.default_rng(3)
    for _ in range(90):
        masks = batch.last.info["action_mask"]
        output = batch.step(np.array([luck.choice(np.flatnonzero(mask)) for mask in masks]), batch.done)
    at = {name: k for k, name in reversed(list(enumerate(PLANE_NAMES)))}
    p, flyers = batch.world.params[0], {2, 7}
    for state, seen in zip(batch.states, output.observations, strict=True):
        ground, air = np.zeros((24, 24)), np.zeros((24, 24))
        for enemy in state["enemies"][: int(state["top"])]:
            if enemy["alive"] and not enemy["hidden"]:
                (air if int(enemy["type"]) in flyers else ground)[cell(enemy["x"], enemy["y"])] += 32
        assert (seen[:, :, at["ground enemies"]] == np.minimum(ground, 255)).all()
        assert (seen[:, :, at["flyers"]] == np.minimum(air, 255)).all()
        for k in range(int(p["site_count"])):
            kind = int(state["sites"][k]["type"])
            row, column = cell(*p["sites"][k])
            shown = seen[row, column, at["empty sites"] : at["empty sites"] + 4]
            assert shown[kind + 1] == 255
        assert (seen[:, :, at["gold"]] == 255 * int(state["gold"]) // int(p["gold_cap"])).all()
        assert (seen[:, :, at["life"]] == 255 * int(state["life"]) // 20).all()
        if state["hero"]["dead"] == 0:
            row, column = cell(state["hero"]["x"], state["hero"]["y"])
            assert seen[row, column, at["hero"]] >= 64
            assert (seen[:, :, at["hero"]] > 0).sum() == 1
    road = output.observations[0, :, :, at["road"]] > 0
    assert road[cell(-2900, 2560)]
    assert not road[cell(-2900, 1700)]


def test_fog_covers_planes():
    batch = batch_of(1, level=5, senses="planes", decision_ticks=1)
    state = batch.states[0]
    for name in ("x", "y"):
        state["fog"][name] = state["fog"]["to_" + name] = 0
    seen = batch.step(np.zeros(1, np.int64)).observations[0, :, :, PLANE_NAMES.index("fog")] > 0
    y, x = np.mgrid[0:24, 0:24]
    a, b = 1792 * 1.1, 870 * 1.1
    inside = (((2 * x + 1) * 128 - 3072) / a) ** 2 + ((3072 - (2 * y + 1) * 128) / b) ** 2
    sure = np.abs(inside - 1) > 0.1
    assert (seen == (inside <= 1))[sure].all()


@pytest.mark.parametrize("forms", [FORMS, ("planes",), ("text", "compat")])
def test_any_forms_at_once(forms):
    env = ManyForms(gymnasium.make("envsuite/Bulwark-L2-v0"), forms, 48)
    assert set(env.observation_space.spaces) == set(forms)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=5)
    for _ in range(30):
        observation, _, _, _, info = env.step(2)
    assert env.observation_space.contains(observation)
    batch = batch_of(1, 5, level=2)
    for _ in range(30):
        batch.step(np.array([2]))
    if "vector" in forms:
        assert (observation["vector"] == batch.last.observations[0]).all()
        assert observation["pixels"].shape == (48, 48, 3)
    if "text" in forms:
        assert observation["text"] == companion(batch.world, Words).describe(batch.states[0])
    if "compat" in forms:
        same = batch_of(1, 5, level=2, senses="compat")
        for _ in range(30):
            same.step(np.array([2]))
        assert (observation["compat"] == same.last.observations[0]).all()
    assert info["tick"] == 300
    env.close()


def test_any_forms_of_a_batch():
    env = ManyFormsVector(gymnasium.make_vec("envsuite/Bulwark-L3-v0", num_envs=3), ("vector", "planes", "text"))
    env.reset(seed=1)
    observation, *_ = env.step(np.array([0, 1, 2]))
    assert observation["planes"].shape == (3, 24, 24, len(PLANE_NAMES))
    assert env.observation_space.contains(observation)
    plain = batch_of(3, 1, level=3)
    plain.step(np.array([0, 1, 2]))
    assert (observation["vector"] == plain.last.observations).all()
    env.close()


@pytest.mark.parametrize(
    ("forms", "pixels", "words"),
    [(("ears",), 84, "form is 'ears'"), ((), 84, "one or more"), (("pixels",), 8, "pixels is 8")],
)
def test_wrong_forms_are_named(forms, pixels, words):
    with pytest.raises(ValueError, match=words):
        ManyForms(gymnasium.make("envsuite/Bulwark-L1-v0"), forms, pixels)


def test_forms_are_of_this_family():
    with pytest.raises(ValueError, match="no tower-defense world"):
        ManyForms(gymnasium.make("envsuite/QuadHover-v0"))


def test_place_and_command():
    env = PlaceAndCommand(gymnasium.make("envsuite/Bulwark-L1-v0", actions="xyc"))
    env.reset(seed=0)
    *_, info = env.step({"place": np.array([-1.9, 1.2], np.float32), "command": 0})
    assert (info["command"], info["error"], info["gold"]) == (0, 0, 360)
    with pytest.raises(ValueError, match="expected an element"):
        env.step({"place": np.array([-9, 1.2], np.float32), "command": 0})
    with pytest.raises(ValueError, match="xyc"):
        PlaceAndCommand(gymnasium.make("envsuite/Bulwark-L1-v0"))
    env.close()


def test_flat_numbers_are_the_grid_s():
    """TowerMind: index = (x bin * bins + y bin) * 12 + command."""
    grid, flat = (batch_of(2, level=2, actions=actions, bins=12) for actions in ("grid", "flat"))
    luck = np.random.default_rng(4)
    for _ in range(60):
        x, y, command = luck.integers([12, 12, len(COMMANDS)], size=(2, 3)).T
        grid.step(np.stack([x, y, command], axis=1), grid.done)
        flat.step((x * 12 + y) * 12 + command, flat.done)
        assert (grid.states == flat.states).all()
    assert grid.states["decisions"].min() > 0
    assert flat.world.action.names[(3 * 12 + 5) * 12 + 9] == "hero_3_5"
    with pytest.raises(ValueError, match="bins is 100"):
        BulwarkWorld(actions="flat", bins=100)


def test_words_in_the_way_of_towermind_say_the_same():
    batch = batch_of(8, level=4, words="compat")
    for _ in randomly(batch, 100, np.random.default_rng(8)):
        pass
    for state in batch.states:
        said = json.loads(companion(batch.world, Words).describe(state))
        assert said["Level_Current_Gold"] == int(state["gold"])
        assert said["Agent_Last_Action_Info"]["Error_Code"] == int(state["last"]["error"])
        visible = [e for e in state["enemies"][: int(state["top"])] if e["alive"] and not e["hidden"]]
        assert {one["Id"] for one in said["Enemies"]} == {f"E{int(e['id'])}" for e in visible}
        built = [site["type"] >= 0 for site in state["sites"][:11]]
        assert [tower["Is_Built"] for tower in said["Towers"]] == built
        assert (said["Hero_Status"]["Position"] is None) == bool(state["hero"]["dead"] or state["hero"]["hidden"])
    assert said["Tower_Points_Bounding_Box_Width_Height"] == [0.5, 0.5]
    with pytest.raises(ValueError, match="words is 'rhymes'"):
        BulwarkWorld(words="rhymes")  # ty: ignore[invalid-argument-type]

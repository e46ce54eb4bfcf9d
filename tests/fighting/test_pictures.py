import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core import Pictures, companion
from envsuite.core.batch import Batch
from envsuite.core.world import make_world
from envsuite.fighting.characters import CAST
from envsuite.fighting.render import who
from envsuite.fighting.state import PIXEL_FORMS

DUEL = "envsuite/Duel-v0"
WORLD = "envsuite.fighting.kernel:DuelWorld"
VERSUS = "envsuite.fighting.kernel:DuelVersusWorld"
FIGHTERS = slice(30, 90)  # rows of `pixels_ladder` without bars


def played(steps, count=6, **options):
    """A batch after some random decisions."""
    batch = Batch(make_world(WORLD, character="random", **options), count, num_threads=1)
    batch.seed(range(count))
    batch.reset()
    rng = np.random.Generator(np.random.Philox(1))
    for _ in range(steps):
        batch.step(rng.integers(0, (9, 10), size=(count, 2)))
    return batch


@pytest.mark.parametrize("form", PIXEL_FORMS)
def test_forms_are_observations(form):
    env = gymnasium.make(DUEL, obs_type=form)
    first, _ = env.reset(seed=3)
    assert env.observation_space.shape == PIXEL_FORMS[form] == first.shape
    assert env.observation_space.contains(first)
    envs = gymnasium.make_vec(DUEL, num_envs=3, obs_type=form)
    many, _ = envs.reset(seed=[1, 3, 5])
    np.testing.assert_array_equal(many[1], first)  # whatever the batch
    seen = env.step(env.action_space.sample())[0]
    assert (seen != first).any()
    with pytest.raises(ValueError, match=r"obs_type is 'rgb', expected one of .*pixels_224x384"):
        gymnasium.make(DUEL, obs_type="rgb")


def test_pictures_do_not_depend_on_threads_and_come_back_with_snapshots():
    one, many = played(20, 40), played(20, 40)
    np.testing.assert_array_equal(one.pixels("pixels"), many.pixels("pixels"))
    env = gymnasium.make_vec(DUEL, num_envs=40, obs_type="pixels_224x256", num_threads=2)
    env.reset(seed=0)
    env.action_space.seed(0)
    for _ in range(5):
        env.step(env.action_space.sample())
    kept = env.unwrapped.get_state()
    actions = env.action_space.sample()
    then = env.step(actions)[0]
    env.unwrapped.set_state(kept)
    np.testing.assert_array_equal(env.step(actions)[0], then)
    single = played(20, 40)
    np.testing.assert_array_equal(single.pixels("pixels", np.array([7]))[0], one.pixels("pixels")[7])


def test_each_player_sees_its_own_side():
    env = envsuite.parallel_env("DuelVersus", obs_type="pixels_224x384", characters=("arden", "juno"), swap_sides=False)
    seen, _ = env.reset(seed=0)
    rows, blue, red = slice(0, 110), np.array((64, 120, 210)), np.array((208, 60, 56))
    middles = {
        (agent, name): np.nonzero((picture[rows] == color).all(axis=2))[1].mean()
        for agent, picture in seen.items()
        for name, color in (("own", blue), ("other", red))
    }
    assert (
        middles["player_0", "own"]
        == middles["player_1", "other"]
        < 192
        < middles["player_1", "own"]
        == middles["player_0", "other"]
    )


def test_three_instants_are_those_of_8_4_and_0_frames_ago():
    batch = played(30, 1, frame_skip=1)
    frames = []
    for k in range(12):
        batch.step(np.array([[(5, 2, 8)[k % 3], 0]]))
        frames.append(batch.pixels("pixels_ladder")[0, FIGHTERS])
    for back, channel in ((8, 0), (4, 1)):
        np.testing.assert_array_equal(frames[-1][..., channel], frames[-1 - back][..., 2])
    assert (frames[-1][..., 0] != frames[-1][..., 2]).any()


def test_the_other_is_seen_late_and_oneself_at_once():
    now, late = (played(12, 4, frame_skip=1, sight_delay=delay) for delay in (0, 8))
    np.testing.assert_array_equal(now.states["fighters"]["x"][:, 0], late.states["fighters"]["x"][:, 0])
    assert (now.pixels("pixels") != late.pixels("pixels")).any()


def test_boxes_are_drawn_on_demand():
    world = make_world(WORLD)
    batch = Batch(world, 1, num_threads=1)
    batch.seed([0])
    batch.reset()
    plain = batch.pixels("pixels_224x384")
    companion(world, Pictures).view = "boxes"
    assert (batch.pixels("pixels_224x384") != plain).any()


@pytest.mark.parametrize("form", PIXEL_FORMS)
def test_no_two_characters_look_alike(form):
    pictures = []
    for character in CAST:
        versus = make_world(VERSUS, characters=(character.name.lower(), "arden"), swap_sides=False)
        batch = Batch(versus, 1, num_threads=1)
        batch.seed([0])
        batch.reset()
        pictures.append(batch.pixels(form)[0, 0].tobytes())
    assert len(set(pictures)) == len(CAST)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"level": 3}, "Juno, level 3"), ({"level": "block_low"}, "Juno, dummy: block_low"), ({"level": 8}, "level 8")],
)
def test_people_read_who_fights(options, said):
    state = played(0, 1, opponent="juno", **options).states[0]
    assert who(state["fighters"][1]).endswith(said)
    assert "," not in who(state["fighters"][0])

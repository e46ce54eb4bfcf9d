"""Words, pictures and keys of the plants that have them from this family's own files."""

import numpy as np
import pytest

import envsuite
from envsuite.core.canvas import Canvas
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import make_world
from envsuite.industrial.benchmark.kernel import IndustrialBenchmarkWorld
from envsuite.industrial.panel import INK, RED, curves, dial

from ..batches import begun

IDS = ("Pipeline", "DMSD", "RocketRecovery", "IndustrialBenchmark")


def world_of(name):
    card = envsuite.card(name)
    return make_world(card.world, **card.options)


def test_descriptions_say_what_observations_hold():
    """By numbers that are put into a record and read in the text."""
    pipe = begun(world_of("Pipeline"))
    pipe.states[0]["pipe"][-1], pipe.states[0]["target"], pipe.states[0]["acted"][:2] = 91.27, 140.0, (0.25, -0.75)
    text = companion(pipe.world, Words).describe(pipe.states[0])
    for told in ("19 steps", "91.3 m^3/h arrive", "140.0 are wanted", "0.25, -0.75, 0.00", "in all -0.5"):
        assert told in text
    masses = begun(world_of("DMSDShift"))
    masses.states[0]["x"], masses.states[0]["v"], masses.states[0]["targets"] = (
        (0.5, -1.25),
        (0.1, 0),
        [[1, 2], [-1, 0]],
    )
    words = companion(masses.world, Words)
    text = words.describe(masses.states[0])
    for told in ("30 kg", "0.500 m from rest", "0.100 m/s", "be at 1.000 m", "be at -1.000 m"):
        assert told in text
    masses.states[0]["clock"]["step"] = 50
    assert "be at 2.000 m" in words.describe(masses.states[0])
    rocket = begun(world_of("RocketRecovery"))
    s = rocket.states[0]
    s["position"], s["angle"], s["spin"] = (12.0, 8.0 + 0.08874), 0.0, 0.0
    s["velocity"], s["wind"] = (-1.5, -3.25), -7.04
    text = companion(rocket.world, Words).describe(s)
    for told in ("4.07 m above", "2.00 m to the right", "-1.50 m/s to the right", "-3.25 m/s upwards", "-7.0 N"):
        assert told in text
    s["angle"] = 0.5
    assert "28.6 degrees to the left" in companion(rocket.world, Words).describe(s)


@pytest.mark.parametrize("name", IDS)
def test_answers_are_read_and_faults_told(name):
    world = world_of(name)
    words, state = companion(world, Words), begun(world).states[0]
    size = world.action.shape[0]
    read = words.parse("I think [" + ", ".join(["0.5"] * size) + "]", state)
    np.testing.assert_array_equal(read, np.full(size, 0.5, np.float32))
    for text, kind in (
        ("", RefusalKind.EMPTY),
        ("more", RefusalKind.UNREADABLE),
        ("[" + ", ".join(["0"] * (size + 1)) + "]", RefusalKind.WRONG_COUNT),
        ("[" + ", ".join(["1.5"] * size) + "]", RefusalKind.OUT_OF_RANGE),
    ):
        found = words.parse(text, state)
        assert isinstance(found, Refusal)
        assert found.kind == kind


def test_choices_have_names():
    world = IndustrialBenchmarkWorld(actions="discrete")
    words, state = companion(world, Words), begun(world).states[0]
    assert words.parse("velocity_up-gain_keep-shift_down, please", state) == 2 * 9 + 1 * 3
    assert len(words.answers(state)) == 27
    assert "velocity_down-gain_keep-shift_up" in words.instructions(state)


@pytest.mark.parametrize("name", IDS)
def test_pictures_change_with_what_they_show(name):
    """A changed record changes the picture, in any size, and the same one is drawn alike."""
    world = world_of(name)
    batch, pictures = begun(world), companion(world, Pictures)
    first = pictures.draw(batch.states[0], pictures.size)
    assert first.shape == (pictures.size[1], pictures.size[0], 3)
    np.testing.assert_array_equal(first, pictures.draw(batch.states[0], pictures.size))
    for _ in range(10):
        batch.step(np.full((1, *world.action.shape), 0.8, np.float32))
    assert (first != pictures.draw(batch.states[0], pictures.size)).any(axis=-1).mean() > 0.002
    small = pictures.draw(batch.states[0], (84, 84))
    assert small.shape == (84, 84, 3)
    assert small.std() > 10


def test_the_rocket_stays_in_its_picture():
    """However far it flies, its hull's colour is there."""
    world = world_of("RocketRecovery")
    batch, pictures = begun(world), companion(world, Pictures)
    for place in ((10.0, 12.0), (-60.0, 20.0), (10.0, 90.0), (45.0, 5.0)):
        batch.states[0]["position"] = place
        picture = pictures.draw(batch.states[0], pictures.size).astype(int)
        assert (abs(picture - (92, 84, 150)).max(axis=-1) < 20).sum() > 5, place


def test_dials_point_to_their_values():
    """Least lower left, greatest lower right, the middle up; beyond the bounds the needle stays at the end."""
    places = []
    for value in (0.0, 5.0, 10.0, 99.0):
        canvas = Canvas(200, 200)
        dial(canvas, (100, 90), 60.0, value, (0.0, 10.0), "")
        picture = canvas.to_array().astype(int)
        rows, columns = np.nonzero(abs(picture - RED).max(axis=-1) < 30)
        places.append((columns.mean() - 100, rows.mean() - 90))
    (left, low), (middle, high), (right, lower), beyond = places
    assert left < -10
    assert right > 10
    assert low > 5
    assert lower > 5
    assert abs(middle) < 1.5
    assert high < -15
    assert beyond == (right, lower)


def test_curves_end_at_the_right_edge():
    canvas = Canvas(200, 120)
    curves(canvas, (20, 10, 180, 110), [("", INK, [0.0, 0.0, 10.0])], (0.0, 10.0), 5)
    picture = canvas.to_array().astype(int)
    rows, columns = np.nonzero(abs(picture - INK).max(axis=-1) < 30)
    inside = columns > 30  # not the numbers of the axis
    assert columns[inside].min() == pytest.approx(100, abs=3)  # three of five values
    assert columns.max() == pytest.approx(180, abs=2)
    assert rows[columns > 176].min() < 20


def test_keys_are_two_for_each_lever():
    for name, count in (("Pipeline", 3), ("DMSD", 9), ("IndustrialBenchmark", 27)):
        keys = companion(world_of(name), Controls).keys()
        assert len(keys) == count
        assert keys[()].tolist() == [0.0] * len(keys[()])
    assert companion(world_of("DMSD"), Controls).keys()["right", "down"].tolist() == [1.0, -1.0]


def test_the_rockets_way_is_drawn_where_it_flew():
    """A point every four steps, at the hull's origin."""
    batch = begun(world_of("RocketRecovery"))
    for k in range(1, 41):
        batch.step(np.array([[0.6, 0.9]], np.float32))
        s = batch.states[0]
        if k % 4 == 0:
            up = np.array([-np.sin(s["angle"]), np.cos(s["angle"])])
            np.testing.assert_allclose(s["trail"][k // 4], s["position"] - 0.08874 * up, atol=1e-5)


@pytest.mark.parametrize("name", [*IDS, "Simglucose", "Fusion"])
def test_unknown_collectors_name_those_there_are(name):
    players = companion(world_of(name), Players)
    with pytest.raises(ValueError, match="collector is 'nobody', expected one of '") as error:
        players.collector("nobody")
    assert all(repr(one) in str(error.value) for one in players.collectors)
    assert all(hasattr(players.collector(one), "act") for one in players.collectors)

"""Companions are found by name and place, and every world has some."""

import numpy as np
import pytest

from envsuite.core import Block, Choice, Players, Record, StateRecord, Vector, World, batch_loops, field, kernel
from envsuite.core.companions import Controls, Logs, Pictures, Referee, Words, companion, companion_class
from envsuite.core.world import allocate, make_world


class State(StateRecord):
    height = field(unit="m")


class Info(Record):
    height = field()


@kernel
def reset(s):
    s.height = 1.25


@kernel
def step(s, action):
    s.height -= 0.25 * action
    return s.height, s.height < 0.0


@kernel
def observe(s, o, info):
    o.height_above_ground = s.height
    info.height = s.height


class FallWorld(World):
    """Has nothing of its own."""

    state_dtype, info_dtype, params = State.dtype(), Info.dtype(), np.zeros(1, np.dtype([("none", np.int8)]))
    observation = Vector((Block("height above ground", 1, -10, 10, "m"),))
    action = Choice(("left", "right"))
    loops = batch_loops(reset, step, observe)


class SlowFallWorld(FallWorld):
    """Inherits."""


class FallPlayers(Players):
    """The only one of its own."""

    def expert(self):
        return "nobody"


@pytest.fixture
def state():
    states = allocate(FallWorld(), 1)
    states["height"] = 1.25
    return states[0]


def test_defaults_work_for_any_world(state):
    world = FallWorld()
    pictures = companion(world, Pictures)
    first = pictures.draw(state, (200, 150))
    assert first.shape == (150, 200, 3)
    state["height"] = 0.5
    assert (pictures.draw(state, (200, 150)) != first).any()
    words = companion(world, Words)
    assert "height above ground 0.5 m" in words.describe(state)
    assert "left" in words.describe(state)
    assert words.parse("I go right", state) == 1
    assert companion(world, Controls).keys() == {("left",): 0, ("right",): 1}
    assert companion(world, Referee).current_player(state) is None
    assert companion(world, Referee).auditor() is None
    assert np.isnan(companion(world, Logs).seconds(state))
    with pytest.raises(ValueError, match="FallWorld has no collector 'wander'"):
        companion(world, Players).collector("wander")
    with pytest.raises(ValueError, match="FallWorld keeps no log"):
        companion(world, Logs).telemetry(state)


def test_own_companions_are_found_and_inherited():
    world = SlowFallWorld()
    assert companion(world, Players).expert() == "nobody"
    assert companion(world, Players) is companion(world, Players)
    assert companion_class(SlowFallWorld, Players) is FallPlayers
    assert companion_class(FallWorld, Words) is Words


def test_companions_of_families_lie_in_their_rooms():
    hover = make_world("envsuite.quadcopters.hover.kernel:HoverWorld")
    assert type(companion(hover, Pictures)).__module__ == "envsuite.quadcopters.hover.render"
    towers = make_world("envsuite.tower_defense.kernel:BulwarkWorld")  # its kernel is a folder
    assert type(companion(towers, Words)).__module__.startswith("envsuite.tower_defense.language")


def test_a_world_has_ten_members_at_most():
    public = [name for name in {**World.__annotations__, **vars(World)} if not name.startswith("_")]
    assert len(public) <= 10, public


def test_unknown_views_and_backends_are_named():
    with pytest.raises(ValueError, match="view is 'above', expected one of"):
        make_world("envsuite.quadcopters.hover.kernel:HoverWorld", view="above")
    with pytest.raises(ValueError, match="backend is 'mujoco', expected None for HoverWorld"):
        make_world("envsuite.quadcopters.hover.kernel:HoverWorld", backend="mujoco")
    with pytest.raises(ValueError, match="expected None or 'bullet' for TakeoffWorld"):
        make_world("envsuite.quadcopters.takeoff.kernel:TakeoffWorld", backend="mujoco")

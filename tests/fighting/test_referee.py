"""Every frame of many fights against the rules, and that the referee sees what is wrong."""

from itertools import product

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.fighting.kernel import DuelVersusWorld
from envsuite.fighting.params import AIR, AIR_HIT, ATTACK, BLOCK_STAND, DASH_F, DOWN, HIT, PREJUMP, STAGE, UNIT, WIN
from tests.fighting.common import NOTHING, Bout, luck_inputs
from tests.fighting.referee import BLOCKED, CAUGHT, ESCAPED, HURT, SEIZED, Referee

PAIRS = list(product(range(12), range(12)))


def watched(pairs, frames, inputs=None):
    """Fights of two rounds, by computer players of level 8 or by these inputs; the states and events that came."""
    world = DuelVersusWorld(frame_skip=1, rounds=2)
    batch = Batch(world, len(pairs), num_threads=1)
    batch.seed(range(len(pairs)))
    batch.reset()
    fighters = batch.states["fighters"]
    fighters["character"] = pairs
    fighters["hp"] = fighters["full"] = world.params[0]["characters"]["hp"][fighters["character"]]
    fighters["meter"] = 1000
    referee = Referee(batch)
    idle = np.tile((4, 0), (len(pairs), 2, 1))
    for t in range(frames):
        if inputs is None:
            batch.states["fighters"]["level"] = 8
        batch.step(idle if inputs is None else inputs[t])
        assert not (broken := referee.look()), (t, broken)
    return referee.seen


def test_computer_players_keep_the_rules():
    seen = watched(PAIRS[::7], 900)
    assert seen >= {("event", kind) for kind in (HURT, BLOCKED, SEIZED)}


def test_wild_players_keep_the_rules():
    seen = watched(PAIRS[::5], 900, luck_inputs(np.random.default_rng(5), 900, len(PAIRS[::5])))
    assert seen >= {("state", state) for state in range(18)}
    assert seen >= {("event", kind) for kind in (HURT, BLOCKED, CAUGHT, SEIZED)}


@pytest.mark.slow
def test_a_minute_of_all_pairings_keeps_the_rules():
    watched(PAIRS, 3600)
    seen = watched(PAIRS, 3600, luck_inputs(np.random.default_rng(6), 3600, len(PAIRS)))
    assert ("event", ESCAPED) in seen


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("a fighter leaves the stage", {"x": STAGE}),
        ("bodies overlap", {"x": STAGE // 2 - 30 * UNIT}),
        ("health rises", {"hp": 2000}),
        ("damage without a cause", {"hp": 10}),
        ("the meter leaves its bounds", {"meter": 3001}),
        ("who stands is in the air", {"y": 5}),
        ("a combo outlives its victim's freedom", {"combo": 1}),
        ("a free fighter shows its back", {"facing": 1}),
        ("an attack begins with the back to the other", {"state": ATTACK, "serial": 9, "facing": 1}),
    ],
)
def test_the_referee_sees(rule, change):
    bout = Bout(gap=60)
    referee = Referee(bout.batch)
    bout.step()
    assert not referee.look()
    bout.step()
    bout.set(1, **change)
    assert rule in referee.look()


def test_the_referee_sees_strikes_without_effect_and_stuns_that_are_cut():
    bout = Bout(gap=40)
    bout.perform(1)
    bout.wait(5)
    referee = Referee(bout.batch)
    bout.set(0, hit=0, stop=0)
    bout.step()
    bout.set(0, hit=0, stop=0)
    assert "a strike passes through a body" in referee.look()
    bout = Bout(gap=200)
    bout.set(1, state=HIT, stun=9)
    referee = Referee(bout.batch)
    bout.step()
    assert not referee.look()
    bout.step()
    bout.set(1, stun=3)
    assert "stun does not count down" in referee.look()


def crossed(**first):
    """A fight whose first fighter, busy for one frame more, has the other behind it."""
    bout = Bout(gap=60)
    bout.wait(40)
    bout.set(0, x=STAGE // 2 + 30 * UNIT, **first)
    bout.set(1, x=STAGE // 2 - 30 * UNIT)
    bout.batch.states["side"] = -1
    return bout


@pytest.mark.parametrize(
    "busy", [{"state": HIT, "stun": 0}, {"state": BLOCK_STAND, "stun": 0}, {"state": DASH_F, "age": 16}]
)
def test_who_becomes_free_turns_before_it_acts(busy):
    """The first attack after a stun or a dash goes towards whoever has come round meanwhile."""
    bout = crossed(**busy)
    assert bout.fighter(0)["facing"] == 1
    bout.step((5, "HP"))
    assert bout.fighter(0)["state"] == ATTACK
    assert bout.fighter(0)["facing"] == -1


def test_switches_mean_the_side_to_which_one_has_turned():
    """With directions of the screen, right is back as soon as the other stands on the left."""
    bout = Bout(gap=60, actions="buttons")
    right = np.zeros((1, 2, 10), np.int64)
    right[0, 0, 3] = 1
    bout.set(0, x=STAGE // 2 + 30 * UNIT, state=HIT, stun=0)
    bout.set(1, x=STAGE // 2 - 30 * UNIT)
    bout.batch.states["side"] = -1
    bout.batch.step(right)
    assert bout.fighter(0)["facing"] == -1
    assert bout.fighter(0)["guard"] == 1
    assert bout.fighter(0)["vx"] > 0


def test_a_jump_goes_where_it_was_asked_to():
    bout = Bout(gap=60)
    bout.step((9, "none"))
    bout.set(0, x=STAGE // 2 + 30 * UNIT)
    bout.set(1, x=STAGE // 2 - 30 * UNIT)
    bout.wait(5)
    assert bout.fighter(0)["state"] == AIR
    assert bout.fighter(0)["vx"] > 0


def test_dashes_forward_can_be_thrown():
    bout = Bout(gap=200)
    for press in (6, 5, 6):
        bout.step((press, "none"))
    bout.set(1, x=bout.fighter(0)["x"] + 40 * UNIT)
    bout.step(NOTHING, (5, "throw"))
    bout.wait(5)
    assert bout.batch.states["events"]["kind"][0, 0] == SEIZED


def test_dashes_in_the_air_begin_in_the_air():
    bout = Bout("fenno", gap=200)
    bout.step((8, "none"))
    while bout.fighter(0)["state"] == PREJUMP:
        bout.step()
    bout.set(0, state=PREJUMP, age=4, y=0, vy=0, tap=1, tap_age=0)
    bout.step()
    assert bout.fighter(0)["state"] == AIR


def test_who_is_launched_stays_so():
    """A projectile that meets somebody whom a slide has just knocked down does not put it on its feet again."""
    bout = Bout("arden", "arden", gap=36)
    bout.perform(11)
    while bout.fighter(1)["state"] != AIR_HIT:
        bout.step()
    shots = bout.batch.states["fighters"]["shots"]
    for field, value in {
        "on": 1,
        "x": bout.fighter(1)["x"],
        "life": 9,
        "hits": 1,
        "damage": 40,
        "hit_stun": 18,
    }.items():
        shots[field][0, 0, 0] = value
    referee = Referee(bout.batch)
    before = int(bout.fighter(1)["hp"])
    bout.step()
    assert int(bout.fighter(1)["hp"]) == before - 40 * 90 // 100
    assert bout.fighter(1)["state"] == AIR_HIT
    assert bout.fighter(1)["juggle"] == 2
    assert not referee.look()
    while bout.fighter(1)["state"] == AIR_HIT:
        bout.step()
        assert not referee.look()
    assert bout.fighter(1)["state"] == DOWN


def test_throws_pay_when_they_hurt():
    for late, paid in ((0, False), (20, True)):
        bout = Bout(gap=30)
        bout.perform(18)
        bout.wait(4)
        bout.wait(late)
        bout.step(NOTHING, (5, "throw"))
        bout.wait(40)
        assert (bout.fighter(0)["meter"] == 60) == paid
        kinds = bout.batch.states["events"]["kind"][0, : int(bout.state["happened"])].tolist()
        assert kinds == ([SEIZED] if paid else [SEIZED, ESCAPED])


def test_winners_stay_where_they_are():
    bout = Bout(gap=200, rounds=2)
    bout.set(1, hp=900)
    bout.batch.states["left"] = 2
    bout.wait(2, (6, "none"))
    assert bout.fighter(0)["state"] == WIN
    place = int(bout.fighter(0)["x"])
    bout.wait(20)
    assert bout.fighter(0)["x"] == place


def test_teleports_in_a_corner_face_the_other():
    bout = Bout("fenno", gap=60)
    bout.set(0, x=STAGE - 60 * UNIT)
    bout.set(1, x=STAGE - 13 * UNIT)
    bout.perform(19)
    bout.wait(20)
    ahead = int(bout.fighter(1)["x"] - bout.fighter(0)["x"]) * int(bout.fighter(0)["facing"])
    assert ahead > 0


def test_attacks_end_in_one_of_four_ways():
    """Hit, blocked, whiffed (in the air too, and punished), interrupted; a trade is a hit of both."""
    counted = []
    for gap, first, second, frames in (
        (36, (5, "MP"), NOTHING, 40),
        (36, (5, "MP"), (4, "none"), 40),
        (200, (5, "MP"), NOTHING, 40),
        (36, (5, "HK"), (5, "LP"), 40),
        (36, (5, "MP"), (5, "MP"), 40),
    ):
        bout = Bout(gap=gap)
        bout.step(first, second)
        bout.wait(frames, NOTHING, second if second[1] == "none" else NOTHING)
        fighter = bout.fighter(0)
        counted.append(tuple(int(fighter[name]) for name in ("hits", "blocked", "whiffs", "interrupted")))
    assert counted == [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0)]
    bout = Bout(gap=200)
    bout.step((8, "none"))
    bout.wait(10)
    bout.step((5, "HK"))
    bout.wait(60)
    assert bout.fighter(0)["whiffs"] == 1
    bout = Bout(gap=120)
    bout.perform(11)
    bout.wait(12)
    bout.place(36)
    bout.step(NOTHING, (5, "LK"))
    bout.wait(6)
    assert bout.fighter(0)["state"] == HIT
    assert (bout.fighter(0)["whiffs"], bout.fighter(0)["interrupted"]) == (1, 0)

"""Rules that are no frame data: rounds, rewards, meters, anti-spam, movement, options."""

import re

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.fighting.kernel import DuelVersusWorld, DuelWorld
from envsuite.fighting.params import (
    AIR_HIT,
    ATTACK,
    BLOCK_STAND,
    DASH_B,
    DASH_F,
    DOWN,
    HIT,
    KO,
    LANDING,
    STAGE,
    THROWN,
    UNIT,
)
from tests.fighting.common import NOTHING, Bout, busy


def ends(bout, left=1, **health):
    """Let the time of a round run out."""
    for i, hp in health.items():
        bout.set(int(i[1]), hp=hp)
    bout.batch.states["left"] = left
    return bout.step()


@pytest.mark.parametrize(
    ("hp", "winner", "loser"),
    # exponents (176 + 1) / 177 and (88 + 1) / 177 of 176, times 0.003 and 0.001
    [(1000, 0.528, -0.176), (500, 0.0404, -0.0135)],
)
def test_ladder_rewards_by_hand(hp, winner, loser):
    bout = Bout(gap=200, reward="ladder")
    rewards = ends(bout, f0=hp, f1=hp // 2).rewards[0]
    assert rewards == pytest.approx([winner, loser], abs=5e-5)
    bout = Bout(gap=200, reward="ladder")
    assert ends(bout).rewards[0] == pytest.approx([0.001, 0.001])
    bout = Bout(gap=36, reward="ladder")
    bout.perform(0)
    paid = np.zeros(2)
    for _ in range(8):
        paid += bout.step().rewards[0]
    lost = 1000 - int(bout.fighter(1)["hp"])
    assert lost == round(30 * 0.92)
    assert paid == pytest.approx([3 * lost * 0.176 * 0.001, -lost * 0.176 * 0.001], rel=1e-5)


def test_winning_and_damage_rewards():
    bout = Bout(gap=36, reward="hp")
    bout.perform(0)
    paid = sum(bout.step().rewards[0] for _ in range(8))
    assert paid == pytest.approx([0.028, -0.028])
    assert ends(Bout(gap=200), f1=900).rewards[0].tolist() == [1, -1]
    bout = Bout(gap=200)
    output = ends(bout)
    assert output.rewards[0].tolist() == [0, 0]
    assert output.terminated.all()


def test_annealing_changes_running_environments():
    bout = Bout(gap=200, reward="annealed")
    bout.world.anneal(0.25)
    assert ends(bout, f1=900).rewards[0].tolist() == [0.25, -0.25]
    bout = Bout(gap=200, reward="annealed")
    assert ends(bout, f1=900).rewards[0].tolist() == [0, 0]
    with pytest.raises(ValueError, match="mix is 2"):
        bout.world.anneal(2)
    with pytest.raises(ValueError, match="'annealed'"):
        Bout().world.anneal(0.5)


def test_matches_draws_and_sudden_death():
    bout = Bout(gap=200, rounds=2)
    assert not ends(bout).terminated.any()
    assert bout.batch.states["fighters"]["wins"][0].tolist() == [1, 1]
    bout.wait(45)
    assert bout.state["left"] == 3600
    ends(bout)
    assert bout.state["sudden"] == 1
    assert bout.batch.states["fighters"]["wins"][0].tolist() == [1, 1]
    bout.wait(45)
    assert bout.state["left"] == 1200
    output = ends(bout)
    assert output.terminated.all()
    assert output.info["won"][0].tolist() == [0, 0]
    bout = Bout(gap=200, rounds=2)
    ends(bout, f1=900)
    bout.wait(45)
    assert ends(bout).terminated.all()  # a draw gives the leader the second round
    assert bout.batch.last.info["won"][0].tolist() == [1, -1]
    bout = Bout("arden", "bramm", gap=200)
    assert ends(bout, f0=500, f1=540).rewards[0].tolist() == [0, 0], "shares of full health count"


def test_knock_out():
    bout = Bout(gap=36)
    bout.set(1, hp=1)
    bout.perform(0)
    output = None
    while not bout.state["clock"]["done"]:
        output = bout.step()
    assert output.rewards[0].tolist() == [1, -1]
    assert bout.fighter(1)["state"] == KO
    bout = Bout(gap=200, start_gap=200)
    bout.set(1, hp=1)
    bout.perform(19)
    bout.wait(80, (5, "none"), (4, "none"))
    assert bout.fighter(1)["hp"] == 1, "chip damage does not knock out"
    bout = Bout(gap=200, chip_ko=True)
    bout.set(1, hp=1)
    bout.perform(19)
    for _ in range(80):
        if bout.state["clock"]["done"]:
            break
        bout.step((5, "none"), (4, "none"))
    assert bout.fighter(1)["hp"] == 0


def test_arcade_goes_on_with_rising_levels():
    world = DuelWorld(stages=12, frame_skip=1, swap_sides=False)
    batch = Batch(world, 1, num_threads=1)
    batch.seed([3])
    batch.reset()
    met, levels, total = [], [], 0.0
    for stage in range(12):
        met.append(int(batch.states[0]["fighters"]["character"][1]))
        levels.append(int(batch.states[0]["fighters"]["level"][1]))
        batch.states["fighters"]["hp"][0, 1] = 1
        batch.states["left"] = 1
        output = batch.step(np.array([[4, 0]]))
        total += float(output.rewards[0])
        assert output.terminated[0] == (stage == 11)
        for _ in range(0 if output.terminated[0] else 45):
            batch.step(np.array([[4, 0]]))
    assert sorted(met) == list(range(12))
    assert levels == sorted(levels)
    assert (levels[0], levels[-1]) == (1, 8)
    assert total == 12
    assert batch.last.info["is_success"][0]
    assert batch.last.info["stage"][0] == 12


def test_movement():
    bout = Bout(gap=200)
    bout.wait(10, (6, "none"))
    assert bout.fighter(0)["x"] == STAGE // 2 - 100 * UNIT + 10 * round(2.2 * UNIT)
    bout = Bout(gap=200)
    bout.step((9, "none"))
    frames, top = 1, 0
    while bout.fighter(0)["state"] != LANDING:
        bout.step()
        frames += 1
        top = max(top, int(bout.fighter(0)["y"]))
    assert frames == 4 + 35
    assert 60 <= top / UNIT <= 66
    assert 80 <= (int(bout.fighter(0)["x"]) - STAGE // 2 + 100 * UNIT) / UNIT <= 84
    for direction, state, frames, way in ((6, DASH_F, 16, 56), (4, DASH_B, 22, -60)):
        bout = Bout(gap=200)
        for press in (direction, 5, direction):
            bout.step((press, "none"))
        assert bout.fighter(0)["state"] == state
        start = int(bout.fighter(0)["x"])
        lasted = 1
        while bout.fighter(0)["state"] == state:
            bout.step()
            lasted += 1
        assert lasted == frames + 1
        assert (int(bout.fighter(0)["x"]) - start) / UNIT == pytest.approx(way * (frames - 1) / frames, abs=1)


def test_traits_of_movement():
    for name, inputs, up in (("fenno", (6, 5, 6), False), ("halia", (5, 8), True), ("arden", (5, 8), False)):
        bout = Bout(name, gap=200)
        bout.step((8, "none"))
        bout.wait(14)
        for press in inputs:
            bout.step((press, "none"))
        fighter = bout.fighter(0)
        assert (fighter["state"] == DASH_F) == (name == "fenno")
        assert (fighter["vy"] > 5 * UNIT) == up


def test_staleness_and_repetition():
    bout = Bout(gap=300, start_gap=300)
    expected = [(0, 0), (1, 3), (2, 6), (3, 9), (4, 12), (4, 12)]
    for stale, slower in expected:
        bout.perform(21)
        assert bout.fighter(0)["stale"] == stale
        row = bout.moves()[21]
        assert bout.fighter(0)["total"] == 13 + int(row["active"]) + int(row["recovery"]) + slower
        while busy(bout.fighter(0)):
            bout.step()
        bout.place(300)
    bout.perform(22)
    assert bout.fighter(0)["stale"] == 0
    damage, totals = [], []
    bout = Bout(gap=30)
    for _ in range(6):
        bout.place(34)
        before = int(bout.fighter(1)["hp"])
        bout.perform(4)
        totals.append(int(bout.fighter(0)["total"]))
        while busy(bout.fighter(0)) or busy(bout.fighter(1)):
            bout.step()
        damage.append(before - int(bout.fighter(1)["hp"]))
    full = int(bout.moves()[4]["damage"])
    assert damage == [full, full, full, full * 70 // 100, full * 70 // 100, full * 70 // 100]
    assert totals == [22, 22, 22, 25, 28, 31]


def test_damage_scaling_counter_hits_and_the_meter():
    bout = Bout(gap=34)
    bout.perform(1)
    while not bout.fighter(0)["hit"]:
        bout.step()
    damage = int(bout.moves()[1]["damage"])
    assert 1000 - int(bout.fighter(1)["hp"]) == damage
    assert (bout.fighter(0)["meter"], bout.fighter(1)["meter"]) == (damage // 2, damage // 3)
    while bout.fighter(0)["stop"]:
        bout.step()
    bout.set(0, pressed=4, pressed_age=0, motion=4)  # the rush, cancelled into
    before = int(bout.fighter(1)["hp"])
    for _ in range(30):
        bout.step()
    rush = int(bout.moves()[21]["damage"])
    assert before - int(bout.fighter(1)["hp"]) == rush * 90 // 100
    bout = Bout(gap=34)
    bout.perform(1, second=(5, "HP"))
    while not bout.fighter(0)["hit"]:
        bout.step()
    assert 1000 - int(bout.fighter(1)["hp"]) == damage * 115 // 100
    assert bout.fighter(1)["stun"] == 17 + 2
    bout = Bout(gap=34)
    bout.perform(1, second=(4, "none"))
    while not bout.fighter(0)["hit"]:
        bout.step(NOTHING, (4, "none"))
    assert (bout.fighter(0)["meter"], bout.fighter(1)["meter"]) == (damage // 3, damage // 5)


def test_juggles_end():
    """After three hits in the air nothing meets the victim before it has got up."""
    bout = Bout(gap=34)
    bout.perform(20)
    while bout.fighter(1)["state"] != AIR_HIT:
        bout.step()
    for hits in (2, 3, 3):
        bout.set(0, state=0, age=0, move=25, x=bout.fighter(1)["x"] - 30 * UNIT, y=0, vy=0, stop=0, facing=1)
        bout.set(1, y=50 * UNIT, vy=0, stop=0)
        bout.perform(1)
        for _ in range(8):
            bout.set(1, y=50 * UNIT, vy=0)
            bout.set(0, x=bout.fighter(1)["x"] - 30 * UNIT)
            bout.step()
        assert bout.fighter(1)["juggle"] == hits
    while bout.fighter(1)["state"] != DOWN:
        bout.step()
    bout.wait(60)
    assert bout.fighter(1)["juggle"] == 0


def test_trades_strikes_beat_throws_and_throws_meet():
    bout = Bout(gap=34)
    bout.step((5, "LP"), (5, "LP"))
    bout.wait(4)
    assert [int(bout.fighter(i)["state"]) for i in range(2)] == [HIT, HIT]
    bout = Bout(gap=30)
    bout.step((5, "throw"), (5, "LK"))
    bout.wait(6)
    assert [int(bout.fighter(i)["state"]) for i in range(2)] == [HIT, ATTACK]
    bout = Bout(gap=30)
    bout.step((5, "throw"), (5, "throw"))
    bout.wait(4)
    assert [int(bout.fighter(i)["state"]) for i in range(2)] == [BLOCK_STAND, BLOCK_STAND]
    assert [int(bout.fighter(i)["hp"]) for i in range(2)] == [1000, 1000]


def test_projectiles():
    bout = Bout("arden", "arden", gap=200)
    for direction in (2, 3):
        bout.step((direction, "none"), (direction, "none"))
    bout.step((6, "HP"), (6, "HP"))
    bout.wait(40)
    assert not bout.batch.states["fighters"]["shots"]["on"].any(), "they meet and vanish"
    assert bout.batch.states["fighters"]["hp"].tolist() == [[1000, 1000]]
    for name, wanted in (("arden", 1), ("delpha", 2)):
        bout = Bout(name, gap=340, start_gap=340)
        bout.perform(19)
        while busy(bout.fighter(0)):
            bout.step()
        for direction in (6, 2):
            bout.step((direction, "none"))
        bout.step((3, "HP"))
        bout.wait(18)
        assert bout.fighter(0)["shots"]["on"].sum() == wanted or name == "arden"
    bout = Bout("juno", gap=300, start_gap=300)
    bout.perform(19)
    places = []
    for _ in range(230):
        bout.step()
        if bout.fighter(0)["shots"]["on"].any():
            places.append(int(bout.fighter(0)["shots"]["x"][0]))
    assert len(places) > 200
    assert places[-1] == places[40], "the mine rests"
    assert places[20] > places[0]


def test_counters_catch_by_height():
    for button, move, caught in (("HP", 9, False), ("HK", 9, True), ("HP", 1, True), ("HK", 1, True)):
        bout = Bout("isolde", "arden", gap=34)
        for direction in (2, 3):
            bout.step((direction, "none"))
        bout.step((6, button), NOTHING)
        assert bout.fighter(0)["move"] == 19
        bout.step(NOTHING, (2 if move == 9 else 5, "LK" if move == 9 else "MP"))
        bout.wait(12)
        assert (bout.fighter(1)["hp"] < 990) == caught, (button, move)
        assert (bout.fighter(0)["hp"] == 990) == caught


def test_armour_takes_one_hit():
    bout = Bout("bramm", "arden", gap=40)
    bout.perform(20)
    bout.step(NOTHING, (5, "LP"))
    bout.wait(6)
    assert bout.fighter(0)["state"] == ATTACK
    assert bout.fighter(0)["hp"] == 1080 - 28 // 2


def test_buffered_presses_come_out_on_the_first_free_frame():
    for early, wanted in ((3, True), (5, True), (7, False)):
        bout = Bout(gap=300, start_gap=300)
        bout.perform(1)
        while bout.fighter(0)["total"] - bout.fighter(0)["frame"] > early:
            bout.step()
        bout.step((5, "LP"))
        bout.wait(early)
        assert (bout.fighter(0)["move"] == 0) == wanted, early


def test_delays():
    bout = Bout(gap=200, action_delay=8)
    bout.step((5, "LP"))
    for k in range(12):
        attacking = bout.fighter(0)["state"] == ATTACK
        assert attacking == (k >= 8), k
        bout.step()
    late, now = Bout(gap=200, sight_delay=10), Bout(gap=200)
    seen = []
    for k in range(40):
        inputs = ((6, "none") if k % 3 else (5, "MP"), (4, "none") if k % 5 else (2, "LK"))
        a, b = late.step(*inputs).observations[0, 0].copy(), now.step(*inputs).observations[0, 0].copy()
        seen.append(b)
        assert np.array_equal(a[:82], b[:82]), "one's own state is current"
        if k >= 10:
            assert np.array_equal(a[82:164], seen[k - 10][82:164])


def test_frame_skip_holds_or_taps_buttons():
    for hold, presses in ((False, 1), (True, 4)):
        world = DuelVersusWorld(characters=("arden", "arden"), frame_skip=4, hold=hold, swap_sides=False)
        batch = Batch(world, 1, num_threads=1)
        batch.seed([0])
        batch.reset()
        batch.step(np.array([[[4, 1], [4, 0]]]))
        assert batch.states[0]["frames"] == 4
        assert bool(batch.states[0]["fighters"]["buttons"][0]) == hold
        assert presses


def test_sticky_actions():
    world = DuelVersusWorld(frame_skip=1, sticky=0.25)
    batch = Batch(world, 256, num_threads=1)
    batch.seed(range(256))
    batch.reset()
    batch.step(np.full((256, 2, 2), (4, 0)))
    stuck = 0
    for k in range(20):
        batch.step(np.full((256, 2, 2), (3 if k % 2 else 5, 0)))
        stuck += int((batch.states["fighters"]["code"] != (4 if k % 2 else 6)).sum())
    assert 0.20 < stuck / (20 * 512) < 0.30


def test_thrown_fighters_fall_in_front():
    bout = Bout(gap=30)
    bout.perform(18)
    while bout.fighter(1)["state"] != THROWN:
        bout.step()
    bout.wait(50)
    assert bout.fighter(1)["state"] == DOWN
    assert 40 * UNIT < bout.fighter(1)["x"] - bout.fighter(0)["x"] < 110 * UNIT


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"character": "nobody"}, "character is 'nobody'"),
        ({"opponent": []}, "opponent lists 0 kinds"),
        ({"opponent": "nobody"}, "opponent is 'nobody', expected one of arden"),
        ({"opponent": ("juno", 9)}, "opponent has the level 9"),
        ({"opponent": [("juno", 2, 3)]}, "expected a pair"),
        ({"opponent": [2.5]}, "opponent is 2.5"),
        ({"opponent": [("juno", 2)], "stages": 3}, "expected characters where stages"),
        ({"level": 9}, "level is 9"),
        ({"level": "hard"}, "level is 'hard'"),
        ({"actions": "mouse"}, "actions is 'mouse'"),
        ({"reward": "much"}, "reward is 'much'"),
        ({"frame_skip": 0}, "frame_skip is 0"),
        ({"sticky": 2}, "sticky is 2"),
        ({"action_delay": 16}, "action_delay is 16"),
        ({"stages": 13}, "stages is 13"),
        ({"health": (0, 100)}, "health is (0, 100), expected"),
        ({"health": 50}, "health is 50"),
        ({"rounds": 0}, "rounds is 0"),
        ({"start_gap": 10}, "start_gap is 10"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        DuelWorld(**options)

"""Every move measured in the engine, and compared with the tables of the design."""

import pytest

from envsuite.fighting.characters import CAST, cast, validate
from envsuite.fighting.params import (
    AIR,
    AIR_HIT,
    ATTACK,
    BLOCK_STAND,
    BUTTON_NAMES,
    DOWN,
    GRAB,
    HIT,
    LANDING,
    LANDING_FRAMES,
    LOW,
    OVERHEAD,
    SHOT,
    STRIKE,
    THROWN,
    UNIT,
)
from tests.fighting.common import NOTHING, Bout, busy

# start-up, active, advantage on hit (None for a knock-down), advantage on block: the all-round character's normals
NORMALS = {
    0: (4, 2, 6, 3),
    1: (6, 3, 4, 1),
    2: (9, 4, 0, -4),
    3: (5, 2, 4, 1),
    4: (7, 3, 2, -1),
    5: (11, 4, -2, -6),
    6: (4, 2, 6, 3),
    7: (6, 3, 4, 1),
    8: (8, 4, -4, -8),
    9: (5, 2, 5, 2),
    10: (7, 3, 1, -2),
    11: (9, 3, None, -8),
}
# of the specials' templates: advantage on block
BLOCKED = {"rise": -23, "rush": -5, "over": -2, "slide": -13, "armour": -13}
EVERY = [(one.name.lower(), move) for one in CAST for move in range(24) if not 12 <= move < 18]


def contact(bout, guard):
    """Frames to contact, and who acts how much earlier after it."""
    frame = 1
    while not bout.fighter(0)["hit"]:
        assert frame < 60, "no contact"
        bout.step(NOTHING, guard)
        frame += 1
    first = [None, None]
    for later in range(1, 120):
        bout.step(NOTHING, guard)
        for i in range(2):
            if first[i] is None and not busy(bout.fighter(i)):
                first[i] = later
        if None not in first:
            return frame, first[1] - first[0]
    raise AssertionError("somebody never acts again")


def guard_against(height):
    return (1 if height == LOW else 4, "none")


@pytest.mark.parametrize("name", [one.name.lower() for one in CAST])
def test_normals_start_and_recover_as_designed(name):
    one = next(one for one in CAST if one.name.lower() == name)
    for move, (startup, _, on_hit, on_block) in NORMALS.items():
        slow, late = one.slower if move % 3 else (0, 0)
        height = int(cast()["moves"][CAST.index(one), move]["height"])
        for guard, wanted in ((NOTHING, on_hit), (guard_against(height), on_block)):
            bout = Bout(name, "arden", gap=2 * one.half if move == 8 else 36)
            bout.perform(move, second=guard)
            found, advantage = contact(bout, guard)
            assert found == startup + slow, (move, "start-up")
            if wanted is not None:
                assert advantage == wanted - late, (move, guard)
            else:
                assert advantage > 20, "a knock-down gives time"


@pytest.mark.parametrize("name", [one.name.lower() for one in CAST])
def test_specials_are_punishable_as_designed(name):
    one = next(one for one in CAST if one.name.lower() == name)
    for k, special in enumerate(one.specials):
        if special.kind not in BLOCKED:
            continue
        row = cast()["moves"][CAST.index(one), 19 + k]
        guard = guard_against(int(row["height"]))
        bout = Bout(name, "arden", gap=32)
        bout.perform(19 + k, second=guard)
        bout.set(0, vx=0)
        found, advantage = contact(bout, guard)
        recovery = dict(special.changes).get("recovery")
        assert found == dict(special.changes).get("startup", {"rise": 4, "rush": 14, "over": 20, "slide": 9,
                                                              "armour": 18}[special.kind])  # fmt: skip
        assert advantage == BLOCKED[special.kind] - (recovery - 30 if recovery else 0)


@pytest.mark.parametrize(("name", "move"), EVERY)
def test_windows_of_every_move(name, move):
    """First active frame, length of the active window, total, invulnerability and armour, seen from outside."""
    bout = Bout(name, "arden", gap=300, start_gap=300)
    bout.set(0, meter=3000)
    row = bout.moves()[move]
    bout.perform(move)
    total = int(row["startup"]) - 1 + int(row["active"]) + int(row["recovery"])
    seen, frame = [], 1
    while bout.fighter(0)["state"] == ATTACK:
        seen.append(frame)
        bout.step()
        frame += 1
        assert frame < 100
    assert len(seen) == total
    if row["type"] == STRIKE and row["height"] != GRAB:
        reached = []
        for when in range(1, total + 1):
            bout = Bout(name, "arden", gap=300, start_gap=300)
            bout.set(0, meter=3000)
            bout.perform(move)
            for _ in range(when - 2):
                bout.step()
            # the other appears in front in this one frame
            if when > 1:
                middle = (int(row["x0"]) + int(row["x1"])) * UNIT // 2
                low = max(0, (int(row["y0"]) + int(bout.fighter(0)["y"]) // UNIT) - 20)
                bout.set(1, x=bout.fighter(0)["x"] + max(middle, 26 * UNIT), y=low * UNIT * (low > 60))
                bout.step()
            if bout.fighter(0)["hit"]:
                reached.append(when)
        wanted = list(range(int(row["startup"]), int(row["startup"]) + int(row["active"])))
        assert reached == wanted


def hover(bout, button="none", guard=NOTHING):
    """A frame in which the first fighter neither rises nor falls."""
    bout.set(0, y=40 * UNIT, vy=0)
    bout.step((5, button), guard)


@pytest.mark.parametrize("move", range(12, 18))
def test_normals_in_the_air(move):
    """First active frame, active window, guards, stuns and landing, seen from outside."""
    button = BUTTON_NAMES[1 + move - 12]
    reached = []
    for when in range(2, 16):
        bout = Bout(gap=300, start_gap=300)
        bout.set(0, state=AIR)
        hover(bout, button)
        assert bout.fighter(0)["move"] == move
        for _ in range(when - 2):
            hover(bout)
        bout.set(1, x=bout.fighter(0)["x"] + 30 * UNIT)
        hover(bout)
        if bout.fighter(0)["hit"]:
            reached.append(when)
    row = bout.moves()[move]
    assert reached == list(range(int(row["startup"]), int(row["startup"]) + int(row["active"])))
    for guard, state, stun in ((NOTHING, HIT, "hit_stun"), ((1, "none"), HIT, "hit_stun"),
                               ((4, "none"), BLOCK_STAND, "block_stun")):  # fmt: skip
        bout = Bout(gap=30)
        bout.set(0, state=AIR)
        hover(bout, button, guard)
        while not bout.fighter(0)["hit"]:
            hover(bout, guard=guard)
        assert bout.fighter(1)["state"] == state
        assert bout.fighter(1)["stun"] == row[stun]
    while bout.fighter(0)["y"] > 0:
        bout.step()
    landed = 0
    while bout.fighter(0)["state"] == LANDING:
        bout.step()
        landed += 1
    assert landed == LANDING_FRAMES + 1, "the last one is free"


@pytest.mark.parametrize(("name", "move"), [(n, m) for n, m in EVERY if m >= 18])
def test_invulnerable_frames(name, move):
    """A projectile that is everywhere meets the mover outside its safe frames only."""
    bout = Bout(name, "delpha", gap=300, start_gap=300)
    row = bout.moves()[move]
    total = int(row["startup"]) - 1 + int(row["active"]) + int(row["recovery"])
    safe, armoured = [], []
    for when in range(1, total + 1):
        bout = Bout(name, "delpha", gap=300, start_gap=300)
        bout.set(0, meter=3000)
        bout.perform(move)
        bout.wait(when - 2 if when > 1 else 0)
        if when == 1:
            continue
        shots = bout.batch.states["fighters"]["shots"]
        for field, value in {"on": 1, "x": bout.fighter(0)["x"], "life": 9, "hits": 1, "damage": 40}.items():
            shots[field][0, 1, 0] = value
        before = int(bout.fighter(0)["hp"])
        if row["type"] == 2 and when == int(row["startup"]):
            continue  # it is elsewhere in this frame
        bout.step()
        if bout.fighter(0)["y"] > 46 * UNIT:
            continue  # above it
        if bout.fighter(0)["hp"] == before:
            safe.append(when)
        elif bout.fighter(0)["state"] == ATTACK:
            armoured.append(when)
    wanted = [k for k in range(2, total + 1) if row["safe_from"] <= k <= row["safe_to"]]
    if row["type"] == 2:
        wanted.remove(int(row["startup"]))
    assert [k for k in safe if k <= 24] == wanted
    assert armoured == [k for k in range(2, total + 1) if row["armour_hits"] and 3 <= k <= row["armour_to"]]


def test_throws_can_be_escaped_for_eight_frames():
    for late in range(0, 12):
        bout = Bout(gap=30)
        bout.perform(18)
        while bout.fighter(1)["state"] != THROWN:
            bout.step()
        bout.wait(late)
        bout.step(NOTHING, (5, "throw"))
        escaped = bout.fighter(1)["state"] == BLOCK_STAND
        assert escaped == (late < 8), late
        bout.wait(60)
        assert bout.fighter(1)["hp"] == (1000 if escaped else 880)


def test_command_throws_cannot_be_escaped_and_are_heavier():
    bout = Bout("bramm", "arden", gap=34)
    bout.perform(19)
    while bout.fighter(1)["state"] != THROWN:
        bout.step()
    bout.step(NOTHING, (5, "throw"))
    bout.wait(60)
    assert bout.fighter(1)["hp"] == 1000 - int(bout.moves()[19]["damage"])
    bout = Bout("bramm", "arden", gap=34)
    bout.perform(18)
    bout.wait(60)
    assert bout.fighter(1)["hp"] == 1000 - 150


def test_throws_miss_whom_they_should():
    for state, wanted in (("jump", False), ("stun", False), ("stand", True), ("crouch", True), ("backdash", False)):
        bout = Bout(gap=28)
        if state == "stun":
            bout.set(1, state=HIT, stun=7)
        inputs = {"jump": (8, "none"), "crouch": (2, "none")}.get(state, NOTHING)
        if state == "backdash":
            bout.step(NOTHING, (4, "none"))
            bout.step(NOTHING, NOTHING)
            bout.wait(1, NOTHING, (4, "none"))
            bout.place(28)
        bout.perform(18, second=inputs)
        seized = False
        for _ in range(8):
            bout.step(NOTHING, inputs)
            seized |= bool(bout.fighter(1)["state"] == THROWN)
        assert seized == wanted, state


def test_cancel_windows():
    """A normal that touched may become a special until four frames after its last active one."""
    for move, allowed in ((1, True), (4, False), (2, True), (10, True)):
        row = Bout().moves()[move]
        height = int(row["height"])
        last = int(row["startup"]) - 1 + int(row["active"])
        for late in (1, last + 3, last + 4, last + 5):
            bout = Bout(gap=36)
            bout.perform(move, second=guard_against(height))
            while not bout.fighter(0)["hit"]:
                bout.step(NOTHING, guard_against(height))
            while bout.fighter(0)["stop"] or bout.fighter(0)["frame"] < late - 1:
                bout.step()
            bout.set(0, pressed=1, pressed_age=0, motion=1)
            bout.step()
            assert (bout.fighter(0)["move"] == 19) == (allowed and late <= last + 4), (move, late)


def test_lights_chain_on_hit_only_and_one_character_chains_upwards():
    for guard, wanted in ((NOTHING, 6), ((4, "none"), 0)):
        bout = Bout(gap=36)
        bout.perform(0, second=guard)
        while not bout.fighter(0)["hit"]:
            bout.step(NOTHING, guard)
        while bout.fighter(0)["stop"]:
            bout.step()
        bout.step((2, "LP"))
        assert bout.fighter(0)["move"] == wanted
    for name, wanted in (("arden", 0), ("cinder", 1)):
        bout = Bout(name, gap=34)
        bout.perform(0)
        while not bout.fighter(0)["hit"]:
            bout.step()
        while bout.fighter(0)["stop"]:
            bout.step()
        bout.step((5, "MP"))
        assert bout.fighter(0)["move"] == wanted


@pytest.mark.parametrize("name", [one.name.lower() for one in CAST])
def test_ex_versions(name):
    for move in range(19, 23):
        plain, better = Bout(name, gap=300, start_gap=300), Bout(name, gap=300, start_gap=300)
        plain.set(0, meter=700)
        better.set(0, meter=700)
        plain.perform(move)
        better.perform(move, "punches")
        gain = 20 * int(plain.world.params[0]["characters"]["gain"][int(plain.fighter(0)["character"])]) // 100
        assert plain.fighter(0)["meter"] == 700 + gain
        assert better.fighter(0)["meter"] == 200 + gain
        assert better.fighter(0)["first"] == plain.fighter(0)["first"] - 2
        row = plain.moves()[move]
        if row["type"] == SHOT:
            for bout in (plain, better):
                bout.wait(20)
            strong, weak = better.fighter(0)["shots"][0], plain.fighter(0)["shots"][0]
            assert (int(strong["hits"]), int(weak["hits"])) == (2, 1)
            assert strong["damage"] == weak["damage"] * 130 // 100
        elif row["armour_hits"]:
            assert better.fighter(0)["armour"] == 1 + (name == "garr")


def test_heights_ask_for_the_right_guard():
    for move, name, right, wrong in ((9, "arden", 1, 4), (11, "arden", 1, 4), (22, "arden", 4, 1)):
        row = Bout(name).moves()[move]
        assert row["height"] in (LOW, OVERHEAD)
        for direction, state in ((right, None), (wrong, None)):
            bout = Bout(name, gap=36)
            bout.perform(move, second=(direction, "none"))
            while not bout.fighter(0)["hit"]:
                bout.step(NOTHING, (direction, "none"))
            hurt = bout.fighter(1)["state"] in (HIT, AIR_HIT)
            assert hurt == (direction == wrong), (move, direction, state)


def test_knock_downs_take_their_time():
    bout = Bout(gap=36)
    bout.perform(11)
    while bout.fighter(1)["state"] != DOWN:
        bout.step()
    frames = 0
    while busy(bout.fighter(1)):
        bout.step()
        frames += 1
    assert frames == 24 + 18 + 1  # lying and rising; the frame after is the first free one


def test_a_broken_table_is_refused():
    made = cast()[0].copy()
    made["moves"][19]["startup"] = 2
    with pytest.raises(ValueError, match="start-up 2"):
        validate("X", made)
    made = cast()[0].copy()
    made["moves"][2]["recovery"] = 90
    with pytest.raises(ValueError, match="frames in all"):
        validate("X", made)
    made = cast()[0].copy()
    made["moves"][2]["x1"] = 111
    with pytest.raises(ValueError, match="110 px"):
        validate("X", made)
    made = cast()[0].copy()
    made["moves"][21]["block_stun"] = 30
    with pytest.raises(ValueError, match="ahead when blocked"):
        validate("X", made)

"""The state, the metrics, and the layouts of observations and actions."""

from collections.abc import Mapping

import numpy as np

from envsuite.core import Block, Choice, Choices, Record, StateRecord, Vector, field
from envsuite.fighting.params import (
    BUTTON_NAMES,
    CHARACTERS,
    DIRECTION_NAMES,
    EVENTS,
    LADDER_NAMES,
    LOOKS,
    MACRO_NAMES,
    MEMORY,
    MOVES,
    QUEUE_HEADS,
    RING,
    SHOTS,
    whole,
)

WIDEST = 10  # numbers of an action at most


class Shot(Record):
    """A projectile."""

    on = whole(meaning="whether there is one")
    x = whole(unit="1/256 px")
    speed = whole(unit="1/256 px/frame", meaning="to the right")
    life = whole(unit="frames", meaning="that it has left")
    hits = whole(meaning="that it has left")
    damage = whole(unit="HP")
    hit_stun = whole(unit="frames")
    block_stun = whole(unit="frames")
    mine = whole(meaning="1 for one that comes to rest")
    stop = whole(unit="frames", meaning="of hit-stop")
    push = whole(unit="1/256 px/frame")


class Look(Record):
    """What can be seen of a fighter."""

    hp = whole(meaning="thousandths of full health")
    meter = whole()
    x = whole(unit="1/256 px")
    y = whole(unit="1/256 px", meaning="above the floor")
    vx = whole(unit="1/256 px/frame")
    vy = whole(unit="1/256 px/frame")
    facing = whole(meaning="1 to the right, -1 to the left")
    stun = whole(unit="frames")
    stop = whole(unit="frames")
    frame = whole(meaning="of the move, 0 without one")
    left = whole(unit="frames", meaning="of the move")
    combo = whole(meaning="hits taken in this combo")
    juggle = whole(meaning="points")
    stale = whole(meaning="staleness of the special")
    state = whole(meaning="an index of STATE_NAMES")
    move = whole(meaning="an index of MOVE_NAMES")
    phase = whole(meaning="0 without a move, 1 start-up, 2 active, 3 recovery")
    safe = whole(meaning="cannot be hit")
    grab_safe = whole(meaning="cannot be thrown")
    armour = whole(meaning="has armour now")
    air = whole(meaning="is in the air")
    shots = field(type=Shot, shape=SHOTS)


class Brain(Record):
    """What a computer player has in mind."""

    direction = whole(meaning="that it keeps")
    until = whole(unit="frame", meaning="until which it keeps it")
    threat = whole(meaning="number of the attack that it has made up its mind about")
    guards = whole(meaning="1 where it guards against that")
    followed = whole(meaning="number of the own move that it has followed up, or not")
    leapt = whole(meaning="likewise, of the attack that it has jumped over, or not")
    noted = whole(meaning="number of the other's attack that it has noted")
    moves = field(type=np.int8, shape=MEMORY, meaning="attacks of the other, the latest first: 1 + their moves, or 0")
    cycles = whole(meaning="0, or how it sees through the other, `READS` or `READS_MIX` of the tactics")
    expected = whole(meaning="the move of the attack that comes next if they go on so")


class Fighter(Record):
    """One fighter; its move, its inputs, the commands of its agent, counters of its deeds."""

    x = whole(unit="1/256 px")
    y = whole(unit="1/256 px", meaning="above the floor")
    vx = whole(unit="1/256 px/frame")
    vy = whole(unit="1/256 px/frame")
    facing = whole(meaning="1 to the right, -1 to the left")
    hp = whole(unit="HP")
    full = whole(unit="HP", meaning="at the start")
    meter = whole()
    character = whole()
    level = whole(meaning="0 an agent, 1 to 8 a computer player, from DUMMY on a training dummy")
    rival = whole(meaning="number of the policy that plays it from inside, -1 for none")
    state = whole(meaning="an index of STATE_NAMES")
    age = whole(unit="frames", meaning="of the state")
    move = whole(meaning="an index of MOVE_NAMES")
    frame = whole(meaning="of the move")
    first = whole(meaning="first active frame")
    last = whole(meaning="last active frame")
    total = whole(unit="frames", meaning="of the move")
    ex = whole(meaning="whether it is an EX special")
    kick = whole(meaning="whether it is its version with kicks")
    hit = whole(meaning="0 has met nothing, 1 hit, 2 blocked, 3 armour")
    armour = whole(meaning="hits that its armour still takes")
    stop = whole(unit="frames", meaning="of hit-stop")
    stun = whole(unit="frames")
    push = whole(unit="1/256 px/frame", meaning="by which it slides")
    combo = whole(meaning="hits taken in this combo")
    juggle = whole(meaning="points")
    special = whole(meaning="the last one")
    stale = whole(meaning="staleness of that")
    stale_timer = whole(unit="frames")
    normal = whole(meaning="the last one")
    repeats = whole(meaning="of that")
    grab_safe = whole(unit="frames", meaning="in which throws still miss")
    knockdown = whole(meaning="that follows: 0 none, 1 soft, 2 hard")
    air_left = whole(meaning="actions left in this jump")
    guard = whole(meaning="0 none, 1 standing, 2 crouching")
    jump_to = whole(meaning="direction of the jump: -1, 0, 1")
    dashing = whole(meaning="whether its dash is one in the air")
    held = whole(meaning="whether up is held")
    wins = whole(meaning="rounds won")
    due = whole(unit="HP", meaning="that the throw will cost")
    techable = whole(meaning="whether the throw can be escaped")
    direction = whole(meaning="input of this frame, of a numeric keypad, facing right")
    buttons = whole(meaning="input of this frame, bits")
    pressed = whole(meaning="buttons that wait")
    pressed_age = whole(unit="frames")
    motion = whole(meaning="motions that the press completes, bits")
    tap = whole(meaning="double tap: 1 forward, 2 back")
    tap_age = whole(unit="frames")
    charge_back = whole(unit="frames")
    charge_down = whole(unit="frames")
    code = whole(meaning="of this decision")
    macro = whole(meaning="under way, -1 for none")
    macro_frame = whole()
    before = whole(meaning="code of the decision before")
    serial = whole(meaning="number of its attack")
    queue = whole(shape=2, meaning="macros that wait, -1 for none")
    hits = whole(meaning="attacks that hit")
    blocked = whole(meaning="attacks that were blocked")
    whiffs = whole(meaning="attacks that met nothing; projectiles do not count")
    interrupted = whole(meaning="attacks that the other's blow ended before they met")
    throws = whole()
    techs = whole(meaning="throws escaped")
    dealt = whole(unit="HP", meaning="damage in this episode")
    idle_frames = whole(unit="frames")
    brain = field(type=Brain)
    ring = field(type=np.int8, shape=RING, meaning="last directions, facing right")
    delayed = whole(shape=LOOKS, meaning="codes on their way")
    past = whole(shape=RING, meaning="state, move, frame and number of attack, packed")
    shots = field(type=Shot, shape=SHOTS)
    looks = field(type=Look, shape=LOOKS, meaning="by frame, modulo their number")


class Blow(Record):
    """What meets a fighter in this frame."""

    result = whole(meaning="see `envsuite.fighting.kernel.contact`")
    damage = whole(unit="HP")
    stun = whole(unit="frames")
    knockdown = whole()
    push = whole(unit="1/256 px/frame")
    stop = whole(unit="frames")
    juggle = whole(meaning="points")
    shot = whole(meaning="slot of the projectile, -1 for a strike")
    away = whole(meaning="sign of the push")
    gain = whole(unit="HP", meaning="base damage, which the meter gains by")


class Event(Record):
    """What happened to a fighter."""

    frame = whole(meaning="of the episode")
    who = whole()
    kind = whole(meaning="result of a blow, an index of EVENT_NAMES")
    amount = whole(unit="HP")


class State(StateRecord):
    """Everything that the future depends on."""

    side = whole(meaning="1 where the second fighter is on the right")
    frames = whole(meaning="of the episode")
    left = whole(unit="frames", meaning="of the round")
    pause = whole(unit="frames", meaning="until the next round")
    sudden = whole(meaning="whether this is the round of sudden death")
    stage = whole(meaning="matches won in a row")
    outcome = whole(meaning="0 going on, 1 or 2 that player won, 3 draw")
    last_round = whole(meaning="likewise, of the round that ended in this decision")
    order = whole(shape=CHARACTERS, meaning="of the opponents in a row of matches")
    fighters = field(type=Fighter, shape=2)
    blows = field(type=Blow, shape=2)
    events = field(type=Event, shape=EVENTS, meaning="the latest at number happened - 1, modulo their number")
    happened = whole(meaning="events of the episode")
    earned = field(type=np.float32, shape=2, meaning="rewards of this decision")
    second = whole(shape=WIDEST, meaning="action of a policy that plays the second fighter from inside")


class Info(Record):
    """The metrics of one player."""

    is_success = field(type=np.bool_, meaning="has won the match (all of them, in a row of matches)")
    won = field(type=np.int8, meaning="1, -1, 0 for a draw or a match that goes on")
    hp = whole(unit="HP")
    other_hp = whole(unit="HP")
    meter = whole()
    rounds = whole(meaning="won")
    other_rounds = whole()
    stage = whole(meaning="matches won in a row")
    frames = whole(meaning="of the episode")
    character = whole()
    other_character = whole()
    other_level = whole(meaning="of a computer player, 0 for an agent")
    other_policy = whole(meaning="index of the policy that the opponent is, -1 for none")
    dealt = whole(unit="HP", meaning="damage in this episode")
    taken = whole(unit="HP")
    hits = whole(meaning="own attacks that hit")
    blocked = whole(meaning="own attacks that were blocked")
    whiffs = whole(meaning="that met nothing; projectiles do not count")
    interrupted = whole(meaning="that the other's blow ended before they met")
    throws = whole()
    techs = whole(meaning="throws escaped")
    idle_frames = whole(unit="frames")


DIRECTIONS_SEEN, PER_SHOT = 8, 6

_SCALARS = (
    "HP, meter, x, y, speed x, y, facing, distances to walls behind and ahead, stun (of 60 frames), hit-stop (of 12), "
    "frame of the move and frames left (of 90), hits taken in this combo (of 10), juggle points (of 3), staleness (4)"
)


def _fighter(who: str) -> tuple[Block, ...]:
    return (
        Block(who, 16, -2, 2, "", _SCALARS),
        Block(f"{who} state", 20, 0, 1, "", "one-hot"),
        Block(f"{who} move", MOVES, 0, 1, "", "one-hot, zeros without a move"),
        Block(f"{who} phase", 4, 0, 1, "", "no move, start-up, active, recovery"),
        Block(f"{who} flags", 4, 0, 1, "", "cannot be hit, cannot be thrown, armour, in the air"),
        Block(f"{who} character", CHARACTERS, 0, 1, "", "one-hot"),
    )


OBSERVATION = Vector(
    (
        *_fighter("own"),
        *_fighter("other"),
        Block("shots", 2 * SHOTS * PER_SHOT, -2, 2, "", "own first, each: there, distance from oneself and from the "
              "other (of 384 px), speed (of 8 px), life (of 240 frames), a mine"),
        Block("match", 4, 0, 1, "", "time left, rounds won (of 2, or of those that win) by each, sudden death"),
        Block("directions", DIRECTIONS_SEEN, 0, 1, "", "own last inputs, latest first, of 9"),
        Block("charges", 2, 0, 1, "", "back and down, of 40 frames"),
    )
)  # fmt: skip
"""What one player sees, as if it faced right; 202 numbers."""


PIXEL_FORMS: Mapping[str, tuple[int, int, int]] = {
    "pixels": (84, 84, 3),
    "pixels_grey": (84, 84, 1),
    "pixels_ladder": (100, 128, 3),
    "pixels_224x256": (224, 256, 3),
    "pixels_224x384": (224, 384, 3),
}
"""Height, width and channels of pictures; ``pixels_ladder`` has a grey channel for each of three instants, 8, 4 and 0
frames ago."""


def action_layout(form: str) -> Choice | Choices:
    """The layout of an encoding of actions.

    Args:
        form: one of `envsuite.fighting.params.ACTION_FORMS`.
    """
    if form == "multidiscrete":
        return Choices((("direction", DIRECTION_NAMES), ("button", BUTTON_NAMES)))
    if form == "buttons":
        names = ("up", "down", "left", "right", *BUTTON_NAMES[1:7])
        return Choices(tuple((name, ("off", "on")) for name in names))
    if form == "queue":
        return Choices(
            tuple((head, MACRO_NAMES if k == 0 else (*MACRO_NAMES, "none")) for k, head in enumerate(QUEUE_HEADS))
        )
    return Choice(LADDER_NAMES if form == "ladder22" else MACRO_NAMES)

"""The state record, the info record, and the layouts of observations and actions."""

from collections.abc import Mapping

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Choices, Vector
from envsuite.core.rng import STREAM
from envsuite.fighting.params import (
    BUTTON_NAMES,
    CHARACTERS,
    DIRECTION_NAMES,
    EVENTS,
    LADDER_NAMES,
    LOOKS,
    MACRO_NAMES,
    MOVES,
    QUEUE_HEADS,
    RING,
    SHOTS,
)

WIDEST = 10  # numbers of an action at most


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int32) for name in names]


SHOT_STATE = np.dtype(
    # speed: 1/256 px a frame, signed; mine: 1 for one that comes to rest
    _integers("on", "x", "speed", "life", "hits", "damage", "hit_stun", "block_stun", "mine", "stop", "push"),
    align=True,
)

LOOK = np.dtype(
    [
        *_integers("hp", "meter", "x", "y", "vx", "vy", "facing", "stun", "stop", "frame", "left", "combo", "juggle"),
        *_integers("stale", "state", "move", "phase", "safe", "grab_safe", "armour", "air"),
        ("shots", SHOT_STATE, (SHOTS,)),
    ],
    align=True,
)
"""What can be seen of a fighter."""

BRAIN = np.dtype(
    # of a computer player: the direction that it keeps, and until which frame; the attack, by its number, that it has
    # made up its mind about, and how; the own move, by its number, that it has followed up or not
    _integers("direction", "until", "threat", "guards", "followed", "leapt"),
    align=True,
)

FIGHTER = np.dtype(
    [
        *_integers("x", "y", "vx", "vy", "facing", "hp", "full", "meter", "character", "level", "rival"),
        # rival: number of the policy that plays it from inside, -1 for none
        # state, its age in frames, and the move: number, frame, first and last active frame, all its frames, EX or not,
        # kick or punch version, hit flag (0 none, 1 hit, 2 blocked, 3 armour)
        *_integers("state", "age", "move", "frame", "first", "last", "total", "ex", "kick", "hit", "armour"),
        *_integers("stop", "stun", "push", "combo", "juggle", "special", "stale", "stale_timer", "normal", "repeats"),
        *_integers(
            "grab_safe", "knockdown", "air_left", "guard", "jump_to", "dashing", "held", "wins", "due", "techable"
        ),
        # inputs: those of this frame, presses that wait, their motion and age, double tap
        *_integers("direction", "buttons", "pressed", "pressed_age", "motion", "tap", "tap_age"),
        *_integers("charge_back", "charge_down"),
        # commands of the agent: code of this decision, macro and its frame, code of the decision before
        *_integers("code", "macro", "macro_frame", "before", "serial"),
        ("queue", np.int32, (2,)),  # macros that wait, -1 for none
        # counters for metrics
        *_integers("hits", "blocked", "whiffs", "interrupted", "throws", "techs", "dealt", "idle_frames"),
        ("brain", BRAIN),
        ("ring", np.int8, (RING,)),  # directions, facing right
        ("delayed", np.int32, (LOOKS,)),  # codes on their way
        ("past", np.int32, (RING,)),  # state, move, frame and number of attack, packed
        ("shots", SHOT_STATE, (SHOTS,)),
        ("looks", LOOK, (LOOKS,)),
    ],
    align=True,
)

BLOW = np.dtype(
    # result: see `envsuite.fighting.kernel.contact`; shot: -1 or its slot; away: sign of the push; gain: base damage
    _integers("result", "damage", "stun", "knockdown", "push", "stop", "juggle", "shot", "away", "gain"),
    align=True,
)
"""What meets a fighter in this frame."""

EVENT = np.dtype(_integers("frame", "who", "kind", "amount"), align=True)
"""What happened to fighter `who`; kinds are the results of blows, see `envsuite.fighting.params.EVENT_NAMES`."""

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        # side: 1 where the second fighter is on the right; frames: of the episode; left: of the round;
        # outcome: 0 going on, 1 or 2 that player won, 3 draw; last_round: likewise, of the round that ended in this
        # decision; events of the decision
        *_integers("side", "frames", "left", "pause", "sudden", "stage", "outcome", "last_round"),
        ("order", np.int32, (CHARACTERS,)),
        ("fighters", FIGHTER, (2,)),
        ("blows", BLOW, (2,)),
        ("events", EVENT, (EVENTS,)),  # the latest at number `happened` - 1, modulo their number
        ("happened", np.int32),
        ("earned", np.float32, (2,)),
        ("second", np.int32, (WIDEST,)),  # action of a policy that plays the second fighter from inside
    ],
    align=True,
)
"""Everything that the future depends on."""

INFO = np.dtype(
    [
        ("is_success", np.bool_),  # this player has won the match (all of them, in a row of matches)
        ("won", np.int8),  # 1, -1, 0 for a draw or a match that goes on
        ("hp", np.int32),
        ("other_hp", np.int32),
        ("meter", np.int32),
        ("rounds", np.int32),  # won
        ("other_rounds", np.int32),
        ("stage", np.int32),  # matches won in a row
        ("frames", np.int32),  # of the episode
        ("character", np.int32),
        ("other_character", np.int32),
        ("other_level", np.int32),  # of a computer player, 0 for an agent
        ("other_policy", np.int32),  # index of the policy that the opponent is, -1 for none
        ("dealt", np.int32),  # damage in this episode
        ("taken", np.int32),
        ("hits", np.int32),
        ("blocked", np.int32),  # own attacks that were blocked
        ("whiffs", np.int32),  # that met nothing; projectiles do not count
        ("interrupted", np.int32),  # that the other's blow ended before they met
        ("throws", np.int32),
        ("techs", np.int32),
        ("idle_frames", np.int32),
    ],
    align=True,
)

DIRECTIONS_SEEN = 8
PER_FIGHTER, PER_SHOT = 16 + 20 + MOVES + 4 + 4 + CHARACTERS, 6

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
        Block("round", 4, 0, 1, "", "time left, rounds won (of 2, or of those that win) by each, sudden death"),
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

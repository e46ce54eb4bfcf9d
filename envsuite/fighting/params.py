"""Constants of the rules, and the records of moves, characters, computer players and options.

Times are in frames (60 to a second), boxes in pixels, positions and speeds in 1/256 px. All numbers are this suite's
own; what the words mean (start-up, advantage, cancel, juggle, ...) is in the README.
"""

from functools import partial

import numpy as np

from envsuite.core import Record, field

UNIT = 256  # to a pixel
FRAMES = 60  # a second
STAGE = 384 * UNIT  # wide; the floor is y = 0
START_GAP = 128  # px between the fighters at the start of a round
WIDEST_GAP = 340  # px; both then stand with 22 px to their walls, the widest body needs 17

ROUND, SUDDEN_DEATH = 3600, 1200  # frames
PAUSE = 45  # frames between two rounds of a match

CHARACTERS, MOVES, LEVELS = 12, 26, 8
SHOTS = 2  # projectiles of one fighter, a resting mine included
RING = 32  # frames of inputs remembered
EVENTS = 5  # remembered for those who read
LOOKS = 16  # frames of appearances remembered, for delayed sight

# States of a fighter.
(IDLE, WALK_F, WALK_B, CROUCH, PREJUMP, AIR, LANDING, ATTACK, HIT, AIR_HIT, BLOCK_STAND, BLOCK_CROUCH, DOWN, GETUP,
 THROWING, THROWN, DASH_F, DASH_B, KO, WIN) = range(20)  # fmt: skip
STATE_NAMES = (
    "idle", "walks forward", "walks back", "crouches", "is about to jump", "is in the air", "lands", "attacks",
    "is hit", "is hit in the air", "blocks standing", "blocks crouching", "is knocked down", "gets up", "throws",
    "is thrown", "dashes forward", "dashes back", "is knocked out", "has won",
)  # fmt: skip

# Moves: normals by button (LP MP HP LK MK HK) standing, crouching, in the air; then the others.
MOVE_NAMES = (
    *(f"{stance}{button}" for stance in "52j" for button in ("LP", "MP", "HP", "LK", "MK", "HK")),
    "throw", "special_236", "special_623", "special_214", "special_22", "super", "counter_hit", "none",
)  # fmt: skip
THROW, SPECIAL, SUPER, REPLY, NO_MOVE = 18, 19, 23, 24, 25

EVENT_NAMES = ("nothing", "hurt", "blocked", "took a hit with armour", "caught a strike", "thrown", "escaped a throw")

# Buttons.
LP, MP, HP, LK, MK, HK = (1 << k for k in range(6))
PUNCHES, KICKS = LP | MP | HP, LK | MK | HK

# Which directions (numpad, facing right) block a strike of which height.
MID, OVERHEAD, LOW, GRAB = range(4)

# What a move is made of.
STRIKE, SHOT, SHIFT, COUNTER = range(4)

# Motions that a press of buttons completes, as bits.
M236, M623, M214, M22, M236236 = (1 << k for k in range(5))

PREJUMP_FRAMES, LANDING_FRAMES, DOWN_FRAMES, GETUP_FRAMES = 4, 4, 24, 18
THROW_FRAMES, TECH_FRAMES, THROW_HURTS, TECH_STUN = 30, 8, 10, 14
TECH_PUSH, THROW_AWAY = 5 * UNIT, 6 * UNIT
DASH_FRAMES, DASH_SPEED = 16, 56 * UNIT // 16
BACKDASH_FRAMES, BACKDASH_SPEED, BACKDASH_SAFE = 22, 60 * UNIT // 22, 8
AIRDASH_FRAMES, AIRDASH_SPEED = 12, 5 * UNIT
AIR_AGAIN = 8  # frames in the air before a second jump
THROW_SAFE = 4  # frames after a stun in which throws miss
STAND_HEIGHT, CROUCH_HEIGHT, PUSH_HEIGHT = 78, 48, 70
FRICTION_STOP = 64
LAUNCH, LAUNCH_HARD, LAUNCH_AWAY = 5 * UNIT, 3 * UNIT, 2 * UNIT
JUGGLES = 3
CANCEL_LATE = 4  # frames after the last active one
BUFFER, MERGE = 5, 1  # frames a press waits; frames in which presses are taken together
CHARGE, CHARGE_KEPT = 40, 12
MOTION_WINDOW, SUPER_WINDOW, MOTION_LATE, TAP_WINDOW = 15, 30, 3, 12
METER, SUPER_COST, EX_COST, SPECIAL_GAIN = 3000, 1000, 500, 20
SCALING, SCALING_LEAST, SCALING_LEAST_SUPER = 10, 30, 40
COUNTER_HIT, COUNTER_STUN = 115, 2
CHIP = 8
EX_FASTER, EX_DAMAGE = 2, 130
STALE_FRAMES, STALE_MOST, STALE_SLOWER = 300, 4, 3
STALE_DAMAGE = (256, 192, 144, 108, 81)  # 0.75^k of 256
REPEATS, REPEAT_DAMAGE = 4, 70
SHOT_STOP, SHOT_HALF, SHOT_LOW, SHOT_HIGH, SHOTS_CANCEL = 6, 8, 26, 46, 14
SHOT_AHEAD, SHOT_LIFE = 24, 150
MINE_ROLLS, MINE_LIFE, MINE_HALF, MINE_HIGH = 30, 240, 12, 20
SHIFT_BEHIND = 40
whole = partial(field, type=np.int32)
"""Declare a field of a whole number."""


class Move(Record):
    """One move; frames count from 1."""

    startup = whole(1, "frames", "up to the first active one", low=1)
    active = whole(0, "frames", low=0)
    recovery = whole(0, "frames", low=0)
    damage = whole(0, "HP", low=0)
    hit_stun = whole(0, "frames", low=0)
    block_stun = whole(0, "frames", low=0)
    x0 = whole(0, "px", "near edge of its box")
    x1 = whole(0, "px", "far edge, its reach")
    y0 = whole(0, "px", "lower edge")
    y1 = whole(0, "px", "upper edge")
    height = whole(MID, "", "MID, OVERHEAD, LOW or GRAB", low=0, high=GRAB)
    knockdown = whole(0, "", "0 none, 1 soft, 2 hard", low=0, high=2)
    cancel = whole(
        0, "", "0 none, 1 into specials, 2 a light that chains into lights, 3 a special, into supers", low=0, high=3
    )
    safe_from = whole(0, "frame", "from which it has no hurt box")
    safe_to = whole(0, "frame", "up to which")
    grab_safe_from = whole(0, "frame", "from which throws miss")
    grab_safe_to = whole(0, "frame", "up to which")
    armour_from = whole(0, "frame", "from which it has armour")
    armour_to = whole(0, "frame", "up to which")
    armour_hits = whole(0, "", "that the armour takes")
    vx = whole(0, "1/256 px/frame", "forward, up to the last active frame")
    vy = whole(0, "1/256 px/frame", "upward, at the first frame")
    shot_speed = whole(0, "1/256 px/frame")
    shot_life = whole(0, "frames")
    shot_hits = whole(0)
    cost = whole(0, "", "of the meter", low=0, high=METER)
    air = whole(0, "", "whether it is done in the air", low=0, high=1)
    type = whole(STRIKE, "", "STRIKE, SHOT, SHIFT or COUNTER", low=0, high=COUNTER)
    push = whole(round(4.5 * UNIT), "1/256 px/frame", "of the one who is hit")
    stop = whole(8, "frames", "for which a hit stops both", low=0)
    landing = whole(LANDING_FRAMES, "frames", low=0)
    juggle = whole(1, "", "points; at JUGGLES a falling fighter cannot be hit", low=0)


class CharacterRecord(Record):
    """One character; the last four fields tell computer players which special, 0 to 3, serves a purpose."""

    hp = whole(None, "HP", "full health")
    walk_f = whole(None, "1/256 px/frame", "forward")
    walk_b = whole(None, "1/256 px/frame", "back")
    jump = whole(None, "1/256 px/frame", "upward")
    jump_x = whole(None, "1/256 px/frame", "forward or back in a jump")
    gravity = whole(round(0.42 * UNIT), "1/256 px/frame^2")
    half = whole(None, "px", "half the width of the body")
    charge = whole(0, "", "whether specials are charged")
    target_combos = whole(0, "", "whether normals chain into stronger ones")
    two_shots = whole(0, "", "whether it may have two projectiles")
    mine = whole(0, "", "whether a projectile comes to rest")
    ex_armour = whole(0, "", "whether EX specials have armour")
    air_actions = whole(0, "", "in one jump")
    air_dash = whole(0, "", "whether one of these may be a dash")
    two_counters = whole(0, "", "whether it counters lows too")
    start_meter = whole(0, "", "meter at the start of a match")
    gain = whole(100, "%", "of the meter's usual gain")
    shoots = whole(-1, "", "special that shoots, -1 for none")
    rises = whole(-1, "", "special against jumps")
    combos = whole(-1, "", "special that follows a hit")
    closes = whole(-1, "", "special that closes the distance")
    moves = field(type=Move, shape=MOVES)


class Level(Record):
    """A computer player: percentages of the times in which it does what it could, and what it waits for."""

    reaction = whole(None, "frames", "until it sees")
    block = whole(None, "%")
    anti_air = whole(None, "%")
    punish = whole(None, "%")
    combo = whole(None, "%")
    aggression = whole(None, "%")
    special = whole(None, "%")
    noise = whole(None, "%", "of actions at random")


LEVEL_TABLE: np.ndarray = np.array(
    [
        (30, 10, 5, 10, 0, 35, 10, 35),
        (26, 22, 12, 20, 10, 45, 14, 26),
        (22, 34, 22, 32, 20, 52, 18, 20),
        (18, 46, 34, 45, 32, 58, 22, 15),
        (15, 58, 46, 58, 45, 64, 26, 10),
        (11, 70, 60, 70, 60, 70, 28, 4),
        (8, 82, 75, 82, 75, 74, 30, 3),
        (5, 92, 88, 92, 90, 78, 32, 0),
    ],
    Level.dtype(),
)
"""Levels 1 to 8."""

# Distances by which computer players judge, px between the middles of both fighters.
THROW_RANGE = 42  # below it a throw reaches
RISING_RANGE, FALLING_RANGE = 45, 70  # below them who jumps is met: on the way up, on the way down
MIDDLE_RANGE, FAR_RANGE = 58, 110  # above them: long strikes only, nothing but projectiles and runs
LEAP_RANGE = 60  # from it on projectiles are jumped over
SUPER_RANGE = 80  # below it the super reaches
AIR_RANGE = 80  # below it attacks in the air are begun
DASH_RANGE = 90  # above it one dashes towards who repeats projectiles
STRIKE_RANGE = 95  # below it strikes meet, with some walking
# Other distances, px.
HIT_MARGIN, CONTEST_MARGIN = (
    10,
    12,
)  # beyond the box of a move, where it still reaches; where it meets a move on its way
GRAB_MARGIN = 30  # beyond the box of a throw, where it is jumped out of
AIR_HEIGHT = 56  # below it attacks in the air are begun
SHOT_NEAR = 70  # ahead, below it a projectile is guarded against
MINE_NEAR, MINE_FAR = 32, 49  # ahead, between which a jump clears a mine
SHOT_RISEN, SHOT_FALLEN = 15, 24  # frames after which a jump has cleared a projectile, and until which it does

# What computer players know of habits.
READS_FROM, THROWS_FROM = 4, 5  # levels that see repetitions, that throw those whose armour is slow
LONGEST, MEMORY = 3, 8  # attacks of the longest cycle that is seen through; of the other's that are remembered
HABIT_STALE, HABIT_REPEATS = 1, 3  # staleness of a special, repetitions of a normal, that make a habit
HABIT_CYCLE = 4  # of the latest MEMORY - LONGEST attacks, those that were among the LONGEST before them
HABIT_SURE, HABIT_SURE_LEVEL = 92, 1  # percent, and more a level, of blocking, punishing and meeting jumps
HABIT_AGGRESSION = 95  # percent

# Who moves a fighter, in `FIGHTER.level`: 0 an agent, 1 to 8 a computer player, from DUMMY on a training dummy.
DUMMY = 9
DUMMIES = ("stand", "crouch", "jump", "block_high", "block_low")

# Encodings of actions.
ACTION_FORMS = ("multidiscrete", "buttons", "ladder22", "macro24", "queue")
BUTTON_NAMES = ("none", "LP", "MP", "HP", "LK", "MK", "HK", "throw", "punches", "kicks")
BUTTON_CODES = (0, LP, MP, HP, LK, MK, HK, LP | LK, LP | MP, LK | MK)
DIRECTION_NAMES = (
    "down_back", "down", "down_forward", "back", "neutral", "forward", "up_back", "up", "up_forward",
)  # fmt: skip

MACRO_NAMES = (
    "idle", "forward", "back", "stand_block", "crouch_block", "jump_forward", "jump_neutral", "jump_back",
    "dash_forward", "dash_back", "throw", "jab", "low_jab", "poke", "sweep", "anti_air", "jump_in",
    "special_236", "special_623", "special_214", "special_22", "super", "wait_8", "ex_special",
)  # fmt: skip
(X_IDLE, X_FORWARD, X_BACK, X_STAND_BLOCK, X_CROUCH_BLOCK, X_JUMP_F, X_JUMP_N, X_JUMP_B, X_DASH_F, X_DASH_B, X_THROW,
 X_JAB, X_LOW_JAB, X_POKE, X_SWEEP, X_ANTI_AIR, X_JUMP_IN, X_SPECIAL, _, _, _, X_SUPER, X_WAIT,
 X_EX) = range(24)  # fmt: skip
QUEUE_HEADS = ("first", "second", "third")
QUEUE_FRAMES = 8  # of a walk or a guard that another macro waits behind
LADDER_NAMES = (
    *DIRECTION_NAMES, "none", "LP", "MP", "HP", "LK", "MK", "HK", "throw",
    "special_236", "special_623", "special_214", "special_22", "super",
)  # fmt: skip

REWARDS = ("win", "hp", "ladder", "annealed")

RIVALS = 32  # kinds of opponents in a pool


class Rival(Record):
    """One kind of opponent."""

    character = whole(meaning="-1 for any")
    level = whole(meaning="-1 for any")
    policy = whole(meaning="its number, -1 for none")


class Params(Record):
    """Everything that is the same in all instances."""

    characters = field(type=CharacterRecord, shape=CHARACTERS)
    levels = field(type=Level, shape=LEVELS, meaning="the computer players")
    pool = whole(shape=(2, CHARACTERS), meaning="characters of each side")
    pool_size = whole(shape=2)
    opponents = whole(shape=(2, LEVELS), meaning="levels of each side, 0 for an agent")
    opponent_count = whole(shape=2)
    rivals = field(type=Rival, shape=RIVALS, meaning="kinds of opponents to draw from")
    rival_count = whole(0, "", "0 for a draw of characters and of levels")
    wins = whole(1, "", "rounds that win the match")
    stages = whole(1, "", "matches in a row against opponents of rising level; 1 for a single match")
    round_frames = whole(ROUND, "frames", "length of a round")
    gap = whole(START_GAP, "px", "between the fighters at the start")
    shift = whole(0, "px", "by which both start nearer to the first one's wall")
    health = whole(100, "%", "of each side's full HP", shape=2)
    swap = whole(1, "", "whether a coin is tossed for the sides")
    chip_ko = whole(0, "", "whether blocked specials can knock out")
    form = whole(0, "", "encoding of actions, an index of ACTION_FORMS")
    skip = whole(4, "frames", "a decision")
    hold = whole(0, "", "whether buttons stay down for all frames of a decision")
    sticky = field(0.0, "", "probability that the action before is repeated", type=np.float32)
    action_delay = whole(0, "frames", "until inputs arrive")
    sight_delay = whole(0, "frames", "until the other fighter and projectiles are seen")
    reward = whole(0, "", "an index of REWARDS")
    mix = field(0.0, "", "share of the reward win in annealed", type=np.float32, low=0, high=1)

"""Constants of the rules, and the records of moves, characters, computer players and options.

Times are in frames (60 to a second), boxes in pixels, positions and speeds in 1/256 px. All numbers are this suite's
own; what the words mean (start-up, advantage, cancel, juggle, ...) is in the README.
"""

import numpy as np

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

MOVE = np.dtype(
    [
        (name, np.int32)
        for name in (
            "startup", "active", "recovery", "damage", "hit_stun", "block_stun", "x0", "x1", "y0", "y1",
            "height",  # MID, OVERHEAD, LOW or GRAB
            "knockdown",  # 0 none, 1 soft, 2 hard
            "cancel",  # 0 none, 1 into specials, 2 a light that chains into lights, 3 a special, into supers
            "safe_from", "safe_to",  # frames without a hurt box
            "grab_safe_from", "grab_safe_to",  # frames in which throws miss
            "armour_from", "armour_to", "armour_hits",
            "vx", "vy",  # 1/256 px a frame: forward up to the last active frame; upward at the first
            "shot_speed", "shot_life", "shot_hits",
            "cost",  # of the meter
            "air", "type",
            "push",  # 1/256 px a frame, of the one who is hit
            "stop", "landing", "juggle",
        )
    ],
    align=True,
)  # fmt: skip
"""One move; frames count from 1."""

CHARACTER = np.dtype(
    [
        (name, np.int32)
        for name in (
            "hp", "walk_f", "walk_b", "jump", "jump_x", "gravity", "half", "charge", "target_combos", "two_shots",
            "mine", "ex_armour", "air_actions", "air_dash", "two_counters", "start_meter",
            "gain",  # percent of the meter's usual gain
            # for computer players and planners: which special (0 to 3) serves a purpose, -1 for none
            "shoots", "rises", "combos", "closes",
        )
    ]
    + [("moves", MOVE, (MOVES,))],
    align=True,
)  # fmt: skip
"""One character."""

LEVEL = np.dtype(
    [
        (name, np.int32)
        for name in ("reaction", "block", "anti_air", "punish", "combo", "aggression", "special", "noise")
    ],
    align=True,
)
"""A computer player: frames until it sees, and percentages."""

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
    LEVEL,
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
WARY_RANGE = 105  # below it the longest strikes are guarded against
# Other distances, px.
HIT_MARGIN, CONTEST_MARGIN = (
    10,
    12,
)  # beyond the box of a move, where it still reaches; where it meets a move on its way
AIR_HEIGHT = 56  # below it attacks in the air are begun
SHOT_NEAR = 70  # ahead, below it a projectile is guarded against
MINE_NEAR, MINE_FAR = 32, 49  # ahead, between which a jump clears a mine
SHOT_RISEN, SHOT_FALLEN = 15, 24  # frames after which a jump has cleared a projectile, and until which it does

# What computer players know of habits.
READS_FROM, THROWS_FROM = 4, 5  # levels that see repetitions, that throw those whose armour is slow
HABIT_STALE, HABIT_REPEATS = 1, 3  # staleness of a special, repetitions of a normal, that make a habit
HABIT_BLOCK, HABIT_BLOCK_LEVEL, HABIT_PUNISH, HABIT_ANTI_AIR = 70, 4, 30, 40  # percent: least, more a level; more

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

RIVAL = np.dtype([("character", np.int32), ("level", np.int32), ("policy", np.int32)], align=True)
"""One kind of opponent; -1 for any character, any level, no policy."""

PARAMS = np.dtype(
    [
        ("characters", CHARACTER, (CHARACTERS,)),
        ("levels", LEVEL, (LEVELS,)),
        # the match: 0 in a pool of characters or levels ends it
        ("pool", np.int32, (2, CHARACTERS)),
        ("pool_size", np.int32, (2,)),
        ("opponents", np.int32, (2, LEVELS)),  # levels of each side, 0 for an agent
        ("opponent_count", np.int32, (2,)),
        ("rivals", RIVAL, (RIVALS,)),  # kinds of opponents to draw from; none for a draw of characters and of levels
        ("rival_count", np.int32),
        ("wins", np.int32),  # rounds that win the match
        ("stages", np.int32),  # matches in a row against opponents of rising level; 1 for a single match
        ("round_frames", np.int32),
        ("gap", np.int32),  # px between the fighters at the start
        ("shift", np.int32),  # px by which both start nearer to the first one's wall
        ("health", np.int32, (2,)),  # percent of each side's full HP
        ("swap", np.int32),  # whether a coin is tossed for the sides
        ("chip_ko", np.int32),
        # options of the agents
        ("form", np.int32),
        ("skip", np.int32),  # frames a decision
        ("hold", np.int32),
        ("sticky", np.float32),
        ("action_delay", np.int32),
        ("sight_delay", np.int32),
        ("reward", np.int32),
        ("mix", np.float32),  # share of the reward `win` in `annealed`
    ],
    align=True,
)
"""Everything that is the same in all instances."""

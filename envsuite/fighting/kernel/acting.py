"""What a fighter begins in a frame: moves, cancels, jumps, dashes, walking, blocking."""

from envsuite.core import kernel
from envsuite.fighting.kernel import inputs
from envsuite.fighting.params import (
    AIR,
    AIR_AGAIN,
    AIRDASH_FRAMES,
    ATTACK,
    BACKDASH_FRAMES,
    BLOCK_CROUCH,
    BLOCK_STAND,
    CANCEL_LATE,
    COUNTER,
    CROUCH,
    DASH_B,
    DASH_F,
    DASH_FRAMES,
    DOWN,
    DOWN_FRAMES,
    EVENTS,
    EX_COST,
    EX_FASTER,
    GETUP,
    GETUP_FRAMES,
    HIT,
    IDLE,
    KICKS,
    LANDING,
    LANDING_FRAMES,
    M22,
    M214,
    M236,
    M623,
    M236236,
    METER,
    NO_MOVE,
    PREJUMP,
    PREJUMP_FRAMES,
    PUNCHES,
    REPEATS,
    SHIFT,
    SHOT,
    SHOTS,
    SPECIAL,
    SPECIAL_GAIN,
    STALE_FRAMES,
    STALE_MOST,
    STALE_SLOWER,
    STRIKE,
    SUPER,
    SUPER_COST,
    THROW,
    THROW_FRAMES,
    THROW_SAFE,
    THROWING,
    THROWN,
    WALK_B,
    WALK_F,
)


@kernel
def enter(f, state):
    """Go over into a state."""
    f.state, f.age = state, 0


@kernel
def note(s, who, kind, amount):
    """Remember what happened to a fighter."""
    event = s.events[s.happened % EVENTS]
    event.frame, event.who, event.kind, event.amount = s.frames, who, kind, amount
    s.happened += 1


@kernel
def free(f):
    """Whether a fighter on the ground may do what it likes."""
    return f.state <= CROUCH


@kernel
def earn(f, ch, points):
    """Add to the meter."""
    f.meter = min(f.meter + points * ch.gain // 100, METER)


@kernel
def act(f, ch, asleep):
    """Begin what the inputs ask for; asleep between rounds."""
    f.guard = 0
    blocking = f.state == BLOCK_STAND or f.state == BLOCK_CROUCH
    if f.stop > 0:
        f.guard = _guard(f) if blocking else 0
        return
    if asleep:
        if free(f):
            f.vx = 0
            if f.state != IDLE:
                enter(f, IDLE)
        return
    if free(f):
        if f.pressed != 0:
            _begin_ground(f, ch)
        else:
            _move_about(f, ch)
            f.guard = _guard(f) if free(f) else 0
    elif f.state == BLOCK_STAND or f.state == BLOCK_CROUCH:
        f.guard = _guard(f)
        if f.guard != 0:
            f.state = BLOCK_CROUCH if f.guard == 2 else BLOCK_STAND
    elif f.state == AIR or (f.state == DASH_F and f.dashing != 0):
        _begin_air(f, ch)
    elif f.state == ATTACK and f.hit != 0 and f.pressed != 0:
        _cancel(f, ch)


@kernel
def _lasts(state):
    """Frames of a state that ends by itself; 0 for the others."""
    if state == PREJUMP:
        return PREJUMP_FRAMES
    if state == LANDING:
        return LANDING_FRAMES
    if state == DOWN:
        return DOWN_FRAMES
    if state == GETUP:
        return GETUP_FRAMES
    if state in (THROWING, THROWN):
        return THROW_FRAMES
    if state == DASH_F:
        return DASH_FRAMES
    return BACKDASH_FRAMES if state == DASH_B else 0


@kernel
def recover(f, ch):
    """Leave a state whose time is over; frozen fighters stay."""
    if f.stop > 0:
        return
    if f.state == ATTACK:
        over = f.frame >= f.total
    elif f.state == HIT or f.state == BLOCK_STAND or f.state == BLOCK_CROUCH:
        over = f.stun == 0
    elif f.state == DASH_F and f.dashing != 0:
        over = f.age >= AIRDASH_FRAMES
    else:
        frames = _lasts(f.state)
        over = frames > 0 and f.age >= frames
    if not over:
        return
    if f.state == ATTACK and f.hit == 0 and ch.moves[f.move].type == STRIKE:
        f.whiffs += 1
    if f.state == PREJUMP:
        f.vy, f.vx, f.air_left = ch.jump, f.facing * f.jump_to * ch.jump_x, ch.air_actions
        enter(f, AIR)
    elif f.state == THROWN:
        enter(f, DOWN)
    elif f.state == DOWN:
        f.combo, f.juggle = 0, 0
        enter(f, GETUP)
    else:
        if f.state == GETUP:
            f.grab_safe = THROW_SAFE + 1  # one is taken off in this frame already
        if f.y == 0:
            f.vx = 0
        f.move, f.combo, f.dashing = NO_MOVE, 0, 0
        enter(f, AIR if f.y > 0 else IDLE)


@kernel
def _guard(f):
    """How a fighter blocks: 0 not, 1 standing, 2 crouching."""
    if f.direction == 4:
        return 1
    return 2 if f.direction == 1 else 0


@kernel
def _move_about(f, ch):
    """Jump, dash, walk, crouch or stand."""
    if f.direction >= 7:
        enter(f, PREJUMP)
        f.vx, f.jump_to = 0, f.direction - 8
        f.held = 1
    elif f.tap != 0:
        enter(f, DASH_F if f.tap == 1 else DASH_B)
        f.tap, f.vx, f.dashing = 0, 0, 0
    else:
        wanted, f.vx = IDLE, 0
        if f.direction <= 3:
            wanted = CROUCH
        elif f.direction == 6:
            wanted, f.vx = WALK_F, f.facing * ch.walk_f
        elif f.direction == 4:
            wanted, f.vx = WALK_B, -f.facing * ch.walk_b
        if wanted != f.state:
            enter(f, wanted)


@kernel
def _special_of(motion):
    """The special that a motion asks for, by precedence; -1 for none."""
    if motion & M623:
        return SPECIAL + 1
    if motion & M236:
        return SPECIAL
    if motion & M214:
        return SPECIAL + 2
    return SPECIAL + 3 if motion & M22 else -1


@kernel
def can_shoot(f, ch, move):
    """Whether there is room for one more projectile of this move."""
    on = 0
    for k in range(SHOTS):
        if f.shots[k].on != 0:
            on += 1
            if ch.two_shots == 0 and ch.mine == 0:
                return False
            if ch.mine != 0 and (f.shots[k].mine != 0) == (move == SPECIAL):
                return False
            if ch.two_shots != 0 and abs(f.shots[k].speed) == ch.moves[move].shot_speed:
                return False
    return on < SHOTS


@kernel
def _asked(f, ch):
    """The special or super that waits to be begun and can be; -1 for none."""
    if f.motion & M236236 and f.meter >= SUPER_COST:
        return SUPER
    move = _special_of(f.motion)
    if move >= 0 and ch.moves[move].type == SHOT and not can_shoot(f, ch, move):
        return -1
    return move


@kernel
def _strongest(buttons):
    """The number of the strongest button, punches before kicks."""
    for k in (2, 5, 1, 4, 0, 3):
        if buttons & (1 << k):
            return k
    return 0


@kernel
def _begin_ground(f, ch):
    """Begin a move on the ground."""
    move = _asked(f, ch)
    if move < 0:
        if inputs.holds_throw(f.pressed):
            move = THROW
        else:
            move = _strongest(f.pressed) + (6 if f.direction <= 3 else 0)
    begin(f, ch, move)


@kernel
def _begin_air(f, ch):
    """An attack, a second jump or a dash in the air."""
    if f.pressed != 0:
        begin(f, ch, _strongest(f.pressed) + 12)
        return
    if f.state != AIR:
        return
    up = f.direction >= 7
    if f.y > 0 and f.air_left > 0 and ch.air_dash != 0 and f.tap == 1:
        enter(f, DASH_F)
        f.tap, f.air_left, f.dashing = 0, f.air_left - 1, 1
        f.vx, f.vy = 0, 0
    elif f.air_left > 0 and ch.air_dash == 0 and up and f.held == 0 and f.age >= AIR_AGAIN:
        f.air_left -= 1
        f.vy = ch.jump * 7 // 8
        f.vx = f.facing * (f.direction - 8) * ch.jump_x
        enter(f, AIR)
    f.held = 1 if up else 0


@kernel
def _cancel(f, ch):
    """Interrupt a move that has made contact by one of a higher class."""
    if f.frame >= f.last + CANCEL_LATE or f.y > 0:
        return
    move, kind = _asked(f, ch), ch.moves[f.move].cancel
    if kind == 0 or f.move > SUPER:
        return
    if move == SUPER or (move >= 0 and f.move < SPECIAL and kind == 1):
        begin(f, ch, move)
        return
    if f.move >= 12 or f.hit != 1 or move >= 0 or inputs.holds_throw(f.pressed):
        return
    button = _strongest(f.pressed)
    normal = button + (6 if f.direction <= 3 else 0)
    stronger = ch.target_combos != 0 and button % 3 == f.move % 3 + 1
    chained = kind == 2 and ch.moves[normal].cancel == 2
    if stronger or chained:
        begin(f, ch, normal)


@kernel
def begin(f, ch, move):
    """Begin a move; staleness, meter and the frames that follow from them."""
    m = ch.moves[move]
    pressed = f.pressed
    inputs.forget(f)
    special = SPECIAL <= move < SUPER
    f.ex = 1 if special and inputs.doubled(pressed) and f.meter >= EX_COST else 0
    f.kick = 1 if pressed & KICKS and not pressed & PUNCHES else 0
    f.move, f.frame, f.hit = move, 0, 0
    f.serial += 1
    if special:
        again = f.special == move and f.stale_timer > 0
        f.stale = min(f.stale + 1, STALE_MOST) if again else 0
        f.special, f.stale_timer, f.repeats, f.normal = move, STALE_FRAMES, 0, NO_MOVE
        earn(f, ch, SPECIAL_GAIN)
    else:
        f.stale, f.special = 0, NO_MOVE
        f.repeats = f.repeats + 1 if f.normal == move else 1
        f.normal = move
    faster = EX_FASTER if f.ex != 0 else 0
    f.first = max(m.startup - faster, 1)
    f.last = f.first - 1 + m.active
    tired = f.stale if special else (min(max(f.repeats - REPEATS + 1, 0), STALE_MOST) if move < THROW else 0)
    f.total = f.last + m.recovery + STALE_SLOWER * tired
    if m.air != 0:
        f.total = 1 << 20  # ends by landing
    f.armour = m.armour_hits
    if f.ex != 0:
        f.meter -= EX_COST
        if m.armour_hits > 0:
            f.armour += ch.ex_armour
    f.meter -= m.cost
    if m.air == 0:
        f.vx, f.air_left = 0, 0
    f.dashing = 0
    enter(f, ATTACK)


@kernel
def strikes(f, ch):
    """Whether a fighter's move has an active hit box in this frame."""
    if f.state != ATTACK or f.hit != 0 or f.stop > 0:
        return False
    kind = ch.moves[f.move].type
    return f.first <= f.frame <= f.last and kind != SHOT and kind != SHIFT and kind != COUNTER

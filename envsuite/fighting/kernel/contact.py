"""Hits: who meets whom in this frame, found for both fighters before anything is changed, and then applied."""

from envsuite.core import kernel
from envsuite.fighting.kernel import inputs
from envsuite.fighting.kernel.acting import earn, enter, note, strikes
from envsuite.fighting.kernel.motion import release
from envsuite.fighting.params import (
    AIR_HIT,
    ATTACK,
    BACKDASH_SAFE,
    BLOCK_CROUCH,
    BLOCK_STAND,
    CHIP,
    COUNTER,
    COUNTER_HIT,
    COUNTER_STUN,
    CROUCH,
    CROUCH_HEIGHT,
    DASH_B,
    DASH_F,
    DOWN,
    EX_DAMAGE,
    GRAB,
    HIT,
    JUGGLES,
    LANDING,
    LAUNCH,
    LAUNCH_AWAY,
    LAUNCH_HARD,
    LOW,
    MID,
    MINE_HALF,
    MINE_HIGH,
    NO_MOVE,
    OVERHEAD,
    REPEAT_DAMAGE,
    REPEATS,
    REPLY,
    SCALING,
    SCALING_LEAST,
    SCALING_LEAST_SUPER,
    SHOT_HALF,
    SHOT_HIGH,
    SHOT_LOW,
    SHOT_STOP,
    SHOTS,
    SPECIAL,
    STAGE,
    STALE_DAMAGE,
    STAND_HEIGHT,
    STRIKE,
    SUPER,
    TECH_FRAMES,
    THROW,
    THROWING,
    THROWN,
    UNIT,
)

NOTHING, HURT, BLOCKED, ABSORBED, CAUGHT, SEIZED, ESCAPED = range(7)
"""What a blow comes to."""


@kernel
def height_of(f):
    """Height of a fighter's body, px."""
    low = f.state == CROUCH or f.state == BLOCK_CROUCH or (f.state == ATTACK and 6 <= f.move < 12)
    return CROUCH_HEIGHT if low else STAND_HEIGHT


@kernel
def untouchable(f, ch):
    """Whether nothing can meet a fighter."""
    if DOWN <= f.state <= THROWN or f.state > DASH_B or (f.state == AIR_HIT and f.juggle >= JUGGLES):
        return True
    m = ch.moves[f.move]
    return f.state == ATTACK and m.safe_from <= f.frame <= m.safe_to


@kernel
def unseizable(f, ch):
    """Whether no throw can meet a fighter."""
    if untouchable(f, ch) or f.y > 0 or f.grab_safe > 0:
        return True
    if f.state == DASH_B:
        return f.age <= BACKDASH_SAFE
    if f.state == DASH_F:
        return False
    m = ch.moves[f.move]
    if f.state == ATTACK:
        return m.grab_safe_from <= f.frame <= m.grab_safe_to
    return f.state != LANDING and f.state > CROUCH and f.state != ATTACK


@kernel
def _overlaps(f, half, height, left, right, low, high):
    """Whether a box, 1/256 px, meets a fighter's body."""
    across = left <= f.x + half and right >= f.x - half
    return across and low <= f.y + height * UNIT and high >= f.y


@kernel
def collect(s, p, i):
    """Find what meets fighter `i` in this frame."""
    f, o, blow = s.fighters[i], s.fighters[1 - i], s.blows[i]
    ch, other = p.characters[f.character], p.characters[o.character]
    blow.result, blow.shot = NOTHING, -1
    half, height = ch.half * UNIT, height_of(f)
    if strikes(o, other):
        m = other.moves[o.move]
        near, far = o.x + o.facing * m.x0 * UNIT, o.x + o.facing * m.x1 * UNIT
        low, high = o.y + m.y0 * UNIT, o.y + m.y1 * UNIT
        if _overlaps(f, half, height, min(near, far), max(near, far), low, high):
            blow.away = s.side if i == 1 else -s.side
            _struck(f, o, ch, other, blow)
    if blow.result == NOTHING or blow.result == SEIZED:
        for k in range(SHOTS):
            shot = o.shots[k]
            if shot.on == 0 or shot.stop > 0 or untouchable(f, ch):
                continue
            wide = (MINE_HALF if shot.mine != 0 else SHOT_HALF) * UNIT
            low = 0 if shot.mine != 0 else SHOT_LOW
            high = MINE_HIGH if shot.mine != 0 else SHOT_HIGH
            if _overlaps(f, half, height, shot.x - wide, shot.x + wide, low * UNIT, high * UNIT):
                _shot(f, ch, shot, blow, s.side if i == 1 else -s.side)
                blow.shot = k
                break


@kernel
def _guards(f, height):
    """Whether a fighter blocks strikes of a height."""
    return (f.guard == 1 and height != LOW) or (f.guard == 2 and height != OVERHEAD)


@kernel
def _armoured(f, ch):
    m = ch.moves[f.move]
    return f.state == ATTACK and f.armour > 0 and m.armour_from <= f.frame <= m.armour_to


@kernel
def _catches(f, ch, height):
    """Whether a counter stance catches strikes of a height: punches not the low ones, kicks not overheads, EX all."""
    if f.state != ATTACK or ch.moves[f.move].type != COUNTER or not f.first <= f.frame <= f.last:
        return False
    if f.ex != 0:
        return True
    return height != OVERHEAD if f.kick != 0 and ch.two_counters != 0 else height != LOW


@kernel
def _struck(f, o, ch, other, blow):
    """What a strike or throw of `o` that reaches `f` comes to."""
    m = other.moves[o.move]
    base = m.damage
    if o.ex != 0:
        base = base * EX_DAMAGE // 100
    if SPECIAL <= o.move < SUPER:
        base = base * STALE_DAMAGE[o.stale] // 256
    elif o.move < THROW and o.repeats >= REPEATS:
        base = base * REPEAT_DAMAGE // 100
    blow.knockdown, blow.push, blow.stop, blow.juggle = m.knockdown, m.push, m.stop, m.juggle
    blow.gain = base
    if m.height == GRAB:
        if not unseizable(f, ch):
            blow.result, blow.damage = SEIZED, base
        return
    if untouchable(f, ch):
        return
    if _catches(f, ch, m.height):
        blow.result = CAUGHT
    elif _guards(f, m.height):
        blow.result, blow.stun = BLOCKED, m.block_stun
        blow.damage = base // CHIP if SPECIAL <= o.move <= SUPER else 0
    elif _armoured(f, ch):
        blow.result, blow.damage = ABSORBED, base // 2
    else:
        blow.result, blow.stun = HURT, m.hit_stun
        blow.damage = _scaled(f, base, SCALING_LEAST_SUPER if o.move == SUPER else SCALING_LEAST)
        if f.state == ATTACK:
            blow.damage = blow.damage * COUNTER_HIT // 100
            blow.stun += COUNTER_STUN


@kernel
def _scaled(f, base, least):
    """Damage after the hits that the combo holds already."""
    return base * max(least, 100 - SCALING * f.combo) // 100


@kernel
def _shot(f, ch, shot, blow, side):
    """What a projectile that reaches a fighter comes to."""
    blow.away = side if shot.speed == 0 or shot.mine != 0 else (1 if shot.speed > 0 else -1)
    blow.knockdown, blow.push, blow.stop, blow.juggle, blow.gain = 0, shot.push, SHOT_STOP, 1, shot.damage
    if _guards(f, MID):
        blow.result, blow.stun, blow.damage = BLOCKED, shot.block_stun, shot.damage // CHIP
    elif _armoured(f, ch):
        blow.result, blow.damage = ABSORBED, shot.damage // 2
    else:
        blow.result, blow.stun, blow.damage = HURT, shot.hit_stun, _scaled(f, shot.damage, SCALING_LEAST)
        if f.state == ATTACK:
            blow.damage = blow.damage * COUNTER_HIT // 100
            blow.stun += COUNTER_STUN


@kernel
def settle(s, p):
    """Decide between blows of the same frame, and apply them."""
    a, b = s.blows[0], s.blows[1]
    if a.result == SEIZED and b.result == SEIZED:
        for i in range(2):
            s.fighters[i].techs += 1
            note(s, i, ESCAPED, 0)
        release(s)
        return
    if a.result == SEIZED and b.result != NOTHING:
        a.result = NOTHING
    elif b.result == SEIZED and a.result != NOTHING:
        b.result = NOTHING
    for i in range(2):
        if s.blows[i].result == CAUGHT:
            note(s, i, CAUGHT, 0)
            _reply(s, p, i)
            break
    for i in range(2):
        if s.blows[i].result != NOTHING:
            note(s, i, s.blows[i].result, s.blows[i].damage)
            _apply(s, p, i)


@kernel
def _reply(s, p, i):
    """A strike that was caught comes back."""
    f, o, back = s.fighters[i], s.fighters[1 - i], s.blows[1 - i]
    ch = p.characters[f.character]
    m = ch.moves[REPLY]
    damage = m.damage * STALE_DAMAGE[f.stale] // 256
    if f.ex != 0:
        damage = damage * EX_DAMAGE // 100
    s.blows[i].result = NOTHING
    o.hit = 1
    o.interrupted += 1
    f.move, f.frame, f.first, f.last, f.total, f.hit, f.ex = REPLY, 1, 1, 2, m.active + m.recovery, 0, 0
    f.serial += 1
    back.result, back.shot, back.away = HURT, -1, s.side if i == 0 else -s.side
    back.damage = _scaled(o, damage, SCALING_LEAST) * COUNTER_HIT // 100
    back.stun, back.knockdown, back.push, back.stop, back.juggle, back.gain = 21, 1, m.push, m.stop, 1, damage


@kernel
def _cut_short(f, ch):
    """Count an attack that ends here without having met anything."""
    if f.state == ATTACK and f.hit == 0:
        if f.frame <= f.last:
            f.interrupted += 1
        elif ch.moves[f.move].type == STRIKE:
            f.whiffs += 1


@kernel
def _apply(s, p, i):
    """Let a blow work on fighter `i` and on who dealt it."""
    f, o, blow = s.fighters[i], s.fighters[1 - i], s.blows[i]
    ch, other = p.characters[f.character], p.characters[o.character]
    _mark(o, blow)
    if blow.result == SEIZED:
        _seize(f, ch, o, blow)
        return
    f.stop = max(f.stop, blow.stop)
    damage = min(blow.damage, f.hp)
    if blow.result == BLOCKED and p.chip_ko == 0:
        damage = min(damage, f.hp - 1)
    f.hp -= damage
    o.dealt += damage
    if blow.result == ABSORBED:
        f.armour -= 1
        return
    blocked = blow.result == BLOCKED
    earn(o, other, blow.gain // 3 if blocked else damage // 2)
    earn(f, ch, blow.gain // 5 if blocked else damage // 3)
    _push_back(s, p, i)
    if s.blows[1 - i].result == NOTHING or s.blows[1 - i].shot >= 0:  # else it meets the other in the same frame
        _cut_short(f, ch)
    f.move, f.dashing, f.vx = NO_MOVE, 0, 0
    if blocked:
        o.blocked += 1
        f.stun = blow.stun
        enter(f, BLOCK_CROUCH if f.guard == 2 else BLOCK_STAND)
        return
    o.hits += 1
    f.combo += 1
    _reel(f, blow)


@kernel
def _mark(o, blow):
    """Note with who dealt a blow, or with its projectile, that it has met."""
    if blow.shot >= 0:
        shot = o.shots[blow.shot]
        shot.hits -= 1
        shot.stop = SHOT_STOP
        if shot.hits <= 0:
            shot.on = 0
    else:
        o.hit = 1 if blow.result == HURT or blow.result == SEIZED else (2 if blow.result == BLOCKED else 3)
        o.stop = max(o.stop, blow.stop if blow.result != SEIZED else 0)


@kernel
def _reel(f, blow):
    """Stagger, or fly off and fall."""
    if f.y > 0 or f.state == AIR_HIT or blow.knockdown != 0:  # who is launched is frozen on the floor at first
        f.knockdown = max(blow.knockdown, 1)
        f.vx, f.vy, f.push = blow.away * LAUNCH_AWAY, LAUNCH_HARD if blow.knockdown == 2 else LAUNCH, 0
        f.juggle += blow.juggle
        f.stun = 0
        enter(f, AIR_HIT)
    else:
        f.stun = blow.stun
        enter(f, HIT)


@kernel
def _push_back(s, p, i):
    """Push the one who is hit, or who hit where the other stands at the wall."""
    f, o, blow = s.fighters[i], s.fighters[1 - i], s.blows[i]
    half = p.characters[f.character].half * UNIT
    at_wall = f.x >= STAGE - half if blow.away > 0 else f.x <= half
    if not at_wall:
        f.push = blow.away * blow.push
    else:
        f.push = 0
        if blow.shot < 0 and s.blows[1 - i].result == NOTHING and o.y == 0:
            o.push = -blow.away * blow.push


@kernel
def _seize(f, ch, o, blow):
    """A throw begins."""
    o.throws += 1
    f.due, f.techable = blow.damage, 1 if o.move == THROW else 0
    f.facing = -o.facing
    for one in (f, o):
        one.vx, one.push, one.stop = 0, 0, 0
    _cut_short(f, ch)
    f.move, f.stun, f.combo, f.knockdown = NO_MOVE, 0, 0, 2
    enter(f, THROWN)
    enter(o, THROWING)


@kernel
def escape(s):
    """Let fighters who pressed the buttons of a throw in time out of one, and push both apart."""
    for i in range(2):
        f = s.fighters[i]
        if f.state == THROWN and f.techable != 0 and f.age < TECH_FRAMES and inputs.holds_throw(f.pressed):
            f.techs += 1
            note(s, i, ESCAPED, 0)
            release(s)

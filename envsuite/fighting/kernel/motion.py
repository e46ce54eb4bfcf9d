"""One frame of time for a fighter: clocks of its state, velocities, landing; and both bodies against each other."""

from envsuite.core import kernel
from envsuite.fighting.kernel import inputs
from envsuite.fighting.kernel.acting import earn, enter
from envsuite.fighting.params import (
    AIR,
    AIR_HIT,
    AIRDASH_SPEED,
    ATTACK,
    BACKDASH_SPEED,
    BLOCK_STAND,
    CROUCH,
    DASH_B,
    DASH_F,
    DASH_SPEED,
    DOWN,
    EX_DAMAGE,
    FRICTION_STOP,
    GETUP,
    KO,
    LANDING,
    MINE_HALF,
    MINE_LIFE,
    MINE_ROLLS,
    NO_MOVE,
    PUSH_HEIGHT,
    SHIFT,
    SHIFT_BEHIND,
    SHOT,
    SHOT_AHEAD,
    SHOT_STOP,
    SHOTS,
    SHOTS_CANCEL,
    SPECIAL,
    STAGE,
    STALE_DAMAGE,
    TECH_PUSH,
    TECH_STUN,
    THROW_AWAY,
    THROW_FRAMES,
    THROW_HURTS,
    THROW_SAFE,
    THROWING,
    THROWN,
    UNIT,
)


@kernel
def advance(f, ch):
    """Let one frame pass for a fighter that is not frozen."""
    f.age += 1
    f.grab_safe = max(f.grab_safe - 1, 0)
    if f.stale_timer > 0:
        f.stale_timer -= 1
        if f.stale_timer == 0:
            f.stale, f.special = 0, NO_MOVE
    if f.stun > 0:
        f.stun -= 1
        if f.stun == 0:
            f.grab_safe = THROW_SAFE + 1  # counted from the first free frame
    if f.state == ATTACK:
        _attack(f, ch)
    elif f.state == DASH_F or f.state == DASH_B:
        if f.dashing != 0:
            f.vx, f.vy = f.facing * AIRDASH_SPEED, 0
        else:
            f.vx = f.facing * DASH_SPEED if f.state == DASH_F else -f.facing * BACKDASH_SPEED
    _travel(f, ch)


@kernel
def _attack(f, ch):
    """A frame of a move: how it travels, and its projectile."""
    m = ch.moves[f.move]
    f.frame += 1
    if m.air != 0:
        return
    if f.y == 0:
        f.vx = f.facing * m.vx if f.frame <= f.last else 0
    if m.vy != 0 and f.frame == f.first:
        f.vy = m.vy
    if m.type == SHOT and f.frame == f.first:
        shoot(f, ch)


@kernel
def shoot(f, ch):
    """Let go a projectile."""
    m = ch.moves[f.move]
    for k in range(SHOTS):
        shot = f.shots[k]
        if shot.on == 0:
            shot.on, shot.x, shot.speed = 1, f.x + f.facing * SHOT_AHEAD * UNIT, f.facing * m.shot_speed
            shot.mine = 1 if ch.mine != 0 and f.move == SPECIAL else 0
            shot.life = MINE_LIFE if shot.mine != 0 else m.shot_life
            shot.hits = m.shot_hits + f.ex
            shot.damage = m.damage * STALE_DAMAGE[f.stale] // 256
            if f.ex != 0:
                shot.damage = shot.damage * EX_DAMAGE // 100
            shot.hit_stun, shot.block_stun, shot.push, shot.stop = m.hit_stun, m.block_stun, m.push, 0
            return


@kernel
def _travel(f, ch):
    """Velocities, gravity, push-back, the floor."""
    if f.state == THROWN or f.state == THROWING:
        return
    flies = f.y > 0 or f.vy > 0
    f.x += f.vx + f.push
    magnitude = abs(f.push) * 7 // 8
    if magnitude < FRICTION_STOP:
        magnitude = 0
    f.push = magnitude if f.push > 0 else -magnitude
    if not flies or (f.state == DASH_F and f.dashing != 0):
        return
    f.y += f.vy - ch.gravity // 2
    f.vy -= ch.gravity
    if f.y <= 0:
        f.y, f.vy = 0, 0
        _land(f, ch)


@kernel
def _land(f, ch):
    f.vx = 0
    if f.state == AIR_HIT:
        enter(f, DOWN)
    elif f.state == AIR or (f.state == ATTACK and ch.moves[f.move].air != 0):
        f.whiffs += f.state == ATTACK and f.hit == 0
        f.move = NO_MOVE
        enter(f, LANDING)


@kernel
def _shifts(f, p):
    """Whether a fighter teleports in this frame."""
    kind = p.characters[f.character].moves[f.move].type
    return f.state == ATTACK and kind == SHIFT and f.frame == f.first and f.stop == 0


@kernel
def shift(s, p):
    """Let teleporting fighters appear behind the other; both from where both stood."""
    x0, x1 = s.fighters[0].x, s.fighters[1].x
    for i in range(2):
        f = s.fighters[i]
        if _shifts(f, p):
            side = s.side if i == 0 else -s.side
            other = x1 if i == 0 else x0
            f.x = other + side * SHIFT_BEHIND * UNIT
    _stay_inside(s, p)
    note_sides(s)
    for i in range(2):  # in a corner there is no room behind the other
        f = s.fighters[i]
        if _shifts(f, p):
            f.facing = s.side if i == 0 else -s.side


@kernel
def note_sides(s):
    """Remember who stands on which side; with equal places it stays as it was."""
    if s.fighters[1].x != s.fighters[0].x:
        s.side = 1 if s.fighters[1].x > s.fighters[0].x else -1


@kernel
def _stay_inside(s, p):
    for i in range(2):
        f = s.fighters[i]
        half = p.characters[f.character].half * UNIT
        f.x = min(max(f.x, half), STAGE - half)


@kernel
def _solid(f):
    return f.state != THROWN and f.state != THROWING and f.state != KO


@kernel
def separate(s, p):
    """Push overlapping bodies apart by equal halves; one at the wall stays, and the other moves."""
    note_sides(s)
    _stay_inside(s, p)
    a, b = s.fighters[0], s.fighters[1]
    if not (_solid(a) and _solid(b)) or abs(a.y - b.y) >= PUSH_HEIGHT * UNIT:
        return
    half_a, half_b = p.characters[a.character].half * UNIT, p.characters[b.character].half * UNIT
    gap = (b.x - a.x) * s.side
    overlap = half_a + half_b - gap
    if overlap <= 0:
        return
    a.x -= s.side * (overlap // 2)
    b.x += s.side * (overlap // 2)
    _stay_inside(s, p)
    overlap = half_a + half_b - (b.x - a.x) * s.side
    if overlap > 1:
        if a.x == half_a or a.x == STAGE - half_a:
            b.x += s.side * overlap
        else:
            a.x -= s.side * overlap
        _stay_inside(s, p)


@kernel
def face(s):
    """Let free fighters, and those who land or get up, turn to the other."""
    for i in range(2):
        f = s.fighters[i]
        if f.state <= CROUCH or f.state == LANDING or f.state == GETUP:
            f.facing = s.side if i == 0 else -s.side


@kernel
def suffer(s, p):
    """Throws hurt, and pay, in their tenth frame, and let the victim fall away at their end."""
    for i in range(2):
        f, o = s.fighters[i], s.fighters[1 - i]
        if f.state != THROWN:
            continue
        if f.age == THROW_HURTS:
            damage = min(f.due, f.hp)
            f.hp -= damage
            o.dealt += damage
            earn(o, p.characters[o.character], damage // 2)
        if f.age == THROW_FRAMES:
            f.push = -f.facing * THROW_AWAY


@kernel
def release(s):
    """End a throw, or two that met, without damage."""
    for i in range(2):
        f = s.fighters[i]
        inputs.forget(f)
        f.move, f.stun, f.vx = NO_MOVE, TECH_STUN, 0
        f.push = -f.facing * TECH_PUSH
        enter(f, BLOCK_STAND)


@kernel
def fly(s):
    """Move projectiles; opposing ones that meet take a hit from each other."""
    for i in range(2):
        for k in range(SHOTS):
            shot = s.fighters[i].shots[k]
            if shot.on == 0:
                continue
            if shot.stop > 0:
                shot.stop -= 1
                continue
            if shot.mine == 0 or shot.life > MINE_LIFE - MINE_ROLLS:
                shot.x += shot.speed
            shot.life -= 1
            if shot.mine != 0:
                shot.x = min(max(shot.x, MINE_HALF * UNIT), STAGE - MINE_HALF * UNIT)
            if shot.life <= 0 or shot.x < 0 or shot.x > STAGE:
                shot.on = 0
    for k in range(SHOTS):
        for j in range(SHOTS):
            mine, other = s.fighters[0].shots[k], s.fighters[1].shots[j]
            if mine.on != 0 and other.on != 0 and abs(mine.x - other.x) < SHOTS_CANCEL * UNIT:
                _spend(mine)
                _spend(other)


@kernel
def _spend(shot):
    shot.hits -= 1
    shot.stop = SHOT_STOP
    if shot.hits <= 0:
        shot.on = 0

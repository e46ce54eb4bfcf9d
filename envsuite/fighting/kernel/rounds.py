"""Rounds and matches: how they begin, one frame of them, how they end, and what they pay."""

import numpy as np

from envsuite.core import fmath, kernel, rng
from envsuite.fighting.kernel import acting, brain, commands, contact, inputs, motion, senses
from envsuite.fighting.params import (
    CHARACTERS,
    IDLE,
    KO,
    LEVELS,
    LOOKS,
    MEMORY,
    NO_MOVE,
    PAUSE,
    RING,
    SHOTS,
    STAGE,
    SUDDEN_DEATH,
    UNIT,
    WIN,
)

DRAW = 3
LADDER_HP = 176.0  # full health of the game whose reward formula this is


@kernel
def begin_match(s, p):
    """Draw characters, levels and sides, and begin the first round."""
    s.frames, s.stage, s.outcome, s.last_round = 0, 0, 0, 0
    for k in range(CHARACTERS):
        s.order[k] = k
    rng.shuffle(s.rng, rng.RESET, s.order)
    for i in range(2):
        f = s.fighters[i]
        f.character = p.pool[i, rng.integers(s.rng, rng.RESET, p.pool_size[i])]
        f.level = p.opponents[i, rng.integers(s.rng, rng.RESET, p.opponent_count[i])]
        f.rival = -1
        f.wins, f.hits, f.blocked, f.whiffs, f.interrupted, f.throws = 0, 0, 0, 0, 0, 0
        f.techs, f.dealt, f.idle_frames = 0, 0, 0
        if i == 1 and p.rival_count > 0:
            _draw_rival(s, p, f)
        f.meter = p.characters[f.character].start_meter
        f.queue[0], f.queue[1] = -1, -1
        f.code, f.before, f.macro, f.serial = inputs.NEUTRAL, inputs.NEUTRAL, -1, 0
        _forget_inputs(f)
        f.brain.noted, f.brain.cycles, f.brain.expected = 0, 0, NO_MOVE
        for k in range(MEMORY):
            f.brain.moves[k] = 0
    if p.stages > 1:
        _next_opponent(s, p)
    s.side = -1 if p.swap != 0 and rng.integers(s.rng, rng.RESET, 2) == 1 else 1
    s.sudden, s.happened = 0, 0
    begin_round(s, p)


@kernel
def _draw_rival(s, p, f):
    """Draw one of several kinds of opponents."""
    kind = p.rivals[rng.integers(s.rng, rng.RESET, p.rival_count)]
    f.character = kind.character if kind.character >= 0 else f.character
    f.level = kind.level if kind.level >= 0 else f.level
    f.rival = kind.policy
    for k in range(len(s.second)):
        s.second[k] = 0


@kernel
def _forget_inputs(f):
    for k in range(RING):
        f.ring[k], f.past[k] = inputs.NEUTRAL, IDLE
    for k in range(LOOKS):
        f.delayed[k] = inputs.NEUTRAL
    f.direction, f.buttons, f.charge_back, f.charge_down = inputs.NEUTRAL, 0, 0, 0


@kernel
def _next_opponent(s, p):
    """The opponent of this stage: characters in the drawn order, levels rising from 1 to 8."""
    o = s.fighters[1]
    o.character = s.order[s.stage % CHARACTERS]
    o.level = min(1 + s.stage * LEVELS // p.stages, LEVELS)
    o.meter = p.characters[o.character].start_meter


@kernel
def begin_round(s, p):
    """Put both fighters on their places with full health; the meters stay."""
    s.left, s.pause = SUDDEN_DEATH if s.sudden != 0 else p.round_frames, 0
    for i in range(2):
        f = s.fighters[i]
        sign = s.side if i == 1 else -s.side
        f.x = STAGE // 2 + sign * p.gap * UNIT // 2 - s.side * p.shift * UNIT
        f.y, f.vx, f.vy, f.push = 0, 0, 0, 0
        f.facing = -sign
        f.full = p.characters[f.character].hp
        f.hp = max(1, f.full * p.health[i] // 100)
        acting.enter(f, IDLE)
        f.move, f.frame, f.first, f.last, f.total, f.ex, f.kick = NO_MOVE, 0, 0, 0, 0, 0, 0
        f.hit, f.armour, f.stop, f.stun, f.combo, f.juggle = 0, 0, 0, 0, 0, 0
        f.special, f.stale, f.stale_timer, f.normal, f.repeats = NO_MOVE, 0, 0, NO_MOVE, 0
        f.grab_safe, f.knockdown, f.air_left, f.guard, f.jump_to, f.dashing, f.held = 0, 0, 0, 0, 0, 0, 0
        f.due, f.techable, f.pressed, f.pressed_age, f.motion, f.tap, f.tap_age = 0, 0, 0, 0, 0, 0, 0
        b = f.brain
        b.direction, b.until, b.threat, b.guards, b.followed, b.leapt = inputs.NEUTRAL, 0, 0, 0, 0, 0
        if f.level != 0:
            f.macro = -1
        for k in range(SHOTS):
            f.shots[k].on = 0


@kernel
def _pressed(s, p, t, i):
    """The input code of a fighter in this frame; nothing between rounds."""
    f = s.fighters[i]
    if s.pause > 0:
        return inputs.NEUTRAL
    if f.level == 0:
        code = commands.agent_code(f, p.characters[f.character], t, p.hold)
        return inputs.delayed(s, f, code, p.action_delay)
    return brain.think(s, p, i)


@kernel
def frame(s, p, t):
    """One sixtieth of a second.

    Args:
        s: the state.
        p: the parameters.
        t: frame of the decision, from 0.
    """
    asleep = s.pause > 0
    first, second = _pressed(s, p, t, 0), _pressed(s, p, t, 1)
    for i in range(2):
        acting.recover(s.fighters[i], p.characters[s.fighters[i].character])
    motion.face(s)
    for i in range(2):
        f = s.fighters[i]
        inputs.read(s, f, p.characters[f.character].charge, first if i == 0 else second)
    for i in range(2):
        f = s.fighters[i]
        acting.act(f, p.characters[f.character], asleep)
    contact.escape(s)
    for i in range(2):
        f = s.fighters[i]
        if f.stop > 0:
            f.stop -= 1
        else:
            motion.advance(f, p.characters[f.character])
    motion.shift(s, p)
    motion.suffer(s, p)
    motion.separate(s, p)
    motion.fly(s)
    if not asleep:
        for i in range(2):
            contact.collect(s, p, i)
        contact.settle(s, p)
    for i in range(2):
        brain.remember(s, s.fighters[i])
        s.fighters[i].idle_frames += 1 if s.fighters[i].state == IDLE else 0
    s.frames += 1
    if p.sight_delay != 0:
        senses.look_around(s, p)


@kernel
def judge(s, p):
    """Whether a round is over, and what follows; its result: 0 going on, 1 or 2 that player won, 3 a draw."""
    if s.pause > 0:
        s.pause -= 1
        if s.pause == 0:
            if s.outcome == -1:
                _next_match(s, p)
            begin_round(s, p)
        return 0
    s.left -= 1
    a, b = s.fighters[0], s.fighters[1]
    if a.hp > 0 and b.hp > 0 and s.left > 0:
        return 0
    share_a, share_b = a.hp * b.full, b.hp * a.full
    result = DRAW if share_a == share_b else (1 if share_a > share_b else 2)
    _pose(s, result)
    both = result == DRAW and a.wins + 1 >= p.wins and b.wins + 1 >= p.wins
    if both and p.wins > 1 and s.sudden == 0:
        s.sudden = 1
        return result
    a.wins += result != 2
    b.wins += result != 1
    if s.sudden != 0 or max(a.wins, b.wins) >= p.wins:
        _end_match(s, p, result)
    return result


@kernel
def _pose(s, result):
    """Fighters fall or cheer for a while when a round has ended."""
    s.pause = PAUSE
    for i in range(2):
        f = s.fighters[i]
        if f.hp <= 0:
            acting.enter(f, KO)
        elif result == i + 1 and f.y == 0:
            acting.enter(f, WIN)
            f.vx = 0


@kernel
def _end_match(s, p, result):
    """Pay for a match whose last round ended so; the episode goes on where more opponents wait."""
    a, b = s.fighters[0], s.fighters[1]
    # a draw may still give one the last win that it lacks
    s.outcome = result if a.wins == b.wins or s.sudden != 0 else (1 if a.wins > b.wins else 2)
    if s.outcome != DRAW:
        _pay_match(s, p, s.outcome - 1)
    if s.outcome == 1:
        if s.stage + 1 < p.stages:
            s.outcome = -1
        else:
            s.stage += 1


@kernel
def _next_match(s, p):
    """The next of several opponents."""
    s.stage += 1
    s.outcome, s.sudden = 0, 0
    for i in range(2):
        s.fighters[i].wins = 0
    _next_opponent(s, p)


@kernel
def over(s):
    """Whether the episode is."""
    return s.outcome > 0


@kernel
def decide(s, p):
    """Let the frames of a decision pass."""
    pass_frames(s, p, p.skip)


@kernel
def pass_frames(s, p, frames):
    """Let frames pass, up to the end of the episode; earnings go to the record."""
    s.last_round = 0
    for i in range(2):
        s.earned[i] = 0.0
    for t in range(frames):
        before_a, before_b = s.fighters[0].hp, s.fighters[1].hp
        frame(s, p, t)
        lost_a, lost_b = before_a - s.fighters[0].hp, before_b - s.fighters[1].hp
        _pay_damage(s, p, lost_a, lost_b)
        result = judge(s, p)
        if result != 0:
            s.last_round = result
            _pay_round(s, p, result)
        if over(s):
            break
    if p.sight_delay == 0:
        senses.look_around(s, p)


@kernel
def _pay_damage(s, p, lost_a, lost_b):
    """Rewards for damage of one frame."""
    if lost_a == 0 and lost_b == 0:
        return
    if p.reward == 2:
        scale = 0.001 * np.float32(LADDER_HP)
        a, b = np.float32(lost_a) / np.float32(s.fighters[0].full), np.float32(lost_b) / np.float32(s.fighters[1].full)
        s.earned[0] += scale * (3.0 * b - a)
        s.earned[1] += scale * (3.0 * a - b)
    elif p.reward != 0:
        gain = (1.0 - p.mix) * (np.float32(lost_b) - np.float32(lost_a)) * 0.001  # all of it but in `annealed`
        s.earned[0] += gain
        s.earned[1] -= gain


@kernel
def _pay_match(s, p, winner):
    """Rewards at the end of a match."""
    if p.reward == 0 or p.reward == 3:
        share = 1.0 if p.reward == 0 else p.mix
        s.earned[winner] += share
        s.earned[1 - winner] -= share


@kernel
def _pay_round(s, p, result):
    """Rewards at the end of a round."""
    if p.reward != 2:
        return
    if result == DRAW:
        s.earned[0] += 0.001
        s.earned[1] += 0.001
        return
    winner = s.fighters[result - 1]
    left = np.float32(winner.hp) / np.float32(winner.full) * np.float32(LADDER_HP)
    power = fmath.pow(np.float32(LADDER_HP), (left + 1.0) / np.float32(LADDER_HP + 1))
    s.earned[result - 1] += 0.003 * power
    s.earned[2 - result] -= 0.001 * power

"""The reference policy: a planner that looks half a metre ahead.

It aims at a point before the next gate, round or over frames in between, then along the gate's axis, the faster the
better it is lined up. Of many directions it flies the one nearest to its aim that
keeps clear of frames and poles.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import gates, pilot
from envsuite.quadcopters.flying.blocks import norm
from envsuite.quadcopters.flying.settings import PID
from envsuite.quadcopters.gate_race.kernel import target
from envsuite.quadcopters.gate_race.params import FRAME, OPENING, POLE_HEIGHT, RING_RADIUS, RINGS

_BEAM = 0.5 * (OPENING + FRAME)  # m, half-size of the square along the middle of the beams
_BEAM_ROOM, _POLE_ROOM, _RING_ROOM = 0.2, 0.18, 0.35  # m, kept from the middles of beams, poles and rings
_TURNS = 16  # horizontal directions tried, with three slopes each
_LOOK = 0.55  # m, ahead
_FLOOR = 0.25  # m, height below which it does not sink


@kernel
def act(states, params, actions):
    """Write the action for every instance."""
    p = params[0]
    zero, one = real(0.0, p.hull), real(1.0, p.hull)
    for i in range(states.shape[0]):
        s = states[i]
        x = s.craft.position
        aim, pace = _aim(s, p)
        dx, dy, dz = aim[0] - x[0], aim[1] - x[1], aim[2] - x[2]
        distance = max(norm(dx, dy, dz), 1e-6)
        look = min(distance, _LOOK * (real(2.0, one) if p.course == RINGS else one))
        dx, dy, dz = _choose(s, p, dx / distance, dy / distance, dz / distance, look)
        v = s.craft.velocity
        along = max(v[0] * dx + v[1] * dy + v[2] * dz, 0.0)
        speed = min(min(pace, 3.0 * distance), along + 1.0)
        place, motion, rest = (x[0], x[1], x[2]), (speed * dx, speed * dy, speed * dz), (zero, zero, zero)
        if p.flying.act == PID:
            place = (x[0] + 0.5 * dx, x[1] + 0.5 * dy, x[2] + 0.5 * dz)
        pilot.steer(s.craft, s.vehicle[0], p.flying, place, motion, rest, s.craft.heading, actions[i])


@kernel
def _aim(s, p):
    """A point to fly to (m) and a speed (m/s)."""
    x, one, zero = s.craft.position, real(1.0, p.hull), real(0.0, p.hull)
    ring = p.course == RINGS
    before = real(1.5, one) if ring else real(0.4, one)
    fast, slow = (real(4.0, one), real(2.0, one)) if ring else (real(1.2, one), real(0.5, one))
    gate = s.known[target(s)]
    sine, cosine = fmath.sincos(gate[3])
    a = gates.to_gate(gate, sine, cosine, x)
    aside = norm(a[1], a[2], zero)
    room = 0.5 * p.opening + 0.45 * max(-a[0], 0.0)
    if a[0] < 0.0 and aside < room:  # lined up: through
        ready = max(1.0 - aside / room, 0.0)
        return gates.from_gate(gate, sine, cosine, (real(0.4, one), zero, zero)), slow + ready * (fast - slow)
    stand = -before
    if -before < a[0] and a[0] < 0.0:  # no way back needed if there is room to line up
        stand = min(a[0], -0.6 * before)
    return _detour(s, p, gates.from_gate(gate, sine, cosine, (stand, zero, zero))), fast


@kernel
def _detour(s, p, aim):
    """The aim, or a point beside or above the frame that lies in between."""
    x, one, zero = s.craft.position, real(1.0, p.hull), real(0.0, p.hull)
    size = real(RING_RADIUS + 0.25, one) if p.course == RINGS else real(FRAME + 0.12, one)
    beyond = size + (real(0.45, one) if p.course == RINGS else real(0.25, one))
    for i in range(s.known.shape[0]):
        gate = s.known[i]
        if gates.cross(gate, gate[3], zero, zero, size, x, aim) == gates.NONE:
            continue
        if gates.cross(gate, gate[3], zero, zero, size, x, aim) == gates.BESIDE:
            continue
        sine, cosine = fmath.sincos(gate[3])
        a, b = gates.to_gate(gate, sine, cosine, x), gates.to_gate(gate, sine, cosine, aim)
        deep = max(a[0], 0.25) if a[0] >= 0.0 else min(a[0], -0.25)
        edge = size + 0.05
        if abs(a[1]) > edge or a[2] > edge:  # already beside it: past its plane
            other = min(b[0], -0.3) if a[0] >= 0.0 else max(b[0], 0.3)
            return gates.from_gate(gate, sine, cosine, (other, a[1], a[2]))
        best, least = aim, real(1e6, one)
        for k in range(3):
            via = (deep, beyond, a[2])
            if k == 1:
                via = (deep, -beyond, a[2])
            elif k == 2:
                via = (deep, a[1], beyond)
            way = norm(via[0] - a[0], via[1] - a[1], via[2] - a[2])
            way += norm(via[0] - b[0], via[1] - b[1], via[2] - b[2])
            place = gates.from_gate(gate, sine, cosine, via)
            inside = abs(place[0]) < p.high[0] - 0.3 and abs(place[1]) < p.high[1] - 0.3
            if way < least and inside and place[2] < p.high[2] - 0.3:
                best, least = place, way
        return best
    return aim


@kernel
def _choose(s, p, dx, dy, dz, look):
    """The direction nearest to (dx, dy, dz) that keeps clear."""
    x, one, zero = s.craft.position, real(1.0, dx), real(0.0, dx)
    bx, by, bz, best = dx, dy, dz, real(-1e6, dx)
    level = max(fmath.sqrt(dx * dx + dy * dy), 0.05)
    fx, fy = dx / level, dy / level
    if dx * dx + dy * dy < 1e-6:
        fx, fy = one, zero
    for k in range(_TURNS):
        sine, cosine = fmath.sincos(real(2 * np.pi / _TURNS, dx) * (one * np.float32(k)))
        hx, hy = cosine * fx - sine * fy, sine * fx + cosine * fy
        for j in range(4):
            cx, cy, cz = hx, hy, zero
            if j == 0:  # as steep as the aim
                if k > 0:
                    cx, cy, cz = level * hx, level * hy, dz
                else:
                    cx, cy, cz = dx, dy, dz
            elif j > 1:
                cx, cy, cz = 0.6 * hx, 0.6 * hy, real(0.8, dx)
                if j == 3:
                    cz = -cz
            score = cx * dx + cy * dy + cz * dz
            lack = zero
            for step in range(1, 4):
                reach = look * (one * np.float32(step)) / real(3.0, dx)
                point = (x[0] + reach * cx, x[1] + reach * cy, x[2] + reach * cz)
                lack = max(lack, _lack(s, p, point))
            score -= 6.0 * lack
            if score > best:
                bx, by, bz, best = cx, cy, cz, score
    return bx, by, bz


@kernel
def _lack(s, p, point):
    """How much a point lacks of the room to keep, as a share of it; 0 where it is free."""
    zero, one = real(0.0, p.hull), real(1.0, p.hull)
    worst = zero
    for i in range(s.known.shape[0]):
        gate = s.known[i]
        sine, cosine = fmath.sincos(gate[3])
        a = gates.to_gate(gate, sine, cosine, point)
        if p.course == RINGS:
            off = fmath.sqrt(a[1] * a[1] + a[2] * a[2]) - RING_RADIUS
            room = real(_RING_ROOM, one)
        else:
            y, z = abs(a[1]), abs(a[2])
            off = _BEAM - max(y, z)
            if off < 0.0:
                oy, oz = max(y - _BEAM, 0.0), max(z - _BEAM, 0.0)
                off = fmath.sqrt(oy * oy + oz * oz)
            room = real(_BEAM_ROOM, one)
        worst = max(worst, 1.0 - fmath.sqrt(a[0] * a[0] + off * off) / room)
    if p.course != RINGS:
        for i in range(s.poles.shape[0]):
            if point[2] < (POLE_HEIGHT + 0.15):
                away = norm(point[0] - s.poles[i, 0], point[1] - s.poles[i, 1], zero)
                worst = max(worst, 1.0 - away / _POLE_ROOM)
    if point[2] < _FLOOR and point[2] < s.craft.position[2]:
        worst = max(worst, 1.0 - point[2] / _FLOOR)
    for k in range(2):
        worst = max(worst, 1.0 - (p.high[k] - abs(point[k])) / 0.3)
    return max(worst, 1.0 - (p.high[2] - point[2]) / 0.3)


class GateRacePlayers(Players):
    """The reference policy."""

    def expert(self):
        """A planner that knows the true state and what the drone knows of the course."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

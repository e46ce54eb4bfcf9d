"""Draws starts, columns and goals, and moves the goals."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying.blocks import norm
from envsuite.quadcopters.swarm_goals import params as c
from envsuite.quadcopters.swarm_goals.formations import FORMATIONS

_KINDS = len(FORMATIONS)
_TRIES = 100


@kernel
def draw(s, p):
    """Begin an episode: the scenario, columns and the first goals."""
    g, like = s.rng, p.apart
    s.scenario = p.kinds[rng.integers(g, rng.RESET, np.int64(p.choices))]
    s.period = np.uint32(rng.uniform(g, rng.RESET, c.CHANGE[0], c.CHANGE[1]) * c.CONTROL_RATE)
    s.speed = rng.uniform(g, rng.RESET, real(c.SWELL[0], like), real(c.SWELL[1], like))
    if rng.uniform(g, rng.RESET, -1.0, 1.0) < 0.0:
        s.speed = -s.speed
    for k in range(3):
        s.centers[0, k] = s.centers[1, k] = real(c.CENTER[k], like)
        s.drift[k] = 0.0
    _draw_columns(s, p)
    _draw_formation(s, p)
    if s.scenario == c.LISSAJOUS_3D:
        for k in range(3):
            s.centers[0, k] = real(c.LISSAJOUS[k], like)
    elif p.columns:
        height = rng.uniform(g, rng.RESET, real(1.5, like), real(3.0, like))
        cell = s.cells[c.COLUMNS + 2 * s.crafts.shape[0] % (c.CELLS * c.CELLS - c.COLUMNS)]
        _to_cell(s.centers[0], cell, height)
    elif s.scenario == c.VERSUS:
        _draw_sides(s, p)
    for n in range(s.crafts.shape[0]):
        s.places[n] = np.uint8(n)
    _deal(s, p)
    if s.scenario == c.O_RANDOM:
        free = c.CELLS * c.CELLS - c.COLUMNS
        for n in range(s.crafts.shape[0]):
            cell = s.cells[c.COLUMNS + (s.crafts.shape[0] + n) % free]
            _to_cell(s.goals[n], cell, rng.uniform(g, rng.RESET, real(1.0, like), real(3.0, like)))


@kernel
def _draw_columns(s, p):
    """Deal out the cells: the first have columns, the next are starts, further ones goals."""
    for i in range(c.CELLS * c.CELLS):
        s.cells[i] = np.uint8(i)
    if p.columns:
        rng.shuffle(s.rng, rng.RESET, s.cells)
    for i in range(c.COLUMNS):
        x, y = _cell(s.cells[i], p.apart)
        away = real(0.0 if p.columns else 1000.0, p.apart)
        s.columns[i, 0], s.columns[i, 1] = x + away, y + away


@kernel
def _cell(cell, like):
    """Middle of a cell, m: x, y."""
    half, row, column = real(0.5 - 0.5 * c.CELLS, like), np.int64(cell) // c.CELLS, np.int64(cell) % c.CELLS
    one = real(1.0, like)
    return half + one * np.float32(row), half + one * np.float32(column)


@kernel
def _to_cell(place, cell, height):
    x, y = _cell(cell, height)
    place[0], place[1], place[2] = x, y, height


@kernel
def start_of(s, p, n):
    """A place for drone n to begin at, m, away from those before it; within its cell among columns."""
    g, like = s.rng, p.apart
    if p.columns:
        free = c.CELLS * c.CELLS - c.COLUMNS
        x, y = _cell(s.cells[c.COLUMNS + n % free], like)
        # more drones than cells stand above each other
        storey = real(1.0, like) * np.float32(n // free)
        height = c.START_HEIGHT + rng.uniform(g, rng.RESET, real(0.25, like), real(1.5, like))
        return x, y, height + 2.0 * storey
    x, y, z = s.goals[n, 0], s.goals[n, 1], s.goals[n, 2]
    for _ in range(_TRIES):
        spread = real(c.START, like)
        u = rng.uniform4(g, rng.RESET, -spread, spread)
        x, y = s.goals[n, 0] + u[0], s.goals[n, 1] + u[1]
        z = max(s.goals[n, 2] + u[2], c.START_HEIGHT)
        free = True
        for i in range(n):
            q = s.crafts[i].position
            free = free and norm(q[0] - x, q[1] - y, q[2] - z) > c.START_GAP
        if free:
            break
    return x, y, z


@kernel
def _draw_formation(s, p):
    """A kind of formation, its spacing, and that of its layers."""
    low, high = p.spacing[s.scenario, 0], p.spacing[s.scenario, 1]
    s.formation = np.uint8(rng.integers(s.rng, rng.RESET, _KINDS))
    s.width, s.layer = high, high
    if low < high:
        s.width = rng.uniform(s.rng, rng.RESET, low, high)
        s.layer = rng.uniform(s.rng, rng.RESET, low, high)


@kernel
def form(s, p):
    """Put the goals into formation around their centres."""
    count, halves = s.crafts.shape[0], s.scenario == c.VERSUS
    group = 1 if halves else 0
    for n in range(count):
        side = 1 if halves and n >= count // 2 else 0
        for k in range(3):
            at = s.places[n]
            point = s.width * p.points[group, s.formation, at, k] + s.layer * p.offsets[group, s.formation, at, k]
            s.goals[n, k] = s.centers[side, k] + point
        s.goals[n, 2] = max(s.goals[n, 2], c.LOW)


@kernel
def _shuffle(s, first, last):
    """Deal the places of some drones out anew."""
    for i in range(last - 1, first, -1):
        j = first + rng.integers(s.rng, rng.DYNAMICS, i - first + 1)
        s.places[i], s.places[j] = s.places[j], s.places[i]


@kernel
def _deal(s, p):
    """Deal all places out anew, each half's among itself where there are two, and set the goals."""
    count = s.crafts.shape[0]
    if s.scenario == c.VERSUS:
        _shuffle(s, 0, count // 2)
        _shuffle(s, count // 2, count)
    else:
        _shuffle(s, 0, count)
    form(s, p)


@kernel
def _draw_center(s, p, side):
    """A new centre, high enough for the whole formation."""
    g, box = s.rng, real(c.BOX, p.apart)
    u = rng.uniform4(g, rng.DYNAMICS, -box, box)
    deepest, group = real(0.0, box), 1 if s.scenario == c.VERSUS else 0
    for n in range(s.crafts.shape[0]):
        point = s.width * p.points[group, s.formation, n, 2] + s.layer * p.offsets[group, s.formation, n, 2]
        deepest = min(deepest, point)
    s.centers[side, 0], s.centers[side, 1] = u[0], u[1]
    s.centers[side, 2] = max(0.5 * u[2] + real(c.CENTER[2], box), c.LOW - deepest)


@kernel
def _draw_sides(s, p):
    """Two centres a quarter of the box to the whole of it apart, one spacing at least in the formation's depth."""
    _draw_center(s, p, 0)
    g, like = s.rng, p.apart
    box = real(c.BOX, like)
    size = rng.uniform(g, rng.RESET, real(0.25, like) * box, box)
    turn, height = real(np.pi, like), real(1.0, like)
    sine, cosine = fmath.sincos(rng.uniform(g, rng.RESET, -turn, turn))
    up = rng.uniform(g, rng.RESET, -height, height)
    level = fmath.sqrt(max(1.0 - up * up, 0.0))
    depth = np.int64(s.formation) % 4  # circles and grids: 0 lies flat, 1 stands in xz, 2 in yz
    offset = (size * level * cosine, size * level * sine, size * up)
    for k in range(3):
        s.centers[1, k] = s.centers[0, k] + offset[k]
    axis = 2 if depth == 0 else (1 if depth == 1 else 0)
    if depth < 3 and abs(offset[axis]) < s.width:
        s.centers[1, axis] = s.centers[0, axis] + (s.width if offset[axis] >= 0.0 else -s.width)
    least = c.LOW + s.width
    s.centers[1, 2] = max(s.centers[1, 2], least)


@kernel
def move(s, p):
    """Change the goals as the scenario has it; call it once a step."""
    step, kind, like = np.int64(s.clock.step), s.scenario, p.apart
    if kind == c.SWELLING:
        _swell(s, p)
    elif kind == c.LISSAJOUS_3D:
        _wander(s, p, step)
    elif kind == c.BEZIER:
        _flee(s, p, step)
    elif kind == c.RUN_AWAY:
        if step % np.int64(c.ESCAPE * c.CONTROL_RATE) == 0:
            _escape(s)
    elif step % np.int64(s.period) == 0:
        if kind == c.SWAP:
            _deal(s, p)
        elif kind == c.DYNAMIC_SAME and p.columns:
            free = c.CELLS * c.CELLS - c.COLUMNS
            cell = s.cells[c.COLUMNS + rng.integers(s.rng, rng.DYNAMICS, free)]
            height = rng.uniform(s.rng, rng.DYNAMICS, real(0.75, like), real(3.0, like))
            _to_cell(s.centers[0], cell, height)
            form(s, p)
        elif kind == c.DYNAMIC_SAME or kind == c.DYNAMIC_DIFF:
            _draw_formation(s, p)
            _draw_center(s, p, 0)
            _deal(s, p)
        elif kind == c.VERSUS:
            _change_sides(s, p)


@kernel
def _change_sides(s, p):
    for k in range(3):
        s.centers[0, k], s.centers[1, k] = s.centers[1, k], s.centers[0, k]
    _draw_formation(s, p)
    _deal(s, p)


@kernel
def _swell(s, p):
    """Grow and shrink, through a point and out on the other side."""
    top, dt = p.spacing[c.SWELLING, 1], p.flying.control_step
    low, high = real(c.SWELL[0], top), real(c.SWELL[1], top)
    if s.width <= -top and s.speed < 0.0:
        s.speed = rng.uniform(s.rng, rng.DYNAMICS, low, high)
    elif s.width >= top and s.speed > 0.0:
        s.speed = -rng.uniform(s.rng, rng.DYNAMICS, low, high)
    s.width += s.speed * dt
    form(s, p)


@kernel
def _wander(s, p, step):
    """The original adds the curve's value to the goal at every step, so the goal follows the curve's integral."""
    t = p.flying.control_step * np.float32(step)
    move = (
        0.03 * fmath.sin(t),
        0.01 * fmath.sin(2.0 * t + 90.0),
        0.01 * fmath.cos(2.0 * t + 90.0),
    )
    for k in range(3):
        s.drift[k] = move[k] / p.flying.control_step
        for n in range(s.crafts.shape[0]):
            s.goals[n, k] += move[k]


@kernel
def _flee(s, p, step):
    """Follow a quadratic Bezier curve from where the goal is, a new one every few seconds."""
    length, like = np.int64(c.CHASE * c.CONTROL_RATE), p.apart
    turn = (step - 1) % length
    if turn == 0:
        _draw_curve(s, p)
    t = real(1.0, like) * np.float32(turn + 1) / real(float(length), like)
    rest = 1.0 - t
    for k in range(3):
        first, middle, last = s.curve[0, k], s.curve[1, k], s.curve[2, k]
        value = rest * rest * first + 2.0 * rest * t * middle + t * t * last
        s.drift[k] = 2.0 * (rest * (middle - first) + t * (last - middle)) / c.CHASE
        for n in range(s.crafts.shape[0]):
            s.goals[n, k] = value


@kernel
def _draw_curve(s, p):
    """Two further control points within the room, half a metre from its walls; among columns between 1.5 and 3 m."""
    g, like = s.rng, p.apart
    far = real(2.5 if p.columns else 5.0, like)
    for k in range(3):
        s.curve[0, k] = s.goals[0, k]
    for i in range(1, 3):
        for _ in range(_TRIES):
            inside = True
            u = rng.uniform4(g, rng.DYNAMICS, -far, far)
            for k in range(3):
                low, high = 0.5 - p.room[k], p.room[k] - 0.5
                if k == 2:
                    low = real(1.5 if p.columns else 0.5, like)
                    high = real(3.0, like) if p.columns else high
                s.curve[i, k] = s.curve[0, k] + u[k]
                inside = inside and s.curve[i, k] >= low and s.curve[i, k] <= high
            if inside:
                break
            for k in range(3):
                s.curve[i, k] = s.curve[0, k]


@kernel
def _escape(s):
    """Two drones take over goals of others, and with them run into these."""
    count = s.crafts.shape[0]
    for n in range(min(2, count)):
        other = 1 + rng.integers(s.rng, rng.DYNAMICS, count - 1)
        for k in range(3):
            s.goals[n, k] = s.goals[other, k]

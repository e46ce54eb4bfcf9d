"""Rewards of tasks in which something is grasped and put elsewhere; numbers and order as in metaworld 3.1.1."""

from envsuite.core import kernel
from envsuite.manipulation.meta.shaping import (
    above,
    apart,
    both,
    cage,
    flat,
    funnel,
    grasped,
    lifts,
    near,
    pad_cage,
    plus,
    point,
    scaled,
    tolerance,
    within,
)


@kernel
def _upright(k, w, z, reach):
    """How near an orientation is to a turn about z, of which w and z are told."""
    a, b, c, d = k.quat[0] - w, k.quat[1], k.quat[2], k.quat[3] - z
    return max(1.0 - (a * a + b * b + c * c + d * d) ** 0.5 / reach, 0.0)


@kernel
def _along(k, reach):
    """The handle, at the hand's x where that is near enough."""
    x = k.hand[0] if abs(k.obj[0] - k.hand[0]) < reach else k.obj[0]
    return x, k.obj[1], k.obj[2]


@kernel
def assembly(k):
    """A nut over a peg; `mark` is the nut's centre."""
    t, n, o = point(k.goal), point(k.mark), _along(k, 0.01)
    _, held = cage(k, o, point(k.obj0), (0.015, 0.02, 0.01), 1.0)
    reach = near(apart(o, point(k.tcp)), 0.01, abs(apart(point(k.obj0), point(k.tcp0)) - 0.01))
    rho = flat(t, n)
    hooked = rho < 0.02 and t[2] > n[2]
    edge = 0.02 if hooked else 0.01
    wanted = (t[0], t[1], funnel(rho, edge, 0.02, 0.2))
    place = 0.1 * (n[2] > 0.02 or rho < edge) + 0.9 * near(scaled(wanted, n, 1.0, 1.0, 3.0), 0.02, 0.4)
    reward = (held + reach + 6.0 * place) * _upright(k, 0.707, 0.707, 0.4)
    return 10.0 if hooked else reward, hooked


@kernel
def disassemble(k):
    """A nut off a peg; `mark` is the nut's centre."""
    t, n = point(k.goal), point(k.mark)
    place = 0.1 * (n[2] > 0.02) + 0.9 * near(apart(plus(t, 0.0, 0.0, 0.1), n), 0.02, 0.2)
    grab = grasped(k, _along(k, 0.01), (0.015, 0.02, 0.01))
    done = k.obj[2] > t[2]
    return 10.0 if done else (2.0 * grab + 6.0 * place) * _upright(k, 0.707, 0.707, 0.4), done


@kernel
def hammer(k):
    """A nail into a block; `angle` is how far it is in."""
    o = _along(k, 0.07)
    head = plus(point(k.obj), 0.16, 0.06, 0.0)
    place = 0.1 * (head[2] > 0.02) + 0.9 * near(apart(point(k.goal), head), 0.02, 0.2)
    reward = (2.0 * grasped(k, o, (0.015, 0.02, 0.01)) + 6.0 * place) * _upright(k, 1.0, 0.0, 0.4)
    done = k.angle > 0.09
    return 10.0 if done and reward > 5.0 else reward, done


@kernel
def basketball(k):
    """A ball into a hoop."""
    o, o0, t = point(k.obj), point(k.obj0), (k.goal[0], k.goal[1], 0.3)
    d = scaled(o, t, 1.0, 1.0, 2.0)
    place = near(d, 0.08, scaled(o0, t, 1.0, 1.0, 2.0))
    lifted = lifts(k, o, 0.035, 0.01)
    grasp = 1.0 if lifted else grasped(k, o, (0.025, 0.06, 0.005))
    reward = both(grasp, place) + (1.0 + 5.0 * place if lifted else 0.0)
    return 10.0 if d < 0.08 else reward, d <= 0.08


@kernel
def bin_picking(k):
    """A cube into the other bin; `begun` is its distance at the first step."""
    o, o0, h, t = point(k.obj), point(k.obj0), point(k.hand), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, k.begun)
    floor = min(funnel(flat(h, o0), 0.03, 0.02, 0.2), funnel(flat(h, t), 0.03, 0.02, 0.2))
    caged, held = cage(k, o, o0, (0.015, 0.05, 0.01), 0.7)
    reward = both(0.5 * (caged + held), place)
    if apart(o, h) < 0.04 and o[2] - 0.02 > o0[2] and k.opening >= 0.43:
        reward += 1.0 + 5.0 * both(above(h[2], floor, 0.01, 0.05), place)
    return 10.0 if d < 0.05 else reward, d <= 0.05


@kernel
def box_close(k):
    """A lid on a box."""
    o, h, t = point(k.obj), point(k.hand), point(k.goal)
    lid = plus(o, 0.0, 0.0, 0.02)
    floor = funnel(flat(h, lid), 0.02, 0.04, 0.4)
    ready = both(above(h[2], floor, 0.01, 0.5 * floor), near(apart(h, lid), 0.02, 0.5))
    lift = 0.2 * (lid[2] > 0.04) + 0.8 * near(scaled(t, lid, 1.0, 1.0, 3.0), 0.05, 0.25)
    grip = 0.5 * (min(max(k.grip, -1.0), 1.0) + 1.0)
    done = apart(o, t) < 0.08
    reward = 10.0 if done else 2.0 * both(grip, ready) + 8.0 * lift
    return reward * _upright(k, 0.707, 0.707, 0.2), done


@kernel
def hand_insert(k):
    """A cube into a hole of the table."""
    o, t = point(k.obj), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, apart(point(k.obj0), t))
    reward = both(grasped(k, o, (0.015, 0.05, 0.005)), place)
    if apart(o, point(k.tcp)) < 0.02 and k.opening > 0.0:
        reward += 1.0 + 7.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.05


@kernel
def pick_place(k):
    """A puck to a place in the air."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, apart(o0, t))
    reward = both(_picked(k, o), place)
    if lifts(k, o, 0.02, 0.01):
        reward += 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.07


@kernel
def _picked(k, o):
    """The cage of this task alone, whose margins are of the pads now, as in `pad_cage`."""
    left, right, o0 = k.left[1] - o[1], o[1] - k.right[1], point(k.obj0)
    y = both(
        tolerance(left, 0.015, 0.05, abs(abs(o[1] - k.left[1]) - 0.05)),
        tolerance(right, 0.015, 0.05, abs(abs(o[1] - k.right[1]) - 0.05)),
    )
    here, start = (o[0], k.tcp[1], o[2]), (o0[0], k.tcp0[1], o0[2])
    caged = both(y, near(apart(here, point(k.tcp)), 0.005, apart(start, point(k.tcp0)) - 0.005))
    grip = min(max(k.grip, 0.0), 1.0)
    return 0.5 * (both(caged, grip if caged > 0.97 else 0.0) + caged)


@kernel
def pick_place_wall(k):
    """Over a wall."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    m = (t[0], 0.77, 0.25)
    over = near(scaled(o, m, 1.0, 1.0, 3.0), 0.05, scaled(o0, m, 1.0, 1.0, 3.0))
    d = apart(o, t)
    place = near(d, 0.05, apart(o0, t))
    _, held = cage(k, o, o0, (0.015, 0.05, 0.005), 1.0)
    reward = both(held, over)
    if lifts(k, o, 0.02, 0.015):
        reward += 5.0 + 3.0 * place if o[1] > 0.75 else 1.0 + 4.0 * over
    return 10.0 if d < 0.05 else reward, d <= 0.07


@kernel
def pick_out_of_hole(k):
    """A puck out of a hole."""
    o, o0, c, t = point(k.obj), point(k.obj0), point(k.tcp), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.02, apart(o0, t))
    over = above(c[2], funnel(flat(c, o0), 0.03, 0.015, 0.15), 0.01, 0.02)
    caged, held = cage(k, o, o0, (0.015, 0.02, 0.03), 0.1)
    reward = both(0.5 * (caged + held), place)
    if apart(o, c) < 0.04 and o[2] - 0.02 > o0[2] and k.opening >= 0.33:
        reward += 1.0 + 5.0 * both(place, over)
    return 10.0 if d < 0.05 else reward, d <= 0.07


@kernel
def peg_insert_side(k):
    """A peg into a box; `mark` is its head, `mark2` the box, whose hole looks along +x."""
    o, f, t, b = point(k.obj), point(k.mark), point(k.goal), point(k.mark2)
    d = scaled(f, t, 1.0, 2.0, 2.0)
    place = near(d, 0.07, k.begun)
    low = within(f, plus(b, 0.11, 0.1, 0.01), plus(b, 0.15, -0.1, 0.096))
    high = within(f, plus(b, 0.11, 0.1, 0.16), plus(b, 0.17, -0.1, 0.19))
    place = both(place, both(high, low))
    lifted = lifts(k, o, 0.08, 0.01)
    grasp = 1.0 if lifted else grasped(k, o, (0.0075, 0.03, 0.005))
    reward = both(grasp, place) + (1.0 + 5.0 * place if lifted else 0.0)
    return 10.0 if d <= 0.07 else reward, d <= 0.07


@kernel
def peg_unplug_side(k):
    """A plug out of a wall."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, apart(o0, t))
    caged, held = cage(k, o, o0, (0.025, 0.05, 0.005), 0.8)
    reward = caged + held
    if k.opening > 0.5 and o[0] - o0[0] > 0.015 and apart(o, point(k.tcp)) < 0.035:
        reward += 1.0 + 5.0 * place
    return 10.0 if d <= 0.05 else reward, d <= 0.07


@kernel
def shelf_place(k):
    """A block on a shelf."""
    o, t = point(k.obj), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, apart(point(k.obj0), t))
    _, held = cage(k, o, point(k.obj0), (0.02, 0.05, 0.01), 1.0)
    reward = both(held, place)
    if 0.0 < o[2] < 0.24 and t[0] - 0.15 < o[0] < t[0] + 0.15:
        if t[1] - 0.15 < o[1] < t[1]:
            place = min(max(place - both((o[1] - t[1] + 0.15) / 0.15, (0.24 - o[2]) / 0.24), 0.0), 1.0)
        elif o[1] > t[1]:
            place = 0.0
    if lifts(k, o, 0.025, 0.01):
        reward += 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.07


@kernel
def stick_push(k):
    """A thermos pushed with a stick; `mark` is where the stick was, `mark2` the thermos's foot at the beginning."""
    t, c, b = point(k.goal), point(k.tcp), point(k.obj2)
    s, s0 = plus(point(k.obj), 0.015, 0.0, 0.0), point(k.mark)
    stick = near(apart(s, t), 0.12, apart(s0, t) - 0.12)
    d = apart(b, t)
    thermos = near(d, 0.12, apart(point(k.mark2), t) - 0.12)
    caged, held = cage(k, s, s0, (0.04, 0.05, 0.01), 1.0)
    reward = 0.5 * (caged + held)
    if apart(s, c) < 0.02 and k.opening > 0.0 and s[2] - 0.01 > s0[2]:
        reward = 10.0 if d <= 0.12 else 2.0 + 5.0 * stick + 3.0 * thermos
    return reward, d <= 0.12 and k.touched and k.opening > 0.0 and k.obj[2] - 0.01 > s0[2]


@kernel
def stick_pull(k):
    """A thermos pulled with a stick; marks as in `stick_push`, `mark3` is the stick's end."""
    s, s0, t, q = point(k.obj), point(k.mark), point(k.goal), point(k.obj2)
    ring, foot = plus(q, 0.05, 0.0, 0.0), point(k.mark2)
    first = near(scaled(s, ring, 1.0, 1.0, 2.0), 0.05, scaled(s0, plus(foot, 0.05, 0.0, 0.0), 1.0, 1.0, 2.0))
    second = near(apart(s, t), 0.05, apart(s0, t))
    pulled = near(apart(ring, t), 0.05, apart(foot, t))
    ok = apart(s, point(k.tcp)) < 0.02 and k.opening > 0.0 and s[2] - 0.01 > s0[2]
    base = both(1.0 if ok else grasped(k, s, (0.014, 0.05, 0.01)), first)
    e = k.mark3
    inside = e[0] >= q[0] and abs(e[1] - q[1]) <= 0.04 and abs(e[2] - q[2]) <= 0.06
    done = apart(q, t) <= 0.12 and inside
    reward = base
    if ok:
        reward = 1.0 + base + 5.0 * first
        if inside:
            reward = 10.0 if done else 6.0 + base + 2.0 * second + pulled
    return reward, done


@kernel
def soccer(k):
    """A ball into a goal; the original takes where the ball is now for the width of the reward."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = scaled(o, t, 3.0, 1.0, 1.0)
    place = near(d, 0.07, scaled(o, o0, 3.0, 1.0, 1.0))
    line = t[1] - 0.1
    if o[1] > line and abs(o[0] - t[0]) > 0.1:
        place = min(max(place - 2.0 * ((o[1] - line) / (1.0 - line)), 0.0), 1.0)
    reward = 3.0 * pad_cage(k, o, 0.013, 0.01, 0.005) + 6.5 * place
    return 10.0 if d < 0.07 else reward, apart(o, t) <= 0.07


@kernel
def sweep(k):
    """A cube over the edge of the table."""
    o, t = point(k.obj), point(k.goal)
    d = apart(o, t)
    grasp = pad_cage(k, o, 0.02, 0.01, 0.005)
    reward = 2.0 * grasp + 6.0 * both(grasp, near(d, 0.05, apart(point(k.obj0), t)))
    return 10.0 if d < 0.05 else reward, d <= 0.05


@kernel
def sweep_into(k):
    """A cube into a hole."""
    o = point(k.obj)
    t = (k.goal[0], k.goal[1], o[2])
    d = apart(o, t)
    grasp = pad_cage(k, o, 0.02, 0.005, 0.01)
    reward = 2.0 * grasp + 6.0 * both(grasp, near(d, 0.05, apart(point(k.obj0), t)))
    return 10.0 if d < 0.05 else reward, d <= 0.05


@kernel
def push(k):
    """A puck along the table."""
    o, t = point(k.obj), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, apart(point(k.obj0), t))
    grasp = grasped(k, o, (0.015, 0.05, 0.005))
    reward = 2.0 * grasp
    if apart(o, point(k.tcp)) < 0.02 and k.opening > 0.0:
        reward += grasp * 2.0 + 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.05


@kernel
def push_wall(k):
    """Around a wall."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    m = (-0.05, 0.77, o[2])
    around = near(scaled(o, m, 3.0, 1.0, 1.0), 0.05, scaled(o0, m, 3.0, 1.0, 1.0))
    d = apart(o, t)
    place = near(d, 0.05, apart(o0, t))
    reward = 2.0 * grasped(k, o, (0.015, 0.05, 0.005))
    if apart(o, point(k.tcp)) < 0.02 and k.opening > 0.0:
        reward += 5.0 + 3.0 * place if o[1] > 0.75 else 1.0 + 4.0 * around
    return 10.0 if d < 0.05 else reward, d <= 0.07


@kernel
def push_back(k):
    """A block towards the robot."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d, start = apart(o, t), apart(o0, t)
    place = near(d, 0.05, start)
    reward = both(pad_cage(k, o, 0.007, 0.003, 0.01), place)
    if apart(o, point(k.tcp)) < 0.01 and 0.0 < k.opening < 0.55 and start - d > 0.01:
        reward += 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.07


@kernel
def coffee(k):
    """A mug pulled from or pushed to the machine."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = scaled(o, t, 2.0, 2.0, 1.0)
    place = near(d, 0.05, scaled(o0, t, 2.0, 2.0, 1.0))
    there = apart(o, point(k.tcp))
    _, held = cage(k, o, o0, (0.02, 0.05, 0.05), 0.7)
    reach = near(there, 0.04, abs(apart(o0, point(k.tcp0)) - 0.04))
    reward = both(0.5 * (held + reach), place)
    if there < 0.04 and k.opening > 0.0:
        reward += 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, apart(o, t) <= 0.07


@kernel
def plate_slide(k):
    """A puck into a net."""
    o, o0, t, c = point(k.obj), point(k.obj0), point(k.goal), point(k.tcp)
    d = apart(o, t)
    place, reach = near(d, 0.05, apart(o0, t)), near(apart(c, o), 0.05, apart(point(k.tcp0), o0))
    return 10.0 if d < 0.05 else 8.0 * both(reach, place), d <= 0.07


@kernel
def plate_slide_lying(k):
    """A puck pushed from above, out of a net or to the side."""
    o, o0, t, c = point(k.obj), point(k.obj0), point(k.goal), point(k.tcp)
    d, there = apart(o, t), apart(c, o)
    place, reach = near(d, 0.05, apart(o0, t) - 0.05), near(there, 0.05, apart(point(k.tcp0), o0) - 0.05)
    reward = 2.0 + 7.0 * place if c[2] <= 0.03 and there < 0.07 else 1.5 * reach
    return 10.0 if d < 0.05 else reward, d <= 0.07

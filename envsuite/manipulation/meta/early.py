"""Rewards "v1" of the fifty tasks (Yu et al. 2019), as metaworld 3.1.1 still has them.

They have no common scale: most add minus the distance from the tips of the fingers to the object, some thousands for
what has come near its goal while the tips are near it, and a hundred times the height of what is lifted. Formulas
and numbers are those of the package's `compute_reward`, slips included. A `Look` holds two things otherwise than for
"v2": ``left`` is the tip of the left finger, and ``begun`` what the first kernel of a task returns in its beginning,
the height of what is to be lifted or the length of the way to the goal, m.
"""

from typing import Any

from envsuite.core import kernel
from envsuite.core.fmath import exp, sqrt
from envsuite.manipulation.meta.choosing import one_of
from envsuite.manipulation.meta.shaping import apart, flat, plus, point

CLOSE = 0.05  # m, between tips and object, or goal
WIDE, NARROW = 0.01, 0.001  # m^2, of the two bells around a goal


@kernel
def _bells(d, wide, narrow):
    return exp(-d * d / wide) + exp(-d * d / narrow)


@kernel
def _paid(d, most):
    """For the way that is left: along it, and more near its end."""
    return 1000.0 * (most - d) + 1000.0 * _bells(d, WIDE, NARROW)


@kernel
def _moved(k, tip, d):
    """For an object that tips are near."""
    there = apart(point(k.obj), tip)
    return (max(_paid(d, k.begun), 0.0) if there < CLOSE else 0.0) - there


@kernel
def nothing(k):
    """Where no beginning counts."""
    return 0.0


@kernel
def height_put(k):
    """Height at which the object was put."""
    return k.obj0[2]


@kernel
def height_seen(k):
    """Height of the observed point."""
    return k.obj[2]


@kernel
def height_of_knob(k):
    """Height of the lid's knob over its observed point."""
    return k.obj[2] + 0.05232


@kernel
def way_put(k):
    """From where the object was put."""
    return apart(point(k.obj0), point(k.goal))


@kernel
def way_put_flat(k):
    """The same from above."""
    return flat(point(k.obj0), point(k.goal))


@kernel
def way_seen_flat(k):
    """From the observed point, from above."""
    return flat(point(k.obj), point(k.goal))


@kernel
def way_of_tips(k):
    """From the tips of the fingers."""
    return apart(point(k.tcp), point(k.goal))


@kernel
def way_of_hand_down(k):
    """Down from where the hand was sent."""
    return abs(k.hand0[2] - k.goal[2])


@kernel
def way_down(k):
    """Along z from the observed point."""
    return abs(k.obj[2] - k.goal[2])


@kernel
def way_back(k):
    """Along y from the observed point."""
    return abs(k.obj[1] - k.goal[1])


@kernel
def way_of_dial(k):
    """Along y from the dial."""
    return abs(k.obj0[1] - k.goal[1])


@kernel
def way_of_drawer_in(k):
    """How far the drawer is out."""
    return 0.15


@kernel
def way_of_drawer_out(k):
    """How far it is to come out."""
    return 0.2


@kernel
def way_of_window(k):
    """How far windows slide."""
    return 0.2


@kernel
def way_of_handle_side(k):
    """How far the handle at the side goes."""
    return 0.1


@kernel
def way_of_handle(k):
    """The original takes the height of the handle over its stand for that over the table."""
    return abs(k.goal[2] - 0.022)


@kernel
def press_down(k):
    """A button from above."""
    return _moved(k, point(k.tcp), abs(k.obj[2] - k.goal[2]))


@kernel
def press_front(k):
    """A button from the front, with the left finger."""
    return _moved(k, point(k.left), abs(k.obj[1] - k.goal[1]))


@kernel
def handle(k):
    """A handle up or down, with the left finger."""
    return _moved(k, point(k.left), abs(k.obj[2] - k.goal[2]))


@kernel
def slide(k):
    """Something along the table."""
    return _moved(k, point(k.tcp), flat(point(k.obj), point(k.goal)))


@kernel
def turn(k):
    """A handle, a lever or a lock to its goal."""
    return _moved(k, point(k.tcp), apart(point(k.obj), point(k.goal)))


@kernel
def drawer(k):
    """A drawer in or out."""
    return _moved(k, point(k.tcp), abs(k.obj[1] - k.goal[1]))


@kernel
def dial(k):
    """A dial, with narrower bells."""
    d, there = abs(k.obj[1] - k.goal[1]), apart(point(k.obj), point(k.tcp))
    turned = max(1000.0 * (k.begun - d) + 1000.0 * _bells(d, 0.001, 0.0001), 0.0)
    return (turned if there < CLOSE else 0.0) - there


@kernel
def window(k):
    """A window, the only task in which what is paid for the way may be negative."""
    d, there = abs(k.obj[0] - k.goal[0]), apart(point(k.obj), point(k.tcp))
    return (_paid(d, k.begun) if there < CLOSE else 0.0) - there


@kernel
def coffee_pull(k):
    """A mug; for the tips' distance the original takes the mug's place and the tips' first height as one vector."""
    x, y, z = k.obj[0], k.obj[1], k.tcp0[2]
    near = apart(point(k.obj), point(k.tcp)) < CLOSE
    pulled = max(_paid(flat(point(k.obj), point(k.goal)), k.begun), 0.0) if near else 0.0
    return pulled - sqrt(x * x + y * y + z * z)


@kernel
def _swept(k, fallen):
    """A cube; what has fallen has arrived, whatever it fell from."""
    there, d = apart(point(k.obj), point(k.tcp)), flat(point(k.obj), point(k.goal))
    near = there < CLOSE
    if fallen:
        there = d = 0.0
    return (max(_paid(d, k.begun), 0.0) if near else 0.0) - there


@kernel
def sweep(k):
    """A cube over the edge of the table."""
    return _swept(k, k.obj[2] < k.obj0[2] - 0.05)


@kernel
def sweep_into(k):
    """A cube into a hole."""
    return _swept(k, k.obj[2] < k.obj0[2] - 0.05 and 0.4 < k.obj[1] < 1.0)


@kernel
def reach(k):
    """The goal with the tips of the fingers."""
    return max(_paid(apart(point(k.tcp), point(k.goal)), k.begun), 0.0)


@kernel
def hand_insert(k):
    """The hand into the hole; the cube does not count."""
    there, d = flat(point(k.tcp), point(k.goal)), abs(k.tcp[2] - k.goal[2])
    return (max(_paid(d, k.begun), 0.0) if there < CLOSE else 0.0) - there


@kernel
def _above(k, o, height, over, close, share):
    """For tips over an object, and then around it: from above first, with a share of the way up to a height."""
    there, aside = apart(o, point(k.tcp)), flat(o, point(k.tcp))
    if there < close:
        return max(k.grip, 0.0) / 50.0 - there
    return -there if aside < over else -aside - share * abs(k.tcp[2] - height)


@kernel
def _up(k, o, z, wanted, raised, near):
    """For lifting: a hundred times the height, as much as is wanted where the object counts as raised."""
    if raised:
        return 100.0 * wanted
    return 100.0 * min(wanted, z) if apart(o, point(k.tcp)) < near and z > k.begun + 0.005 else 0.0


@kernel
def _held(k, o, z, d):
    """Whether an object does not lie where it lay, away from goal and tips."""
    return not (z < k.begun + 0.005 and d > 0.02 and apart(o, point(k.tcp)) > 0.02)


@kernel
def _raised(k, o, wanted, d):
    """Whether an object is up, and not dropped."""
    return o[2] >= wanted - 0.01 and _held(k, o, o[2], d)


@kernel
def _whole_way(k, wanted):
    """Up, and from there to the goal."""
    return apart((k.obj0[0], k.obj0[1], wanted), point(k.goal)) + wanted


@kernel
def _placed(k, o, d, most, raised):
    """For bringing a raised object to its goal."""
    return max(_paid(d, most), 0.0) if raised and apart(o, point(k.tcp)) < 0.1 else 0.0


@kernel
def _carry(k, lift):
    """An object up and to the goal."""
    o, wanted = point(k.obj), k.begun + lift
    d = apart(o, point(k.goal))
    raised = _raised(k, o, wanted, d)
    reward = _above(k, o, k.tcp0[2], CLOSE, CLOSE, 2.0) + _up(k, o, o[2], wanted, raised, 0.1)
    return reward + _placed(k, o, d, _whole_way(k, wanted), raised)


@kernel
def carry(k):
    """A puck or block."""
    return _carry(k, 0.04)


@kernel
def box_close(k):
    """A lid; its knob's height counts as its own."""
    return _carry(k, 0.12)


@kernel
def basketball(k):
    """A ball."""
    return _carry(k, 0.3)


@kernel
def pick_out_of_hole(k):
    """A puck, whose height counts from 2 cm below where it lay."""
    o, wanted = point(k.obj), k.begun + 0.11
    d, less = apart(o, point(k.goal)), 100.0 * (k.begun - 0.02)
    raised = _raised(k, o, wanted, d)
    up = _up(k, o, o[2], wanted, raised, 0.1)
    up = up - less if raised or (apart(o, point(k.tcp)) < 0.1 and o[2] > k.begun + 0.005) else 0.0
    reward = _above(k, o, k.tcp0[2], CLOSE, CLOSE, 2.0) + up
    return reward + _placed(k, o, d, _whole_way(k, wanted), raised)


@kernel
def peg_insert(k):
    """A peg, whose head leads until it is near; `mark` is the head."""
    o, t, wanted = point(k.obj), point(k.goal), k.begun + 0.11
    d, head = apart(o, t), apart(point(k.mark), t)
    raised = _raised(k, o, wanted, d)
    reward = _above(k, o, k.tcp0[2], CLOSE, CLOSE, 1.0) + _up(k, o, o[2], wanted, raised, 0.1)
    return reward + _placed(k, o, d if head <= 0.05 else head, _whole_way(k, wanted), raised)


@kernel
def peg_unplug(k):
    """A plug, along its way."""
    o, t = point(k.obj), point(k.goal)
    reward = _above(k, o, k.hand0[2], CLOSE, CLOSE, 2.0)
    return reward + (max(_paid(flat(o, t), k.begun), 0.0) if apart(o, point(k.tcp)) < CLOSE else 0.0)


@kernel
def bin_picking(k):
    """A cube into the other bin, over which open fingers are paid."""
    o, t, wanted = point(k.obj), point(k.goal), k.begun + 0.1
    d, most = flat(o, t), flat(point(k.obj0), t) + wanted
    over = abs(o[0] - t[0]) < 0.05 and abs(o[1] - t[1]) < 0.05
    if over and o[2] < k.begun + 0.05:
        return max(_paid(d, most), 0.0) - 200.0 * k.grip
    raised = _raised(k, o, wanted, d)
    reward = _above(k, o, k.tcp0[2], 0.06, CLOSE, 1.0) + _up(k, o, o[2], wanted, raised, 0.1)
    reward += _placed(k, o, d, most, raised)
    return reward - 200.0 * k.grip if over and raised and apart(o, point(k.tcp)) < 0.1 else reward


@kernel
def assembly(k):
    """A nut over a peg and down; `mark` is the nut's centre."""
    o, n, t, wanted = point(k.obj), point(k.mark), point(k.goal), k.begun + 0.1
    there, d, left = apart(o, point(k.tcp)), flat(n, t), abs(n[2] - k.begun)
    over = abs(n[0] - t[0]) < 0.03 and abs(n[1] - t[1]) < 0.03
    raised = n[2] >= wanted - 0.01 and there < 0.03 and _held(k, o, n[2], d)
    reward = _above(k, o, k.tcp0[2], 0.04, 0.04, 1.0) + _up(k, o, n[2], wanted, over or raised, 0.04)
    place = _paid(d, _whole_way(k, wanted))
    if over:
        place += 2000.0 * (wanted - left) + 2000.0 * _bells(left, 0.003, 0.0003)
    return reward + (max(place, 0.0) if over or raised else 0.0)


@kernel
def disassemble(k):
    """A nut off a peg; `mark` is the nut's centre."""
    o, t, wanted = point(k.obj), point(k.goal), k.begun + 0.05
    there, d = apart(o, point(k.tcp)), apart(o, t)
    raised = there < 0.04 and _raised(k, o, wanted, d)
    place = max(_paid(d, _whole_way(k, wanted)), 0.0) if raised and there < 0.03 else 0.0
    if abs(k.mark[0] - t[0]) > 0.05 or abs(k.mark[1] - t[1]) > 0.05:
        return 100.0 * wanted + place
    return _above(k, o, k.tcp0[2], 0.04, 0.04, 2.0) + _up(k, o, o[2], wanted, raised, 0.04) + place


@kernel
def _grip(k, o):
    """For tips at an object, from any side."""
    there = apart(o, point(k.tcp))
    return (max(k.grip, 0.0) / 50.0 if there < CLOSE else 0.0) - there


@kernel
def hammer(k):
    """The head to where the nail's began; the way that the nail has left is its first one for ever."""
    o, t, wanted, screw = point(k.obj), point(k.goal), k.begun + 0.09, 0.105
    w, x, y, z = k.quat[0], k.quat[1], k.quat[2], k.quat[3]
    head = plus(o, 0.16 * (1.0 - 2.0 * (y * y + z * z)), 0.32 * (x * y + w * z), 0.32 * (x * z - w * y))
    d = apart(plus(t, 0.0, -screw, 0.0), head)
    raised = _raised(k, o, wanted, d)
    most = abs(wanted - k.obj0[2]) + wanted + abs(k.obj0[1] - t[1])
    return _grip(k, o) + _up(k, o, o[2], wanted, raised, 0.1) + _placed(k, o, d + screw, most, raised)


@kernel
def _stick(k, wide, narrow):
    """A stick; for the thermos the original takes the stick's height and half of its turn."""
    s, t, wanted = point(k.obj), point(k.goal), k.begun + 0.04
    wrong = (k.obj[2], k.quat[0], k.quat[1])
    d, there = flat(wrong, t), apart(s, wrong)
    raised = _raised(k, s, wanted, d)
    reward = _grip(k, s) + _up(k, s, s[2], wanted, raised, 0.1)
    if not (raised and apart(s, point(k.tcp)) < 0.1):
        return reward
    most = apart((k.mark2[0], k.mark2[1], wanted), point(k.mark)) + wanted
    moved = _paid(there, most)
    if there < 0.05:
        moved += 1000.0 * (flat(point(k.mark2), t) - d) + 2000.0 * _bells(d, wide, narrow)
    return reward + max(moved, 0.0)


@kernel
def stick_push(k):
    """A thermos pushed with a stick."""
    return _stick(k, 0.001, 0.0001)


@kernel
def stick_pull(k):
    """A thermos pulled with a stick."""
    return _stick(k, WIDE, NARROW)


EARLY: dict[str, tuple[Any, Any]] = {
    "assembly": (height_seen, assembly),
    "basketball": (height_put, basketball),
    "bin-picking": (height_put, bin_picking),
    "box-close": (height_of_knob, box_close),
    "button-press-topdown": (way_down, press_down),
    "button-press-topdown-wall": (way_down, press_down),
    "button-press": (way_back, press_front),
    "button-press-wall": (nothing, press_front),
    "coffee-button": (way_back, press_front),
    "coffee-pull": (way_put_flat, coffee_pull),
    "coffee-push": (way_put_flat, slide),
    "dial-turn": (way_of_dial, dial),
    "disassemble": (height_put, disassemble),
    "door-close": (way_seen_flat, slide),
    "door-lock": (way_put, turn),
    "door-open": (way_seen_flat, slide),
    "door-unlock": (way_put, turn),
    "hand-insert": (way_of_hand_down, hand_insert),
    "drawer-close": (way_of_drawer_in, drawer),
    "drawer-open": (way_of_drawer_out, drawer),
    "faucet-open": (way_put, turn),
    "faucet-close": (way_put, turn),
    "hammer": (height_put, hammer),
    "handle-press-side": (way_down, handle),
    "handle-press": (way_down, handle),
    "handle-pull-side": (way_of_handle_side, handle),
    "handle-pull": (way_of_handle, handle),
    "lever-pull": (way_put, turn),
    "pick-place-wall": (height_put, carry),
    "pick-out-of-hole": (height_put, pick_out_of_hole),
    "pick-place": (height_put, carry),
    "plate-slide": (way_put_flat, slide),
    "plate-slide-side": (way_put_flat, slide),
    "plate-slide-back": (way_seen_flat, slide),
    "plate-slide-back-side": (way_seen_flat, slide),
    "peg-insert-side": (height_put, peg_insert),
    "peg-unplug-side": (way_put, peg_unplug),
    "soccer": (way_put_flat, slide),
    "stick-push": (height_seen, stick_push),
    "stick-pull": (height_seen, stick_pull),
    "push": (way_put_flat, slide),
    "push-wall": (way_put_flat, slide),
    "push-back": (way_put_flat, slide),
    "reach": (way_of_tips, reach),
    "reach-wall": (way_of_tips, reach),
    "shelf-place": (height_put, carry),
    "sweep-into": (way_put_flat, sweep_into),
    "sweep": (way_put_flat, sweep),
    "window-open": (way_of_window, window),
    "window-close": (way_of_window, window),
}
"""What holds a task's beginning, and its reward; in the order of MT50."""

begin = one_of("meta_begin_early", [one for one, _ in EARLY.values()])
"""Kernel (task, look) that returns what `Look.begun` is to hold."""

pay_early = one_of("meta_pay_early", [reward for _, reward in EARLY.values()])
"""Kernel (task, look) that returns the reward."""

"""What a fighter looks like in each of its states."""

from envsuite.core import kernel
from envsuite.core.raster import POLYGON
from envsuite.fighting.figures import (
    BLUE,
    BULK,
    GEAR,
    GEAR_CORNERS,
    GOLD,
    INK,
    RED,
    SKIN,
    SUIT,
    TRIM,
    WHITE,
)
from envsuite.fighting.kernel.sheet import JOINTS, disc, next_shape, set_corner, stroke
from envsuite.fighting.params import (
    AIR,
    AIR_HIT,
    ATTACK,
    BLOCK_CROUCH,
    BLOCK_STAND,
    COUNTER,
    CROUCH,
    CROUCH_HEIGHT,
    DASH_B,
    DASH_F,
    DOWN,
    GETUP,
    GRAB,
    HIT,
    KO,
    LANDING,
    PREJUMP,
    SHIFT,
    SHOT,
    SPECIAL,
    STAND_HEIGHT,
    SUPER,
    THROWING,
    THROWN,
    UNIT,
    WALK_B,
    WALK_F,
    WIN,
)

_STRIDE = 24 * UNIT  # of walking legs, there and back
_BENT = 66.0  # px, with bent knees; what can be hit is as high as one who stands
_HIP, _NECK, _HEAD, _FRONT_FOOT, _BACK_FOOT, _FRONT_HAND, _BACK_HAND = range(len(JOINTS))


@kernel
def _put(joints, k, x, y):
    joints[k, 0], joints[k, 1] = x, y


@kernel
def _pose(joints, look, m, half):
    """Place the joints of a figure that is not on the ground."""
    state = look.state
    low = state in (CROUCH, BLOCK_CROUCH, GETUP)
    low = low or (state == ATTACK and 6 <= look.move < 12)
    high = float(CROUCH_HEIGHT) if low else float(STAND_HEIGHT)
    if state in (PREJUMP, LANDING):
        high = _BENT
    stride = 0.0
    if state in (WALK_F, WALK_B):
        stride = 20.0 * abs((look.x % _STRIDE) / _STRIDE - 0.5) - 5.0
    _put(joints, _HIP, 0.0, 0.45 * high)
    _put(joints, _NECK, 1.0, 0.8 * high)
    _put(joints, _FRONT_FOOT, half * 0.7 + stride, 0.0)
    _put(joints, _BACK_FOOT, -half * 0.8 - stride, 0.0)
    _put(joints, _FRONT_HAND, half + 4.0, 0.66 * high)
    _put(joints, _BACK_HAND, half * 0.7, 0.56 * high)
    if state in (AIR, AIR_HIT) or (state == ATTACK and m.air != 0):
        _put(joints, _FRONT_FOOT, half * 0.7, 12.0)
        _put(joints, _BACK_FOOT, -half * 0.4, 6.0)
    if state in (BLOCK_STAND, BLOCK_CROUCH):
        _put(joints, _FRONT_HAND, float(half), 0.86 * high)
        _put(joints, _BACK_HAND, half - 2.0, 0.7 * high)
    elif state in (HIT, AIR_HIT, THROWN):
        _put(joints, _NECK, -8.0, 0.76 * high)
        _put(joints, _FRONT_HAND, 2.0, 0.9 * high)
        _put(joints, _BACK_HAND, -14.0, 0.6 * high)
    elif state in (DASH_F, DASH_B):
        _put(joints, _NECK, 8.0 if state == DASH_F else -8.0, 0.72 * high)
        _put(joints, _FRONT_FOOT, half + 4.0, 0.0)
        _put(joints, _BACK_FOOT, -half - 6.0, 3.0)
    elif state == WIN:
        _put(joints, _FRONT_HAND, 9.0, 1.1 * high)
        _put(joints, _BACK_HAND, -9.0, 1.1 * high)
    elif state == THROWING:
        _put(joints, _FRONT_HAND, half + 12.0, 0.8 * high)
        _put(joints, _BACK_HAND, half + 10.0, 0.55 * high)
    elif state == ATTACK:
        _strike(joints, look, m, half, high)
    _put(joints, _HEAD, joints[_NECK, 0] + 1.5, joints[_NECK, 1] + 0.13 * STAND_HEIGHT)


@kernel
def _strike(joints, look, m, half, high):
    """Pose of an attack: the limb that hits reaches for the middle of the far edge of its box."""
    if m.type == SHIFT:
        _put(joints, _FRONT_HAND, 3.0, 0.95 * high)
        _put(joints, _BACK_HAND, -3.0, 0.95 * high)
        return
    if m.type == COUNTER:
        _put(joints, _FRONT_HAND, float(half), 0.9 * high)
        _put(joints, _BACK_HAND, half + 2.0, 0.4 * high)
        return
    reach = 1.0 if look.phase == 2 else (0.25 if look.phase == 1 else 0.5)
    if m.type == SHOT:
        reach = 1.0 if look.phase >= 2 else 0.2
        _put(joints, _FRONT_HAND, half + 14.0 * reach, 0.5 * high)
        _put(joints, _BACK_HAND, half + 12.0 * reach, 0.42 * high)
        return
    rest_x, rest_y = half * 0.6, 0.5 * high
    x = rest_x + reach * (m.x1 - rest_x)
    y = rest_y + reach * (0.5 * (m.y0 + m.y1) - rest_y)
    if m.height == GRAB:
        _put(joints, _FRONT_HAND, x, y)
        _put(joints, _BACK_HAND, x, y - 8.0)
    elif (look.move < SPECIAL and look.move % 6 >= 3) or (look.move >= SPECIAL and m.y1 <= 24):
        _put(joints, _FRONT_FOOT, x, y)
        joints[_NECK, 0] -= 5.0 * reach
    else:
        _put(joints, _FRONT_HAND, x, y)
        joints[_NECK, 0] += 5.0 * reach


@kernel
def _darker(color, percent):
    return color[0] * percent // 100, color[1] * percent // 100, color[2] * percent // 100


@kernel
def _limb(sheet, x, y, facing, ax, ay, bx, by, width, color):
    stroke(sheet, x + facing * ax, y + ay, x + facing * bx, y + by, width, color, 255)


@kernel
def _head(sheet, character, x, y, facing):
    disc(sheet, x, y, 8.6, INK, 255)
    disc(sheet, x, y, 7.4, SKIN[character], 255)
    disc(sheet, x + facing * 4.0, y + 1.0, 1.2, INK, 255)
    trim = TRIM[character]
    for k in range(2):
        corners = GEAR_CORNERS[character, k]
        if corners > 0:
            shape = next_shape(sheet, POLYGON, trim[0], trim[1], trim[2], 255)
            shape.corners = corners
            for j in range(corners):
                set_corner(shape, j, x + facing * GEAR[character, k, j, 0], y + GEAR[character, k, j, 1])


@kernel
def _lying(sheet, character, x, y, facing):
    bulk = BULK[character]
    _limb(sheet, x, y, facing, 6.0, 8.0, 34.0, 5.0, bulk, SUIT[character])
    _limb(sheet, x, y, facing, 6.0, 8.0, -20.0, 8.0, 1.5 * bulk, SUIT[character])
    _limb(sheet, x, y, facing, -20.0, 8.0, -12.0, 3.0, 0.7 * bulk, SKIN[character])
    _head(sheet, character, x - facing * 29.0, y + 9.0, facing)


@kernel
def _standing(sheet, character, x, y, facing, half):
    """Legs, torso and arms by the joints."""
    j, bulk = sheet.joints, BULK[character]
    hip_x, hip_y = j[_HIP, 0], j[_HIP, 1]
    chest_x, chest_y = j[_NECK, 0], j[_NECK, 1] - 4.0
    suit, skin = SUIT[character], SKIN[character]
    dark_suit, dark_skin = _darker(suit, 72), _darker(skin, 80)
    for k in range(2):
        foot = _BACK_FOOT if k == 0 else _FRONT_FOOT
        color = dark_suit if k == 0 else (suit[0], suit[1], suit[2])
        knee_x, knee_y = 0.5 * (hip_x + j[foot, 0]) + 3.0, 0.5 * (hip_y + j[foot, 1]) + 1.0
        _limb(sheet, x, y, facing, hip_x, hip_y, knee_x, knee_y, bulk, color)
        _limb(sheet, x, y, facing, knee_x, knee_y, j[foot, 0], j[foot, 1], bulk, color)
    _limb(sheet, x, y, facing, chest_x, chest_y, j[_BACK_HAND, 0], j[_BACK_HAND, 1], 0.7 * bulk, dark_skin)
    _limb(sheet, x, y, facing, hip_x, hip_y, j[_NECK, 0], j[_NECK, 1], 1.7 * bulk, suit)
    _limb(sheet, x, y, facing, hip_x - 0.3 * half, hip_y, hip_x + 0.3 * half, hip_y, 3.5, TRIM[character])
    hand_x, hand_y = j[_FRONT_HAND, 0], j[_FRONT_HAND, 1]
    elbow_x, elbow_y = 0.5 * (chest_x + hand_x), 0.5 * (chest_y + hand_y) - 2.0
    _limb(sheet, x, y, facing, chest_x, chest_y, elbow_x, elbow_y, 0.75 * bulk, skin)
    _limb(sheet, x, y, facing, elbow_x, elbow_y, hand_x, hand_y, 0.75 * bulk, skin)
    disc(sheet, x + facing * hand_x, y + hand_y, 0.55 * bulk, TRIM[character], 255)
    _head(sheet, character, x + facing * j[_HEAD, 0], y + j[_HEAD, 1], facing)


@kernel
def figure(sheet, look, ch, character, own, ex):
    """A fighter with its shadow, the glow of its special, and the mark that says whose it is."""
    m = ch.moves[look.move]
    x, y, facing = look.x / UNIT, look.y / UNIT, float(look.facing)
    shadow = next_shape(sheet, POLYGON, INK[0], INK[1], INK[2], 70)
    shadow.corners = 6
    for k in range(6):
        wide, high = (-1.2, -0.7, 0.7, 1.2, 0.7, -0.7)[k], (0, 1, 1, 0, -1, -1)[k]
        set_corner(shadow, k, x + wide * ch.half, -3.0 + 3.0 * high)
    if look.state == DOWN or look.state == KO:
        _lying(sheet, character, x, y, facing)
        return
    if look.state == ATTACK and look.move >= SPECIAL:
        if look.move == SUPER or ex:
            disc(sheet, x, y + 40.0, 34.0, GOLD, 110)
        elif look.armour != 0:
            disc(sheet, x, y + 40.0, 34.0, RED, 90)
        else:
            disc(sheet, x, y + 40.0, 34.0, WHITE, 150 if look.safe != 0 else 70)
    _pose(sheet.joints, look, m, ch.half)
    _standing(sheet, character, x, y, facing, ch.half)
    color = BLUE if own else RED
    mark = next_shape(sheet, POLYGON, color[0], color[1], color[2], 255)
    mark.corners = 3
    set_corner(mark, 0, x - 6.0, y + 112.0)
    set_corner(mark, 1, x + 6.0, y + 112.0)
    set_corner(mark, 2, x, y + 102.0)

"""Draws the stage from the side, fighters as jointed figures, each with a look of its own; boxes on demand."""

from dataclasses import dataclass

import numpy as np

from envsuite.fighting.characters import CAST
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
    FRAMES,
    GETUP,
    GRAB,
    HIT,
    KO,
    LANDING,
    METER,
    MINE_HALF,
    MINE_HIGH,
    MOVE_NAMES,
    PREJUMP,
    SHIFT,
    SHOT,
    SHOT_HALF,
    SHOT_HIGH,
    SHOT_LOW,
    SHOTS,
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

WIDTH, HEIGHT, GROUND = 384, 224, 196  # px of the stage; the floor's place from the top
SKY, HILLS, FLOOR, LINE = (190, 206, 224), (164, 182, 200), (148, 132, 112), (112, 98, 82)
INK, WHITE, GOLD, RED, GREEN, BLUE = (
    (30, 32, 40),
    (248, 248, 244),
    (236, 186, 48),
    (208, 60, 56),
    (74, 168, 90),
    (64, 120, 210),
)

Point = tuple[float, float]


@dataclass(frozen=True)
class Look:
    """Colours and build of a character.

    Attributes:
        suit: colour of torso and legs.
        skin: of head and arms.
        trim: of belt and headgear.
        gear: shape on the head: ``band``, ``horns``, ``crest``, ``hood``, ``flat``, ``tail``, ``plate``, ``wings``,
            ``mask``, ``hat``, ``plume`` or ``visor``.
        bulk: thickness of the limbs, px.
    """

    suit: tuple[int, int, int]
    skin: tuple[int, int, int]
    trim: tuple[int, int, int]
    gear: str
    bulk: float


LOOKS = (
    Look((232, 232, 226), (226, 180, 140), (200, 60, 50), "band", 8),
    Look((120, 72, 48), (206, 150, 110), (60, 44, 36), "horns", 12),
    Look((222, 90, 40), (240, 196, 160), (250, 200, 60), "crest", 7),
    Look((70, 100, 170), (236, 200, 170), (220, 230, 250), "hood", 8),
    Look((60, 120, 80), (180, 130, 96), (226, 210, 130), "flat", 8),
    Look((120, 60, 160), (236, 190, 160), (90, 220, 210), "tail", 6),
    Look((96, 104, 118), (190, 150, 120), (60, 66, 78), "plate", 13),
    Look((240, 200, 90), (232, 184, 150), (250, 250, 240), "wings", 7),
    Look((150, 40, 70), (240, 214, 196), (30, 30, 40), "mask", 8),
    Look((90, 110, 60), (200, 156, 120), (150, 90, 40), "hat", 8),
    Look((40, 70, 90), (222, 178, 146), (230, 120, 60), "plume", 7),
    Look((210, 214, 232), (214, 176, 150), (60, 190, 240), "visor", 8),
)
"""By character, in the order of the cast."""


class _Stage:
    """A canvas, and where places of the stage lie on it; the scales of both axes may differ."""

    def __init__(self, size: tuple[int, int]):
        from envsuite.core.canvas import Canvas

        self.width, self.height = size
        self.canvas = Canvas(*size, SKY, supersample=3 if self.width < 200 else 2)
        self.across, self.down = self.width / WIDTH, self.height / HEIGHT
        self.fine = self.width < 200

    def at(self, x: float, y: float) -> Point:
        """The place of a point of the stage, px, y upwards from the floor."""
        return x * self.across, (GROUND - y) * self.down

    def thick(self, px: float) -> float:
        return max(1.0, px * min(self.across, self.down))

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        (left, bottom), (right, top) = self.at(min(x0, x1), y0), self.at(max(x0, x1), y1)
        return left, top, max(right, left + 1), max(bottom, top + 1)

    def limb(self, points: list[Point], color, px: float) -> None:
        self.canvas.line([self.at(*point) for point in points], color, self.thick(px))
        for point in points:
            self.canvas.circle(self.at(*point), self.thick(px) / 2, color)


def draw(state: np.void, p: np.void, size: tuple[int, int], boxes: bool = False) -> np.ndarray:
    """Draw one record.

    Args:
        state: record of type `envsuite.fighting.state.STATE`.
        p: the parameters.
        size: (width, height) in pixels; the stage fills it.
        boxes: show hit boxes (red), bodies (blue, white where untouchable) and projectiles' boxes.

    Returns:
        uint8 array (height, width, 3).
    """
    stage = _Stage(size)
    _background(stage)
    order = sorted(range(2), key=lambda i: int(state["fighters"][i]["state"]) == ATTACK)
    for i in order:
        _fighter(stage, state["fighters"][i], p, i)
    for i in range(2):
        for k in range(SHOTS):
            if state["fighters"][i]["shots"][k]["on"]:
                _projectile(stage, state["fighters"][i], k)
    if boxes:
        for i in range(2):
            _boxes(stage, state["fighters"][i], p)
    _bars(stage, state, p)
    return stage.canvas.to_array()


def _background(stage: _Stage) -> None:
    hills = [(0, 20), (60, 52), (120, 24), (190, 60), (260, 22), (330, 48), (384, 26), (384, 0), (0, 0)]
    stage.canvas.polygon([stage.at(*point) for point in hills], HILLS)
    stage.canvas.rectangle(stage.box(0, -30, WIDTH, 6), FLOOR)
    stage.canvas.line([stage.at(0, 0), stage.at(WIDTH, 0)], LINE, stage.thick(1.5))


# ----------------------------------------------------------------------------------------------------- figures


@dataclass
class _Pose:
    """Joints relative to the feet, px, forward positive."""

    hip: Point
    neck: Point
    head: Point
    feet: tuple[Point, Point]
    hands: tuple[Point, Point]


def _pose(f: np.void, m: np.void, half: int) -> _Pose:
    state, age = int(f["state"]), int(f["age"])
    low = state in (CROUCH, BLOCK_CROUCH, PREJUMP, LANDING) or (state == ATTACK and 6 <= f["move"] < 12)
    high = CROUCH_HEIGHT if low else STAND_HEIGHT
    hip, neck = (0.0, 0.45 * high), (1.0, 0.8 * high)
    stride = 5 * np.sin(age * 0.45) if state in (WALK_F, WALK_B) else 0.0
    feet = ((half * 0.7 + stride, 0.0), (-half * 0.8 - stride, 0.0))
    hands = ((half + 4.0, 0.66 * high), (half * 0.7, 0.56 * high))
    if state in (AIR, AIR_HIT) or (state == ATTACK and m["air"]):
        feet = ((half * 0.7, 12.0), (-half * 0.4, 6.0))
    if state in (BLOCK_STAND, BLOCK_CROUCH) or f["guard"]:
        hands = ((half, 0.86 * high), (half - 2.0, 0.7 * high))
    if state in (HIT, AIR_HIT, THROWN):
        neck, hands = (-8.0, 0.76 * high), ((2.0, 0.9 * high), (-14.0, 0.6 * high))
    if state in (DASH_F, DASH_B):
        neck = (8.0 if state == DASH_F else -8.0, 0.72 * high)
        feet = ((half + 4.0, 0.0), (-half - 6.0, 3.0))
    if state == WIN:
        hands = ((9.0, 1.1 * high), (-9.0, 1.1 * high))
    if state == THROWING:
        hands = ((half + 12.0, 0.8 * high), (half + 10.0, 0.55 * high))
    if state == ATTACK:
        hands, feet, neck = _strike(f, m, half, high, hands, feet, neck)
    head = (neck[0] + 1.5, neck[1] + 0.13 * STAND_HEIGHT)
    return _Pose(hip, neck, head, feet, hands)


def _strike(f: np.void, m: np.void, half: int, high: float, hands, feet, neck):
    """Hands, feet and neck of an attack: the limb that hits reaches for the middle of the far edge of its box."""
    move, frame, first, last = (int(f[name]) for name in ("move", "frame", "first", "last"))
    if m["type"] == SHIFT:
        return ((3.0, 0.95 * high), (-3.0, 0.95 * high)), feet, neck
    if m["type"] == COUNTER:
        return ((half, 0.9 * high), (half + 2.0, 0.4 * high)), feet, neck
    reach = 1.0 if first <= frame <= last else (0.25 if frame < first else 0.5)
    if m["type"] == SHOT:
        reach = 1.0 if first <= frame <= first + 12 else 0.2
        return ((half + 14 * reach, 0.5 * high), (half + 12 * reach, 0.42 * high)), feet, neck
    target = (float(m["x1"]), (float(m["y0"]) + float(m["y1"])) / 2)
    rest = (half * 0.6, 0.5 * high)
    limb = tuple(a + reach * (b - a) for a, b in zip(rest, target, strict=True))
    if m["height"] == GRAB:
        return (limb, (limb[0], limb[1] - 8)), feet, neck
    kick = move < SPECIAL and move % 6 >= 3
    kick = kick or (move >= SPECIAL and m["y1"] <= 24)
    if kick:
        return hands, (limb, feet[1]), (neck[0] - 5 * reach, neck[1])
    return (limb, hands[1]), feet, (neck[0] + 5 * reach, neck[1])


def _fighter(stage: _Stage, f: np.void, p: np.void, player: int) -> None:
    character = int(f["character"])
    look, one = LOOKS[character], p["characters"][character]
    m, half = one["moves"][int(f["move"])], int(one["half"])
    x, y, facing = int(f["x"]) / UNIT, int(f["y"]) / UNIT, int(f["facing"])
    shade = 0.30 * half
    shadow = [(x + 1.1 * half * np.cos(a), -3 + 3 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 13)]
    stage.canvas.polygon([stage.at(*point) for point in shadow], (0, 0, 0, 70))
    if f["state"] in (DOWN, KO) or (f["state"] == GETUP and f["age"] < 9):
        _lying(stage, look, x, y, facing, half)
        return
    pose = _pose(f, m, half)

    def put(point: Point) -> Point:
        return x + facing * point[0], y + point[1]

    dark = tuple(int(0.72 * c) for c in look.suit)
    shoulder = (pose.neck[0], pose.neck[1] - 4)
    for foot, color in ((pose.feet[1], dark), (pose.feet[0], look.suit)):
        knee = ((pose.hip[0] + foot[0]) / 2 + 3, (pose.hip[1] + foot[1]) / 2 + 1)
        stage.limb([put(pose.hip), put(knee), put(foot)], color, look.bulk)
    stage.limb([put(shoulder), put(pose.hands[1])], tuple(int(0.8 * c) for c in look.skin), 0.7 * look.bulk)
    stage.limb([put(pose.hip), put(pose.neck)], look.suit, 1.7 * look.bulk)
    stage.limb([put((pose.hip[0] - shade, pose.hip[1])), put((pose.hip[0] + shade, pose.hip[1]))], look.trim, 3.5)
    elbow = ((shoulder[0] + pose.hands[0][0]) / 2, (shoulder[1] + pose.hands[0][1]) / 2 - 2)
    stage.limb([put(shoulder), put(elbow), put(pose.hands[0])], look.skin, 0.75 * look.bulk)
    stage.canvas.circle(stage.at(*put(pose.hands[0])), stage.thick(0.55 * look.bulk), look.trim)
    _head(stage, look, put(pose.head), facing)
    _effects(stage, f, m, x, y, facing, player)


def _lying(stage: _Stage, look: Look, x: float, y: float, facing: int, half: int) -> None:
    feet, hip, neck = (x + facing * 34, y + 5), (x + facing * 6, y + 8), (x - facing * 20, y + 8)
    stage.limb([hip, feet], look.suit, look.bulk)
    stage.limb([hip, neck], look.suit, 1.5 * look.bulk)
    stage.limb([neck, (x - facing * 12, y + 3)], look.skin, 0.7 * look.bulk)
    _head(stage, look, (neck[0] - facing * 9, y + 9), facing)


def _head(stage: _Stage, look: Look, place: Point, facing: int) -> None:
    canvas, (x, y), r = stage.canvas, place, 8.0
    canvas.circle(stage.at(x, y), stage.thick(r), look.skin, INK, stage.thick(0.6))
    canvas.circle(stage.at(x + facing * 4, y + 1), stage.thick(1.2), INK)

    def shape(points: list[Point]) -> None:
        canvas.polygon([stage.at(x + facing * a, y + b) for a, b in points], look.trim)

    shapes: dict[str, list[list[Point]]] = {
        "band": [[(-8, 3), (8, 3), (8, 6), (-8, 6)], [(-8, 5), (-17, 1), (-15, 6)]],
        "horns": [[(2, 6), (8, 15), (7, 5)], [(-4, 6), (-9, 15), (-8, 4)]],
        "crest": [[(-7, 4), (-4, 16), (0, 9), (4, 15), (7, 4)]],
        "hood": [[(-9, -6), (-8, 8), (0, 12), (6, 8), (1, 5), (-3, -7)]],
        "flat": [[(-9, 5), (11, 5), (11, 8), (-9, 9)]],
        "tail": [[(-5, 7), (-22, 3), (-26, -8), (-12, 0)], [(-7, 5), (7, 5), (4, 10), (-5, 10)]],
        "plate": [[(-9, 1), (9, 1), (8, 10), (-8, 10)], [(-2, 10), (2, 10), (2, 15), (-2, 15)]],
        "wings": [[(-4, 4), (-18, 13), (-13, 4), (-6, 1)], [(-6, 5), (7, 5), (3, 10), (-4, 10)]],
        "mask": [[(-2, -1), (9, -2), (8, 4), (-3, 5)]],
        "hat": [[(-13, 4), (14, 4), (8, 7), (6, 13), (-5, 13), (-7, 7)]],
        "plume": [[(-3, 7), (-16, 18), (-18, 8), (-7, 4)], [(-6, 6), (7, 6), (3, 10), (-4, 10)]],
        "visor": [[(-8, 0), (9, 0), (9, 4), (-8, 5)]],
    }
    for points in shapes[look.gear]:
        shape(points)


def _effects(stage: _Stage, f: np.void, m: np.void, x: float, y: float, facing: int, player: int) -> None:
    """Glow of special moves, sparks of contact, and whose fighter it is."""
    color = (BLUE, RED)[player]
    stage.canvas.polygon([stage.at(x + a, y + b) for a, b in ((-4, 108), (4, 108), (0, 101))], color)
    if f["state"] != ATTACK:
        return
    if f["move"] >= SPECIAL:
        glow = (*GOLD, 90) if f["move"] == SUPER or f["ex"] else (255, 255, 255, 60)
        stage.canvas.circle(stage.at(x, y + 40), stage.thick(34), glow)
    if f["hit"] and f["stop"]:
        place = stage.at(x + facing * float(m["x1"]) * 0.8, y + (float(m["y0"]) + float(m["y1"])) / 2)
        spark = (BLUE, (255, 220, 90), (120, 190, 255), WHITE)[int(f["hit"])]
        stage.canvas.circle(place, stage.thick(8), (*spark, 200))
        stage.canvas.circle(place, stage.thick(4), WHITE)


def _projectile(stage: _Stage, f: np.void, k: int) -> None:
    shot, look = f["shots"][k], LOOKS[int(f["character"])]
    x = int(shot["x"]) / UNIT
    if shot["mine"]:
        stage.canvas.circle(stage.at(x, 5), stage.thick(9), look.trim, INK, stage.thick(1))
        stage.canvas.circle(stage.at(x, 9), stage.thick(3), RED)
        return
    middle = (SHOT_LOW + SHOT_HIGH) / 2
    way = 1 if shot["speed"] > 0 else -1
    tail = [(x - way * 24, middle), (x, middle + 8), (x, middle - 8)]
    stage.canvas.polygon([stage.at(*point) for point in tail], (*look.trim, 120))
    stage.canvas.circle(stage.at(x, middle), stage.thick(10), look.trim, WHITE, stage.thick(1.5))
    if shot["hits"] > 1:
        stage.canvas.circle(stage.at(x, middle), stage.thick(5), WHITE)


# ----------------------------------------------------------------------------------------------------- boxes and bars


def _frame_of(stage: _Stage, box, color) -> None:
    left, top, right, bottom = box
    stage.canvas.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], (*color, 70), color, 1.5)


def _boxes(stage: _Stage, f: np.void, p: np.void) -> None:
    from envsuite.core.jit import records
    from envsuite.fighting.kernel.contact import height_of, untouchable

    one = p["characters"][int(f["character"])]
    fighter, ch = records(np.array([f]))[0], records(np.array([one]))[0]
    x, y, half = int(f["x"]) / UNIT, int(f["y"]) / UNIT, int(one["half"])
    _frame_of(
        stage, stage.box(x - half, y, x + half, y + height_of(fighter)), WHITE if untouchable(fighter, ch) else BLUE
    )
    m = one["moves"][int(f["move"])]
    if f["state"] == ATTACK and f["first"] <= f["frame"] <= f["last"] and m["x1"]:
        near, far = x + int(f["facing"]) * int(m["x0"]), x + int(f["facing"]) * int(m["x1"])
        _frame_of(stage, stage.box(near, y + int(m["y0"]), far, y + int(m["y1"])), RED if f["hit"] == 0 else GOLD)
    for shot in f["shots"]:
        if shot["on"]:
            at, wide = int(shot["x"]) / UNIT, MINE_HALF if shot["mine"] else SHOT_HALF
            low, high = (0, MINE_HIGH) if shot["mine"] else (SHOT_LOW, SHOT_HIGH)
            _frame_of(stage, stage.box(at - wide, low, at + wide, high), RED)


def _bars(stage: _Stage, state: np.void, p: np.void) -> None:
    canvas = stage.canvas
    for i in range(2):
        f = state["fighters"][i]
        for top, high, share, color in (
            (8, 8, int(f["hp"]) / max(1, int(f["full"])), GREEN if f["hp"] * 4 > f["full"] else RED),
            (210, 6, int(f["meter"]) / METER, GOLD if f["meter"] >= 1000 else BLUE),
        ):
            left, right = (12, 172) if i == 0 else (212, 372)
            canvas.rectangle(_screen(stage, left, top, right, top + high), (60, 62, 70))
            long = (right - left) * share
            if long * stage.across >= 1:
                ends = (right - long, right) if i == 0 else (left, left + long)
                canvas.rectangle(_screen(stage, ends[0], top, ends[1], top + high), color)
        for k in range(int(f["wins"])):
            place = (166 - 10 * k, 24) if i == 0 else (218 + 10 * k, 24)
            canvas.circle((place[0] * stage.across, place[1] * stage.down), stage.thick(3), GOLD, INK, 1)
    if not stage.fine:
        _texts(stage, state, p)


def _screen(stage: _Stage, left: float, top: float, right: float, bottom: float):
    return left * stage.across, top * stage.down, right * stage.across, bottom * stage.down


def _texts(stage: _Stage, state: np.void, p: np.void) -> None:
    canvas, size = stage.canvas, 9 * stage.down
    seconds = f"{int(state['left']) // FRAMES}"
    canvas.text((192 * stage.across, 12 * stage.down), seconds, INK, 1.4 * size, "mm")
    for i in range(2):
        f = state["fighters"][i]
        x, anchor = ((12, "lt"), (372, "rt"))[i]
        who = "" if f["level"] == 0 else f", level {int(f['level'])}"
        name = f"{CAST[int(f['character'])].name}{who}"
        canvas.text((x * stage.across, 18 * stage.down), name, (BLUE, RED)[i], size, anchor)
        other = state["fighters"][1 - i]
        if other["combo"] > 1:
            canvas.text((x * stage.across, 34 * stage.down), f"{int(other['combo'])} hits", RED, 1.2 * size, anchor)
        elif f["state"] == ATTACK and f["move"] >= SPECIAL:
            name = MOVE_NAMES[int(f["move"])] + (", EX" if f["ex"] else "")
            canvas.text((x * stage.across, 34 * stage.down), name, INK, 0.8 * size, anchor)
    if state["pause"] or state["outcome"] > 0:
        words = "K.O." if min(int(f["hp"]) for f in state["fighters"]) <= 0 else "Time"
        canvas.text((192 * stage.across, 60 * stage.down), words, RED, 3 * size, "mm")
    elif state["sudden"]:
        canvas.text((192 * stage.across, 30 * stage.down), "sudden death", RED, size, "mm")

"""Draws the map from above, y upwards, with a bar of numbers; what the fog hides is left out."""

import numpy as np

from envsuite.core import Pictures
from envsuite.tower_defense.params import (
    BALLISTA,
    BLAZE_RADIUS,
    BRUTE,
    COMMANDS,
    DRAKE,
    ENEMY_TABLE,
    ERRORS,
    GUARD_HP,
    GUARD_HP_LEVEL,
    HALF,
    HERO,
    HEXER,
    KITE,
    MENDER,
    MORTAR,
    RAIDER,
    RUNNER,
    SHIELDMAN,
    SHOW,
    TICKS,
    TOWER_TABLE,
    UNIT,
    WARLORD,
)

GRASS, ROAD, KERB, BAR = (196, 214, 170), (222, 204, 168), (180, 158, 118), (40, 46, 54)
INK, WHITE, GOLD, RED, GREEN = (34, 38, 44), (250, 250, 246), (233, 182, 40), (205, 62, 58), (70, 160, 84)
FOG, ICE, FIRE = (225, 229, 236), (96, 196, 232), (240, 120, 40)
TOWER_COLORS = ((150, 98, 52), (84, 90, 104), (158, 66, 66))
ENEMY_COLORS = {
    RAIDER: (120, 60, 130),
    RUNNER: (214, 120, 40),
    KITE: (80, 130, 200),
    BRUTE: (96, 50, 40),
    SHIELDMAN: (110, 116, 126),
    HEXER: (130, 40, 190),
    MENDER: (50, 150, 110),
    DRAKE: (190, 50, 90),
    WARLORD: (30, 24, 30),
}
_SIZES = {RUNNER: 0.8, BRUTE: 1.35, SHIELDMAN: 1.1, DRAKE: 1.4, WARLORD: 1.9}


def place_on_map(place: tuple[float, float], size: tuple[int, int]) -> tuple[int, int] | None:
    """The place of the map that lies at a point of a frame.

    Args:
        place: across and down the frame, as shares of its size.
        size: (width, height) in pixels.

    Returns:
        x and y in su, or None beside the map.
    """
    board = _Map(size)
    x = (place[0] * size[0] - board.left) / board.side * 2 * HALF - HALF
    y = HALF - (place[1] * size[1] - board.bar) / board.side * 2 * HALF
    return (round(x), round(y)) if max(abs(x), abs(y)) <= HALF else None


class _Map:
    """A canvas, and where places of the map lie on it."""

    def __init__(self, size: tuple[int, int]):
        from envsuite.core.canvas import Canvas

        width, height = size
        self.bar = height - width if height > width else max(4, round(0.05 * height))
        self.side = min(width, height - self.bar)
        self.left = (width - self.side) / 2
        self.canvas = Canvas(width, height, BAR, supersample=3 if width < 200 else 2)
        self.unit = self.side / (2 * HALF) * UNIT  # pixels in a unit
        self.thick = max(1.0, self.side / 300)

    def at(self, x, y) -> tuple[float, float]:
        scale = self.side / (2 * HALF)
        return self.left + (int(x) + HALF) * scale, self.bar + (HALF - int(y)) * scale

    def line(self, points, color, width: float) -> None:
        self.canvas.line([self.at(*point) for point in points], color, width * self.unit)
        for point in points[1:-1]:
            self.canvas.circle(self.at(*point), width * self.unit / 2, color)

    def bar_of(self, x: float, y: float, width: float, share: float, color) -> None:
        high = max(1.5, 0.035 * self.unit)
        self.canvas.rectangle((x - width / 2, y, x + width / 2, y + high), (60, 60, 60, 200))
        if share * width >= 1:
            self.canvas.rectangle((x - width / 2, y, x - width / 2 + min(share, 1.0) * width, y + high), color)


def draw(state: np.void, p: np.void, size: tuple[int, int]) -> np.ndarray:
    """Draw one record.

    Args:
        state: record of type `envsuite.tower_defense.state.State`.
        p: the parameters of its level.
        size: (width, height) in pixels; a higher picture than wide has a bar with texts.

    Returns:
        uint8 array (height, width, 3).
    """
    board = _Map(size)
    _ground(board, p)
    for k in range(int(p["site_count"])):
        _site(board, p, k, state["sites"][k])
    for zone in state["zones"]:
        if zone["left"] >= 0:
            radius = BLAZE_RADIUS / UNIT * board.unit
            board.canvas.circle(board.at(zone["x"], zone["y"]), radius, (*FIRE, 110), (*FIRE, 220), board.thick)
            board.canvas.circle(board.at(zone["x"], zone["y"]), 0.5 * radius, (255, 210, 90, 130))
    for guard in state["guards"]:
        if guard["alive"]:
            _guard(board, guard)
    order = sorted(range(int(state["top"])), key=lambda i: ENEMY_TABLE["flying"][state["enemies"][i]["type"]])
    for i in order:
        if state["enemies"][i]["alive"] and not state["enemies"][i]["hidden"]:
            _enemy(board, state["enemies"][i])
    _hero(board, state["hero"])
    _fog(board, state, p)
    _coin(board, state, p)
    _range(board, state, p)
    _numbers(board, state, p)
    return board.canvas.to_array()


def _ground(board: _Map, p) -> None:
    edge = (board.left, board.bar, board.left + board.side, board.bar + board.side)
    board.canvas.rectangle(edge, GRASS)
    for width, color in ((0.36, KERB), (0.30, ROAD)):
        for k in range(int(p["path_count"])):
            board.line(p["waypoints"][k, : p["waypoint_count"][k]], color, width)
    for k in range(int(p["path_count"])):
        x, y = p["waypoints"][k, p["waypoint_count"][k] - 1]
        _base(board, board.at(x, y))
        a, b = np.array(p["waypoints"][k, :2], float)
        mark = a + (b - a) / max(1.0, float(np.hypot(*(b - a)))) * 0.22 * UNIT
        board.canvas.circle(board.at(*mark), 0.07 * board.unit, (*RED, 160))


def _base(board: _Map, place) -> None:
    r, (x, y) = 0.2 * board.unit, place
    low, high = board.left + r, board.left + board.side - r
    x = min(max(x, low), high)
    board.canvas.rectangle((x - r, y - r, x + r, y + r), (112, 120, 138), 0.2 * r)
    board.canvas.rectangle((x - 0.6 * r, y - 0.6 * r, x + 0.6 * r, y + 0.6 * r), (84, 92, 110), 0.2 * r)
    flag = [(x, y - 1.5 * r), (x, y), (x, y - 1.0 * r), (x + 0.8 * r, y - 1.25 * r), (x, y - 1.5 * r)]
    board.canvas.polygon(flag, GREEN)
    board.canvas.line([(x, y - 1.5 * r), (x, y)], INK, board.thick)


def _site(board: _Map, p, k: int, site) -> None:
    canvas, unit, (x, y) = board.canvas, board.unit, board.at(*p["sites"][k])
    if site["type"] < 0:
        canvas.circle((x, y), 0.17 * unit, (160, 150, 120, 90), (120, 108, 80), board.thick)
        if board.side >= 200:
            canvas.text((x, y), f"S{k}", (96, 86, 62), 0.14 * unit, "mm")
        return
    outline = ICE if site["frozen"] else INK
    r, color = 0.19 * unit, TOWER_COLORS[site["type"]]
    if site["type"] == BALLISTA:
        canvas.rectangle((x - r, y - r, x + r, y + r), outline, 0.25 * r)
        canvas.rectangle((x - 0.82 * r, y - 0.82 * r, x + 0.82 * r, y + 0.82 * r), color, 0.25 * r)
        canvas.line([(x - 0.6 * r, y + 0.6 * r), (x + 0.6 * r, y - 0.6 * r)], WHITE, 1.4 * board.thick)
        canvas.line([(x - 0.5 * r, y - 0.4 * r), (x + 0.4 * r, y + 0.5 * r)], WHITE, 0.9 * board.thick)
    elif site["type"] == MORTAR:
        canvas.circle((x, y), r, color, outline, 1.5 * board.thick)
        canvas.circle((x, y), 0.5 * r, (30, 32, 38))
    else:
        walls = [(x - r, y + r), (x - r, y - 0.1 * r), (x, y - r), (x + r, y - 0.1 * r), (x + r, y + r)]
        canvas.polygon(walls, color, outline, 1.5 * board.thick)
        canvas.rectangle((x - 0.25 * r, y + 0.2 * r, x + 0.25 * r, y + r), (60, 34, 30))
    if site["frozen"]:
        canvas.circle((x, y), 1.35 * r, (*ICE, 70), ICE, board.thick)
    for level in range(int(site["level"])):
        canvas.circle((x + (level - 0.5) * 0.14 * unit, y + 0.26 * unit), 0.045 * unit, GOLD, INK, 0.5 * board.thick)


def _guard(board: _Map, guard) -> None:
    x, y = board.at(guard["x"], guard["y"])
    own = int(guard["owner"])
    shift = 0.0 if own < 0 else 0.07 * board.unit * ((int(guard["hp"]) + int(guard["level"])) % 3 - 1)
    color = (52, 92, 170) if own >= 0 else (70, 150, 190)
    board.canvas.circle((x + shift, y), 0.075 * board.unit, color, WHITE, 0.8 * board.thick)
    full = GUARD_HP + GUARD_HP_LEVEL * int(guard["level"])
    board.bar_of(x + shift, y - 0.15 * board.unit, 0.16 * board.unit, int(guard["hp"]) / full, GREEN)


def _enemy(board: _Map, enemy) -> None:
    canvas, unit, kind = board.canvas, board.unit, int(enemy["type"])
    x, y = board.at(enemy["x"], enemy["y"])
    r, color = 0.095 * unit * _SIZES.get(kind, 1.0), ENEMY_COLORS[kind]
    if ENEMY_TABLE["flying"][kind]:
        canvas.circle((x, y + 1.1 * r), 0.5 * r, (0, 0, 0, 60))
        wings = [(x - 1.6 * r, y - 0.5 * r), (x, y - 0.1 * r), (x + 1.6 * r, y - 0.5 * r), (x, y + 0.9 * r)]
        canvas.polygon(wings, color, INK, 0.7 * board.thick)
    elif kind == HEXER:
        canvas.polygon([(x, y - 1.3 * r), (x + r, y), (x, y + 1.3 * r), (x - r, y)], color, ICE, board.thick)
    else:
        canvas.circle((x, y), r, color, INK, 0.7 * board.thick)
    if kind == SHIELDMAN:
        canvas.rectangle((x - 0.9 * r, y - 0.7 * r, x - 0.1 * r, y + 0.7 * r), (190, 196, 206), 0.2 * r)
    elif kind == MENDER:
        canvas.line([(x - 0.6 * r, y), (x + 0.6 * r, y)], WHITE, board.thick)
        canvas.line([(x, y - 0.6 * r), (x, y + 0.6 * r)], WHITE, board.thick)
    elif kind == WARLORD:
        canvas.circle((x, y), 0.55 * r, None, GOLD, board.thick)
    share = int(enemy["hp"]) / int(ENEMY_TABLE["hp"][kind])
    board.bar_of(x, y - r - 0.1 * unit, max(0.18 * unit, 2 * r), share, RED)


def _hero(board: _Map, hero) -> None:
    canvas, unit, (x, y) = board.canvas, board.unit, board.at(hero["x"], hero["y"])
    if hero["dead"] > 0:
        canvas.line([(x - 0.1 * unit, y - 0.1 * unit), (x + 0.1 * unit, y + 0.1 * unit)], INK, 2 * board.thick)
        canvas.line([(x - 0.1 * unit, y + 0.1 * unit), (x + 0.1 * unit, y - 0.1 * unit)], INK, 2 * board.thick)
        return
    if hero["moving"]:
        there = board.at(hero["to_x"], hero["to_y"])
        canvas.line([(x, y), there], (*GREEN, 120), board.thick)
        canvas.circle(there, 0.06 * unit, None, GREEN, board.thick)
    star = [(0.17 if k % 2 == 0 else 0.08, np.pi * k / 5) for k in range(10)]
    points = [(x + r * unit * np.sin(a), y - r * unit * np.cos(a)) for r, a in star]
    canvas.polygon(points, (36, 120, 70), WHITE, board.thick)
    board.bar_of(x, y - 0.27 * unit, 0.3 * unit, int(hero["hp"]) / int(hero["max_hp"]), GREEN)


def _fog(board: _Map, state, p) -> None:
    if not p["fog_a"]:
        return
    centre_x, centre_y = int(state["fog"]["x"]), int(state["fog"]["y"])
    angle = np.linspace(0, 2 * np.pi, 49)
    ring = np.stack([centre_x + int(p["fog_a"]) * np.cos(angle), centre_y + int(p["fog_b"]) * np.sin(angle)], axis=1)
    points = [board.at(*np.clip(np.round(point), -HALF, HALF)) for point in ring]
    if state["lit"]:
        board.canvas.line(points, (*FOG, 220), 1.5 * board.thick)
    else:
        board.canvas.polygon(points, (*FOG, 200), (*WHITE, 230), board.thick)


def _coin(board: _Map, state, p) -> None:
    coin, fog = state["coin"], state["fog"]
    if not coin["on"]:
        return
    if p["fog_a"] and not state["lit"]:
        share = ((int(coin["x"]) - int(fog["x"])) / int(p["fog_a"])) ** 2
        if share + ((int(coin["y"]) - int(fog["y"])) / int(p["fog_b"])) ** 2 <= 1:
            return
    board.canvas.circle(board.at(coin["x"], coin["y"]), 0.1 * board.unit, GOLD, (140, 100, 10), board.thick)
    board.canvas.circle(board.at(coin["x"], coin["y"]), 0.05 * board.unit, None, (140, 100, 10), 0.7 * board.thick)


def _range(board: _Map, state, p) -> None:
    """The circle that "show range" asks for."""
    last = state["last"]
    if last["command"] != SHOW or last["error"]:
        return
    gaps = np.abs(p["sites"][: p["site_count"]] - np.array([last["x"], last["y"]])).max(axis=1)
    k = int(gaps.argmin())
    if state["sites"][k]["type"] >= 0:
        radius = int(TOWER_TABLE["radius"][state["sites"][k]["type"]]) / UNIT * board.unit
        board.canvas.circle(board.at(*p["sites"][k]), radius, (255, 255, 255, 40), WHITE, board.thick)


def _numbers(board: _Map, state, p) -> None:
    canvas, width = board.canvas, board.left * 2 + board.side
    life, gold = int(state["life"]), int(state["gold"])
    if board.bar < 30:
        shares = (
            (life / int(p["life"]), RED),
            (gold / int(p["gold_cap"]), GOLD),
            (int(state["wave"]) / int(p["wave_count"]), (120, 160, 220)),
        )
        for k, (share, color) in enumerate(shares):
            if width * share >= 1:
                canvas.rectangle((width * k / 3, 0, width * (k + share) / 3, board.bar - 1), color)
        return
    size = 0.27 * board.bar
    texts = (
        (f"life {life}", (240, 130, 124)),
        (f"gold {gold}", GOLD),
        (f"wave {int(state['wave'])}/{int(p['wave_count'])}", WHITE),
        (f"{int(state['tick']) / TICKS:.1f} s", WHITE),
        (f"hero {int(state['hero']['hp'])}/{int(state['hero']['max_hp'])}", (150, 220, 160)),
        (f"guards {_ready(int(state['cooldown']))}", (150, 190, 240)),
    )
    for place, (text, color) in zip((0.02, 0.13, 0.28, 0.43, 0.55, 0.81), texts, strict=True):
        canvas.text((width * place, 0.28 * board.bar), text, color, size, "lm")
    canvas.text((width * 0.02, 0.72 * board.bar), _said(state), (200, 204, 210), 0.9 * size, "lm")
    outcome = ("", "The base is lost.", "All waves are over.")[int(state["outcome"])]
    canvas.text((width * 0.98, 0.72 * board.bar), outcome, WHITE, size, "rm")


def _ready(cooldown: int) -> str:
    return "ready" if cooldown == 0 else f"{cooldown / TICKS:.0f} s"


def _said(state) -> str:
    last = state["last"]
    text = COMMANDS[int(last["command"])]
    if int(last["command"]) <= HERO and int(last["command"]) != 6:
        text += f" at ({int(last['x']) / UNIT:.2f}, {int(last['y']) / UNIT:.2f})"
    return text + (f": {ERRORS[int(last['error'])]}" if last["error"] else "")


class TowerPictures(Pictures):
    """The map from above."""

    size = (600, 660)

    @property
    def fps(self) -> int:  # ty: ignore[incompatible-property-override]
        """Decisions a second."""
        return max(1, round(TICKS / int(self.world.params[0]["decision"])))

    def draw(self, state, size):
        """Draw the map from above, what the fog hides left out."""
        return draw(state, self.world.params[int(state["level"])], size)

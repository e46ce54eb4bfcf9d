"""The game in words: the situation as JSON, and commands from JSON or by name."""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.core.language import Refusal, RefusalKind, parse_choice, parse_choices, parse_numbers
from envsuite.core.layout import Choice, Choices
from envsuite.tower_defense.params import (
    BALLISTA,
    BLAZE,
    COMMANDS,
    ENEMY_NAMES,
    ERRORS,
    FRACTIONS,
    HEALTH,
    HERO,
    RALLIES,
    RALLY,
    REINFORCE,
    SELL,
    SHOW,
    TICKS,
    TOWER_NAMES,
    TOWER_TABLE,
    UNIT,
    UPGRADE,
    WAIT,
)

TEXT_FAULTS = {
    20: "not JSON",
    21: "a key is missing or unknown",
    22: "a value has the wrong type",
    23: "the command's number is outside 0 to 11",
    24: "a coordinate is outside -3 to 3",
    25: "empty, or a refusal to act",
    26: "more than one command",
    27: "out of time or of length",
}
"""Why a text is no command, in the order 25, 20, 26, 21, 22, 23, 24 in which it is found out; 27 is for those who run
language agents to report."""

_KINDS = {
    20: RefusalKind.UNREADABLE,
    21: RefusalKind.WRONG_COUNT,
    22: RefusalKind.UNREADABLE,
    23: RefusalKind.OUT_OF_RANGE,
    24: RefusalKind.OUT_OF_RANGE,
    25: RefusalKind.EMPTY,
    26: RefusalKind.AMBIGUOUS,
}


@dataclass(frozen=True)
class TextFault(Refusal):
    """A text that is no command.

    Attributes:
        code: one of `TEXT_FAULTS`, or an error of `envsuite.tower_defense.params.ERRORS` that the encoding of actions
            has no way to commit.
    """

    code: int = 20


def _fault(code: int, detail: str) -> TextFault:
    return TextFault(_KINDS[code], f"error {code}, {TEXT_FAULTS[code]}: {detail}", code)


# ----------------------------------------------------------------------------------------------------- description


def describe(state: np.void, p: np.void, level, world) -> str:
    """The situation as one line of JSON: ``"static"`` is the same all through an episode.

    Args:
        state: record of the game.
        p: parameters of its level.
        level: the level.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
    """
    whole = {"how_to_answer": _answer(world.actions), "now": situation(state, p), "static": static(p, level)}
    return json.dumps(whole, separators=(",", ":"), sort_keys=True)


def static(p: np.void, level) -> dict[str, Any]:
    """What does not change: map, prices, rules of the level."""
    hits = (
        "one enemy, air and ground",
        "all ground enemies around its target",
        "sends up to 3 guards that block ground enemies",
    )
    towers = {}
    for name, row, what in zip(TOWER_NAMES, TOWER_TABLE, hits, strict=True):
        price, upgrade = int(row["price"]), int(row["upgrade"])
        towers[name] = {"price": price, "upgrade": upgrade, "radius": _units(row["radius"]), "hits": what}
    return {
        "level": level.name,
        "goal": "every enemy that reaches the end of its path costs a life; keep all",
        "map": "x and y from -3 to 3",
        "paths": {f"P{k}": [list(point) for point in path] for k, path in enumerate(level.paths)},
        "sites": {
            f"S{k}": {"x": x, "y": y, "path_in_range": round(float(p["coverage"][k, BALLISTA]), 2)}
            for k, (x, y) in enumerate(level.sites)
        },
        "towers": towers,
        "top_level": 2,
        "refund": 0.6,
        "gold_cap": int(p["gold_cap"]),
        "waves": int(p["wave_count"]),
        "coins": "picked up by hero or guards within 0.3; kills pay nothing",
        "hero_health": {"price": 300, "gain": 200},
        "blaze": {"costs_hero_health": 100, "radius": 0.35, "seconds": 5},
    }


def situation(state: np.void, p: np.void) -> dict[str, Any]:
    """What is so now, without what the fog hides."""
    hero, last = state["hero"], state["last"]
    enemies = [_enemy(state["enemies"][i], p) for i in range(int(state["top"])) if _visible(state["enemies"][i])]
    wave = int(state["wave"])
    coming: dict[str, int] = {}
    if wave:
        size = int(p["wave_size"][wave - 1])
        for kind in p["waves"][wave - 1, size - int(state["spawn_left"]) : size]:
            coming[ENEMY_NAMES[kind]] = coming.get(ENEMY_NAMES[kind], 0) + 1
    return {
        "seconds": int(state["tick"]) / TICKS,
        "life": int(state["life"]),
        "gold": int(state["gold"]),
        "wave": wave,
        "still_to_come_in_this_wave": coming,
        "seconds_to_next_wave": int(state["wave_timer"]) / TICKS if wave < int(p["wave_count"]) else None,
        "seconds_to_reinforcements": int(state["cooldown"]) / TICKS,
        "hero": {
            **_place(hero),
            "health": int(hero["hp"]),
            "max_health": int(hero["max_hp"]),
            "going_to": [_units(hero["to_x"]), _units(hero["to_y"])] if hero["moving"] else None,
            "seconds_dead": int(hero["dead"]) / TICKS,
            "under_fog": bool(hero["hidden"]),
        },
        "towers": {f"S{k}": _tower(site) for k, site in enumerate(state["sites"]) if site["type"] >= 0},
        "enemies": sorted(enemies, key=lambda enemy: enemy["way_left"]),
        "guards": [{**_place(one), "health": int(one["hp"])} for one in state["guards"] if one["alive"]],
        "fires": [{**_place(one), "seconds": int(one["left"]) / TICKS} for one in state["zones"] if one["left"] >= 0],
        "coin": _coin(state, p),
        "fog": {**_place(state["fog"]), "half_width": _units(p["fog_a"]), "half_height": _units(p["fog_b"]),
                "lifted": bool(state["lit"])} if p["fog_a"] else None,
        "last_command": COMMANDS[int(last["command"])],
        "last_error": int(last["error"]),
        "last_error_means": ERRORS[int(last["error"])],
    }  # fmt: skip


def _units(value) -> float:
    return round(int(value) / UNIT, 2) + 0.0


def _place(body) -> dict[str, float]:
    return {"x": _units(body["x"]), "y": _units(body["y"])}


def _visible(enemy) -> bool:
    return bool(enemy["alive"]) and not enemy["hidden"]


def _enemy(enemy, p) -> dict[str, Any]:
    kind, path = int(enemy["type"]), int(enemy["path"])
    left = int(p["path_length"][path]) - int(enemy["progress"])
    return {
        "id": f"E{int(enemy['id'])}",
        "type": ENEMY_NAMES[kind],
        "path": f"P{path}",
        **_place(enemy),
        "health": int(enemy["hp"]),
        "way_left": round(left / 256 / UNIT, 2),
        "seconds_to_base": round(left / int(p["enemies"]["step"][kind]) / TICKS, 1),
        "flies": bool(p["enemies"]["flying"][kind]),
    }


def _tower(site) -> dict[str, Any]:
    kind = int(site["type"])
    tower: dict[str, Any] = {"type": TOWER_NAMES[kind], "level": int(site["level"])}
    tower |= {"frozen": bool(site["frozen"]), "under_fog": bool(site["hidden"])}
    if TOWER_NAMES[kind] == "barracks":
        tower["guards_gather_at"] = [_units(site["rally_x"]), _units(site["rally_y"])]
    return tower


def _coin(state, p) -> dict[str, Any] | None:
    coin, fog = state["coin"], state["fog"]
    if not coin["on"]:
        return None
    if p["fog_a"] and not state["lit"]:
        dx, dy = int(coin["x"]) - int(fog["x"]), int(coin["y"]) - int(fog["y"])
        a, b = int(p["fog_a"]), int(p["fog_b"])
        if dx * dx * b * b + dy * dy * a * a <= a * a * b * b:
            return None
    return {**_place(coin), "seconds": int(coin["timer"]) / TICKS}


def _answer(actions: str) -> str:
    numbers = ", ".join(f"{k} {name}" for k, name in enumerate(COMMANDS))
    place = f'{{"X": x, "Y": y, "Action": c}} with -3 <= x, y <= 3 and c: {numbers}'
    if actions != "site":
        return place
    return (
        "one name: wait, build_ballista_S0, build_mortar_S0, build_barracks_S0, upgrade_S0, sell_S0 (any site), "
        f"rally_S0_k (k 0 to {RALLIES - 1} along the path), reinforce_P0_k (k 0 to {FRACTIONS - 1} along the path), "
        f"hero_i_j (i, j 0 to 7, the hero goes to x = -2.625 + 0.75 i, y = -2.625 + 0.75 j), blaze, hero_health; "
        f"or {place}"
    )


# ----------------------------------------------------------------------------------------------------- parsing


def parse(text: str, world, p: np.void) -> Any:
    """Read a command.

    JSON with the keys X, Y and Action is understood in every encoding; besides, each encoding has a form of its own: a
    name, ``x: 3, y: 4, command: hero``, or three numbers in brackets.

    Args:
        text: the answer.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        p: parameters of the level that is played.

    Returns:
        An action of the world, or a `TextFault`.
    """
    if not text.strip():
        return _fault(25, "answer with one command")
    found = _objects(text)
    if not found:
        return _plain(text, world.action)
    if len(found) > 1:
        return _fault(26, f"{len(found)} JSON objects; give one")
    data = found[0]
    if set(data) == {"action"} and isinstance(data["action"], str):
        return _plain(data["action"], world.action)
    command = read_command(data)
    return command if isinstance(command, TextFault) else _encoded(command, world, p)


def _objects(text: str) -> list[dict]:
    """All JSON objects in a text, outermost only."""
    decoder, found, at = json.JSONDecoder(), [], text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _plain(text: str, layout) -> Any:
    if isinstance(layout, Choice):
        read: Any = parse_choice(text, layout)
        if isinstance(read, Refusal) and read.kind is RefusalKind.UNKNOWN_NAME:
            return _fault(20, "neither a JSON object nor the name of a command, such as build_ballista_S0 or wait")
    elif isinstance(layout, Choices):
        read = parse_choices(text, layout)
    else:
        read = parse_numbers(text, layout)
    if isinstance(read, Refusal):
        code = {RefusalKind.EMPTY: 25, RefusalKind.AMBIGUOUS: 26, RefusalKind.OUT_OF_RANGE: 23}.get(read.kind, 20)
        return _fault(code, read.reason)
    return read


def read_command(data: dict) -> tuple[int, float, float] | TextFault:
    """The command (c, x, y) of a JSON object, or what is wrong with it."""
    keys = ("X", "Y", "Action")
    if missing := [key for key in keys if key not in data]:
        return _fault(21, f"{missing[0]!r} is missing; the keys are X, Y and Action")
    if extra := sorted(set(data) - set(keys)):
        return _fault(21, f"{extra[0]!r} is unknown; the keys are X, Y and Action")
    for key in keys:
        value = data[key]
        good = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
        if isinstance(value, bool) or not good or (key == "Action" and value != int(value)):
            wanted = "an integer" if key == "Action" else "a number"
            return _fault(22, f"{key} is {json.dumps(value)[:40]}, expected {wanted}")
    if not 0 <= data["Action"] < len(COMMANDS):
        return _fault(23, f"Action is {data['Action']}, expected 0 to {len(COMMANDS) - 1}")
    for key in keys[:2]:
        if not -3 <= data[key] <= 3:
            return _fault(24, f"{key} is {data[key]}, expected -3 to 3")
    return int(data["Action"]), float(data["X"]), float(data["Y"])


def _encoded(command: tuple[int, float, float], world, p) -> Any:
    """A command as an action of the world's encoding."""
    kind, x, y = command
    if world.actions == "xyc":
        return np.array([x / 3, y / 3, 2 * (kind + 0.5) / len(COMMANDS) - 1], np.float32)
    if world.actions == "grid":
        bins = len(world.action.heads[0][1])
        place = [min(int((value + 3) / 6 * bins), bins - 1) for value in (x, y)]
        return np.array([*place, kind], np.int64)
    return _site_action(kind, round(x * UNIT), round(y * UNIT), p)


TOOLS = {"1": 0, "2": 1, "3": 2, "u": UPGRADE, "x": SELL, "v": SHOW, "r": RALLY, "f": REINFORCE}
"""Keys, and the commands that they and a click, or a site's letter, make."""


def keys(world, p: np.void) -> dict[tuple[str, ...], Any]:
    """Keyboard control: commands without a place, and those of sites by letters, the first site's a.

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        p: parameters of the level.
    """
    table = {(): (WAIT, 0, 0), ("space",): (BLAZE, 0, 0), ("0",): (HEALTH, 0, 0)}
    if len(world.levels) == 1 or world.actions == "site":
        for k in range(int(p["site_count"])):
            x, y = p["sites"][k]
            for key, kind in TOOLS.items():
                if kind <= SELL:
                    table[key, chr(ord("a") + k)] = (kind, int(x) / UNIT, int(y) / UNIT)
    return {held: _encoded(command, world, p) for held, command in table.items()}


def clicked(place: tuple[float, float], held: set[str], world, p: np.void) -> Any:
    """The action of a click on a frame, or None where it means nothing; see `TOOLS`.

    Args:
        place: across and down the frame, as shares.
        held: keys.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        p: parameters of the level.
    """
    from envsuite.tower_defense.render import place_on_map

    spot = place_on_map(place, world.render_size)
    if spot is None:
        return None
    chosen = [kind for key, kind in TOOLS.items() if key in held]
    action = _encoded((chosen[0] if chosen else HERO, spot[0] / UNIT, spot[1] / UNIT), world, p)
    return None if isinstance(action, TextFault) else action


def _site_action(kind: int, x: int, y: int, p) -> Any:
    from envsuite.tower_defense.kernel.commands import number_of, site_at

    if kind == WAIT:
        return 0
    site = int(site_at(p, x, y)) if kind <= SHOW else -1
    if kind <= SHOW and site < 0:
        return TextFault(RefusalKind.ILLEGAL, f"error 6, {ERRORS[6]}: ({x / UNIT:g}, {y / UNIT:g})", 6)
    return 0 if kind == SHOW else int(number_of(p, kind, site, x, y))

"""The situation as one line of JSON."""

import json
from typing import Any

import numpy as np

from envsuite.tower_defense.params import (
    BALLISTA,
    COMMANDS,
    ENEMY_NAMES,
    ERRORS,
    FRACTIONS,
    RALLIES,
    TICKS,
    TOWER_NAMES,
    TOWER_TABLE,
    UNIT,
)


def describe(state: np.void, p: np.void, level, world, *, now: bool = True) -> str:
    """The situation as one line of JSON: ``"static"`` is the same all through an episode.

    Args:
        state: record of the game.
        p: parameters of its level.
        level: the level.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        now: whether to say what does not stay the same.
    """
    whole: dict[str, Any] = {"how_to_answer": _answer(world.actions), "static": static(p, level)}
    if now:
        whole["now"] = situation(state, p)
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


def situation(state: np.void, p: np.void, *, everything: bool = False) -> dict[str, Any]:
    """What is so now, without what the fog hides.

    Args:
        state: record of the game.
        p: parameters of its level.
        everything: list enemies under fog too.
    """
    hero, last = state["hero"], state["last"]
    slots = state["enemies"][: int(state["top"])]
    enemies = [_enemy(one, p) for one in slots if one["alive"] and (everything or not one["hidden"])]
    wave = int(state["wave"])
    coming: dict[str, int] = {}
    if wave:
        bought, size = bool(p["versus"]), int(p["wave_size"][wave - 1])
        kinds = state["shop"]["kinds"][: int(state["shop"]["size"])] if bought else p["waves"][wave - 1, :size]
        for kind in kinds[len(kinds) - int(state["spawn_left"]) :]:
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

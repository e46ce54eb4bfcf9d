"""The attacker's game in words."""

import json
from typing import Any

import numpy as np

from envsuite.core import Choice
from envsuite.core.language import Refusal, RefusalKind, parse_choice
from envsuite.tower_defense.language.description import situation, static
from envsuite.tower_defense.params import ATTACK_ERRORS, ENEMY_NAMES, ENEMY_TABLE, TICKS
from envsuite.tower_defense.state import purchase_names, site_names

PURCHASES = Choice(("wait", *purchase_names()))


def describe_attack(state: np.void, p: np.void, level) -> str:
    """One line of JSON: prices and budget, what is bought, and what stands against it.

    Args:
        state: record of the game.
        p: parameters of its level.
        level: the level.
    """
    return json.dumps({**attack_rules(p, level), "now": _now(state, p)}, separators=(",", ":"), sort_keys=True)


def attack_rules(p: np.void, level) -> dict[str, Any]:
    """What does not change."""
    enemies = {}
    for name, row in zip(ENEMY_NAMES, ENEMY_TABLE, strict=True):
        speed = round(int(row["step"]) * TICKS / 256 / 1024, 2)
        enemies[name] = {"points": int(row["price"]), "health": int(row["hp"]), "speed": speed}
        enemies[name] |= {"flies": bool(row["flying"])}
    names = ", ".join(f"P{k}" for k in range(len(level.paths)))
    return {
        "how_to_answer": f"one name: wait, or buy_raider_P0 (any enemy, any of {names}), which adds to the next wave",
        "you": (
            "the attacker: every enemy that reaches the base is a point for you; points that are not spent on a wave "
            "when it starts are lost"
        ),
        "enemies": enemies,
        "static": {key: static(p, level)[key] for key in ("level", "map", "paths", "sites", "towers", "waves")},
    }


def _now(state, p) -> dict[str, Any]:
    seen, shop, wave = situation(state, p, everything=True), state["shop"], int(state["wave"])
    bought = [
        f"{ENEMY_NAMES[shop['next_kinds'][j]]} on P{int(shop['next_paths'][j])}" for j in range(int(shop["count"]))
    ]
    kept = ("seconds", "life", "wave", "seconds_to_next_wave", "hero", "towers", "enemies", "guards", "fires", "fog")
    return {
        **{key: seen[key] for key in kept},
        "points_left": int(shop["points"]),
        "next_wave": wave + 1 if wave < int(p["wave_count"]) else None,
        "bought_for_it": bought,
        "last_error_means": ATTACK_ERRORS[int(shop["error"])],
    }


def parse_purchase(text: str) -> int | Refusal:
    """Read ``wait`` or a purchase by name.

    Args:
        text: the answer.

    Returns:
        Index among all commands of the game of two, or why there is none.
    """
    found = parse_choice(text, PURCHASES)
    if isinstance(found, Refusal):
        if found.kind is RefusalKind.UNKNOWN_NAME:
            return Refusal(found.kind, "no purchase found; answer wait, or a name such as buy_raider_P0")
        return found
    return 0 if found == 0 else len(site_names()) + found - 1

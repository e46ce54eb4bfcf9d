"""The situation in groups of keys like those of TowerMind's text observation, with our names of things.

TowerMind's document says everything in every step: the map, constants of the level, what is so now, hero, towers,
enemies, knights (our guards), fires, the coin, and the last action. What the fog hides is absent.
"""

import json
from typing import Any

import numpy as np

from envsuite.tower_defense.language.description import situation, static
from envsuite.tower_defense.params import BOX, COMMANDS, HALF, TICKS, UNIT

_EDGE = HALF / UNIT


def describe_as_towermind(state: np.void, p: np.void, level, world) -> str:
    """One line of JSON.

    Args:
        state: record of the game.
        p: parameters of its level.
        level: the level.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
    """
    now = situation(state, p)
    whole = {**_constants(p, level), **_present(state, p, now), **_things(p, level, now), **_last(state)}
    return json.dumps(whole, separators=(",", ":"))


def _constants(p, level) -> dict[str, Any]:
    return {
        "Map_Center": [0.0, 0.0],
        "Map_Side_Length": 2 * _EDGE,
        "Map_Left_Boundary": -_EDGE,
        "Map_Right_Boundary": _EDGE,
        "Map_Upper_Boundary": _EDGE,
        "Map_Lower_Boundary": -_EDGE,
        "Tower_Points_Bounding_Box_Width_Height": [2 * BOX / UNIT, 2 * BOX / UNIT],
        "Level_Maximum_Gold": int(p["gold_cap"]),
        "Level_Initial_Health": int(p["life"]),
        "Level_Total_Waves": int(p["wave_count"]),
        "Level_Wave_Interval": int(p["interval"]) / TICKS,
        "Level_Selling_Refund_Rate": 0.6,
        "Level_Gold_Coin_Refresh_Interval": int(p["coin_refresh"]) / TICKS,
        "Level_Gold_Coin_Retention_Time": int(p["coin_stay"]) / TICKS,
        "Level_Gold_Coin_Minimum_Amount": int(p["coin_value"]),
        "Level_Gold_Coin_Maximum_Amount": int(p["coin_value"]) + int(p["coin_extra"]),
        "Level_Enemy_Destination": list(level.paths[0][-1]),
        "Level_Enemy_Movement_Paths": [[list(point) for point in path] for path in level.paths],
    }


def _present(state, p, now: dict[str, Any]) -> dict[str, Any]:
    return {
        "Level_Current_Step": int(state["tick"]),
        "Level_Current_Time": now["seconds"],
        "Level_Current_Wave": now["wave"],
        "Level_Wave_Countdown": now["seconds_to_next_wave"],
        "Level_Current_Gold": now["gold"],
        "Level_Current_Health": now["life"],
        "Level_Remaining_Waves": int(p["wave_count"]) - now["wave"],
        "Level_Current_Wave_Enemies": now["still_to_come_in_this_wave"],
        "Level_Fog_Position": [now["fog"]["x"], now["fog"]["y"]] if now["fog"] else None,
        "Level_Reinforcements_Countdown": now["seconds_to_reinforcements"],
        "Level_Gold_Coins_Collected": int(state["coins"]),
        "Level_Friendly_Fire_Compensations": int(state["compensations"]),
    }


def _things(p, level, now: dict[str, Any]) -> dict[str, Any]:
    hero, dead = now["hero"], now["hero"]["seconds_dead"] > 0
    there = not dead and not hero["under_fog"]
    towers = []
    for name, place in static(p, level)["sites"].items():
        tower = now["towers"].get(name)
        towers.append(
            {
                "Id": name,
                "Position": [place["x"], place["y"]],
                "Name": tower["type"] if tower else None,
                "Level": tower["level"] if tower else None,
                "Is_Built": tower is not None,
                "Is_Frozen": bool(tower and tower["frozen"]),
                "Knights_Assembly_Position": (tower or {}).get("guards_gather_at"),
            }
        )
    coin = now["coin"]
    return {
        "Hero_Status": {
            "Position": [hero["x"], hero["y"]] if there else None,
            "Current_Health": hero["health"] if there else None,
            "Is_Dead": dead,
            "Revive_Countdown": hero["seconds_dead"],
        },
        "Towers": towers,
        "Enemies": [
            {"Id": one["id"], "Position": [one["x"], one["y"]], "Type": one["type"], "Current_Health": one["health"]}
            for one in now["enemies"]
        ],
        "Knights": [{"Position": [one["x"], one["y"]], "Current_Health": one["health"]} for one in now["guards"]],
        "Fire_Zones": [[one["x"], one["y"]] for one in now["fires"]],
        "Dropped_Gold_Coin": {"Position": [coin["x"], coin["y"]], "Remaining_Time": coin["seconds"]} if coin else None,
    }


def _last(state) -> dict[str, Any]:
    last = state["last"]
    return {
        "Agent_Last_Action_Info": {
            "Position": [round(int(last["x"]) / UNIT, 2), round(int(last["y"]) / UNIT, 2)],
            "Index": int(last["command"]),
            "Name": COMMANDS[int(last["command"])],
            "Success": int(last["error"]) == 0,
            "Error_Code": int(last["error"]),
        }
    }

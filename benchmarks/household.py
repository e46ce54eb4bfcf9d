"""Household tasks: how long solutions and searches are by the size of houses, and rates.

``python benchmarks/household.py`` writes ``benchmarks/results/household.json``.
"""

import json
import platform
from dataclasses import replace
from pathlib import Path

import numpy as np
from text_worlds import rates

import envsuite
from envsuite.core.companions import Players, companion
from envsuite.evaluation.rollout import play
from envsuite.text_games.household.goals import TASKS
from envsuite.text_games.household.world import HouseholdWorld

RESULTS = Path(__file__).resolve().parent / "results" / "household.json"
EPISODES = 1_000
SIZES = {
    "8 receptacles, 6 things": {"receptacles": 8, "objects": 6},
    "20 receptacles, 12 things": {},
    "48 receptacles, 24 things": {"receptacles": 48, "objects": 24},
    "two rooms, 30 receptacles, 16 things": {"rooms": 2, "receptacles": 30, "objects": 16},
    "four rooms, 48 receptacles, 24 things": {"rooms": 4, "receptacles": 48, "objects": 24},
    "slices": {"sliced": True},
    "held-out rooms and goals": {"split": "unseen"},
}


def row(options: dict) -> dict[str, float]:
    """Mean commands of a shortest solution, and success and mean commands of the player that has to look."""
    card = replace(envsuite.card("Household"), options=options)
    best = play(card, lambda world, slots: companion(world, Players).expert(), EPISODES)
    fair = play(card, lambda world, slots: companion(world, Players).collector("explore"), EPISODES)
    return {
        "shortest": round(float(best.lengths.mean()), 2),
        "explorer": round(float(fair.lengths.mean()), 2),
        "explorer's success": round(float(np.mean(fair.returns)), 3),
    }


def main() -> None:
    """Measure and write."""
    found: dict = {"machine": platform.processor() or platform.machine(), "episodes": EPISODES}
    found["tasks"] = {task: row({"task": task}) for task in TASKS}
    found["sizes"] = {name: row(options) for name, options in SIZES.items()}
    worlds = {"one room": HouseholdWorld(), "four rooms": HouseholdWorld(rooms=4, receptacles=48, objects=24)}
    found["rates"] = {name: {key: round(one) for key, one in rates(world).items()} for name, world in worlds.items()}
    print(json.dumps(found, indent=2))
    RESULTS.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()

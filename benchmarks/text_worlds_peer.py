"""What ``benchmarks/text_worlds.py`` asks the package ``textworld``: games, what it says of random commands, and rates.

Run by an interpreter that has ``textworld``: ``make FAMILY COUNT FOLDER``, ``trace FOLDER STEPS``, ``score FOLDER
STEPS`` and ``rate FOLDER SECONDS``. Answers are lines of JSON.
"""

import importlib
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

STATUS = ("score", "won", "lost")
SCORED = {"recipe": 1, "take": 1, "go": 6, "open": True, "cook": True, "cut": True, "drop": False}
"""Settings of the cooking games whose random score is compared."""


def package(name: str) -> Any:
    """A module of the package, which this project does not install."""
    return importlib.import_module(name)


def settings_of(family: str, rng: random.Random, options: Any) -> dict[str, Any]:
    """Settings of a game of a family, by chance."""
    if family == "coin_collector":
        return {"level": rng.choice([1, 2, 3, 5, 8, 10, 103, 105, 110, 203])}
    if family == "treasure_hunter":
        return {"level": rng.randint(1, 30)}
    if family == "simple":
        rewards, goals = ["dense", "balanced", "sparse"], ["detailed", "brief", "none"]
        return {"rewards": rng.choice(rewards), "goal": rng.choice(goals), "test": rng.random() < 0.5}
    if family == "scored":
        return SCORED | {"recipe_seed": 0, "split": None}
    if family == "cooking":
        recipe = rng.randint(1, 5)
        skills = {name: rng.random() < 0.5 for name in ("open", "cook", "cut", "drop")}
        chosen = {"recipe": recipe, "take": rng.randint(0, recipe), "go": rng.choice([1, 6, 9, 12])}
        return chosen | skills | {"recipe_seed": 0, "split": rng.choice([None, "train", "valid", "test"])}
    options.nb_rooms, options.nb_objects = rng.randint(1, 6), rng.randint(4, 15)
    options.quest_length = rng.randint(1, 6)
    return {}


def make(family: str, count: str, folder: str) -> None:
    """Write games of a family; those that the package fails to make are left out."""
    textworld = package("textworld")
    challenge = {"scored": "cooking"}.get(family, family)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for seed in range(1, int(count) + 1):
        options = textworld.GameOptions()
        options.seeds = seed
        options.path = str(target / f"{seed}.z8")
        start = time.perf_counter()
        try:
            settings = settings_of(family, random.Random(seed), options)
            if family == "custom":
                game = package("textworld.generator").make_game(options)
            else:
                game = package(f"textworld.challenges.tw_{challenge}.{challenge}").make(settings, options)
        except Exception as error:
            print(json.dumps([seed, None, repr(error)[:80]]), flush=True)
            continue
        game.save(str(target / f"{seed}.json"))
        print(json.dumps([seed, time.perf_counter() - start, ""]), flush=True)


def opened(path: Path) -> Any:
    """A game in the package's JSON engine."""
    textworld = package("textworld")
    wanted = textworld.EnvInfos(admissible_commands=True, score=True, won=True, lost=True)
    env = package("textworld.envs.tw").TextWorldEnv(wanted)
    env.load(str(path))
    return env


def trace(folder: str, steps: str) -> None:
    """Random commands in every game: whether it has just begun, what is possible, what was chosen, score, won, lost."""
    for path in sorted(Path(folder).glob("*.json")):
        env, rng = opened(path), random.Random(path.stem)
        rows, state, began = [], env.reset(), True
        for _ in range(int(steps)):
            possible = sorted(set(state["admissible_commands"]))
            chosen = rng.choice(possible)
            rows.append([began, possible, chosen, *(state.get(name) for name in STATUS)])
            state, _, began = env.step(chosen)
            if began:
                rows.append([False, [], "", *(state[name] for name in STATUS)])
                state = env.reset()
        print(json.dumps([path.name, rows]), flush=True)


def score(folder: str, steps: str) -> None:
    """Final scores of random play, one a game."""
    for path in sorted(Path(folder).glob("*.json")):
        env, rng, done, state = opened(path), random.Random(path.stem), False, {}
        state = env.reset()
        for _ in range(int(steps)):
            state, _, done = env.step(rng.choice(sorted(set(state["admissible_commands"]))))
            if done:
                break
        print(json.dumps(int(state["score"])), flush=True)


def rate(folder: str, seconds: str) -> None:
    """Steps a second of processor time with the list of commands, over all games."""
    steps, spent = 0, 0.0
    for path in sorted(Path(folder).glob("*.json")):
        env, rng = opened(path), random.Random(path.stem)
        state = env.reset()
        start = time.process_time()
        for _ in range(50):
            state, _, done = env.step(rng.choice(sorted(set(state["admissible_commands"]))))
            steps += 1
            if done:
                break
        spent += time.process_time() - start
        if spent > float(seconds):
            break
    print(json.dumps(steps / spent))


if __name__ == "__main__":
    {"make": make, "trace": trace, "score": score, "rate": rate}[sys.argv[1]](*sys.argv[2:])

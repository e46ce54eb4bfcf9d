"""What ``benchmarks/text_worlds.py`` asks the package ``textworld``: games, what it says of random commands, and rates.

Run by an interpreter that has ``textworld``: ``make FAMILY COUNT FOLDER``, ``trace FOLDER STEPS``, ``score FOLDER
STEPS`` and ``rate FOLDER SECONDS``. Answers are lines of JSON.
"""

import hashlib
import importlib
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

STATUS = ("score", "won", "lost")
FOLLOWED = 0.7
"""Share of commands that follow a solution."""
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
    wanted = textworld.EnvInfos(admissible_commands=True, score=True, won=True, lost=True, facts=True)
    env = package("textworld.envs.tw").TextWorldEnv(wanted)
    env.load(str(path))
    return env


def digest(state: Any) -> str:
    """Of the facts as texts, in alphabetical order."""
    facts = sorted(text for text in map(str, state["facts"]) if ": slot" not in text and ": number" not in text)
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def trace(folder: str, steps: str) -> None:
    """Commands in every game: by chance the next one of the game's solution, if it has one, or any that is possible.

    Whether it has just begun, what is possible, what was chosen, score, won, lost, and a digest of all facts but those
    that count what is carried: things may fill any slots, and worlds of ours count without them.
    """
    for path in sorted(Path(folder).glob("*.json")):
        env, rng = opened(path), random.Random(path.stem)
        rows, state, began, solution = [], env.reset(), True, []
        for _ in range(int(steps)):
            if began:
                solution = list(state.get("extra.walkthrough") or [])
            possible = sorted(set(state["admissible_commands"]))
            chosen = rng.choice(possible)
            if solution and solution[0] in possible and rng.random() < FOLLOWED:
                chosen = solution.pop(0)
            rows.append([began, possible, chosen, *(state.get(name) for name in STATUS), digest(state)])
            state, _, began = env.step(chosen)
            if began:
                rows.append([False, [], "", *(state[name] for name in STATUS), digest(state)])
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

"""Text worlds beside the package ``textworld``: equality of its games, random scores, rates, time to make a game.

``python benchmarks/text_worlds.py --peer PYTHON`` with an interpreter that has ``textworld`` (1.7) makes games of each
family with it, plays random commands in both engines, and writes ``benchmarks/results/text_worlds.json``. ``--games
FOLDER`` keeps the games (the package takes up to an hour to make them). ``--only exported`` plays games of ours in the
package's engine, and leaves the other results as they are.
"""

import argparse
import hashlib
import json
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.text_games.textworld.coin import CoinCollectorWorld
from envsuite.text_games.textworld.commands import possible_commands
from envsuite.text_games.textworld.cooking import CookingWorld
from envsuite.text_games.textworld.export import export_game
from envsuite.text_games.textworld.facts import readable, true_facts
from envsuite.text_games.textworld.loaded import LoadedWorld
from envsuite.text_games.textworld.nav import TextNavWorld
from envsuite.text_games.textworld.quest import TextQuestWorld
from envsuite.text_games.textworld.simple import SimpleWorld
from envsuite.text_games.textworld.treasure import TreasureHunterWorld
from envsuite.text_games.textworld.world import TextWorld

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "text_worlds.json"
FAMILIES = ("cooking", "coin_collector", "simple", "treasure_hunter", "custom")
OURS = {
    "cooking": lambda: CookingWorld(recipe=3, take=3, go=12),
    "coin_collector": lambda: CoinCollectorWorld(level=110),
    "simple": SimpleWorld,
    "treasure_hunter": lambda: TreasureHunterWorld(level=25),
    "custom": lambda: TextQuestWorld(rooms=6, objects=12, quest_length=8),
}
SCORED, EPISODE = "scored", 100
SLOTS, TURNS = 256, 7


def ask(peer: str, *arguments: str) -> list:
    """Lines of the peer's answer."""
    command = [peer, str(HERE / "text_worlds_peer.py"), *map(str, arguments)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines() if line[:1] in "[0123456789"]


def compare(traces: list, worlds: Callable[[str], tuple[TextWorld, int]]) -> dict[str, int]:
    """Play the peer's commands and count games, commands and differences.

    Args:
        traces: for each game its name and the peer's answers.
        worlds: gives the world and the seed of a game by its name.
    """
    found = {"games": 0, "commands": 0, "differences": 0, "differences of facts": 0}
    for name, rows in traces:
        world, seed = worlds(name)
        batch = Batch(world, 1, num_threads=1)
        for began, possible, chosen, *status, facts in rows:
            if began:
                batch.seed([seed])
                batch.reset()
            state = batch.states[0]
            ours = possible_commands(state, world.names)
            same = status[0] is None or [int(state["score"]), bool(state["won"]), bool(state["lost"])] == status
            found["differences"] += not same or bool(possible and sorted(set(ours)) != possible)
            found["differences of facts"] += digest(world, state) != facts
            if chosen in ours:
                batch.step(np.array([ours.index(chosen)]))
                found["commands"] += 1
        found["games"] += 1
    return found


def digest(world: TextWorld, state: np.void) -> str:
    """Of the facts as texts, as the peer has it."""
    entities = world.entities(state)
    facts = sorted(readable(fact, entities) for fact in true_facts(state, entities))
    kept = (text for text in facts if ": slot" not in text and ": number" not in text)
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()


def drawn(family: str, seed: int) -> TextWorld:
    """A world with options that a seed draws."""
    rng = np.random.default_rng(seed)
    if family == "coin_collector":
        return CoinCollectorWorld(level=int(rng.choice([1, 3, 10, 20, 103, 110, 203, 210])))
    if family == "treasure_hunter":
        return TreasureHunterWorld(level=int(rng.integers(1, 31)), door_states=rng.choice(["documented", "open"]))
    if family == "simple":
        return SimpleWorld(rewards=rng.choice(["dense", "balanced", "sparse"]), split=rng.choice(["train", "test"]))
    if family == "nav":
        return TextNavWorld()
    if family == "custom":
        rooms, objects = int(rng.integers(1, 9)), int(rng.integers(4, 13))
        length = int(rng.integers(1, min(10, 6 + 3 * (rooms // 2)) + 1))
        return TextQuestWorld(
            rooms=rooms, objects=objects, quest_length=length, rewards=rng.choice(["dense", "single"])
        )
    recipe, (opened, cook, cut, drop, old) = int(rng.integers(1, 6)), (rng.random(5) < 0.5).tolist()
    return CookingWorld(
        recipe=recipe,
        take=int(rng.integers(0, recipe + 1)),
        go=int(rng.choice([1, 6, 9, 12])),
        open=opened,
        cook=cook,
        cut=cut,
        drop=drop,
        split=rng.choice(["train", "valid", "test", "all"]),
        compat="textworld" if old else None,
    )


def compare_exported(peer: str, count: int, steps: int) -> dict[str, dict[str, int]]:
    """Games of ours in the package's engine: as the world draws them, and as `LoadedWorld` reads them."""
    found = {}
    for family in (*FAMILIES, "nav"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for seed in range(count):
                export_game(drawn(family, seed), seed, folder / f"{seed}.json")
            traces = ask(peer, "trace", folder, steps)
            found[family] = compare(traces, lambda file, family=family: (drawn(family, int(file[:-5])), int(file[:-5])))
            read = compare(traces, lambda file, folder=folder: (LoadedWorld(paths=[str(folder / file)]), 0))
            found[family]["differences where read again"] = read["differences"] + read["differences of facts"]
        print("exported", family, found[family], flush=True)
    return found


def random_scores(episodes: int) -> np.ndarray:
    """Final scores of random play in cooking games with the peer's settings and rules."""
    world = CookingWorld(recipe=1, take=1, go=6, split="all", compat="textworld")
    batch, rng = Batch(world, episodes, num_threads=1), np.random.default_rng(0)
    batch.seed(np.arange(episodes))
    batch.reset()
    scores, over = np.zeros(episodes), np.zeros(episodes, bool)
    for _ in range(EPISODE):
        batch.step((rng.random(episodes) * batch.states["command_count"]).astype(np.int64))
        scores[~over] = batch.states["score"][~over]
        over |= (batch.states["won"] | batch.states["lost"]).astype(bool)
    return scores


def rates(world) -> dict[str, float]:
    """Best of several turns, by processor time: steps, text steps and games a second, and the median time of a game."""
    batch, rng, words = Batch(world, SLOTS, num_threads=1), np.random.default_rng(0), companion(world, Words)
    batch.seed(np.arange(SLOTS))
    batch.reset()
    words.write(batch.states)
    found = {"steps/s": 0.0, "text steps/s": 0.0, "games/s": 0.0}
    for _ in range(TURNS):
        spent = {"steps/s": 0.0, "text steps/s": 0.0}
        for _ in range(20):
            actions = (rng.random(SLOTS) * batch.states["command_count"]).astype(np.int64)
            start = time.process_time()
            batch.step(actions, restart=batch.done)
            middle = time.process_time()
            words.write(batch.states)
            spent["steps/s"] += middle - start
            spent["text steps/s"] += time.process_time() - start
        for name, seconds in spent.items():
            found[name] = max(found[name], 20 * SLOTS / seconds)
        start = time.process_time()
        batch.reset()
        found["games/s"] = max(found["games/s"], SLOTS / (time.process_time() - start))
    return found


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True, help="interpreter that has textworld")
    parser.add_argument("--games", type=Path, help="folder to keep the peer's games in")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--only", choices=["exported"])
    given = parser.parse_args()
    if given.only:
        found = json.loads(RESULTS.read_text()) | {"exported": compare_exported(given.peer, given.count, given.steps)}
        RESULTS.write_text(json.dumps(found, indent=2) + "\n")
        return
    folder = given.games or Path(tempfile.mkdtemp())
    found: dict = {"machine": platform.processor() or platform.machine(), "families": {}}
    for family in (*FAMILIES, SCORED):
        if not (folder / family).is_dir():
            count = given.count if family != SCORED else 2 * given.count
            made = ask(given.peer, "make", family, count, folder / family)
            (folder / family / "seconds.txt").write_text("\n".join(str(row[1]) for row in made if row[1]))
        print(family, len(list((folder / family).glob("*.json"))), "games", flush=True)
    for family in FAMILIES:
        traces = ask(given.peer, "trace", folder / family, given.steps)
        row = compare(traces, lambda file, family=family: (LoadedWorld(paths=[str(folder / family / file)]), 0))
        row |= {"package steps/s": ask(given.peer, "rate", folder / family, 10)[0]} | rates(OURS[family]())
        seconds = (folder / family / "seconds.txt").read_text().split()
        row["package s a game"] = float(np.median(np.array(seconds, float)))
        found["families"][family] = {key: round(value, 4) for key, value in row.items()}
        print(family, found["families"][family], flush=True)
    theirs, ours = np.array(ask(given.peer, "score", folder / SCORED, EPISODE), float), random_scores(4000)
    errors = [float(scores.std(ddof=1) / np.sqrt(len(scores))) for scores in (theirs, ours)]
    found["random score"] = {
        "package": round(float(theirs.mean()), 4),
        "ours": round(float(ours.mean()), 4),
        "standard errors apart": round(float(abs(theirs.mean() - ours.mean()) / np.hypot(*errors)), 2),
    }
    print(found["random score"])
    found["exported"] = compare_exported(given.peer, given.count, given.steps)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()

"""Rates of the games for language models, beside OpenSpiel and TextArena on the same machine.

    python benchmarks/language_games.py [--spiel PYTHON] [--arena PYTHON]

writes ``benchmarks/results/language_games.json``. The peers run in environments of their own, whose interpreters are
named; all play uniformly random legal moves on one thread. Rates are by processor time, the best of several turns, of
which some come minutes later: other work on the machine comes and goes.
"""

import argparse
import json
import platform
import subprocess
import time
from functools import partial
from pathlib import Path

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.language_games.hanabi.world import HanabiWorld
from envsuite.language_games.kuhn.world import KuhnPokerWorld
from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.liars_dice.world import LiarsDiceWorld
from envsuite.language_games.negotiation.world import NegotiationWorld
from envsuite.language_games.nim.world import NimWorld
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.tictactoe.world import TicTacToeWorld

RESULTS = Path(__file__).resolve().parent / "results" / "language_games.json"
PEERS = Path(__file__).resolve().with_name("language_games_peers.py")
SLOTS, STEPS, TURNS = 1024, 50, 5
TEXTS = 256
ROUNDS = 3
WORLDS = {
    "tic-tac-toe": TicTacToeWorld,
    "Kuhn poker": KuhnPokerWorld,
    "Leduc poker": LeducPokerWorld,
    "Nim": NimWorld,
    "Pig": PigWorld,
    "liar's dice": LiarsDiceWorld,
    "Mini Hanabi": HanabiWorld,
    "Simple Hanabi": partial(HanabiWorld, colors=3, hand=5, information=8),
    "negotiation, two kinds": NegotiationWorld,
    "negotiation, five kinds": partial(NegotiationWorld, kinds=5, most=5),
}


def rates(world) -> dict[str, int]:
    """Steps a second: integers alone, with the text of the player to move, and with its answer read besides."""
    batch, words, draw = Batch(world, SLOTS, num_threads=1), companion(world, Words), np.random.default_rng(0)
    batch.seed(np.arange(SLOTS))
    batch.reset()
    steps = texts = answers = 0.0
    for _ in range(TURNS):
        spent = 0.0
        for _ in range(STEPS):
            masks = batch.last.info["action_mask"].sum(axis=1)
            actions = np.repeat((masks * draw.random(masks.shape)).argmax(axis=1)[:, np.newaxis], 2, axis=1)
            start = time.process_time()
            batch.step(actions, batch.done)
            spent += time.process_time() - start
        steps = max(steps, SLOTS * STEPS / spent)
        movers, moves = batch.states["current_player"][:TEXTS], actions[:TEXTS, 0]
        told = time.process_time()
        for state, mover in zip(batch.states[:TEXTS], movers, strict=True):
            words.describe(state, int(mover))
        read = time.process_time()
        for state, mover, move in zip(batch.states[:TEXTS], movers, moves, strict=True):
            words.parse(f"[{words.say(int(move))}]", state, int(mover))
        done, step = time.process_time(), TEXTS / steps
        texts, answers = max(texts, TEXTS / (read - told + step)), max(answers, TEXTS / (done - told + step))
    return {"steps/s": round(steps), "text steps/s": round(texts), "with answers read": round(answers)}


def keep_best(found: dict, name: str, measured: dict[str, int] | str) -> None:
    """Keep the greater of two rates, under the name of a game; texts, such as versions, are taken as they are."""
    known = found.get(name)
    if isinstance(measured, dict) and known:
        measured = {rate: max(value, known[rate]) for rate, value in measured.items()}
    found[name] = measured


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spiel", help="interpreter that has open_spiel")
    parser.add_argument("--arena", help="interpreter that has textarena")
    given = parser.parse_args()
    found: dict = {"machine": platform.processor() or platform.machine(), "slots": SLOTS}
    for _ in range(ROUNDS):
        for name, world in WORLDS.items():
            keep_best(found.setdefault("envsuite", {}), name, rates(world()))
        for peer, python in (("open_spiel", given.spiel), ("textarena", given.arena)):
            if python:
                done = subprocess.run([python, PEERS, peer], capture_output=True, text=True, check=True)
                for name, measured in json.loads(done.stdout.splitlines()[-1]).items():
                    keep_best(found.setdefault(peer, {}), name, measured)
    print(json.dumps(found, indent=2))
    RESULTS.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()

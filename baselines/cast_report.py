"""How often a policy of Duel beats each character of the cast, and how long its training took.

``python baselines/cast_report.py RUN --level 8 --games 40``, RUN a run folder of any algorithm.
"""

import argparse
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import envsuite
from envsuite.cards import EnvCard
from envsuite.evaluation.rollout import PolicyMaker, play, policy_maker
from envsuite.fighting.characters import CAST
from envsuite.scoring import Estimate, proportion_interval


def win_rates(card: EnvCard, make: PolicyMaker, level: int, games: int) -> dict[str, Estimate]:
    """Share of matches won against each character, draws not won.

    Args:
        card: of Duel or a variant of it.
        make: the policy.
        level: of the computer player.
        games: against each character.
    """
    found = {}
    for one in CAST:
        options = {**card.options, "opponent": one.name, "level": level}
        played = play(dataclasses.replace(card, options=options), make, games)
        found[one.name] = proportion_interval(int((played.metrics["won"] == 1).sum()), games)
    return found


def training(run: Path) -> str:
    """Steps and time of a run, from its record; empty where there is none."""
    metrics = run / "metrics.jsonl"
    if not metrics.is_file():
        return ""
    last = json.loads(metrics.read_text(encoding="utf-8").splitlines()[-1])
    return f"{last['step']:,} steps, {last['training_time']:.0f} s of training ({last['wall']:.0f} s with evaluations)"


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Win rates against every character.")
    parser.add_argument("run", help="run folder, .onnx file, or random, expert")
    parser.add_argument("--env-id", default="Duel")
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--games", type=int, default=40, help="against each character")
    given = parser.parse_args(arguments)
    found = win_rates(envsuite.card(given.env_id), policy_maker(given.run), given.level, given.games)
    print(f"| opponent at level {given.level} | won | 95 % interval |\n| --- | --- | --- |")
    for name, share in found.items():
        print(f"| {name} | {share.value:.3f} | [{share.low:.3f}, {share.high:.3f}] |")
    shares = np.array([share.value for share in found.values()])
    print(f"\nmean {shares.mean():.3f}, least {shares.min():.3f}; {training(Path(given.run))}")


if __name__ == "__main__":
    main()

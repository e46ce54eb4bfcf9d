"""Everybody plays everybody: win matrix with intervals, ratings, equilibrium, cycles; for two players.

All pairs play the same seeds, sides by turns. ``python baselines/tournament.py PLAYER ... --env-id DuelVersus --anchor
level:1`` prints tables and writes what they are made of.
"""

import argparse
import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from contests import mixed_games
from exploit import ExploitConfig
from players import SPECS, Player, players

from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.evaluation.rollout import EVALUATION_SEED
from envsuite.scoring import (
    alpha_rank,
    bradley_terry_intervals,
    cyclic_share,
    max_entropy_equilibrium,
    share_intervals,
    win_shares,
)

PRIOR = 1.0
"""Games added to every pair, half won by each: ratings stay finite and cycles defined where somebody won all."""


def tournament(card: EnvCard, players: Sequence[Player], games: int, log: Any = lambda line: None) -> np.ndarray:
    """Points of all against all.

    Args:
        card: the environment.
        players: two or more.
        games: of each pair.
        log: called with a line of text after each pair.

    Returns:
        (games, players, players) float64: in each game 1 for the winner, 1/2 for a draw.
    """
    points = np.zeros((games, len(players), len(players)))
    for i, j in combinations(range(len(players)), 2):
        played = mixed_games(card, players[i].members, players[j].members, games)
        share = played.metrics["win_share"]
        place = played.seeds - EVALUATION_SEED
        points[place, i, j], points[place, j, i] = share, 1 - share
        log(f"{players[i].name} against {players[j].name}: {share.mean():.3f}")
    return points


def summary(points: np.ndarray, anchor: int = 0) -> dict[str, Any]:
    """What a tournament came to, as plain data.

    Args:
        points: (games, players, players).
        anchor: whose rating is 1000.
    """
    table = points.sum(axis=0)
    shares, (low, high) = win_shares(table), share_intervals(table)
    np.fill_diagonal(shares, 0.5)
    smooth = win_shares(table + PRIOR * 0.5 * (1 - np.eye(len(table))))
    np.fill_diagonal(smooth, 0.5)
    payoff = 2 * shares - 1
    ratings = bradley_terry_intervals(points, anchor=anchor, prior=PRIOR)
    return {
        "win_shares": shares.tolist(),
        "low": np.nan_to_num(low, nan=0.5).tolist(),
        "high": np.nan_to_num(high, nan=0.5).tolist(),
        "ratings": [{"value": one.value, "low": one.low, "high": one.high} for one in ratings],
        "equilibrium": max_entropy_equilibrium(payoff)[1].tolist(),
        "alpha_rank": alpha_rank(payoff).tolist(),
        "cyclic_share": cyclic_share(smooth),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Let everybody play everybody.")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=f"{SPECS}; NAME=PLAYER gives it a name")
    parser.add_argument("--env-id", required=True)
    parser.add_argument("--games", type=int, default=100, help="of each pair")
    parser.add_argument("--anchor", default="", help="player of rating 1000; the first by default")
    parser.add_argument("--out", type=Path, default=Path("tournament.json"))
    given = parser.parse_args(arguments)
    named = [spec.partition("=") if "=" in spec else (spec, "", spec) for spec in given.players]
    names = [name for name, _, _ in named]
    if len(set(names)) < len(names) or len(names) < 2:
        raise SystemExit(f"players are {names}, expected two or more of different names")
    if given.anchor and given.anchor not in names:
        raise SystemExit(f"the anchor {given.anchor!r} is none of the players {names}")
    if given.games < 2:
        raise SystemExit(f"games is {given.games}, expected at least 2")
    seats = players([spec for _, _, spec in named])
    points = tournament(ExploitConfig.for_env(given.env_id).card(), seats, given.games, print)
    found = summary(points, names.index(given.anchor) if given.anchor else 0)
    found |= {"players": names, "digests": [one.digest for one in seats], "games": given.games}
    write_atomic(given.out, json.dumps(found, indent=1) + "\n")
    print(report(found))


def report(found: dict[str, Any]) -> str:
    """The tables as Markdown."""
    names = found["players"]
    lines = [f"| | {' | '.join(names)} | rating | equilibrium | α-rank |", "| --- |" + " --- |" * (len(names) + 3)]
    for i, name in enumerate(names):
        cells = [
            "" if i == j else f"{found['win_shares'][i][j]:.2f} [{found['low'][i][j]:.2f}, {found['high'][i][j]:.2f}]"
            for j in range(len(names))
        ]
        rating = found["ratings"][i]
        cells += [f"{rating['value']:.0f} [{rating['low']:.0f}, {rating['high']:.0f}]"]
        cells += [f"{found['equilibrium'][i]:.2f}", f"{found['alpha_rank'][i]:.2f}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Cyclic share of the table: {found['cyclic_share']:.3f}."])


if __name__ == "__main__":
    main()

"""Writes what of the language games is computed beforehand.

    python benchmarks/language_games_tables.py

lets all players that the games know, and the frozen policies of baselines, meet each other and writes
``docs/_tables/language-games.md``: exact payoffs from both seats, distances from equilibrium and ratings. With
``--policy [NAME=]FILE``, a trained network (an ``.onnx`` file or a run folder) meets the players of its game too, and
the table is printed instead.

    python benchmarks/language_games_tables.py --equilibria

writes the equilibria of Leduc poker and liar's dice that lie in the package, in some minutes. The tests measure the
files' exploitability, however they were made.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from tables import table

import envsuite
from envsuite.agents.onnx import load
from envsuite.core.companions import Players, companion
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.evaluation.frozen import frozen_policies
from envsuite.language_games.experts import MixedPolicy
from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.liars_dice.world import LiarsDiceWorld
from envsuite.language_games.solving.cfr import solve
from envsuite.language_games.solving.matches import Matches, all_matches
from envsuite.language_games.solving.measure import measure
from envsuite.language_games.solving.tables import Table, load_table, save_table
from envsuite.language_games.solving.tree import unfold
from envsuite.language_games.solving.values import exploitability, value
from envsuite.scoring import bradley_terry, cyclic_share, win_shares

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "envsuite" / "language_games"
TABLE = ROOT / "docs" / "_tables" / "language-games.md"
WANTED = (("leduc", LeducPokerWorld, 100_000, 1e-5), ("liars_dice", LiarsDiceWorld, 5_000, 1e-5))
GAMES = {
    "TicTacToe": "Tic-tac-toe",
    "KuhnPoker": "Kuhn poker",
    "LeducPoker": "Leduc poker",
    "Nim": "Nim",
    "Pig": "Pig",
    "LiarsDice": "Liar's dice",
}
GAMES_A_PAIR = 1000
"""Ratings are those of as many games a pair, drawn and won in the exact shares, with one more that both win half of, so
that who wins all has a finite rating."""


def equilibria(names: Sequence[str]) -> None:
    """Solve the games named, all by default."""
    for name, world, iterations, target in WANTED:
        if names and name not in names:
            continue
        tree = unfold(world())
        found = solve(tree, iterations, target)
        path = PACKAGE / name / "equilibrium.npz"
        save_table(path, Table(tree.seen, found.profile))
        kept = load_table(path)(tree.seen)
        print(
            f"{name}: {found.iterations} iterations, exploitability {found.exploitability:.3g}, of the file "
            f"{exploitability(tree, kept):.3g}, value {value(tree, kept):.6f}, {path.stat().st_size} bytes"
        )


def ratings(found: Matches) -> tuple[np.ndarray, float]:
    """Ratings of Bradley and Terry, the first player at 1000, and the share of the table that they cannot show."""
    others = 1 - np.eye(len(found.names))
    points = found.shares * GAMES_A_PAIR * others
    shares = win_shares(points + 0.5 * others)
    np.fill_diagonal(shares, 0.5)
    return bradley_terry(points, anchor=0, prior=1.0), cyclic_share(shares)


def game(card_id: str, more: Mapping[str, MixedPolicy]) -> str:
    """The tables of one game.

    Args:
        card_id: short id.
        more: players by name, besides the game's own.
    """
    card = envsuite.card(card_id)
    world = make_world(card.world, **card.options)
    players = companion(world, Players)
    policies = {name: players.policy(name) for name in players.policies()} | dict(more)
    found = all_matches(world, policies)
    left = [measure(world, policy) for policy in policies.values()]
    rated, cyclic = ratings(found)
    header = ["player", "exploitability", "normalised", "rating", *(f"against {name}" for name in found.names)]
    rows = [
        [
            f"`{name}`",
            f"{left[i].exploitability:.4f}",
            _plain(left[i].normalised, 3),
            f"{rated[i]:.0f}",
            *(f"{_plain(found.gains[i, j])}, {_plain(-found.gains[j, i])}" for j in range(len(found.names))),
        ]
        for i, name in enumerate(found.names)
    ]
    return f"**{GAMES[card_id]}.** Ratings leave out {cyclic:.1%} of the table.\n\n{table(header, rows)}\n"


def _plain(number: float, digits: int = 3) -> str:
    """Fixed digits, without a sign before 0."""
    text = f"{number:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def trained(given: Sequence[str]) -> dict[str, dict[str, MixedPolicy]]:
    """Networks by the game that they play, and by name.

    Args:
        given: ``[NAME=]FILE``.

    Raises:
        ValueError: a network of another environment, or two of one name.
    """
    found: dict[str, dict[str, MixedPolicy]] = {}
    for text in given:
        name, _, file = text.rpartition("=")
        network = load(file)
        card_id = network.interface.env_id.removeprefix("envsuite/").removesuffix("-v0")
        if card_id not in GAMES:
            raise ValueError(f"{file} is for {network.interface.env_id}, expected one of {', '.join(GAMES)}")
        mine, name = found.setdefault(card_id, {}), name or Path(file).stem
        if name in mine:
            raise ValueError(f"two players of {card_id} are called {name!r}: name them apart, as NAME=FILE")
        mine[name] = network.probabilities
    return found


def frozen(card_id: str) -> dict[str, MixedPolicy]:
    """Trained networks of a game that come with the package, by name."""
    env_id = envsuite.card(card_id).id
    mine = {one.name.partition("/")[0]: one for one in frozen_policies().values() if one.env_id == env_id}
    return {name: one.load().probabilities for name, one in sorted(mine.items())}


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Compute tables of the language games.")
    parser.add_argument("--equilibria", nargs="*", choices=[name for name, *_ in WANTED], metavar="GAME")
    parser.add_argument("--policy", action="append", default=[], metavar="[NAME=]FILE")
    given = parser.parse_args(arguments)
    if given.equilibria is not None:
        equilibria(given.equilibria)
    elif given.policy:
        for card_id, players in trained(given.policy).items():
            print(game(card_id, players))
    else:
        parts = []
        for card_id in GAMES:
            parts.append(game(card_id, frozen(card_id)))
            print(parts[-1], flush=True)
        write_atomic(TABLE, "\n".join(parts))


if __name__ == "__main__":
    main()

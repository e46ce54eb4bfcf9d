"""Writes the equilibria of Leduc poker and liar's dice that lie in the package.

    python benchmarks/language_games_tables.py

takes some minutes. The tests measure the files' exploitability, however they were made.
"""

import sys
from pathlib import Path

from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.liars_dice.world import LiarsDiceWorld
from envsuite.language_games.solving.cfr import solve
from envsuite.language_games.solving.tables import Table, load_table, save_table
from envsuite.language_games.solving.tree import unfold
from envsuite.language_games.solving.values import exploitability, value

PACKAGE = Path(__file__).parent.parent / "envsuite" / "language_games"
WANTED = (("leduc", LeducPokerWorld, 100_000, 1e-5), ("liars_dice", LiarsDiceWorld, 5_000, 1e-5))


def main(names: list[str]) -> None:
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


if __name__ == "__main__":
    main(sys.argv[1:])

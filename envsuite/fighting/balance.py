"""Measures and tunes the balance: characters against each other, computer players by level, and one-trick scripts.

python -m envsuite.fighting.balance tune      # damage percentages for `characters.CAST`
python -m envsuite.fighting.balance report    # all tables as JSON
python -m envsuite.fighting.balance report --write docs/_tables/fighting-balance.md
"""

import argparse
import json
import sys
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import records
from envsuite.core.world import allocate
from envsuite.fighting.characters import CAST, cast
from envsuite.fighting.kernel import DuelVersusWorld
from envsuite.fighting.kernel.watching import HOLD, MASH, NOTHING, fight_out, open_all
from envsuite.fighting.params import (
    CHARACTERS,
    FRAMES,
    LEVELS,
    MACRO_NAMES,
    X_DASH_F,
    X_EX,
    X_FORWARD,
    X_STAND_BLOCK,
    X_SUPER,
    X_THROW,
)

MEAN_GATE, MATCH_GATE, LEVEL_GATE, TRICK_GATE = (0.42, 0.58), (0.30, 0.70), 0.53, 0.60
CYCLE_GATE, RANDOM_GATE, TRICK_LEVEL = 0.50, 0.25, 4
"""Win rates: of a character over all others, of a pairing, of a level against the one below; the highest of a one-trick
script and of a blind cycle, from level `TRICK_LEVEL` on (that of a cycle is what a level scores against itself), and of
uniformly random inputs held for eight frames, against any level."""

TRICKS = (X_FORWARD, X_STAND_BLOCK, X_DASH_F, *range(X_THROW, X_SUPER + 1), X_EX)
WALK_UP = 90  # px within which the cleverer scripts use their trick
_STEP = 0.45  # of a damage percentage, for each unit of win rate
_CHUNK = 2048
_FINALISTS = 4  # scripts of which it is measured again how often they win
_AGAIN = 120  # times as many rounds for that
LONGEST = 3  # macros of a cycle, the slots of `envsuite.fighting.kernel.commands.set_queue`
SIEVE = ((2, 8), (4, 8), (12, 0))
"""Screening of cycles: rounds of each that is left, and of how many one goes on; 0 where only the best `BEST` do."""
BEST, BEST_ROUNDS = 50, 480
_APART = 100_000  # between the seeds of two rounds of all cycles


@dataclass(frozen=True)
class Rounds:
    """What rounds came to.

    Attributes:
        score: (n,) of the first fighter: 1, 0.5 for a draw, 0.
        seconds: (n,) their length.
        timeout: (n,) bool, whether time ran out.
    """

    score: np.ndarray
    seconds: np.ndarray
    timeout: np.ndarray


def fight(
    first: np.ndarray,
    second: np.ndarray,
    levels: np.ndarray,
    *,
    macros: np.ndarray | None = None,
    reach: int = 0,
    damages: tuple[int, ...] | None = None,
    seed: int = 0,
) -> Rounds:
    """Fight rounds between computer players or scripts; sides are tossed.

    Args:
        first: (n,) characters.
        second: (n,) likewise.
        levels: (n, 2) levels of both, 0 for a script.
        macros: (n,) what scripts repeat, or `HOLD` or `MASH` for random inputs; or (n, 3), see
            `envsuite.fighting.kernel.watching.fight_out`.
        reach: px beyond which scripts walk up first; 0 for never.
        damages: percentages instead of those of the cast.
        seed: round `i` has the seed ``seed + i``.
    """
    world = DuelVersusWorld(frame_skip=1)
    params = records(world.params)
    if damages is not None:
        params["characters"] = cast(damages)
    first, second, levels = (np.ascontiguousarray(one, np.int32) for one in (first, second, levels))
    macros = np.zeros(len(first), np.int32) if macros is None else np.asarray(macros, np.int32)
    if macros.ndim == 1:
        macros = np.stack([macros, *[np.full(len(first), NOTHING, np.int32)] * (LONGEST - 1)], axis=1)
    parts = []
    for start in range(0, len(first), _CHUNK):
        cut = slice(start, min(start + _CHUNK, len(first)))
        states = allocate(world, cut.stop - start)
        for k in range(cut.stop - start):
            states[k]["rng"]["key"] = rng.seed_key(seed + start + k)
        open_all(states, params, first[cut], second[cut], levels[cut])
        fight_out(states, params, macros[cut], reach)
        score = np.select([states["outcome"] == 1, states["outcome"] == 2], [1.0, 0.0], 0.5)
        parts.append((score, states["frames"] / FRAMES, states["left"] <= 0))
    return Rounds(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def match_ups(
    rounds: int, levels: tuple[int, ...] = tuple(range(1, LEVELS + 1)), damages=None, seed: int = 0
) -> tuple[np.ndarray, Rounds]:
    """Win rates of all pairings, both players of the same level.

    Args:
        rounds: of each pairing and level.
        levels: over which to average.
        damages: see `fight`.
        seed: see `fight`.

    Returns:
        (12, 12) win rates of rows against columns, 0.5 on the diagonal, and the rounds.
    """
    pairs = np.array(list(combinations(range(CHARACTERS), 2)))
    grid = np.array([(a, b, level) for level in levels for a, b in pairs for _ in range(rounds)])
    played = fight(grid[:, 0], grid[:, 1], np.repeat(grid[:, 2:], 2, axis=1), damages=damages, seed=seed)
    scores = played.score.reshape(len(levels), len(pairs), rounds).mean(axis=(0, 2))
    table = np.full((CHARACTERS, CHARACTERS), 0.5)
    table[pairs[:, 0], pairs[:, 1]], table[pairs[:, 1], pairs[:, 0]] = scores, 1 - scores
    return table, played


def means(table: np.ndarray) -> np.ndarray:
    """Mean win rate of every character against the others, (12,)."""
    return (table.sum(axis=1) - 0.5) / (CHARACTERS - 1)


def tune(iterations: int = 30, rounds: int = 8, seed: int = 0) -> tuple[int, ...]:
    """Move the damage percentages until nobody is stronger than the others.

    Args:
        iterations: passes.
        rounds: of each pairing and level in a pass.
        seed: see `fight`; every pass has fresh seeds.

    Returns:
        Percentages by character.
    """
    damage = np.array([one.damage for one in CAST], float)
    for k in range(iterations):
        table, played = match_ups(rounds, damages=tuple(int(d) for d in damage.round()), seed=seed + k * 100_000)
        share = means(table)
        damage *= 1 + _STEP * (0.5 - share)
        late, now = played.timeout.mean(), damage.round().astype(int).tolist()
        print(f"{k}: {share.min():.3f} to {share.max():.3f}, {late:.3f} out of time, {now}", file=sys.stderr)
    return tuple(int(d) for d in damage.round())


def level_table(rounds: int, seed: int = 0, lowest: int = 1) -> np.ndarray:
    """Win rates of levels against each other, characters drawn evenly.

    Args:
        rounds: of each pairing of levels.
        seed: see `fight`.
        lowest: level to begin with.

    Returns:
        (8, 8) rates of rows against columns.
    """
    table = np.full((LEVELS, LEVELS), 0.5)
    for a, b in combinations(range(lowest, LEVELS + 1), 2):
        table[b - 1, a - 1] = step(b, a, rounds, seed)
        table[a - 1, b - 1] = 1 - table[b - 1, a - 1]
    return table


def step(higher: int, lower: int, rounds: int, seed: int = 0) -> float:
    """Win rate of a level against another, over all characters.

    Args:
        higher: level of the first fighter.
        lower: level of the second.
        rounds: how many.
        seed: see `fight`.
    """
    k = np.arange(rounds)
    levels = np.tile([higher, lower], (rounds, 1))
    return float(fight(k % CHARACTERS, (k * 5 + k // CHARACTERS) % CHARACTERS, levels, seed=seed).score.mean())


def tricks(level: int, rounds: int, seed: int = 0, reach: int = 0) -> np.ndarray:
    """Win rates of scripts that repeat one macro, (12 characters, `TRICKS`).

    Args:
        level: of the computer player.
        rounds: of each script, spread over all opponents.
        seed: see `fight`.
        reach: see `fight`.
    """
    grid = np.array([(c, m, r) for c in range(CHARACTERS) for m in TRICKS for r in range(rounds)])
    levels = np.tile([0, level], (len(grid), 1))
    played = fight(grid[:, 0], grid[:, 2] % CHARACTERS, levels, macros=grid[:, 1], reach=reach, seed=seed)
    return played.score.reshape(CHARACTERS, len(TRICKS), rounds).mean(axis=2)


def best_trick(level: int, rounds: int, seed: int = 0, reach: int = 0) -> tuple[float, str, str]:
    """The script that wins most: win rate, character, macro.

    The highest of many measured rates is too high by chance; so the few best are measured again, by other rounds.

    Args:
        level: see `tricks`.
        rounds: likewise; the last measurement takes 120 times as many.
        seed: see `fight`.
        reach: see `fight`.
    """
    rates = tricks(level, rounds, seed, reach)
    found = []
    for best in np.argsort(rates, axis=None)[-_FINALISTS:]:
        character, macro = np.unravel_index(best, rates.shape)
        k, count = np.arange(_AGAIN * rounds), _AGAIN * rounds
        played = fight(
            np.full(count, character),
            k % CHARACTERS,
            np.tile([0, level], (count, 1)),
            macros=np.full(count, TRICKS[macro]),
            reach=reach,
            seed=seed + 10**6,
        )
        found.append((float(played.score.mean()), CAST[character].name, MACRO_NAMES[TRICKS[macro]]))
    return max(found)


def all_cycles() -> np.ndarray:
    """All cycles of one to three macros, (4900, 3) with `NOTHING` behind shorter ones; each once."""
    numbers = range(len(MACRO_NAMES))
    found: list[tuple[int, ...]] = [(k, NOTHING, NOTHING) for k in numbers]
    found += [(*pair, NOTHING) for pair in combinations(numbers, 2)]
    found += [trio for trio in product(numbers, repeat=3) if len(set(trio)) > 1 and trio == _least_turn(trio)]
    return np.array(found, np.int32)


def _least_turn(cycle: tuple[int, ...]) -> tuple[int, ...]:
    return min(cycle[k:] + cycle[:k] for k in range(len(cycle)))


def best_cycles(
    level: int, seed: int = 0, cycles: np.ndarray | None = None, best: int = BEST, rounds: int = BEST_ROUNDS
) -> list[tuple[float, str, tuple[str, ...]]]:
    """Search for the cycles that win most, played blindly by every character.

    All are screened by few rounds, and what is left of them by more (`SIEVE`, points of all screenings together); the
    best are then measured by other rounds, so that their win rates are not those of the lucky ones.

    Args:
        level: of the computer player.
        seed: see `fight`.
        cycles: (n, 3) those to search, `all_cycles` by default.
        best: how many are measured.
        rounds: by how many each; a multiple of 12 meets all characters equally often.

    Returns:
        Win rate, character and macros, the best first.
    """
    cycles = all_cycles() if cycles is None else cycles
    who, what = (one.ravel() for one in np.indices((CHARACTERS, len(cycles))))
    points, played = np.zeros(len(who)), 0
    for count, part in SIEVE:
        points += _points(who, cycles[what], level, range(played, played + count), seed)
        played += count
        left = np.argsort(-points, kind="stable")[: max(best, len(who) // part) if part else best]
        who, what, points = who[left], what[left], points[left]
    shares = _points(who, cycles[what], level, range(rounds), seed + 10**8) / rounds
    return [
        (float(shares[k]), CAST[who[k]].name, tuple(MACRO_NAMES[m] for m in cycles[what[k]] if m < NOTHING))
        for k in np.argsort(-shares, kind="stable")
    ]


def _points(who: np.ndarray, cycles: np.ndarray, level: int, rounds: range, seed: int) -> np.ndarray:
    """Points of cycles, of characters, in numbered rounds of one level; opponents follow one another."""
    total, levels = np.zeros(len(who)), np.tile([0, level], (len(who), 1))
    first = cycles @ (1, 5, 7)  # not the same for all, so that few rounds screen against all opponents
    for k in rounds:
        others = (first + k) % CHARACTERS
        total += fight(who, others, levels, macros=cycles, seed=seed + k * _APART).score
    return total


def randoms(level: int, rounds: int, seed: int = 0, script: int = HOLD) -> float:
    """Win rate of random inputs, over all pairings of characters.

    Args:
        level: of the computer player.
        rounds: how many.
        seed: see `fight`.
        script: `HOLD` draws a direction and a button every eight frames, `MASH` every four.
    """
    k = np.arange(rounds)
    levels = np.tile([0, level], (rounds, 1))
    pairs = k % CHARACTERS, k // CHARACTERS % CHARACTERS
    return float(fight(*pairs, levels, macros=np.full(rounds, script), seed=seed).score.mean())


def report(rounds: int = 24, seed: int = 10**6) -> dict:
    """All tables.

    Args:
        rounds: of each pairing and level; a multiple of it for the others.
        seed: see `fight`; not those of tuning.
    """
    table, played = match_ups(rounds, seed=seed)
    found: dict = {
        "characters": [one.name for one in CAST],
        "win rates": table.round(3).tolist(),
        "means": means(table).round(3).tolist(),
        "seconds": {"mean": float(played.seconds.mean()), "out of time": float(played.timeout.mean())},
        "levels": level_table(21 * rounds, seed).round(3).tolist(),
        "random": {
            name: [round(randoms(level, 24 * rounds, seed, script), 3) for level in range(1, LEVELS + 1)]
            for name, script in (("held for eight frames", HOLD), ("every four frames", MASH))
        },
        "tricks": [],
        "cycles": [],
        "rounds": rounds,
    }
    for level, reach in product(range(TRICK_LEVEL, LEVELS + 1), (0, WALK_UP)):
        rate, character, macro = best_trick(level, rounds, seed, reach)
        how = "walking up" if reach else "on the spot"
        found["tricks"].append([level, how, round(rate, 3), character, macro])
    for level in range(TRICK_LEVEL, LEVELS + 1):
        best = best_cycles(level, seed)
        rate, character, macros = best[0]
        found["cycles"].append([level, round(rate, 3), round(best[-1][0], 3), character, list(macros)])
    return found


def page(found: dict) -> str:
    """The tables of a report in Markdown.

    Args:
        found: from `report`.
    """
    names, rounds, digits, seconds = found["characters"], found["rounds"], "{:.2f}".format, found["seconds"]
    numbers = [str(level) for level in range(1, LEVELS + 1)]

    def square(heads: list[str], rates: list[list[float]]) -> list[list[str]]:
        return [
            [head, *("" if k == j else digits(rate) for k, rate in enumerate(rates[j]))] for j, head in enumerate(heads)
        ]

    pairings = [
        [*row, f"{mean:.3f}"] for row, mean in zip(square(names, found["win rates"]), found["means"], strict=True)
    ]
    wild = [[name, *map(digits, rates)] for name, rates in found["random"].items()]
    tricks = [[str(level), how, digits(rate), who, f"`{macro}`"] for level, how, rate, who, macro in found["tricks"]]
    cycles = [
        [str(level), digits(rate), digits(least), who, ", ".join(f"`{macro}`" for macro in macros)]
        for level, rate, least, who, macros in found["cycles"]
    ]
    return f"""<!-- written by python -m envsuite.fighting.balance report --write -->
Win rates of the characters in the rows against those in the columns. Both sides are computer players of the same level,
with {rounds} rounds of each pairing and level:

{_table(["", *(name[:3] for name in names), "mean"], pairings)}
Rounds last {seconds["mean"]:.0f} s in the mean; {100 * seconds["out of time"]:.1f} % run out of time.
Win rates of levels against each other, with characters drawn evenly and {21 * rounds} rounds a pairing:

{_table(["level", *numbers], square(numbers, found["levels"]))}
Win rates of random inputs against each level, {24 * rounds} rounds a level. Direction and button
are drawn anew every eight frames and held, or every four frames and tapped:

{_table(["against level", *numbers], wild)}
The best of {CHARACTERS * len(TRICKS)} scripts that repeat one macro, found by {rounds} rounds each.
How often it wins is measured again by {_AGAIN * rounds} other rounds:

{_table(["level", "script", "wins", "character", "macro"], tricks)}
The best cycles of one to three macros, played blindly by any character. They were found by playing
all {_screened()}, the best {BEST} by
{BEST_ROUNDS} other rounds, which are those that count. The table has the best of these {BEST} and the last:

{_table(["level", "best", "last", "character", "cycle of the best"], cycles)}"""


def _screened() -> str:
    """How cycles are screened, in words."""
    left, words = CHARACTERS * len(all_cycles()), []
    for count, part in SIEVE:
        words.append(f"{left:,} by {count} rounds each" if not words else f"the best {left:,} by {count} more")
        left = max(BEST, left // max(part, 1))
    return ", ".join(words)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Tune or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tune", "report"))
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--write", type=Path, default=None, help="file for the tables of a report, in Markdown")
    arguments = parser.parse_args()
    if arguments.what == "tune":
        print(tune(arguments.iterations, arguments.rounds or 8))
        return
    found = report(arguments.rounds or 24)
    print(json.dumps(found, indent=1))
    if arguments.write is not None:
        arguments.write.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()

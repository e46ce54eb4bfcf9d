"""What players of one line score in every environment, beside its anchors.

``python benchmarks/simple_players.py [ID ...]`` plays them (all in some hours) and writes the results
``benchmarks/results/simple_players.json`` and the table ``docs/_tables/simple-players.md``; without ids, all anew. The
best of each kind play 200 episodes, or as many as ``--episodes`` says: 40 suit the dear ones, such as ants in mazes.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import envsuite
from envsuite.cards import Score
from envsuite.evaluation.simple import share, simple_scores

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "simple_players.json"
TABLE = HERE.parent / "docs" / "_tables" / "simple-players.md"
KINDS = ("nothing", "constant", "blind", "rule")
HEAD = f"""| environment | {" | ".join(KINDS)} | the best of them | ranked |
| {" | ".join("---" for _ in range(len(KINDS) + 3))} |
"""


def row(env_id: str, scores: dict[str, Score]) -> str:
    """A line of the table: shares of the way from random play to the reference, also where the card has a floor."""
    card = replace(envsuite.card(env_id), floor=None)
    ranked = "no" if card.unranked else "from the floor" if envsuite.card(env_id).floor else "yes"
    best = max(scores.values(), key=lambda one: one.mean)
    shares = [f"{round(share(card, scores[kind]), 2) + 0.0:.2f}" if kind in scores else "" for kind in KINDS]
    return " | ".join([f"| {env_id.partition('/')[2]}", *shares, best.policy, ranked]) + " |\n"


def main() -> None:
    """Play, and write both files."""
    parser = argparse.ArgumentParser(description="Players of one line, beside the anchors.")
    parser.add_argument("ids", nargs="*", metavar="ID", help="environments; all by default")
    parser.add_argument("--episodes", type=int, default=200, help="of the best of each kind")
    given = parser.parse_args()
    found = json.loads(RESULTS.read_text()) if RESULTS.is_file() and given.ids else {}
    chosen = [envsuite.card(name) for name in given.ids] or list(envsuite.cards().values())
    for card in chosen:
        if card.scale and card.playable:
            scores = simple_scores(card, 40 if card.engine else given.episodes).scores
            found[card.id] = {
                kind: [one.mean, one.standard_error, one.episodes, one.policy] for kind, one in scores.items()
            }
            print(card.id, {kind: round(share(card, one), 2) for kind, one in scores.items()}, flush=True)
    RESULTS.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")
    rows = [row(name, {kind: Score(*one) for kind, one in scores.items()}) for name, scores in sorted(found.items())]
    TABLE.write_text(HEAD + "".join(rows))


if __name__ == "__main__":
    main()

"""What learning from whole conversations owes to each of its parts, on Kuhn poker, measured exactly.

    python benchmarks/language_learning.py [VARIANT ...] [--seeds 10] [--runs runs]

Wants the extra ``torch``. Each variant changes one thing of the published settings in ``baselines/*.toml``.
Exploitability at every evaluation goes into ``benchmarks/results/language_learning.json``, where what is there already
is not measured again, and what was reached in the end, with 95 % intervals over training seeds, into
``docs/_tables/language-learning.md``.
"""

import argparse
import importlib
import json
import platform
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

from launch import run
from tables import table

from envsuite.evaluation.runs import RunRecord
from envsuite.scoring import estimate, mean

RESULT = Path(__file__).parent / "results" / "language_learning.json"
PAGE = Path(__file__).parents[1] / "docs" / "_tables" / "language-learning.md"
GAME = "envsuite/KuhnPoker-v0"
MAKERS = {
    "token_ppo": ("TokenPPO", "TokenPPOConfig"),
    "token_grpo": ("TokenGRPO", "TokenGRPOConfig"),
    "role_advantage": ("RoleAdvantage", "RoleAdvantageConfig"),
    "archer": ("ArCHer", "ArCHerConfig"),
}
VARIANTS = {
    "role-conditioned advantages": ("role_advantage", {}),
    # one average for both roles is 0 in a game of rivals, and so the same
    "no average of roles": ("role_advantage", {"baseline": "none"}),
    "less entropy (a tenth)": ("role_advantage", {"entropy": 0.03, "final_entropy": 0.005}),
    "the last policy, not an average": ("role_advantage", {"average": 1.0}),
    "against the rule player, not itself": ("role_advantage", {"opponent": "rule"}),
    "against the equilibrium, not itself": ("role_advantage", {"opponent": "equilibrium"}),
    "PPO, credit by turn": ("token_ppo", {}),
    "PPO, credit by token": ("token_ppo", {"credit": "token"}),
    "group advantages, of equal situations too": ("token_grpo", {}),
    "group advantages alone": ("token_grpo", {"turn_weight": 0.0}),
    "hierarchical critic": ("archer", {}),
}


def curve(variant: str, seed: int, root: Path) -> list[list[float]]:
    """Train, or read a finished run: (steps, exploitability, seconds of training) at each evaluation."""
    algorithm, changes = VARIANTS[variant]
    trainer, settings = (getattr(importlib.import_module(algorithm), name) for name in MAKERS[algorithm])
    path = run(trainer, settings.for_env(GAME, seed=seed, **changes), root)
    rows = RunRecord.load(path).metrics()
    return [[row["step"], row["exploitability"], row["training_time"]] for row in rows]


def results() -> dict:
    """What was measured so far."""
    return json.loads(RESULT.read_text()) if RESULT.is_file() else {"machine": platform.platform()}


def page(known: dict) -> str:
    """What each variant reached, as a table."""
    rows = []
    for variant in VARIANTS:
        curves = [*known.get(variant, {}).values()]
        if len(curves) > 1:
            found = estimate(np.array([one[-1][1] for one in curves])[:, np.newaxis], mean)
            steps, seconds = curves[0][-1][0], np.median([one[-1][2] for one in curves])
            interval = f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
            rows.append([variant, f"`{VARIANTS[variant][0]}`", interval, f"{steps:,.0f}", f"{seconds:.0f} s"])
            rows[-1].append(str(len(curves)))
    return table(["variant", "file", "exploitability", "moves", "training", "seeds"], rows)


def main() -> None:
    """Train all, and add to the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", default=[*VARIANTS])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    given = parser.parse_args()
    for seed in range(given.seeds):
        for variant in given.variants:
            if str(seed) in results().get(variant, {}):
                continue
            found = curve(variant, seed, given.runs)
            known = results()  # again: other processes may have written meanwhile
            known.setdefault(variant, {})[str(seed)] = found
            RESULT.write_text(json.dumps(known, indent=1) + "\n")
            PAGE.write_text(page(known) + "\n")
            print(f"{variant}, seed {seed}: {found[-1][1]:.3f}", flush=True)


if __name__ == "__main__":
    main()

"""What goals in hindsight gain where rewards are sparse: the same learner, settings and seeds, with and without them.

    python benchmarks/hindsight.py [ALGORITHM/ID ...] [--seeds 3] [--runs runs]

Wants the extra ``torch``. Settings are those of ``baselines/sac_her.toml`` and ``td3_her.toml``; without means a share
of 0 (`hindsight`), which leaves SAC or TD3 as it is. Each run leaves a record, and is not repeated where there is one.
The shares of evaluation episodes that succeeded (on Meta-World in any step, in mazes in the last one), at every
evaluation, are added to ``benchmarks/results/hindsight.json``.
"""

import argparse
import importlib
import json
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

from launch import run

from envsuite.evaluation.runs import RunRecord

RESULT = Path(__file__).parent / "results" / "hindsight.json"
TASKS = ("sac_her/MetaReach", "td3_her/MetaReach")
MAKERS = {"sac_her": ("SACHER", "SACHERConfig"), "td3_her": ("TD3HER", "TD3HERConfig")}


def curve(task: str, seed: int, hindsight: float | None, root: Path) -> list[list[float]]:
    """Train, or read a finished run: (steps, share of success, mean return) at each evaluation."""
    algorithm, _, env_id = task.partition("/")
    trainer, settings = (getattr(importlib.import_module(algorithm), name) for name in MAKERS[algorithm])
    changes = {} if hindsight is None else {"hindsight": hindsight}
    path = run(trainer, settings.for_env(env_id, seed=seed, **changes), root)
    rows = RunRecord.load(path).metrics()
    success = next(name for name in ("success_once", "is_success") if name in rows[-1])
    return [[row["step"], row[success], row["mean_return"]] for row in rows]


def main() -> None:
    """Train all, and add to the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=TASKS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    given = parser.parse_args()
    for task in given.tasks:
        for seed in range(given.seeds):
            for name, share in (("with", None), ("without", 0.0)):
                found = curve(task, seed, share, given.runs)
                known = json.loads(RESULT.read_text()) if RESULT.is_file() else {"machine": platform.platform()}
                known.setdefault(task, {}).setdefault(name, {})[str(seed)] = found
                RESULT.write_text(json.dumps(known, indent=1) + "\n")
                print(task, name, "goals in hindsight, seed", seed, "success", found[-1][1], flush=True)


if __name__ == "__main__":
    main()

"""Offline policy selection: collects candidates, and compares what chooses among them.

    python benchmarks/policy_selection.py collect DATASET RUNS [--count 12]   # writes leaderboard/candidates/DATASET
    python benchmarks/policy_selection.py table [--seeds 3] [--runs runs]     # writes docs/_tables/policy-selection.md

Wants the extra ``torch``. Candidates are policies of runs on a dataset, also those kept while they played on, chosen so
that their scores over 1,000 episodes lie as far apart as they can. Each choice leaves a run record, and is not
repeated where there is one.
"""

import argparse
import hashlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

from launch import run
from selection import ESTIMATORS, Selection, SelectionConfig

import envsuite
from envsuite.core.files import write_atomic
from envsuite.evaluation.policies import PolicySource, source_of
from envsuite.evaluation.rollout import play, policy_maker
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.evaluation.selection import INDEX, candidates_folder, load_candidates

ROOT = Path(__file__).parents[1]
EPISODES = 1_000
FIRST_SEED = 2_000_000_000
"""Away from the evaluation seeds, with which those who choose may be scored."""


def collect(dataset: str, runs: str, count: int) -> Path:
    """Write the candidates of a dataset.

    Raises:
        ValueError: fewer policies than asked for.
    """
    found: dict[str, tuple[float, PolicySource, np.ndarray]] = {}
    records = [one for one in find_runs(runs, status="finished") if one.dataset == dataset]
    sources = [
        part for one in records for source in [source_of(one, one.algorithm)] for part in (*source.earlier, source)
    ]
    card = envsuite.card(records[0].env_id)
    for source in sources:
        returns = play(card, policy_maker(source.spec), EPISODES, first_seed=FIRST_SEED).returns
        found.setdefault(_digest(source), (float(returns.mean()), source, returns))
        print(f"{source.method} seed {source.train_seed}, {source.checkpoint} steps: {returns.mean():.4g}", flush=True)
    if len(found) < count:
        raise ValueError(f"{runs} has {len(found)} different policies of {dataset}, expected at least {count}")
    ranked = sorted(found, key=lambda digest: found[digest][0])
    kept = [ranked[0], ranked[-1]]
    while len(kept) < count:  # the one whose score is farthest from all that are kept
        others = [one for one in ranked if one not in kept]
        kept.append(max(others, key=lambda one: min(abs(found[one][0] - found[other][0]) for other in kept)))
    place = candidates_folder() / dataset
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    policies = {}
    for k, digest in enumerate(sorted(kept)):  # their order says nothing of their scores
        score, source, returns = found[digest]
        for suffix in (".onnx", ".json"):
            shutil.copyfile(_file(source).with_suffix(suffix), place / f"policy-{k:02d}{suffix}")
        policies[f"policy-{k:02d}"] = {
            "origin": f"{source.method}, training seed {source.train_seed}, {source.checkpoint} steps",
            "score": score,
            "standard_error": float(returns.std(ddof=1) / len(returns) ** 0.5),
            "sha256": digest,
        }
    table = {"env_id": card.id, "behaviour": card.behaviour, "episodes": EPISODES, "policies": policies}
    write_atomic(place / INDEX, json.dumps(table, indent=1) + "\n")
    return place


def _file(source: PolicySource) -> Path:
    path = Path(source.spec)
    return path / "policy.onnx" if path.is_dir() else path


def _digest(source: PolicySource) -> str:
    return hashlib.sha256(_file(source).read_bytes()).hexdigest()


def table(seeds: int, runs: Path) -> str:
    """A line of Markdown for each dataset and way to choose."""
    lines = [
        "| dataset | candidates: mean, best | chosen by | return of the choice | rank correlation | regret@1 | @3 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    root = candidates_folder()
    for dataset in sorted(path.parent.relative_to(root).as_posix() for path in root.rglob(INDEX)):
        those = load_candidates(dataset)
        scores = {one.name: one.score for one in those.policies}
        for estimator in ESTIMATORS:
            told = []
            for seed in range(seeds if estimator == "fqe" else 1):  # the other is the same for all seeds
                config = SelectionConfig.for_env("", dataset=dataset, estimator=estimator, seed=seed)
                record = RunRecord.load(run(Selection, config, runs))
                last = record.metrics()[-1]
                values = {name: last[f"value_{name}"] for name in scores}
                chosen = scores[max(values, key=lambda name: values[name])]
                told.append((chosen, last["rank_correlation"], last["regret_1"], last["regret_3"]))
            means = np.mean(told, axis=0)
            ends = f"{those.by_chance:.4g}, {those.best:.4g}"
            numbers = f"{means[0]:.4g} | {means[1]:.2f} | {means[2]:.2f} | {means[3]:.2f}"
            lines.append(f"| `{dataset}` | {ends} | `{estimator}` | {numbers} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect")
    one.add_argument("dataset")
    one.add_argument("runs")
    one.add_argument("--count", type=int, default=12)
    two = commands.add_parser("table")
    two.add_argument("--seeds", type=int, default=3)
    two.add_argument("--runs", type=Path, default=Path("runs"))
    given = parser.parse_args()
    if given.command == "collect":
        print(f"wrote {collect(given.dataset, given.runs, given.count)}")
    else:
        path = ROOT / "docs" / "_tables" / "policy-selection.md"
        write_atomic(path, table(given.seeds, given.runs))
        print(f"wrote {path}")


if __name__ == "__main__":
    main()

"""What PPO learns with four networks on prisms, ropes and cloths: the comparison of Hoang et al. (2025) in numbers.

    python benchmarks/graph_networks.py [NETWORK ...] [--tasks ShapeSliding ...] [--seeds 3] [--runs runs]

Wants the extra ``torch``. Settings are those of ``baselines/ppo_graph.toml``, the same for all networks. Each run
leaves a record. What is in ``benchmarks/results/graph_networks.json`` is not measured again; several processes may fill
it at once. Tasks with ``training`` behind their name are trained on the shapes for training. Each policy then plays 100
episodes of what it was trained on and, where it fits, as many with shapes that are held out. Returns, shares of success
and the seconds of training are added to that file after every run, and their means over training seeds are written into
``docs/_tables/graph-networks.md``.
"""

import argparse
import dataclasses
import itertools
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

from gathered import gather, gathered
from launch import run
from ppo_graph import NETWORKS, PPOGraph, PPOGraphConfig
from tables import table

import envsuite
from envsuite.agents.onnx import load
from envsuite.core.files import write_atomic
from envsuite.evaluation.rollout import onnx_player, play
from envsuite.evaluation.runs import RunRecord

RESULT = Path(__file__).parent / "results" / "graph_networks.json"
PAGE = Path(__file__).parents[1] / "docs" / "_tables" / "graph-networks.md"
SHAPES, TRAINING, HELD_OUT = "shapes", "training", "held_out"
TASKS = (
    *("ShapeSliding", "ShapePushing", "ShapePushingTwo", "ShapeInsertion", "ShapeInsertionTwo"),
    *("RopeClosing", "RopeShaping", "ClothHanging", f"ShapeSliding {TRAINING}", f"ShapeInsertion {TRAINING}"),
)
UNSEEN = ("ClothHanging", f"ShapeSliding {TRAINING}", f"ShapeInsertion {TRAINING}")
"""Tasks trained on shapes beside which there are held-out ones that the same networks can read."""
EPISODES = 100


def trained(network: str, task: str, seed: int, root: Path) -> Path:
    """The folder of a finished run, trained if need be."""
    name, *shapes = task.split()
    options = {SHAPES: shapes[0]} if shapes else {}
    config = PPOGraphConfig.for_env(f"envsuite/{name}-v0", network=network, seed=seed, env_options=options)
    return run(PPOGraph, config, root)


def played(folder: Path, task: str) -> dict[str, dict[str, float]]:
    """Mean return and share of success with the shapes that were trained on and with held-out ones."""
    policy, (name, *shapes) = onnx_player(load(folder / "policy.onnx")), task.split()
    found = {}
    for kind in ("trained", HELD_OUT) if task in UNSEEN else ("trained",):
        options = {SHAPES: HELD_OUT} if kind == HELD_OUT else {SHAPES: shapes[0]} if shapes else {}
        card = envsuite.card(name)
        episodes = play(dataclasses.replace(card, options={**card.options, **options}), policy, EPISODES)
        success = episodes.metrics["success"].mean()
        found[kind] = {"return": round(float(episodes.returns.mean()), 2), "success": round(float(success), 4)}
    return found


def cell(runs: list[dict[str, float]]) -> str:
    """Mean return over training seeds, its standard error where there are several, the share of success, the number."""
    returns, successes = np.array([one["return"] for one in runs]), [one["success"] for one in runs]
    error = f" ± {returns.std(ddof=1) / len(runs) ** 0.5:.1f}" if len(runs) > 1 else ""
    return f"{returns.mean():.1f}{error}, {np.mean(successes):.2f} ({len(runs)})"


def page(known: dict) -> str:
    """Mean returns and shares of success over training seeds, for each task and each network."""
    rows = []
    for task, kind in itertools.product(TASKS, ("trained", HELD_OUT)):
        cells = []
        for network in NETWORKS:
            runs = [one[kind] for one in known.get(network, {}).get(task, {}).values() if kind in one]
            cells.append(cell(runs) if runs else "")
        if any(cells):
            name, *shapes = task.split()
            said = {"trained": ", shapes for training" if shapes else "", HELD_OUT: ", held-out shapes"}
            rows.append([f"`{name}`{said[kind]}", *cells])
    return table(["task", *NETWORKS], rows)


def main() -> None:
    """Train and play all, and add to the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=f"of {', '.join(NETWORKS)}; all by default")
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS, metavar="TASK")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    given = parser.parse_args()
    if unknown := set(given.networks) - set(NETWORKS):
        parser.error(f"networks {sorted(unknown)}, expected some of {', '.join(NETWORKS)}")
    for seed, task, network in itertools.product(range(given.seeds), given.tasks, given.networks or NETWORKS):
        if str(seed) in gathered(RESULT).get(network, {}).get(task, {}):
            continue
        folder = trained(network, task, seed, given.runs)
        seconds = RunRecord.load(folder).metrics()[-1]["training_time"]
        found = played(folder, task)
        kept = {"run": folder.name, "training_seconds": round(seconds, 1), **found}
        known = gather(RESULT, network, task, seed, kept)
        write_atomic(PAGE, page(known) + "\n")
        print(f"{network}, {task}, seed {seed}: {found}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()

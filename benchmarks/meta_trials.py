"""What a policy with memory makes of further attempts: success in each of three attempts at a task and goal.

    python benchmarks/meta_trials.py RUN [RUN ...]

Each argument is the folder of a run of ``recurrent_ppo`` on ``MetaML10Trials``. Its last policy plays every task of
ML10, with the fifty goals that it was trained on and with fifty others, and ML10's five other tasks; beside it random
actions and the reference players, which know task and goal. Success is that of any step of the attempt. Results are
written to ``benchmarks/results/meta_trials.json``.
"""

import argparse
import json
import platform
from dataclasses import replace
from pathlib import Path

import numpy as np

import envsuite
from envsuite.agents.onnx import load
from envsuite.cards import EnvCard
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import PolicyMaker, expert_policy, onnx_player, play, random_policy

RESULT = Path(__file__).parent / "results" / "meta_trials.json"
GOALS = 50


def successes(card: EnvCard, make: PolicyMaker) -> dict[str, list[float]]:
    """Share of trials whose attempt succeeded, attempt by attempt, for each task."""
    tasks = make_world(card.world, **card.options).tasks
    length, found = card.options["attempt_steps"], {name: [] for name in tasks}
    for end in range(length, card.horizon + 1, length):
        played = play(replace(card, horizon=end), make, GOALS * len(tasks), first_seed=0).metrics
        for k, name in enumerate(tasks):
            found[name].append(float(played["success_once"][played["task"] == k].mean()))
    return found


def main() -> None:
    """Play all, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    given = parser.parse_args()
    makers = {"random": random_policy, "reference": expert_policy}
    makers |= {run.name: onnx_player(load(run / "policy.onnx")) for run in given.runs}
    found: dict[str, dict] = {"machine": {"cpu": platform.processor() or platform.machine()}}
    for kind, env_id, options in (
        ("trained tasks and goals", "MetaML10Trials", {}),
        ("trained tasks, other goals", "MetaML10Trials", {"split": "test"}),
        ("other tasks", "MetaML10TrialsHeldOut", {}),
    ):
        card = envsuite.card(env_id)
        tasks = make_world(card.world, **card.options).tasks
        changed = replace(card, options=card.options | options | {"tasks": tasks})
        for name, make in makers.items():
            shares = successes(changed, make)
            mean = [round(float(np.mean(column)), 3) for column in zip(*shares.values(), strict=True)]
            found.setdefault(kind, {})[name] = {"mean": mean, "tasks": shares}
            print(kind, name, mean, flush=True)
    RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

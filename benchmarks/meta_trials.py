"""What a policy with memory makes of further attempts: success in each of three attempts at a task and goal.

    python benchmarks/meta_trials.py RUN [RUN ...]

Each argument is the folder of a run of ``recurrent_ppo`` on ``MetaML10Trials``. Its last policy plays every task of
ML10, with twenty of the goals that it was trained on and with twenty others, and ML10's five other tasks; beside it
random actions and the reference players, which know task and goal. Success is that of any step of the attempt. Results
are written to ``benchmarks/results/meta_trials.json``.
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
from envsuite.core.batch import Batch
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import PolicyMaker, expert_policy, onnx_player, random_policy
from envsuite.evaluation.runs import RunRecord

RESULT = Path(__file__).parent / "results" / "meta_trials.json"
GOALS = 20


def successes(card: EnvCard, make: PolicyMaker) -> dict[str, list[float]]:
    """Share of trials whose attempt succeeded, attempt by attempt, for each task."""
    world = make_world(card.world, **card.options)
    count, length = GOALS * len(world.tasks), card.options["attempt_steps"]
    batch, seeds = Batch(world, count), np.arange(count)
    batch.seed(seeds)
    output, policy = batch.reset(), make(world, count)
    policy.reset(np.ones(count, np.bool_), seeds)
    won = []
    for step in range(1, card.horizon + 1):
        actions = np.clip(policy.act(output.observations, batch.states), -1, 1)  # as environments do
        output = batch.step(actions.astype(np.float32))
        if step % length == 0:
            won.append(output.info["success_once"].copy())
    task = output.info["task"]
    return {name: [float(row[task == k].mean()) for row in won] for k, name in enumerate(world.tasks)}


def main() -> None:
    """Play all, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    given = parser.parse_args()
    makers = {"random": random_policy, "reference": expert_policy}
    for run in given.runs:
        makers[f"seed {RunRecord.load(run).data['seed']}"] = onnx_player(load(run / "policy.onnx"))
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

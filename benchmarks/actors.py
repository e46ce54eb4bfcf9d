"""One learner and 1 to 8 actors on this machine, and what follows for more of it.

    python benchmarks/actors.py [--actors 1 2 4 8] [--batches 60] [--seeds 3]

Wants the extras ``torch`` and ``ray``. Each actor plays batches of 64 steps of 64 drones (QuadHoverGPD). Steps a second
are those after the first third of the batches, without evaluation. The costs of a batch are measured in the same runs
and go into a model of more processors, beside its prediction for this machine. Results go into
``benchmarks/results/actors.json``, the tables into ``docs/_tables/actors.md``.

The scores of both ways of learning are compared with the published ones of `ppo.py`, whose settings are the same but
for V-trace's.
"""

import argparse
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

import torch
from appo import APPO, APPOConfig
from launch import run
from ppo import PPO, PPOConfig
from tables import table

from envsuite.cards import baselines_folder
from envsuite.core.files import write_atomic
from envsuite.evaluation.baselines import find_baseline
from envsuite.evaluation.executors import processors
from envsuite.evaluation.runs import RunRecord
from envsuite.scoring import estimate, mean

RESULT = Path(__file__).parent / "results" / "actors.json"
PAGE = Path(__file__).parents[1] / "docs" / "_tables" / "actors.md"
ENV = "envsuite/QuadHoverGPD-v0"
EACH, STEPS = 64, 64
"""Instances of an actor, and steps of a batch."""
NETWORK = 1.25e9
"""Bytes a second that the learner's machine takes in: ten gigabits."""
CORES = (2, 8, 32, 128, 512, 2048, 10_000)
SLOWER = (1, 100, 10_000)
"""How many times longer than here steps take to play: for instance bodies of many joints, or pictures."""
COMPARED = {"InvertedPendulum": 32, "QuadHoverGPD": 64}
"""Whose scores are compared, and instances of PPO's published runs."""
IN_STEP = {"asynchronous": False, "minibatches": 4}
"""Settings of runs in step: batches are those of all actors, and minibatches as large as PPO's."""
LEARNING = {"num_steps": STEPS, "minibatches": 4, "learning_rate": 1e-3, "log_std": -0.7, "final_log_std": -2.0}


class Timed(APPO):
    """Notes when each batch was learned from, and what it took."""

    def __init__(self, config: APPOConfig):
        super().__init__(config)
        self.seen: list[tuple[float, int, float, float, float]] = []

    def play_and_learn(self) -> dict[str, Any]:
        """As APPO's."""
        waited = self._waited
        numbers = super().play_and_learn()
        waited = self._waited - waited if self.seen else 0.0
        now = time.perf_counter()
        self.seen.append((now, self.steps, waited, numbers["play_seconds"], numbers["megabytes"]))
        return numbers


def measure(actors: int, batches: int, asynchronous: bool) -> dict[str, float]:
    """Steps a second of some actors, and the costs of a batch: seconds of an actor, of the learner, megabytes."""
    each = EACH * STEPS * (1 if asynchronous else actors)
    settings = {**LEARNING, "num_envs": EACH * actors, "epochs": 1, "total_steps": each * batches, "threads": 1}
    config = APPOConfig(env_id=ENV, actors=actors, asynchronous=asynchronous, evaluations=1, episodes=1, **settings)
    learner = Timed(config)
    learner.train()
    seen = np.array(learner.seen)[batches // 3 :]
    spent, steps = seen[-1, 0] - seen[0, 0], seen[-1, 1] - seen[0, 1]
    updates = len(seen) - 1
    waited = seen[1:, 2].sum()
    return {
        "actors": actors,
        "steps_per_second": steps / spent,
        "waiting": waited / spent,
        "learn_seconds": (spent - waited) / updates,
        "play_seconds": float(seen[1:, 3].mean()),
        "megabytes": float(seen[1:, 4].mean()),
    }


def alone(batches: int) -> float:
    """Seconds in which a process without Ray plays a batch."""
    torch.set_num_threads(1)
    player = PPO(PPOConfig(env_id=ENV, num_envs=EACH, threads=1, **LEARNING))
    player.play()
    started = time.perf_counter()
    for _ in range(batches):
        player.play()
    return (time.perf_counter() - started) / batches


def predicted(cores: int, costs: dict[str, float]) -> tuple[float, str]:
    """Steps a second of the asynchronous learner with an actor on each core but one, and what limits it.

    A batch costs an actor `play` seconds, the learner `learn` seconds, for which its actor waits, and the network its
    bytes; nothing else is assumed to take time, and the learner has a core of its own where there are more than one.
    """
    batch = EACH * STEPS
    rates = {
        "actors": max(cores - 1, 0.5) / (costs["play"] + costs["learn"]),
        "learner": 1.0 / costs["learn"],
        "network": NETWORK / (1e6 * costs["megabytes"]),
    }
    limit = min(rates, key=lambda name: rates[name])
    return batch * rates[limit], limit


def scores(env: str, seeds: int, root: Path) -> dict[str, list[float]]:
    """Mean returns of the published runs of PPO, and of APPO with the same settings in step and asynchronously."""
    published = find_baseline(baselines_folder(), f"ppo/{env}").published
    found = {"PPO, one process": list(published.scores) if published else []}
    in_step = {**IN_STEP, "num_envs": COMPARED[env]}
    for name, changes in (("two actors, asynchronous", {}), ("two actors, in step", in_step)):
        for seed in range(seeds):
            path = run(APPO, APPOConfig.for_env(env, seed=seed, **changes), root)
            found.setdefault(name, []).append(RunRecord.load(path).data["results"]["mean_return"])
    return found


def page(found: dict[str, Any]) -> str:
    """The tables."""
    header = ["actors", "in step, steps/s", "asynchronous, steps/s", "learner waits", "a batch: actor", "learner", "MB"]
    rows = []
    for step, free in zip(found["in step"], found["asynchronous"], strict=True):
        rates = [f"{one['steps_per_second']:,.0f}" for one in (step, free)]
        costs = [f"{1000 * free[name]:.0f} ms" for name in ("play_seconds", "learn_seconds")]
        rows.append([str(free["actors"]), *rates, f"{free['waiting']:.0%}", *costs, f"{free['megabytes']:.2f}"])
    parts = [table(header, rows)]
    model = [[f"{cores:,}", *(f"{rate:,.0f} ({limit})" for rate, limit in cells)] for cores, *cells in found["model"]]
    times = ["this task"] + [f"a task {times:,} times as slow" for times in SLOWER[1:]]
    parts.append(table(["cores", *times], model))
    if found["scores"]:
        rows = []
        for env, learners in found["scores"].items():
            for name, values in learners.items():
                reached = estimate(np.array(values)[:, np.newaxis], mean)
                shown = f"{reached.value:.1f} [{reached.low:.1f}, {reached.high:.1f}]"
                rows.append([env, name, shown, f"{min(values):.1f}", str(len(values))])
        parts.append(table(["environment", "learner", "mean return", "least", "seeds"], rows))
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Measure, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actors", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--batches", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=0, help="training seeds of the comparison of scores")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    given = parser.parse_args()
    found: dict[str, Any] = {"machine": platform.processor() or platform.machine(), "cores": processors()}
    found["alone_seconds"] = alone(given.batches)
    for name, asynchronous in (("in step", False), ("asynchronous", True)):
        found[name] = [measure(count, given.batches, asynchronous) for count in given.actors]
    one = found["asynchronous"][0]
    costs = {"play": found["alone_seconds"], "learn": one["learn_seconds"], "megabytes": one["megabytes"]}
    found["costs"] = costs
    slower = [costs | {"play": times * costs["play"]} for times in SLOWER]
    found["model"] = [[cores, *(predicted(cores, one) for one in slower)] for cores in CORES]
    found["scores"] = {env: scores(env, given.seeds, given.runs) for env in COMPARED} if given.seeds else {}
    write_atomic(RESULT, json.dumps(found, indent=1) + "\n")
    write_atomic(PAGE, page(found))
    print(page(found))


if __name__ == "__main__":
    main()

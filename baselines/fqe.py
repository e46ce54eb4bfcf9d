"""Fitted Q evaluation (Le, Voloshin and Yue 2019, arXiv 1903.08738): which policy to take, without playing.

For each policy a critic is fitted to the dataset, whose targets take the policy's own action next; what it says of the
first observations of the dataset's episodes is the policy's value. Policies are then chosen by that value alone
(Paine et al. 2020, arXiv 2007.09055), and the environment is asked about the chosen one only.

``python baselines/fqe.py RUNS...`` ranks the policies of run folders that learned from one dataset, writes ``fqe.json``
into each, and says what the choice costs by the runs' evaluations: the regret of the first choice, and the rank
correlation (Spearman) of values and mean returns.
"""

import argparse
import copy
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from learning import gradient_step, polyak_update
from offline import OfflineConfig, Transitions, open_dataset
from scipy.stats import spearmanr
from td3 import Critics

from envsuite.agents.onnx import OnnxPolicy, load
from envsuite.core.files import write_atomic
from envsuite.evaluation.runs import RunRecord, find_runs


@dataclass
class FQEConfig(OfflineConfig):
    """Settings of fitted Q evaluation, beside those of `OfflineConfig`.

    Attributes:
        tau: share by which the target critic moves towards the learned one.
    """

    algorithm = "fqe"

    total_steps: int = 10_000
    tau: float = 0.005


class FQE:
    """The value of one policy, from data alone.

    Args:
        policy: without memory.
        rows: the dataset.
        config: settings; the discount is that of the value.

    Raises:
        ValueError: a policy with memory, or one that draws its actions.
    """

    def __init__(self, policy: OnnxPolicy, rows: Transitions, config: FQEConfig):
        if policy.interface.states or policy.interface.random:
            raise ValueError("fitted Q evaluation takes policies that map an observation to one action")
        torch.manual_seed(config.seed)
        self.config, self.rows, self._policy = config, rows, policy
        self.obs_normaliser = rows.normaliser(config.normalise)
        inputs = rows.shape[0] + len(rows.action_scale)
        self.critics = Critics(inputs, config.hidden, config.activation, norm=True, count=1)
        self.target_critics = copy.deepcopy(self.critics)
        self.optimiser = torch.optim.Adam(self.critics.parameters(), lr=config.learning_rate, fused=True)

    def act(self, obs: torch.Tensor) -> torch.Tensor:
        """The policy's actions (b, A) in [-1, 1] at observations (b, S)."""
        space = self.rows.env.single_observation_space
        said = self._policy.act(obs.numpy().reshape(-1, *space.shape).astype(space.dtype), np.zeros(0))
        action = torch.from_numpy(np.asarray(said, np.float32)).reshape(len(obs), -1)
        return ((action - self.rows.action_bias) / self.rows.action_scale).clamp(-1.0, 1.0)

    def update(self) -> torch.Tensor:
        """One step of the critic towards what the policy's next action is worth; the loss."""
        batch = self.rows.sample(self.config.batch_size)
        with torch.no_grad():
            next_value = self.target_critics(self.obs_normaliser(batch["next_obs"]), self.act(batch["next_obs"]))[0]
            target = batch["reward"] + batch["discount"] * next_value
        value = self.critics(self.obs_normaliser(batch["obs"]), batch["action"])[0]
        loss = gradient_step(self.optimiser, (value - target).square().mean())
        polyak_update(self.target_critics, self.critics, self.config.tau)
        return loss

    def fit(self, updates: int = 0) -> float:
        """All updates; the policy's value.

        Args:
            updates: how many; those of the settings by default.

        Raises:
            FloatingPointError: the loss is no number.
        """
        loss = torch.zeros(())
        for step in range(updates or self.config.total_steps):
            loss = self.update()
            if step % 100 == 99 and not torch.isfinite(loss):
                raise FloatingPointError(f"loss is {float(loss)} at update {step + 1}")
        return self.value()

    @torch.no_grad()
    def value(self) -> float:
        """Mean over the first observations of all episodes."""
        lengths = torch.from_numpy(self.rows.data.lengths)
        first = self.rows.take(lengths.cumsum(0) - lengths)["obs"]
        return float(self.critics(self.obs_normaliser(first), self.act(first)).mean())


def rank(runs: list[RunRecord], **changes) -> list[tuple[RunRecord, float]]:
    """Value all policies, the best first, and write each value beside the policy.

    Args:
        runs: finished, of one dataset.
        **changes: settings.

    Raises:
        ValueError: no runs, or several datasets.
    """
    datasets = sorted({str(run.data["config"].get("dataset", "")) for run in runs})
    if len(datasets) != 1 or not datasets[0]:
        raise ValueError(f"the runs learned from {datasets}, expected one dataset")
    config = FQEConfig(**{"dataset": datasets[0], **OfflineConfig.source("fqe", "", datasets[0]), **changes})
    torch.set_num_threads(config.threads)
    rows = Transitions(open_dataset(config), config)
    found = []
    for run in runs:
        value = FQE(load(run.path), rows, config).fit()
        told = {"value": value, "dataset": config.dataset, "updates": config.total_steps, "gamma": config.gamma}
        write_atomic(Path(run.path) / "fqe.json", json.dumps(told, indent=1) + "\n")
        found.append((run, value))
    return sorted(found, key=lambda pair: -pair[1])


def report(ranked: list[tuple[RunRecord, float]]) -> str:
    """What the choice costs, for people."""
    returns = [float(run.data["results"]["mean_return"]) for run, _ in ranked]
    lines = [f"{'value':>12}  {'mean return':>12}  policy"]
    lines += [
        f"{value:12.4g}  {score:12.4g}  {run.algorithm} seed {run.seed}  {run.path}"
        for (run, value), score in zip(ranked, returns, strict=True)
    ]
    lines.append(
        f"chosen by value: {returns[0]:.4g}; best of all: {max(returns):.4g}; regret {max(returns) - returns[0]:.4g}"
    )
    if len(set(returns)) > 1:
        lines.append(f"rank correlation {spearmanr([value for _, value in ranked], returns).statistic:.2f}")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Rank policies by fitted Q evaluation on their dataset.")
    parser.add_argument("runs", nargs="+", help="run folders, or folders of such")
    parser.add_argument("--updates", type=int, default=FQEConfig.total_steps)
    parser.add_argument("--gamma", type=float, default=FQEConfig.gamma)
    given = parser.parse_args()
    runs = [run for place in given.runs for run in find_runs(place, status="finished")]
    print(report(rank(runs, total_steps=given.updates, gamma=given.gamma)))


if __name__ == "__main__":
    main()

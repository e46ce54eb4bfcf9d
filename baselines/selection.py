"""Offline policy selection: choose one of a dataset's candidates without playing.

Each candidate (`envsuite.evaluation.selection`) gets a value from the dataset alone, and the one with the highest is
the run's policy. Values are those of fitted Q evaluation (`fqe.py`), or tell how like the data a policy acts, which is
what they have to beat.

Run ``python baselines/selection.py --help`` for all settings; those of a dataset come from
``baselines/selection.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from fqe import FQE, FQEConfig
from launch import main
from offline import OfflineTrainer

from envsuite.agents.onnx import OnnxPolicy, load
from envsuite.evaluation.rollout import Episodes
from envsuite.evaluation.selection import judge, load_candidates

ESTIMATORS = ("fqe", "likeness")


@dataclass
class SelectionConfig(FQEConfig):
    """Settings of the choice, beside those of `FQEConfig`.

    Attributes:
        estimator: ``"fqe"``, or ``"likeness"``, to which the settings of fitted Q evaluation mean nothing.
        total_steps: updates for all candidates together.
        candidates: folder of candidates; empty for the repository's.
    """

    algorithm = "selection"

    estimator: str = "fqe"
    total_steps: int = 60_000
    evaluations: int = 1
    candidates: str = ""


class Selection(OfflineTrainer):
    """One choice.

    Raises:
        ValueError: another estimator.
    """

    kept = ("values",)
    unused = (*OfflineTrainer.unused, "evaluations")
    config: SelectionConfig

    def __init__(self, config: SelectionConfig):
        if config.estimator not in ESTIMATORS:
            raise ValueError(f"estimator is {config.estimator!r}, expected one of {ESTIMATORS}")
        super().__init__(config)
        self.candidates = load_candidates(config.dataset, config.candidates or None)
        self.values: dict[str, float] = {}

    def iterate(self) -> dict[str, Any]:
        """The value of one candidate."""
        policies, config = self.candidates.policies, self.config
        one = policies[len(self.values)]
        self.values[one.name] = self.fitted(one.path) if config.estimator == "fqe" else self.likeness(one.path)
        self.steps = config.total_steps * len(self.values) // len(policies)
        return {}

    def fitted(self, path) -> float:
        """By fitted Q evaluation."""
        updates = max(1, self.config.total_steps // len(self.candidates.policies))
        return FQE(load(path), self.rows, self.config).fit(updates)

    @torch.no_grad()
    def likeness(self, path) -> float:
        """Minus the mean squared distance of its actions from the data's."""
        evaluator = FQE(load(path), self.rows, self.config)
        places = torch.arange(self.rows.count).split(10_000)
        batches = (self.rows.take(index) for index in places)
        total = sum(float((evaluator.act(one["obs"]) - one["action"]).square().sum()) for one in batches)
        return -total / self.rows.count

    def finished(self) -> bool:
        """Whether all candidates have a value."""
        return len(self.values) == len(self.candidates.policies)

    @property
    def chosen(self):
        """The candidate with the highest value so far."""
        return max(self.candidates.policies[: len(self.values)], key=lambda one: self.values[one.name])

    def policy(self) -> OnnxPolicy:
        """The chosen one."""
        return load(self.chosen.path)

    def policies(self) -> dict[str, OnnxPolicy]:
        """None: `files` has the very file of the chosen one."""
        return {}

    def files(self) -> dict[str, bytes]:
        """The chosen policy as it lies among the candidates."""
        path = self.chosen.path
        return {f"policy{suffix}": path.with_suffix(suffix).read_bytes() for suffix in (".onnx", ".json")}

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Also how well the candidates were told apart, and the value of each."""
        found = judge(self.candidates, self.values)
        told = {"rank_correlation": found.rank_correlation, "regret_1": found.regret, "regret_3": found.regret_3}
        return super().summary(episodes) | told | {f"value_{name}": value for name, value in self.values.items()}


if __name__ == "__main__":
    main(Selection, SelectionConfig)

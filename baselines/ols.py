"""MAPPO with weights from optimistic linear support (Roijers et al. 2015), several of them at once.

The set of policies grows in rounds. Each round trains one policy for each of the weightings whose solution could better
the set the most, all side by side in one batch, as `mappo.py` does. MOMAland's MOMAPPO trains one after another.

Run ``python baselines/ols.py --help`` for all settings; those of an environment come from ``baselines/ols.toml``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from fronts import SELECTION_SEED, evaluate_policies, vectors
from launch import main
from mappo import MAPPO, Agents, MAPPOConfig
from networks import Normaliser

from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.rollout import Episodes
from envsuite.scoring import next_weights, simplex_weights


@dataclass
class OLSConfig(MAPPOConfig):
    """Settings of optimistic linear support, beside those of MAPPO; ``divisions`` are those of the first round.

    Attributes:
        rounds: of choosing weights; `total_steps` are for all together.
        reuse: policies begin as copies of those of the set that are best at their weightings, numbers with the initial
            noise; else anew. Copies that choose among alternatives have little chance left to try others.
    """

    algorithm = "ols"

    divisions: int = 1
    rounds: int = 4
    reuse: bool = False
    evaluations: int = 4


class OLS(MAPPO):
    """One training run."""

    devices = ("cpu",)
    kept = (*MAPPO.kept, "weights", "round", "solved", "found", "archive")

    def __init__(self, config: OLSConfig):
        super().__init__(config)
        self.round = 0
        size = self.weights.shape[1]
        self.solved, self.found = torch.zeros(0, size), torch.zeros(0, size)
        self.archive: list[dict[str, torch.Tensor]] = []

    def iterate(self) -> dict[str, Any]:
        """As MAPPO; where a round is over, the next one begins."""
        if self.steps >= (self.round + 1) * self.config.total_steps / self.config.rounds:
            self._next_round()
        return super().iterate()

    def decayed(self, final: float = 0.0) -> float:
        """The step size falls anew in each round."""
        length = self.config.total_steps / self.config.rounds
        return final + (1.0 - final) * max(0.0, 1.0 - (self.steps - self.round * length) / length)

    def update_normalisers(self, batch: dict[str, torch.Tensor]) -> None:
        """Moments of inputs stay what they are after the first round: the policies of the set need them so."""
        if self.round == 0:
            super().update_normalisers(batch)

    def _next_round(self) -> None:
        """Keep the round's policies, choose weights, and begin again."""
        episodes = evaluate_policies(self.config, self._present(), SELECTION_SEED)
        points = torch.from_numpy(vectors(self.config.env_id, episodes)) / self.units.double()
        self.solved, self.found = torch.cat([self.solved, self.weights]), torch.cat([self.found, points.float()])
        self.archive.append({key: value.clone() for key, value in self.agents.state_dict().items() if _own(key)})
        self.round += 1
        self.weights = torch.from_numpy(self._chosen()).float()
        config, moments = self.config, {key: one for key, one in self.agents.state_dict().items() if not _own(key)}
        self.agents = Agents(config, self.rows, self.groups.count)
        self.agents.load_state_dict(moments, strict=False)
        if config.reuse:
            self._copy((self.weights @ self.found.T).argmax(1))
        self.optimiser = torch.optim.Adam(self.agents.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.running_return.zero_()
        self.return_spread = Normaliser(len(self.weights))

    def _chosen(self) -> np.ndarray:
        """As many weightings as there are places: corners that promise something, then those that are farthest off."""
        count, solved = len(self.weights), self.solved.double().numpy()
        solved = solved / solved.sum(axis=1, keepdims=True)
        chosen = next_weights(solved, self.found.double().numpy(), count)
        rest = simplex_weights(solved.shape[1], 4 * count)
        while len(chosen) < count:
            taken = np.concatenate([solved, chosen])
            apart = np.linalg.norm(rest[:, None] - taken, axis=2).min(axis=1)
            chosen = np.concatenate([chosen, rest[apart.argmax()][None]])
        return chosen

    def _copy(self, which: torch.Tensor) -> None:
        """Let each group begin as one of the set's, by number."""
        places, width = len(self.weights), self.groups.count // len(self.weights)
        state = self.agents.state_dict()
        for key in [one for one in state if _own(one) and not one.startswith("actions")]:
            whole = torch.cat([one[key] for one in self.archive]).unflatten(0, (-1, width))
            state[key] = whole[which].reshape(places * width, *state[key].shape[1:])
        self.agents.load_state_dict(state)

    def _present(self) -> list[tuple[OnnxPolicy, torch.Tensor]]:
        return [(self.policy(k), one) for k, one in enumerate(self.weights)]

    def _all(self) -> list[tuple[OnnxPolicy, torch.Tensor]]:
        """The set: policies of past rounds, then those of the present one."""
        now, found = self.agents, []
        first = 0
        for one in self.archive:
            self.agents = Agents(self.config, self.rows, self.groups.count)
            self.agents.load_state_dict(now.state_dict() | one)
            count = len(self.weights)
            found += [(self.policy(k), self.solved[first + k]) for k in range(count)]
            first += count
        self.agents = now
        return found + self._present()

    def policies(self) -> dict[str, OnnxPolicy]:
        """The set; the first is ``policy``."""
        return {f"policy-{k}" if k else "policy": one for k, (one, _) in enumerate(self._all())}

    def evaluate(self) -> Episodes:
        """All policies of the set on the evaluation seeds."""
        return evaluate_policies(self.config, self._all())


def _own(key: str) -> bool:
    """Whether a tensor has one part for each network."""
    return key.startswith(("actors.", "critics.")) or key == "actions.log_std"


if __name__ == "__main__":
    main(OLS, OLSConfig)

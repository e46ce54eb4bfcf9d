"""Group-relative policy optimisation: an episode is compared with others that began alike, without a critic.

As in GRPO (Shao et al. 2024) the return of each agent in an episode is compared with the mean of its group, and with
``scaled`` divided by its spread (Liu et al. 2025 do without); all tokens share it. In games of two, a group is one
seat. ``turn_weight`` adds what GiGPO does (Feng et al. 2025): what followed a turn is compared with what followed other
turns of the batch that answered the very same text.

Run ``python baselines/token_grpo.py --help`` for all settings; those of an environment come from
``baselines/token_grpo.toml``.
"""

import copy
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from dialogues import Turns
from generation import Scored, score_answers
from launch import main
from token_trainer import TokenConfig, TokenTrainer


@dataclass
class TokenGRPOConfig(TokenConfig):
    """Settings of GRPO, beside those of `TokenConfig`.

    Attributes:
        group_size: episodes that begin alike.
        turn_weight: of comparisons between equal situations; 0 for plain GRPO.
        kl: weight of the divergence from the reference in the loss.
        reference_every: batches after which the present policy becomes the reference; 0 keeps the first.
    """

    algorithm = "token_grpo"

    group_size: int = 8
    turn_weight: float = 0.0
    kl: float = 0.0
    reference_every: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.group_size < 2 or self.num_envs % self.group_size:
            raise ValueError(
                f"group_size is {self.group_size} and num_envs {self.num_envs}, expected groups of at least 2 that "
                "divide the batch"
            )


def against_group(values: torch.Tensor, keys: Iterable[Hashable], scaled: bool) -> torch.Tensor:
    """Values less the mean of those with the same key, and divided by their spread; 0 for a group of one.

    Args:
        values: (n,).
        keys: n.
        scaled: whether they are divided.
    """
    groups = defaultdict(list)
    for k, key in enumerate(keys):
        groups[key].append(k)
    found = torch.zeros_like(values)
    for rows in groups.values():
        mine = values[rows]
        found[rows] = mine - mine.mean()
        if scaled and len(rows) > 1:
            found[rows] /= mine.std() + 1e-6
    return found


class TokenGRPO(TokenTrainer):
    """One training run."""

    kept = (*TokenTrainer.kept, "reference", "batches")

    def begin(self) -> None:
        """The first policy is the reference."""
        if not self.config.turn_weight:
            self.refuse(("gamma",), "it is for turn_weight")
        self.group, self.batches = self.config.group_size, 0
        self.reference = copy.deepcopy(self.model) if self.config.kl else torch.nn.Identity()

    @torch.no_grad()
    def advantages(self, turns: Turns) -> dict[str, torch.Tensor]:
        """Each turn has its episode's, and what comparisons of equal situations add."""
        config = self.config
        gained = {
            (episode, agent): self._gained(turns, thread)
            for thread in turns.threads()
            for episode, agent in [(int(turns.episode[thread[0]]), int(turns.agent[thread[0]]))]
        }
        keys = [(episode // self.group, agent) for episode, agent in gained]
        whole = against_group(torch.tensor([*gained.values()]), keys, config.scaled)
        index = {key: k for k, key in enumerate(gained)}
        pairs = zip(turns.episode.tolist(), turns.agent.tolist(), strict=True)
        found = whole[[index[pair] for pair in pairs]]
        if config.turn_weight:
            later = turns.rewards_to_go(config.gamma)
            found = found + config.turn_weight * against_group(later, turns.prompts, config.scaled)
        data = {"advantage": found.unsqueeze(1)}
        if config.kl:
            if config.reference_every and self.batches % config.reference_every == 0:
                self.reference.load_state_dict(self.model.state_dict())
            data["reference"] = score_answers(self.reference, turns.prompts, turns.said, turns.choices).log_prob
        self.batches += 1
        return data

    def _gained(self, turns: Turns, thread: list[int]) -> float:
        return float(turns.reward[thread].sum())

    def more_loss(self, spoken: Scored, part: dict[str, Any], said: torch.Tensor) -> dict[str, torch.Tensor]:
        """The divergence from the reference (Schulman 2020, estimator k3)."""
        if not self.config.kl:
            return {}
        change = part["reference"][:, : spoken.log_prob.shape[1]] - spoken.log_prob
        return {"kl_loss": self.config.kl * (change.exp() - 1 - change).sum(1).mean()}


if __name__ == "__main__":
    main(TokenGRPO, TokenGRPOConfig)

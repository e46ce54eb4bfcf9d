"""Actor-critic with a hierarchy: a critic of whole answers, learned from a memory, teaches an actor of tokens.

As in ArCHer (Zhou et al. 2024, arXiv 2402.19446): the critic values situations, V, and answers in them, twice, Q, by
temporal differences over turns; V follows the lesser target Q of answers that the actor would give now. All tokens of
an answer share the advantage Q - V. The critic is a transformer of its own.

Run ``python baselines/archer.py --help`` for all settings; those of an environment come from ``baselines/archer.toml``.
"""

import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from dialogues import Turns
from generation import TOKENS, generate, read_prompts, score_answers
from launch import main
from learning import polyak_update
from token_trainer import TokenConfig, TokenTrainer
from tokens import Answers
from torch import nn
from transformer import Transformer


@dataclass
class ArCHerConfig(TokenConfig):
    """Settings of ArCHer, beside those of `TokenConfig`.

    Attributes:
        memory: turns that are remembered.
        critic_rate: step size of the critic.
        critic_updates: steps of the critic after each batch.
        critic_batch: turns of a step.
        critic_width: numbers of a place of the critic.
        tau: share by which the target follows.
        warm: batches in which the critic learns alone.
    """

    algorithm = "archer"

    memory: int = 10_000
    critic_rate: float = 1e-3
    critic_updates: int = 20
    critic_batch: int = 256
    critic_width: int = 32
    tau: float = 0.1
    warm: int = 2


class Turn(NamedTuple):
    """A remembered turn: what was told, said, possible and paid; what was told next, empty at the end."""

    prompt: tuple[int, ...]
    said: tuple[int, ...]
    choices: Answers | None
    reward: float
    next_prompt: tuple[int, ...]


class Remembered:
    """The last turns.

    Args:
        size: how many.
        end: token that ends an answer.
    """

    def __init__(self, size: int, end: int):
        self._size, self._end, self._turns = size, end, list[Turn]()

    def add(self, turns: Turns) -> None:
        """Remember, and forget the oldest."""
        for thread in turns.threads():
            for k, after in zip(thread, [*thread[1:], None], strict=True):
                told = () if after is None else turns.prompts[after]
                self._turns.append(
                    Turn(turns.prompts[k], turns.said[k], turns.choices[k], float(turns.reward[k]), told)
                )
        self._turns = self._turns[-self._size :]

    def sample(self, count: int) -> list[Turn]:
        """Draw turns, each as likely as any other."""
        return [self._turns[k] for k in torch.randint(len(self._turns), (count,)).tolist()]

    def state_dict(self) -> dict[str, Any]:
        """Plain data."""
        known = list({id(one.choices): one.choices for one in self._turns}.values())
        index = {id(one): k for k, one in enumerate(known)}
        return {
            "choices": [None if one is None else one.texts for one in known],
            "turns": [(*one[:2], index[id(one.choices)], *one[3:]) for one in self._turns],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Remember what was remembered."""
        known = [None if texts is None else Answers(texts, self._end) for texts in state["choices"]]
        self._turns = [Turn(prompt, said, known[k], *rest) for prompt, said, k, *rest in state["turns"]]


class Critic(nn.Module):
    """Values of situations, and two of answers in them.

    Args:
        vocabulary: of the model.
        width: numbers of a place.
        places: tokens that it reads at most.
    """

    def __init__(self, vocabulary: Any, width: int, places: int):
        super().__init__()
        self.reader = Transformer(vocabulary, width, 2, 4, places)
        self.situation, self.answers = nn.Linear(width, 1), nn.Linear(width, 2)

    def value(self, prompts: Any) -> torch.Tensor:
        """V (n,)."""
        return self.situation(read_prompts(self.reader, prompts)).squeeze(1)

    def both(self, prompts: Any, said: Any, choices: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Q (n, 2) of answers, and V (n,)."""
        x = score_answers(self.reader, prompts, said, choices).x
        last = torch.tensor([len(one) - 1 for one in said])
        return self.answers(x[torch.arange(len(x)), last]), self.situation(x[:, 0]).squeeze(1)


class ArCHer(TokenTrainer):
    """One training run."""

    kept = (*TokenTrainer.kept, "critic", "target", "critic_optimiser", "remembered", "batches")

    def begin(self) -> None:
        """The critic, its target, and the memory."""
        config, tokenizer = self.config, self.model.tokenizer
        self.critic = Critic(tokenizer, config.critic_width, config.places)
        self.target = copy.deepcopy(self.critic)
        self.critic_optimiser = torch.optim.Adam(self.critic.parameters(), config.critic_rate, eps=1e-5)
        self.remembered, self.batches = Remembered(config.memory, tokenizer.end), 0

    def advantages(self, turns: Turns) -> dict[str, torch.Tensor]:
        """Q - V, after the critic has learned; 0 while it learns alone."""
        self.remembered.add(turns)
        for _ in range(self.config.critic_updates):
            self._improve(self.remembered.sample(self.config.critic_batch))
        self.batches += 1
        with torch.no_grad():
            q, value = self.critic.both(turns.prompts, turns.said, turns.choices)
        found = q.amin(1) - value
        found = found - found.mean()
        if self.config.scaled:
            found = found / (found.std() + 1e-8)
        return {"advantage": (found * (self.batches > self.config.warm)).unsqueeze(1)}

    def _improve(self, turns: list[Turn]) -> None:
        """A step of the critic."""
        prompts, said, choices, rewards, following = zip(*turns, strict=True)
        with torch.no_grad():
            goes_on = torch.tensor([bool(one) for one in following])
            after = torch.zeros(len(turns))
            if goes_on.any():
                after[goes_on] = self.target.value([one for one in following if one])
            wanted = torch.tensor(rewards) + self.config.gamma * after
            now = generate(self.model, prompts, choices, self.config.answer_tokens, torch.rand(len(turns), TOKENS))
            counts = now.counts.tolist()
            fresh = [tuple(row[:count]) for row, count in zip(now.tokens.tolist(), counts, strict=True)]
            worth = self.target.both(prompts, fresh, choices)[0].amin(1)
        q, value = self.critic.both(prompts, said, choices)
        loss = (q - wanted.unsqueeze(1)).square().sum(1).mean() + (value - worth).square().mean()
        self.critic_optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.critic_optimiser.step()
        polyak_update(self.target, self.critic, self.config.tau)


if __name__ == "__main__":
    main(ArCHer, ArCHerConfig)

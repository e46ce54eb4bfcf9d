"""What algorithms that learn from whole conversations share: settings, the loop, evaluation, the policy's file."""

import copy
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from config import Config
from dialogues import DECODINGS, Dialogues, Talk, Talker, Turns, talking
from generation import TOKENS, LanguageModel, Scored, score_answers
from learning import anneal_rate, clipped_gradient_step, minibatches, polyak_update
from tabulated import can_be_unfolded, profile, tabulated
from tokens import Vocabulary
from torch import nn
from trainer import Trainer
from transformer import Transformer

import envsuite
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import Episodes, play
from envsuite.language_games.experts import first_begins
from envsuite.language_games.solving.tree import Tree, unfold
from envsuite.language_games.solving.values import exploitability, payoff

POLICY = "policy.npz"
"""The network of a run and how it talks."""
_SIZES = ("width", "layers", "heads", "places")


@dataclass
class TokenConfig(Config):
    """Settings of every algorithm that learns from whole conversations, beside those of `Config`.

    Attributes:
        num_envs: episodes of a batch; each is played to its end.
        pretrained: folder of a Hugging Face causal language model (extra ``lm``); empty for a small transformer.
        width: numbers of a place of the transformer.
        layers: its blocks.
        heads: of its attention.
        places: tokens that it reads and writes at most.
        spread: of its embeddings in the beginning. With 0.2, what letters a text has is not drowned in what attention
            makes of them, and texts that are spelled are learned; at first answers are then less evenly likely.
        sharpness: of its attention in the beginning: how many times larger than PyTorch's the weights of queries and
            keys are. With 1 each place looks at all others alike, with 4 at few of them.
        decoding: ``"legal"``: an answer is one of those that the world lists; ``"free"``: any tokens.
        answer_tokens: of a free answer at most.
        window: earlier turns that a prompt begins with.
        rules: whether prompts hold the rules.
        moves: whether prompts hold whose turn it is and which moves are legal; False for games of two players in turn
            whose texts tell that in another way, such as the cells that are empty.
        refusal: what an answer costs that is no action; a random action is taken in its place.
        opponent: of a game of rivals: ``"self"``, or a player of the world by name, against which both seats are
            learned by turns.
        entropy: weight of the answers' entropy in the loss.
        final_entropy: what it falls to, linearly, by the end; below 0 for no change.
        decay: share of the training, from its end, over which the step size falls.
        final_rate: share of the step size that it falls to.
        scaled: whether advantages are divided by their spread.
        clip: of the ratio of probabilities.
        epochs: over each batch.
        minibatches: of an epoch.
        max_gradient: norm of all gradients at most.
        average: share by which what is evaluated and saved follows what is learned; 1 for the same. In self-play an
            average is nearer to equilibrium than what circles around it.
        sampled: whether evaluation draws answers; else it takes the likeliest tokens.
    """

    env_id: str = "envsuite/KuhnPoker-v0"
    num_envs: int = 256
    learning_rate: float = 1e-3
    gamma: float = 1.0
    threads: int = 1
    pretrained: str = ""
    width: int = 64
    layers: int = 2
    heads: int = 4
    places: int = 256
    spread: float = 0.02
    sharpness: float = 1.0
    decoding: str = "legal"
    answer_tokens: int = 16
    window: int = 0
    rules: bool = False
    moves: bool = True
    refusal: float = -1.0
    opponent: str = "self"
    entropy: float = 0.01
    final_entropy: float = -1.0
    decay: float = 0.5
    final_rate: float = 0.1
    scaled: bool = False
    clip: float = 0.2
    epochs: int = 2
    minibatches: int = 4
    max_gradient: float = 0.5
    average: float = 1.0
    sampled: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.decoding not in DECODINGS:
            raise ValueError(f"decoding is {self.decoding!r}, expected one of {', '.join(DECODINGS)}")
        if not 1 <= self.answer_tokens <= TOKENS:
            raise ValueError(f"answer_tokens is {self.answer_tokens}, expected a number from 1 to {TOKENS}")
        for name in ("spread", "sharpness"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}, expected a number above 0")
        if not 0 < self.average <= 1:
            raise ValueError(f"average is {self.average}, expected a number above 0, at most 1")


class TokenTrainer(Trainer):
    """One training run.

    Args:
        config: settings.
        model: the network that answers; by default the one of the settings.
    """

    kept = ("model", "averaged", "optimiser")
    whole = False
    """Whether `more_loss` uses what the last tokens of answers were drawn by, see `generation.score_answers`."""
    unused = ("hidden", "activation", "normalise", "privileged", "autoreset", "stages")

    def __init__(self, config: Any, model: Any = None):
        super().__init__(config)
        self.model: Any = model or make_model(config)
        self.averaged = self.model if config.average == 1 else copy.deepcopy(self.model)
        self.group = 1
        card = envsuite.card(config.env_id)
        self._played: Any = make_world(card.world, **card.options)  # what is evaluated: without training options
        self._tree: Any = None
        self.begin()
        self.optimiser = torch.optim.Adam(self.together().parameters(), config.learning_rate, eps=1e-5)

    def make_rows(self) -> Any:
        """Conversations."""
        return Dialogues(self.config, envsuite.card(self.config.env_id))

    def begin(self) -> None:
        """What an algorithm needs beside the model."""

    def advantages(self, turns: Turns) -> dict[str, torch.Tensor]:
        """What is learned from: ``advantage`` (n, a or 1), and what `more_loss` needs, n rows each."""
        raise NotImplementedError

    def more_loss(self, spoken: Scored, part: dict[str, torch.Tensor], said: torch.Tensor) -> dict[str, torch.Tensor]:
        """Further terms of the loss, by name.

        Args:
            spoken: answers as they are seen now.
            part: rows of `advantages`.
            said: (n, a) bool, where an answer has a token.
        """
        return {}

    def iterate(self) -> dict[str, Any]:
        """Play some episodes and learn from them."""
        config = self.config
        left = self.decayed()
        turns = self.rows.play(self.model, self.group)
        self.steps += turns.steps
        anneal_rate(self.optimiser, config.learning_rate, left, config.decay, config.final_rate)
        final = config.entropy if config.final_entropy < 0 else config.final_entropy
        numbers = self.learn(turns, final + (config.entropy - final) * left)
        if config.average < 1:
            polyak_update(self.averaged, self.model, config.average)
        numbers |= {"refused": turns.refused.float().mean(), "turns": len(turns) / turns.returns.shape[0]}
        return numbers

    def learn(self, turns: Turns, entropy: float) -> dict[str, Any]:
        """Improve on what was said (Schulman et al. 2017, with a ratio for each token)."""
        config, found = self.config, []
        data = self.advantages(turns)
        counts = turns.counts
        for index in minibatches(len(turns), config.epochs, config.minibatches):
            rows = index.tolist()
            spoken = score_answers(
                self.model,
                *([one[k] for k in rows] for one in (turns.prompts, turns.said, turns.choices)),
                whole=self.whole,
            )
            width = spoken.log_prob.shape[1]
            said = torch.arange(width) < counts[index].unsqueeze(1)
            part = {name: one[index] for name, one in data.items()}
            advantage = part["advantage"][:, :width]
            change = spoken.log_prob - turns.log_prob[index][:, :width]
            ratio = change.exp()
            clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
            terms = {"policy_loss": -(torch.minimum(ratio * advantage, clipped * advantage) * said).sum(1).mean()}
            terms |= self.more_loss(spoken, part, said)
            drawn = spoken.entropy.sum(1).mean()
            loss = sum(terms.values()) - entropy * drawn
            clipped_gradient_step(self.together(), self.optimiser, loss, config.max_gradient)
            kl = (ratio - 1 - change).sum(1).mean()
            found.append({name: one.detach() for name, one in {**terms, "entropy": drawn, "kl": kl}.items()})
        return {name: torch.stack([one[name] for one in found]).mean() for name in found[0]}

    def together(self) -> nn.Module:
        """All that is learned, as one module."""
        return self.model

    def player(self) -> Any:
        """What makes a player of the model as it is now, see `envsuite.evaluation.rollout.play`."""
        return talker(self.averaged, self.config.sampled, **talking(self.config))

    def policy(self) -> Any:
        """The model; it is no network of one pass, see `POLICY`."""
        return self.averaged

    def policies(self) -> dict[str, Any]:
        """In games that are measured, a policy file that plays as the model does; else none."""
        tree = self._unfolded()
        if tree is None:
            return {}
        return {"policy": tabulated(self.config.env_id, self._played, tree, self._profile(tree))}

    def files(self) -> dict[str, bytes]:
        """The transformer, where it is ours; a model from elsewhere is saved by `save_pretrained`."""
        if not isinstance(self.averaged, Transformer):
            return self.averaged.files()
        about = talking(self.config) | {name: getattr(self.config, name) for name in _SIZES}
        about |= {"env_id": self.config.env_id, "tokens": self.averaged.tokenizer.tokens}
        content = io.BytesIO()
        weights = {f"weight/{name}": one.numpy() for name, one in self.averaged.state_dict().items()}
        np.savez_compressed(content, about=np.array(json.dumps(about)), **weights)
        return {POLICY: content.getvalue()}

    def evaluate(self) -> Episodes:
        """Play on the evaluation seeds."""
        return play(envsuite.card(self.config.env_id), self.player(), self.config.episodes)

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Also its distance from an equilibrium and what it gains from uniform play, in games that are small enough."""
        tree, found = self._unfolded(), super().summary(episodes)
        if tree is None:
            return found
        mine = self._profile(tree)
        return found | {"exploitability": exploitability(tree, mine), "over_uniform": payoff(tree, mine, tree.uniform)}

    def _unfolded(self) -> Tree | None:
        """The game, where it is measured: free answers and earlier turns have no place in its information sets."""
        legal = self.config.decoding == "legal" and not self.config.window
        if self._tree is None and legal and can_be_unfolded(self._played):
            self._tree = unfold(first_begins(self._played))
        return self._tree

    def _profile(self, tree: Tree) -> np.ndarray:
        return profile(self.averaged, self._played, tree, self.config)


def make_model(config: TokenConfig) -> Any:
    """The network of the settings."""
    if config.pretrained:
        from causal_lm import CausalLM

        return CausalLM.load(config.pretrained)
    sizes = (getattr(config, name) for name in _SIZES)
    return Transformer(Vocabulary.load(), *sizes, spread=config.spread, sharpness=config.sharpness)


def talker(model: LanguageModel, sampled: bool, **options: Any) -> Any:
    """What makes a player of a model.

    Args:
        model: who answers.
        sampled: see `TokenConfig`.
        **options: see `dialogues.Talk`.
    """
    return lambda world, slots: Talker(Talk(world, model, **options), sampled)


def load(path: str | Path) -> tuple[Transformer, dict[str, Any]]:
    """The transformer of a run, and how it talks.

    Args:
        path: of a `POLICY` file.

    Raises:
        ValueError: no such file of ours.
    """
    with np.load(path, allow_pickle=False) as content:
        if "about" not in content:
            raise ValueError(f"{path} holds {sorted(content)[:5]}, expected a policy of a token trainer")
        about = json.loads(str(content["about"]))
        weights = {name.removeprefix("weight/"): torch.from_numpy(content[name]) for name in content if name != "about"}
    model = Transformer(Vocabulary(about["tokens"]), *(about[name] for name in _SIZES))
    model.load_state_dict(weights)
    return model, {name: one for name, one in about.items() if name not in (*_SIZES, "env_id", "tokens")}

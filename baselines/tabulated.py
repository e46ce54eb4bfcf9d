"""What a language model plays in a whole game: its probabilities in each information set, and a file that plays so."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from dialogues import Talk, talking
from distributions import ILLEGAL
from export import Exporter
from generation import LanguageModel, generate, score_answers
from networks import Normaliser

from envsuite.agents.onnx import OnnxPolicy
from envsuite.core.companions import Referee, companion_class
from envsuite.core.world import World
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.solving.tree import Tree
from envsuite.language_games.turns import TurnWorld

_AT_ONCE = 2048
"""Answers that are worked out together."""


def can_be_unfolded(world: World) -> bool:
    """Whether a game's distances from equilibrium are computed by unfolding it; Pig is solved in another way."""
    tells = companion_class(type(world), Referee).distance is not Referee.distance
    return tells and isinstance(world, TurnWorld) and not isinstance(world, PigWorld)


@torch.no_grad()
def profile(model: LanguageModel, world: TurnWorld, tree: Tree, config: Any) -> np.ndarray:
    """The probabilities of a model's moves in each information set, (sets, choices), among legal answers.

    Unless the settings have answers drawn (``sampled``), the move of the likeliest tokens has probability 1.

    Args:
        model: whose.
        world: the game.
        tree: the game unfolded.
        config: how it talks: a `TokenConfig`.
    """
    talk = Talk(world, model, **talking(config))
    found = np.zeros(tree.legal.shape)
    if not config.sampled:
        for k, move in enumerate(_likeliest(model, talk, tree)):
            found[k, move] = 1
        return found
    rows, moves, prompts, said, choices = [], [], [], [], []
    for k, state in enumerate(tree.records):
        agent = int(state["current_player"])
        prompt, listed = tuple(model.tokenizer.encode(talk.prompt(state, 0, agent))), talk.choices(state, agent)
        for move, text in zip(np.flatnonzero(tree.legal[k]), talk.words.answers(state, agent), strict=True):
            rows.append(k)
            moves.append(move)
            prompts.append(prompt)
            said.append((*model.tokenizer.encode(text), model.tokenizer.end))
            choices.append(listed)
    for first in range(0, len(rows), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        spoken = score_answers(model, prompts[part], said[part], choices[part])
        found[rows[part], moves[part]] = spoken.log_prob.double().sum(1).exp().numpy()
    return found / found.sum(axis=1, keepdims=True)


def _likeliest(model: LanguageModel, talk: Talk, tree: Tree) -> Iterator[int]:
    """The move of the likeliest tokens in each information set."""
    encode, end = model.tokenizer.encode, model.tokenizer.end
    for first in range(0, len(tree.records), _AT_ONCE):
        part = [(state, int(state["current_player"])) for state in tree.records[first : first + _AT_ONCE]]
        prompts = [tuple(encode(talk.prompt(state, 0, agent))) for state, agent in part]
        said = generate(model, prompts, [talk.choices(*one) for one in part], talk.answer_tokens, None)
        for k, one in enumerate(part):
            answers = [(*encode(text), end) for text in talk.words.answers(*one)]
            place = answers.index(tuple(said.tokens[k, : said.counts[k]].tolist()))
            yield int(np.flatnonzero(tree.legal[first + k])[place])


def tabulated(env_id: str, world: TurnWorld, tree: Tree, shares: np.ndarray) -> OnnxPolicy:
    """A policy file that looks up what is seen, so that language models meet other players without their texts.

    Args:
        env_id: environment that it plays.
        world: the game.
        tree: the game unfolded.
        shares: (sets, choices) probabilities.
    """
    spaces = {"single_observation_space": world.observation.space(), "single_action_space": world.action.space()}
    exporter = Exporter(env_id, SimpleNamespace(world=world, **spaces))
    graph, seen = exporter.graph, tree.seen.reshape(len(tree.seen), -1).astype(np.float32)
    # the nearest known observation is the same one: |x - s|^2 is least where 2 x s - |s|^2 is greatest
    nearest = graph.dense(exporter.inputs(Normaliser(1, False)), 2 * seen, -np.square(seen).sum(axis=1))
    which = graph.add("ArgMax", nearest, axis=1, keepdims=0)
    logits = np.where(tree.legal, np.log(np.maximum(shares, 1e-30)), ILLEGAL).astype(np.float32)
    return exporter.finish(graph.embed(logits, which), "sample")

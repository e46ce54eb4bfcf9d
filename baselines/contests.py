"""Games between given players: networks in one batch, and mixtures of policies by protocol."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from config import Config
from distributions import heads_of
from rows import Rows

from envsuite.cards import EnvCard
from envsuite.evaluation.rollout import EVALUATION_SEED, Episodes, PolicyMaker, play


def act_networks(
    players: Sequence[Any], who: torch.Tensor, obs: torch.Tensor, mask: torch.Tensor | None, into: torch.Tensor
) -> None:
    """Write what networks do: each is evaluated once, on its rows.

    Args:
        players: networks.
        who: (r,) int64, which of them plays a row; below 0 for none.
        obs: (r, *O).
        mask: (r, choices) bool, or None.
        into: (r, A) actions, written where somebody plays.
    """
    for which in who.unique().tolist():
        if which >= 0:
            rows = (who == which).nonzero().squeeze(1)
            agent = players[which]
            output = agent.actor(agent.trunk(agent.obs_normaliser(obs[rows])))
            allowed = None if mask is None else mask[rows]
            into[rows] = agent.actions.to_env(agent.actions.distribution(output, allowed).sample())


def mixed_games(
    card: EnvCard,
    first: Sequence[tuple[PolicyMaker, float]],
    second: Sequence[tuple[PolicyMaker, float]],
    episodes: int,
    first_seed: int = EVALUATION_SEED,
) -> Episodes:
    """Games between two mixtures, whose members are drawn for each episode by its seed.

    Args:
        card: the environment.
        first: members and their probabilities.
        second: likewise.
        episodes: how many; the sides change by turns.
        first_seed: of the first episode.

    Returns:
        Results of the first mixture, see ``against`` of `envsuite.evaluation.rollout.play`.
    """
    seeds = np.arange(episodes) + first_seed
    generator = np.random.Generator(np.random.Philox(first_seed))
    drawn = [
        generator.choice(len(side), episodes, p=probabilities(weight for _, weight in side)) for side in (first, second)
    ]
    parts = []
    for i, j in sorted(set(zip(*(one.tolist() for one in drawn), strict=True))):
        mine = seeds[(drawn[0] == i) & (drawn[1] == j)]
        parts.append(play(card, first[i][0], len(mine), seeds=mine.tolist(), against=second[j][0]))
    return Episodes.join(parts)


def probabilities(weights: Any) -> np.ndarray:
    """Weights as probabilities.

    Raises:
        ValueError: one is negative, or all are 0.
    """
    found = np.array([*weights], np.float64)
    if not len(found) or not (found >= 0).all() or not found.sum() > 0:
        raise ValueError(f"weights are {found}, expected numbers >= 0, not all of them 0")
    return found / found.sum()


class Contest(Rows):
    """Games between networks, all pairs in one batch.

    Args:
        config: a `matchmaking.MatchConfig`, whose game it is; pairs times games instances are played.
        pairs: (first, second) networks of each pair.
        games: of each pair; every second one with changed sides and the same seed as the one before.
        seed: of the first two games.
    """

    def __init__(self, config: Any, pairs: Sequence[tuple[Any, Any]], games: int, seed: int):
        instances = len(pairs) * games
        plain = Config(
            env_id=config.env_id,
            env_options={**config.game, **config.env_options},
            num_envs=instances,
            autoreset="SameStep",
            seed=seed,
        )
        super().__init__(plain)
        index = np.arange(instances)
        seeds = seed + index % games // 2
        self._all = self.read(*self.env.reset(seed=seeds.tolist()))
        self._players = [player for pair in pairs for player in pair]
        who = np.stack([2 * (index // games), 2 * (index // games) + 1], axis=1)
        self._turned = torch.from_numpy(index % 2 == 1)
        self._who = torch.from_numpy(np.where(self._turned.numpy()[:, None], who[:, ::-1], who).reshape(-1).copy())
        self._shape = (len(pairs), games)
        self.obs, self.critic_obs, self.mask = self._all

    @torch.no_grad()
    def points(self) -> torch.Tensor:
        """(pairs, games) float64 results of the first ones: 1, 1/2 for a draw, 0."""
        lead = torch.zeros(len(self._turned), dtype=torch.float64)
        live = torch.ones(len(self._turned), dtype=torch.bool)
        heads = heads_of(self.action_space)
        width = len(heads) or int(np.prod(self.action_space.shape))
        actions = torch.zeros(len(self._who), width, dtype=torch.int64 if heads else torch.float32)
        while live.any():
            who = torch.where(live.repeat_interleave(2), self._who, -1)
            act_networks(self._players, who, self.obs, self.mask, actions)
            step = self.step(actions)
            reward = step.reward.double().reshape(-1, 2)
            lead += torch.where(live, reward[:, 0] - reward[:, 1], 0.0)
            live &= ~step.episode_start.reshape(-1, 2)[:, 0]
        self.env.close()
        return ((torch.where(self._turned, -lead, lead).sign() + 1) / 2).reshape(self._shape)

"""Exact solutions of small games inside a game of two players: each commits to one choice, and both are played out.

From the beginning of an episode each side repeats one choice for some steps; the pay-off is its reward minus the
other's. All pairs are played, so the matrix is complete, and its equilibrium (that of greatest entropy) and the
exploitability of any player's mixture at that moment are exact. Short-sighted on purpose: what follows does not count.

``python baselines/minigame.py PLAYER ... --env-id DuelVersus --steps 6 --options '{"start_gap": 60}'``.
"""

import argparse
import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from exploit import ExploitConfig
from players import SPECS, Player, players

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.cards import EnvCard
from envsuite.core.layout import Choice
from envsuite.scoring import exploitability, matrix_values, max_entropy_equilibrium


@dataclass
class MiniGame:
    """A game solved.

    Attributes:
        names: of the choices.
        payoff: (c, c) mean lead of the first player.
        value: of the game.
        equilibrium: (c,) probabilities, of greatest entropy.
        obs: (s, *O) what the first player sees when it chooses, one for each seed.
    """

    names: tuple[str, ...]
    payoff: np.ndarray
    value: float
    equilibrium: np.ndarray
    obs: np.ndarray

    def exploitability(self, mixture: np.ndarray) -> float:
        """Of a player with these probabilities on both sides, in units of reward."""
        one, other = self.payoff, -self.payoff
        return exploitability(*matrix_values((one, other), (mixture, mixture)))


def solve(card: EnvCard, steps: int, seeds: Sequence[int] = (0,)) -> MiniGame:
    """Play all pairs of choices and solve the game.

    Args:
        card: the environment, with one choice a step.
        steps: that a choice is kept.
        seeds: of the episodes over which pay-offs are averaged.

    Raises:
        ValueError: not two players with one choice each, or no steps or seeds.
    """
    if steps < 1 or not len(seeds):
        raise ValueError(f"steps is {steps} with {len(seeds)} seeds, expected at least 1 of each")
    options = {key: value for key, value in card.options.items()}
    layout = envsuite.parallel_vec(card.id, num_envs=1, **options).world.action
    if card.agents != 2 or not isinstance(layout, Choice):
        raise ValueError(f"{card.id} has {card.agents} agents with {layout}, expected 2 with one choice each")
    count = len(layout.names)
    first, second, which = (one.reshape(-1) for one in np.indices((count, count, len(seeds))))
    env: Any = envsuite.parallel_vec(card.id, num_envs=len(first), **options)
    observations, _ = env.reset(seed=[int(seeds[k]) for k in which])
    obs = observations[: len(seeds), 0].copy()
    actions = np.stack([first, second], axis=1).astype(layout.dtype).reshape(env.action_space.shape)
    lead, live = np.zeros(len(first)), np.ones(len(first), np.bool_)
    for _ in range(steps):
        _, rewards, terminated, truncated, _ = env.step(actions)
        lead[live] += (rewards[:, 0].astype(np.float64) - rewards[:, 1])[live]
        live &= ~(terminated | truncated).all(axis=1)
    env.close()
    payoff = lead.reshape(count, count, len(seeds)).mean(axis=2)
    value, mixture = max_entropy_equilibrium(payoff)
    return MiniGame(tuple(layout.names), payoff, value, mixture, obs)


def mixture_of(one: Player, game: MiniGame) -> np.ndarray:
    """A player's probabilities at the moment of the game, averaged over its seeds.

    Raises:
        ValueError: it is no network.
    """
    if len(one.networks) != len(one.members):
        raise ValueError(f"player {one.name!r} is no network: its probabilities are not known")
    weights = sorted((weight for _, weight in one.members), reverse=True)  # the order of `Player.networks`
    parts = [weight * _odds(network, game.obs) for network, weight in zip(one.networks, weights, strict=True)]
    return sum(parts, np.zeros(len(game.names)))


def _odds(network: OnnxPolicy, obs: np.ndarray) -> np.ndarray:
    interface = network.interface
    logits = network.program.run(**{interface.observation: obs})[interface.output].astype(np.float64)
    if interface.action.kind == "argmax":
        return np.eye(logits.shape[1])[logits.argmax(axis=1)].mean(axis=0)
    odds = np.exp((logits - logits.max(axis=1, keepdims=True)) / interface.action.temperature)
    return (odds / odds.sum(axis=1, keepdims=True)).mean(axis=0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Solve a game of commitments exactly.")
    parser.add_argument("players", nargs="*", metavar="PLAYER", help=SPECS)
    parser.add_argument("--env-id", required=True)
    parser.add_argument("--steps", type=int, default=6, help="that a choice is kept")
    parser.add_argument("--seeds", type=int, default=1, help="episodes over which pay-offs are averaged")
    parser.add_argument("--options", type=json.loads, default={}, help="more options of the world, as JSON")
    given = parser.parse_args(arguments)
    named = players(given.players)
    config = ExploitConfig.for_env(given.env_id)
    card = dataclasses.replace(config.card(), options={**config.card().options, **config.env_options, **given.options})
    game = solve(card, given.steps, range(given.seeds))
    print(f"value {round(game.value, 4) + 0.0:.4f}; the equilibrium:")
    for name, share in zip(game.names, game.equilibrium, strict=True):
        if share > 5e-4:
            print(f"  {name}: {share:.3f}")
    for one in named:
        print(f"{one.name}: exploitability {game.exploitability(mixture_of(one, game)):.4f}")


if __name__ == "__main__":
    main()

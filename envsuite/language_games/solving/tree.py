"""A whole game, unfolded by its own kernels: every state, move, chance event and information set."""

import copy
from dataclasses import dataclass

import numpy as np

from envsuite.core.batch import Batch
from envsuite.language_games.turns import TurnWorld

CHANCE, OVER = 2, 3
"""Who moves at a node, besides the players 0 and 1."""
LARGEST = 5_000_000
"""Nodes of a level that are still unfolded."""
_IRRELEVANT = ("clock", "rng", "seed", "gain", "total")
"""Fields on which the future does not depend."""


@dataclass(frozen=True)
class Edges:
    """The moves and chance events from one level of a tree to the next.

    Attributes:
        parent: (e,) nodes.
        child: (e,) nodes.
        action: (e,) moves; -1 for chance.
        chance: (e,) probabilities; 1 for moves.
        gain: (e,) of the first player.
    """

    parent: np.ndarray
    child: np.ndarray
    action: np.ndarray
    chance: np.ndarray
    gain: np.ndarray


@dataclass(frozen=True)
class Tree:
    """A game. Nodes are states with all that the players have seen; equal ones after equally many moves are one node.

    Attributes:
        mover: (nodes,) who moves: 0, 1, `CHANCE` or `OVER`.
        info: (nodes,) information set of the player to move, -1 where nobody is.
        roots: node and probability of each beginning.
        levels: edges, from the beginning on.
        seen: (sets, *O) what the player to move observes in each information set, by which policies know it. Where
            either may begin, both players have the same sets.
        legal: (sets, choices) bool.
        records: (sets,) one state in each information set.
    """

    mover: np.ndarray
    info: np.ndarray
    roots: tuple[tuple[int, float], ...]
    levels: tuple[Edges, ...]
    seen: np.ndarray
    legal: np.ndarray
    records: np.ndarray

    @property
    def uniform(self) -> np.ndarray:
        """The profile that takes each legal move with the same probability, (sets, choices)."""
        return self.legal / self.legal.sum(axis=1, keepdims=True)


def unfold(world: TurnWorld) -> Tree:
    """Play every move and every outcome of chance.

    Args:
        world: a game that ends by itself, small enough.

    Raises:
        ValueError: a level has more than five million nodes, or the game goes on for ever.
    """
    game = copy.copy(world)
    game.params = world.params.copy()
    game.params["draws"] = 0
    starters = (0, 1) if world.params["starter"][0] == 2 else (int(world.params["starter"][0]),)
    begun = []
    for starter in starters:
        game.params["starter"] = starter
        batch = Batch(game, 1, num_threads=1)
        batch.seed([0])
        batch.reset()
        begun.append((batch.states.copy(), batch.last.observations.copy(), batch.last.info["action_mask"].copy()))
    states, seen, masks = (np.concatenate(parts) for parts in zip(*begun, strict=True))
    first, levels, movers, views, legals, records = 0, [], [], [], [], []
    while len(states):
        movers.append(_movers(states))
        acting = np.minimum(movers[-1], 1)
        views.append(seen[np.arange(len(states)), acting])
        legals.append(masks[np.arange(len(states)), acting] != 0)
        records.append(states[movers[-1] < CHANCE])
        origin, action, chance = _moves(states, movers[-1], legals[-1])
        if not len(origin):
            break
        if len(origin) > LARGEST or len(levels) > 1000:
            raise ValueError(f"{type(world).__name__} is too large to be unfolded: {len(origin)} moves in one level")
        batch = Batch(game, len(origin), num_threads=1)
        batch.states[:] = states[origin]
        output = batch.step(np.repeat(action[:, np.newaxis], 2, axis=1))
        kept, child = _distinct(batch.states)
        probability = np.where(movers[-1][origin] == CHANCE, 1 / np.maximum(chance, 1), 1.0)
        moved = np.where(movers[-1][origin] == CHANCE, -1, action)
        gain = output.rewards[:, 0].astype(np.float64)
        levels.append(_joined(origin + first, child + first + len(states), moved, probability, gain))
        first += len(states)
        states, seen = batch.states[kept], output.observations[kept]
        masks = output.info["action_mask"][kept]
    return _tree(movers, views, legals, levels, records, len(starters))


def _movers(states: np.ndarray) -> np.ndarray:
    playing = np.where(states["chance"] > 0, CHANCE, states["current_player"])
    return np.where(states["over"] != 0, OVER, playing).astype(np.int64)


def _moves(states, mover, legal) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Origin, action and number of outcomes of everything that can happen."""
    width = max(legal.shape[1], int(states["chance"].max(initial=0)))
    outcomes = np.arange(width) < np.where(mover == CHANCE, states["chance"], 0)[:, np.newaxis]
    able = np.pad(legal & (mover < CHANCE)[:, np.newaxis], ((0, 0), (0, width - legal.shape[1])))
    origin, action = np.nonzero(outcomes | able)
    return origin, action, states["chance"][origin].astype(np.float64)


def _bytes(rows: np.ndarray) -> np.ndarray:
    """Rows of an array as one value each, which can be sorted."""
    flat = np.ascontiguousarray(rows).reshape(len(rows), -1).view(np.uint8)
    return np.ascontiguousarray(flat).view(np.dtype((np.void, flat.shape[1])))[:, 0]


def _distinct(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices of states that differ in what matters, and which of them each is."""
    names = [name for name in states.dtype.names or () if name not in _IRRELEVANT]
    parts = [_bytes(states[name].reshape(len(states), -1)).view(np.uint8).reshape(len(states), -1) for name in names]
    _, kept, child = np.unique(_bytes(np.concatenate(parts, axis=1)), return_index=True, return_inverse=True)
    return kept, child


def _joined(parent, child, action, chance, gain) -> Edges:
    """Edges of chance between the same nodes are one."""
    order = np.lexsort((action, child, parent))
    parent, child, action, chance, gain = (one[order] for one in (parent, child, action, chance, gain))
    new = np.ones(len(parent), np.bool_)
    new[1:] = (np.diff(parent) != 0) | (np.diff(child) != 0) | (action[1:] != -1)
    total = np.bincount(np.cumsum(new) - 1, chance)
    return Edges(parent[new], child[new], action[new], np.where(action[new] == -1, total, 1.0), gain[new])


def _tree(movers, views, legals, levels, records, roots: int) -> Tree:
    mover = np.concatenate(movers)
    deciding = np.flatnonzero(mover < CHANCE)
    seen, legal = np.concatenate(views)[deciding], np.concatenate(legals)[deciding]
    _, kept, which = np.unique(_bytes(seen), return_index=True, return_inverse=True)
    info = np.full(len(mover), -1, np.int64)
    info[deciding] = which
    return Tree(
        mover,
        info,
        tuple((k, 1 / roots) for k in range(roots)),
        tuple(levels),
        seen[kept],
        legal[kept],
        np.concatenate(records)[kept],
    )

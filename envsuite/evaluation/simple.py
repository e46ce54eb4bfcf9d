"""What players of one line score: constants, blind cycles, and rules that look at one number.

A task that these play nearly as well as its reference player tells methods apart by little else than noise.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard, Score
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch
from envsuite.core.layout import Choice, Vector, mask_of
from envsuite.core.world import World, lead_shape, make_world
from envsuite.evaluation.rollout import EVALUATION_SEED, play, weighted

NEAR = 2 / 3
"""Share of the scale from random (0) to reference (1) from which on a player of one line comes near the reference."""

_IDLE = ("noop", "no-op", "stay", "wait", "nothing", "idle", "still", "none", "pass")
_SCREENED, _FEW, _LOOK, _BEST = 8, 2, 64, 4
_SORTS = 20
_SEED = 20_260


@dataclass(frozen=True)
class Player:
    """A player of one line.

    Attributes:
        kind: what it goes by.
        name: in words.
        actions: (l, [a,] *A), from which it takes one at a time.
        period: steps after which a blind player takes the next one.
        feature: index of the number that a rule looks at, in an agent's flattened observation.
        cut: where the rule takes the second action instead of the first.
        order: all choices, the first allowed one of which it takes, where an observation says what is allowed.
    """

    kind: Literal["nothing", "constant", "blind", "rule"]
    name: str
    actions: np.ndarray
    period: int = 1
    feature: int = -1
    cut: float = 0.0
    order: np.ndarray | None = None


@dataclass(frozen=True)
class Simple:
    """The best players of one line of an environment.

    Attributes:
        scores: of the best of each kind, played anew, by kind.
        tried: how many players there were.
    """

    scores: dict[str, Score]
    tried: int

    @property
    def best(self) -> Score:
        """The best of all."""
        return max(self.scores.values(), key=lambda one: one.mean)


class _Table:
    """Many players at once, each in as many slots as the others, one after another."""

    def __init__(self, world: World, slots: int, players: list[Player]):
        self._players, self._slots, self._time = players, slots // len(players), 0
        self._lead = lead_shape(world, slots)
        self._actions = np.zeros(self._lead + world.action.shape, world.action.dtype)
        self._mask = mask_of(world.observation, world.action)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """All begin together and play one episode."""
        self._time = 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Each slot's action by its player."""
        seen = observations.reshape(*self._lead, -1)
        for k, one in enumerate(self._players):
            rows = slice(k * self._slots, (k + 1) * self._slots)
            if one.feature < 0:
                self._actions[rows] = one.actions[self._time // one.period % len(one.actions)]
            else:
                above = seen[rows][..., one.feature] > one.cut
                above = above.reshape(above.shape + (1,) * (self._actions.ndim - above.ndim))
                self._actions[rows] = np.where(above, one.actions[1], one.actions[0])
        self._time += 1
        if self._mask.stop:
            self._allow(seen[..., self._mask] != 0)
        return self._actions

    def _allow(self, allowed: np.ndarray) -> None:
        """Take the next choice that there is, in a circle or in a player's order."""
        later = allowed & (np.arange(allowed.shape[-1]) >= self._actions[..., None])
        chosen = np.where(later.any(axis=-1), later.argmax(axis=-1), allowed.argmax(axis=-1))
        for k, one in enumerate(self._players):
            if one.order is not None:
                rows = slice(k * self._slots, (k + 1) * self._slots)
                chosen[rows] = one.order[allowed[rows][..., one.order].argmax(axis=-1)]
        self._actions[...] = chosen


def _preferences(names: Any) -> list[Player]:
    """Players that take choices of one sort whenever they may, such as one kind of tower, and else do nothing."""
    sorts: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        sorts.setdefault(re.sub(r"[\W_]*[A-Z]?\d+$", "", name), []).append(k)
    idle = [k for k, name in enumerate(names) if name.lower() in _IDLE]
    several = [sort for sort, members in sorts.items() if len(members) > 1 and len(sorts) > 1]
    players = []
    for k in np.unique(np.linspace(0, len(several) - 1, min(len(several), _SORTS)).astype(int)):
        sort, members = several[k], sorts[several[k]]
        for way, order in (("first", members), ("last", members[::-1])):
            whole = np.array(list(dict.fromkeys([*order, *idle, *range(len(names))])))
            players.append(Player("rule", f"{way} {sort} allowed", np.array([order[0]]), order=whole))
    return players


def simple_players(card: EnvCard) -> list[Player]:
    """Some sixty to two hundred players of one line, the same for every call.

    Args:
        card: the environment.
    """
    world = make_world(card.world, **card.options)
    draw = np.random.default_rng(_SEED)
    fixed = _constants(world, draw)
    players = [Player(kind, name, world_wide[None]) for kind, name, world_wide in fixed]
    alone = [one for _, _, one in fixed]
    if mask_of(world.observation, world.action).stop:
        players += _preferences(getattr(world.action, "names", ()))

    def some(count: int) -> np.ndarray:
        return np.stack([alone[k] for k in draw.integers(len(alone), size=count)])

    if world.agents:
        for k in range(12):
            mixed = np.stack([some(1)[0][j] for j in range(len(world.agents))])
            players.append(Player("constant", f"own constants {k}", mixed[None]))
    for k in range(12):
        count, period = (2, 3, 4)[k % 3], (1, 4, 16, 64)[k % 4]
        players.append(Player("blind", f"cycle {k} of {count}, {period} steps each", some(count), period))
    features, cuts = _features(card, world, draw)
    for _ in range(36 if features.size else 0):
        one = draw.integers(len(features))
        players.append(
            Player("rule", f"number {features[one]} above {cuts[one]:.3g}", some(2), 1, features[one], cuts[one])
        )
    return players


def _constants(world: World, draw: np.random.Generator) -> list[tuple[Any, str, np.ndarray]]:
    """(kind, name, action of all agents) of constants."""
    layout, agents = world.action, (len(world.agents),) if world.agents else ()
    low, high = layout.low, layout.high
    found: list[tuple[Any, str, np.ndarray]] = []

    def add(kind: str, name: str, action: Any) -> None:
        found.append((kind, name, np.broadcast_to(np.asarray(action, layout.dtype), agents + layout.shape)))

    if isinstance(layout, Choice):
        for k in np.unique(np.linspace(0, len(layout.names) - 1, 64).astype(int)):
            kind = "nothing" if layout.names[k].lower() in _IDLE else "constant"
            add(kind, layout.names[k], k)
        return found
    middle = np.clip(np.zeros(layout.shape), low, high)
    add("nothing", "zeros", middle)
    add("constant", "lowest", low)
    add("constant", "highest", high)
    add("constant", "middle", (low.astype(float) + high) / 2)
    for k in range(min(middle.size, 8)):
        for side, bound in (("low", low), ("high", high)):
            one = np.array(middle, float)
            one.reshape(-1)[k] = bound.reshape(-1)[k]
            add("constant", f"{side} in {k}", one)
    for k in range(16):
        one = draw.uniform(low, high) if isinstance(layout, Vector) else draw.integers(low, high, endpoint=True)
        add("constant", f"random {k}", one)
    return found


def _features(card: EnvCard, world: World, draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of an observation that differ in random play, and a cut for each between its quartiles."""
    batch = Batch(world, _LOOK, horizon=card.horizon or 0)
    batch.seed(range(_LOOK))
    output = batch.reset()
    policy = RandomPolicy(world.action, lead_shape(world, _LOOK), world.observation)
    policy.reset(np.ones(_LOOK, np.bool_), np.arange(_LOOK))
    check, kept = ActionChecker(world.action, lead_shape(world, _LOOK)), []
    for _ in range(min(card.horizon or 50, 50)):
        kept.append(output.observations.reshape(*lead_shape(world, _LOOK), -1).copy())
        output = batch.step(check(policy.act(output.observations, batch.states)), batch.done)
    seen = np.concatenate(kept).reshape(-1, kept[0].shape[-1]).astype(np.float64)
    spread = np.flatnonzero(seen.std(axis=0) > 0)
    chosen = draw.permutation(spread)[:200]
    cuts = np.array([np.quantile(seen[:, k], draw.uniform(0.25, 0.75)) for k in chosen])
    return chosen, cuts


def share(card: EnvCard, score: Score) -> float:
    """Where a score lies on the scale of a card, which has one.

    Args:
        card: the environment.
        score: on it.
    """
    zero, one = card.scale or (score, score)
    return (score.mean - zero.mean) / (one.mean - zero.mean)


def simple_scores(card: EnvCard, episodes: int = 200) -> Simple:
    """Play all, and the best few of each kind again on the seeds of the anchors.

    Args:
        card: the environment, with both anchors.
        episodes: of the second time.

    Raises:
        ValueError: the card states no anchors.
    """
    if card.scale is None:
        raise ValueError(f"{card.id} states no anchors, expected both")
    players = simple_players(card)
    screened = [one.mean for one in _play(card, players, _FEW if card.engine else _SCREENED, 0)]
    scores: dict[str, Score] = {}
    for kind in ("nothing", "constant", "blind", "rule"):
        ranked = sorted((k for k, one in enumerate(players) if one.kind == kind), key=lambda k: -screened[k])[:_BEST]
        if ranked:
            again = _play(card, [players[k] for k in ranked], episodes, EVALUATION_SEED)
            scores[kind] = max(again, key=lambda one: one.mean)
    return Simple(scores, len(players))


def _play(card: EnvCard, players: list[Player], episodes: int, first_seed: int) -> list[Score]:
    """What each player scores."""
    seeds = np.tile(np.arange(first_seed, first_seed + episodes), len(players))
    played = play(
        card, lambda world, slots: _Table(world, slots, players), len(seeds), seeds=seeds.tolist(), slots=len(seeds)
    )
    returns = weighted(played.returns, card.weights).reshape(len(players), episodes)
    errors = returns.std(axis=1, ddof=1) / np.sqrt(episodes)
    return [
        Score(float(mean), float(error), episodes, one.name)
        for one, mean, error in zip(players, returns.mean(axis=1), errors, strict=True)
    ]

"""A player that has searched for what to build, in copies of the state.

Beam search (Lowerre 1976) over build orders: a plan is a list of investments; it is followed as gold allows, with the
tactics of S3, which also goes on after its end. Each plan is judged by whole games from snapshots of the start, with
luck of their own, so that the result does not know the luck of the games it will play.
"""

import numpy as np

from envsuite.core.clock import tick
from envsuite.core.jit import kernel, records
from envsuite.core.rng import seed_key
from envsuite.core.world import allocate
from envsuite.tower_defense.experts.plans import PATTERN, choose
from envsuite.tower_defense.experts.scripted import Scripted
from envsuite.tower_defense.kernel.loops import begin, decide
from envsuite.tower_defense.params import TOP_LEVEL, TOWERS, UPGRADE

Plan = tuple[tuple[int, int], ...]
"""Investments in order: command and site."""

_STYLE = 3
_LIMIT = 1500  # decisions of a game, at most


@kernel
def play_plans(copies, params, plans, lengths, pattern, exact, scores):
    """Play each copy of the start to its end by its plan; lives left, and a little for how late they were lost."""
    for i in range(copies.shape[0]):
        s = copies[i]
        p = params[s.level]
        lost = np.int64(0)
        for step in range(_LIMIT):
            kind, site, x, y = choose(s, p, _STYLE, pattern, plans[i, : lengths[i]], exact)
            tick(s.clock)
            before = s.life
            decide(s, p, kind, site, x, y)
            lost += np.int64(before - s.life) * step
            if s.outcome != 0:
                break
        scores[i] = s.life + 1e-5 * lost + 1e-4 * s.kills


class Beam:
    """Beam search over build orders.

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkWorld` with one level.
        width: plans kept at each depth.
        lucks: games by which a plan is judged.
        depth: investments of the longest plan.
        seed: of the luck of these games.
    """

    def __init__(self, world, *, width: int = 6, lucks: int = 8, depth: int = 14, seed: int = 0):
        self._params = records(world.params)
        self._exact = world.actions != "site"
        self._width, self._depth = width, depth
        self._starts = allocate(world, lucks)
        self._fresh(seed)

    def _fresh(self, seed: int) -> None:
        """Begin the games anew, each with luck of its own."""
        for k in range(len(self._starts)):
            self._starts[k]["rng"]["key"] = seed_key(seed + k)
            begin(self._starts[k], self._params)

    def scores(self, plans: list[Plan]) -> np.ndarray:
        """Mean score of plans over the same games, float64 (plans,)."""
        lucks, longest = len(self._starts), max(1, *map(len, plans))
        table = np.zeros((len(plans), longest, 2), np.int64)
        for k, plan in enumerate(plans):
            table[k, : len(plan)] = np.array(plan, np.int64).reshape(-1, 2)
        lengths = np.repeat([len(plan) for plan in plans], lucks)
        copies = records(np.tile(np.asarray(self._starts), len(plans)))
        found = np.empty(len(copies))
        play_plans(copies, self._params, np.repeat(table, lucks, axis=0), lengths, PATTERN, self._exact, found)
        return found.reshape(len(plans), lucks).mean(axis=1)

    def search(self) -> np.ndarray:
        """The best plan found, int64 (n, 2): command and site; empty where nothing was better than S3."""
        p = self._params[0]
        sites = [int(k) for k in np.asarray(p["order"])[: int(p["useful"])]]
        beam: list[Plan] = [()]
        kept: dict[Plan, float] = {(): float(self.scores([()])[0])}
        for _ in range(self._depth):
            grown: list[Plan] = [(*plan, step) for plan in beam for step in _steps(plan, sites)]
            if not grown:
                break
            scores = self.scores(grown)
            beam = [grown[k] for k in np.argsort(-scores, kind="stable")[: self._width]]
            kept |= {grown[k]: float(scores[k]) for k in np.argsort(-scores, kind="stable")[: self._width]}
        # the best of many noisy scores is too good: judge the finalists again, by other games
        finalists = sorted(kept, key=kept.__getitem__, reverse=True)[: 2 * self._width]
        finalists = [(), *[plan for plan in finalists if plan]]
        total = np.zeros(len(finalists))
        for seed in range(1, 5):
            self._fresh(10_000 * seed)
            total += self.scores(finalists)
        return np.array(finalists[int(total.argmax())], np.int64).reshape(-1, 2)


def _steps(plan: Plan, sites: list[int]) -> list[tuple[int, int]]:
    """Investments that may follow a plan."""
    level: dict[int, int] = {}
    for _, site in plan:
        level[site] = level.get(site, -1) + 1
    builds = [(kind, site) for site in sites if site not in level for kind in range(TOWERS)]
    return builds + [(UPGRADE, site) for site, reached in level.items() if reached < TOP_LEVEL]


class Searched(Scripted):
    """Plays S3's tactics by a plan that beam search finds when the player is made (some ten seconds a level).

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkWorld` with one level.
        **settings: of `Beam`.

    Raises:
        ValueError: the world has several levels.
    """

    def __init__(self, world, **settings):
        if len(world.levels) > 1:
            raise ValueError(f"the world has {len(world.levels)} levels, expected one to search a plan for")
        super().__init__(world, "S3", plan=Beam(world, **settings).search())

    @property
    def plan(self) -> np.ndarray:
        """The plan, int64 (n, 2): command and site."""
        return self._plan

"""The rules of item gathering on one record, the batch loops, and the world."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, cut, kernel, rng
from envsuite.momarl.item_gathering.params import DRAWN, LAYOUTS, MAPS, MOST_KINDS, ROUNDS, SHUFFLED, Params, read_map
from envsuite.momarl.item_gathering.state import ACTION, Info, State, observation_layout
from envsuite.momarl.world import named


@kernel
def reset(s, p):
    """Lay out items and agents."""
    height, width = s.items.shape
    s.left = 0
    for i in range(height):
        s.rows[i] = i
    for j in range(width):
        s.columns[j] = j
    if p.layout == SHUFFLED:  # rows and columns of the interior, two away from the edge
        rng.shuffle(s.rng, rng.RESET, s.rows[2 : height - 2])
        rng.shuffle(s.rng, rng.RESET, s.columns[2 : width - 2])
    for i in range(height):
        for j in range(width):
            s.items[i, j] = p.items[s.rows[i], s.columns[j]]
            s.left += np.int32(s.items[i, j] != 0)
    for n in range(len(s.place)):
        s.place[n, 0], s.place[n, 1] = p.starts[n, 0], p.starts[n, 1]
        for k in range(p.kinds):
            s.gathered[n, k] = 0
    if p.layout == DRAWN:
        draw_places(s, p)


@kernel
def draw_places(s, p):
    """Put the map's items anywhere in the interior, and the agents anywhere that nobody and nothing is."""
    height, width = s.items.shape
    for i in range(height):
        for j in range(width):
            s.items[i, j] = 0
    for i in range(height):
        for j in range(width):
            kind = p.items[i, j]
            while kind != 0:
                row = 2 + rng.integers(s.rng, rng.RESET, height - 4)
                column = 2 + rng.integers(s.rng, rng.RESET, width - 4)
                if s.items[row, column] == 0:
                    s.items[row, column] = kind
                    kind = np.int8(0)
    for n in range(len(s.place)):
        free = False
        while not free:
            row = rng.integers(s.rng, rng.RESET, height)
            column = rng.integers(s.rng, rng.RESET, width)
            free = s.items[row, column] == 0
            for m in range(n):
                free = free and not (s.place[m, 0] == row and s.place[m, 1] == column)
            s.place[n, 0], s.place[n, 1] = row, column


@kernel
def go_back(s, n):
    """An agent returns to where it was."""
    s.target[n, 0], s.target[n, 1] = s.place[n, 0], s.place[n, 1]


@kernel
def settle(s):
    """Of two agents with one target, one goes back, by chance, until all targets differ; swapping is allowed."""
    count = len(s.place)
    for _ in range(ROUNDS * count):
        clash = False
        for n in range(count):
            for m in range(n + 1, count):
                if not clash and s.target[n, 0] == s.target[m, 0] and s.target[n, 1] == s.target[m, 1]:
                    clash = True
                    moved_n = s.target[n, 0] != s.place[n, 0] or s.target[n, 1] != s.place[n, 1]
                    moved_m = s.target[m, 0] != s.place[m, 0] or s.target[m, 1] != s.place[m, 1]
                    if moved_n and moved_m:
                        go_back(s, n if rng.integers(s.rng, rng.DYNAMICS, 2) == 0 else m)
                    else:  # one of them has not moved
                        go_back(s, n if moved_n else m)
        if not clash:
            return
    for n in range(count):
        go_back(s, n)


@kernel
def step(s, p, actions, rewards):
    """Move all agents at once, then pick up; whether nothing is left."""
    height, width = s.items.shape
    for n in range(len(s.place)):
        action = actions[n]
        row = np.int64(s.place[n, 0]) + (1 if action == 2 else 0) - (1 if action == 1 else 0)
        column = np.int64(s.place[n, 1]) + (1 if action == 4 else 0) - (1 if action == 3 else 0)
        s.target[n, 0] = min(max(row, 0), height - 1)
        s.target[n, 1] = min(max(column, 0), width - 1)
    settle(s)
    for n in range(len(s.place)):
        s.place[n, 0], s.place[n, 1] = s.target[n, 0], s.target[n, 1]
        kind = s.items[s.place[n, 0], s.place[n, 1]]
        if kind > 0:
            sure = p.pick[kind - 1] >= 1.0
            if sure or rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.pick[kind - 1]:
                s.items[s.place[n, 0], s.place[n, 1]] = 0
                s.left -= 1
                s.gathered[n, kind - 1] += 1
                for m in range(len(s.place)):
                    if m == n or p.team:
                        rewards[m, kind - 1] += 1.0
    if s.clock.step >= p.steps:
        cut(s.clock)
    return s.left == 0


@kernel
def observe(s, p, o, info):
    """Write what each agent sees, and its metrics."""
    height, width = s.items.shape
    for n in range(len(s.place)):
        total = 0
        o[n].me = -n - 1
        for i in range(height):
            for j in range(width):
                o[n].map[i * width + j] = s.items[i, j]
        for m in range(len(s.place)):
            o[n].map[np.int64(s.place[m, 0]) * width + np.int64(s.place[m, 1])] = -m - 1
        for k in range(p.kinds):
            total += s.gathered[n, k]
        info[n].gathered, info[n].left = total, s.left


class ItemGatheringWorld(World):
    """Agents on a grid walk over items and thereby pick them up; each kind of item is an objective.

    Args:
        num_timesteps: after which an episode is cut off.
        initial_map: ``"default"``, ``"two kinds"`` (four and six items) or ``"four kinds"`` (three, four, two, one); or
            rows of numbers: 0 nothing, 1 an agent, larger numbers kinds of items; up to 32 x 32.
        layout: ``"fixed"``: the map; ``"shuffled"``: its rows and columns two away from the edge in random order;
            ``"drawn"``: its items anywhere two away from the edge, its agents anywhere.
        reward_mode: ``"individual"``: what one picks up; ``"team"``: what all pick up.
        pickup_probabilities: for each kind, the chance to pick up an item that one stands on; None is 1.

    Raises:
        ValueError: a map that cannot be played, or probabilities out of range.
    """

    info_dtype = Info.dtype(np.float32)
    action = ACTION
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        num_timesteps: Annotated[int, Between(1, 10**6)] = 10,
        initial_map: str | Sequence[Sequence[int]] = "default",
        layout: Literal["fixed", "shuffled", "drawn"] = "fixed",
        reward_mode: Literal["individual", "team"] = "individual",
        pickup_probabilities: Sequence[float] | None = None,
    ):
        if isinstance(initial_map, str):
            if initial_map not in MAPS:
                raise ValueError(f"initial_map is {initial_map!r}, expected one of {', '.join(map(repr, MAPS))}")
            initial_map = MAPS[initial_map]
        items, starts = read_map(initial_map)
        height, width = items.shape
        kinds, count, team = int(items.max()), len(starts), reward_mode == "team"
        if layout == "drawn":
            room, needed = (height - 4) * (width - 4), int((items > 0).sum())
            if min(height, width) < 5 or room < needed or height * width < needed + count:
                raise ValueError(f"{needed} items do not fit into the interior of a map of {height} by {width}")
        picks = np.ones(kinds) if pickup_probabilities is None else np.asarray(pickup_probabilities, np.float64)
        if picks.shape != (kinds,) or not ((picks >= 0) & (picks <= 1)).all():
            raise ValueError(
                f"pickup_probabilities are {pickup_probabilities!r}, expected {kinds} numbers from 0 to 1, one a kind"
            )
        self.params = Params.make(
            sizes={"height": height, "width": width, "agents": count},
            items=items,
            starts=starts,
            pick=np.pad(picks, (0, MOST_KINDS - kinds)),
            kinds=kinds,
            layout=LAYOUTS.index(layout),
            team=team,
            steps=num_timesteps,
        )
        self.agents = named("agent", count)
        names = tuple(f"item_{k + 1}" for k in range(kinds))
        self.reward = Reward(names, np.zeros(kinds), np.full(kinds, float(count if team else 1)))
        self.state_dtype = State.dtype(height=height, width=width, agents=count)
        self.observation = observation_layout(height, width, count, kinds)

    def known_front(self, num_timesteps: int | None = None) -> np.ndarray:
        """The exact Pareto front of the items that all gather together, undiscounted; see `experts.known_front`.

        Args:
            num_timesteps: length of the episode; the world's own by default.
        """
        from envsuite.momarl.item_gathering.experts import known_front

        return known_front(self, num_timesteps)

"""Crafter: reset and step on one record, and the worlds of one player and of several."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import Between, Choice, Reward, World, batch_loops, kernel
from envsuite.crafting.crafter import observe, player
from envsuite.crafting.crafter.beings import act_all
from envsuite.crafting.crafter.chunks import balance, daylight
from envsuite.crafting.crafter.classic import rules as classic
from envsuite.crafting.crafter.classic.worlds import Noise
from envsuite.crafting.crafter.config import make_params, size_of
from envsuite.crafting.crafter.generation import draw_world
from envsuite.crafting.crafter.params import CLASSIC
from envsuite.crafting.crafter.state import CAPACITY, Info, State, chunk_numbers, observation_layout
from envsuite.crafting.crafter.survival import check_worlds
from envsuite.crafting.crafter.table import clear, close_ranks, enliven
from envsuite.crafting.crafter.things import ACHIEVEMENTS, ACTIONS, CHUNK, HEALTH, MOST, PERIOD

PLACES_X, PLACES_Y = (0, 1, -1, 0, 0, 1, -1, 1, -1), (0, 0, 0, 1, -1, 1, 1, -1, -1)
"""Where players begin, from the middle of the world."""
MOST_AGENTS = len(PLACES_X) - 1


@kernel
def reset(s, p):
    """Draw a world around the players."""
    width, height = s.terrain.shape
    clear(s)
    for k in range(s.players.shape[0]):
        player.begin(s, p, k, width // 2 + PLACES_X[k], height // 2 + PLACES_Y[k])
        s.terminated[k] = s.truncated[k] = 0
    draw_world(s, p)
    if not p.original:  # there, creatures only come and go in chunks where something has been
        for x in range(0, width, CHUNK):
            for y in range(0, height, CHUNK):
                enliven(s, x, y)
    s.daylight = daylight(p, 0)


@kernel
def others(s, p, count):
    """What happens in a step when the players have acted; of things, those act that were there before."""
    if act_all(s, p, count):
        close_ranks(s)
    if s.clock.step % PERIOD == 0:
        balance(s, p)


@kernel
def step(s, p, action):
    """One step of a player alone; its reward and whether it died."""
    s.daylight = daylight(p, s.clock.step)
    count = s.count
    player.act(s, p, 0, action)
    others(s, p, count)
    me = s.players[0]
    return player.reward(me, p), me.inventory[HEALTH] <= 0


@kernel
def step_together(s, p, actions, rewards):
    """One step of several players, in their order; who dies leaves the world."""
    s.daylight = daylight(p, s.clock.step)
    agents, count = s.players.shape[0], s.count
    for k in range(agents):
        if s.players[k].alive:
            player.act(s, p, k, actions[k])
    others(s, p, count)
    for k in range(agents):
        if s.players[k].alive:
            rewards[k] = player.reward(s.players[k], p)
    if p.shared:
        _share(s, rewards)
    for k in range(agents):
        me = s.players[k]
        if me.alive and me.inventory[HEALTH] <= 0:
            me.alive, s.terminated[k] = 0, 1
            s.beings[me.x, me.y] = 0


@kernel
def _share(s, rewards):
    """Pay all who lived until now alike; the sum stays the same."""
    living, total = 0, 0.0
    for k in range(s.players.shape[0]):
        living += s.players[k].alive
        total += rewards[k]
    for k in range(s.players.shape[0]):
        if s.players[k].alive:
            rewards[k] = total / living


@kernel
def measure(s, info):
    """Write the metrics."""
    observe.measure_player(s, 0, info)


@kernel
def measure_all(s, info):
    """Write the metrics of all players."""
    for k in range(s.players.shape[0]):
        observe.measure_player(s, k, info[k])


@kernel
def see_ids(s, p, o):
    """Write kinds in view."""
    observe.see(s, p, 0, o)


@kernel
def see_whole(s, p, o):
    """Write kinds in view, and the world."""
    observe.see_all(s, p, 0, o)


@kernel
def see_symbolic(s, p, o):
    """Write zeros and ones."""
    observe.see_symbols(s, p, 0, o)


@kernel
def all_see_ids(s, p, o):
    """Write kinds in view of all players."""
    for k in range(s.players.shape[0]):
        observe.see(s, p, k, o[k])


@kernel
def all_see_whole(s, p, o):
    """Write kinds in view of all players, and the world."""
    for k in range(s.players.shape[0]):
        observe.see_all(s, p, k, o[k])


@kernel
def all_see_symbolic(s, p, o):
    """Write zeros and ones for all players."""
    for k in range(s.players.shape[0]):
        observe.see_symbols(s, p, k, o[k])


Observed = Literal["ids", "whole", "symbolic"]
Rules = Literal["crafter", "craftax-classic"]

_ALONE = {
    "ids": batch_loops(reset, step, see_ids, measure),
    "whole": batch_loops(reset, step, see_whole, measure),
    "symbolic": batch_loops(reset, step, see_symbolic, measure),
}
_CLASSIC = {
    name: batch_loops(classic.reset, classic.step, look, measure, work=Noise.dtype())
    for name, look in (("ids", see_ids), ("whole", see_whole), ("symbolic", see_symbolic))
}
_TOGETHER = {
    "ids": batch_loops(reset, step_together, all_see_ids, measure_all, ends="apart"),
    "whole": batch_loops(reset, step_together, all_see_whole, measure_all, ends="apart"),
    "symbolic": batch_loops(reset, step_together, all_see_symbolic, measure_all, ends="apart"),
}


class CrafterWorld(World):
    """Gather, build, make tools, eat, drink and sleep in a world that is new in every episode.

    Args:
        observed: ``"ids"``: kinds of the 9 x 7 cells in view, the inventory, and what else pictures show;
            ``"whole"``: also all cells of the world, and one's place; ``"symbolic"``: zeros and ones, (1345,) as in
            Craftax-Classic.
        config: constants by group, where they differ from the original's; see
            `envsuite.crafting.crafter.config.schema`.
        rules: ``"crafter"``, or ``"craftax-classic"``: its recipes and plants.
        compat: ``"crafter-1.8.3"``: with the defects of that package, which the README lists;
            ``"craftax-1.6.1"``: also the worlds, the creatures and the order of a step are Craftax-Classic's, whose
            rules have to be asked for.

    Raises:
        ValueError: a configuration with an unknown key or a value out of range, or one that
            `envsuite.crafting.crafter.survival.check_worlds` refuses.
    """

    action = Choice(ACTIONS)
    info_dtype = Info.dtype()
    reward = Reward(low=np.array(-0.1 * MOST), high=np.array(len(ACHIEVEMENTS) + 0.1 * MOST))

    def __init__(
        self,
        *,
        observed: Observed = "ids",
        config: Mapping[str, Any] | None = None,
        rules: Rules = "crafter",
        compat: Literal["crafter-1.8.3", "craftax-1.6.1"] | None = None,
    ):
        if compat == "craftax-1.6.1" and rules != "craftax-classic":
            raise ValueError(f"rules are {rules!r}, expected 'craftax-classic' with compat {compat!r}")
        self._build(observed, config, rules, compat, 1)

    def _build(
        self, observed: Observed, config: Mapping[str, Any] | None, rules: Rules, compat: str | None, agents: int
    ) -> None:
        self.observed = observed
        given = {} if config is None else config
        behind = CLASSIC if rules == "craftax-classic" else {}
        self.params = make_params(given, behind, compat == "crafter-1.8.3")
        if compat == "craftax-1.6.1" and (fixed := sorted({"world", "terrain", "creatures"} & set(given))):
            raise ValueError(f"config has {fixed[0]!r}, which compat {compat!r} does not let change")
        width, height = size_of(given)
        self.config = dict(given)
        self._compat = compat
        self.state_dtype = State.dtype(
            agents=agents, width=width, height=height, capacity=CAPACITY, chunks=chunk_numbers(width, height)
        )
        self.observation = observation_layout(observed, width, height)
        if self.config:
            check_worlds(self)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those that write what is observed."""
        if self._compat == "craftax-1.6.1":
            return _CLASSIC[self.observed]
        return (_TOGETHER if self.agents else _ALONE)[self.observed]


class CrafterCoopWorld(CrafterWorld):
    """Several players in one world of Crafter, each with its own body, inventory, achievements and reward.

    Args:
        agents: players.
        observed: see `CrafterWorld`.
        config: see `CrafterWorld`.
        rules: see `CrafterWorld`.
        shared: whether all players who live are paid alike, an equal share of what they earn in a step.

    Raises:
        ValueError: as `CrafterWorld`.
    """

    def __init__(
        self,
        *,
        agents: Annotated[int, Between(2, MOST_AGENTS)] = 2,
        observed: Observed = "ids",
        config: Mapping[str, Any] | None = None,
        rules: Rules = "crafter",
        shared: bool = False,
    ):
        self.agents = tuple(f"player_{k}" for k in range(agents))
        self._build(observed, config, rules, None, agents)
        self.params["shared"] = shared

"""The rules of route choice on one record, the batch loops, and the world."""

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, kernel, rng
from envsuite.momarl.route_choice.network import Network
from envsuite.momarl.route_choice.params import Params
from envsuite.momarl.route_choice.roads import DRIVERS, named_network
from envsuite.momarl.route_choice.state import Info, MaskedInfo, State, WideState, action_layout, observation_layout
from envsuite.momarl.world import named


@kernel
def latency(p, link, drivers):
    """Minutes on a link."""
    f = np.float64(drivers)
    return p.free[link] + f * (p.slope[link] + f * f * f * p.quartic[link])


@kernel
def toll(s, p, link, drivers):
    """Toll of a link: what one driver's presence costs the others there, or as much as the link's latency."""
    if s.tolled[link] == 0:
        return 0.0
    f = np.float64(drivers)
    if p.toll_all:
        return f * (p.slope[link] + 4.0 * f * f * f * p.quartic[link])
    return latency(p, link, drivers)


@kernel
def drawn_pair(p, draw):
    """The pair whose share of the demand holds a number in [0, 1)."""
    low, high = 0, len(p.edges) - 1
    while low < high:
        middle = (low + high) // 2
        if draw < p.edges[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def reset(s, p):
    """Draw each driver's origin and destination, and the tolled links where tolls are random."""
    if len(p.first) > 1:
        for i in range(0, len(s.pair), 4):
            u = rng.uniform4(s.rng, rng.RESET, 0.0, 1.0)
            for j in range(i, min(i + 4, len(s.pair))):
                draw = u[0] if j == i else (u[1] if j == i + 1 else (u[2] if j == i + 2 else u[3]))
                s.pair[j] = drawn_pair(p, draw)
    s.costliest = 0.0
    for k in range(len(s.flow)):
        s.flow[k] = 0
        s.tolled[k] = 1
        if not p.toll_all:
            s.tolled[k] = rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < p.toll_share
        s.costliest = max(s.costliest, toll(s, p, k, len(s.pair)))
    if p.dearest > 0.0:
        s.costliest = p.dearest


@kernel
def taken(s, p, i, action):
    """A driver's route; numbers beyond its own are the last."""
    pair = s.pair[i]
    return p.first[pair] + min(action, np.int64(p.choices[pair]) - 1)


@kernel
def count(s, p, actions):
    """Drivers on each link, by way of those on each route."""
    drivers = len(s.pair)
    for route in range(len(p.length)):
        s.users[0, route], s.users[1, route] = 0, 0
    for i in range(0, drivers - 1, 2):  # two counts, since one would wait for itself from driver to driver
        s.users[0, taken(s, p, i, actions[i])] += 1
        s.users[1, taken(s, p, i + 1, actions[i + 1])] += 1
    if drivers % 2 == 1:
        s.users[0, taken(s, p, drivers - 1, actions[drivers - 1])] += 1
    for route in range(len(p.length)):
        users = s.users[0, route] + s.users[1, route]
        if users > 0:
            for k in range(p.length[route]):
                s.flow[p.route[route, k]] += users


@kernel
def settle(s, p):
    """What the users of each route are told; their mean travel time."""
    for link in range(len(s.flow)):
        s.delay[link, 0] = latency(p, link, s.flow[link])
        s.delay[link, 1] = toll(s, p, link, s.flow[link])
    time_scale = 1.0 / (p.longest * p.slowest)
    toll_scale = 1.0 / (p.longest * s.costliest) if s.costliest > 0.0 else 0.0
    total = 0.0
    for route in range(len(p.length)):
        users, minutes, cost = s.users[0, route] + s.users[1, route], 0.0, 0.0
        if users > 0:
            for k in range(p.length[route]):
                minutes += s.delay[p.route[route, k], 0]
                cost += s.delay[p.route[route, k], 1]
            total += users * minutes
        told = s.told[route]
        told.rewards[0], told.rewards[1] = -minutes * time_scale, -cost * toll_scale
        told.latency, told.cost = minutes, cost
    return total / np.float64(len(s.pair))


@kernel
def step(s, p, actions, rewards, info):
    """All drivers take their routes at once."""
    for link in range(len(s.flow)):
        s.flow[link] = 0
    count(s, p, actions)
    mean = np.float32(settle(s, p))
    for i in range(len(s.pair)):
        told = s.told[taken(s, p, i, actions[i])]
        rewards[i, 0], rewards[i, 1] = told.rewards[0], told.rewards[1]
        info[i].latency, info[i].cost, info[i].avg_tt = told.latency, told.cost, mean
    return True


@kernel
def observe(s, p, o):
    """Write what each driver knows."""
    for i in range(len(s.pair)):
        o[i].pair, o[i].routes = s.pair[i], p.choices[s.pair[i]]


@kernel
def observe_masked(s, p, o, info):
    """The same, and the masks, where pairs have unequal numbers of routes."""
    observe(s, p, o)
    for i in range(len(s.pair)):
        for j in range(len(info[i].action_mask)):
            allowed = j < p.choices[s.pair[i]]
            o[i].action_mask[j], info[i].action_mask[j] = allowed, allowed


@kernel
def nothing(info):
    """Metrics before anybody has chosen."""
    for i in range(len(info)):
        info[i].latency, info[i].cost, info[i].avg_tt = 0.0, 0.0, 0.0


PLAIN = batch_loops(reset, step, observe, open_info=nothing)
MASKED = batch_loops(reset, step, observe_masked, open_info=nothing)


class RouteChoiceWorld(World):
    """Drivers choose, all at once, a route each; the more drivers on a link, the slower and the dearer it is.

    Args:
        problem: ``"Braess_1"`` to ``"Braess_7"``, ``"BBraess_1"`` (3, 5, 7), ``"OW"``, ``"SF"``, or a
            `route_choice.network.Network`.
        num_agents: drivers; the Braess graphs and Sioux Falls are scaled to their number.
        toll_mode: ``"mct"``: marginal-cost tolls on all links; ``"random"``: tolls as high as the latency on links
            drawn anew for every episode.
        random_toll_percentage: probability of a link to be tolled, for ``"random"``.

    Raises:
        ValueError: the problem is unknown, or does not suit the number of drivers.
    """

    reward = Reward(("time", "toll"), -np.ones(2), np.zeros(2))

    def __init__(
        self,
        *,
        problem: str | Network = "Braess_1",
        num_agents: Annotated[int, Between(2, 20_000)] = DRIVERS,
        toll_mode: Literal["mct", "random"] = "mct",
        random_toll_percentage: Annotated[float, Between(0, 1)] = 0.1,
    ):
        net = named_network(problem, num_agents) if isinstance(problem, str) else problem
        self.network = net
        routes = [route for pair in net.demand for route in net.routes[pair]]
        choices = [len(net.routes[pair]) for pair in net.demand]
        longest, self._uneven = max(map(len, routes)), min(choices) != max(choices)
        links, pairs, demand = len(net.links), len(net.demand), list(net.demand.values())
        edges = np.cumsum(demand)
        edges[np.flatnonzero(demand)[-1] :] = 1.0
        slowest = max(link.free + link.slope * num_agents + link.quartic * num_agents**4 for link in net.links)
        self.params = Params.make(
            sizes={"links": links, "routes": len(routes), "pairs": pairs, "longest": longest},
            free=[link.free for link in net.links],
            slope=[link.slope for link in net.links],
            quartic=[link.quartic for link in net.links],
            route=[[*route, *[-1] * (longest - len(route))] for route in routes],
            length=[len(route) for route in routes],
            first=np.cumsum([0, *choices[:-1]]),
            choices=choices,
            edges=edges,
            toll_all=toll_mode == "mct",
            toll_share=random_toll_percentage,
            slowest=net.unit or slowest,
            dearest=net.unit,
            longest=longest,
        )
        if net.unit:  # with everybody on the worst link, over and over
            self.reward = replace(self.reward, low=-np.array([1.0, 4.0]) * slowest / net.unit)
        self.agents = named("driver", num_agents)
        state = State if pairs <= 256 else WideState
        self.state_dtype = state.dtype(drivers=num_agents, links=links, routes=len(routes))
        most = max(choices)
        self.info_dtype = MaskedInfo.dtype(np.float32, choices=most) if self._uneven else Info.dtype(np.float32)
        self.observation = observation_layout(pairs, most, self._uneven)
        self.action = action_layout(most)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """With masks where pairs have unequal numbers of routes."""
        return MASKED if self._uneven else PLAIN

    def known_equilibrium(self) -> np.ndarray:
        """Drivers on each route, pair by pair, in an equilibrium of travel times; see `experts.assign`."""
        from envsuite.momarl.route_choice.experts import assign

        return assign(self, (1.0, 0.0), selfish=True)

    def system_optimum(self) -> np.ndarray:
        """Drivers on each route, pair by pair, for the least mean travel time; see `experts.assign`."""
        from envsuite.momarl.route_choice.experts import assign

        return assign(self, (1.0, 0.0), selfish=False)

    def known_front(self, weights: int = 101) -> np.ndarray:
        """Mean reward vectors that are best for some weighting, (points, 2); see `experts.known_front`."""
        from envsuite.momarl.route_choice.experts import known_front

        return known_front(self, weights)

"""Route choice against closed forms of Braess's graphs, published values, and a plain reference."""

import numpy as np
import pytest

from envsuite.momarl.route_choice.experts import mean_vector
from envsuite.momarl.route_choice.kernel import RouteChoiceWorld
from envsuite.momarl.route_choice.network import Link, Network, named_network

from .common import begun, played


@pytest.mark.parametrize("order", [1, 2, 3, 7])
def test_braess_graphs_have_their_equilibrium_and_optimum(order):
    world = RouteChoiceWorld(problem=f"Braess_{order}")
    p = world.params[0]
    assert (len(p["free"]), len(p["length"])) == (4 * order + 1, 2 * order + 1)
    assert p["slowest"] == pytest.approx(10 * order**2)
    equal = mean_vector(world, world.known_equilibrium())[1]
    assert equal == pytest.approx(10 * (order + 1), rel=2e-3)  # whole drivers: up to one a route stays away
    best = mean_vector(world, world.system_optimum())[1]
    assert best == pytest.approx(10 + 10 * order**2 / (order + 1), rel=1e-9)


def test_reward_vectors_of_the_first_braess_graph():
    world = RouteChoiceWorld()
    np.testing.assert_allclose(mean_vector(world, np.array([0, 2100, 2100]))[0], (-1 / 2, -1 / 6), rtol=1e-12)
    np.testing.assert_allclose(mean_vector(world, np.array([4200, 0, 0]))[0], (-2 / 3, -2 / 3), rtol=1e-12)
    batch = begun(world)
    output = played(batch, np.zeros(4200, np.int64))
    np.testing.assert_allclose(output.rewards[0], np.full((4200, 2), -2 / 3), rtol=1e-6)
    assert output.info[0, 7]["latency"] == output.info[0, 7]["avg_tt"] == 20.0
    assert output.info[0, 7]["cost"] == 20.0


def test_network_of_ortuzar_and_willumsen():
    world = RouteChoiceWorld(problem="OW", num_agents=1700)
    assert (len(world.params[0]["free"]), len(world.params[0]["length"])) == (48, 64)
    assert mean_vector(world, world.known_equilibrium())[1] == pytest.approx(67.157, rel=1e-4)
    assert mean_vector(world, world.system_optimum())[1] == pytest.approx(66.921, rel=1e-5)


def test_nobody_gains_by_leaving_the_equilibrium():
    world = RouteChoiceWorld(problem="OW", num_agents=170)
    net, count = world.network, world.known_equilibrium()
    routes = [route for pair in net.demand for route in net.routes[pair]]

    def minutes(route, flow):
        return sum(net.links[e].free + net.links[e].slope * flow[e] for e in route)

    flow = np.zeros(48)
    for route, drivers in zip(routes, count, strict=True):
        flow[list(route)] += drivers
    for a in np.flatnonzero(count):
        for b in range(16 * (a // 16), 16 * (a // 16) + 16):
            moved = flow.copy()
            moved[list(routes[a])] -= 1
            moved[list(routes[b])] += 1
            assert minutes(routes[a], flow) <= minutes(routes[b], moved) + 1e-6


def test_follows_a_plain_reference():
    world = RouteChoiceWorld(problem="OW", num_agents=60, toll_mode="random", random_toll_percentage=0.3)
    net, actions = world.network, np.random.default_rng(0).integers(0, 16, 60)
    batch = begun(world, seed=5)
    tolled, pairs = batch.states[0]["tolled"].copy(), batch.states[0]["pair"].copy()
    output = played(batch, actions)
    names = list(net.demand)
    chosen = [net.routes[names[pair]][action] for pair, action in zip(pairs, actions, strict=True)]
    flow = np.zeros(48)
    for route in chosen:
        flow[list(route)] += 1
    free, slope = (np.array([getattr(link, name) for link in net.links]) for name in ("free", "slope"))
    latency, whole = free + slope * flow, free + slope * 60
    longest = max(len(route) for routes in net.routes.values() for route in routes)
    for i, route in enumerate(chosen):
        time = latency[list(route)].sum() / whole.max() / longest
        toll = (latency * tolled)[list(route)].sum() / (whole * tolled).max() / longest
        np.testing.assert_allclose(output.rewards[0, i], (-time, -toll), rtol=1e-6)


def test_no_tolled_link_costs_nothing():
    output = played(begun(RouteChoiceWorld(num_agents=10, toll_mode="random", random_toll_percentage=0.0)), [0] * 10)
    assert (output.rewards[..., 1] == 0).all()
    assert (output.rewards[..., 0] < 0).all()


def test_demand_follows_its_shares():
    batch = begun(RouteChoiceWorld(problem="OW", num_agents=1700), 5)
    np.testing.assert_allclose(
        np.bincount(batch.states["pair"].reshape(-1)) / 8500, np.array([6, 4, 3, 4]) / 17, atol=0.02
    )


def test_refuses_broken_networks():
    with pytest.raises(ValueError, match="Braess_9"):
        named_network("Braess_9", 10)
    links = (Link("a", "b", 1.0), Link("c", "d", 1.0))
    with pytest.raises(ValueError, match="does not lead"):
        Network("broken", links, {("a", "d"): 1.0}, {("a", "d"): ((0, 1),)}, {})

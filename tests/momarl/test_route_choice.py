"""Route choice against closed forms of Braess's graphs, published values, and a plain reference."""

import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.language import Refusal
from envsuite.momarl.route_choice.experts import mean_vector
from envsuite.momarl.route_choice.kernel import RouteChoiceWorld
from envsuite.momarl.route_choice.network import Link, Network, shortest_routes
from envsuite.momarl.route_choice.roads import named_network, sioux_falls
from envsuite.momarl.route_choice.tntp import read_tntp

from ..batches import begun, played


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


def simple_routes(links, node, destination, limit, passed=()):
    """All simple routes of at most `limit` minutes, by depth-first search."""
    if node == destination:
        yield ()
        return
    for k, link in enumerate(links):
        if link.start == node and link.end not in passed and link.end != node and link.free <= limit + 1e-9:
            for rest in simple_routes(links, link.end, destination, limit - link.free, (*passed, node)):
                yield (k, *rest)


def minutes_of(net, route):
    return sum(net.links[k].free for k in route)


@pytest.mark.parametrize(("order", "counts"), [(1, (1, 2)), (3, (3, 7)), (5, (9, 20)), (7, (25, 54))])
def test_braess_graphs_of_two_pairs_have_all_simple_routes(order, counts):
    net = named_network(f"BBraess_{order}", 4200)
    assert (len(net.places), len(net.links)) == (2 * order + 6, 8 * (order + 1) // 2)
    for (origin, destination), count in zip(net.demand, counts, strict=True):
        routes = net.routes[origin, destination]
        assert len(routes) == count
        assert set(routes) == set(simple_routes(net.links, origin, destination, 1e9))


def test_the_shortest_routes_of_sioux_falls():
    net = sioux_falls()
    assert (len(net.places), len(net.links), len(net.demand)) == (24, 76, 552)
    assert sum(map(len, net.routes.values())) == 8832
    for pair in (("1", "2"), ("13", "8"), ("20", "3"), ("17", "10")):
        own = net.routes[pair]
        last = minutes_of(net, own[-1])
        every = sorted((minutes_of(net, route), route) for route in simple_routes(net.links, *pair, last))
        assert [route for _, route in every[:16]] == list(own)


def test_routes_do_not_pass_closed_nodes_and_may_be_few():
    links = [Link(*ends, 1.0) for ends in (("a", "b"), ("b", "c"), ("a", "d"), ("d", "c"), ("d", "b"), ("b", "d"))]
    assert set(shortest_routes(links, "a", "c", 16)) == {(0, 1), (2, 3), (0, 5, 3), (2, 4, 1)}
    assert shortest_routes(links, "a", "c", 16, closed=["b", "a"]) == ((2, 3),)
    assert shortest_routes(links, "c", "a", 16) == ()


def least_beckmann(world):
    """Mean minutes in the continuous user equilibrium of a small network, by another way: a constrained minimum."""
    p, drivers = world.params[0], len(world.agents)
    uses = np.zeros((len(p["length"]), len(p["free"])))
    for row, route in zip(uses, p["route"], strict=True):
        row[route[route >= 0]] = 1.0
    first, last = p["first"], p["first"] + p["choices"]

    def potential(shares):
        flow = drivers * (shares @ uses)
        return ((p["free"] + p["slope"] * flow / 2) @ flow) / drivers, uses @ (p["free"] + p["slope"] * flow)

    sums = [
        {"type": "eq", "fun": lambda x, a=a, b=b, own=own: x[a:b].sum() - own}
        for a, b, own in zip(first, last, np.diff([0, *p["edges"]]), strict=True)
    ]
    start = np.concatenate(
        [np.full(k, own / k) for k, own in zip(p["choices"], np.diff([0, *p["edges"]]), strict=True)]
    )
    found = minimize(potential, start, jac=True, bounds=[(0, 1)] * len(start), constraints=sums, method="SLSQP",
                     options={"maxiter": 500, "ftol": 1e-12}).x  # fmt: skip
    flow = drivers * (found @ uses)
    return (p["free"] + p["slope"] * flow) @ flow / drivers


@pytest.mark.parametrize("order", [1, 3, 5])
def test_equilibria_of_braess_graphs_of_two_pairs(order):
    world = RouteChoiceWorld(problem=f"BBraess_{order}")
    minutes = mean_vector(world, world.known_equilibrium())[1]
    assert minutes == pytest.approx(least_beckmann(world), rel=2e-3)
    assert mean_vector(world, world.system_optimum())[1] < minutes


def test_equilibrium_of_sioux_falls():
    """Best known values of Transportation Networks for Research, of flows over all routes."""
    world = RouteChoiceWorld(problem="SF", num_agents=18_030)  # 20 vehicles each
    p, count = world.params[0], world.known_equilibrium()
    assert mean_vector(world, count)[1] * 360_600 == pytest.approx(7_480_225, rel=5e-4)
    flow = np.zeros(76)
    np.add.at(flow, p["route"][p["route"] >= 0], np.repeat(count, p["length"]))
    beckmann = 20 * float(flow @ (p["free"] + flow**4 * p["quartic"] / 5))
    assert beckmann == pytest.approx(4_231_335.287, rel=5e-4)
    assert beckmann > 4_231_335.287
    assert mean_vector(world, world.system_optimum())[1] * 360_600 == pytest.approx(7_194_256, rel=2e-3)


def test_sioux_falls_follows_a_plain_reference():
    world = RouteChoiceWorld(problem="SF", num_agents=500)
    net, batch = world.network, begun(world, seed=3)
    names, pairs = list(net.demand), batch.states[0]["pair"].copy()
    actions = np.random.default_rng(0).integers(0, 16, 500)
    chosen = [net.routes[names[pair]][action] for pair, action in zip(pairs, actions, strict=True)]
    flow = np.zeros(76)
    for route in chosen:
        flow[list(route)] += 1
    free, quartic = (np.array([getattr(link, name) for link in net.links]) for name in ("free", "quartic"))
    output = played(batch, actions)
    for i, route in enumerate(chosen):
        on = list(route)
        times = (-(free + quartic * flow**4)[on].sum(), -(4 * quartic * flow**4)[on].sum())
        np.testing.assert_allclose(output.rewards[0, i], np.array(times) / (10.0 * 11), rtol=1e-5)
    assert (output.rewards >= world.reward.low).all()


def test_pairs_without_trips_are_not_drawn():
    batch = begun(RouteChoiceWorld(problem="SF", num_agents=500), 32)
    shares = np.array(list(batch.world.network.demand.values()))
    drawn = np.bincount(batch.states["pair"].reshape(-1), minlength=552)
    assert (shares == 0).sum() == 24
    assert drawn[shares == 0].sum() == 0
    np.testing.assert_allclose(drawn / drawn.sum(), shares, atol=0.004)


def test_drivers_of_uneven_pairs_have_masks():
    world = RouteChoiceWorld(problem="BBraess_3", num_agents=40)
    batch = Batch(world, 2, num_threads=1)
    batch.seed(range(2))
    output = batch.reset()
    own = np.array([3, 7])[batch.states["pair"]]
    np.testing.assert_array_equal(output.info["action_mask"].sum(-1), own)
    np.testing.assert_array_equal(output.observations[..., 2:], output.info["action_mask"])
    np.testing.assert_array_equal(output.observations[..., 1], own)
    few = int(np.argmin(own[0]))
    assert isinstance(companion(world, Words).parse("r3", batch.states[0], few), Refusal)
    assert companion(world, Words).parse("r2", batch.states[0], few) == 2
    beyond = batch.step(np.full((2, 40), 6)).rewards.copy()
    batch.seed(range(2))
    batch.reset()
    np.testing.assert_array_equal(batch.step(own - 1).rewards, beyond)  # what is beyond one's own routes is the last


@pytest.mark.parametrize(("problem", "drivers"), [("Braess_1", 4200), ("BBraess_3", 40), ("SF", 500)])
def test_dispatchers_beat_the_equilibrium(problem, drivers):
    world = RouteChoiceWorld(problem=problem, num_agents=drivers)
    batch = begun(world, 2)
    expert = companion(world, Players).expert()
    expert.reset(np.ones(2, bool), np.arange(2))
    actions = expert.act(batch.last.observations, batch.states)
    assert (actions < np.take(world.params[0]["choices"], batch.states["pair"])).all()
    total = batch.step(actions).rewards.mean(axis=1).sum(-1)
    assert (total >= mean_vector(world, world.known_equilibrium())[0].sum() - 0.01).all()


def as_tntp(net, folder):
    """A network's files."""
    rows = [
        f"{link.start} {link.end} {(0.15 * link.free / link.quartic) ** 0.25:.9f} 1 {link.free} 0.15 4 0 0 1 ;"
        for link in net.links
    ]
    (folder / "a_net.tntp").write_text(
        "<FIRST THRU NODE> 1\n<END OF METADATA>\n~ init term ;\n" + "\n".join(rows) + "\n"
    )
    text = ["<TOTAL OD FLOW> 360600.0", "<END OF METADATA>"]
    for origin in sorted({origin for origin, _ in net.demand}, key=int):
        text.append(f"Origin {origin}")
        text += [f"{end} : {360_600 * share:.1f};" for (start, end), share in net.demand.items() if start == origin]
    (folder / "a_trips.tntp").write_text("\n".join(text))
    return folder / "a_net.tntp", folder / "a_trips.tntp"


def test_reads_networks_and_trips(tmp_path):
    whole = sioux_falls(3606)
    read = read_tntp(*as_tntp(sioux_falls(), tmp_path), drivers=3606)
    for ours, theirs in zip(whole.links, read.links, strict=True):
        assert dataclasses.replace(theirs, quartic=0.0) == dataclasses.replace(ours, quartic=0.0)
        assert theirs.quartic == pytest.approx(ours.quartic, rel=1e-6)
    asked = {pair: share for pair, share in whole.demand.items() if share}
    assert read.demand == pytest.approx(asked)
    assert read.routes == {pair: whole.routes[pair] for pair in asked}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 2 100", "expected start"),
        ("1 2 100 1 1 0.15 5 ;", "power is 5"),
        ("1 2 0 1 1 0.15 4 ;", "positive capacity"),
    ],
)
def test_refuses_other_files(tmp_path, line, message):
    net, trips = as_tntp(sioux_falls(), tmp_path)
    net.write_text(net.read_text() + line + "\n")
    with pytest.raises(ValueError, match=message):
        read_tntp(net, trips, 100)

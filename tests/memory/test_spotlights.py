"""Searing Spotlights against the original, closed forms and its rules told once more here."""

import itertools
import sys

import numpy as np
import pytest

import envsuite
from envsuite.core import Players, Words
from envsuite.core.batch import Batch
from envsuite.core.companions import companion
from envsuite.evaluation.rollout import expert_policy, named_player, play, random_policy
from envsuite.memory.memory_gym.spotlights import DARK, LIGHTS, SHOWN, SIDE, SearingSpotlightsWorld

ENDLESS = {"endless": True, "health": 10, "initial_spawns": 3, "spawn_interval": 50}


def begun(slots: int, seed: int = 0, **options) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(SearingSpotlightsWorld(**options), slots, num_threads=1)
    batch.seed(range(seed, seed + slots))
    batch.reset()
    return batch


def test_a_perfect_memory_finds_the_exit_and_no_memory_seldom_does():
    """And in the endless task it collects thirty times as many coins."""
    card = envsuite.card("SearingSpotlights")
    assert play(card, expert_policy, 200).metrics["is_success"].mean() > 0.97
    assert play(card, named_player("memoryless"), 200).metrics["is_success"].mean() < 0.3
    card = envsuite.card("EndlessSearingSpotlights")
    with_memory, without, by_chance = (
        play(card, player, 60).metrics["coins"].mean()
        for player in (expert_policy, named_player("memoryless"), random_policy)
    )
    assert with_memory > 35
    assert by_chance < without < 3


def test_lights_go_along_curves_of_second_order():
    """From a circle that touches the picture's corners by Bernstein's polynomials; ends and turns are within bounds."""
    batch = begun(300, initial_spawns=8, spawn_interval=100_000, health=1000)
    middle = np.full(2, SIDE / 2)
    first = batch.states.copy()
    assert (first["there"].sum(axis=1) == 8).all()
    around = SIDE / np.sqrt(2) + first["radius"][:, :8]
    angles = {}
    for name in ("begin", "end", "bend"):
        ways = first[name][:, :8] - middle
        assert np.allclose(np.linalg.norm(ways, axis=2), around)
        angles[name] = np.degrees(np.arctan2(ways[..., 1], ways[..., 0]))
        assert np.allclose(angles[name], np.round(angles[name]), atol=1e-9)
    turned = (np.round(angles["end"] - angles["begin"]) - 180 + 180) % 360 - 180
    bent = (np.round(angles["bend"] - angles["end"]) + 180) % 360 - 180
    assert (turned.min(), turned.max()) == (-45, 44)
    assert bent.min() == -135
    assert bent.max() == 134
    assert (first["radius"][:, :8].min(), first["radius"][:, :8].max()) == (7, 13)
    assert 0.0025 <= first["speed"][:, :8].min() < 0.0026
    assert 0.0074 < first["speed"][:, :8].max() <= 0.0075
    for n in range(120):
        batch.step(np.zeros((300, 2), np.int64))
        t = (n * first["speed"][:, :8])[..., np.newaxis]
        assert (t < 1).all()
        begin, end, bend = (first[name][:, :8] for name in ("begin", "end", "bend"))
        # control points begin, (begin + end) / 2 and bend
        curve = (1 - t) ** 2 * begin + 2 * t * (1 - t) * (begin + end) / 2 + t**2 * bend
        there = batch.states["there"][:, :8].astype(bool)
        assert there.all()
        assert np.allclose(batch.states["place"][:, :8], curve, atol=1e-9)


def test_lights_come_and_go():
    """One every fifty steps; who has gone its whole way is removed in the next step."""
    batch = begun(50, **ENDLESS, steps_per_coin=100_000)
    batch.states["health"] = 100_000
    ages = np.zeros((50, LIGHTS), int)
    for step in range(1, 1001):
        before, speed = batch.states["there"].copy(), batch.states["speed"].copy()
        batch.step(np.zeros((50, 2), np.int64))
        there = batch.states["there"]
        went = (before == 1) & (there == 0)
        added = (before == 0) & (there == 1)
        assert np.array_equal(ages[went], np.ceil(1 / speed[went] - 1e-9).astype(int))
        assert (added.sum(axis=1) == (step % 50 == 0)).all()
        ages = np.where(there == 1, np.where(added, 1, ages + 1), 0)
        assert (there.sum(axis=1) < LIGHTS).all()


def test_the_agent_walks_three_pixels_or_two_and_two():
    """And stays below the bar and within the picture."""
    batch = begun(1, health=1000, initial_spawns=0)
    state = batch.states[0]
    for across, along in itertools.product(range(3), repeat=2):
        state["x"], state["y"], state["coin"], state["exit"] = 40, 40, (77, 7), (7, 77)
        batch.step(np.array([[across, along]]))
        far = 2 if across and along else 3
        assert (state["x"] - 40, state["y"] - 40) == tuple((0, -far, far)[one] for one in (across, along))
    for (across, along), corner in (((1, 1), (6, 10)), ((2, 2), (78, 78))):
        for _ in range(60):
            state["coin"], state["exit"] = ((77, 7), (77, 7)) if across == 1 else ((7, 77), (7, 77))
            batch.step(np.array([[across, along]]))
        assert (state["x"], state["y"]) == corner


def test_steps_in_light_cost_health_until_the_end():
    """Touching is enough."""
    batch = begun(1, initial_spawns=1, spawn_interval=100_000, health=3)
    state = batch.states[0]
    state["begin"][0] = state["end"][0] = state["bend"][0] = 40.0
    state["coin"], state["exit"] = (77, 7), (7, 77)
    radius = int(state["radius"][0])
    for away, lit in ((radius + 7, 0), (radius + 6, 1), (radius + 7, 0), (3, 1)):
        state["x"], state["y"] = 40 + away, 40
        output = batch.step(np.zeros((1, 2), np.int64))
        assert (state["lit"], bool(output.terminated[0])) == (lit, False)
    assert state["health"] == 1
    assert batch.step(np.zeros((1, 2), np.int64)).terminated[0]


def test_coin_opens_the_exit():
    """It pays a quarter, the exit 1; before the coin it pays nothing."""
    batch = begun(1, initial_spawns=0, spawn_interval=100_000)
    state, stay = batch.states[0], np.zeros((1, 2), np.int64)
    state["coin"], state["exit"], state["x"], state["y"] = (20, 20), (60, 60), 60, 60
    output = batch.step(stay)
    assert (output.rewards[0], bool(output.terminated[0])) == (0, False)
    state["x"], state["y"] = 29, 20
    output = batch.step(stay)
    assert (output.rewards[0], bool(output.terminated[0])) == (0.25, False)
    state["x"], state["y"] = 60, 71
    output = batch.step(stay)
    assert (output.rewards[0], bool(output.terminated[0])) == (1, True)


def test_whether_the_exit_is_open_is_seen_at_the_exit_alone():
    """In the dark one has to remember that the coin was taken."""
    batch = begun(1, initial_spawns=1, spawn_interval=100_000, health=100)
    state, stay, at = batch.states[0], np.zeros((1, 2), np.int64), batch.world.observation.offset("open")
    words = companion(batch.world, Words)
    state["coin"], state["exit"], state["x"], state["y"] = (20, 20), (60, 60), 20, 20
    for place, seen in ((20.0, False), (60.0, True)):
        state["begin"][0] = state["end"][0] = state["bend"][0] = place
        state["dark"] = DARK
        observation = batch.step(stay).observations[0]
        assert state["coins"] == 1
        assert observation[at] == seen
        assert observation[batch.world.observation.offset("exit")] == seen
        assert ("The exit is open." in words.describe(state)) == seen


def test_places_are_apart():
    """Coins from the agent, the exit from both, a coin from the one before; they fill the picture."""
    states = begun(3000).states
    agent = np.stack([states["x"], states["y"]], axis=1)
    pairs = ((agent, states["coin"], 28), (agent, states["exit"], 28), (states["coin"], states["exit"], 21))
    for one, other, apart in pairs:
        # each is moved on by 2 or 3 pixels, and then back from the border by 10 at most
        assert np.linalg.norm(one - other, axis=1).min() >= apart - np.sqrt(2) * 11
    inner = np.abs(states["coin"] - SIDE / 2).max(axis=1) < 28
    assert np.linalg.norm(states["coin"] - agent, axis=1)[inner].min() >= 28 - np.sqrt(2)
    for name in ("coin", "exit"):
        assert (states[name].min(), states[name].max()) == (7, 77)
    batch = begun(500, **ENDLESS)
    for _ in range(20):
        before = batch.states["coin"].copy()
        batch.states["x"], batch.states["y"] = np.maximum(before, 10).T
        assert (batch.step(np.zeros((500, 2), np.int64)).rewards == 0.25).all()
        batch.states["health"] = 10
        now = batch.states["coin"]
        inner = np.abs(now - SIDE / 2).max(axis=1) < 34
        assert np.linalg.norm(now - before, axis=1)[inner].min() >= 28 - np.sqrt(2) * 3


def test_what_is_in_the_dark_is_not_observed():
    """Agent and coin may be anywhere else, and the observation is the same; a coin is shown at first."""
    batch = begun(200, **ENDLESS)
    vector = batch.world.observation
    stay = np.zeros((200, 2), np.int64)
    for step in range(12):
        output = batch.step(stay)
        agent, coin = (output.observations[:, vector.offset(name)] for name in ("agent", "coin"))
        assert (coin == 1).all() or step + 1 >= SHOWN
        assert (agent == 1).all() or step >= 6
    assert (batch.states["dark"] == DARK).all()
    moved = begun(200, **ENDLESS)
    moved.states[:] = batch.states
    for what in ("x", "y", "coin"):
        moved.states[what] = SIDE - batch.states[what]
    seen = [one.step(stay).observations for one in (batch, moved)]
    hidden = np.all([one[:, vector.offset(name)] == 0 for one in seen for name in ("agent", "coin")], axis=0)
    assert hidden.mean() > 0.5
    assert np.array_equal(seen[0][hidden], seen[1][hidden])
    shown = begun(200, **ENDLESS, agent_visible=True, coins_visible=True)
    for _ in range(12):
        output = shown.step(stay)
    assert (output.observations[:, [vector.offset("agent"), vector.offset("coin")]] == 1).all()


def test_coins_have_to_be_found_in_time():
    """After so many steps for one it is over."""
    batch = begun(1, **{**ENDLESS, "initial_spawns": 0, "spawn_interval": 100_000}, steps_per_coin=20)
    state = batch.states[0]
    state["coin"], state["x"], state["y"] = (70, 70), 20, 20
    ends = [bool(batch.step(np.zeros((1, 2), np.int64)).terminated[0]) for _ in range(20)]
    assert ends == [False] * 19 + [True]


@pytest.fixture(scope="module")
def original():
    """The package memory-gym, 1.0.2."""
    return pytest.importorskip("memory_gym")


def copy_light(state, slot: int, light) -> None:
    """Put a light of the original into a slot."""
    state["there"][slot], state["radius"][slot], state["speed"][slot] = 1, light.radius, light.speed
    names = (("begin", "spawn_location"), ("end", "target_location"), ("bend", "offset_location"))
    for ours, theirs in (*names, ("place", "current_location")):
        state[ours][slot] = tuple(getattr(light, theirs))
    state["gone"][slot] = light.t


def copy(state, theirs, slots: dict[int, int], endless: bool) -> None:
    """Put the original's scene into ours; `slots` says where each of its lights is."""
    state["x"], state["y"] = theirs.agent.rect.center
    state["health"], state["timer"], state["there"] = theirs.current_agent_health, theirs.spawn_timer, 0
    slots.clear()
    for slot, light in enumerate(theirs.spotlights):
        copy_light(state, slot, light)
        slots[id(light)] = slot
    if endless:
        state["coin"] = theirs.coin.location
    elif theirs.coins:
        state["coin"] = theirs.coins[0].location
    if not endless:
        state["exit"] = theirs.exit.location


@pytest.mark.slow
@pytest.mark.parametrize("endless", [False, True])
def test_it_equals_the_original(original, endless):
    """Places, lights, health, rewards and ends in the original's scenes, for 10,000 steps.

    Where the original removes a light it skips the next one in that step; those steps are not compared.
    """
    module = sys.modules[f"memory_gym.{'endless_' if endless else ''}searing_spotlights"]
    theirs = getattr(module, f"{'Endless' if endless else ''}SearingSpotlightsEnv")()
    ours, draws, steps = begun(1, **(ENDLESS if endless else {})), np.random.default_rng(0), 0
    player, state = companion(ours.world, Players).expert(), ours.states[0]
    for episode in itertools.count():
        ours.seed([episode])
        ours.reset()
        theirs.reset(seed=episode)
        slots: dict[int, int] = {}
        copy(state, theirs, slots, endless)
        player.reset(np.ones(1, bool), np.array([0]))
        careless = draws.random()
        for t in range(1, 1001):
            action = draws.integers(0, 3, 2) if draws.random() < careless else player.act(None, ours.states)[0]
            skipped = any(light.done for light in theirs.spotlights[:-1])
            output, (_, reward, done, *_) = ours.step(action[np.newaxis]), theirs.step(action)
            if done and not endless and t == 256:
                break
            if not skipped:
                steps += 1
                assert (state["x"], state["y"]) == theirs.agent.rect.center
                assert output.rewards[0] == np.float32(reward)
                assert state["health"] == theirs.current_agent_health
                assert bool(output.terminated[0]) == done
                assert state["there"].sum() == len(theirs.spotlights)
                assert state["coins"] == theirs.coins_collected
                for light in theirs.spotlights:
                    if id(light) in slots:
                        place = state["place"][slots[id(light)]]
                        assert np.allclose(place, tuple(light.current_location), atol=1e-9)
            if done or output.terminated[0]:
                break
            copy(state, theirs, slots, endless)
        if steps > 10_000:
            break

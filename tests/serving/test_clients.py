"""An episode through the server is the local one, bit for bit."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import envsuite
from envsuite.serving.client import RemoteEnv, RemoteParallelEnv, RemoteVectorEnv

from .conftest import IDS
from .running import running

ALL = [card.id.split("/")[-1].rsplit("-v", 1)[0] for card in envsuite.cards().values() if card.playable]


def same(one, other, where):
    """Equal values of equal types, bit for bit, whatever they are made of."""
    assert type(one) is type(other), where
    if isinstance(one, dict):
        assert list(one) == list(other), where
        for key in one:
            same(one[key], other[key], (*where, key))
    elif isinstance(one, tuple):
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            same(a, b, (*where, k))
    else:
        first, second = np.asarray(one), np.asarray(other)
        assert first.dtype == second.dtype, where
        assert first.shape == second.shape, where
        assert first.tobytes() == second.tobytes(), where


def sampled(space, mask):
    """A random action that obeys the mask of choices, if there is one."""
    return space.sample(np.int8(mask)) if mask is not None and type(space).__name__ == "Discrete" else space.sample()


def compare_single(url, name, steps):
    remote, local = RemoteEnv(f"{url}/{name}"), envsuite.make(name, disable_env_checker=True)
    try:
        assert remote.observation_space == local.observation_space
        assert remote.action_space == local.action_space
        same(local.reset(seed=11), remote.reset(seed=11), (name, "reset"))
        local.action_space.seed(0)
        for k in range(steps):
            action = local.action_space.sample()
            there = local.step(action)
            same(there, remote.step(action), (name, k))
            if there[2] or there[3]:
                with pytest.raises(ResetNeeded):
                    remote.step(action)
                same(local.reset(), remote.reset(), (name, k, "reset"))
        assert (
            remote.describe().endswith(local.unwrapped.describe().splitlines()[-1]) or remote.unwrapped._reader.agents
        )
    finally:
        remote.close()


def compare_parallel(url, name, steps):
    remote, local = RemoteParallelEnv(f"{url}/{name}"), envsuite.parallel_env(name)
    try:
        same(local.reset(seed=12), remote.reset(seed=12), (name, "reset"))
        agent = local.possible_agents[-1]
        assert remote.observation_space(agent) == local.observation_space(agent)
        space = remote.action_space(agent)
        assert space == local.action_space(agent)
        space.seed(0)
        infos = {one: {} for one in local.agents}
        for k in range(steps):
            actions = {one: sampled(space, infos[one].get("action_mask")) for one in local.agents}
            there = local.step(actions)
            same(there, remote.step(actions), (name, k))
            infos = there[4]
            assert remote.agents == local.agents
            if not local.agents:
                same(local.reset(), remote.reset(), (name, k, "reset"))
                infos = {one: {} for one in local.agents}
        assert remote.describe(agent) == local.unwrapped.describe(agent)
    finally:
        remote.close()


@pytest.mark.parametrize("name", IDS)
def test_an_episode_is_the_local_one(server, name):
    compare_single(server.url, name, 120)
    if envsuite.card(name).agents > 1:
        compare_parallel(server.url, name, 120)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_environment_is_the_local_one(name):
    card = envsuite.card(name)
    with running(name) as server:
        compare_single(server.url, name, 40 if card.agents < 100 else 3)
        if card.agents > 1:
            compare_parallel(server.url, name, 40 if card.agents < 100 else 3)


@pytest.mark.parametrize("name", ["QuadHover", "QuadMultiHover", "MOConnect4"])
def test_a_vector_is_the_local_one(server, name):
    remote, local = RemoteVectorEnv(f"{server.url}/{name}", 5), envsuite.make_vec(name, 5)
    try:
        assert remote.observation_space == local.observation_space
        seen, _ = local.reset(seed=3)
        assert remote.reset(seed=3)[0].tobytes() == seen.tobytes()
        local.action_space.seed(0)
        ends = 0
        for _ in range(150):
            action = local.action_space.sample()
            there, here = local.step(action), remote.step(action)
            for one, other in zip(there[:4], here[:4], strict=True):
                assert np.array_equal(one, other)
            ends += int((there[2] | there[3]).sum())
            assert set(there[4]) == set(here[4])
        assert ends > 5
    finally:
        remote.close()


@pytest.mark.slow
def test_a_thousand_sessions_are_a_thousand_local_episodes():
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4096:
        pytest.skip("the system permits too few connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4096), hard))
    with running("QuadHover") as server:
        remote, local = RemoteVectorEnv(server.url, 1000), envsuite.make_vec("QuadHover", 1000)
        try:
            assert remote.reset(seed=5)[0].tobytes() == local.reset(seed=5)[0].tobytes()
            local.action_space.seed(0)
            for _ in range(20):
                action = local.action_space.sample()
                for one, other in zip(local.step(action)[:4], remote.step(action)[:4], strict=True):
                    assert np.array_equal(one, other)
        finally:
            remote.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_words_are_actions(server):
    remote, local = RemoteEnv(f"{server.url}/QuadHover"), envsuite.make("QuadHover")
    remote.reset(seed=1), local.reset(seed=1)
    with pytest.raises(ValueError, match="no number found"):
        remote.say("please")
    action = local.unwrapped.parse("go to [0, 0, 0]")
    same(local.step(action), remote.say("go to [0, 0, 0]"), ("words",))
    remote.close()


def test_a_connection_that_breaks_is_made_again_and_no_step_is_taken_twice(server):
    remote, local = RemoteEnv(f"{server.url}/MazePointOpen"), envsuite.make("MazePointOpen")
    action = np.full(2, 0.01, np.float32)
    try:
        same(local.reset(seed=1), remote.reset(seed=1), ())
        for k in range(30):
            link = remote.link
            if k % 3 == 1:
                link._socket.sock.close()  # before the request
            if k % 3 == 2:  # after it, and before the answer
                link.send({"type": "step", "data": {"action": action.tolist()}})
                link._socket.sock.close()
                reply = link.receive()
                there = local.step(action)
                assert np.float64(reply["observation"]["observation"]).tobytes() == there[0].tobytes()
                continue
            same(local.step(action), remote.step(action), (k,))
        state = remote.link.ask({"type": "state"})
        assert state["step_count"] == 30
    finally:
        remote.close()


def test_bad_actions_are_named_as_by_the_local_one(server):
    remote, local = RemoteEnv(f"{server.url}/QuadHover"), envsuite.make("QuadHover").unwrapped
    remote.reset(seed=1), local.reset(seed=1)
    for bad in (np.zeros(3), np.full(4, np.nan), np.array(["x"] * 4)):
        with pytest.raises((ValueError, TypeError)):
            local.step(bad)
        with pytest.raises(ValueError, match="action"):
            remote.step(bad)
    same(local.step(np.zeros(4, np.float32)), remote.step(np.zeros(4, np.float32)), ())
    remote.close()


def test_who_is_not_there_is_named(server):
    with pytest.raises(ConnectionError, match="Connection refused"):
        RemoteEnv("http://127.0.0.1:9/QuadHover", timeout=2)
    with pytest.raises(ConnectionError, match="no environment 'Nothing' here"):
        RemoteEnv(f"{server.url}/Nothing")
    with pytest.raises(ValueError, match="begins with http"):
        RemoteEnv("QuadHover")
    with pytest.raises(ValueError, match="single agent"):
        RemoteParallelEnv(f"{server.url}/QuadHover")

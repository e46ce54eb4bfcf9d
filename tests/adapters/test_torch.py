"""Batches of tensors: shared memory, rollouts, masks, pictures, moments, and the same on Numba's simulator of a GPU."""

import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from gymnasium.error import ResetNeeded  # noqa: E402

import envsuite  # noqa: E402
import envsuite.torch  # noqa: E402
from envsuite.torch import make_vec  # noqa: E402
from tests.baselines.worlds import small  # noqa: E402
from tests.core.simulator import run_on_simulator  # noqa: E402


class Foreign:
    """An array of another library, that speaks DLPack and nothing else."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_tensors_share_the_memory_of_the_batch():
    env = make_vec(small("Pendulum"), 4)
    env.reset(seed=0)
    observations, rewards, terminated, _, infos = env.step(torch.zeros(4, 1))
    last = env.batch.last
    for tensor, array in ((observations, last.observations), (rewards, last.rewards), (terminated, last.terminated)):
        assert tensor.data_ptr() == array.ctypes.data
    assert infos["mark"].data_ptr() == last.info["mark"].ctypes.data
    assert np.shares_memory(np.from_dlpack(observations), last.observations)
    with pytest.raises(KeyError):
        infos["none"]


def test_actions_come_from_whatever_speaks_dlpack():
    envs = [make_vec(small("Pendulum"), 4) for _ in range(3)]
    given = np.linspace(-1, 1, 4, dtype=np.float32)[:, None]
    for env in envs:
        env.reset(seed=3)
    learned = torch.from_numpy(given).requires_grad_()
    rows = [env.step(one)[0] for env, one in zip(envs, (learned, Foreign(given), given), strict=True)]
    assert torch.equal(rows[0], rows[1])
    assert torch.equal(rows[0], rows[2])


def test_mistakes_are_named():
    env = make_vec(small("Pendulum"), 4)
    for call in (lambda: env.step(torch.zeros(4, 1)), lambda: env.rollout(lambda _: torch.zeros(4, 1), 1)):
        with pytest.raises(ResetNeeded, match="no episode has begun"):
            call()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"\(3, 1\), expected \(4, 1\)"):
        env.rollout(lambda _: torch.zeros(3, 1), 1)
    with pytest.raises(ValueError, match="action nan at index"):
        env.step(torch.full((4, 1), float("nan")))
    with pytest.raises(ValueError, match="steps is 0"):
        env.rollout(lambda _: torch.zeros(4, 1), 0)
    with pytest.raises(ValueError, match="on meta, expected cpu"):
        env.step(torch.zeros(4, 1, device="meta"))
    with pytest.raises(ValueError, match="device is 'tpu'"):
        make_vec(small("Pendulum"), 1, device="tpu")


def test_a_rollout_keeps_what_the_policy_gives_and_belongs_to_the_caller():
    env = make_vec(small("Pole", 12), 3)
    env.reset(seed=0)
    rollout = env.rollout(lambda seen: (torch.ones(3, dtype=torch.int64), {"value": seen.sum(-1)}), 20)
    assert torch.equal(rollout.extras["value"], rollout.observations.sum(-1))
    assert rollout.actions.unique().tolist() == [1]
    assert rollout.valid.all()
    assert len(rollout.ends)
    assert rollout.final_infos["mark"].shape == (len(rollout.ends),)
    copies = [make_vec(small("Pole", 12), 3) for _ in range(2)]
    moment = env.get_state()
    for one in copies:
        one.reset(seed=5)
        assert torch.equal(one.set_state(moment), rollout.last_observations)
    later = copies[0].step(torch.ones(3, dtype=torch.int64))[0]
    for tensor in vars(rollout).values():
        if isinstance(tensor, torch.Tensor):
            tensor.zero_()
    assert torch.equal(env.step(torch.ones(3, dtype=torch.int64))[0], later)
    again = copies[1].rollout(lambda _: torch.ones(3, dtype=torch.int64), 1)
    assert torch.equal(again.last_observations, later)


def test_agents_that_wait_for_others_are_told():
    """A drone that has fallen keeps its flag, and what it is told to do goes nowhere."""
    env = make_vec("QuadMultiHover", 16)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    rollout = env.rollout(lambda _: torch.from_numpy(rng.uniform(-1, 1, (16, 2, 4)).astype(np.float32)), 60)
    over = rollout.terminated | rollout.truncated
    ended = over.all(-1, keepdim=True)
    expected = torch.cat([torch.ones_like(over[:1]), ~(over & ~ended)[:-1]])
    assert torch.equal(rollout.valid, expected)
    assert not rollout.valid.all()
    assert (rollout.rewards[~rollout.valid] == 0).all()


def test_masks_say_what_is_allowed_now():
    env = make_vec(small("Locks"), 4)
    env.reset(seed=0)
    seen = []

    def policy(_):
        seen.append(env.action_mask)
        heads = env.action_mask.split([int(n) for n in env.single_action_space.nvec], -1)
        return torch.stack([one.float().argmax(-1) for one in heads], -1)

    rollout = env.rollout(policy, 6)
    assert torch.equal(rollout.masks, torch.stack(seen))
    assert not rollout.masks.all()
    assert (rollout.final_infos.get("illegal", torch.zeros(1)) == 0).all()


def test_pictures_are_seen_as_elsewhere():
    env_id = small("Pole", 4)
    env = make_vec(env_id, 2, obs_type="pixels")
    peer = envsuite.make_vec(env_id, 2, obs_type="pixels", autoreset_mode="SameStep")
    expected = [peer.reset(seed=0)[0]] + [peer.step(np.ones(2, int))[0] for _ in range(6)]
    env.reset(seed=0)
    rollout = env.rollout(lambda _: torch.ones(2, dtype=torch.int64), 6)
    np.testing.assert_array_equal(
        torch.cat([rollout.observations, rollout.last_observations[None]]), np.stack(expected)
    )
    assert rollout.observations.dtype == torch.uint8
    assert rollout.final_observations.shape[1:] == (84, 84, 3)


def layers(inputs, outputs, activation=torch.nn.Tanh):
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Linear(inputs, 20), activation(), torch.nn.Linear(20, 16), activation(), torch.nn.Linear(16, outputs)
    )


@pytest.mark.parametrize(("env_id", "inputs", "outputs"), [("QuadHover", 146, 4), ("CardsBlackjack", None, 2)])
def test_perceptrons_are_played_without_python_as_they_are_with_it(env_id, inputs, outputs):
    """Both draw the same numbers, so they part where roundings do, long after the first steps."""
    found = []
    for wrap in (lambda policy: policy, lambda policy: lambda seen: policy(seen)):
        env = make_vec(env_id, 8)
        env.reset(seed=3)
        size = inputs or int(np.prod(env.single_observation_space.shape))
        policy = envsuite.torch.Perceptron(env.world, layers(size, outputs))
        torch.manual_seed(7)
        found.append([env, env.rollout(wrap(policy), 40), policy])
    (_, fused, policy), (_, plain, _) = found
    torch.testing.assert_close(fused.observations[:2], plain.observations[:2])
    if outputs == 4:  # choices are drawn step by step from other random numbers
        torch.testing.assert_close(fused.actions[:2], plain.actions[:2], atol=1e-5, rtol=0)
    seen, raw = fused.observations.flatten(0, 1), fused.extras["raw_action"].flatten(0, 1)
    torch.testing.assert_close(fused.extras["log_prob"].flatten(), policy.log_prob(seen, raw), atol=1e-5, rtol=0)
    assert policy.log_prob(seen, raw).requires_grad
    assert fused.actions.shape == plain.actions.shape
    assert fused.actions.dtype == plain.actions.dtype
    assert fused.valid.all()
    assert len(fused.ends)
    assert set(fused.final_infos) == set(plain.final_infos)
    assert set(fused.extras) == set(plain.extras)


def test_an_environment_goes_on_where_a_rollout_without_python_ended():
    env, peer = make_vec("QuadHover", 8), make_vec("QuadHover", 8)
    for one in (env, peer):
        one.reset(seed=3)
    policy = envsuite.torch.Perceptron(env.world, layers(146, 4, torch.nn.ReLU), torch.full((4,), 0.5))
    rollout = env.rollout(policy, 30)
    for actions in rollout.actions:
        peer.step(actions)
    assert torch.equal(env.observations, peer.observations)
    assert torch.equal(rollout.last_observations, peer.observations)
    assert torch.equal(env.next_observations(), peer.next_observations())
    assert torch.equal(env.step(torch.zeros(8, 4))[0], peer.step(torch.zeros(8, 4))[0])
    reused = make_vec("QuadHover", 8, copy=False)
    reused.reset(seed=3)
    first = reused.rollout(policy, 5)
    assert reused.rollout(policy, 5).observations.data_ptr() == first.observations.data_ptr()


def test_perceptrons_play_worlds_that_need_python_too():
    env = make_vec(small("Pole", 12), 4)
    env.reset(seed=0)
    rollout = env.rollout(envsuite.torch.Perceptron(env.world, layers(4, 2)), 9)
    assert rollout.extras["log_prob"].shape == (9, 4)
    many = make_vec("QuadMultiHover", 3)
    many.reset(seed=0)
    numbers, actions = many.observations.shape[-1], many.single_action_space.shape[0]
    policy = envsuite.torch.Perceptron(many.world, layers(numbers, actions))
    rollout = many.rollout(policy, 5)
    assert rollout.actions.shape == (5, 3, 2, actions)
    again = policy.log_prob(rollout.observations, rollout.extras["raw_action"])
    torch.testing.assert_close(again.detach(), rollout.extras["log_prob"])


def test_an_environment_is_pickled_after_a_rollout_without_python():
    env = make_vec("InvertedPendulum", 4)
    env.reset(seed=0)
    policy = envsuite.torch.Perceptron(env.world, layers(4, 1))
    env.rollout(policy, 5)
    found = []
    for one in (env, pickle.loads(pickle.dumps(env))):
        torch.manual_seed(1)
        found.append(one.rollout(policy, 5))
    assert torch.equal(found[0].observations, found[1].observations)
    assert torch.equal(found[0].actions, found[1].actions)


def test_other_networks_are_no_perceptrons():
    world = make_vec("QuadHover", 1).world
    for network in (torch.nn.Linear(146, 4), layers(146, 4, torch.nn.GELU), torch.nn.Sequential(torch.nn.Tanh())):
        with pytest.raises(ValueError, match="expected Linear layers with Tanh, or with ReLU, between them"):
            envsuite.torch.Perceptron(world, network)
    with pytest.raises(ValueError, match="the network has 5 outputs, expected 4"):
        envsuite.torch.Perceptron(world, layers(146, 5))
    with pytest.raises(ValueError, match=r"log_std has shape \(3,\), expected \(4,\)"):
        envsuite.torch.Perceptron(world, layers(146, 4), torch.zeros(3))
    with pytest.raises(ValueError, match="has actions that are not always allowed, which it cannot tell"):
        envsuite.torch.Perceptron(make_vec("Bulwark-L1", 1).world, layers(4, 2))
    with pytest.raises(ValueError, match="log_std is given, expected None: actions are choices"):
        envsuite.torch.Perceptron(make_vec("CardsBlackjack", 1).world, layers(4, 2), torch.zeros(2))


SCRIPT = """
import numpy as np
import torch
import envsuite
from envsuite.torch import make_vec
from envsuite.testing.traces import random_actions

for name, steps in (("QuadMultiHover", 24), ("MOConnect4", 24)):
    card = envsuite.card(name)
    rows = torch.from_numpy(random_actions(card, steps, 3))
    found = []
    for device in ("cpu", "cuda"):
        env = make_vec(name, 3, device=device)
        env.reset(seed=5)
        played = iter(rows)
        parts = [env.rollout(lambda _: (next(played), {"mean": _.float().mean(-1)}), steps // 2) for _ in range(2)]
        assert torch.equal(env.next_observations()[parts[1].ends[parts[1].ends[:, 0] == steps // 2 - 1, 1]],
                           parts[1].final_observations[parts[1].ends[:, 0] == steps // 2 - 1])
        found.append((env, parts))
    assert sum(len(part.ends) for part in found[0][1]) >= 1
    for mine, theirs in zip(found[0][1], found[1][1], strict=True):
        for key, value in vars(mine).items():
            other = getattr(theirs, key)
            pairs = [(value, other)] if not isinstance(value, dict) else [(value[k], other[k]) for k in value]
            for a, b in pairs:
                assert (a is None and b is None) or (a.dtype == b.dtype and a.shape == b.shape), (name, key)
                assert a is None or torch.allclose(a.double(), b.double(), atol=1e-5), (name, key)
    here, there = (env for env, _ in found)
    assert torch.equal(here.waiting, there.waiting)
    moment, waiting = there.get_state(), there.waiting.clone()
    later = there.step(rows[0])[0]
    there.set_state(moment)
    assert torch.equal(there.waiting, waiting)
    assert torch.equal(there.step(rows[0])[0], later)
    try:
        there.step(rows[0][:2])
    except ValueError as error:
        assert "shape" in str(error)
    else:
        raise AssertionError
    there.close()
print("done")
"""


def test_the_same_on_a_gpu():
    run_on_simulator(SCRIPT)

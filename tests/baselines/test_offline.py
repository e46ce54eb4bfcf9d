"""Offline baselines: their arithmetic against definitions, that they learn, and that stopped runs end the same."""

import dataclasses
import json
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from bc import BC, BCConfig  # noqa: E402
from cal_ql import CalQL, CalQLConfig  # noqa: E402
from cdsa import CDSA, CDSAConfig  # noqa: E402
from cql import CQL, CQLConfig, conservative_gap  # noqa: E402
from dt import DT, DTConfig  # noqa: E402
from dvl import DVL, DVLConfig  # noqa: E402
from edac import EDAC, EDACConfig  # noqa: E402
from fql import FQL, FQLConfig  # noqa: E402
from gcbc import GCBC, GCBCConfig  # noqa: E402
from gcfql import GCFQL, GCFQLConfig  # noqa: E402
from gciql import GCIQL, GCIQLConfig  # noqa: E402
from iql import IQL, IQLConfig, advantage_weight, expectile_loss  # noqa: E402
from iql_online import IQLOnline, IQLOnlineConfig  # noqa: E402
from launch import CHECKPOINT, main, run  # noqa: E402
from mopo import MOPO, MOPOConfig  # noqa: E402
from offline import Transitions  # noqa: E402
from online import OwnSteps  # noqa: E402
from ops import TorchOps  # noqa: E402
from rebrac import ReBRAC, ReBRACConfig  # noqa: E402
from recoil import ReCOIL, ReCOILConfig  # noqa: E402
from residual import Residual, ResidualConfig  # noqa: E402
from retrieval import Retrieval, RetrievalConfig  # noqa: E402
from rlpd import RLPD, RLPDConfig  # noqa: E402
from td3_bc import TD3BC, TD3BCConfig  # noqa: E402

from envsuite.agents.onnx import load as load_policy  # noqa: E402
from envsuite.data import load  # noqa: E402

from .worlds import small  # noqa: E402

GLIDER, REACH = "small/glider-v0", "small/reach-v0"
QUICK = {"hidden": (32,), "batch_size": 64, "evaluations": 1, "episodes": 20, "threads": 1, "learning_rate": 3e-3}
MODEL = {"members": 3, "elites": 2, "model_width": 32, "model_steps": 20, "rollouts": 100, "rollout_every": 10}
BASE = {"base": "bc", "base_settings": {**QUICK, "total_steps": 100, "top": 0.3}}
ALGORITHMS = {
    "bc": (BC, BCConfig, GLIDER, {"top": 0.5}),
    "td3_bc": (TD3BC, TD3BCConfig, GLIDER, {}),
    "iql": (IQL, IQLConfig, GLIDER, {}),
    "rebrac": (ReBRAC, ReBRACConfig, GLIDER, {}),
    "cql": (CQL, CQLConfig, GLIDER, {"samples": 3}),
    "cal_ql": (CQL, CQLConfig, GLIDER, {"samples": 3, "calibrated": True}),
    "edac": (EDAC, EDACConfig, REACH, {"ensemble": 4, "critic_rate": 3e-3}),
    "sac_n": (EDAC, EDACConfig, GLIDER, {"ensemble": 4, "critic_rate": 3e-3, "eta": 0.0}),
    "dvl": (DVL, DVLConfig, GLIDER, {}),
    "dvl_variation": (DVL, DVLConfig, GLIDER, {"divergence": "total-variation"}),
    "recoil": (ReCOIL, ReCOILConfig, GLIDER, {"gamma": 0.9}),
    "retrieval": (Retrieval, RetrievalConfig, GLIDER, {"memory": 40, "width": 8}),
    "cdsa": (CDSA, CDSAConfig, GLIDER, BASE),
    "fql": (FQL, FQLConfig, GLIDER, {"flow_steps": 5}),
    "mopo": (MOPO, MOPOConfig, GLIDER, MODEL),
    "mobile": (MOPO, MOPOConfig, GLIDER, MODEL | {"penalty": "bellman"}),
    "dt": (DT, DTConfig, GLIDER, {"width": 16, "blocks": 1, "context": 4, "warm_up": 10, "hidden": DTConfig.hidden}),
    "gcbc": (GCBC, GCBCConfig, REACH, {}),
    "gciql": (GCIQL, GCIQLConfig, REACH, {}),
    "gcfql": (GCFQL, GCFQLConfig, REACH, {"flow_steps": 5}),
}
ONLINE = {"num_envs": 4, "first_steps": 40, "updates": 0.5, "ensemble": 3, "actor_every": 2}


def made(name, **changes):
    maker, settings, dataset, extra = ALGORITHMS[name]
    return maker(settings.for_env("", dataset=dataset, **{**QUICK, "total_steps": 400, **extra, **changes}))


def test_expectiles_and_weights():
    rng = np.random.Generator(np.random.Philox(0))
    u = rng.normal(size=40)
    expected = np.mean([(0.8 if one > 0 else 0.2) * one**2 for one in u])
    assert float(expectile_loss(torch.tensor(u), 0.8)) == pytest.approx(expected)
    # the minimiser of the loss is the expectile: up to the root of its first-order condition
    values = torch.tensor(rng.normal(size=500))
    grid = np.linspace(-1, 2, 3001)
    best = grid[np.argmin([float(expectile_loss(values - m, 0.9)) for m in grid])]
    above, below = (values - best).clamp(min=0).sum(), (best - values).clamp(min=0).sum()
    assert float(0.9 * above) == pytest.approx(float(0.1 * below), rel=2e-2)
    found = advantage_weight(torch.tensor([-1.0, 0.0, 0.5, 10.0]), 3.0)
    assert found.tolist() == pytest.approx([math.exp(-3), 1.0, math.exp(1.5), 100.0])


def test_conservative_term_is_a_log_mean_exp_less_the_datas_value():
    rng = np.random.Generator(np.random.Philox(1))
    values, others = rng.normal(size=(2, 5)), rng.normal(size=(2, 5, 6))
    densities, returns = rng.normal(size=(5, 6)), rng.normal(size=5)
    for bound in (None, returns):
        expected = np.zeros(2)
        for k in range(2):
            for i in range(5):
                total = 0.0
                for j in range(6):
                    value = others[k, i, j] if bound is None or j < 2 else max(others[k, i, j], returns[i])
                    total += math.exp(value) / math.exp(densities[i, j])
                expected[k] += (math.log(total / 6) - values[k, i]) / 5
        arguments = [torch.tensor(one) for one in (values, others, densities)]
        found = conservative_gap(*arguments, None if bound is None else torch.tensor(bound))
        assert found.tolist() == pytest.approx(expected.tolist())


def test_uniform_actions_have_the_density_of_a_uniform_distribution(datasets):
    trainer = made("cql", samples=4)
    values, densities = trainer.candidates(torch.randn(3, 2), torch.randn(3, 2))
    assert values.shape == (2, 3, 12)
    assert densities[:, :4].tolist() == [[pytest.approx(math.log(0.5))] * 4] * 3  # one action, on [-1, 1]


def test_transitions_are_the_datasets(datasets):
    trainer, data = made("iql", reward_scale=2.0, reward_shift=0.5), load(GLIDER)
    index = torch.tensor([0, 3, 49, 50, 2999])
    batch, expected = trainer.rows.take(index), data.take(index.numpy())
    np.testing.assert_allclose(batch["obs"], expected.observations, atol=1e-6)
    np.testing.assert_allclose(batch["next_obs"], expected.next_observations, atol=1e-6)
    np.testing.assert_allclose(batch["reward"], 2 * expected.rewards + 0.5, atol=1e-6)
    assert batch["discount"].tolist() == pytest.approx([0.99] * 5)  # truncated, never terminated
    taken, known = trainer.rows.next_action(batch)
    assert known.tolist() == [True, True, False, True, False]
    np.testing.assert_allclose(taken[1], data.columns["actions"][4], atol=1e-6)
    obs = data.columns["observations"].astype(np.float64)
    expected = (obs[:5] - obs.mean(0)) / (obs.std(0) + 1e-3)
    np.testing.assert_allclose(trainer.obs_normaliser(torch.from_numpy(obs[:5]).float()), expected, atol=1e-4)
    togo = trainer.rows.returns_to_go(0.9)
    for k in (0, 10, 2999):
        rewards = 2 * data.columns["rewards"][k : (k // 50 + 1) * 50] + 0.5
        assert float(togo[k]) == pytest.approx(sum(0.9**t * one for t, one in enumerate(rewards)), rel=1e-4)


def test_ten_percent_cloning_takes_the_best_episodes(datasets):
    data, trainer = load(GLIDER), made("bc", top=0.1)
    kept = trainer.rows.data.returns
    assert len(kept) == 6
    assert kept.min() >= np.sort(data.returns)[-6]


def test_actor_and_targets_of_rebrac_and_td3_bc(datasets):
    for name in ("td3_bc", "rebrac"):
        trainer = made(name, target_noise=0.0)
        batch = trainer.rows.take(torch.tensor([3, 49, 77, 1234]))
        obs, after = trainer.obs_normaliser(batch["obs"]), trainer.obs_normaliser(batch["next_obs"])
        with torch.no_grad():
            own, next_action = trainer.actor(obs).numpy(), trainer.target_actor(after)
            values = trainer.critics(obs, trainer.actor(obs)).numpy()
            next_value = trainer.target_critics(after, next_action).numpy().min(0)
            found, loss = trainer.targets(batch).numpy(), float(trainer.actor_loss(obs, batch["action"]))
        action, data = batch["action"].numpy(), load(GLIDER)
        if name == "td3_bc":
            expected = -2.5 * values[0].mean() / np.abs(values[0]).mean() + ((own - action) ** 2).mean()
            penalty = 0.0
        else:
            lesser = values.min(0)
            expected = 0.003 * ((own - action) ** 2).sum(1).mean() - lesser.mean() / np.abs(lesser).mean()
            taken = data.columns["actions"][[4, 49, 78, 1235]]
            penalty = 0.001 * ((next_action.numpy() - taken) ** 2).sum(1) * [1, 0, 1, 1]
        assert loss == pytest.approx(expected, rel=1e-4)
        np.testing.assert_allclose(found, batch["reward"].numpy() + 0.99 * (next_value - penalty), rtol=1e-4)


def test_goals_are_put_where_the_environment_has_them(datasets):
    trainer, data = made("gciql"), load(REACH)
    batch = trainer.rows.sample_goals(500, (0, 7))
    again = trainer.rows.sample_goals(500, (0, 7))
    assert all(torch.equal(batch[name], again[name]) for name in batch)
    places = {tuple(one) for one in np.float32(data.columns["observations"][:, :2])}
    places |= {tuple(one) for one in np.float32(data.columns["final_observations"][:, :2])}
    assert {tuple(one) for one in batch["obs"][:, 2:].numpy()} <= places
    assert {tuple(one) for one in batch["actor_obs"][:, 2:].numpy()} <= places
    assert torch.equal(batch["obs"][:, 2:], batch["next_obs"][:, 2:])
    assert torch.equal(batch["obs"][:, :2], batch["actor_obs"][:, :2])
    there = (batch["next_obs"][:, :2] == batch["obs"][:, 2:]).all(1)
    assert 0.2 <= there.float().mean() < 0.5  # a fifth by choice, some by chance
    assert batch["reward"].tolist() == (there.float() - 1).tolist()
    assert batch["discount"].tolist() == pytest.approx((0.99 * ~there).tolist())


def test_windows_of_the_transformer(datasets):
    """Returns to go and times by hand; episodes are cut at the environment's length, windows at both."""
    trainer, data = made("dt", scale=0.5), load(GLIDER)
    trainer.horizon = 50
    togo, _, action, times, mask = trainer.windows(torch.tensor([0, 48, 103]))
    rewards = data.columns["rewards"].astype(np.float64)
    for row, first in enumerate((0, 48, 103)):
        for k in range(4):
            at = first + k
            assert bool(mask[row, k]) == (at // 50 == first // 50)
            if mask[row, k]:
                assert int(times[row, k]) == at % 50
                assert float(togo[row, k, 0]) == pytest.approx(0.5 * rewards[at : (at // 50 + 1) * 50].sum(), rel=1e-4)
                assert float(action[row, k, 0]) == pytest.approx(float(data.columns["actions"][at, 0]), abs=1e-6)


def test_the_transformers_policy_is_its_network(datasets):
    """The graph with its memory, step by step, against the network on what it has seen and done."""
    trainer = made("dt", context=3, target=-5.0, scale=0.1)
    for _ in range(20):
        trainer.update()
    trainer.network.eval()
    policy, horizon = trainer.policy(), 50
    policy.reset(np.ones(2, np.bool_), np.arange(2))
    obs, done = [], []
    rng = np.random.Generator(np.random.Philox(3))
    for step in range(6):
        if step == 4:  # the second slot begins anew
            policy.reset(np.array([False, True]), np.arange(2))
        observation = rng.normal(size=(2, 2)).astype(np.float32)
        obs.append(trainer.obs_normaliser(torch.from_numpy(observation)))
        found = policy.act(observation, None)
        for slot, episode_start in ((0, 0), (1, 4 if step >= 4 else 0)):
            first = max(episode_start, step - 2)
            times = torch.arange(first - episode_start, step - episode_start + 1)
            togo = (-5.0 * 0.1 * (1 - times / horizon)).float()[None, :, None]
            state = torch.stack([one[slot] for one in obs[first:]])[None]
            actions = [torch.from_numpy(one[slot]) for one in done[first:]] + [torch.full((1,), 9.0)]  # not looked at
            there = torch.ones(1, len(times), dtype=torch.bool)
            with torch.no_grad():
                said = trainer.network(togo, state, torch.stack(actions)[None], times[None], there)
            assert found[slot] == pytest.approx(said[0, -1].tanh().numpy(), abs=1e-5)
        done.append(found)


def test_prior_data_are_half_of_every_batch(datasets):
    config = RLPDConfig.for_env("", dataset=GLIDER, **{**QUICK, "total_steps": 200}, **ONLINE)
    trainer = RLPD(config)
    while trainer.memory.count < 100:
        trainer.collect(learning=False)
    rewards = {float(one) for one in trainer.prior.rewards().float()}
    batch = trainer.memory.sample(64)
    assert [float(one) in rewards for one in batch["reward"][32:]] == [True] * 32
    assert sum(float(one) in rewards for one in batch["reward"][:32]) < 4
    torch.manual_seed(5)
    with torch.no_grad():
        found = trainer.targets(batch, torch.tensor(0.3))
        torch.manual_seed(5)
        action, log_prob = trainer.sample_action(trainer.obs_normaliser(batch["next_obs"]))
        some = torch.randperm(3)[:2]
        values = trainer.target_critics(trainer.critic_normaliser(batch["next_critic_obs"]), action)
    expected = batch["reward"] + batch["discount"] * (torch.minimum(values[some[0]], values[some[1]]) - 0.3 * log_prob)
    torch.testing.assert_close(found, expected)


def test_demonstrations_are_pulled_up_and_rewards_are_not_looked_at(datasets):
    """The loss by its definition; the best episodes are the second half of every batch."""
    trainer = made("recoil", demonstrations=4, gamma=0.5)
    data = trainer.rows.data
    best = np.sort(np.argsort(-data.returns)[:4])
    known = np.concatenate([np.arange(data.starts[k], data.starts[k] + data.lengths[k]) for k in best])
    assert np.array_equal(np.sort(trainer.demonstrated.numpy()), known)
    batch = trainer.sample(64)
    assert set(batch["index"][32:].tolist()) <= set(known.tolist())
    assert len(set(batch["index"][:32].tolist()) - set(known.tolist())) > 10
    values, after = torch.randn(2, 64), torch.randn(64) * 3
    batch["discount"][3] = 0.0  # an end of the task stays at the least for ever
    expected = 0.0
    for k in range(2):
        for t in range(32):
            later = -1.0 if t == 3 else min(max(float(after[t]), -1.0), 1.0)
            data_part = (float(values[k, t]) - (-0.5 + 0.5 * later)) ** 2
            expected += 0.5 * (data_part + (float(values[k, 32 + t]) - 1.0) ** 2) / 32
    assert float(trainer.critic_loss(values, batch, after)) == pytest.approx(expected, rel=1e-5)
    batch["reward"] = batch["reward"] + 100.0
    assert float(trainer.critic_loss(values, batch, after)) == pytest.approx(expected, rel=1e-5)
    with pytest.raises(ValueError, match="demonstrations is 61, expected 1 to 60 episodes"):
        made("recoil", demonstrations=61)
    with pytest.raises(ValueError, match=r"gamma is 1\.0, expected a number below 1"):
        made("recoil", gamma=1.0)


def test_a_look_up_is_a_mean_over_what_is_alike(datasets):
    """By its definition, in play and in learning; its own episode is left out, and the policy file does the same."""
    trainer = made("retrieval", memory=40)
    raw = torch.randn(5, 2)
    obs = trainer.obs_normaliser(raw)
    with torch.no_grad():
        query, keys = trainer.embedding(obs), trainer.embedding(trainer.remembered_obs)
        alike = torch.exp(torch.einsum("bw,mw->bm", query, keys) / 8**0.5)
        own = trainer.episode[trainer.index[7]]
        for episode, kept in ((None, torch.ones(40)), (own.expand(5), (trainer.episode[trainer.index] != own).float())):
            shares = alike * kept / (alike * kept).sum(1, keepdim=True)
            torch.testing.assert_close(trainer.look_up(obs, episode), shares @ trainer.read_from)
        expected = trainer.actor(torch.cat([obs, trainer.look_up(obs)], 1))
    assert trainer.policy().act(raw.numpy(), None) == pytest.approx(expected.numpy(), abs=1e-5)
    known = trainer.rows.take(trainer.index)
    torch.testing.assert_close(trainer.read_from[:, :1], known["action"])
    returns = trainer.rows.returns_to_go(trainer.config.gamma)
    order = torch.argsort(trainer.read_from[:, 1])
    assert (returns[trainer.index][order].diff() >= -1e-4).all()
    with pytest.raises(ValueError, match=r"memory is 1, expected 2 to \d+ transitions"):
        made("retrieval", memory=1)


DRIFT, PUSH, TAKEN = torch.tensor([[1.0, 0.1], [0.0, 0.9]]), torch.tensor([[0.3, 0.2]]), torch.tensor([[0.5], [-0.3]])


def linear_transitions(size: int) -> dict[str, torch.Tensor]:
    """Normally distributed states of a linear system, with linear feedback and noise as actions."""
    obs = torch.randn(size, 2) @ torch.tensor([[0.5, 0.2], [0.0, 0.6]])
    action = obs @ TAKEN + 0.15 * torch.randn(size, 1)
    return {"obs": obs, "action": action, "next_obs": obs @ DRIFT + action @ PUSH}


@pytest.fixture(scope="module")
def linear_cdsa(datasets):
    """Trained on `linear_transitions`, with the moments in the trainer's units of all that it learned from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transitions, "sample", lambda rows, size: linear_transitions(size))
        trainer = made("cdsa", hidden=(32, 32), batch_size=256, noise=0.5)
        for step in range(1000):
            trainer.optimiser.param_groups[0]["lr"] = 5e-3 * (1 - step / 1000)
            trainer.update()
    drawn = linear_transitions(100_000)
    data = torch.cat(
        [trainer.obs_normaliser(drawn["obs"]), (drawn["action"] - trainer.action_mean) / trainer.action_spread], 1
    )
    return trainer, data.mean(0), data.T.cov()


@torch.no_grad()
def adjusted(trainer, obs, action):
    """What is played where the base says `action`."""
    return (action + trainer.addition(TorchOps(), obs, action)).clamp(-1.0, 1.0)


def test_the_score_of_a_normal_distribution(linear_cdsa):
    """Minus the inverse covariance, of the data and the noise together, times the distance from the mean."""
    trainer, mean, covariance = linear_cdsa
    torch.manual_seed(8)
    total = covariance + 0.25 * torch.eye(3)
    place = mean + torch.randn(2000, 3) @ torch.linalg.cholesky(total).T
    expected = -(place - mean) @ total.inverse()
    with torch.no_grad():
        found = trainer.score(TorchOps(), place[:, :2], place[:, 2:])
    error = (found - expected).square().mean(0).sqrt() / expected.square().mean(0).sqrt()
    assert error.max() < 0.1


def test_the_inverse_dynamics_of_a_linear_system(linear_cdsa):
    trainer = linear_cdsa[0]
    batch = linear_transitions(2000)
    obs, after = trainer.obs_normaliser(batch["obs"]), trainer.obs_normaliser(batch["next_obs"])
    with torch.no_grad():
        found = trainer.inverse(torch.cat([obs, (after - obs) / trainer.change_spread], 1))
    assert (found - batch["action"]).square().mean().sqrt() < 0.05 * batch["action"].std()


def test_adjusted_actions_are_denser_and_move_states_to_where_there_are_more_data(linear_cdsa):
    """The density is that of the data with noise, in closed form."""
    trainer, mean, covariance = linear_cdsa
    config, precision = trainer.config, (covariance + 0.25 * torch.eye(3)).inverse()
    torch.manual_seed(9)
    raw = linear_transitions(500)["obs"]
    obs = trainer.obs_normaliser(raw)
    action = raw @ TAKEN + torch.where(torch.rand(500, 1) < 0.5, 0.3, -0.3)  # two deviations from the data's

    def log_density(actions):
        away = torch.cat([obs, (actions - trainer.action_mean) / trainer.action_spread], 1) - mean
        return -0.5 * (away @ precision * away).sum(1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "state_rate", 0.0)
        patch.setattr(config, "action_steps", 1)
        moved = adjusted(trainer, obs, action)
        away = torch.cat([obs, (action - trainer.action_mean) / trainer.action_spread], 1) - mean
        expected = -0.5 * 0.25 * (away @ precision)[:, 2:] * trainer.action_spread
        inside = moved.abs() < 1
        assert (moved - action - expected)[inside].abs().mean() < 0.1 * expected[inside].abs().mean()
        once = log_density(moved)
        patch.setattr(config, "action_steps", 3)
        thrice = log_density(adjusted(trainer, obs, action))
        assert (once > log_density(action)).float().mean() > 0.97
        assert (thrice > once).float().mean() > 0.9
        patch.setattr(config, "action_rate", 0.0)
        patch.setattr(config, "state_rate", 1.0)
        with torch.no_grad():
            there = (action - trainer.action_mean) / trainer.action_spread
            wished = 0.5 * trainer.score(TorchOps(), obs, there)[:, :2]
            asked, none = (trainer.inverse(torch.cat([obs, one], 1)) for one in (wished, 0 * wished))
        pushed = adjusted(trainer, obs, action)
        torch.testing.assert_close(pushed, (action + asked - none).clamp(-1, 1))
        after, before = (trainer.obs_normaliser(raw @ DRIFT + one @ PUSH) for one in (pushed, action))
        along = ((after - before) / trainer.change_spread * wished).sum(1)
        assert (along > 0).float().mean() > 0.8  # one action cannot grant the wishes of both numbers


def test_without_steps_the_base_plays_and_with_them_the_file_is_the_network(linear_cdsa, tmp_path):
    trainer, config = linear_cdsa[0], linear_cdsa[0].config
    raw, known = torch.randn(300, 2), trainer.base
    linear_policy(tmp_path / "policy.onnx", (-1.5, -2.0))
    for base in (known, load_policy(tmp_path)):
        trainer.base = base
        said = base.act(raw.numpy(), None)
        expected = adjusted(trainer, trainer.obs_normaliser(raw), torch.from_numpy(said)).numpy()
        assert trainer.policy().act(raw.numpy(), None) == pytest.approx(expected, abs=1e-5)
        assert np.abs(expected - said).mean() > 0.01
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(config, "action_rate", 0.0)
            patch.setattr(config, "state_rate", 0.0)
            assert np.array_equal(trainer.policy().act(raw.numpy(), None), said)
    trainer.base = known


@pytest.mark.parametrize("kind", ["tanh", "clip", "none"])
def test_a_policy_inside_another_file_acts_as_by_itself(kind):
    """Bit by bit, with bounds of each number of its own."""
    from types import SimpleNamespace

    import gymnasium
    from export import Exporter

    from envsuite.agents.onnx import Action, Interface, OnnxPolicy, Program, mlp

    rng = np.random.Generator(np.random.Philox(2))
    low, high = np.float32([-0.3, 1.0]), np.float32([0.5, 1.7])
    space = gymnasium.spaces.Box(low, high)
    env = SimpleNamespace(single_observation_space=gymnasium.spaces.Box(-9, 9, (3,)), single_action_space=space)
    bounds = () if kind == "none" else (tuple(map(float, low)), tuple(map(float, high)))
    weights = [rng.normal(size=shape).astype(np.float32) for shape in ((8, 3), (2, 8))]
    model = mlp(weights, [np.ones(8, np.float32), np.ones(2, np.float32)])
    policy = OnnxPolicy(Program(model), Interface(small("Glider"), Action(kind, *bounds)))
    obs = rng.normal(size=(50, 3)).astype(np.float32)
    exporter = Exporter(small("Glider"), env)
    found = exporter.finish(exporter.actions_of(policy), "clip").act(obs, None)
    assert np.array_equal(found, np.clip(policy.act(obs, None), low, high))


def test_bases_and_sizes_of_steps_that_cannot_be_are_refused(datasets, tmp_path):
    from envsuite.agents.onnx import Action, Graph, Interface, State, save

    for wrong, told in (
        ({"noise": 0.0}, r"noise is 0\.0, expected a finite number above 0"),
        ({"action_rate": 1.5}, r"action_rate is 1\.5, expected 0 to 1"),
        ({"state_rate": -0.1}, r"state_rate is -0\.1, expected a finite number from 0 on"),
        ({"base_hash": "12"}, r"base_hash is '12', expected '': bc is trained first"),
        ({"base": "ppo"}, "base is 'ppo', expected a policy file, a run folder or one of bc, iql, td3_bc"),
    ):
        with pytest.raises(ValueError, match=told):
            made("cdsa", **wrong)
    path = tmp_path / "policy.onnx"
    linear_policy(path, (-1.5, -2.0))
    with pytest.raises(ValueError, match=r"base_settings is \{.*\}, expected \{\}: .* is trained already"):
        made("cdsa", base=str(path))
    trainer = made("cdsa", base=str(path), base_settings={})
    assert trainer.base_return > -5
    linear_policy(path, (0.0, 0.0))
    with pytest.raises(ValueError, match=r"has hash .*, the settings say"):
        CDSA(trainer.config)
    graph = Graph((2,))
    push = graph.gru(graph.observation, *(np.zeros(shape, np.float32) for shape in ((3, 2), (3, 1), (3,), (3,))))
    states = tuple(State(*one) for one in graph.states)
    save(path, graph.model(push, (1,)), Interface(small("Glider"), Action("clip", (-1.0,), (1.0,)), states=states))
    with pytest.raises(ValueError, match=r"the policy has 1 states, .*expected none, numbers and version 17"):
        made("cdsa", base=str(path), base_settings={})


FAST_CRITIC = {"critic_rate": 3e-3, "conservatism": 1.0}
LONGER = {"total_steps": 1500, "hidden": (32, 32), "learning_rate": 1e-3, "critic_rate": 1e-3, "gamma": 0.9}
FAST_MODEL = {"total_steps": 800, "model_steps": 300, "critic_rate": 3e-3, "model_rate": 3e-3, "caution": 0.1}
LEARNS = {  # settings, and what is enough: returns of the Glider (random -393, expert -2), the share of goals reached
    "bc": ({"top": 0.3}, -8),
    "td3_bc": ({}, -30),
    "iql": ({}, -30),
    "rebrac": ({"actor_weight": 0.5}, -30),
    "cql": (FAST_CRITIC, -20),
    "cal_ql": (FAST_CRITIC, -20),
    "edac": (LONGER | {"ensemble": 8, "eta": 0.01, "weight": 0.01}, 0.6),
    "sac_n": ({}, -20),
    "dvl": ({"total_steps": 800}, -30),
    "dvl_variation": ({}, -30),
    "recoil": ({}, -30),
    "retrieval": ({"total_steps": 800}, -30),
    "cdsa": ({}, -30),
    "fql": ({"alpha": 1.0}, -30),
    "mopo": (FAST_MODEL, -30),
    "mobile": (FAST_MODEL, -30),
    "dt": ({}, -20),
    "gcbc": ({}, 0.7),
    "gciql": ({}, 0.5),
    "gcfql": ({"alpha": 0.3, "tau": 0.02}, 0.5),
}


@pytest.mark.parametrize("name", LEARNS)
def test_each_learns_from_mixed_data(datasets, name):
    settings, enough = LEARNS[name]
    _, episodes = made(name, **{"total_steps": 400, **settings}).train()
    assert episodes.returns.mean() > enough


def test_prior_data_teach(datasets):
    settings = {**QUICK, "hidden": (32, 32), "total_steps": 2000, "evaluations": 4}
    trainer = RLPD(RLPDConfig.for_env("", dataset=GLIDER, **settings, **ONLINE))
    numbers = []
    _, episodes = trainer.train(lambda step, episodes, **told: numbers.append(told))
    assert episodes.returns.mean() > -15
    assert len(numbers) == 5  # one before playing
    assert "regret" not in numbers[-1]  # the environment has no anchors
    assert list(trainer.policies()) == ["policy", "policy-4", "policy-500", "policy-1000", "policy-1500"]


def test_regret_is_what_is_missing_to_the_expert_in_the_mean():
    import envsuite
    from envsuite.evaluation.rollout import Episodes

    card, trainer = envsuite.card("QuadHover"), RLPD.__new__(RLPD)
    trainer.config, trainer.actor, trainer.steps = RLPDConfig(env_id=card.id), torch.nn.Linear(1, 1), 0
    low, high = card.random.mean, card.expert.mean
    told = []
    for share in (0.0, 0.5, 1.0):
        returns = np.full(4, low + share * (high - low))
        flags = np.zeros(4, bool)
        told.append(trainer.summary(Episodes(np.arange(4), returns, np.ones(4), flags, flags)))
    assert [one["normalised_calibrated"] for one in told] == pytest.approx([0, 50, 100])
    assert "regret" not in told[0]  # nothing was played yet
    assert [one["regret"] for one in told[1:]] == pytest.approx([0.5, 0.25])


def test_additions_to_a_frozen_clone_teach(datasets):
    """It begins where the clone is and ends above it; the clone stays as it was."""
    settings = {**QUICK, "hidden": (32, 32), "total_steps": 2000, "evaluations": 4, "clone_updates": 60, "reach": 0.5}
    trainer = Residual(ResidualConfig.for_env("", dataset=GLIDER, **settings, **ONLINE))
    trainer.learn_clone()
    before = [one.clone() for one in trainer.clone.parameters()]
    first = trainer.evaluate().returns.mean()
    _, episodes = trainer.train()
    assert all(torch.equal(*pair) for pair in zip(before, trainer.clone.parameters(), strict=True))
    assert first < -60
    assert episodes.returns.mean() > -40


def test_additions_stay_within_reach(datasets):
    """Play and policy file are the clone's action and what is added, by hand."""
    trainer = Residual(ResidualConfig.for_env("", dataset=GLIDER, **{**QUICK, "total_steps": 80}, **ONLINE, reach=0.1))
    obs, noise = torch.randn(200, 2), torch.randn(200, 1) * 5
    with torch.no_grad():
        known = trainer.clone(obs)
        action, log_prob = trainer.sample_action(obs, noise)
        mean, log_std = trainer.actor(torch.cat([obs, known], 1)).T
        more = (mean + log_std.exp() * noise[:, 0]).tanh()
        torch.testing.assert_close(action[:, 0], (known[:, 0] + 0.1 * more).clamp(-1, 1))
        assert float((action - known).abs().max()) <= 0.1 + 1e-6
        normal = torch.distributions.Normal(mean, log_std.exp())
        density = normal.log_prob(mean + log_std.exp() * noise[:, 0]) - (1 - more**2).log()
        near = more.abs() < 0.999
        torch.testing.assert_close(log_prob[near], density[near], rtol=1e-3, atol=1e-3)
        raw = trainer.obs_normaliser(obs)
        known = trainer.clone(raw)
        expected = (known + 0.1 * trainer.actor(torch.cat([raw, known], 1))[:, :1].tanh()).clamp(-1, 1)
    assert trainer.policy().act(obs.numpy(), None) == pytest.approx(expected.numpy(), abs=1e-5)
    with pytest.raises(ValueError, match=r"reach is 0\.0, expected a number above 0"):
        Residual(ResidualConfig.for_env("", dataset=GLIDER, reach=0.0))


def test_own_steps_know_what_was_earned():
    """Returns to go are the sums of the definition, episode by episode and instance by instance."""
    rng = np.random.Generator(np.random.Philox(3))
    rewards, done = rng.normal(size=(12, 2)).astype(np.float32), np.zeros((12, 2), bool)
    done[[3, 9], 0] = done[6, 1] = True
    own = OwnSteps(capacity=26, instances=2, gamma=0.9)
    for t in range(12):
        row = {"obs": torch.full((2, 1), float(t)), "reward": torch.from_numpy(rewards[t])}
        own.add(row, torch.from_numpy(done[t]))
    found = own.state_dict()["columns"]["return_to_go"].reshape(12, 2).numpy()
    for k, spans in enumerate((((0, 4), (4, 10)), ((0, 7),))):
        for start, stop in spans:
            for t in range(start, stop):
                expected = sum(0.9 ** (s - t) * rewards[s, k] for s in range(t, stop))
                assert found[t, k] == pytest.approx(expected, rel=1e-5)
    assert np.isneginf(found[10:, 0]).all()  # episodes that go on
    assert np.isneginf(found[7:, 1]).all()
    again = OwnSteps(capacity=26, instances=2, gamma=0.9)
    again.load_state_dict(own.state_dict())
    for one in (own, again):
        last = {"obs": torch.zeros(2, 1), "reward": torch.ones(2)}
        one.add(last, torch.tensor([True, True]))
    assert torch.equal(*(one.state_dict()["columns"]["return_to_go"] for one in (own, again)))
    assert float(own.state_dict()["columns"]["return_to_go"][-2]) == 1.0


@pytest.mark.parametrize("name", ["iql_online", "cal_ql_online"])
def test_data_first_and_own_steps_later(datasets, name):
    """Updates on the data alone, then batches in the stated parts, and play that goes on from what was learned."""
    maker, kind, extra = PLAYING[name]
    settings = {**QUICK, "hidden": (32, 32), "total_steps": 1600, "evaluations": 2, **extra}
    settings |= {"offline_updates": 150, "learning_rate": 1e-3, "share": 0.25}
    trainer = maker(kind.for_env("", dataset=GLIDER, **settings))
    seen = []
    _, episodes = trainer.train(lambda step, episodes, **told: seen.append((step, episodes.returns.mean())))
    assert [step for step, _ in seen] == [0, 800, 1600]
    assert seen[0][1] < seen[-1][1]
    assert episodes.returns.mean() > -40
    assert trainer.own.count == 1600
    known = {float(one) for one in trainer.rows.rewards().float()}
    batch = trainer.sample(64)
    assert all(float(one) in known for one in batch["reward"][:16])
    assert sum(float(one) in known for one in batch["reward"][16:]) < 6
    trainer.config.share = -1.0  # as many of each as there are
    part = round(600 * trainer.rows.count / (trainer.rows.count + 1600))
    rewards = trainer.sample(600)["reward"]
    assert all(float(one) in known for one in rewards[:part])
    assert sum(float(one) in known for one in rewards[part:]) < 40
    if name == "cal_ql_online":  # what the data got and what it got itself, to the end of each episode
        assert torch.isfinite(batch["return_to_go"][:16]).all()
        assert torch.isfinite(batch["return_to_go"]).float().mean() > 0.8
    early, late = trainer.policies()["policy-0"], trainer.policy()
    obs = np.float32([[0.3, -0.2], [1.0, 1.0]])
    assert not np.allclose(early.act(obs, None), late.act(obs, None))
    assert np.array_equal(trainer.policies()["policy"].act(obs, None), late.act(obs, None))


class StoppedError(Exception):
    """Stands for a machine that goes down."""


def stop_after(steps: int):
    def progress(done: int) -> None:
        if done >= steps:
            raise StoppedError

    return progress


GOES_ON = {"num_envs": 4, "first_steps": 20, "updates": 0.5, "offline_updates": 20}
PLAYING = {
    "rlpd": (RLPD, RLPDConfig, ONLINE),
    "residual": (Residual, ResidualConfig, ONLINE),
    "iql_online": (IQLOnline, IQLOnlineConfig, GOES_ON),
    "cal_ql_online": (CalQL, CalQLConfig, GOES_ON | {"samples": 3}),
}


@pytest.mark.parametrize("name", [*ALGORITHMS, *PLAYING])
def test_a_stopped_run_ends_with_the_same_bits(datasets, name, tmp_path, monkeypatch):
    monkeypatch.setattr("offline.CHUNK", 20)
    settings = {**QUICK, "hidden": (8,), "batch_size": 16, "total_steps": 80, "evaluations": 4, "episodes": 2}
    if name in PLAYING:
        maker, kind, extra = PLAYING[name]
        config = kind.for_env("", dataset=GLIDER, **settings, **extra)
    else:
        maker, kind, dataset, extra = ALGORITHMS[name]
        config = kind.for_env("", dataset=dataset, **{**settings, **extra})
    whole = run(maker, config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(maker, config, tmp_path / "parts", stop_after(60))
    (path,) = (tmp_path / "parts").rglob(CHECKPOINT)
    resumed = run(maker, config, tmp_path / "parts")
    assert resumed == path.parent
    for file in ("policy.onnx", "episodes.jsonl"):
        assert (resumed / file).read_bytes() == (whole / file).read_bytes()
    record = json.loads((resumed / "run.json").read_text())
    assert record["config"]["dataset_hash"] == load(config.dataset).manifest.hash
    assert ("environment steps" if name in PLAYING else "80 updates") in (resumed / "policy.md").read_text()


def test_a_loss_that_is_no_number_stops_the_run(datasets, monkeypatch):
    trainer = made("iql")
    monkeypatch.setattr(trainer, "update", lambda: {"value_loss": torch.tensor(float("nan"))})
    with pytest.raises(FloatingPointError, match="value_loss is nan at update 100"):
        trainer.train()


def test_exported_policies_act_like_the_actors(datasets):
    obs = np.float32([[0.3, -0.2], [1.0, 1.0]])
    for name in ("bc", "iql", "td3_bc", "cql"):
        trainer = made(name)
        with torch.no_grad():
            expected = trainer.actor(trainer.obs_normaliser(torch.from_numpy(obs)))[:, :1]
        expected = expected.tanh() if name == "cql" else expected
        assert trainer.policy().act(obs, None) == pytest.approx(expected.numpy(), abs=1e-5)


def test_datasets_that_do_not_fit_are_refused(datasets):
    with pytest.raises(ValueError, match="iql learns from a dataset: --dataset ID, one of "):
        IQLConfig.for_env("QuadHover")
    with pytest.raises(ValueError, match="envsuite/DMSDShift-v0 has none; policies learn on envsuite/DMSD-v0"):
        IQLConfig.for_env("DMSDShift")
    with pytest.raises(ValueError, match="is of small/Glider-v0, not of QuadHover"):
        IQLConfig.for_env("QuadHover", dataset=GLIDER)
    with pytest.raises(FileNotFoundError, match="there is no dataset small/none-v0"):
        IQLConfig.for_env("", dataset="small/none-v0")
    with pytest.raises(ValueError, match="the settings say 1234"):
        made("bc", dataset_hash="1234")
    with pytest.raises(ValueError, match="no block 'desired goal'"):
        GCBC(GCBCConfig.for_env("", dataset=GLIDER, **QUICK, achieved="state"))
    assert IQLConfig.for_env(small("Glider"), dataset=GLIDER).env_id == small("Glider")


def linear_policy(path, gains):
    """Clipped linear feedback on the Glider as a policy file."""
    from envsuite.agents.onnx import Action, Interface, mlp, save

    weights, bias = np.float32([gains]), np.zeros(1, np.float32)
    save(path, mlp([weights], [bias]), Interface(small("Glider"), Action("clip", (-1.0,), (1.0,))))


def test_fitted_values_are_those_of_play(datasets, tmp_path):
    """Discounted returns of three controllers from the data's first states, by simulation of the Glider's equations."""
    from fqe import FQE, FQEConfig
    from offline import Transitions, open_dataset

    settings = {"hidden": (64,), "learning_rate": 3e-3, "total_steps": 1500, "gamma": 0.9, "tau": 0.02, "threads": 1}
    config = FQEConfig(dataset=GLIDER, env_id=small("Glider"), **settings)
    rows, data = Transitions(open_dataset(config), config), load(GLIDER)
    firsts = data.columns["observations"][data.starts].astype(np.float64)
    fitted, true = [], []
    for gains in ((-1.5, -2.0), (-0.3, -0.3), (0.0, 0.0)):
        linear_policy(tmp_path / "policy.onnx", gains)
        fitted.append(FQE(load_policy(tmp_path / "policy.onnx"), rows, config).fit())
        place, speed, total = firsts[:, 0], firsts[:, 1], np.zeros(len(firsts))
        for step in range(100):
            push = np.clip(gains[0] * place + gains[1] * speed, -1, 1)
            speed = np.clip(speed + 0.2 * push, -3, 3)
            place = np.clip(place + 0.2 * speed, -5, 5)
            total -= 0.9**step * (place**2 + 0.1 * speed**2)
        true.append(total.mean())
    assert true[0] > true[1] > true[2]
    assert fitted[0] > fitted[1] > fitted[2]
    assert fitted[:2] == pytest.approx(true[:2], rel=0.4)  # a small network, soon stopped


def test_policies_are_ranked_and_the_values_kept(datasets, tmp_path):
    from fqe import rank, report

    from envsuite.evaluation.runs import find_runs

    for seed in range(2):
        config = BCConfig.for_env("", dataset=GLIDER, **{**QUICK, "total_steps": 100, "seed": seed})
        run(BC, config, tmp_path)
    ranked = rank(find_runs(tmp_path), total_steps=50, hidden=(8,))
    values = [json.loads((one.path / "fqe.json").read_text())["value"] for one, _ in ranked]
    assert values == [value for _, value in ranked] == sorted(values, reverse=True)
    assert "chosen by value: " in report(ranked)
    with pytest.raises(ValueError, match="expected one dataset"):
        rank([])


@pytest.fixture
def controllers(tmp_path):
    """Three candidates on the Glider: a good one, one like the data, one that does nothing."""
    import hashlib

    import envsuite
    from envsuite.evaluation.selection import INDEX

    place, policies = tmp_path / "candidates" / GLIDER, {}
    place.mkdir(parents=True)
    for name, gains, score in (("a", (-0.3, -0.3), -60.0), ("b", (-1.5, -2.0), -3.0), ("c", (0.0, 0.0), -390.0)):
        linear_policy(place / f"{name}.onnx", gains)
        digest = hashlib.sha256((place / f"{name}.onnx").read_bytes()).hexdigest()
        policies[name] = {"origin": "by hand", "score": score, "standard_error": 1.0, "sha256": digest}
    card = envsuite.card(small("Glider"))
    table = {"env_id": card.id, "behaviour": card.behaviour, "episodes": 10, "policies": policies}
    (place / INDEX).write_text(json.dumps(table))
    return tmp_path / "candidates"


def test_a_policy_is_chosen_by_its_fitted_value(datasets, controllers, tmp_path):
    """The best; its very file is the run's policy, and the record says how well the candidates were told apart."""
    from selection import Selection, SelectionConfig

    from envsuite.evaluation.runs import RunRecord

    settings = {"hidden": (64,), "learning_rate": 3e-3, "gamma": 0.9, "tau": 0.02, "threads": 1, "episodes": 20}
    config = SelectionConfig.for_env("", dataset=GLIDER, candidates=str(controllers), total_steps=3000, **settings)
    path = run(Selection, config, tmp_path / "runs")
    for suffix in (".onnx", ".json"):
        assert (path / f"policy{suffix}").read_bytes() == (controllers / GLIDER / f"b{suffix}").read_bytes()
    last = RunRecord.load(path).metrics()[-1]
    assert (last["step"], last["regret_1"], last["rank_correlation"]) == (3000, 0.0, pytest.approx(1.0))
    assert last["value_b"] > last["value_a"] > last["value_c"]
    assert last["mean_return"] > -15


def test_likeness_is_the_distance_from_the_actions_of_the_data(datasets, controllers):
    from selection import Selection, SelectionConfig

    config = SelectionConfig.for_env("", dataset=GLIDER, candidates=str(controllers), estimator="likeness", threads=1)
    trainer, data = Selection(config), load(GLIDER)
    trainer.train()
    place, speed = data.columns["observations"].astype(np.float64).T
    for name, gains in (("a", (-0.3, -0.3)), ("b", (-1.5, -2.0)), ("c", (0.0, 0.0))):
        said = np.clip(gains[0] * place + gains[1] * speed, -1, 1)
        expected = -((said - data.columns["actions"][:, 0].clip(-1, 1)) ** 2).mean()
        assert trainer.values[name] == pytest.approx(expected, rel=1e-4)
    with pytest.raises(ValueError, match="evaluations is 4, expected 1: selection does not use it"):
        Selection(dataclasses.replace(config, evaluations=4))  # until all have values there is nothing to judge
    with pytest.raises(ValueError, match=r"estimator is 'guess', expected one of \('fqe', 'likeness'\)"):
        Selection(dataclasses.replace(config, estimator="guess"))


def test_the_command_line_needs_the_dataset_alone(datasets, tmp_path, monkeypatch, capsys):
    """The environment is the dataset's; without a dataset, or with another environment, it says what is wrong."""
    settings = ["--total-steps", "20", "--evaluations", "1", "--episodes", "2", "--runs", str(tmp_path)]
    monkeypatch.setattr("sys.argv", ["bc.py", "--dataset", GLIDER, *settings])
    main(BC, BCConfig)
    assert capsys.readouterr().out.startswith(f"run folder: {tmp_path}")
    monkeypatch.setattr("sys.argv", ["bc.py", *settings])
    with pytest.raises(SystemExit, match="1"):
        main(BC, BCConfig)
    assert (
        capsys.readouterr().err == "error: bc learns from a dataset: --dataset ID, `envsuite datasets list` shows all\n"
    )
    monkeypatch.setattr("sys.argv", ["bc.py", "--env-id", "Nowhere", "--dataset", GLIDER])
    with pytest.raises(SystemExit, match="2"):
        main(BC, BCConfig)
    assert "unknown environment 'Nowhere'" in capsys.readouterr().err

"""SAC, DQN and PQN: targets against definitions, and that they learn small tasks with known best returns."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from dqn import DQN, DQNConfig, epsilon_greedy  # noqa: E402
from learning import gradient_step  # noqa: E402
from pqn import PQN, PQNConfig, lambda_returns  # noqa: E402
from sac import SAC, SACConfig  # noqa: E402
from td3 import TD3, TD3Config  # noqa: E402

from .worlds import small  # noqa: E402

QUICK = {"evaluations": 1, "threads": 1, "episodes": 50}


def test_density_of_squashed_actions_is_that_of_their_histogram():
    trainer = SAC(SACConfig(env_id=small("Glider"), num_envs=2, **QUICK))
    with torch.no_grad():
        action, log_prob = trainer.sample_action(torch.zeros(200_000, 2))
    density, edges = np.histogram(action[:, 0].numpy(), bins=20, range=(-0.9, 0.9))
    for k in range(20):
        inside = (action[:, 0] >= float(edges[k])) & (action[:, 0] < float(edges[k + 1]))
        expected = float(log_prob[inside].exp().mean())
        assert density[k] / 200_000 / (edges[1] - edges[0]) == pytest.approx(expected, rel=0.05)


def test_soft_targets_are_the_lesser_critic_and_the_entropy():
    trainer = SAC(SACConfig(env_id=small("Glider", 5), num_envs=4, returns=1, gamma=0.9, **QUICK))
    for _ in range(20):
        trainer.collect(learning=False)
    batch = trainer.memory.sample(32)
    assert (batch["discount"] > 0.89).all()  # the length limit is no end of the task
    torch.manual_seed(5)
    found = trainer.targets(batch, torch.tensor(0.3))
    torch.manual_seed(5)
    with torch.no_grad():
        action, log_prob = trainer.sample_action(trainer.obs_normaliser(batch["next_obs"]))
        values = trainer.target_critics(trainer.critic_normaliser(batch["next_critic_obs"]), action)
    for k in range(32):
        soft = min(float(values[0, k]), float(values[1, k])) - 0.3 * float(log_prob[k])
        assert float(found[k]) == pytest.approx(float(batch["reward"][k]) + 0.9 * soft, rel=1e-4, abs=1e-5)


def test_the_actor_moves_in_its_turn_and_its_loss_leaves_the_critics_alone():
    settings = {"num_envs": 4, "actor_every": 3, "batch_size": 16, "tau": 0.0}
    trainer = SAC(SACConfig(env_id=small("Glider"), **settings, **QUICK))
    for _ in range(20):
        trainer.collect(learning=False)

    def moved(network) -> bool:
        now = torch.nn.utils.parameters_to_vector(network.parameters()).clone()
        moved = not torch.equal(now, before.get(network, now))
        before[network] = now
        return moved

    before = {}
    parts = (trainer.actor, trainer.critics, trainer.log_weight)
    assert not any(moved(part) for part in parts)
    turns = []
    for _ in range(6):
        losses = trainer.update()
        turns.append([moved(part) for part in parts])
        assert ("actor_loss" in losses) == turns[-1][0]
    assert turns == [[False, True, False], [False, True, False], [True, True, True]] * 2
    for one in trainer.critics.parameters():
        one.grad = torch.full_like(one, 7.0)
    obs = torch.zeros(4, 2)
    gradient_step(trainer.actor_optimiser, -trainer.own_value(obs, trainer.sample_action(obs)[0]).mean())
    assert all((one.grad == 7.0).all() for one in trainer.critics.parameters())


@pytest.mark.parametrize(("method", "config"), [(SAC, SACConfig), (TD3, TD3Config)])
def test_rewards_are_scaled_where_they_are_learned_from(method, config):
    """The sum of two of them too, and nothing else."""
    kept = []
    for scale in (1.0, 0.25):
        trainer = method(config(env_id=small("Glider"), num_envs=4, returns=2, reward_scale=scale, seed=1, **QUICK))
        for _ in range(20):
            trainer.collect(learning=False)
        kept.append(trainer.memory.state_dict()["columns"])
    plain, scaled = kept
    assert plain["reward"].abs().max() > 0
    torch.testing.assert_close(scaled.pop("reward"), 0.25 * plain.pop("reward"))
    assert all(torch.equal(scaled[name], values) for name, values in plain.items())


@pytest.mark.parametrize(("method", "config"), [(SAC, SACConfig), (TD3, TD3Config)])
@pytest.mark.parametrize("norm", [False, True])
def test_normalised_critics_do_not_feel_the_scale_of_their_layers(method, config, norm):
    trainer = method(config(env_id=small("Glider"), num_envs=4, activation="relu", norm=norm, **QUICK))
    obs, action = torch.randn(16, 2), torch.rand(16, trainer.action_scale.numel())
    for critics in (trainer.critics, trainer.target_critics):
        with torch.no_grad():
            before = critics(obs, action)
            for one in critics.layers[0].parameters():
                one *= 100.0
            assert torch.allclose(critics(obs, action), before, rtol=1e-3, atol=1e-4) == norm


@pytest.mark.parametrize("double", [False, True])
def test_q_targets(double):
    trainer = DQN(DQNConfig(env_id=small("Pole", 14), num_envs=4, gamma=0.9, double=double, **QUICK))
    for _ in range(100):
        trainer.collect(learning=False)
    torch.nn.init.normal_(trainer.target.layers[-1].bias)
    batch = trainer.memory.sample(200)
    found = trainer.targets(batch)
    with torch.no_grad():
        values, own = trainer.target(batch["next_obs"]), trainer.network(batch["next_obs"])
    fell = (batch["next_obs"][:, 0].abs() > 2.4) | (batch["next_obs"][:, 2].abs() > math.radians(12))
    assert fell.any()
    assert not fell.all()
    for k in range(200):
        next_value = values[k, own[k].argmax()] if double else values[k].max()
        expected = 1.0 if fell[k] else 1.0 + 0.9 * float(next_value)
        assert float(found[k]) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_lambda_returns_are_their_definition():
    """The mean over n of n-step returns, weighted with (1 - trace) trace^(n-1), cut at the end of the episode."""
    generator = torch.Generator().manual_seed(0)
    steps, trace = 7, 0.6
    reward, after = (torch.randn(steps, 1, generator=generator) for _ in range(2))
    done = torch.tensor([0, 0, 0, 1, 0, 0, 0], dtype=torch.bool)[:, None]
    discount = torch.full((steps, 1), 0.9)
    discount[3] = 0.0
    found = lambda_returns(reward, discount, done, after, trace)
    for start in range(steps):
        stop = 3 if start <= 3 else steps - 1
        total, left = 0.0, 1.0
        for n in range(1, stop - start + 2):
            end = start + n - 1
            value = sum(0.9**k * float(reward[start + k]) for k in range(n))
            value += 0.9 ** (n - 1) * float(discount[end]) * float(after[end])
            share = left if end == stop else left * (1 - trace)
            total, left = total + share * value, left - share
        assert float(found[start]) == pytest.approx(total, abs=1e-5)


def test_random_choices_are_uniform_among_those_allowed():
    torch.manual_seed(0)
    greedy, mask = torch.zeros(30_000, dtype=torch.int64), torch.tensor([False, True, True]).expand(30_000, -1)
    counts = torch.bincount(epsilon_greedy(greedy, 3, 1.0, mask), minlength=3) / 30_000
    torch.testing.assert_close(counts, torch.tensor([0.0, 0.5, 0.5]), atol=0.01, rtol=0)
    kept = (epsilon_greedy(greedy, 3, 0.3, None) == 0).float().mean()
    assert float(kept) == pytest.approx(0.7 + 0.3 / 3, abs=0.01)
    nobody = torch.zeros(5, 3, dtype=torch.bool)
    assert len(epsilon_greedy(greedy[:5], 3, 1.0, nobody)) == 5


def test_other_spaces_are_refused():
    with pytest.raises(ValueError, match=r"MultiDiscrete.*expected Discrete"):
        DQN(DQNConfig(env_id=small("Locks")))
    with pytest.raises(ValueError, match=r"Discrete\(2\) is not supported, expected Box"):
        SAC(SACConfig(env_id=small("Pole")))
    with pytest.raises(ValueError, match="expected vectors"):
        SAC(SACConfig(env_id=small("Glider"), env_options={"obs_type": "pixels"}, num_envs=1))


def test_sac_stops_the_glider():
    """The best return of this task is about -4 (linear-quadratic control); doing nothing gets about -40."""
    settings = {"num_envs": 4, "total_steps": 5_000, "first_steps": 400, "updates": 0.25, "hidden": (32, 32)}
    rate = {"learning_rate": 3e-3, "critic_rate": 3e-3, "tau": 0.02, "gamma": 0.95}
    trainer = SAC(SACConfig(env_id=small("Glider"), **settings, **rate, **QUICK))
    policy, episodes = trainer.train()
    assert episodes.returns.mean() > -8
    with torch.no_grad():
        expected = trainer.actor(trainer.obs_normaliser(trainer.rows.obs))[:, :1].tanh().numpy()
    np.testing.assert_allclose(policy.act(trainer.rows.obs.numpy(), None), expected, atol=1e-5)


@pytest.mark.parametrize(("maker", "settings"), [(DQN, DQNConfig), (PQN, PQNConfig)])
def test_q_networks_learn_to_look(maker, settings):
    """Images of 10 x 10; the best return is 4, chance 2."""
    common = {"num_envs": 16, "total_steps": 5_000, "learning_rate": 1e-3, "gamma": 0.5, "hidden": (32,)}
    extra = {"first_steps": 500, "batch_size": 32} if maker is DQN else {"num_steps": 8}
    trainer = maker(settings(env_id=small("Look"), **common, **extra, **QUICK))
    policy, episodes = trainer.train()
    assert episodes.returns.mean() > 3.9
    with torch.no_grad():
        expected = trainer.network(trainer.rows.obs).argmax(1)
    assert policy.act(trainer.rows.obs.numpy(), None).tolist() == expected.tolist()


def test_entropy_that_is_asked_for_changes_evenly():
    settings = {"num_envs": 4, "actor_every": 1, "batch_size": 16, "weight": 0.5, "learning_rate": 0.0}
    losses = []
    for share in (0.0, 0.25, 1.0):
        trainer = SAC(SACConfig(env_id=small("Glider"), entropy=-0.5, final_entropy=-1.5, **settings, **QUICK))
        for _ in range(20):
            trainer.collect(learning=False)
        trainer.steps = int(share * trainer.config.total_steps)
        losses.append(trainer.update()["weight_loss"].item())
    # of -log(weight) (log density + entropy times actions), at the same density
    assert losses[1] - losses[0] == pytest.approx(0.25 * math.log(0.5), abs=1e-5)
    assert losses[2] - losses[0] == pytest.approx(math.log(0.5), abs=1e-5)


def test_td3_acts_at_random_at_a_share_of_its_steps():
    settings = {"num_envs": 500, "total_steps": 1_000, "hidden": (8,), "threads": 1, "returns": 2, "noise": 0.01}
    trainer = TD3(TD3Config(env_id=small("Glider"), random=0.3, **settings))
    trainer.collect(learning=True)
    actions = trainer.memory._window[0]["action"]  # the actor's are close to 0 at first
    assert ((actions.abs() > 0.1).any(1)).float().mean().item() == pytest.approx(0.3, abs=0.08)
    with pytest.raises(ValueError, match=r"random is 1\.5, expected a share from 0 to 1"):
        TD3(TD3Config(env_id=small("Glider"), random=1.5, **settings))


def test_noise_of_td3_falls_to_a_share_of_it():
    settings = {"num_envs": 500, "total_steps": 10_000, "hidden": (8,), "threads": 1, "returns": 10, "noise": 0.2}
    trainer = TD3(TD3Config(env_id=small("Glider"), final_noise=0.25, **settings))
    for steps in (0, 5_000, 9_500):
        trainer.steps = steps
        trainer.collect(learning=True)
    spreads = [columns["action"].std(0).mean().item() for columns in trainer.memory._window]
    assert spreads == pytest.approx([0.2, 0.125, 0.0575], rel=0.1)  # the actor's are close to 0 at first
    with pytest.raises(ValueError, match=r"final_noise is -0\.1, expected a share from 0 to 1"):
        TD3(TD3Config(env_id=small("Glider"), final_noise=-0.1, **settings))


def test_cost_of_actions_pulls_the_actor_to_the_middle():
    settings = {"num_envs": 50, "total_steps": 1_000, "hidden": (8,), "threads": 1, "returns": 2, "batch_size": 32}
    losses = []
    for cost in (0.0, 2.0):
        trainer = TD3(TD3Config(env_id=small("Glider"), action_cost=cost, seed=1, **settings))
        for _ in range(5):
            trainer.collect(learning=False)
        trainer.updates = 1
        losses.append(trainer.update()["actor_loss"].item())
        with torch.no_grad():
            trainer.actor[-2].bias.fill_(3.0)
        trainer.updates = 1
        losses.append(trainer.update()["actor_loss"].item())
    assert losses[2] - losses[0] == pytest.approx(0.0, abs=1e-3)
    assert losses[3] - losses[1] == pytest.approx(2.0, abs=0.1)
    with pytest.raises(ValueError, match=r"action_cost is -1\.0, expected 0 or more"):
        TD3(TD3Config(env_id=small("Glider"), action_cost=-1.0, **settings))


def test_correlated_noise_goes_on_and_keeps_its_spread():
    settings = {"num_envs": 500, "total_steps": 1_000, "hidden": (8,), "threads": 1, "returns": 2}
    trainer = SAC(SACConfig(env_id=small("Glider"), correlation=0.8, **settings))
    noise = torch.cat([trainer.noise.normal() for _ in range(200)], 1)[:, 50:]
    assert noise.mean().item() == pytest.approx(0.0, abs=0.03)
    assert noise.square().mean().item() == pytest.approx(1.0, abs=0.03)
    for lag in (1, 2, 5):
        assert (noise[:, lag:] * noise[:, :-lag]).mean().item() == pytest.approx(0.8**lag, abs=0.03)
    trainer.collect(learning=False)
    first = trainer.memory._window[0]["action"][:, 0]
    assert torch.equal(first, torch.erf(trainer.noise.state_dict()[:, 0] / 2**0.5))
    for share in (0.25, 0.5, 0.75):
        assert (first < 2 * share - 1).float().mean().item() == pytest.approx(share, abs=0.08)
    with pytest.raises(ValueError, match=r"correlation is 1\.0, expected a number from 0 to below 1"):
        SAC(SACConfig(env_id=small("Glider"), correlation=1.0, **settings))


def test_noise_of_td3_goes_on_too():
    settings = {"num_envs": 500, "total_steps": 1_000, "hidden": (8,), "threads": 1, "returns": 8}
    trainer = TD3(TD3Config(env_id=small("Glider"), correlation=0.8, noise=0.1, **settings))
    for learning in (False,) * 5 + (True,) * 2:
        trainer.collect(learning)
    *_, even, first, second = (columns["action"] for columns in trainer.memory._window)
    assert even.std().item() == pytest.approx(1 / 3**0.5, rel=0.1)  # evenly from -1 to 1
    assert torch.corrcoef(torch.stack([first.flatten(), second.flatten()]))[0, 1].item() == pytest.approx(0.8, abs=0.06)
    assert second.std().item() == pytest.approx(0.1, rel=0.1)

"""Losses of offline baselines against their definitions, term by term."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from dvl import DIVERGENCES, DVLConfig, dual_value_loss  # noqa: E402
from dynamics import BOUNDS_WEIGHT, Dynamics, Guess  # noqa: E402
from edac import EDAC, EDACConfig, gradient_likeness  # noqa: E402
from networks import StackedLinear  # noqa: E402

from .test_offline import REACH, made  # noqa: E402


def cosine(a, b):
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_likeness_is_a_sum_of_cosines():
    gradients = np.random.Generator(np.random.Philox(0)).normal(size=(4, 6, 3))
    pairs = list(itertools.permutations(range(4), 2))
    expected = np.mean([sum(cosine(gradients[i, k], gradients[j, k]) for i, j in pairs) / 3 for k in range(6)])
    assert float(gradient_likeness(torch.tensor(gradients))) == pytest.approx(expected)
    same = torch.tensor(gradients[:1]).expand(4, -1, -1)
    assert float(gradient_likeness(same)) == pytest.approx(4.0)
    assert float(gradient_likeness(torch.zeros(3, 2, 2))) == 0.0


def test_critics_of_edac_are_told_apart_by_their_own_gradients(datasets):
    """Each critic as a network of its own, its gradient by autograd and the loss by hand."""
    trainer = made("edac", eta=2.0)
    batch = trainer.rows.take(torch.tensor([3, 49, 77]))
    batch["target"] = torch.tensor([0.3, -0.1, 0.7])
    obs = trainer.obs_normaliser(batch["obs"])
    loss, told = trainer.critic_loss(batch, obs, obs)
    values, gradients = [], []
    for k in range(4):
        layers = [one.part(k) if isinstance(one, StackedLinear) else one for one in trainer.critics.layers]
        action = batch["action"].clone().requires_grad_()
        value = torch.nn.Sequential(*layers)(torch.cat([obs, action], 1)).squeeze(1)
        gradients.append(torch.autograd.grad(value.sum(), action)[0].numpy())
        values.append(value.detach().numpy())
    likeness = np.mean(
        [
            sum(cosine(gradients[i][k], gradients[j][k]) for i, j in itertools.permutations(range(4), 2)) / 3
            for k in range(3)
        ]
    )
    bellman = ((np.stack(values) - batch["target"].numpy()) ** 2).mean(1).sum()
    assert float(told["likeness"]) == pytest.approx(likeness, rel=1e-4)
    assert float(loss.detach()) == pytest.approx(bellman + 2.0 * likeness, rel=1e-4)


def test_edac_turns_gradients_apart(datasets):
    """After as many updates the critics are less alike than without the term."""
    told = {}
    for eta in (1e-9, 5.0):
        trainer = made("edac", eta=eta)
        for _ in range(60):
            told[eta] = float(trainer.update()["likeness"])
    assert told[5.0] < told[1e-9] - 0.5


@pytest.mark.parametrize("changes", [{"ensemble": 1}, {"eta": 1.0}])
def test_edac_refuses_gradients_without_directions(datasets, changes):
    with pytest.raises(ValueError, match=r"eta is 1\.0, expected 0: it turns gradients apart"):
        made("edac" if "ensemble" in changes else "sac_n", **changes)
    assert EDAC(EDACConfig.for_env("", dataset=REACH, hidden=(4,), ensemble=1, eta=0.0)).critics is not None


def test_conjugates_are_suprema_over_densities():
    """l sup(t a - f(t)) over t >= 0 - (1 - l) a, the supremum on a grid."""
    advantage = np.random.Generator(np.random.Philox(1)).normal(size=50) * 3
    t = np.linspace(0, 12, 12001)
    suprema = np.max(t * advantage[:, None] - (t - 1) ** 2, axis=1)
    expected = np.mean(0.8 * suprema - 0.2 * advantage)
    assert float(dual_value_loss(torch.tensor(advantage), 0.8, "chi-square")) == pytest.approx(expected, abs=1e-5)
    expected = np.mean(0.8 * np.maximum(advantage, 0) - 0.2 * advantage)
    assert float(dual_value_loss(torch.tensor(advantage), 0.8, "total-variation")) == pytest.approx(expected)


def test_dual_values_are_where_the_pulls_are_equal():
    """Chi-square: the mean of max(0, 1 + a / 2) is (1 - l) / l. Total variation: a quantile."""
    values = torch.tensor(np.random.Generator(np.random.Philox(2)).normal(size=400) * 4)
    grid = np.linspace(-12, 16, 28001)
    best = {
        (name, trade): grid[np.argmin([float(dual_value_loss(values - v, trade, name)) for v in grid[::20]]) * 20]
        for name in DIVERGENCES
        for trade in (0.5, 0.7, 0.9)
    }
    for trade in (0.5, 0.7, 0.9):
        share = (1 - trade) / trade
        weights = (1 + (values - best["chi-square", trade]) / 2).clamp(min=0)
        assert float(weights.mean()) == pytest.approx(share, abs=0.02)
        if trade > 0.5:
            above = float((values > best["total-variation", trade]).double().mean())
            assert above == pytest.approx(share, abs=0.01)
    assert best["chi-square", 0.5] < best["chi-square", 0.7] < best["chi-square", 0.9]


@pytest.mark.parametrize(
    ("changes", "mention"),
    [
        ({"divergence": "kl"}, "divergence is 'kl', expected one of"),
        ({"trade": 1.0}, r"trade is 1\.0, expected a number"),
    ],
)
def test_what_has_no_dual_is_refused(datasets, changes, mention):
    with pytest.raises(ValueError, match=mention):
        made("dvl", **changes)
    assert DVLConfig().divergence in DIVERGENCES


def test_flow_follows_straight_lines(datasets):
    """The loss and Euler's steps by hand."""
    trainer = made("fql", flow_steps=4)
    obs, action = torch.randn(6, 2), torch.rand(6, 1) * 2 - 1
    torch.manual_seed(3)
    with torch.no_grad():
        found = float(trainer.flow_loss(obs, action))
        torch.manual_seed(3)
        noise, time = torch.randn(6, 1), torch.rand(6, 1)
        inputs = torch.cat([obs, (1 - time) * noise + time * action, time], 1)
        assert found == pytest.approx(float((trainer.flow(inputs) - action + noise).square().mean()), rel=1e-5)
        place = noise
        for time in (0.0, 0.25, 0.5, 0.75):
            place = place + trainer.flow(torch.cat([obs, place, torch.full((6, 1), time)], 1)) / 4
    torch.testing.assert_close(trainer.flowed(obs, noise), place.clamp(-1, 1))


def test_flow_has_both_of_two_ways(datasets):
    """Actions of which half are near -0.7 and half near 0.7 stay two heaps; their mean, 0, is in neither."""
    trainer = made("fql", hidden=(64, 64), flow_steps=20)
    torch.manual_seed(0)
    obs = torch.zeros(512, 2)
    for _ in range(400):
        action = 0.7 * (torch.randint(2, (512, 1)) * 2.0 - 1) + 0.05 * torch.randn(512, 1)
        trainer.flow_optimiser.zero_grad()
        trainer.flow_loss(obs, action).backward()
        trainer.flow_optimiser.step()
    found = trainer.flowed(torch.zeros(2000, 2), torch.randn(2000, 1))
    assert float((found > 0).float().mean()) == pytest.approx(0.5, abs=0.06)
    assert float((found.abs() < 0.35).float().mean()) < 0.12
    assert float(found.abs().median()) == pytest.approx(0.7, abs=0.1)


def test_values_of_flow_q_learning(datasets):
    batch = None
    for pessimistic in (False, True):
        trainer = made("fql", pessimistic=pessimistic, reward_scale=0.1)
        batch = trainer.rows.take(torch.tensor([3, 49, 1234]))
        obs = trainer.obs_normaliser(batch["next_obs"])
        torch.manual_seed(1)
        found = trainer.targets(batch)
        torch.manual_seed(1)
        with torch.no_grad():
            values = trainer.target_critics(obs, trainer.act(obs, torch.randn(3, 1)))
        after = torch.minimum(*values) if pessimistic else values.sum(0) / 2
        torch.testing.assert_close(found, batch["reward"] + 0.99 * after)
    with pytest.raises(ValueError, match="flow_steps is 0, expected at least 1"):
        made("fql", flow_steps=0)


def test_the_one_step_policy_is_pulled_to_the_flow_and_up(datasets):
    for scaled in (False, True):
        trainer = made("fql", alpha=3.0, scale_values=scaled)
        obs = torch.randn(5, 2)
        torch.manual_seed(2)
        losses = trainer.actor_losses(obs)
        torch.manual_seed(2)
        noise = torch.randn(5, 1)
        with torch.no_grad():
            own = trainer.actor(torch.cat([obs, noise], 1))
            distance = float((own - trainer.flowed(obs, noise)).square().mean())
            value = trainer.critics(obs, own).mean(0)
        gain = float(value.mean() / value.abs().mean()) if scaled else float(value.mean())
        assert float(losses["actor_loss"].detach()) == pytest.approx(3.0 * distance - gain, rel=1e-4)
    exported = trainer.policy().act(obs.numpy(), None)
    with torch.no_grad():
        expected = trainer.act(trainer.obs_normaliser(obs), torch.zeros(5, 1))
    assert exported == pytest.approx(expected.numpy(), abs=1e-5)


def noisy_walk(count=4000, noise=0.3):
    """Steps of a place by an action and noise; the reward is the place, and beyond 1 the task ends."""
    rng = np.random.Generator(np.random.Philox(4))
    obs, action = rng.uniform(-2, 1, (count, 1)), rng.uniform(-1, 1, (count, 1))
    after = obs + action + noise * rng.normal(size=(count, 1))
    arrays = {"obs": obs, "action": action, "next_obs": after, "reward": obs[:, 0], "discount": 0.9 * (after[:, 0] < 1)}
    columns = {name: torch.from_numpy(one).float() for name, one in arrays.items()}
    take = lambda index: {name: one[index] for name, one in columns.items()}  # noqa: E731
    return SimpleNamespace(count=count, shape=(1,), action_scale=torch.ones(1), take=take)


def fitted(rows, updates=500):
    torch.manual_seed(0)
    dynamics = Dynamics(rows, members=3, elites=2, width=32)
    optimiser = torch.optim.Adam(dynamics.parameters(), lr=3e-3)
    for _ in range(updates):
        optimiser.zero_grad()
        dynamics.loss(rows, 128).backward()
        optimiser.step()
    dynamics.choose_elites(rows)
    return dynamics


def test_the_ensemble_learns_means_spreads_and_ends():
    dynamics = fitted(noisy_walk())
    obs, action = torch.tensor([[-1.0], [0.0], [0.9], [0.9]]), torch.tensor([[0.5], [-0.5], [1.0], [-1.0]])
    with torch.no_grad():
        guess = dynamics.guess(obs.repeat(3000, 1), action.repeat(3000, 1))
        after, reward, ended = (one.reshape(3000, 4, -1).squeeze(2) for one in guess.draw())
    np.testing.assert_allclose(after.mean(0), (obs + action)[:, 0], atol=0.08)
    np.testing.assert_allclose(after.std(0), 0.3, atol=0.06)
    np.testing.assert_allclose(reward.mean(0), obs[:, 0], atol=0.08)
    assert ended.float().mean(0).round().tolist() == [0, 0, 1, 0]


def test_the_ensembles_loss_is_of_each_member_by_itself():
    rows, size = noisy_walk(200), 8
    torch.manual_seed(1)
    dynamics = Dynamics(rows, members=2, elites=1, width=16)
    torch.manual_seed(2)
    found = float(dynamics.loss(rows, size).detach())
    torch.manual_seed(2)
    index = dynamics.order[20:][torch.randint(180, (2 * size,))].reshape(2, size)
    expected = BOUNDS_WEIGHT * float((dynamics.high - dynamics.low).sum().detach())
    for k in range(2):
        batch = {name: one.numpy().astype(np.float64) for name, one in rows.take(index[k]).items()}
        with torch.no_grad():
            mean, variance, end = (
                one[k].double().numpy() for one in dynamics(*(rows.take(index[k])[n] for n in ("obs", "action")))
            )
        outcome = np.stack([(batch["next_obs"] - batch["obs"])[:, 0], batch["reward"]], 1)
        error = (outcome - dynamics.shift.numpy()) / dynamics.scale.numpy() - mean
        expected += np.mean(error**2 / np.exp(variance) + variance)
        ended = batch["discount"] == 0
        expected += np.mean(np.where(ended, np.log1p(np.exp(-end)), np.log1p(np.exp(end))))
    assert found == pytest.approx(expected, rel=1e-4)


def test_elites_are_the_best_on_what_was_kept_apart():
    rows = noisy_walk(400)
    dynamics = Dynamics(rows, members=4, elites=2, width=8)
    dynamics.choose_elites(rows)
    batch = rows.take(dynamics.order[:40])
    outcome = torch.stack([(batch["next_obs"] - batch["obs"])[:, 0], batch["reward"]], 1)
    with torch.no_grad():
        mean, _, _ = dynamics(batch["obs"], batch["action"])
    errors = [float((((outcome - dynamics.shift) / dynamics.scale - one) ** 2).mean()) for one in mean]
    assert sorted(dynamics.elites.tolist()) == sorted(np.argsort(errors)[:2].tolist())
    with pytest.raises(ValueError, match="elites is 5, expected at most all 4 members"):
        Dynamics(rows, members=4, elites=5, width=8)


def test_doubt_is_the_longest_spread():
    rng = np.random.Generator(np.random.Philox(5))
    std = rng.uniform(0.1, 1, (3, 4, 2))
    guess = Guess(torch.zeros(4, 1), *(torch.zeros(3, 4, 2), torch.tensor(std), torch.zeros(3, 4)), *torch.ones(2, 2))
    expected = [max(np.sqrt((std[k, row] ** 2).sum()) for k in range(3)) for row in range(4)]
    assert guess.spread.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("name", ["mopo", "mobile"])
def test_plays_in_the_ensemble_pay_for_doubt(datasets, name):
    """The same plays with and without the penalty; plays go on from where they led."""
    trainer = made(name, rollouts=30, rollout_steps=3)
    for _ in range(20):
        trainer.update()
        trainer.steps += 1
    plays = []
    for caution in (0.0, 2.0):
        trainer.config.caution = caution
        torch.manual_seed(7)
        plays.append(trainer.roll_out())
    free, careful = plays
    assert len(free["reward"]) == 90  # nothing ends in the Glider's data
    assert torch.equal(free["obs"][30:60], free["next_obs"][:30])
    assert torch.equal(free["next_obs"], careful["next_obs"])
    doubt = (free["reward"] - careful["reward"]) / 2
    if name == "mopo":
        with torch.no_grad():
            expected = trainer.dynamics.guess(free["obs"], free["action"]).spread
        torch.testing.assert_close(doubt, expected, rtol=1e-3, atol=1e-4)
    assert (doubt > 0).all()
    assert free["discount"].tolist() == pytest.approx([0.99] * 90)
    batch = {}
    trainer.dreams = free
    batch = trainer.sample()
    rewards = {float(one) for one in free["reward"]}
    assert [float(one) in rewards for one in batch["reward"]] == [False] * 3 + [True] * 61  # a twentieth of 64


def test_members_that_agree_are_not_in_doubt(datasets):
    trainer = made("mobile")
    obs = torch.randn(1, 5, 2)
    trainer.actor[-1].weight.data.zero_()
    trainer.actor[-1].bias.data = torch.tensor([0.3, -40.0])  # one action, without spread
    assert trainer.disagreement(obs.expand(3, -1, -1)).abs().max() < 1e-5
    apart = torch.cat([obs, obs + 1.0])
    with torch.no_grad():
        inputs = trainer.obs_normaliser(apart.flatten(0, 1))
        values = trainer.target_critics(inputs, torch.full((10, 1), 0.3).tanh()).amin(0).reshape(2, 5)
        found = trainer.disagreement(apart)
    torch.testing.assert_close(found, 0.99 * (values[0] - values[1]).abs() / 2)


@pytest.mark.parametrize(
    ("changes", "mention"),
    [
        ({"penalty": "none"}, "penalty is 'none', expected one of"),
        ({"model_steps": 400}, "model_steps is 400, expected less than all 400 steps"),
        ({"share": 1.0}, r"share is 1\.0, expected a number from 0"),
        ({"rollouts": 0}, "rollouts is 0, expected at least 1"),
    ],
)
def test_models_with_nothing_to_learn_are_refused(datasets, changes, mention):
    with pytest.raises(ValueError, match=mention):
        made("mopo", **changes)

"""Hybrid natural policy gradient: its steps and targets against definitions, and that both kinds of data teach."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hnpg import DRAWS, HNPG, HNPGConfig  # noqa: E402
from launch import run  # noqa: E402
from trust_region import conjugate_gradients, natural_step  # noqa: E402

from envsuite.data import load  # noqa: E402

GLIDER = "small/glider-v0"
QUICK = {"num_envs": 10, "hidden": (8,), "critic_hidden": 16, "critic_steps": 5, "evaluations": 1, "episodes": 20}


def made(**changes):
    return HNPG(HNPGConfig.for_env("", dataset=GLIDER, **{"total_steps": 1000, **QUICK, **changes}))


def matrices(count, size):
    """Symmetric positive definite ones of different sizes."""
    rows = torch.randn(count, size, size, dtype=torch.float64)
    return rows @ rows.transpose(1, 2) + torch.eye(size) * torch.arange(1, count + 1)[:, None, None]


def test_conjugate_gradients_solve_each_system():
    torch.manual_seed(0)
    found, goal = matrices(5, 6), torch.randn(5, 6, dtype=torch.float64)
    goal[3] = 0.0
    solved = conjugate_gradients(lambda x: torch.einsum("gij,gj->gi", found, x), goal)
    torch.testing.assert_close(solved, torch.linalg.solve(found, goal), rtol=1e-5, atol=1e-6)


def test_a_step_goes_along_the_natural_gradient_as_far_as_the_divergence_allows():
    """Linear losses and quadratic divergences, for which Schulman et al. (2015) give the step in closed form."""
    torch.manual_seed(1)
    count, sizes, most, damping = 4, (2, 3), 0.02, 0.3
    weights = [torch.randn(count, size, dtype=torch.float64, requires_grad=True) for size in sizes]
    start = torch.cat([one.detach() for one in weights], 1)
    information, gradient = matrices(count, 5), torch.randn(count, 5, dtype=torch.float64)
    gradient[2] = 0.0

    def surrogate():
        return (torch.cat(weights, 1) * gradient).sum(1)

    def divergence():
        away = torch.cat(weights, 1) - start
        return 0.5 * torch.einsum("gi,gij,gj->g", away, information, away)

    moved = natural_step(weights, surrogate, divergence, most, damping)
    assert moved.tolist() == [True, True, False, True]
    step = torch.cat([one.detach() for one in weights], 1) - start
    damped = information + damping * torch.eye(5)
    direction = torch.linalg.solve(damped, -gradient)
    scale = (2 * most / -(gradient * direction).sum(1)).sqrt()
    for k in (0, 1, 3):
        torch.testing.assert_close(step[k], direction[k] * scale[k], rtol=1e-4, atol=1e-6)
        assert 0.5 * step[k] @ damped[k] @ step[k] == pytest.approx(most, rel=1e-4)
    assert not step[2].any()


def test_a_step_is_halved_until_it_lessens_the_loss():
    """The first loss rises beyond a quarter of the full step, the second at once, the third falls on."""
    weights = [torch.zeros(3, 1, requires_grad=True)]
    turns = torch.tensor([0.1, 1e-5, 10.0])

    def surrogate():
        x = weights[0][:, 0]
        return torch.where(x < turns, -x, x + 1.0)

    def divergence():
        return 0.5 * weights[0][:, 0] ** 2

    moved = natural_step(weights, surrogate, divergence, 0.5 * 0.3**2, 0.0)
    assert moved.tolist() == [True, False, True]
    assert weights[0][:, 0].tolist() == pytest.approx([0.075, 0.0, 0.3], rel=1e-5)


def test_what_the_critics_are_fitted_to(datasets):
    """Sums of what was earned, and one step of temporal differences; both from their definitions."""
    trainer, data = made(gamma=0.9), load(GLIDER)
    play = trainer.collect()
    assert trainer.steps == 500
    assert play["obs"].shape == (50, 10, 2)
    for step in (0, 20, 49):
        expected = sum(0.9**k * play["reward"][step + k] for k in range(50 - step))
        torch.testing.assert_close(play["return_to_go"][step], expected, rtol=1e-4, atol=1e-4)
    batch = trainer.draw()
    assert (batch["index"] % 50 == torch.arange(50)[:, None]).all()
    assert made(drawn=7).draw()["obs"].shape == (50, 7, 2)
    for step, slot in ((0, 0), (49, 9)):
        at = int(batch["index"][step, slot])
        assert batch["obs"][step, slot].tolist() == pytest.approx(data.columns["observations"][at].tolist())
    trainer.actors.log_std.data.fill_(-20.0)  # what is drawn is the mean
    target = trainer.target(batch)
    for step in (0, 17, 48, 49):
        expected = batch["reward"][step].clone()
        if step < 49:
            after = batch["next_obs"][step]
            action = trainer.actors.at(step + 1, after).sample()
            inputs = torch.zeros(50, 10, 3)
            inputs[step + 1] = torch.cat([after, action], 1)
            expected += 0.9 * trainer.critics(inputs)[step + 1, :, 0].detach()
        torch.testing.assert_close(target[step], expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(
        trainer.value(batch["obs"]),
        trainer.action_value(batch["obs"], trainer.actors(batch["obs"]).sample()),
    )


def test_the_value_of_a_state_is_the_mean_over_some_actions(datasets, monkeypatch):
    """Of the square of an action: its mean squared plus its variance, with the spread of a mean of ten squares."""
    trainer = made()
    monkeypatch.setattr(trainer, "action_value", lambda obs, action: action.square().squeeze(2))
    obs = torch.zeros(50, 2000, 2)
    with torch.no_grad():
        value = trainer.value(obs)
        mean, std = trainer.actors.layers(obs)[:, 0, 0], trainer.actors.log_std.exp()[:, 0, 0]
    variance = (2 * std**4 + 4 * mean**2 * std**2) / DRAWS
    assert (value.mean(1) - mean**2 - std**2).abs().max() < 5 * (variance.max() / 2000).sqrt()
    torch.testing.assert_close(value.var(1), variance, rtol=0.25, atol=0.0)


def test_play_and_data_weigh_alike_however_many_are_drawn(datasets, monkeypatch):
    """The loss is the mean over what was played plus the mean over what was drawn, for each step's critic."""
    trainer = made(drawn=37, critic_steps=1, learning_rate=0.0)
    play, data = trainer.collect(), trainer.draw()
    target = torch.randn(50, 37)
    monkeypatch.setattr(trainer, "target", lambda given: target)
    with torch.no_grad():
        played = (trainer.action_value(play["obs"], play["action"]) - play["return_to_go"]).square()
        drawn = (trainer.action_value(data["obs"], data["action"]) - target).square()
    expected = (played.mean(1) + drawn.mean(1)).mean()
    assert float(trainer.fit(play, data)) == pytest.approx(float(expected), rel=1e-4)


def test_a_step_keeps_the_divergence_and_helps_better_actions(datasets):
    """The mean divergence of each step's policy is that of two normal distributions, near what is allowed."""
    torch.manual_seed(3)
    trainer = made()
    obs, action = torch.randn(50, 400, 2), torch.randn(50, 400, 1)
    before = trainer.actors(obs)
    mean, spread = trainer.actors.layers(obs).detach(), trainer.actors.log_std.detach().exp()
    advantage = action[..., 0]
    known = before.log_prob(action).detach()
    assert trainer.move(obs, action, advantage).all()
    with torch.no_grad():
        new = torch.distributions.Normal(trainer.actors.layers(obs), trainer.actors.log_std.exp())
        old = torch.distributions.Normal(mean, spread.expand_as(mean))
        apart = torch.distributions.kl_divergence(old, new).sum(2).mean(1)
        gain = (trainer.actors(obs).log_prob(action) - known) * advantage
    assert ((apart > 0.001) & (apart < 0.015)).all()
    assert (gain.mean(1) > 0).all()


def test_the_policy_file_counts_its_steps(datasets):
    """Each step's mean, from the beginning of each slot's episode; the last one's after the end."""
    trainer = made()
    trainer.actors.layers[-1].weight.data.normal_()
    policy = trainer.policy()
    policy.reset(np.ones(2, np.bool_), np.arange(2))
    rng = np.random.Generator(np.random.Philox(3))
    for step in range(53):
        if step == 4:  # the second slot begins anew
            policy.reset(np.array([False, True]), np.arange(2))
        obs = rng.normal(size=(2, 2)).astype(np.float32)
        found = policy.act(obs, None)
        for slot, at in ((0, min(step, 49)), (1, step if step < 4 else min(step - 4, 49))):
            trainer.actors.log_std.data.fill_(-30.0)
            with torch.no_grad():
                mean = trainer.actors.at(at, torch.from_numpy(obs[slot : slot + 1])).sample()
            assert found[slot] == pytest.approx(mean[0].clamp(-1, 1).numpy(), abs=1e-5)


@pytest.mark.parametrize("hybrid", [True, False])
def test_it_learns(datasets, hybrid):
    settings = {"total_steps": 15_000, "critic_steps": 20, "num_envs": 10, "max_kl": 0.05, "gamma": 0.9}
    _, episodes = made(hybrid=hybrid, **settings).train()
    assert episodes.returns.mean() > (-30 if hybrid else -80)


@pytest.mark.slow
def test_data_lead_where_play_finds_nothing(datasets):
    """A lock of five doors: random play opens it once in 100,000 episodes, and is paid for failing."""
    returns = {}
    for hybrid in (True, False):
        settings = {"total_steps": 30_000, "num_envs": 200, "evaluations": 1, "hybrid": hybrid}
        _, episodes = HNPG(HNPGConfig.for_env("", dataset="combination-lock5/noisy-expert-v0", **settings)).train()
        returns[hybrid] = episodes.returns.mean()
    assert returns[True] > 0.9
    assert returns[False] < 0.2


def test_episodes_of_other_lengths_are_refused(datasets):
    config = HNPGConfig.for_env("", dataset=GLIDER, **QUICK)
    with pytest.raises(ValueError, match=r"normalise is True, expected False: hnpg does not use it"):
        HNPG(dataclasses.replace(config, normalise=True))
    reach = HNPGConfig.for_env("", dataset="small/reach-v0", **QUICK)
    with pytest.raises(ValueError, match=r"an episode of small/reach-v0 has \d+ steps, expected \d+ of each"):
        HNPG(reach)
    for name, value in (("max_kl", -1.0), ("damping", -0.1), ("gae_lambda", 1.5)):
        with pytest.raises(ValueError, match=f"{name} is {value}, expected a finite number from 0"):
            HNPG(dataclasses.replace(config, **{name: value}))
    trainer = HNPG(config)
    trainer.length = 51
    with pytest.raises(ValueError, match="ended after 50 steps, expected 51 of each"):
        trainer.collect()


def test_a_stopped_run_ends_with_the_same_bits(datasets, tmp_path):
    config = HNPGConfig.for_env("", dataset=GLIDER, **{**QUICK, "total_steps": 2000, "evaluations": 4})
    whole = run(HNPG, config, tmp_path / "whole")
    waiting = run(HNPG, config, tmp_path / "parts", until=0.5)
    assert not (waiting / "policy.onnx").exists()
    resumed = run(HNPG, config, tmp_path / "parts")
    assert resumed == waiting
    for file in ("policy.onnx", "episodes.jsonl"):
        assert (resumed / file).read_bytes() == (whole / file).read_bytes()

"""Compiled PPO: its gradients are PyTorch's, its advantages those of PPO, and it learns."""

import copy

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from backprop import Rule  # noqa: E402
from compiled_losses import advantages_of, learn_actor, learn_critic  # noqa: E402
from distributions import Categorical, Gaussian  # noqa: E402
from learning import gae  # noqa: E402
from networks import Normaliser, mlp  # noqa: E402
from perceptrons import Learned, Moments, averaging  # noqa: E402
from ppo import standardised  # noqa: E402
from ppo_compiled import CompiledPPO, CompiledPPOConfig  # noqa: E402

import envsuite  # noqa: E402
from envsuite.core.layout import Block, Vector  # noqa: E402
from envsuite.evaluation.rollout import onnx_player  # noqa: E402

ROWS, EPOCHS, PARTS = 333, 2, 3
RULE = Rule(3e-3, 0.2, 0.01, 0.5)


def batch(inputs):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, inputs)).astype(np.float32)
    log_probs, advantages = (rng.normal(size=ROWS).astype(np.float32) for _ in range(2))
    order = np.stack([rng.permutation(ROWS) for _ in range(EPOCHS)])
    return rng, x, log_probs, advantages, order


def parts(order):
    for row in order:
        for k in range(PARTS):
            yield torch.from_numpy(row[k * ROWS // PARTS : (k + 1) * ROWS // PARTS])


def network(sizes, activation):
    torch.manual_seed(0)
    return mlp(sizes, 0.5, activation)


def step(optimiser, parameters, loss):
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(parameters, RULE.max_gradient)
    optimiser.step()


def assert_same(learned, actor):
    linear = [layer for layer in actor if isinstance(layer, torch.nn.Linear)]
    for (weight, bias), layer in zip(learned.layers(), linear, strict=True):
        np.testing.assert_allclose(weight, layer.weight.detach().numpy().T, atol=2e-5)
        np.testing.assert_allclose(bias, layer.bias.detach().numpy(), atol=2e-5)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("heads", [(), (3,), (2, 4)])
def test_actors_learn_as_in_pytorch(heads, activation):
    rng, x, log_probs, advantages, order = batch(9)
    outputs = sum(heads) or 3
    actor, log_std = network([9, 32, 17, outputs], activation), torch.nn.Parameter(torch.full((3,), -0.5))
    learned = Learned(actor, heads, () if heads else log_std.detach().numpy())
    numbers = rng.normal(size=(ROWS, 0 if heads else 3)).astype(np.float32)
    choices = np.stack([rng.integers(0, k, ROWS) for k in heads], 1) if heads else np.zeros((ROWS, 0), np.int64)
    log_probs -= 3.0  # so that ratios lie on both sides of the clip
    given = numbers, choices, log_probs, advantages, order, PARTS
    clipped = learn_actor(learned.learner, RULE, x, *given, *learned.room)
    assert 0.1 < clipped < 0.99
    parameters = [*actor.parameters(), *([] if heads else [log_std])]
    optimiser = torch.optim.Adam(parameters, RULE.rate, eps=1e-5)
    actions = torch.from_numpy(choices if heads else numbers)
    old, gains = torch.from_numpy(log_probs), torch.from_numpy(advantages)
    for index in parts(order):
        out = actor(torch.from_numpy(x)[index])
        policy = Categorical(out, heads) if heads else Gaussian(out, log_std)
        ratio, gain = (policy.log_prob(actions[index]) - old[index]).exp(), standardised(gains[index])
        limited = ratio.clamp(1 - RULE.clip, 1 + RULE.clip)
        loss = -torch.minimum(ratio * gain, limited * gain).mean() - RULE.entropy * policy.entropy().mean()
        step(optimiser, parameters, loss)
    assert_same(learned, actor)
    np.testing.assert_allclose(learned.log_std, () if heads else log_std.detach().numpy(), atol=2e-5)


def test_critics_learn_as_in_pytorch():
    _, x, targets, _, order = batch(20)
    critic = network([20, 64, 64, 1], "tanh")
    learned = Learned(critic)
    np.testing.assert_allclose(learned.values(x), critic(torch.from_numpy(x)).detach().numpy()[:, 0], atol=1e-5)
    loss = learn_critic(learned.learner, RULE, x, targets, order, PARTS, *learned.room)
    optimiser, losses = torch.optim.Adam(critic.parameters(), RULE.rate, eps=1e-5), []
    for index in parts(order):
        error = critic(torch.from_numpy(x)[index]).squeeze(1) - torch.from_numpy(targets)[index]
        losses.append(0.5 * error.square().mean())
        step(optimiser, [*critic.parameters()], losses[-1])
    assert_same(learned, critic)
    assert loss == pytest.approx(torch.stack(losses).mean().item(), rel=1e-4)


@pytest.mark.parametrize("scaled", [False, True])
def test_advantages_are_those_of_ppo(scaled):
    rng = np.random.default_rng(1)
    rewards, values, bootstrap = (rng.normal(size=(12, 5)).astype(np.float32) for _ in range(3))
    done, following = rng.random((12, 5)) < 0.2, rng.normal(size=5).astype(np.float32)
    bootstrap *= done
    running, moments = np.full(5, 0.5, np.float32), np.array([0.0, 1.0, 1e-4])
    advantages, targets = np.empty_like(rewards), np.empty_like(rewards)
    advantages_of(rewards, done, bootstrap, values, following, 0.9, 0.8, running, moments, scaled, advantages, targets)
    wanted, spread, returns, now = torch.from_numpy(rewards), Normaliser(1), [], torch.full((5,), 0.5)
    if scaled:
        for reward, over in zip(wanted, torch.from_numpy(done), strict=True):
            now = now * 0.9 + reward
            returns.append(now)
            now = now * ~over
        spread.update(torch.stack(returns).reshape(-1, 1))
        wanted = (wanted / torch.sqrt(spread.variance + 1e-8)).clamp(-10, 10)
        np.testing.assert_allclose(running, now.numpy(), rtol=1e-5)
    arrays = values, done, bootstrap, following
    wanted = gae(wanted, *map(torch.from_numpy, arrays), 0.9, 0.8)
    np.testing.assert_allclose(advantages, wanted.numpy(), atol=1e-5)
    np.testing.assert_allclose(targets, wanted.numpy() + values, atol=1e-5)


def test_moments_are_those_of_all_rows():
    rows = np.random.default_rng(2).normal(3.0, 2.0, (500, 4)).astype(np.float32)
    moments = Moments(4)
    for part in np.split(rows, 5):
        moments.update(np.ascontiguousarray(part))
    shift, scale = moments.normal()
    np.testing.assert_allclose(shift, rows.mean(0), atol=1e-5)
    np.testing.assert_allclose(scale, 1 / rows.std(0), rtol=1e-5)
    np.testing.assert_allclose(moments(rows), (rows - shift) * scale, atol=1e-5)


def test_averages_stand_for_old_actions():
    layout = Vector((Block("place", 2, -1.0, 1.0), Block("action history", 6, -1.0, 1.0), Block("rest", 1, -1.0, 1.0)))
    matrix = averaging(layout, 2, (1.0,))
    old, middle, new = np.exp([-2.0, -1.0, 0.0]) / np.exp([-2.0, -1.0, 0.0]).sum()
    seen = np.array([5, 6, 1, 2, 3, 4, 7, 8, 9], np.float32) @ matrix
    average = [old * 1 + middle * 3 + new * 7, old * 2 + middle * 4 + new * 8]
    np.testing.assert_allclose(seen, [5, 6, 9, *average], rtol=1e-6)
    with pytest.raises(ValueError, match=r"averages is \(0\.0,\), expected positive time constants"):
        averaging(layout, 2, (0.0,))
    with pytest.raises(ValueError, match="the observation has no block 'action history', only \\['place'\\]"):
        averaging(Vector((Block("place", 2, -1.0, 1.0),)), 2, (1.0,))


def settings(**changes):
    few = {"total_steps": 2_000, "num_envs": 8, "num_steps": 25, "evaluations": 1, "episodes": 4, "hidden": (16, 16)}
    return CompiledPPOConfig(**{**few, **changes})


def test_it_balances_a_pole():
    config = settings(env_id="InvertedPendulum", total_steps=100_000, num_envs=16, learning_rate=3e-3, log_std=-0.5)
    _, episodes = CompiledPPO(config).train()
    assert episodes.returns.mean() > 300  # at random: 5


def test_it_learns_when_to_take_a_card():
    config = settings(env_id="CardsBlackjack", total_steps=60_000, num_envs=32, learning_rate=3e-3, episodes=2_000)
    _, episodes = CompiledPPO(config).train()
    card = envsuite.card("CardsBlackjack")
    share = (episodes.returns.mean() - card.random.mean) / (card.expert.mean - card.random.mean)
    assert share > 0.7


def test_a_run_is_the_same_whatever_the_threads_and_goes_on_from_its_state():
    found = []
    for threads in (1, 2):
        trainer = CompiledPPO(settings(env_id="QuadHover", averages=(2.0, 9.0), threads=threads))
        trainer.iterate()
        state = copy.deepcopy(trainer.state())
        trainer.iterate()
        found.append(trainer.perceptron().layers)
    other = CompiledPPO(settings(env_id="QuadHover", averages=(2.0, 9.0), seed=7))
    other.restore(state)
    other.iterate()
    found.append(other.perceptron().layers)
    for one in found[1:]:
        for mine, theirs in zip(found[0], one, strict=True):
            np.testing.assert_array_equal(mine[0], theirs[0])
            np.testing.assert_array_equal(mine[1], theirs[1])


def test_the_policy_file_plays_as_the_network_that_learned():
    trainer = CompiledPPO(settings(env_id="QuadHover", averages=(2.0,)))
    trainer.iterate()
    trainer.actor.learner.weights[:] *= 1.5
    world, count = trainer.rows.env.world, trainer.config.num_envs
    seen = trainer.rows.env.batch.last.observations
    raw, _ = trainer._seen(seen, trainer.rows.env.batch.last.info)
    x = trainer.inputs(raw)
    for k, (weight, bias) in enumerate(trainer.actor.layers()):
        x = (x if k == 0 else np.tanh(x)) @ weight + bias
    player = onnx_player(trainer.policy())(world, count)
    player.reset(np.ones(count, np.bool_), np.arange(count))
    wanted = np.clip(x, world.action.low, world.action.high)
    assert np.ptp(wanted) > 0.01
    np.testing.assert_allclose(player.act(seen, trainer.rows.env.batch.states), wanted, atol=1e-5)


def test_what_is_not_compiled_is_refused():
    with pytest.raises(ValueError, match=r"target_kl is 0.1, expected 0.0: this is not compiled, see ppo.py"):
        CompiledPPO(settings(env_id="CardsBlackjack", target_kl=0.1))
    with pytest.raises(ValueError, match="device is 'cuda', ppo_compiled learns on cpu"):
        CompiledPPO(settings(env_id="CardsBlackjack", device="cuda"))
    with pytest.raises(ValueError, match=r"only one agent, and autoreset 'SameStep', are compiled: see ppo.py"):
        CompiledPPO(settings(env_id="CardsBlackjack", autoreset="NextStep"))
    with pytest.raises(ValueError, match="has actions that are not always allowed: such a world is played with Python"):
        CompiledPPO(settings(env_id="Bulwark-L1"))
    with pytest.raises(ValueError, match=r"averages is 2, expected a list, such as \[2\]"):
        CompiledPPOConfig.for_env("QuadHover", averages=2)
    with pytest.raises(ValueError, match=r"shows pictures \(84, 84, 3\), expected numbers: see ppo.py"):
        CompiledPPO(settings(env_id="InvertedPendulum", env_options={"obs_type": "pixels"}))
    with pytest.raises(ValueError, match=r"log_std is -1\.0, expected 0.0: it is for actions that are numbers"):
        CompiledPPO(settings(env_id="CardsBlackjack", log_std=-1.0))

"""Recurrent PPO, several agents, several objectives: arithmetic, and tasks whose best returns are known."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mappo import MAPPO, Groups, MAPPOConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402

from envsuite.agents.onnx import load, save  # noqa: E402
from envsuite.evaluation.rollout import policy_maker  # noqa: E402

from .worlds import Guess, small  # noqa: E402

QUICK = {"evaluations": 1, "threads": 1, "episodes": 64, "learning_rate": 5e-3}


def test_advantages_of_each_group_are_standardised_by_themselves():
    """Neither the scale nor the offset of a policy's rewards, nor what is no experience, moves its loss."""
    settings = {"num_envs": 8, "num_steps": 16, "epochs": 1, "minibatches": 1, "divisions": 1}
    trainer = MAPPO(MAPPOConfig(env_id=small("Trade"), **settings, **QUICK))
    parts, losses = [], trainer.losses
    trainer.losses = lambda part: parts.append(part) or losses(part)
    trainer.iterate()
    (part,) = parts
    part["log_prob"] = part["log_prob"] + torch.linspace(-0.1, 0.1, part["log_prob"].shape[1])
    part["valid"][:, ::5] = False
    first = losses(part)["policy_loss"]
    assert first.abs() > 1e-3
    moved = part["advantage"] * torch.tensor([[50.0], [0.1]]) + torch.tensor([[3.0], [-7.0]])
    moved[:, ::5] = 1e3
    torch.testing.assert_close(losses(part | {"advantage": moved})["policy_loss"], first, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_states_are_recomputed_as_they_were(mode):
    """The states along a batch, from its first one, are those of collecting it: an unchanged policy has ratio 1."""
    trainer = RecurrentPPO(
        RecurrentPPOConfig(env_id=small("Recall"), num_envs=6, num_steps=13, autoreset=mode, normalise=False, **QUICK)
    )
    trainer.collect()
    batch = trainer.collect()
    agent = trainer.agent
    with torch.no_grad():
        states, _ = agent.unroll(batch["obs"], batch["memory"], batch["episode_start"])
        log_prob = agent.actions.distribution(agent.actor(states), None).log_prob(batch["action"])
        torch.testing.assert_close(log_prob, batch["log_prob"], rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(agent.critic(states)[..., 0], batch["value"], rtol=1e-5, atol=1e-6)
    begins = batch["obs"][:, :, 0] != 0
    zero = torch.zeros(1, 64)
    alone, _ = agent.remember(agent.encode(batch["obs"][begins]), zero.expand(int(begins.sum()), -1))
    torch.testing.assert_close(states[begins], alone, rtol=1e-5, atol=1e-6)


def test_value_after_the_length_limit_uses_the_memory():
    trainer = RecurrentPPO(RecurrentPPOConfig(env_id=small("Glider", 4), num_envs=3, num_steps=8, **QUICK))
    batch = trainer.collect()
    agent = trainer.agent
    first = batch["obs"][:4]
    with torch.no_grad():
        memory = torch.zeros(3, 64)
        for k in range(4):
            memory = agent.remember(agent.encode(agent.obs_normaliser(first[k])), memory)[1]
        place, speed = first[3].double().T
        speed = (speed + 0.2 * batch["action"][3, :, 0].clamp(-1, 1)).clamp(-3, 3)
        last = torch.stack([place + 0.2 * speed, speed], 1).float()
        value = agent.critic(agent.remember(agent.encode(agent.obs_normaliser(last)), memory)[0])[:, 0]
    torch.testing.assert_close(batch["bootstrap_value"][3], value, rtol=1e-4, atol=1e-5)


def test_remembers_the_cue(tmp_path):
    """Without memory the mean return is 0."""
    settings = {"num_envs": 32, "num_steps": 10, "total_steps": 16_000, "gamma": 0.9, "hidden": (32,), "units": 16}
    trainer = RecurrentPPO(RecurrentPPOConfig(env_id=small("Recall"), **settings, **QUICK))
    policy, episodes = trainer.train()
    assert episodes.returns.mean() > 0.9
    save(tmp_path / "policy.onnx", policy.program.model, policy.interface)
    again = load(tmp_path)
    agent, cue = trainer.agent, trainer.rows.obs[:5]
    again.reset(np.ones(5, np.bool_), np.arange(5))
    memory = torch.zeros(5, 16)
    for step in range(5):
        obs = cue if step == 0 else torch.tensor([[0.0, float(step == 4)]]).expand(5, -1)
        with torch.no_grad():
            recalled, memory = agent.remember(agent.encode(agent.obs_normaliser(obs)), memory)
            expected = agent.actor(recalled).argmax(1)
        assert again.act(obs.numpy().copy(), None).tolist() == expected.tolist()


@pytest.mark.parametrize("sharing", [True, False])
def test_rows_are_dealt_to_networks_and_back(sharing):
    class Rows:
        count, agents = 24, 3

    groups = Groups(Rows, 2, sharing)
    rows = torch.arange(24)
    parts = groups.split(rows)
    assert torch.equal(groups.join(parts), rows)
    if sharing:
        assert parts.tolist() == [list(range(12)), list(range(12, 24))]
    else:
        assert parts.tolist()[:3] == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
    with pytest.raises(ValueError, match="multiple of the 5 policies"):
        Groups(Rows, 5, sharing)


def test_each_group_learns_as_if_alone():
    """The gradient of one network does not depend on the others' data."""
    config = {"num_envs": 4, "num_steps": 5, "weights": ((1.0, 0.0), (0.0, 1.0)), "normalise": False}
    trainer = MAPPO(MAPPOConfig(env_id=small("Trade"), **config, **QUICK))
    batch = trainer.collect()
    names = ("obs", "critic_inputs", "action", "log_prob", "return", "advantage", "valid")
    data = {key: torch.stack([trainer.groups.split(one) for one in batch[key]], 1).flatten(1, 2) for key in names}
    gradients = []
    for factor in (1.0, 3.0):
        part = {key: one.clone() for key, one in data.items()}
        part["return"][1] *= factor
        trainer.optimiser.zero_grad()
        trainer.losses(part)["loss"].backward()
        gradients.append(trainer.agents.critics[0].weight.grad.clone())
    assert torch.equal(gradients[0][0], gradients[1][0])
    assert not torch.equal(gradients[0][1], gradients[1][1])


def test_weights_choose_their_trade(tmp_path):
    """Three policies at once; the best choice of each weight vector is known."""
    weights = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
    config = {"num_envs": 24, "num_steps": 12, "total_steps": 6_000, "weights": weights, "hidden": (16,)}
    trainer = MAPPO(MAPPOConfig(env_id=small("Trade"), **config, **QUICK))
    _, episodes = trainer.train()
    found = {name: value for name, value in trainer.summary(episodes).items() if name[-1] in "012"}
    best = {"gold_0": 6.0, "time_0": 0.0, "gold_1": 0.0, "time_1": 6.0, "gold_2": 3.6, "time_2": 3.6}
    assert found == pytest.approx(best, abs=1e-5)
    assert episodes.returns.mean() == pytest.approx((6.0 + 6.0 + 3.6) / 3)
    assert sorted(trainer.policies()) == ["policy", "policy-1", "policy-2"]
    with pytest.raises(ValueError, match="with the sum 1"):
        MAPPO(MAPPOConfig(env_id=small("Trade"), weights=((1.0, 1.0),)))


@pytest.mark.parametrize("sharing", [True, False])
@pytest.mark.parametrize("central", [True, False])
def test_agents_agree_on_different_choices(sharing, central, tmp_path):
    config = {"num_envs": 16, "num_steps": 16, "total_steps": 10_000, "hidden": (16,), "gamma": 0.5}
    trainer = MAPPO(MAPPOConfig(env_id=small("Parity"), sharing=sharing, central=central, **config, **QUICK))
    policy, episodes = trainer.train()
    assert episodes.returns.mean() == pytest.approx(8.0)  # 4 steps, 1 for each of the two
    save(tmp_path / "policy.onnx", policy.program.model, policy.interface)
    from envsuite.core.world import make_world

    player = policy_maker(str(tmp_path / "policy.onnx"))(make_world(f"{Guess.__module__}:Parity"), 3)
    obs = np.tile(np.eye(2, dtype=np.float32), (3, 1, 1))
    assert player.act(obs, None).tolist() == [[0, 1]] * 3


def test_a_hundred_networks_are_one_policy():
    settings = {"sharing": False, "central": False, "num_envs": 2, "hidden": (4,), "units": (1.0, 1.0), "threads": 1}
    trainer = MAPPO(MAPPOConfig(env_id="envsuite/MOBeach-v0", **settings))
    with torch.no_grad():
        for layer in trainer.agents.actors:
            if hasattr(layer, "weight"):
                layer.weight.normal_()
        obs = torch.randn(3 * 100, 5)
        logits = trainer.agents.actors(trainer.groups.split(trainer.agents.obs_normaliser(obs)))
        expected = trainer.groups.join(logits.argmax(-1)).reshape(3, 100)
    assert trainer.policy().act(obs.reshape(3, 100, 5).numpy(), None).tolist() == expected.tolist()


def test_central_critic_sees_all_agents():
    trainer = MAPPO(MAPPOConfig(env_id=small("Parity"), num_envs=2, normalise=False, **QUICK))
    rows = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    found = trainer.agents.critic_inputs(rows)
    assert found[0].tolist() == [1, 2, 3, 4, 1, 0]
    assert found[1].tolist() == [1, 2, 3, 4, 0, 1]
    assert found[3].tolist() == [5, 6, 7, 8, 0, 1]

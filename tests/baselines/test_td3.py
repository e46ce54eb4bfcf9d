"""TD3: its arithmetic against definitions, and that it learns."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from replay import n_step  # noqa: E402
from td3 import TD3, TD3Config  # noqa: E402

import envsuite  # noqa: E402
from envsuite.core.world import make_world  # noqa: E402
from envsuite.evaluation.rollout import onnx_player  # noqa: E402

from .worlds import small  # noqa: E402

SMALL = {"num_envs": 4, "total_steps": 400, "first_steps": 200, "batch_size": 16, "evaluations": 1, "episodes": 2}


def small_trainer(**changes) -> TD3:
    return TD3(TD3Config.for_env("envsuite/QuadHover-v0", **{**SMALL, **changes}))


def test_rewards_are_summed_to_the_end_of_the_episode():
    """Row 0 goes on, row 1 is terminated at the second step, row 2 truncated at the first, row 3 is no experience."""
    gamma = 0.5

    def step(k: int, terminated: list[bool], done: list[bool]) -> dict[str, torch.Tensor]:
        return {
            "reward": torch.full((4,), 1.0),
            "next_obs": torch.full((4, 1), float(k)),
            "next_critic_obs": torch.full((4, 1), 10.0 * k),
            "discount": gamma * ~torch.tensor(terminated),
            "done": torch.tensor(done),
            "valid": torch.tensor([True, True, True, False]),
        }

    none = [False] * 4
    window = [
        step(0, none, [False, False, True, False]),
        step(1, [False, True, False, False], [False, True, False, False]),
        step(2, none, none),
    ]
    found = n_step(window, gamma)
    assert found["reward"].tolist() == [1.75, 1.5, 1.0]
    assert found["discount"].tolist() == [0.125, 0.0, 0.5]
    assert found["next_obs"][:, 0].tolist() == [2.0, 1.0, 0.0]
    assert found["next_critic_obs"][:, 0].tolist() == [20.0, 10.0, 0.0]


def test_memory_holds_what_happened():
    """Observations follow one another within an episode, and do not across its end."""
    trainer = small_trainer(returns=1, num_envs=2, first_steps=10_000)
    for _ in range(81):
        trainer.collect(learning=False)
    memory = trainer.memory._columns
    assert trainer.memory.count == 162
    obs, next_value = memory["obs"][:162].reshape(81, 2, -1), memory["next_obs"][:162].reshape(81, 2, -1)
    going = memory["discount"][:162].reshape(81, 2) > 0
    same = (obs[1:] == next_value[:-1]).all(2)
    assert torch.equal(same, going[:-1])
    assert not going.all()


def test_targets_are_the_lesser_critic_at_the_target_action():
    trainer = small_trainer(target_noise=0.0)
    for _ in range(60):
        trainer.collect(learning=False)
    batch = trainer.memory.sample(16)
    with torch.no_grad():
        found = trainer._targets(batch)
        action = trainer.target_actor(trainer.obs_normaliser(batch["next_obs"]))
        values = trainer.target_critics(trainer.critic_normaliser(batch["next_critic_obs"]), action)
    for k in range(16):
        expected = batch["reward"][k] + batch["discount"][k] * min(values[0, k], values[1, k])
        assert float(found[k]) == pytest.approx(float(expected), rel=1e-5)


def test_paired_critics_are_two_networks():
    trainer = small_trainer()
    critic_obs, action = torch.randn(5, 28), torch.randn(5, 4)
    found = trainer.critics(critic_obs, action)
    for which in range(2):
        value = torch.cat([critic_obs, action], 1)
        for layer in trainer.critics.layers:
            linear = not isinstance(layer, torch.nn.Tanh)
            value = value @ layer.weight[which] + layer.bias[which] if linear else torch.tanh(value)
        torch.testing.assert_close(found[which], value[:, 0], rtol=1e-5, atol=1e-6)


def test_memory_overwrites_the_oldest():
    trainer = small_trainer(num_envs=4, memory=5, returns=1)
    rewards = []
    for _ in range(3):
        trainer.collect(learning=False)
        rewards += trainer.memory._columns["reward"][(torch.arange(4) + len(rewards)) % 5].tolist()
    assert trainer.memory.count == 5
    assert sorted(trainer.memory._columns["reward"].tolist()) == sorted(rewards[-5:])
    trainer.memory.clear()
    trainer.collect(learning=False)
    assert trainer.memory.count == 4


def test_a_stage_of_the_curriculum_empties_the_memory():
    stages = ({"step": 300, "set_reward_weights": "target"},)
    trainer = small_trainer(stages=stages)
    trainer.train()
    assert trainer.rows.env.world.params[0]["weights"]["position"] == 40.0
    assert trainer.memory.count <= (400 - 300 + 4)


def test_exported_policy_acts_like_the_actor():
    trainer = small_trainer()
    trainer.train()
    with torch.no_grad():
        expected = trainer.actor(trainer.obs_normaliser(trainer.rows.obs)).numpy()
    found = trainer.policy().act(trainer.rows.obs.numpy(), None)
    assert found == pytest.approx(expected, abs=1e-5)


def test_same_seed_same_run():
    runs = [small_trainer(seed=3).train()[1].returns.tolist() for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.slow
def test_settles_most_episodes_after_300_thousand_steps():
    config = TD3Config.for_env("envsuite/QuadHover-v0", evaluations=1)
    assert config.total_steps == 300_000
    _, episodes = TD3(config).train()
    # the published runs settle 0.84 to 0.93; one run depends on how a processor sums, four of their deviations are left
    assert episodes.metrics["is_success"].mean() >= 0.65


def test_a_policy_passes_over_blocks_that_training_left_out():
    """The file plays the environment as registered, in which the network's inputs stand at other places."""
    settings = {**SMALL, "env_id": small("Hinted"), "env_options": {"hint": False}}
    trainer = TD3(TD3Config(**settings))
    for _ in range(60):
        trainer.iterate()
    seen = np.random.default_rng(0).uniform(-1, 1, (5, 5)).astype(np.float32)
    wanted = trainer.actor(trainer.obs_normaliser(torch.from_numpy(seen[:, [0, 1, 3, 4]])))
    player = onnx_player(trainer.policy())(make_world(envsuite.card(small("Hinted")).world), 5)
    player.reset(np.ones(5, np.bool_), np.arange(5))
    assert np.allclose(player.act(seen, np.zeros(5)), wanted.detach(), atol=1e-6)
    assert np.isfinite(trainer.evaluate().returns).all()


def test_a_training_that_sees_something_else_has_no_policy():
    trainer = TD3(TD3Config(**{**SMALL, "env_id": small("Hinted"), "env_options": {"far": 3.0}}))
    with pytest.raises(ValueError, match="options of the training change the block 'hint' of the observation"):
        trainer.policy()

"""PPO: its arithmetic against definitions, and that it learns."""

import numpy as np
import pytest

from envsuite.core.companions import Players, companion

torch = pytest.importorskip("torch")

from distributions import Gaussian  # noqa: E402
from launch import run  # noqa: E402
from learning import gae  # noqa: E402
from networks import Normaliser  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402

from .worlds import small  # noqa: E402

SMALL = {"num_envs": 8, "num_steps": 16, "total_steps": 256, "evaluations": 1, "episodes": 4, "threads": 1}


def small_trainer(**changes) -> PPO:
    return PPO(PPOConfig.for_env("envsuite/QuadHover-v0", **{**SMALL, **changes}))


def test_normaliser_gives_the_moments_of_everything_it_saw():
    generator = torch.Generator().manual_seed(0)
    parts = [torch.randn(50 * (k + 1), 3, generator=generator) * (k + 1) + k for k in range(4)]
    normaliser = Normaliser(3)
    for part in parts:
        normaliser.update(part)
    whole = torch.cat(parts)
    torch.testing.assert_close(normaliser.mean, whole.mean(0), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(normaliser.variance, whole.var(0, correction=0), rtol=1e-4, atol=1e-4)


def test_normal_actions_are_those_of_their_definition():
    generator = torch.Generator().manual_seed(2)
    mean, log_std = torch.randn(500, 3, generator=generator), torch.tensor([-1.0, 0.0, 0.5])
    ours, reference = Gaussian(mean, log_std), torch.distributions.Normal(mean, log_std.exp())
    actions = torch.randn(500, 3, generator=generator)
    torch.testing.assert_close(ours.log_prob(actions), reference.log_prob(actions).sum(-1), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(ours.entropy().expand(500), reference.entropy().sum(-1))
    torch.manual_seed(0)
    drawn = torch.stack([ours.sample() for _ in range(2000)])
    torch.testing.assert_close(drawn.mean(0), mean, rtol=0, atol=0.2)
    torch.testing.assert_close(drawn.std(0), log_std.exp().expand(500, 3), rtol=0.08, atol=0)


def test_actions_begin_where_they_are_told():
    trainer = small_trainer(initial_action=(0.3, -0.3, 0.0, 0.6), log_std=-5)
    action = trainer.collect()["action"]
    torch.testing.assert_close(action, torch.tensor([0.3, -0.3, 0.0, 0.6]).expand_as(action), rtol=0, atol=0.1)


def test_advantages_are_the_discounted_sums_of_their_definition():
    generator = torch.Generator().manual_seed(1)
    steps, slots = 16, 8
    batch = {
        "reward": torch.randn(steps, slots, generator=generator),
        "value": torch.randn(steps, slots, generator=generator),
        "done": torch.rand(steps, slots, generator=generator) < 0.2,
        "bootstrap_value": torch.randn(steps, slots, generator=generator),
    }
    after = torch.randn(slots, generator=generator)
    found = gae(*(batch[key] for key in ("reward", "value", "done", "bootstrap_value")), after, 0.9, 0.8)
    for slot in range(slots):
        for start in range(steps):
            total, weight = 0.0, 1.0
            for step in range(start, steps):
                done = bool(batch["done"][step, slot])
                if done:
                    next_value = batch["bootstrap_value"][step, slot]
                else:
                    next_value = after[slot] if step == steps - 1 else batch["value"][step + 1, slot]
                error = batch["reward"][step, slot] + 0.9 * next_value - batch["value"][step, slot]
                total += weight * float(error)
                weight *= 0.9 * 0.8
                if done:
                    break
            assert float(found[start, slot]) == pytest.approx(total, abs=1e-4)


def test_truncation_is_bootstrapped_from_the_final_state_and_termination_is_not():
    trainer = small_trainer(num_envs=64, num_steps=40)
    batch = trainer.collect()
    ended = batch["done"]
    assert ended.any()
    # every episode of untrained motors leaves the box long before the time limit
    assert not batch["bootstrap_value"][ended].any()
    short = PPO(
        PPOConfig.for_env("envsuite/QuadHover-v0", **SMALL, env_options={"max_episode_steps": 5, "weights": "initial"})
    )
    batch = short.collect()
    assert batch["done"][4::5].all()
    assert batch["bootstrap_value"][4::5].all()
    assert not batch["bootstrap_value"][:4].any()


def test_exported_policy_acts_like_the_actor():
    trainer = small_trainer()
    trainer.update(trainer.collect())
    policy = trainer.policy()
    observation = trainer.rows.obs
    with torch.no_grad():
        expected = trainer.agent.actor(trainer.agent.obs_normaliser(observation)).clamp(-1, 1).numpy()
    np.testing.assert_allclose(policy.act(observation.numpy(), None), expected, atol=1e-5)


def test_same_seed_same_run():
    runs = [small_trainer(seed=3).train()[1].returns for _ in range(2)]
    np.testing.assert_array_equal(*runs)


def test_loss_that_is_no_number_stops_the_run_and_the_record_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("ppo.gae", lambda reward, *rest: torch.full_like(reward, torch.nan))
    config = PPOConfig.for_env("envsuite/QuadHover-v0", **SMALL)
    with pytest.raises(FloatingPointError, match="environment step 128"):
        run(PPO, config, tmp_path)
    record = next(tmp_path.rglob("run.json")).read_text()
    assert "failed: FloatingPointError" in record


def test_curriculum_stages_are_entered_in_time():
    stages = ({"step": 128, "set_reward_weights": "target"},)
    trainer = small_trainer(stages=stages)
    assert trainer.rows.env.world.params[0]["weights"]["position"] == 5.0
    trainer.train()
    assert trainer.rows.env.world.params[0]["weights"]["position"] == 40.0


def test_unknown_settings_are_refused():
    with pytest.raises(TypeError, match="learning_speed"):
        PPOConfig.for_env("envsuite/QuadHover-v0", learning_speed=1)


@pytest.mark.slow
def test_learns_to_hover():
    config = PPOConfig.for_env("envsuite/QuadHover-v0", evaluations=1)
    _, episodes = PPO(config).train()
    assert episodes.metrics["is_success"].mean() >= 0.9


@pytest.mark.parametrize(
    ("name", "least", "changes"),
    [
        ("Locks", 7.5, {"entropy": 0.01}),
        ("Look", 3.9, {"hidden": (32,), "num_envs": 16, "total_steps": 6_000}),
    ],
)
def test_learns_choices_under_masks_and_from_images(name, least, changes):
    settings = {"num_envs": 32, "num_steps": 16, "total_steps": 25_000, "learning_rate": 3e-3, "gamma": 0.9}
    config = PPOConfig(**{"env_id": small(name), "evaluations": 1, "episodes": 64, "threads": 1, **settings, **changes})
    policy, episodes = PPO(config).train()
    assert episodes.returns.mean() >= least
    if name == "Locks":
        assert not episodes.metrics["illegal"].any()
    assert policy.interface.env_id == small(name)


def test_learns_from_pixel_observations_and_is_played_from_states():
    """Frames of 84 x 84: the left half is bright or not, and says which choice is right."""
    options = {"obs_type": "pixels"}
    settings = {"num_envs": 4, "num_steps": 8, "total_steps": 320, "epochs": 2, "minibatches": 2, "gamma": 0.0}
    trainer = PPO(
        PPOConfig(
            **{"env_id": small("Look"), "env_options": options, "hidden": (32,), "learning_rate": 1e-3},
            **{"evaluations": 1, "episodes": 8, "threads": 1, **settings},
        )
    )
    policy, episodes = trainer.train()
    assert policy.observation_shape == (84, 84, 3)
    assert episodes.returns.mean() >= 3.5
    with torch.no_grad():
        expected = trainer.agent.policy_and_value(trainer.rows.obs, trainer.rows.obs, None)[0]._logs[0].argmax(-1)
    assert policy.act(trainer.rows.obs.numpy(), None).tolist() == expected.tolist()


def test_value_clipping_and_early_stop_do_what_they_say():
    trainer = PPO(PPOConfig(env_id=small("Pole"), num_envs=4, num_steps=16, value_clip=0.1))
    part = {key: value.flatten(0, 1) for key, value in trainer.collect().items()}
    part["return"] = part["value"] + 10.0
    part["value"] = part["value"] - 5.0  # the new value lies far outside 0.1 around this
    expected = 0.5 * torch.maximum(torch.full((64,), 100.0), (part["value"] + 0.1 - part["return"]).square())
    torch.testing.assert_close(trainer.losses(part)["value_loss"], expected.mean(), rtol=1e-4, atol=1e-4)
    stopped = PPO(PPOConfig(env_id=small("Pole"), num_envs=4, num_steps=16, target_kl=1e-9, learning_rate=1e-2))
    steps = []
    stopped.optimiser.register_step_post_hook(lambda *rest: steps.append(1))
    stopped.update(stopped.collect())
    assert 1 <= len(steps) < 16


@pytest.mark.parametrize("env_id", ["envsuite/QuadHover-v0", "small/Locks-v0"])
def test_a_teacher_draws_the_policy_towards_what_it_does_less_and_less(env_id):
    small("Locks")
    settings = {"num_envs": 8, "num_steps": 16, "total_steps": 1024, "value": 0.0, "teach": 3.0, "final_teach": 0.2}
    trainer = PPO(PPOConfig(env_id=env_id, threads=1, **settings))
    expert, states = companion(trainer.rows.env.world, Players).expert(), trainer.rows.env.batch.states
    expected = expert.act(trainer.rows.obs.numpy(), states).copy()
    batch = trainer.collect()
    np.testing.assert_array_equal(batch["teacher_action"][0].numpy(), expected)  # before the step, not after it
    assert (batch["teacher_action"][1:] != batch["teacher_action"][0]).any()
    part = {key: one.flatten(0, 1) for key, one in batch.items()}
    trainer.steps = 256
    numbers, agent = trainer.losses(part), trainer.agent
    with torch.no_grad():
        output = agent.actor(part["obs"])
    if agent.actions.heads:  # cross-entropies of both choices
        logits = torch.where(part["mask"], output, -torch.inf).split((3, 2), 1)
        far = sum(torch.nn.functional.cross_entropy(one, part["teacher_action"][:, k]) for k, one in enumerate(logits))
    else:
        far = (output - part["teacher_action"]).square().sum(1).mean()
    assert numbers["teach_loss"].item() == pytest.approx(far.item(), rel=1e-4)
    weight = 3.0 * (0.2 + 0.8 * 0.75)
    difference = numbers["loss"] - numbers["policy_loss"]
    assert difference.item() == pytest.approx(weight * far.item(), rel=1e-4)


def test_a_teacher_makes_it_learn_sooner():
    settings = {"num_envs": 64, "num_steps": 32, "total_steps": 65_536, "learning_rate": 3e-3, "log_std": -1.0}
    settings |= {"evaluations": 1, "episodes": 32, "threads": 1, "env_id": "envsuite/QuadHover-v0"}
    scores = [PPO(PPOConfig(**settings, teach=teach)).train()[1].returns.mean() for teach in (0.0, 10.0)]
    assert scores[0] < 0 < 400 < scores[1]


def test_a_teacher_is_told_of_new_episodes():
    trainer = PPO(PPOConfig(env_id=small("Locks"), num_envs=8, num_steps=20, teach=1.0))
    told: list[np.ndarray] = []
    trainer.teacher._player.reset = lambda mask, seeds: told.append(mask.copy())
    trainer.collect()
    assert len(told) == 2  # episodes of 8 steps
    assert all(mask.all() for mask in told)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_solves_the_pole_in_a_third_of_the_budget(seed):
    """A mean return of 475 of 500, where CartPole counts as solved, within 100,000 of 300,000 steps."""
    settings = {"num_envs": 64, "num_steps": 32, "learning_rate": 2.5e-3, "total_steps": 100_000, "evaluations": 1}
    _, episodes = PPO(PPOConfig(env_id=small("Pole"), seed=seed, threads=1, **settings)).train()
    assert episodes.returns.mean() >= 475


@pytest.mark.parametrize("env_id", ["envsuite/QuadHover-v0", "Locks", "Look"])
def test_a_recorded_round_knows_all_that_it_moves(env_id):
    trainer = PPO(PPOConfig(env_id=env_id if "/" in env_id else small(env_id), **SMALL))
    trainer.iterate()
    holders = [trainer, trainer.rows, trainer.return_spread, *trainer.agent.modules()]

    def held() -> dict[tuple[int, str], object]:
        found = {}
        for one in holders:
            parts = vars(one) | dict(getattr(one, "_buffers", {})) | dict(getattr(one, "_parameters", {}))
            found |= {(id(one), name): value for name, value in parts.items() if not name.startswith("_")}
        return found

    before = held()
    trainer.play_and_learn()
    moved = {key for key, value in held().items() if value is not before[key]}
    known = {(id(one), name) for one, name in trainer.moving()}
    # steps are counted beside the recording; infos are the environment's own arrays
    assert moved - known == {(id(trainer), "steps"), (id(trainer.rows), "infos")}

"""Experience: the three autoreset modes, bootstrapping, masks, images; each against a tabular or closed-form answer."""

import gymnasium
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from config import Config  # noqa: E402
from distributions import Categorical  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from learning import gae, truncated_rows  # noqa: E402
from ppo import PPO, PPOConfig, standardised  # noqa: E402
from rows import Rows  # noqa: E402

from .worlds import small  # noqa: E402

MODES = [mode.value for mode in AutoresetMode]


class _Config(Config):
    algorithm = "none"


def rows_of(env_id: str, mode: str = "SameStep", num_envs: int = 3, **changes) -> Rows:
    return Rows(_Config(env_id=env_id, autoreset=mode, num_envs=num_envs, **changes))


def test_pole_and_pendulum_are_gymnasiums():
    for name, peer in (("Pole", "CartPole-v1"), ("Pendulum", "Pendulum-v1")):
        ours, theirs = gymnasium.make(small(name)).unwrapped, gymnasium.make(peer).unwrapped
        ours.reset(seed=0)
        theirs.reset(seed=0)
        theirs.state = ours.batch.states["x"][0].copy()
        theirs.action_space.seed(0)
        for _ in range(12):
            action = theirs.action_space.sample()
            found, expected = ours.step(action), theirs.step(action)
            np.testing.assert_allclose(found[0], expected[0], atol=1e-6)
            assert found[1] == pytest.approx(expected[1], rel=1e-6)
            assert found[2] == expected[2]
            if found[2]:
                break


@pytest.mark.parametrize("name", ["Pole", "Recall", "Locks", "Guess"])
def test_all_autoreset_modes_are_the_same_experience(name):
    """Rows that are valid: same observations, rewards, ends, and same observations that steps led to."""
    told = {}
    for mode in MODES:
        rows = rows_of(small(name, 7), mode)
        generator = np.random.default_rng(0)
        told[mode] = [[] for _ in range(rows.count)]
        script = generator.integers(0, 2, (60, rows.count, *rows.action_space.shape))
        played = np.zeros(rows.count, int)
        for _ in range(40):
            obs = rows.obs
            step = rows.step(torch.from_numpy(script[played, np.arange(rows.count)]))
            for k in np.flatnonzero(step.valid):
                columns = (obs, step.next_obs, step.reward, step.terminated, step.done)
                told[mode][k].append([column[k].numpy().tolist() for column in columns])
            played += step.valid.numpy()
    for mode in MODES[1:]:
        for first, other in zip(told[MODES[0]], told[mode], strict=True):
            count = min(len(first), len(other))
            assert count >= 30
            assert any(one[4] for one in first[:count])
            assert first[:count] == other[:count]


@pytest.mark.parametrize("mode", MODES)
def test_a_new_episode_is_announced_with_its_first_observation(mode):
    rows = rows_of(small("Recall"), mode)
    for _ in range(20):
        step = rows.step(torch.zeros(rows.count, dtype=torch.int64))
        assert torch.equal(step.episode_start, rows.obs[:, 0] != 0)  # the cue is shown at the first step alone
        assert not (step.done & ~step.valid).any()


@pytest.mark.parametrize("mode", MODES)
def test_returns_are_those_of_the_table(mode):
    """With lambda 1 and any value function, the return of a step is the discounted sum of rewards to the end of its
    episode, and beyond the length limit, not beyond the end of the task, the value of the last observation."""
    gamma = 0.9
    trainer = PPO(
        PPOConfig(
            **{"env_id": small("Pole", 12), "autoreset": mode, "num_envs": 4, "num_steps": 64, "gamma": gamma},
            **{"gae_lambda": 1.0, "scale_rewards": False, "normalise": False, "seed": 3},
        )
    )
    batch = trainer.collect()
    ends = {"terminated": 0, "truncated": 0}
    for slot in range(4):
        valid = batch["valid"][:, slot].nonzero()[:, 0].tolist()
        rewards, dones = batch["reward"][valid, slot], batch["done"][valid, slot]
        lengths, run = [], 0
        for done in dones.tolist():
            run += 1
            lengths.append(run)
            run = 0 if done else run
        for place, step in enumerate(valid):
            end = next((k for k in range(place, len(valid)) if dones[k]), None)
            if end is None:
                continue
            expected = sum(gamma**k * float(rewards[place + k]) for k in range(end - place + 1))
            fell, last = after(batch, valid[end], slot)
            if lengths[end] == 12 and not fell:
                ends["truncated"] += 1
                with torch.no_grad():
                    expected += gamma ** (end - place + 1) * float(trainer.agent.values(last))
            else:
                ends["terminated"] += 1
            assert float(batch["return"][step, slot]) == pytest.approx(expected, abs=2e-4)
    assert min(ends.values()) > 0


def after(batch, step: int, slot: int) -> tuple[bool, torch.Tensor]:
    """Whether the pole fell with this step, and the observation then, by the equations."""
    from .worlds import Pole

    world = Pole()
    s = np.zeros(1, world.state_dtype)
    s["x"] = batch["obs"][step, slot].double().numpy()
    fell = world.move(s, batch["action"][step, slot].numpy())[1][0]
    return bool(fell), torch.from_numpy(s["x"]).float()


@pytest.mark.parametrize("mode", MODES)
def test_the_value_after_the_length_limit_is_that_of_the_last_observation(mode):
    rows = rows_of(small("Glider", 5), mode)
    cuts = 0
    for _ in range(11):
        before = rows.obs
        step = rows.step(torch.full((rows.count, 1), 0.5))
        cut = truncated_rows(step)
        cuts += len(cut)
        for k in cut.tolist():
            speed = before[k, 1] + 0.2 * 0.5
            torch.testing.assert_close(step.next_obs[k], torch.stack([before[k, 0] + 0.2 * speed, speed]))
    assert cuts == 6


def test_bugs_would_be_found():
    """The three classic faults change what the tests above look at."""
    reward = torch.tensor([[1.0], [1.0], [1.0]])
    value, next_value = torch.tensor([[0.5], [0.4], [0.3]]), torch.tensor([7.0])
    done, nothing = torch.tensor([[False], [True], [False]]), torch.zeros(3, 1)
    right = gae(reward, value, done, nothing, next_value, 0.9, 1.0)
    torch.testing.assert_close(right[:, 0], torch.tensor([1 + 0.9 - 0.5, 1 - 0.4, 1 + 0.9 * 7 - 0.3]))
    bootstrapped = gae(reward, value, done, torch.tensor([[0.0], [2.0], [0.0]]), next_value, 0.9, 1.0)
    torch.testing.assert_close(bootstrapped - right, torch.tensor([[0.9**2 * 2], [0.9 * 2], [0.0]]))


def test_advantages_are_standardised_in_each_minibatch():
    """Neither the scale nor the offset of rewards moves the policy's loss."""
    trainer = PPO(PPOConfig(env_id=small("Pole"), num_envs=4, num_steps=16, scale_rewards=False))
    batch = trainer.collect()
    part = {key: value.flatten(0, 1) for key, value in batch.items()}
    part["log_prob"] = part["log_prob"] + torch.linspace(-0.1, 0.1, 64)
    first = trainer.losses(part)["policy_loss"]
    part["advantage"] = part["advantage"] * 50.0 + 3.0
    torch.testing.assert_close(trainer.losses(part)["policy_loss"], first, rtol=1e-4, atol=1e-5)
    found = standardised(part["advantage"])
    assert abs(float(found.mean())) < 1e-5
    assert float(found.std()) == pytest.approx(1.0, abs=1e-5)


def test_a_reset_step_is_no_experience(monkeypatch):
    """What is noted of the step that begins an episode has no influence on the update."""
    results = []
    for garbage in (0.0, 1e6):
        trainer = PPO(
            PPOConfig(env_id=small("Recall"), autoreset="NextStep", num_envs=4, num_steps=12, epochs=1, minibatches=1)
        )
        batch = trainer.collect()
        invalid = ~batch["valid"]
        assert invalid.sum() == 8
        for key in ("advantage", "return", "log_prob", "obs"):
            batch[key][invalid] = garbage
        trainer.update(batch)
        results.append(torch.cat([one.flatten() for one in trainer.agent.parameters()]))
    assert torch.equal(*results)


def test_choices_follow_their_distribution():
    logits = torch.tensor([[0.3, -1.0, 2.0, 0.5, -0.5]])
    mask = torch.tensor([[True, True, False, True, True]])
    choices = Categorical(logits.expand(20_000, -1), (3, 2), mask)
    torch.manual_seed(0)
    drawn = choices.sample()
    first = torch.softmax(torch.tensor([0.3, -1.0]), 0)
    second = torch.softmax(torch.tensor([0.5, -0.5]), 0)
    shares = torch.bincount(drawn[:, 0], minlength=3) / 20_000
    torch.testing.assert_close(shares, torch.cat([first, torch.zeros(1)]), atol=0.012, rtol=0)
    assert float((drawn[:, 1] == 1).float().mean()) == pytest.approx(float(second[1]), abs=0.012)
    action = torch.tensor([[1, 0]]).expand(20_000, -1)
    assert float(choices.log_prob(action)[0]) == pytest.approx(float(first[1].log() + second[0].log()), abs=1e-5)
    entropy = -(first * first.log()).sum() - (second * second.log()).sum()
    assert float(choices.entropy()[0]) == pytest.approx(float(entropy), abs=1e-5)


def test_forbidden_choices_have_no_gradient():
    logits = torch.randn(4, 5, requires_grad=True)
    mask = torch.tensor([True, False, True, True, True]).expand(4, -1)
    choices = Categorical(logits, (3, 2), mask)
    (choices.log_prob(torch.zeros(4, 2, dtype=torch.int64)).sum() + choices.entropy().sum()).backward()
    assert not logits.grad[:, 1].any()
    assert logits.grad[:, 0].all()


def test_spaces_that_no_algorithm_takes_are_refused_by_name(monkeypatch):
    from distributions import ActionHead, finite_bounds

    with pytest.raises(ValueError, match=r"MultiBinary.*expected Box, Discrete or MultiDiscrete"):
        ActionHead(gymnasium.spaces.MultiBinary(3), 0.0)
    with pytest.raises(ValueError, match="finite bounds"):
        finite_bounds(gymnasium.spaces.Box(-np.inf, np.inf, (2,)))
    with pytest.raises(ValueError, match=r"only mappo\.py learns from vectors"):
        PPO(PPOConfig(env_id=small("Trade"), num_envs=2))
    from .worlds import Locks

    monkeypatch.setattr(Locks, "observation", Locks.observation.__class__(Locks.observation.blocks[:2] * 2))
    with pytest.raises(ValueError, match="no block of this name"):
        rows_of(small("Locks"))


def test_pixels_of_several_agents_have_their_last_frames():
    rows = rows_of(small("Guess"), env_options={"obs_type": "pixels"}, num_envs=2)
    for _ in range(5):
        rows.step(torch.zeros(4, dtype=torch.int64))
    step = rows.step(torch.zeros(4, dtype=torch.int64))
    assert step.episode_start.all()
    assert step.next_obs.shape == rows.obs.shape == (4, 84, 84, 3)
    assert not step.next_obs.any()  # of step 6, dark
    rows.step(torch.zeros(4, dtype=torch.int64))
    assert rows.obs.any()  # of step 1, bright on the left

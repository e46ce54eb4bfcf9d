"""Goals in hindsight: what is drawn, against a second account of the same episodes."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from sac import SACConfig  # noqa: E402
from sac_her import SACHER, SACHERConfig  # noqa: E402
from td3 import TD3Config  # noqa: E402
from td3_her import TD3HER, TD3HERConfig  # noqa: E402

import envsuite  # noqa: E402

from .worlds import small  # noqa: E402

GAMMA = 0.5
SMALL = {"num_envs": 3, "threads": 1, "hidden": (8,), "evaluations": 1, "episodes": 4, "gamma": GAMMA}


def trainer(world: str = "Reach", **changes) -> SACHER:
    return SACHER(SACHERConfig(env_id=small(world), **{**SMALL, "total_steps": 3_000, "returns": 3, **changes}))


def told(made, steps: int) -> list[list[dict]]:
    """Play, and write down the episodes of each instance on the side: lists of steps, the last perhaps unfinished."""
    episodes, open_ones, step = [], [[] for _ in range(made.rows.count)], made.rows.step

    def noted(actions):
        before, done = made.rows.obs.clone(), step(actions)
        for row, steps in enumerate(open_ones):
            if not done.valid[row]:
                continue
            after = done.next_obs[row].clone()
            one = {"obs": before[row], "next": after, "reward": float(done.reward[row])}
            steps.append(one | {"terminated": bool(done.terminated[row])})
            if done.done[row]:
                episodes.append(steps[:])
                steps.clear()
        return done

    made.rows.step = noted
    for _ in range(steps):
        made.collect(learning=False)
    made.rows.step = step
    return episodes + [one for one in open_ones if one]


def found(episodes, obs, action_free=2):
    """Which step of which episode began at a place."""
    for steps in episodes:
        for k, step in enumerate(steps):
            if torch.equal(step["obs"][:action_free], obs[:action_free]):
                return steps, k
    raise AssertionError(f"no step began at {obs}")


def reached(place, goal) -> float:
    return float(np.hypot(*(np.asarray(place, np.float64) - np.asarray(goal, np.float64))) < 0.2)


@pytest.mark.parametrize(
    ("ends", "world", "least"), [(False, "Reach", 0), (True, "Reach", 0), (True, "CostlyReach", -1)]
)
def test_goals_are_later_places_and_rewards_are_theirs(ends, world, least):
    made = trainer(world, hindsight=1.0, goal_ends=ends)
    episodes = told(made, 100)
    assert any(steps[-1]["terminated"] for steps in episodes)
    batch = made.memory.sample(400)
    later, paid, kept = set(), 0, 0
    for i in range(400):
        steps, k = found(episodes, batch["obs"][i])
        place, goal = batch["obs"][i, :2], batch["obs"][i, 2:]
        assert torch.equal(goal, batch["next_obs"][i, 2:])
        if torch.equal(goal, steps[k]["obs"][2:]):
            kept += 1
        else:
            ahead = [n for n in range(k, len(steps)) if torch.equal(steps[n]["next"][:2], goal)]
            assert ahead
            assert not (ends and reached(place, goal))
            later.add(ahead[0] - k)
        total, discount, n = 0.0, 1.0, k
        for n in range(k, min(k + 3, len(steps))):
            total += discount * (least + reached(steps[n]["next"][:2], goal))
            discount *= GAMMA
            if ends and reached(steps[n]["next"][:2], goal):
                discount = 0.0
            if discount == 0.0:
                break
        if not ends and steps[min(k + 2, len(steps) - 1)]["terminated"]:
            discount = 0.0
        assert batch["reward"][i] == pytest.approx(total)
        assert batch["discount"][i] == pytest.approx(discount)
        if discount:
            assert torch.equal(batch["next_obs"][i, :2], steps[n]["next"][:2])
        paid += total > least * (1 + GAMMA + GAMMA**2)
    assert later > set(range(8))
    assert (60 if ends else 100) < paid < 400
    assert (20 < kept < 250) if ends else kept == 0


@pytest.mark.parametrize("kinds", [(SACHERConfig, SACConfig), (TD3HERConfig, TD3Config)])
def test_settings_are_those_of_the_algorithm(kinds):
    own, plain = (dataclasses.asdict(kind(env_id=small("Reach"))) for kind in kinds)
    assert {name for name in own if own[name] != plain.get(name)} == {"autoreset", "hindsight", "goal_ends"}


def test_scaled_rewards_are_scaled_in_hindsight_too():
    batches = []
    for scale in (1.0, 0.25):
        made = trainer(hindsight=0.5, reward_scale=scale, seed=2)
        told(made, 100)
        torch.manual_seed(3)
        batches.append(made.memory.sample(400))
    plain, scaled = batches
    assert plain["reward"].max() > 0
    torch.testing.assert_close(scaled["reward"], 0.25 * plain["reward"])
    assert all(torch.equal(scaled[name], plain[name]) for name in ("obs", "next_obs", "action", "discount"))


def test_without_hindsight_transitions_are_as_they_were():
    made = trainer(hindsight=0.0)
    episodes = told(made, 100)
    batch = made.memory.sample(300)
    for i in range(300):
        steps, k = found(episodes, batch["obs"][i])
        part = steps[k : k + 3]
        assert torch.equal(batch["obs"][i], part[0]["obs"])
        assert torch.equal(batch["next_obs"][i], part[-1]["next"])
        assert batch["reward"][i] == pytest.approx(sum(GAMMA**n * one["reward"] for n, one in enumerate(part)))
        assert batch["discount"][i] == pytest.approx(GAMMA ** len(part) * (not part[-1]["terminated"]))


def test_shares_are_as_asked_for_and_all_steps_are_drawn():
    made = trainer(hindsight=0.75, returns=1)
    episodes = told(made, 60)
    batch = made.memory.sample(6_000)
    own, seen = 0, set()
    for i in range(6_000):
        steps, k = found(episodes, batch["obs"][i])
        seen.add((id(steps), k))
        own += torch.equal(steps[k]["obs"][2:], batch["obs"][i, 2:])
    assert own / 6_000 == pytest.approx(0.25, abs=0.03)
    assert len(seen) == sum(len(steps) for steps in episodes)


def test_the_oldest_are_overwritten():
    made = trainer(hindsight=1.0, memory=60)
    episodes = told(made, 110)
    assert made.memory.count == 60
    newest = {tuple(step["obs"][:2].tolist()) for steps in told(made, 20) for step in steps}
    batch = made.memory.sample(500)
    assert {tuple(obs[:2].tolist()) for obs in batch["obs"]} <= newest
    assert episodes


@pytest.mark.slow
def test_places_of_meta_world_pay_what_the_task_paid():
    """Also in the last step of an episode, and where the place achieved is no part of the observation."""
    settings = {**SMALL, "total_steps": 5_000, "num_envs": 4, "hindsight": 0.0, "returns": 1}
    made = TD3HER(TD3HERConfig(env_id="MetaReach", env_options={"reward": "sparse"}, **settings))
    goals = made.rows.env.world.goal_parts["desired_goal"]
    for _ in range(700):
        ahead = made.rows.obs[:, goals] - made.rows.obs[:, :3]
        action = (5.0 * ahead + torch.tensor([0.0, 0.0, 0.2])).clamp(-1, 1)  # the tips hang below the hand
        before = made.rows.obs, made.rows.critic_obs
        action = torch.cat([action, torch.zeros(4, 1)], 1)
        step = made.rows.step(action)
        made.memory.add({"obs": before[0], "action": action, "reward": step.reward, "next_obs": step.next_obs,
                         "discount": step.reward, "done": step.done, "valid": step.valid})  # fmt: skip
    known, valid = made.memory._columns, made.memory._columns["valid"][:700]
    paid = made.rows.env.world.compute_reward(known["achieved"][:700].numpy(), known["obs"][:700, :, goals].numpy())
    assert known["done"].any()
    assert 0.1 < known["reward"][:700][valid].mean() < 0.99
    np.testing.assert_array_equal(paid[valid.numpy()], known["reward"][:700][valid].numpy())


def test_what_has_no_goals_is_refused():
    with pytest.raises(ValueError, match="Glider has no compute_reward, expected a world with goals"):
        SACHER(SACHERConfig(env_id=small("Glider"), **SMALL))
    with pytest.raises(ValueError, match="autoreset is 'SameStep', expected 'NextStep'"):
        trainer(autoreset="SameStep")
    with pytest.raises(ValueError, match=r"hindsight is 1\.5, expected a share"):
        trainer(hindsight=1.5)
    with pytest.raises(ValueError, match="privileged is 'mark', expected ''"):
        trainer(privileged="mark")


@pytest.mark.slow
def test_rewards_that_a_place_does_not_tell_are_refused():
    with pytest.raises(ValueError, match="reward"):
        SACHER(SACHERConfig(env_id=envsuite.card("MetaReach").id, **SMALL))


def test_success_in_each_task_is_logged():
    """In `Reach` the task is on which side the goal lies."""
    made = trainer(episodes=200)
    episodes = made.evaluate()
    numbers, side = made.summary(episodes), episodes.metrics["task"] > 0
    shares = [numbers[f"success_task_{k}"] for k in (0, 1)]
    assert np.average(shares, weights=[(~side).sum(), side.sum()]) == pytest.approx(numbers["is_success"])
    assert episodes.terminated[side].mean() == pytest.approx(shares[1])
    assert "success_task_2" not in numbers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("maker", "settings", "extra"), [(SACHER, SACHERConfig, {"weight": 0.02}), (TD3HER, TD3HERConfig, {})]
)
def test_learns_to_reach(maker, settings, extra):
    """At most 2.8 m away, 0.28 m a step. Values that count on after the goal lead past it: 0.65 after 6,000 steps."""
    extra |= {"num_envs": 16, "first_steps": 500, "batch_size": 64, "updates": 1.0, "learning_rate": 1e-3}
    extra |= {"gamma": 0.9, "hidden": (32,), "returns": 1, "episodes": 100, "total_steps": 12_000}
    _, episodes = maker(settings(env_id=small("Reach"), **SMALL | extra, goal_ends=True)).train()
    assert episodes.metrics["is_success"].mean() > 0.9
    assert episodes.lengths.mean() < 10

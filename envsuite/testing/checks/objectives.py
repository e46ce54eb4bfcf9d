"""Rewards of several objectives, and games of turns."""

import itertools

import numpy as np
import pettingzoo

from envsuite.cards import EnvCard
from envsuite.core.companions import Referee, companion
from envsuite.core.parallel import WorldParallelEnv
from envsuite.testing.checks.common import NotApplicable, only_several, steps_for
from envsuite.testing.traces import batch_env, random_actions


def reward_vectors(card: EnvCard) -> None:
    """Rewards lie in their space, as float32 arrays that no two agents share, in the parallel and the AEC API."""
    if not card.objectives:
        raise NotApplicable("scalar rewards")
    only_several(card)
    env = WorldParallelEnv(max_cycles=card.horizon, **card.kwargs)
    assert tuple(env.reward_names) == card.objectives, f"objectives are {env.reward_names}"
    assert set(env.reward_spaces) == set(env.possible_agents)
    assert all(env.reward_space(agent) is env.reward_spaces[agent] for agent in env.possible_agents)
    env.reset(seed=4)
    for row in random_actions(card, min(60, steps_for(card)), 1)[:, 0]:
        rewards = env.step(dict(zip(env.possible_agents, row, strict=True)))[1]
        _check_rewards(env, rewards)
        if not env.agents:
            env.reset()
    aec = pettingzoo.make("aec", card.id)
    aec.reset(seed=4)
    sums = {agent: np.zeros(len(card.objectives)) for agent in aec.possible_agents}
    taken = {agent: np.zeros(len(card.objectives)) for agent in aec.possible_agents}
    for agent in aec.agent_iter(min(4 * card.agents, 200)):
        _, reward, terminated, truncated, _ = aec.last()
        taken[agent] = taken[agent] + reward
        fresh = {id(array) for array in aec.rewards.values()}
        assert len(fresh) == len(aec.rewards), "agents share a reward array"
        aec.step(None if terminated or truncated else aec.action_space(agent).low * 0 if _box(aec, agent) else 0)
        for one, value in aec.rewards.items():
            sums[one] = sums[one] + value
        if not aec.agents:
            for one in sums:
                assert np.allclose(sums[one], taken[one]), (
                    f"last() gives {one} {taken[one]} in all, rewards {sums[one]}"
                )
            break


def _box(aec, agent) -> bool:
    return hasattr(aec.action_space(agent), "low")


def _check_rewards(env, rewards) -> None:
    arrays = list(rewards.values())
    for agent, reward in rewards.items():
        assert isinstance(reward, np.ndarray), f"the reward of {agent} is a {type(reward)}"
        assert env.reward_space(agent).contains(reward), f"the reward {reward} of {agent} is outside its space"
    shared = [(a, b) for a, b in itertools.pairwise(arrays) if np.shares_memory(a, b)]
    assert not shared, "agents share a reward array"


def turns(card: EnvCard) -> None:
    """In a game of turns the mask has ones for the mover alone, and others' actions count for nothing."""
    only_several(card)
    envs = [batch_env(card, 1) for _ in range(2)]
    world = envs[0].world
    for env in envs:
        env.reset(seed=3)
    states = [env.batch.states[0] for env in envs]
    if companion(world, Referee).current_player(states[0]) is None:
        raise NotApplicable("all agents act at once")
    for row in random_actions(card, 20, 1)[:, 0]:
        mover = companion(world, Referee).current_player(states[0])
        if mover is None or envs[0].batch.done[0]:
            break
        masks = envs[0].batch.last.info["action_mask"][0]
        assert masks[mover].any(), "the mover has no legal action"
        assert not np.delete(masks, mover, axis=0).any(), "an agent whose turn it is not has legal actions"
        legal = np.flatnonzero(masks[mover])
        row[mover] = legal[int(row[mover]) % len(legal)]
        other = np.zeros_like(row)
        other[mover] = row[mover]
        first, second = envs[0].step(row[np.newaxis]), envs[1].step(other[np.newaxis])
        for one, two in zip(first[:4], second[:4], strict=True):
            assert np.array_equal(one, two), "an action out of turn changed something"

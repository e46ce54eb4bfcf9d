"""What the conformance kit asks of the cards, asked of options that no card has: boards, agents, modes, rules."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest

from envsuite.core.aec import aec_env
from envsuite.core.objectives import linear
from envsuite.core.parallel import WorldParallelEnv
from envsuite.testing.checks.common import strict

pytestmark = pytest.mark.slow

CASES = [
    ("beach.kernel:BeachWorld", {"num_agents": 5, "sections": 3, "capacity": 2, "num_timesteps": 4}),
    ("beach.kernel:BeachWorld", {"num_agents": 2, "reward_mode": "team", "type_counts": "exact"}),
    ("item_gathering.kernel:ItemGatheringWorld", {"initial_map": [[1, 0, 3, 1], [1, 4, 0, 3]], "reward_mode": "team"}),
    ("item_gathering.kernel:ItemGatheringWorld", {"layout": "shuffled", "pickup_probabilities": [0.5, 1.0, 0.2]}),
    ("gem_mining.kernel:GemMiningWorld", {"num_agents": 3, "num_objectives": 3, "correlated_objectives": False}),
    ("gem_mining.kernel:GemMiningWorld", {"num_agents": 3, "compat": "momaland-0.2"}),
    ("route_choice.kernel:RouteChoiceWorld", {"problem": "Braess_3", "num_agents": 7, "toll_mode": "random"}),
    ("crazyrl.kernel:CrazyRLWorld", {"task": "catch", "num_drones": 2, "compat": "momaland-0.2"}),
    ("crazyrl.kernel:CrazyRLWorld", {"task": "escort", "num_drones": 8, "size": 5.0, "crash_penalty": "all"}),
    ("pistonball.kernel:PistonballWorld", {"n_pistons": 3, "continuous": False, "sight": "all"}),
    ("multiwalker.kernel:MultiwalkerWorld", {"n_walkers": 1}),
    ("multiwalker.kernel:MultiwalkerWorld", {"shared_reward": False, "terminate_on_fall": False, "max_cycles": 150}),
    ("connect4.world:Connect4World", {"width": 5, "height": 4, "column_objectives": False}),
    ("connect4.world:Connect4World", {"width": 4, "height": 8}),
    ("breakthrough.world:BreakthroughWorld", {"width": 3, "height": 6, "num_objectives": 1}),
    ("breakthrough.world:BreakthroughWorld", {"width": 7, "height": 5, "num_objectives": 3}),
    ("ingenious.kernel:IngeniousWorld", {"num_agents": 3, "board_size": 3, "rack_size": 2, "fully_obs": True}),
    ("ingenious.kernel:IngeniousWorld", {"num_agents": 4, "board_size": 3, "reward_mode": "two_teams"}),
    ("ingenious.kernel:IngeniousWorld", {"board_size": 3, "reward_mode": "collaborative", "compat": "momaland-0.2"}),
    ("samegame.world:SameGameWorld", {"width": 4, "height": 6, "num_agents": 3, "team_rewards": True}),
    ("samegame.world:SameGameWorld", {"width": 7, "height": 3, "num_agents": 2, "color_rewards": False}),
    ("prisoners.world:PrisonersWorld", {"rounds": 3, "temptation": 4.0}),
    ("coin_game.world:CoinGameWorld", {"size": 5, "steps": 7, "colors": "random"}),
    ("trust_split.kernel:TrustSplitWorld", {"rounds": 2, "quota": 0, "alternating": True}),
    ("trust_split.talk:TalkingTrustSplitWorld", {"rounds": 2, "quota": 2}),
    ("split.kernel:SplitWorld", {"kinds": 2, "values": "exclusive", "rounds": 2}),
]
each_case = pytest.mark.parametrize(("world", "options"), CASES)


def made(world, options):
    """The parallel environment."""
    if "multiwalker" in world:
        pytest.importorskip("Box2D", exc_type=ModuleNotFoundError)
    return WorldParallelEnv(f"envsuite.momarl.{world}", **options)


def drawn(env, generator):
    """An action of every live agent, legal where there is a mask."""
    actions = {}
    for k, agent in enumerate(env.possible_agents):
        space = env.action_space(agent)
        if isinstance(space, gymnasium.spaces.Box):
            actions[agent] = generator.uniform(space.low, space.high).astype(space.dtype)
            continue
        masks = env._vector.batch.last.info
        legal = np.flatnonzero(masks["action_mask"][0, k]) if "action_mask" in masks.dtype.names else ()
        actions[agent] = int(generator.choice(legal)) if len(legal) else int(generator.integers(space.n))
    return {agent: actions[agent] for agent in env.agents}


def traced(env, seed, steps, generator, after=lambda: None):
    """Observations and rewards of steps across episodes, as one row a step."""
    rows = [np.concatenate([one.reshape(-1) for one in env.reset(seed=seed)[0].values()]).astype(np.float64)]
    for _ in range(steps):
        observations, rewards, *_ = env.step(drawn(env, generator))
        parts = [*observations.values(), *map(np.atleast_1d, rewards.values())]
        rows.append(np.concatenate([np.asarray(one, np.float64).reshape(-1) for one in parts]))
        if not env.agents:
            env.reset()
        after()
    return rows


@each_case
def test_pettingzoo(world, options):
    """PettingZoo's tests of both interfaces; its AEC test knows single numbers only, so rewards are weighed there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its tests import environments in a way that it calls deprecated
        from pettingzoo.test import api_test, parallel_api_test
    with strict():
        warnings.filterwarnings("ignore", message="Action space for each agent probably should be")
        parallel_api_test(made(world, options), num_cycles=60)
        api_test(linear(aec_env(f"envsuite.momarl.{world}", **options)), num_cycles=60)


@each_case
def test_rewards_lie_in_their_space(world, options):
    """Vectors of float32, none of two agents in one array, until three episodes are over."""
    env, generator = made(world, options), np.random.default_rng(1)
    if not env.world.reward.objectives:
        pytest.skip("scalar rewards")
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(200):
            if not env.agents:
                break
            _, rewards, *_ = env.step(drawn(env, generator))
            for agent, reward in rewards.items():
                assert reward.dtype == np.float32
                assert env.reward_space(agent).contains(reward), (agent, reward)
            assert len({one.__array_interface__["data"][0] for one in rewards.values()}) == len(rewards)


@each_case
def test_seeds_alone_decide(world, options):
    """The same steps alone, and beside another instance while the global generators are used by others."""
    alone = traced(made(world, options), 5, 60, np.random.default_rng(2))
    beside, other = made(world, options), np.random.default_rng(3)
    beside.reset(seed=9)

    def disturb():
        np.random.seed(0)  # noqa: NPY002 (that is the disturbance)
        if not beside.agents:
            beside.reset()
        beside.step(drawn(beside, other))

    for mine, theirs in zip(alone, traced(made(world, options), 5, 60, np.random.default_rng(2), disturb), strict=True):
        np.testing.assert_array_equal(mine, theirs)


@each_case
def test_pickles_keep_their_options(world, options):
    """A copy by pickle has the same parameters, and the same future."""
    env = made(world, options)
    env.reset(seed=4)
    copy = pickle.loads(pickle.dumps(env))
    assert copy.world.params.tobytes() == env.world.params.tobytes()
    assert copy.observation_space(copy.possible_agents[0]) == env.observation_space(env.possible_agents[0])
    generators = np.random.default_rng(6), np.random.default_rng(6)
    for _ in range(20):
        if not env.agents:
            break
        mine, theirs = env.step(drawn(env, generators[0])), copy.step(drawn(copy, generators[1]))
        for agent in mine[0]:
            np.testing.assert_array_equal(mine[0][agent], theirs[0][agent])
            np.testing.assert_array_equal(mine[1][agent], theirs[1][agent])

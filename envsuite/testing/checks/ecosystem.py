"""The checkers of Gymnasium, Stable-Baselines3 and PettingZoo."""

import warnings

import gymnasium
import numpy as np
import pettingzoo
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from envsuite.cards import EnvCard
from envsuite.core.objectives import linear
from envsuite.core.parallel import WorldParallelEnv
from envsuite.testing.checks.common import NotApplicable, only_several, steps_for, strict
from envsuite.testing.traces import random_actions

_OTHER_BOUNDS = ".*we recommend.*symmetric and normalized|We recommend you to use a symmetric and normalized Box"


def gymnasium_api(card: EnvCard) -> None:
    """Gymnasium's own checker, warnings as errors.

    Unbounded observations are no fault, since speeds of bodies have no bound, nor are bounds of actions other than 1,
    which some originals have.
    """
    env = gymnasium.make(card.id).unwrapped
    with strict():
        warnings.filterwarnings("ignore", message=".*A Box observation space m(in|ax)imum value is -?infinity")
        warnings.filterwarnings("ignore", message=_OTHER_BOUNDS)
        check_env(_Summed(env) if card.objectives else env)


class _Summed(gymnasium.Env):
    """An environment whose objectives are added up: Gymnasium's checker knows scalar rewards only, and no wrappers."""

    def __init__(self, env: gymnasium.Env):
        self._env, self.spec, self.metadata, self.render_mode = env, env.spec, env.metadata, env.render_mode
        self.observation_space, self.action_space = env.observation_space, env.action_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._env.reset(seed=seed, options=options)

    def step(self, action):
        observation, reward, *rest = self._env.step(action)
        return observation, float(np.sum(reward)), *rest

    def render(self):
        return self._env.render()

    def close(self):
        self._env.close()


def stable_baselines_api(card: EnvCard) -> None:
    """Stable-Baselines3's checker, warnings as errors, but for bounds of actions other than 1."""
    try:
        from stable_baselines3.common.env_checker import check_env as sb3_check_env
    except ModuleNotFoundError as error:
        raise NotApplicable("stable-baselines3 is not installed") from error
    if card.agents > 1:
        raise NotApplicable("the checker knows one agent only")
    with strict():
        warnings.filterwarnings("ignore", message=_OTHER_BOUNDS)
        sb3_check_env(gymnasium.make(card.id), skip_render_check=False)


def pettingzoo_api(card: EnvCard) -> None:
    """PettingZoo's tests of the parallel and the AEC API, warnings as errors."""
    only_several(card)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its tests import environments in a way that it calls deprecated
        from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
    with strict():
        # choices made at once are a legal space; the test only finds them unusual
        warnings.filterwarnings("ignore", message="Action space for each agent probably should be")
        parallel_api_test(pettingzoo.make("parallel", card.id), num_cycles=steps_for(card))
        api_test(linear(pettingzoo.make("aec", card.id)), num_cycles=steps_for(card))
        parallel_seed_test(lambda: pettingzoo.make("parallel", card.id))
        seed_test(lambda: pettingzoo.make("aec", card.id))


def pettingzoo_rendering(card: EnvCard) -> None:
    """PettingZoo's render and cycle-limit rules."""
    only_several(card)
    env = pettingzoo.make("parallel", card.id, render_mode="rgb_array")
    env.reset(seed=0)
    frame = env.render()
    assert frame.dtype == np.uint8 and frame.ndim == 3, f"frame is {frame.dtype} {frame.shape}"
    env = WorldParallelEnv(max_cycles=4, **card.kwargs)
    env.reset(seed=0)
    cycles = 0
    while env.agents:
        env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        cycles += 1
    assert cycles <= 4, f"max_cycles=4, but the episode took {cycles} steps"


def specification(card: EnvCard) -> None:
    """The spec survives JSON and makes the same environment."""
    env = gymnasium.make(card.id)
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space and again.action_space == env.action_space
    assert np.array_equal(env.reset(seed=1)[0], again.reset(seed=1)[0]), "the environment from JSON differs"
    assert env.spec.max_episode_steps == card.horizon


def async_spawn(card: EnvCard) -> None:
    """Works in Gymnasium's subprocess vector with the spawn start method, equal to the native one."""
    if card.objectives:
        raise NotApplicable("Gymnasium's subprocess vector holds one number a reward")
    native = gymnasium.make_vec(card.id, num_envs=2)
    workers = gymnasium.make_vec(card.id, num_envs=2, vectorization_mode="async", vector_kwargs={"context": "spawn"})
    try:
        assert np.array_equal(native.reset(seed=9)[0], workers.reset(seed=9)[0]), "first observations differ"
        for row in random_actions(card, 5, 2):
            mine, theirs = native.step(row), workers.step(row)
            assert np.array_equal(mine[0], theirs[0]), "observations differ"
            np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-6)
    finally:
        workers.close()

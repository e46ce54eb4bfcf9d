"""What the CUDA front end says to bad input; its numbers are compared for every environment in the contract tests."""

from .simulator import run_on_simulator

SCRIPT = """
import numpy as np
from gymnasium.error import ResetNeeded
from envsuite.core.cuda import CudaVectorEnv
from tests.core.worlds import CountWorld

def refused(call, mention):
    try:
        call()
    except (ValueError, ResetNeeded) as error:
        assert mention in str(error), error
    else:
        raise AssertionError(mention)

refused(lambda: CudaVectorEnv(CountWorld(), 0), "num_envs is 0")
refused(lambda: CudaVectorEnv(CountWorld(), 2, autoreset_mode="Disabled"), "'Disabled'")
env = CudaVectorEnv(CountWorld(), 4, max_episode_steps=10)
refused(lambda: env.step(np.zeros((4, 1))), "call reset")
env.reset(seed=0)
refused(lambda: env.step(np.zeros((3, 1))), "shape")
actions = np.zeros((4, 1), np.float32)
actions[2] = np.nan
env.step(actions)
refused(env.raise_faults, "instance 2")
env.raise_faults()
actions[2] = 99
env.step(actions)
refused(lambda: env.reset(seed=1), "instance 2")
env.reset(seed=3)
actions[2] = 1
env.step(actions)
moment = env.get_state()
later = [env.step(actions)[0].copy_to_host() for _ in range(12)][-1]
other = CudaVectorEnv(CountWorld(), 4, max_episode_steps=10)
other.set_state(moment)
assert np.array_equal([other.step(actions)[0].copy_to_host() for _ in range(12)][-1], later)
refused(lambda: CudaVectorEnv(CountWorld(), 3).set_state(moment), "(4,) records")
first = env.reset(seed=1)[0].copy_to_host()
env.reset(seed=2)
assert np.array_equal(env.reset(seed=1)[0].copy_to_host(), first)
print("done")
"""


def test_bad_input_is_named_and_moments_come_back():
    run_on_simulator(SCRIPT)

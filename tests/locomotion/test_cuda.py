"""Locomotion on a GPU: the same numbers on Numba's simulator. `tests/core/test_cuda_compile.py` has device code."""

from tests.core.simulator import run_on_simulator

SCRIPT = """
import numpy as np
from envsuite.core.cuda import CudaVectorEnv
from envsuite.core.vector import WorldVectorEnv

WORLD = "envsuite.locomotion.pendulums.world:InvertedDoublePendulumWorld"
device = CudaVectorEnv(WORLD, 3, max_episode_steps=20)
host = WorldVectorEnv(WORLD, 3, max_episode_steps=20)
assert np.array_equal(device.reset(seed=0)[0].copy_to_host(), host.reset(seed=0)[0])
rng = np.random.default_rng(0)
for _ in range(6):
    actions = rng.uniform(-1, 1, (3, 1)).astype(np.float32)
    seen, rewards, over, cut, _ = device.step(actions)
    expected = host.step(actions)
    assert np.array_equal(seen.copy_to_host(), expected[0])
    assert np.array_equal(rewards.copy_to_host(), expected[1])
    assert np.array_equal(over.copy_to_host(), expected[2])
print("done")
"""


def test_the_simulator_gives_the_same_numbers():
    run_on_simulator(SCRIPT)

"""Compares the CUDA front end with the CPU's; on the simulator the bits are equal, on a device nearly so."""

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.batch import Batch
from envsuite.core.cuda import CudaVectorEnv
from envsuite.core.world import make_world
from envsuite.testing.traces import random_actions

SLOTS = 2


def compare(card: EnvCard, steps: int = 6, tolerance: float = 0.0) -> float:
    """Step both front ends with the same actions, short episodes and automatic resets.

    Args:
        card: the environment.
        steps: how many; episodes are cut to a third of it.
        tolerance: error allowed, relative to 1 and the number's size together.

    Returns:
        The largest error.

    Raises:
        AssertionError: naming the mode, the step and the array that differ.
    """
    actions = random_actions(card, steps, SLOTS)
    horizon, worst = max(1, steps // 3), 0.0
    for mode in ("NextStep", "SameStep"):
        device = CudaVectorEnv(card.world, SLOTS, max_episode_steps=horizon, autoreset_mode=mode, **card.options)
        host = Batch(make_world(card.world, **card.options), SLOTS, horizon=horizon)
        host.seed(range(SLOTS))
        first, _ = device.reset(seed=0)
        worst = max(worst, _assert_near(first, host.reset().observations, tolerance, f"{mode}, reset"))
        for step, row in enumerate(actions):
            given = device.step(row)
            output = host.step(row, host.done if mode == "NextStep" else None)
            if mode == "SameStep" and host.done.any():
                final = device.final_observations.copy_to_host()[host.done]
                where = f"{mode}, step {step}, final"
                worst = max(worst, _assert_near(final, output.observations[host.done], tolerance, where))
                host.restart_ended()
            expected = (output.observations, output.rewards, output.terminated, output.truncated)
            for array, wanted in zip(given, expected, strict=False):
                worst = max(worst, _assert_near(array, wanted, tolerance, f"{mode}, step {step}"))
        device.close()
    return worst


def _assert_near(array, wanted: np.ndarray, tolerance: float, where: str) -> float:
    found = array if isinstance(array, np.ndarray) else array.copy_to_host()
    assert found.shape == wanted.shape, f"{where}: shapes {found.shape} and {wanted.shape}"
    with np.errstate(invalid="ignore"):
        gap = np.abs(found.astype(np.float64) - wanted) / (1.0 + np.abs(wanted))
    gap[found == wanted] = 0.0
    gap[np.isnan(gap)] = np.inf
    worst = float(gap.max(initial=0.0))
    if worst > tolerance:
        index = tuple(np.argwhere(gap > tolerance)[0])
        raise AssertionError(f"{where}, index {index}: {found[index]} and {wanted[index]}")
    return worst

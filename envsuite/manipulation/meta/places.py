"""Tasks of Meta-World whose goal is a place, and rewards of other places for other goals."""

import numpy as np

from envsuite.core.goals import places

RADII = {
    **dict.fromkeys(("reach", "reach-wall", "push", "hand-insert", "sweep", "bin-picking"), 0.05),
    **dict.fromkeys(("push-wall", "push-back", "pick-place", "pick-place-wall", "pick-out-of-hole"), 0.07),
    **dict.fromkeys(("shelf-place", "soccer", "coffee-pull", "coffee-push", "peg-unplug-side"), 0.07),
    **dict.fromkeys(("plate-slide", "plate-slide-side", "plate-slide-back", "plate-slide-back-side"), 0.07),
    **dict.fromkeys(("dial-turn", "faucet-close"), 0.07),
    **dict.fromkeys(("door-close", "handle-pull-side"), 0.08),
    "drawer-open": 0.03,
    "drawer-close": 0.065,
}
"""Distance from the goal that counts as success, m, of the observed object, or of the tips in tasks of reaching. In
the other tasks success is no matter of one distance (metaworld 3.1.1, `evaluate_state`)."""

BY_TIPS = ("reach", "reach-wall")


def reward_of(achieved, desired, radius: float) -> np.ndarray:
    """1 within a radius and 0 elsewhere.

    Args:
        achieved: m, (..., 3).
        desired: m, (..., 3).
        radius: m.

    Returns:
        float64 (...).

    Raises:
        ValueError: arrays whose last axis is not of length 3.
    """
    achieved, desired = places(achieved, desired, 3)
    x, y, z = np.moveaxis(achieved - desired, -1, 0)
    return (np.sqrt(x * x + y * y + z * z) <= radius).astype(np.float64)  # the kernel's formula, to the last bit

"""The state record, the metrics and the observation of QuadHoverGPD."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.gpd.flight import drone_dtype, observation_blocks
from envsuite.quadcopters.hover_gpd.params import NEAR_WINDOW


def state_dtype(scalar: type, act: str) -> np.dtype:
    """Type of the state record.

    Args:
        scalar: type of the physical quantities, float32 or float64.
        act: one of `gpd.flight.ACTION_TYPES`.

    Returns:
        A structured type: `clock`, `rng`, `drones` (one), `total` (return so far), `near` (whether each of
        the last 2 s of steps ended at the target, a ring) and `near_steps` (how many of them did).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("drones", drone_dtype(scalar, act), (1,)),
            ("total", scalar),
            ("near", np.uint8, NEAR_WINDOW),
            ("near_steps", np.uint8),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        ("distance", np.float32),  # m from the target
        ("normalised_return", np.float32),  # return so far as a share of the largest possible
        ("near_share", np.float32),  # of the last 2 s that was spent within 5 cm of the target
        ("impact_speed", np.float32),  # m/s, hardest contact with the floor so far
        ("is_success", np.bool_),  # within 5 cm
        ("crashed", np.bool_),  # left the limits of position or tilt
        ("contact", np.bool_),  # on the floor
    ],
    align=True,
)


def observation_layout(act: str, compat: bool) -> Vector:
    """The observation: of shape (12 + past actions,), in the original's form (1, 12 + past actions)."""
    kinematics, past = observation_blocks(act, compat)
    blocks = (*kinematics, past)
    return Vector(blocks, shape=(1, sum(block.size for block in blocks)) if compat else ())

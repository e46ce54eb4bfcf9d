"""The state record and the layouts of observation and action."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.hover.params import HISTORY, NOISE_STEPS, PEAKS
from envsuite.quadcopters.state import l2f_body


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Besides clock, random stream and body: `history` (the last actions as a ring, normalised, twice in a row: any
        window of it is one piece),
        `angular_acceleration` (rad/s^2, size of the last step's), `cost` (of the last step), the largest
        errors (`PEAKS`) after 100 and after 200 steps, `action_noise` (added to the next action), and `noise` (standard
        normals of this and the next observations).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("body", l2f_body(real)),
            ("angular_acceleration", real),
            ("cost", real),
            ("peak_after_100", np.float32, (len(PEAKS),)),
            ("peak_after_200", np.float32, (len(PEAKS),)),
            ("history", np.float32, (8 * HISTORY,)),
            ("action_noise", np.float32, 4),
            ("noise", np.float32, (18 * NOISE_STEPS,)),
        ],
        align=True,
    )


PRIVILEGED = 28

INFO = np.dtype(
    [
        ("distance", np.float32),  # m from the goal
        ("angle", np.float32),  # rad away from level with yaw 0
        ("speed", np.float32),  # m/s
        ("rate", np.float32),  # rad/s
        ("angular_acceleration", np.float32),  # rad/s^2
        ("peak_after_100", np.float32, (len(PEAKS),)),
        ("peak_after_200", np.float32, (len(PEAKS),)),
        ("is_success", np.bool_),  # settled: within 0.2 m
        ("crashed", np.bool_),  # left the box
        ("privileged", np.float32, (PRIVILEGED,)),  # what the critic of the paper sees
    ],
    align=True,
)

# Bounds that no flight within the 0.6 m box reaches: 20 m/s would take 34 g over its width, and the motors'
# yaw torque reaches 1,500 rad/s only if applied in full for a whole episode.
OBSERVATION = Vector(
    (
        Block("position", 3, -1.0, 1.0, "m", "relative to the goal, world frame, with noise"),
        Block("rotation matrix", 9, -1.01, 1.01, "", "body to world, row by row, with noise"),
        Block("linear velocity", 3, -20.0, 20.0, "m/s", "world frame, with noise"),
        Block("angular velocity", 3, -2000.0, 2000.0, "rad/s", "body frame, with noise"),
        Block("action history", 4 * HISTORY, -1.0, 1.0, "", "the last 32 actions, oldest first"),
    )
)

ACTION = Vector(
    tuple(
        Block(f"motor {k} ({place})", 1, -1.0, 1.0, "", "-1 stops the motor, 1 is its largest speed")
        for k, place in enumerate(("front right", "back right", "back left", "front left"))
    ),
    out_of_range="clip",
)

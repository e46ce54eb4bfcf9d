"""The state record and the layouts of observation and action."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.quadcopters.hover.params import HISTORY, NOISE_STEPS, PEAKS
from envsuite.quadcopters.state import DisturbedBody


class State(StateRecord):
    """A drone with its last actions, and the noise of the next observations."""

    body = field(type=DisturbedBody)
    angular_acceleration = field(unit="rad/s^2", meaning="size of the last step's")
    cost = field(meaning="of the last step")
    peak_after_100 = field(type=np.float32, shape=len(PEAKS), meaning="largest errors after 100 steps")
    peak_after_200 = field(type=np.float32, shape=len(PEAKS), meaning="largest errors after 200 steps")
    history = field(type=np.float32, shape=8 * HISTORY, meaning="actions as a ring, twice: any window is one piece")
    action_noise = field(type=np.float32, shape=4, meaning="added to the next action")
    noise = field(type=np.float32, shape=18 * NOISE_STEPS, meaning="standard normals of this and the next observations")


PRIVILEGED = 28


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="from the goal", type=np.float32)
    angle = field(unit="rad", meaning="away from level with yaw 0", type=np.float32)
    speed = field(unit="m/s", type=np.float32)
    rate = field(unit="rad/s", type=np.float32)
    angular_acceleration = field(unit="rad/s^2", type=np.float32)
    peak_after_100 = field(type=np.float32, shape=len(PEAKS), meaning=", ".join(PEAKS))
    peak_after_200 = field(type=np.float32, shape=len(PEAKS))
    is_success = field(type=np.bool_, meaning="settled: within 0.2 m")
    crashed = field(type=np.bool_, meaning="left the box")
    privileged = field(type=np.float32, shape=PRIVILEGED, meaning="what the critic of the paper sees")


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

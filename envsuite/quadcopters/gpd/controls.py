"""Steering a drone of the gym-pybullet-drones worlds by keys."""

import numpy as np

from envsuite.core.companions import Controls

_UP, _DOWN = ("w",), ("s",)
_SIDES = {("up",): (1.0, 0.0), ("down",): (-1.0, 0.0), ("left",): (0.0, 1.0), ("right",): (0.0, -1.0)}
_TILT = 0.02  # of the rotor speed range; more tilts the drone beyond its limit in a fraction of a second
_REACH = 0.15  # m; a step to a farther point tilts the drone beyond its limit as well
_PACE = 0.15  # of the speed limit, likewise
# front right, back right, back left, front left; leaning towards +x slows the front, towards +y the left
_LEAN_X, _LEAN_Y = np.array((-1.0, 1.0, 1.0, -1.0)), np.array((1.0, 1.0, -1.0, -1.0))


def keys(act: str, shape: tuple[int, ...]) -> dict[tuple[str, ...], np.ndarray]:
    """W and S climb and sink, arrows go forward, back and to the sides; without a key the drone is left to itself.

    Args:
        act: action type.
        shape: of one action.
    """
    if act in ("one_d_rpm", "one_d_pid"):
        found = {(): [0.0], _UP: [1.0], _DOWN: [-1.0]}
    elif act == "rpm":
        found = {(): np.zeros(4), _UP: np.full(4, 0.5), _DOWN: np.full(4, -0.5)}
        found |= {key: _TILT * (x * _LEAN_X + y * _LEAN_Y) for key, (x, y) in _SIDES.items()}
    elif act == "pid":
        found = {(): [0.0, 0.0, 1.0], _DOWN: [0.0, 0.0, 0.3]}
        found |= {key: [_REACH * x, _REACH * y, 1.0] for key, (x, y) in _SIDES.items()}
    else:
        found = {(): [0.0, 0.0, 0.0, 0.0], _UP: [0.0, 0.0, 1.0, 1.0], _DOWN: [0.0, 0.0, -1.0, 1.0]}
        found |= {key: [x, y, 0.0, _PACE] for key, (x, y) in _SIDES.items()}
    return {key: np.asarray(action, np.float32).reshape(shape) for key, action in found.items()}


class GPDControls(Controls):
    """Steering by the keys of `keys`."""

    def keys(self):
        """W and S: climb and sink; arrows: go there."""
        return keys(self.world.act, self.world.action.shape)

"""Steering by keys, for every kind of action."""

import numpy as np

from envsuite.core.companions import Controls

_SIDES = {("up",): (1.0, 0.0), ("down",): (-1.0, 0.0), ("left",): (0.0, 1.0), ("right",): (0.0, -1.0)}
# front right, back right, back left, front left; leaning towards +x slows the front, towards +y the left
_LEAN_X, _LEAN_Y = np.array((-1.0, 1.0, 1.0, -1.0)), np.array((1.0, 1.0, -1.0, -1.0))


def keys(act: str, weight: float, hover: float) -> dict[tuple[str, ...], np.ndarray]:
    """W and S climb and sink, arrows go forward, back and to the sides.

    Args:
        act: one of `settings.ACTS`.
        weight: normalised collective thrust that carries the weight.
        hover: normalised motor command that does.
    """
    none, climb, sink = (), ("w",), ("s",)
    found: dict[tuple[str, ...], object]
    if act == "one_d":
        found = {none: [0.0], climb: [1.0], sink: [-1.0]}
    elif act in ("motor", "motor5"):
        rest, step, tilt = (hover, 0.2, 0.01) if act == "motor" else (0.0, 0.5, 0.02)
        found = {none: np.full(4, rest), climb: np.full(4, rest + step), sink: np.full(4, rest - step)}
        found |= {key: rest + tilt * (x * _LEAN_X + y * _LEAN_Y) for key, (x, y) in _SIDES.items()}
    elif act == "ctbr":
        found = {none: [weight, 0, 0, 0], climb: [weight + 0.3, 0, 0, 0], sink: [weight - 0.3, 0, 0, 0]}
        found |= {key: [weight, -0.1 * y, 0.1 * x, 0] for key, (x, y) in _SIDES.items()}
    elif act == "attitude":
        found = {none: [0, 0, 0, weight], climb: [0, 0, 0, weight + 0.3], sink: [0, 0, 0, weight - 0.3]}
        found |= {key: [-0.2 * y, 0.2 * x, 0, weight] for key, (x, y) in _SIDES.items()}
    elif act == "vel":
        found = {none: [0, 0, 0, 0], climb: [0, 0, 1, 1], sink: [0, 0, -1, 1]}
        found |= {key: [x, y, 0, 1] for key, (x, y) in _SIDES.items()}
    else:
        found = {none: [0, 0, 0], climb: [0, 0, 0.5], sink: [0, 0, -0.5]}
        found |= {key: [0.5 * x, 0.5 * y, 0] for key, (x, y) in _SIDES.items()}
    return {key: np.clip(np.asarray(action, np.float32), -1, 1) for key, action in found.items()}


class DroneControls(Controls):
    """Steering by the keys of `keys`."""

    def keys(self):
        """W and S: climb and sink; arrows: go there."""
        vehicle = self.world.params[0]["flying"]["physics"]["vehicle"]
        weight = float(vehicle["mass"] * vehicle["gravity"] / (4 * vehicle["max_rotor_thrust"]))
        hover = float(vehicle["command_hover"] / vehicle["command_high"])
        return keys(self.world.act, 2 * weight - 1, 2 * hover - 1)

"""What MuJoCo 3.3.7 makes of a scene, beside ours."""

from pathlib import Path

import gymnasium
import numpy as np

from envsuite.rigid import Compiled
from envsuite.rigid.layout import PLANE

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"


LENGTHS = {"geom_size": {0: 0, 2: 1, 3: 2, 5: 2, 6: 3}}


def disagreements(ours: Compiled, theirs: Compiled, tolerance: float = 1e-12) -> dict[str, float]:
    """Fields in which two models differ by more than rounding, with the largest relative difference."""
    assert ours.size == theirs.size
    found = {}
    for name in ours.model.dtype.names:
        error = _error(name, ours.model[0], theirs.model[0])
        if not error <= tolerance:
            found[name] = error
    return found


def worst(ours: Compiled, theirs: Compiled) -> tuple[float, str]:
    """The largest relative difference, and where it is."""
    return max((_error(name, ours.model[0], theirs.model[0]), name) for name in ours.model.dtype.names)


def _error(name: str, ours, theirs) -> float:
    a, b = (np.array(one[name], float) for one in (ours, theirs))
    if name == "body_inertia":
        # In any order, unless there is one geom, whose axes they follow.
        a, b = np.sort(a), np.sort(b)
    elif name in ("body_quat", "geom_quat"):
        a, b = _matrices(a), _matrices(b)
    elif name == "body_iquat":
        return 0.0  # seen in body_tensor
    elif name == "geom_size":
        for row, kind in enumerate(theirs["geom_type"]):
            used = 0 if kind == PLANE else LENGTHS[name][int(kind)]
            a[row, used:] = b[row, used:] = 0
    elif name in ("jnt_range", "jnt_margin", "jnt_actfrcrange", "actuator_ctrlrange", "actuator_forcerange"):
        limit = {"jnt_range": "jnt_limited", "jnt_margin": "jnt_limited", "jnt_actfrcrange": "jnt_actfrclimited"}
        used = np.array(theirs[limit.get(name, name.replace("range", "limited"))], bool)
        a[~used], b[~used] = 0, 0
    if not a.size:
        return 0.0
    scale = np.maximum(np.abs(a), np.abs(b))
    if name in ("body_tensor", "body_inertia"):  # entries of one tensor have one size
        scale = np.maximum(scale, np.abs(b).max(axis=-1, keepdims=True))
    # Entries of rotations may be 0 but for rounding, and coordinates differences of lengths.
    least = {"body_quat": 1, "geom_quat": 1, "geom_mat": 1, "jnt_axis": 1, "eq_data": 1e-1}
    scale = np.maximum(scale, least.get(name, 1e-3 if "pos" in name else 0))
    return float(np.max(np.abs(a - b) / np.where(scale > 0, scale, 1)))


def _matrices(quats: np.ndarray) -> np.ndarray:
    w, x, y, z = quats.T
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.moveaxis(np.array(rows), -1, 0)

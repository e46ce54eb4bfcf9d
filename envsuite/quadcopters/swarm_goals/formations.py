"""Formations of goals, as tables of points one apart."""

import numpy as np

from envsuite.core import fmath

FORMATIONS = (
    "circle_horizontal", "circle_vertical_xz", "circle_vertical_yz", "sphere",
    "grid_horizontal", "grid_vertical_xz", "grid_vertical_yz", "cube",
)  # fmt: skip
_RING = 8  # drones on one circle; further ones lie on circles above
_GOLDEN = np.pi * (3 - np.sqrt(5))


def formation(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """A formation around the origin.

    Args:
        name: one of `FORMATIONS`.
        count: number of points, at least 1.

    Returns:
        Points of which the two nearest are 1 apart (in one layer), and unit offsets of their layers; both (count, 3).
    """
    index, layers = np.arange(count), np.zeros(count)
    if name.startswith("circle"):
        layers = index // _RING
        members = np.minimum(_RING, count - _RING * layers)
        angle = 2 * np.pi * (index % _RING) / members
        radius = 0.5 / fmath.sin(np.pi / min(_RING, count)) if count > 1 else 0.0
        flat = radius * np.column_stack([fmath.cos(angle), fmath.sin(angle)])
    elif name == "sphere":
        return _sphere(count), np.zeros((count, 3))
    elif name.startswith("grid"):
        rows = max(k for k in range(1, int(np.sqrt(count)) + 1) if count % k == 0)
        flat = np.column_stack([index % (count // rows), index // (count // rows)]).astype(float)
    else:
        side = int(np.ceil(round(count ** (1 / 3), 9)))
        points = np.column_stack([index // side % side, index % side, index // side**2]).astype(float)
        return points - points.mean(axis=0), np.zeros((count, 3))
    axes = {"horizontal": (0, 1, 2), "xz": (0, 2, 1), "yz": (1, 2, 0)}[name.rsplit("_", 1)[1]]
    points, offsets = np.zeros((count, 3)), np.zeros((count, 3))
    points[:, axes[0]], points[:, axes[1]] = flat.T
    offsets[:, axes[2]] = layers
    return points - points.mean(axis=0), offsets - offsets.mean(axis=0)


def _sphere(count: int) -> np.ndarray:
    """Points along a spiral from pole to pole, spread evenly."""
    if count == 1:
        return np.zeros((1, 3))
    index = np.arange(count)
    height = 1 - (2 * index + 1) / count
    level = np.sqrt(1 - height**2)
    points = np.column_stack([level * fmath.cos(_GOLDEN * index), level * fmath.sin(_GOLDEN * index), height])
    gaps = np.linalg.norm(points[:, np.newaxis] - points, axis=2) + 10 * np.eye(count)
    return points / gaps.min()


def tables(count: int) -> tuple[np.ndarray, np.ndarray]:
    """All formations for a swarm: as a whole, and cut into two halves that lie around centres of their own.

    Args:
        count: number of drones.

    Returns:
        Points and offsets of layers, (2, formations, count, 3): the whole, then the halves side by side.
    """
    half = count // 2
    points = np.zeros((2, len(FORMATIONS), count, 3))
    offsets = np.zeros_like(points)
    for k, name in enumerate(FORMATIONS):
        points[0, k], offsets[0, k] = formation(name, count)
        for group in (slice(0, half), slice(half, count)):
            if group.stop > group.start:
                points[1, k, group], offsets[1, k, group] = formation(name, group.stop - group.start)
    return points, offsets

"""Kernels of the exact hypervolume in two to four objectives, all to be maximised."""

import numpy as np

from envsuite.scoring.jit import kernel


@kernel
def volume2(points):
    """Area of the union of boxes from 0 to each point.

    Args:
        points: (n, 2) above 0, sorted by the first objective, descending.
    """
    area, height = 0.0, 0.0
    for i in range(len(points)):
        if points[i, 1] > height:
            area += points[i, 0] * (points[i, 1] - height)
            height = points[i, 1]
    return area


@kernel
def _insert(xs, ys, size, x, y):
    """Put a point into a staircase (x ascending, y descending).

    Returns:
        The number of its steps afterwards, and the area that it added.
    """
    low, high = 0, size
    while low < high:  # the first step with an x not below
        middle = (low + high) // 2
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle
    if low < size and ys[low] >= y:
        return size, 0.0
    after = low  # steps from `first` to `after` are covered by the point
    if after < size and xs[after] == x:
        after += 1
    first = low
    while first > 0 and ys[first - 1] <= y:
        first -= 1
    floor = ys[after] if after < size else 0.0
    added, left = 0.0, xs[first - 1] if first > 0 else 0.0
    for k in range(first, low):
        added += (xs[k] - left) * (y - ys[k])
        left = xs[k]
    added += (x - left) * (y - (ys[low] if low < after else floor))
    shift = first + 1 - after
    if shift > 0:
        for k in range(size - 1, after - 1, -1):
            xs[k + shift], ys[k + shift] = xs[k], ys[k]
    elif shift < 0:
        for k in range(after, size):
            xs[k + shift], ys[k + shift] = xs[k], ys[k]
    xs[first], ys[first] = x, y
    return size + shift, added


@kernel
def volume3(points, xs, ys):
    """Volume of the union of boxes from 0 to each point.

    A plane sweeps down the third objective; the area dominated in it grows by one point at a time (Fonseca, Paquete
    and López-Ibáñez 2006).

    Args:
        points: (n, 3) above 0, sorted by the third objective, descending.
        xs: (n + 1,) scratch.
        ys: (n + 1,) scratch.
    """
    volume, area, size = 0.0, 0.0, 0
    for i in range(len(points)):
        size, added = _insert(xs, ys, size, points[i, 0], points[i, 1])
        area += added
        below = points[i + 1, 2] if i + 1 < len(points) else 0.0
        volume += area * (points[i, 2] - below)
    return volume


@kernel
def volume4(points, by_third):
    """Hypervolume of the union of boxes from 0 to each point: slices along the fourth objective.

    Args:
        points: (n, 4) above 0, sorted by the fourth objective, descending.
        by_third: (n,) their places, sorted by the third objective, descending.
    """
    count = len(points)
    xs, ys, held = np.empty(count + 1), np.empty(count + 1), np.empty((count, 3))
    volume = 0.0
    for i in range(count):
        below = points[i + 1, 3] if i + 1 < count else 0.0
        if points[i, 3] == below:
            continue
        size = 0
        for place in by_third:
            if place <= i:
                held[size] = points[place, :3]
                size += 1
        volume += volume3(held[:size], xs, ys) * (points[i, 3] - below)
    return volume


@kernel
def dominated(points, out):
    """Mark in `out` (n,) the points that another one dominates, or that an earlier one equals."""
    for i in range(len(points)):
        for j in range(len(points)):
            if i == j or out[j]:
                continue
            not_below, equal = True, True
            for k in range(points.shape[1]):
                if points[j, k] < points[i, k]:
                    not_below = False
                    break
                if points[j, k] > points[i, k]:
                    equal = False
            if not_below and (not equal or j < i):
                out[i] = True
                break

"""The contact law written down a second time, over all walls and with a dual solver."""

import numpy as np
from scipy.optimize import nnls

MASS, DAMPING, DT = 4 / 3 * np.pi * 0.1**3 * 1000, 1.0, 0.01


def reference_step(position, velocity, action, boxes, margin=0.002, weight=1.0):
    """One step of a ball of radius 0.1 m between boxes of half size 0.5 m, centred at `boxes`, (n, 2)."""
    velocity = np.clip(velocity, -5, 5)
    force = 100 * np.clip(action, -1, 1)
    free = (force - DAMPING * velocity) / MASS
    normals, wanted, softness = [], [], []
    for box in boxes:
        away = position - np.clip(position, box - 0.5, box + 0.5)
        length = np.linalg.norm(away)
        rho = length - 0.1 - margin
        if rho >= 0:
            continue
        s = min(abs(rho) / 0.001, 1)
        y = 2 * s**2 if s < 0.5 else 1 - 2 * (1 - s) ** 2
        delta = 0.9 + 0.05 * y
        n = away / length
        normals.append(n)
        wanted.append(-2 / (0.95 * 0.02) * (n @ velocity) - delta * rho / (0.95**2 * 0.02**2))
        softness.append((1 - delta) / delta * weight / MASS)
    total = force - DAMPING * velocity
    if normals:
        n, b = np.array(normals), np.array(wanted)
        # forces f >= 0 minimise f' A f / 2 - (wanted - n a0)' f, by its Cholesky factor a least-squares problem
        matrix = n @ n.T / MASS + np.diag(softness)
        lower = np.linalg.cholesky(matrix)
        forces, _ = nnls(lower.T, np.linalg.solve(lower, b - n @ free))
        total = total + forces @ n
    velocity = velocity + DT * total / (MASS + DT * DAMPING)
    return position + DT * velocity, velocity

"""The hand without its arm, held to what was measured of the original's."""

import numpy as np
import pytest

from tests.manipulation.play import begun, moved

DIRECTIONS = np.array([[1, 0, 0, 0], [-1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 0, -1, 0]])
WAYS = {5: (0.0191, 0.0232), 10: (0.0614, 0.0721), 15: (0.1040, 0.1238)}
"""After so many steps of a full action: shortest and longest way of the six directions in metaworld 3.1.1, m."""


def test_the_hand_lags_as_the_original_does():
    batch = begun("reach", 6)
    start, last, gone = moved(batch, 0.0, 30)[:, :3].copy(), 0, {}
    for steps in WAYS:
        seen = moved(batch, DIRECTIONS, steps - last)
        gone[steps], last = np.linalg.norm(seen[:, :3] - start, axis=1), steps
    for steps, (low, high) in WAYS.items():
        assert np.all((gone[steps] > low) & (gone[steps] < high))
        assert np.all(abs(gone[steps] / ((low + high) / 2) - 1) < 0.05)


def test_the_hand_begins_where_the_original_does():
    seen = begun("reach").last.observations[0, :3]
    np.testing.assert_allclose(seen, (0.0046, 0.6014, 0.1951), atol=1e-3)  # measured in metaworld 3.1.1
    still = moved(begun("reach"), (0, 0, 0, -1), 50)[0, :3]
    np.testing.assert_allclose(still, seen, atol=1e-3)


def test_fingers_close_and_open():
    batch = begun("reach")
    opening = [float(moved(batch, (0, 0, 0, 1), 1)[0, 3]) for _ in range(40)]
    assert next(k for k, value in enumerate(opening, 1) if value <= 0.5) in (10, 11, 12)
    assert min(opening) == pytest.approx(0.27, abs=0.01)
    assert opening[-1] == pytest.approx(0.297, abs=0.005)
    opening = [float(moved(batch, (0, 0, 0, -1), 1)[0, 3]) for _ in range(40)]
    assert next(k for k, value in enumerate(opening, 1) if value > 0.98) in range(12, 17)


def test_the_hand_does_not_pass_the_table():
    batch = begun("reach", 20)
    rng = np.random.default_rng(0)
    actions = np.column_stack([rng.uniform(-1, 1, (20, 2)), np.full(20, -1.0), rng.uniform(-1, 1, 20)])
    moved(batch, actions, 100)
    assert np.all(batch.states["look"]["tcp"][:, 2] > -0.005)

"""Products of matrices."""

import numpy as np

from envsuite.core.matrices import product


def test_products_are_added_up_in_order():
    one, two = np.random.default_rng(0).normal(size=(2, 6, 6))
    found = product(one[:2], two[:, :3])
    assert np.allclose(found, one[:2] @ two[:, :3], rtol=1e-12)
    for i in range(2):
        for j in range(3):
            total = one[i, 0] * two[0, j]
            for k in range(1, 6):
                total += one[i, k] * two[k, j]
            assert found[i, j] == total

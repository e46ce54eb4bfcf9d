import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from envsuite.quadcopters import attitude

GENERATOR = np.random.default_rng(0)
QUATERNIONS = [q / np.linalg.norm(q) for q in GENERATOR.normal(size=(50, 4))]


def scipy_rotation(q):
    return Rotation.from_quat(np.asarray(q)[[1, 2, 3, 0]])


def same_rotation(a, b, tolerance=1e-14):
    return min(np.abs(np.subtract(a, b)).max(), np.abs(np.add(a, b)).max()) < tolerance


@pytest.mark.parametrize("q", QUATERNIONS[:10])
@pytest.mark.parametrize("p", QUATERNIONS[10:14])
def test_products_compose(p, q):
    product = scipy_rotation(p) * scipy_rotation(q)
    assert same_rotation(attitude.multiply(p, q), product.as_quat()[[3, 0, 1, 2]])


@pytest.mark.parametrize("q", QUATERNIONS)
def test_matrices_and_rotated_vectors(q):
    matrix = scipy_rotation(q).as_matrix()
    np.testing.assert_allclose(np.reshape(attitude.to_matrix(q), (3, 3)), matrix, atol=2e-15)
    v = np.array([0.3, -2.0, 1.1])
    np.testing.assert_allclose(attitude.rotate(q, v), matrix @ v, atol=5e-15)
    np.testing.assert_allclose(attitude.rotate_back(q, v), matrix.T @ v, atol=5e-15)
    np.testing.assert_allclose(attitude.up(q), matrix[:, 2], atol=2e-15)


@pytest.mark.parametrize("q", QUATERNIONS)
def test_euler_angles_both_ways(q):
    yaw, pitch, roll = scipy_rotation(q).as_euler("ZYX")
    np.testing.assert_allclose(attitude.to_euler(q), (roll, pitch, yaw), atol=1e-13)
    assert same_rotation(attitude.from_euler(roll, pitch, yaw), q)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-4, 5e-3 - np.pi / 2])
@pytest.mark.parametrize("yaw", [-2.0, 0.0, 0.7])
def test_gimbal_lock_puts_all_heading_into_yaw(pitch, yaw):
    """The first three angles lie inside PyBullet's threshold sin(pitch) = 0.99999, the last one outside."""
    q = attitude.from_euler(0.0, pitch, yaw)
    roll, found, heading = attitude.to_euler(q)
    assert found == pytest.approx(pitch, abs=2e-4)
    assert roll == pytest.approx(0, abs=1e-9)
    assert np.cos(heading - yaw) == pytest.approx(1, abs=1e-6)


def test_euler_angles_are_pybullets():
    pybullet = pytest.importorskip("pybullet")
    locked = [attitude.from_euler(0.4, sign * np.pi / 2, 0.3) for sign in (1, -1)]
    for q in [*QUATERNIONS, *locked]:
        expected = pybullet.getEulerFromQuaternion([q[1], q[2], q[3], q[0]])
        np.testing.assert_allclose(attitude.to_euler(q), expected, atol=1e-12)


@pytest.mark.parametrize("size", [0.0, 1e-9, 9e-4, 1.1e-3, 0.3, 3.0])
def test_rotation_vectors(size):
    v = size * np.array([0.36, -0.48, 0.8])
    expected = Rotation.from_rotvec(v).as_quat()[[3, 0, 1, 2]]
    np.testing.assert_allclose(attitude.from_rotation_vector(v), expected, rtol=1e-15, atol=1e-16)


def test_normalize():
    assert attitude.normalize((0.0, 3.0, 0.0, -4.0)) == (0.0, 0.6000000000000001, 0.0, -0.8)


def test_single_precision_stays_single():
    q = QUATERNIONS[0].astype(np.float32)
    v = np.float32([0.1, 0.2, 0.3])
    for kernel, arguments in [
        (attitude.multiply, (q, q)),
        (attitude.normalize, (q,)),
        (attitude.rotate, (q, v)),
        (attitude.rotate_back, (q, v)),
        (attitude.up, (q,)),
        (attitude.to_matrix, (q,)),
        (attitude.from_rotation_vector, (v,)),
        (attitude.to_euler, (q,)),
        (attitude.from_euler, (v[0], v[1], v[2])),
    ]:
        kernel(*arguments)
        returned = {
            str(signature.return_type.dtype) for signature in _overloads(kernel) if "float32" in str(signature.args)
        }
        assert returned <= {"float32"}, kernel


def _overloads(kernel):
    return [overload.signature for overload in getattr(kernel, "overloads", {}).values()]

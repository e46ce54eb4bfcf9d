import dataclasses

import numpy as np
import pytest

from envsuite.quadcopters import params
from envsuite.quadcopters.dynamics import settings


@pytest.mark.parametrize(
    ("name", "hover", "high", "thrust", "tilt", "yaw", "clip"),
    [
        ("cf2x", 14468.429, 21702.644, 0.595350, 8.35637e-3, 7.47956e-3, 0.037764),
        ("cf2p", 14468.429, 21702.644, 0.595350, 5.90885e-3, 7.47956e-3, 0.037764),
        ("racer", 15494.600, 31640.870, 33.91878, 1.30714, 4.26488e-2, 0.207306),
        ("hb", 4477.622, 6332.314, 9.8, 0.42875, 0.120295, 0.0),
    ],
)
def test_derived_constants_of_the_original(name, hover, high, thrust, tilt, yaw, clip):
    vehicle = params.find_vehicle(name)
    assert vehicle.command_hover == pytest.approx(hover, abs=5e-4)
    assert vehicle.command_high == pytest.approx(high, abs=5e-4)
    assert vehicle.limits.thrust == pytest.approx(thrust, rel=1e-6)
    assert vehicle.limits.tilt_torque == pytest.approx(tilt, rel=1e-5)
    assert vehicle.limits.yaw_torque == pytest.approx(yaw, rel=1e-5)
    assert vehicle.ground_clip == pytest.approx(clip, abs=5e-7)


def test_hover_figures_of_the_original():
    paper = params.find_vehicle("l2f_cf2023")
    assert paper.command_hover == pytest.approx(14475.81, abs=5e-3)
    assert 2 * paper.command_hover / paper.command_high - 1 == pytest.approx(0.33405, abs=5e-6)
    assert paper.limits.thrust / (paper.mass * paper.gravity) == pytest.approx(2.2476, abs=5e-5)
    successor = params.find_vehicle("l2f_cf2024")
    assert successor.command_hover == pytest.approx(0.80612, abs=5e-6)
    assert successor.limits.thrust / (successor.mass * successor.gravity) == pytest.approx(1.4675, abs=5e-5)


@pytest.mark.parametrize("name", params.VEHICLES)
def test_every_vehicle_can_hover_and_is_balanced(name):
    vehicle = params.find_vehicle(name)
    assert 0 < vehicle.command_hover < vehicle.command_high
    c0, c1, c2 = vehicle.thrust_curve
    u = vehicle.command_hover
    assert 4 * (c0 + c1 * u + c2 * u * u) == pytest.approx(vehicle.mass * vehicle.gravity, rel=1e-14)
    rotors = np.array(vehicle.rotors)
    np.testing.assert_allclose(rotors.sum(axis=0), 0, atol=1e-16)
    assert sum(vehicle.spin) == 0
    # roll, pitch and yaw do not mix: what the controllers assume
    np.testing.assert_allclose(rotors.T @ vehicle.spin, 0, atol=1e-16)
    assert rotors[:, 0] @ rotors[:, 1] == pytest.approx(0, abs=1e-16)


@pytest.mark.parametrize("name", params.VEHICLES)
def test_inertia_is_that_of_a_body(name):
    a, b, c = sorted(params.find_vehicle(name).inertia)
    assert a > 0
    assert c <= a + b


@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_records_hold_the_constants(real):
    for name, constants in params.VEHICLES.items():
        record = params.vehicle(name, real)
        for field in record.dtype.names:
            np.testing.assert_array_equal(record[field], np.asarray(getattr(constants, field), real))


def test_plus_layout_is_recognised():
    assert [name for name, vehicle in params.VEHICLES.items() if vehicle.plus_layout] == ["cf2p", "hb"]


def test_unknown_names_are_refused_by_name():
    with pytest.raises(ValueError, match=r"'cf3x'.*cf2x.*arpl"):
        params.vehicle("cf3x")
    with pytest.raises(ValueError, match=r"None"):
        params.find_vehicle(None)
    with pytest.raises(ValueError, match=r"'mujoco'.*pyb_gnd_drag_dw"):
        settings.physics("mujoco")
    with pytest.raises(ValueError, match=r"timestep.*-1"):
        settings.physics("pyb", timestep=-1)


def test_physics_flags():
    flags = {
        mode: tuple(bool(settings.physics(mode)[flag]) for flag in ("ground_effect", "drag", "downwash", "explicit"))
        for mode in settings.MODES
    }
    assert flags == {
        "pyb": (False, False, False, False),
        "dyn": (False, False, False, True),
        "pyb_gnd": (True, False, False, False),
        "pyb_drag": (False, True, False, False),
        "pyb_dw": (False, False, True, False),
        "pyb_gnd_drag_dw": (True, True, True, False),
    }


@pytest.mark.parametrize(
    ("change", "mention"),
    [
        ({"mass": -0.1}, "mass is -0.1"),
        ({"mass": float("nan")}, "mass is nan"),
        ({"mass": 1.0}, "lift at most .* weight"),
        ({"inertia": (1e-5, 1e-5, 3e-5)}, "inertia is"),
        ({"motor_rise": -1.0}, "motor_rise is -1.0"),
        ({"rotors": ((0.1, 0.1),)}, r"rotors have the shape \(1, 2\)"),
    ],
)
def test_impossible_vehicles_are_refused(change, mention):
    with pytest.raises(ValueError, match=mention):
        dataclasses.replace(params.VEHICLES["cf2x"], **change)


def test_a_vehicle_of_ones_own():
    heavy = dataclasses.replace(params.VEHICLES["cf2x"], mass=0.03)
    assert params.vehicle(heavy, np.float64).mass == 0.03


@pytest.mark.parametrize(
    ("name", "per_motor", "hover_tilt"),
    [
        ("cf2x_L250", 0.12, 1.533845),
        ("cf2x_P250", 0.12, 1.538669),
        ("cf2x_T350", 0.18, 1.93653),
        ("cf21B_500", 0.2, 1.87989),
    ],
)
def test_identified_vehicles(name, per_motor, hover_tilt):
    vehicle = params.find_vehicle(name)
    assert vehicle.max_rotor_thrust == pytest.approx(per_motor, rel=1e-12)
    assert vehicle.limits.thrust / (vehicle.mass * vehicle.gravity) == pytest.approx(hover_tilt, rel=1e-5)
    # at hover, the lag of small changes: the derivative of the rotor's acceleration by the command
    a0, a1, a2, a3 = vehicle.rotor_response
    u, step = vehicle.command_hover, 1e-3
    rise = (a0 * step + a1 * ((u + step) ** 2 - u**2)) / step
    fall = (a2 * step + a3 * (u**2 - (u - step) ** 2)) / step
    assert vehicle.motor_rise == pytest.approx(1 / rise, rel=1e-5)
    assert vehicle.motor_fall == pytest.approx(1 / fall, rel=1e-5)

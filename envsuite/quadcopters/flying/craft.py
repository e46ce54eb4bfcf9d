"""The record of a drone that any dynamics model can fly, and how it is put into the air."""

import numpy as np

from envsuite.core import rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import to_euler
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.state import wrench_fields
from envsuite.quadcopters.terms import delay, sensors, wind

TRAIL = 20
"""Past positions that pictures show."""


def craft_dtype(scalar: type = np.float32) -> np.dtype:
    """Type of the record of one drone.

    Args:
        scalar: type of the physical quantities, float32 or float64.

    Returns:
        A structured type: `pid` (memory of the DSL PID controller), the fields of `state.wrench_fields`,
        `previous_attitude`, `downwash` and `active` (see `state.bullet_fields`), `wanted` (rotor speeds, or under
        `rpy` angles and thrust, that the action asks for), `heading` (yaw to hold, rad), `push_force` (N) and
        `push_torque` (N m) of the episode, `breeze` (m/s, the episode's wind), `gust` (m/s) and `buffet` (N) around
        them, `efficiency` (of each motor), `charge` (of the battery), `impact_speed` (m/s, the hardest landing so
        far), `seen` (what the sensors say), `last_action`, `change` (square of its change), `past` (actions on their
        way), `trail` (ring of past positions, for pictures) and `contact`.
    """
    return np.dtype(
        [
            # not last: Numba takes a record whose first fields are those of another for a subtype of it, and warns
            ("pid", dsl_pid.memory_dtype(scalar)),
            *wrench_fields(scalar),
            ("previous_attitude", scalar, 4),
            ("downwash", scalar),
            ("wanted", scalar, 4),
            ("heading", scalar),
            ("push_force", scalar, 3),
            ("push_torque", scalar, 3),
            ("breeze", scalar, 3),
            ("gust", scalar, 3),
            ("buffet", scalar, 3),
            ("efficiency", scalar, 4),
            ("charge", scalar),
            ("impact_speed", scalar),
            ("seen", sensors.reading_dtype(scalar)),
            ("last_action", np.float32, 4),
            ("change", np.float32),  # square of the change of the action
            ("past", np.float32, (delay.LONGEST + 1, 4)),
            ("trail", np.float32, (TRAIL, 3)),
            ("contact", np.bool_),
            ("active", np.bool_),
        ],
        align=True,
    )


@kernel
def launch(craft, vehicle, p, g, position, attitude, velocity, rates):
    """Begin an episode: put the drone somewhere with hovering rotors, and draw its disturbances.

    Args:
        craft: record of `craft_dtype`; every field is written.
        vehicle: record of `params.vehicle_dtype`.
        p: record of `settings.flying_dtype`.
        g: random stream.
        position: m, world, three numbers.
        attitude: unit quaternion.
        velocity: m/s, world.
        rates: rad/s, body.
    """
    zero, one = real(0.0, p.dt), real(1.0, p.dt)
    for k in range(3):
        craft.position[k], craft.velocity[k], craft.rates[k] = position[k], velocity[k], rates[k]
        craft.push_force[k] = craft.push_torque[k] = zero
        craft.force[k] = craft.torque[k] = craft.wind[k] = zero
        craft.breeze[k] = craft.gust[k] = craft.buffet[k] = zero
    for k in range(4):
        craft.attitude[k] = craft.previous_attitude[k] = attitude[k]
        craft.command[k] = craft.wanted[k] = craft.rotor_speed[k] = vehicle.command_hover
        craft.efficiency[k] = one
        craft.last_action[k] = np.float32(0.0)
    if p.angles:  # no rotors: angles and thrust
        craft.rotor_speed[0] = vehicle.mass * vehicle.gravity
        for k in range(3):
            craft.command[k] = craft.wanted[k] = zero
        craft.command[3] = craft.wanted[3] = vehicle.mass * vehicle.gravity
    for j in range(TRAIL):
        for k in range(3):
            craft.trail[j, k] = np.float32(position[k])
    craft.downwash, craft.impact_speed, craft.charge = zero, zero, one
    craft.heading = to_euler(craft.attitude)[2]
    craft.change = np.float32(0.0)
    craft.contact, craft.active = False, True
    dsl_pid.clear(craft.pid)
    delay.forget(craft.past)
    sensors.calibrate(g, craft.seen, p.bias)
    _disturb(craft, vehicle, p, g)


@kernel
def trace(craft, step, every):
    """Note the position in the trail every few steps.

    Args:
        craft: record of `craft_dtype`.
        step: of the episode.
        every: steps between points.
    """
    if np.int64(step) % every == 0:
        for k in range(3):
            craft.trail[np.int64(step) // every % TRAIL, k] = np.float32(craft.position[k])


@kernel
def _disturb(craft, vehicle, p, g):
    zero, weight = real(0.0, p.dt), vehicle.mass * vehicle.gravity
    if p.wind_speed > zero:
        wind.draw_breeze(g, craft.breeze, p.wind_speed)
    if p.gust_speed > zero:
        wind.begin(g, craft.gust, p.gust_speed)
    if p.push_force > zero:
        wind.begin(g, craft.push_force, p.push_force * weight)
    if p.push_torque > zero:
        wind.begin(g, craft.push_torque, p.push_torque * weight)
    if p.buffet_force > zero:
        wind.begin(g, craft.buffet, p.buffet_force * weight)
    if p.losses:
        one = real(1.0, zero)
        for k in range(4):
            craft.efficiency[k] = rng.uniform(g, rng.RESET, one - p.motor_loss, one)

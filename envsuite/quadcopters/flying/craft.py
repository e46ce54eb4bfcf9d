"""The record of a drone that any dynamics model can fly, and how it is put into the air."""

import numpy as np

from envsuite.core import rng
from envsuite.core.declare import field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import to_euler
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.state import WindyBody
from envsuite.quadcopters.terms import delay, sensors, wind

TRAIL = 20
"""Past positions that pictures show."""


class Craft(dsl_pid.Steered, WindyBody):
    """One drone that any dynamics model can fly."""

    previous_attitude = field(meaning="see `state.BulletBody`", shape=4)
    downwash = field(unit="N", meaning="likewise")
    wanted = field(meaning="rotor speeds that the action asks for; under `rpy` angles and thrust", shape=4)
    heading = field(unit="rad", meaning="yaw to hold")
    push_force = field(unit="N", meaning="of the episode", shape=3)
    push_torque = field(unit="N m", meaning="of the episode", shape=3)
    breeze = field(unit="m/s", meaning="the episode's wind", shape=3)
    gust = field(unit="m/s", meaning="around it", shape=3)
    buffet = field(unit="N", meaning="gusts of force", shape=3)
    efficiency = field(meaning="of each motor", shape=4)
    charge = field(meaning="of the battery, 1 when full")
    impact_speed = field(unit="m/s", meaning="the hardest landing so far")
    seen = field(type=sensors.Reading, meaning="what the sensors say")
    last_action = field(type=np.float32, shape=4)
    change = field(type=np.float32, meaning="square of the change of the action")
    past = field(type=np.float32, shape=(delay.LONGEST + 1, 4), meaning="actions on their way")
    trail = field(unit="m", type=np.float32, shape=(TRAIL, 3), meaning="ring of past positions, for pictures")
    contact = field(type=np.bool_, meaning="touched the floor in the last step")
    active = field(type=np.bool_, meaning="in the air")


@kernel
def launch(craft, vehicle, p, g, position, attitude, velocity, rates):
    """Begin an episode: put the drone somewhere with hovering rotors, and draw its disturbances.

    Args:
        craft: record of `Craft`; every field is written.
        vehicle: record of `params.VehicleRecord`.
        p: record of `settings.Flying`.
        g: random stream.
        position: m, world, three numbers.
        attitude: unit quaternion.
        velocity: m/s, world.
        rates: rad/s, body.
    """
    for k in range(3):
        craft.position[k], craft.velocity[k], craft.rates[k] = position[k], velocity[k], rates[k]
        craft.push_force[k] = craft.push_torque[k] = 0.0
        craft.force[k] = craft.torque[k] = craft.wind[k] = 0.0
        craft.breeze[k] = craft.gust[k] = craft.buffet[k] = 0.0
    for k in range(4):
        craft.attitude[k] = craft.previous_attitude[k] = attitude[k]
        craft.command[k] = craft.wanted[k] = craft.rotor_speed[k] = vehicle.command_hover
        craft.efficiency[k] = 1.0
        craft.last_action[k] = 0.0
    if p.angles:  # no rotors: angles and thrust
        craft.rotor_speed[0] = vehicle.mass * vehicle.gravity
        for k in range(3):
            craft.command[k] = craft.wanted[k] = 0.0
        craft.command[3] = craft.wanted[3] = vehicle.mass * vehicle.gravity
    for j in range(TRAIL):
        for k in range(3):
            craft.trail[j, k] = np.float32(position[k])
    craft.downwash, craft.impact_speed, craft.charge = 0.0, 0.0, 1.0
    craft.heading = to_euler(craft.attitude)[2]
    craft.change = 0.0
    craft.contact, craft.active = False, True
    dsl_pid.clear(craft.pid)
    delay.forget(craft.past)
    sensors.calibrate(g, craft.seen, p.bias)
    _disturb(craft, vehicle, p, g)


@kernel
def trace(craft, step, every):
    """Note the position in the trail every few steps.

    Args:
        craft: record of `Craft`.
        step: of the episode.
        every: steps between points.
    """
    if np.int64(step) % every == 0:
        for k in range(3):
            craft.trail[np.int64(step) // every % TRAIL, k] = np.float32(craft.position[k])


@kernel
def _disturb(craft, vehicle, p, g):
    zero, weight = real(0.0, p.dt), vehicle.mass * vehicle.gravity
    if p.wind_speed > 0.0:
        wind.draw_breeze(g, craft.breeze, p.wind_speed)
    if p.gust_speed > 0.0:
        wind.begin(g, craft.gust, p.gust_speed)
    if p.push_force > 0.0:
        wind.begin(g, craft.push_force, p.push_force * weight)
    if p.push_torque > 0.0:
        wind.begin(g, craft.push_torque, p.push_torque * weight)
    if p.buffet_force > 0.0:
        wind.begin(g, craft.buffet, p.buffet_force * weight)
    if p.losses:
        one = real(1.0, zero)
        for k in range(4):
            craft.efficiency[k] = rng.uniform(g, rng.RESET, 1.0 - p.motor_loss, one)

"""From an action to the drone's motion."""

from envsuite.core.jit import kernel
from envsuite.quadcopters.dynamics import bullet, dyn, floor, fp, l2f, rpy
from envsuite.quadcopters.flying import actions
from envsuite.quadcopters.flying.settings import BULLET, DYN, FP, L2F
from envsuite.quadcopters.terms import battery, downwash, drag, ground_effect, motors, sensors, wind


@kernel
def fly(craft, vehicle, p, g, action):
    """Fly one drone, alone in the air, for one control step.

    Args:
        craft: record of `craft.Craft`.
        vehicle: record of `params.VehicleRecord`.
        p: record of `settings.Flying`.
        g: random stream.
        action: float32, normalised.
    """
    decide(craft, vehicle, p, g, action)
    for _ in range(p.substeps):
        advance(craft, vehicle, p)


@kernel
def fly_together(crafts, p, g, chosen):
    """Fly several drones of one kind, which may feel each other's downwash, for one control step.

    Args:
        crafts: records of `craft.Craft`, shape (a,); those not active stay as they are.
        p: record of `settings.Flying`.
        g: random stream.
        chosen: float32 actions, (a, A).
    """
    for n in range(crafts.shape[0]):
        if crafts[n].active:
            decide(crafts[n], p.physics.vehicle, p, g, chosen[n])
    advance_together(crafts, p)


@kernel
def advance_together(crafts, p):
    """The physics steps of one control step, of drones that have decided."""
    for _ in range(p.substeps):
        if p.downwash or p.physics.downwash:
            bullet.feel_downwash(crafts, p.physics)
        for n in range(crafts.shape[0]):
            if crafts[n].active:
                advance(crafts[n], p.physics.vehicle, p)


@kernel
def decide(craft, vehicle, p, g, action):
    """Begin a control step: take the action that is due, and let gusts change."""
    craft.contact = False
    actions.remember(craft, action)
    actions.decide(craft, vehicle, p, craft.past[p.delay])
    if p.gusty:
        if p.gust_speed > 0.0:
            wind.drift(g, craft.gust, p.gust_speed, p.gust_keep)
        if p.buffet_force > 0.0:
            wind.drift(g, craft.buffet, p.buffet_force * vehicle.mass * vehicle.gravity, p.gust_keep)


@kernel
def advance(craft, vehicle, p):
    """One physics step."""
    prepare(craft, vehicle, p)
    if p.model == L2F:
        l2f.step(craft, vehicle, p.dt)
    elif p.model == FP:
        fp.step(craft, vehicle, p.dt)
    elif p.model == BULLET or p.model == DYN:
        kick(craft, vehicle, p)
        if p.model == DYN:
            dyn.step(craft, vehicle, p.physics)
        else:
            bullet.step(craft, vehicle, p.physics)
    else:
        rpy.step(craft, vehicle, p.form, p.dt)
    if p.physics.floor:
        impact = floor.touch(craft, p.physics)
        craft.contact = craft.contact or impact > 0.0
        craft.impact_speed = max(craft.impact_speed, impact)


@kernel
def prepare(craft, vehicle, p):
    """What precedes the motion of a physics step: rotor commands, and the external wrench."""
    actions.stabilize(craft, vehicle, p, craft.past[p.delay])
    if p.battery:
        share = battery.voltage(craft.charge, p.battery_sag)
        for k in range(4):
            craft.command[k] *= share
        craft.charge = battery.drained(craft.charge, craft.rotor_speed, vehicle, p.endurance, p.dt)
    if p.lag:
        motors.lag(craft, vehicle, p.dt)
    _gather(craft, vehicle, p)


@kernel
def kick(craft, vehicle, p):
    """Add the external wrench to the velocities; the models `bullet` and `dyn` are semi-implicit: velocities first."""
    for k in range(3):
        craft.velocity[k] += p.dt * craft.force[k] / vehicle.mass
        craft.rates[k] += p.dt * craft.torque[k] * vehicle.inverse_inertia[k]


@kernel
def _gather(craft, vehicle, p):
    """Write the wind, and the external wrench of all terms."""
    for k in range(3):
        craft.wind[k] = craft.breeze[k] + craft.gust[k]
        craft.force[k] = craft.push_force[k] + craft.buffet[k]
        craft.torque[k] = craft.push_torque[k]
    if p.drag:
        drag.resist(craft, vehicle)
    if p.downwash and not p.physics.downwash:  # else the model presses
        downwash.press(craft)
    if p.angles:
        return
    # `bullet` and `dyn` turn at once as commanded
    if p.model == BULLET or p.model == DYN:
        if p.ground_effect:
            ground_effect.lift(craft, vehicle, craft.command)
        if p.losses:
            motors.lose_thrust(craft, vehicle, craft.command, craft.efficiency)
    else:
        if p.ground_effect:
            ground_effect.lift(craft, vehicle, craft.rotor_speed)
        if p.losses:
            motors.lose_thrust(craft, vehicle, craft.rotor_speed, craft.efficiency)


@kernel
def sense(craft, p, g):
    """Let the sensors read the present state into `craft.seen`."""
    sensors.read(g, craft.seen, craft, p.noise, p.noisy)

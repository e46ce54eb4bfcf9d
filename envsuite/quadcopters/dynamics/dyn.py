"""The explicit dynamics of gym-pybullet-drones, its physics mode DYN.

Beside `dynamics.bullet`: no lag, no damping, no aerodynamics, no floor, and levers of length arm/sqrt(2)
instead of the rotor positions.
"""

from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import up
from envsuite.quadcopters.dynamics.bullet import advance


@kernel
def step(body, vehicle, physics):
    """One physics step of one body.

    Args:
        body: record of `state.BulletBody`; `command` holds the rotor speeds.
        vehicle: record of `params.VehicleRecord`.
        physics: record of `settings.Physics`.
    """
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    zero = real(0.0, c0)
    lift, tx, ty, tz = zero, zero, zero, zero
    for i in range(4):
        speed = body.command[i]
        thrust = c0 + (c1 + c2 * speed) * speed
        lift += thrust
        tx += vehicle.levers[i, 1] * thrust
        ty -= vehicle.levers[i, 0] * thrust
        tz += vehicle.spin[i] * thrust
    tz *= vehicle.torque_per_thrust

    ux, uy, uz = up(body.attitude)
    specific = lift / vehicle.mass
    acceleration = (specific * ux, specific * uy, specific * uz - vehicle.gravity)
    w, inertia = body.rates, vehicle.inertia
    angular = (
        (tx - (inertia[2] - inertia[1]) * w[1] * w[2]) / inertia[0],
        (ty - (inertia[0] - inertia[2]) * w[2] * w[0]) / inertia[1],
        (tz - (inertia[1] - inertia[0]) * w[0] * w[1]) / inertia[2],
    )
    advance(body, acceleration, angular, physics.timestep)

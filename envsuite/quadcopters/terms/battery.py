"""A battery that empties, and whose voltage, to which rotor speeds are proportional, falls with its charge.

Rotors draw power in proportion to thrust^(3/2) (momentum theory), so hovering empties the battery in `endurance`.
"""

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel


@kernel
def voltage(charge, sag):
    """Voltage as a share of that of a full battery; `sag` is the share lost when it is empty."""
    return 1.0 - sag * (1.0 - charge)


@kernel
def drained(charge, speed, vehicle, endurance, dt):
    """The charge left after a step, as a share of the full one.

    Args:
        charge: before the step.
        speed: rotor speeds, (4,).
        vehicle: record of `params.VehicleRecord`.
        endurance: hovering time that a full battery lasts, s.
        dt: s.
    """
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    power, share = real(0.0, dt), 4.0 / (vehicle.mass * vehicle.gravity)
    for i in range(4):
        thrust = max(share * (c0 + (c1 + c2 * speed[i]) * speed[i]), 0.0)
        power += 0.25 * thrust * fmath.sqrt(thrust)
    return max(charge - power * dt / endurance, 0.0)

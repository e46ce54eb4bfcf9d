"""The reference policy: full speed towards the next waypoint, or the wanted velocity."""

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import pilot
from envsuite.quadcopters.flying.blocks import norm
from envsuite.quadcopters.flying.settings import PID, VEL
from envsuite.quadcopters.waypoint_vel.kernel import target

_CRUISE = 1.5  # m/s, through other actions than vel
_LEAD = 0.25  # s, by which the velocity asked for runs ahead to make up for the controller's sluggishness


@kernel
def act(states, params, actions):
    """Write the action for every instance."""
    p = params[0]
    zero = real(0.0, p.reached)
    rest = (zero, zero, zero)
    vehicle = p.flying.physics.vehicle
    for i in range(states.shape[0]):
        s = states[i]
        craft = s.craft
        c = craft.position
        if p.velocity:
            place, speed = (c[0], c[1], c[2]), (s.wanted[0], s.wanted[1], s.wanted[2])
            if p.flying.act == PID:
                place = (c[0] + s.wanted[0], c[1] + s.wanted[1], c[2] + s.wanted[2])
            pilot.steer(craft, vehicle, p.flying, place, speed, rest, craft.heading, actions[i])
            continue
        goal = s.points[target(s)]
        x, y, z = goal[0] - c[0], goal[1] - c[1], goal[2] - c[2]
        distance = max(norm(x, y, z), 1e-6)
        if p.flying.act == VEL:
            # against the drift sideways, so that the flight is straight
            v = craft.velocity
            along = (v[0] * x + v[1] * y + v[2] * z) / distance
            x, y, z = x / distance, y / distance, z / distance
            dx, dy, dz = v[0] - along * x, v[1] - along * y, v[2] - along * z
            x, y, z = x - _LEAD * dx, y - _LEAD * dy, z - _LEAD * dz
            size = fmath.sqrt(x * x + y * y + z * z)
            actions[i, 0], actions[i, 1], actions[i, 2], actions[i, 3] = x / size, y / size, z / size, 1.0
        else:
            pace = min(_CRUISE, 3.0 * distance) / distance
            step = min(1.0, 0.5 / distance)
            place = (c[0] + step * x, c[1] + step * y, c[2] + step * z)
            if p.flying.act == PID:
                place = (goal[0], goal[1], goal[2])
            speed = (pace * x, pace * y, pace * z)
            pilot.steer(craft, vehicle, p.flying, place, speed, rest, craft.heading, actions[i])


class WaypointVelPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The pilot, which knows the true state."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

"""The reference policy: a planner keeps the drones apart, the pilot flies at the velocities that it plans."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import avoid, blocks, pilot
from envsuite.quadcopters.flying.settings import PID
from envsuite.quadcopters.swarm_goals.params import COLUMN, COLUMNS

_FASTEST, _SLOW = 1.8, 1.0  # m/s, slow among columns
_KEEP, _SIGHT = 0.21, 0.35  # m
_COLUMN_ROOM, _COLUMN_SIGHT = 0.14, 0.6  # m beyond the hull
_LOWEST = 0.3  # m


@kernel
def act(states, params, actions):
    """Write the actions of all drones of every instance."""
    p = params[0]
    zero = real(0.0, p.apart)
    for i in range(states.shape[0]):
        for n in range(states[i].crafts.shape[0]):
            plan(states[i], p, n, actions[i, n], zero)


@kernel
def plan(s, p, n, action, zero):
    """Write the action of one drone."""
    craft, rest = s.crafts[n], (zero, zero, zero)
    fastest, drift = real(_FASTEST, zero), (s.drift[0], s.drift[1], s.drift[2])
    fastest += blocks.norm(drift[0], drift[1], drift[2])
    if p.columns:
        fastest = real(_SLOW, zero)
    v = avoid.bounded(avoid.toward(craft, s.goals[n], drift, fastest), fastest)
    v = avoid.keep_clear(s.crafts, n, v, real(_KEEP, zero), real(_SIGHT, zero))
    if p.columns:
        keep = (COLUMN + _COLUMN_ROOM) + p.hull
        for k in range(COLUMNS):
            v = avoid.around(craft.position, v, s.columns[k, 0], s.columns[k, 1], keep, real(_COLUMN_SIGHT, zero))
    v = avoid.hold_height(craft, avoid.bounded(v, fastest), real(_LOWEST, zero))
    x, stride = craft.position, zero
    if p.flying.act == PID:
        stride = real(0.4, zero)
    place = (x[0] + stride * v[0], x[1] + stride * v[1], x[2] + stride * v[2])
    pilot.steer(craft, p.flying.physics.vehicle, p.flying, place, v, rest, craft.heading, action)


class SwarmGoalsPlayers(Players):
    """The reference policy."""

    def expert(self):
        """A planner that keeps drones apart, and the geometric controller."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

"""The reference policy: the pilot, which knows the reference's motion and how hard drones above push."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.downwash_formation.course import reference
from envsuite.quadcopters.downwash_formation.kernel import time_of
from envsuite.quadcopters.flying import pilot


@kernel
def act(states, params, actions):
    """Write the actions of all drones of every instance."""
    p = params[0]
    zero = real(0.0, p.apart)
    for i in range(states.shape[0]):
        s = states[i]
        now = time_of(s, p) + p.flying.control_step  # where the action will have led
        for n in range(s.crafts.shape[0]):
            craft, vehicle, r = s.crafts[n], p.flying.physics.vehicle, reference(s, n, now)
            place, motion = (r[0], r[1], r[2]), (r[3], r[4], r[5])
            lift = r[8] + craft.downwash / vehicle.mass
            pilot.steer(craft, vehicle, p.flying, place, motion, (r[6], r[7], lift), zero, actions[i, n])


class DownwashFormationPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The geometric controller with the reference's motion and the downwash as feed-forward."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

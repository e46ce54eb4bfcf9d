"""The reference policy: the pilot flies every drone to its slot, with the slot's velocity as feed-forward."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import avoid, pilot
from envsuite.quadcopters.flying.settings import VEL
from envsuite.quadcopters.leader_follower.kernel import lead_on, time_of
from envsuite.quadcopters.leader_follower.path import leader_at

_GAIN, _FASTEST = 2.5, 1.5  # 1/s and m/s
_KEEP, _SIGHT = 0.25, 0.15  # m


@kernel
def act(states, params, actions):
    """Write the actions of all drones of every instance."""
    p = params[0]
    zero = real(0.0, p.apart)
    for i in range(states.shape[0]):
        s = states[i]
        lead_on(s, p, actions[i, 0])
        r = leader_at(s, time_of(s, p))
        for n in range(1, s.crafts.shape[0]):
            craft, slot = s.crafts[n], (s.slots[n, 0], s.slots[n, 1], s.slots[n, 2])
            motion = (s.motion[n, 0], s.motion[n, 1], s.motion[n, 2])
            pull = (r[6], r[7], r[8])
            if p.flying.act == VEL:
                # the velocity controller lags: aim at where the slot will be
                x = craft.position
                v = (
                    motion[0] + 0.3 * pull[0] + _GAIN * (slot[0] - x[0]),
                    motion[1] + 0.3 * pull[1] + _GAIN * (slot[1] - x[1]),
                    motion[2] + 0.3 * pull[2] + _GAIN * (slot[2] - x[2]),
                )
                v = avoid.keep_clear(s.crafts, n, v, real(_KEEP, zero), real(_SIGHT, zero))
                motion, slot = avoid.bounded(v, real(_FASTEST, zero)), (x[0], x[1], x[2])
            pilot.steer(craft, p.flying.physics.vehicle, p.flying, slot, motion, pull, craft.heading, actions[i, n])


class LeaderFollowerPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The leader's controller, and for the others one that knows how the leader moves."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

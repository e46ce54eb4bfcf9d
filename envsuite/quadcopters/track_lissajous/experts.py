"""The reference policy: the pilot with the reference's motion as feed-forward."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import pilot
from envsuite.quadcopters.track_lissajous.curve import reference
from envsuite.quadcopters.track_lissajous.kernel import time_of


@kernel
def act(states, params, actions):
    """Write the pilot's action for every instance."""
    p = params[0]
    yaw = real(0.0, p.pace)
    for i in range(states.shape[0]):
        s = states[i]
        r = reference(s, time_of(s, p))
        position, velocity, acceleration = (r[0], r[1], r[2]), (r[3], r[4], r[5]), (r[6], r[7], r[8])
        vehicle = p.flying.physics.vehicle
        pilot.steer(s.craft, vehicle, p.flying, position, velocity, acceleration, yaw, actions[i])


class TrackLissajousPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The geometric controller with the reference's velocity and acceleration."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

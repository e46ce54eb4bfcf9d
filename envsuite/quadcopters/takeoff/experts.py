"""The reference policy: the pilot, towards the goal."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import pilot


@kernel
def act(states, params, actions):
    """Write the pilot's action for every instance."""
    p = params[0]
    zero = real(0.0, p.side)
    rest, target = (zero, zero, zero), (p.target[0], p.target[1], p.target[2])
    for i in range(states.shape[0]):
        craft = states[i].craft
        pilot.steer(craft, p.flying.physics.vehicle, p.flying, target, rest, rest, craft.heading, actions[i])


class TakeoffPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The pilot, which knows the true state."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

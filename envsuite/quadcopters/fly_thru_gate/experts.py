"""The reference policy: along the gate's axis, the faster the better it is lined up."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import pilot
from envsuite.quadcopters.flying.blocks import norm

_STRIDE = 0.35  # m, by which the point to fly to runs ahead
_ROOM = 0.15  # m, misalignment at which it does no more
_PAUSE = 0.35  # m, before the gate, where it waits to be lined up


@kernel
def act(states, params, actions):
    """Write the action for every instance."""
    p = params[0]
    zero = real(0.0, p.yaw)
    rest = (zero, zero, zero)
    vehicle = p.flying.physics.vehicle
    for i in range(states.shape[0]):
        s = states[i]
        x = s.craft.position
        goal = (p.goal[0], p.goal[1], p.goal[2])
        height = p.gate[2]
        wait = p.gate[1] + _PAUSE
        if not s.passed or x[1] > p.gate[1] - 0.25:
            aside = norm(x[0] - p.gate[0], x[2] - height, zero)
            ready = max(1.0 - aside / _ROOM, 0.0)
            ahead = x[1] - _STRIDE * ready
            if ready == 0.0 and x[1] > wait:
                ahead = max(x[1] - _STRIDE, wait)
            elif ready == 0.0:
                ahead = wait
            goal = (p.gate[0], ahead, height)
        pilot.steer(s.craft, vehicle, p.flying, goal, rest, rest, s.craft.heading, actions[i])


class FlyThruGatePlayers(Players):
    """The reference policy."""

    def expert(self):
        """The pilot, which knows the true state."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

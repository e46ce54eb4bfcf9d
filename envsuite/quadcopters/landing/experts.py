"""The reference policy: get above the pad, then sink with it."""

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying import pilot
from envsuite.quadcopters.flying.blocks import norm
from envsuite.quadcopters.flying.settings import PID
from envsuite.quadcopters.landing.kernel import pad_at

_CLOSE = 0.04  # m aside, within which it sinks all the way
_SINK = 0.15  # m/s, at touchdown
_RATE = 1.2  # 1/s, of the approach
_HOVER = 0.15  # m, above the pad until it is close


@kernel
def act(states, params, actions):
    """Write the action for every instance."""
    p = params[0]
    zero = real(0.0, p.hull)
    for i in range(states.shape[0]):
        s = states[i]
        craft = s.craft
        pad = pad_at(s, p, s.clock.step)
        x = craft.position
        above = x[2] - pad[2]
        aside = norm(x[0] - pad[0], x[1] - pad[1], zero)
        floor = zero
        if aside > _CLOSE:
            # the further aside, the higher it stays
            floor = _HOVER + 0.5 * aside
        sink = _RATE * (floor - above)
        if floor == 0.0:
            sink = min(sink, -_SINK)
        sink = max(sink, -0.8)
        position, velocity = (pad[0], pad[1], x[2]), (pad[3], pad[4], pad[5] + sink)
        if p.flying.act == PID:  # a waypoint: as far below as a slow sink takes it
            position = (pad[0], pad[1], x[2] + 0.7 * sink + 0.5 * pad[5])
        vehicle, fall = p.flying.physics.vehicle, pad[8]
        if p.flying.ground_effect:
            ratio = vehicle.propeller_radius / (4.0 * max(x[2], vehicle.ground_clip))
            fall -= vehicle.gravity * vehicle.ground_effect * ratio * ratio
        pilot.steer(craft, vehicle, p.flying, position, velocity, (pad[6], pad[7], fall), craft.heading, actions[i])


class LandingPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The pilot, which knows the true state and the pad's motion."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

"""The reference policy: all fly one way, which turns within the region, and keep their distances."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flock.params import CENTER
from envsuite.quadcopters.flying import avoid, pilot
from envsuite.quadcopters.flying.settings import PID

_PACE, _RADIUS = 1.1, 4.0  # m/s, and m of the circle that the flock's middle flies
_HOLD = 0.8  # 1/s, back to the place in the flock
_KEEP, _SIGHT = 0.35, 0.2  # m


@kernel
def act(states, params, actions):
    """Write the actions of all drones of every instance."""
    p = params[0]
    zero = real(0.0, p.apart)
    rest = (zero, zero, zero)
    for i in range(states.shape[0]):
        s = states[i]
        t = p.flying.control_step * np.float32(s.clock.step)
        sine, cosine = fmath.sincos((_PACE / _RADIUS) * t)
        # a flock that starts in the middle of the region circles beside it
        home = (_RADIUS * sine, _RADIUS * (1.0 - cosine), real(CENTER[2], zero))
        for n in range(s.crafts.shape[0]):
            craft, x = s.crafts[n], s.crafts[n].position
            v = (
                _PACE * cosine + _HOLD * (home[0] + p.starts[n, 0] - x[0]),
                _PACE * sine + _HOLD * (home[1] + p.starts[n, 1] - x[1]),
                _HOLD * (home[2] - x[2]),
            )
            v = avoid.keep_clear(s.crafts, n, v, real(_KEEP, zero), real(_SIGHT, zero))
            stride = real(0.4, zero) if p.flying.act == PID else zero
            place = (x[0] + stride * v[0], x[1] + stride * v[1], x[2] + stride * v[2])
            pilot.steer(craft, p.flying.physics.vehicle, p.flying, place, v, rest, craft.heading, actions[i, n])


class FlockPlayers(Players):
    """The reference policy."""

    def expert(self):
        """Drones that keep their place in a flock that circles."""
        from envsuite.quadcopters.flying.experts import KernelPolicy

        return KernelPolicy(self.world, act)

"""A drone in the air, for tests."""

import numpy as np

from envsuite.core import rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import to_euler
from envsuite.quadcopters.flying import craft, fly, settings


@kernel
def _begin(c, p, g, height):
    zero, one = real(0.0, p.dt), real(1.0, p.dt)
    rest = (zero, zero, zero)
    craft.launch(c, p.physics.vehicle, p, g, (zero, zero, height), (one, zero, zero, zero), rest, rest)


@kernel
def _run(c, p, g, action, steps):
    for _ in range(steps):
        fly.fly(c, p.physics.vehicle, p, g, action)


class Flight:
    """One drone that starts at rest at a height."""

    def __init__(
        self,
        model,
        vehicle,
        act,
        *,
        rate=100,
        substeps=1,
        scalar=np.float64,
        seed=1,
        height=1.0,
        preset="robust",
        **terms,
    ):
        wanted = settings.read_terms(settings.Terms(), terms)
        self.p = settings.flying(
            model, vehicle, act, wanted, control_rate=rate, substeps=substeps, scalar=scalar, preset=preset
        )
        self.craft = np.zeros(1, craft.Craft.dtype(scalar)).view(np.recarray)[0]
        self.g = np.zeros(1, rng.STREAM).view(np.recarray)[0]
        self.g.key[:] = rng.seed_key(seed)
        self.vehicle = self.p.physics.vehicle
        _begin(self.craft, self.p, self.g, scalar(height))

    def fly(self, action, steps=1):
        _run(self.craft, self.p, self.g, np.asarray(action, np.float32), steps)
        return self.craft

    @property
    def euler(self):
        return np.array(to_euler(self.craft.attitude))

    @property
    def hover(self):
        """The motor action that carries the weight."""
        return np.full(4, 2 * self.vehicle.command_hover / self.vehicle.command_high - 1)


ROTORS = [("bullet", "cf2x"), ("dyn", "racer"), ("l2f", "l2f_cf2024"), ("fp", "cf21B_500")]
EVERY = [*ROTORS, ("rpy", "cf21B_500")]

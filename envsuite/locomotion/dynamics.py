"""The options that all worlds have: versions of the rules, dynamics that vary from episode to episode."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from envsuite.locomotion.options import Compat
from envsuite.rigid import Scene
from envsuite.rigid.sampler import dynamics as dynamics_of
from envsuite.rigid.sampler import with_privileged
from envsuite.rigid.world import BodiesWorld

Dynamics = Literal["fixed", "training", "held_out"]
GROUND = ("mass", "friction", "damping", "power", "slope", "push")
"""What may vary of a body that stands on the floor."""


class LocomotionWorld(BodiesWorld):
    """A world with the rules of a version of Gymnasium's, whose dynamics may vary.

    Args:
        compat: rules of Gymnasium's ``"v5"`` or ``"v4"``, or Gym's ``"v2"``, D4RL's: what is observed and paid.
            The physics are the same.
        dynamics: ``"fixed"``; ``"training"`` draws masses, friction, damping, strength of motors, slope of the floor
            and pushes anew in every episode; ``"held_out"`` draws them from other ranges.
        ranges: (low, high), or (lowest, low, high, highest), by name, instead of those of `rigid.sampler.Ranges`;
            training draws between low and high, held-out dynamics are beyond them.

    Attributes:
        compat: as given.
        varies: names of the ranges.
        around: slopes and pushes have any heading, rather than that of x.

    Raises:
        ValueError: an unknown range, or one that is none.
    """

    varies: ClassVar[tuple[str, ...]] = GROUND
    around: ClassVar[bool] = False

    def __init__(
        self,
        *,
        compat: Compat = "v5",
        dynamics: Dynamics = "fixed",
        ranges: Mapping[str, Sequence[float]] | None = None,
    ):
        self.compat, self._dynamics, self._ranges = compat, dynamics, ranges

    def set_up(self, scene: Scene, params: Any, state: Any, **values: Any) -> None:
        """See `BodiesWorld.set_up`."""
        super().set_up(scene, params, state, **values)
        self.params[0]["dynamics"] = dynamics_of(
            self._dynamics, self._ranges, self.varies, self.compiled, self.seconds_per_step, around=self.around
        )
        if self._dynamics != "fixed":
            self.info_dtype = with_privileged(self.info_dtype)

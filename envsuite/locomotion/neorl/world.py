"""A hopper with friction that is drawn, a runner with a speed limit: rules on one record, and the worlds (NeoRL-2)."""

from typing import Annotated, Any

import numpy as np

from envsuite.core import Between, Block, Record, Vector, field, kernel, rng
from envsuite.locomotion.options import Range, Weight
from envsuite.locomotion.planar import world as planar
from envsuite.rigid import Scene
from envsuite.rigid.world import driven_loops

_SOURCE = "NeoRL-2 (Gao et al. 2025, arXiv 2503.19267)"
STEPS_OF_FRICTION = 100.0
"""Friction is rounded to a hundredth (NeoRL-2)."""


# What is new stands first in each record: Numba takes one that another begins with for its supertype.


class Foot(Record):
    """How the foot rubs."""

    foot = field(type=np.int32, meaning="number of the foot's shape")
    foot_friction_range = field((1.5, 2.5), meaning="of its coefficient", shape=2, source=_SOURCE)


class FrictionParams(Foot, planar.Params):
    """The foot, the bodies, and what the reward is made of."""


class Limit(Record):
    """How fast is too fast."""

    speed_limit = field(3.2096, "m/s", "mean speed of a step that is allowed", source=_SOURCE)
    penalty = field(100.0, meaning="in the place of the reward of a faster step, less", source=_SOURCE)


class LimitParams(Limit, planar.Params):
    """The limit, the bodies, and what the reward is made of."""


class Rubbing(Record):
    """How the foot rubs, in this episode."""

    friction = field(type=np.float64, meaning="coefficient of the foot")


class FrictionInfo(Rubbing, planar.Info):
    """The metrics."""


class Cost(Record):
    """What a safe runner has to avoid."""

    cost = field(type=np.float32, meaning="1 in a step that was faster than the limit")


class LimitInfo(Cost, planar.Info):
    """The metrics."""


@kernel
def reset_foot(s, p):
    """Begin near the model's pose, and draw the foot's friction."""
    planar.reset(s, p)
    drawn = rng.uniform(s.rng, rng.RESET, p.foot_friction_range[0], p.foot_friction_range[1])
    rounded = np.int64(drawn * STEPS_OF_FRICTION + 0.5) / STEPS_OF_FRICTION
    s.body.sliding[p.foot] *= rounded / p.start.sliding[p.foot]


@kernel
def observe_foot(s, p, observation):
    """Coordinates and speeds, and the foot's friction."""
    planar.observe(s, p, observation)
    observation[p.model.nq - p.hidden + p.model.nv] = s.body.sliding[p.foot]


@kernel
def measure_foot(s, p, info):
    """Write the metrics."""
    planar.measure(s, p, info)
    info.friction = s.body.sliding[p.foot]


@kernel
def step_limited(s, p, w):
    """Paid as any runner, but for steps that are too fast."""
    reward, over = planar.step(s, p, w)
    return (-p.penalty if s.x_velocity > p.speed_limit else reward), over


@kernel
def measure_limited(s, p, info):
    """Write the metrics."""
    planar.measure(s, p, info)
    info.cost = 1.0 if s.x_velocity > p.speed_limit else 0.0


class RandomFrictionHopperWorld(planar.HopperWorld):
    """One leg that hops on a foot that rubs differently in every episode.

    Args:
        foot_friction_range: of the coefficient of the foot's sliding friction; it is drawn uniformly, and rounded to
            a hundredth.
        **options: those of `HopperWorld`; here x is observed, and staying healthy pays nothing, by default.

    Raises:
        ValueError: a range that is none.
    """

    params_type = FrictionParams
    info_dtype = FrictionInfo.dtype()
    loops = driven_loops(planar.SIZE, reset_foot, planar.step, observe_foot, measure=measure_foot)

    def __init__(self, *, foot_friction_range: Range = (1.5, 2.5), **options: Any):
        self._friction = foot_friction_range
        defaults: dict[str, Any] = {"healthy_reward": 0.0, "exclude_current_positions_from_observation": False}
        super().__init__(**{**defaults, **options})

    def begin(self, scene: Scene, hidden: int, **values) -> None:
        """See `PlanarWorld.begin`."""
        super().begin(scene, hidden, foot_friction_range=self._friction, **values)
        if self._friction[0] <= 0:
            raise ValueError(f"foot_friction_range is {self._friction!r}, expected coefficients above 0")
        self.params["foot"] = self.compiled.geom["foot_geom"]
        friction = Block("friction", 1, 0.0, np.inf, meaning="coefficient of the foot")
        seen: Any = self.observation
        self.observation = Vector((*seen.blocks, friction), dtype=np.float64)


class SafetyHalfCheetahWorld(planar.HalfCheetahWorld):
    """Two legs and a back that run, but not too fast.

    Args:
        speed_limit: mean speed along x of a step, m/s, above which the reward of the step is replaced.
        penalty: what such a step costs.
        **options: those of `HalfCheetahWorld`; here x is observed by default.
    """

    params_type = LimitParams
    info_dtype = LimitInfo.dtype()
    loops = driven_loops(planar.SIZE, planar.reset, step_limited, planar.observe, measure=measure_limited)

    def __init__(
        self, *, speed_limit: Annotated[float, Between(0, 1e6)] = 3.2096, penalty: Weight = 100.0, **options: Any
    ):
        self._limit = {"speed_limit": speed_limit, "penalty": penalty}
        super().__init__(**{"exclude_current_positions_from_observation": False, **options})

    def begin(self, scene: Scene, hidden: int, **values) -> None:
        """See `PlanarWorld.begin`."""
        super().begin(scene, hidden, **self._limit, **values)

"""Pictures by PyBullet's software renderer: colours, depth, and what is seen."""

from typing import Any

import gymnasium
import numpy as np

from envsuite.core.bullet import Picture, Pictured, check_view
from envsuite.manipulation.panda.bullet import BulletPanda

_NEAREST = 0.1  # m
_TARGET, _DISTANCE, _YAW, _PITCH = (0.0, 0.0, 0.0), 1.4, 45.0, -30.0
"""Where panda-gym 3.0.7's camera looks, m, from how far, m, and by which angles, degrees."""


def photograph(
    world: BulletPanda,
    state: np.void,
    *,
    size: tuple[int, int] = (720, 480),
    target: tuple[float, float, float] = _TARGET,
    distance: float = _DISTANCE,
    yaw: float = _YAW,
    pitch: float = _PITCH,
    fov: float = 60.0,
) -> Picture:
    """Look at a task, by default as panda-gym's camera does.

    Args:
        world: a task on the engine.
        state: one record of its ``state_dtype``.
        size: (width, height), pixels.
        target: what the camera looks at, m.
        distance: from there, m.
        yaw: of the camera, degrees.
        pitch: likewise; negative from above.
        fov: angle that the height of the picture spans, degrees.

    Raises:
        ValueError: a size or an angle that gives no picture.
    """
    check_view(size, fov)
    engine = world.show(state)
    return engine.picture(engine.orbit(target, distance, yaw, pitch), size, fov, _NEAREST)


class CameraObservation(Pictured):
    """Adds pictures to the observations: a dictionary of ``"state"`` (the task's own) and the kinds asked for.

    Args:
        env: a task made with ``backend="bullet"``.
        kinds: some of ``"rgb"``, ``"depth"`` and ``"segmentation"``, see `Picture`.
        size: (width, height), pixels.
        **view: other arguments of `photograph`.

    Raises:
        ValueError: an unknown kind, or an environment without the engine.
    """

    def __init__(
        self, env: gymnasium.Env, kinds: tuple[str, ...] = ("rgb",), size: tuple[int, int] = (84, 84), **view: Any
    ):
        super().__init__(env, BulletPanda, kinds, size)
        self._view = dict[str, Any](size=size, **view)

    def shot(self, state: np.void, agent: int) -> Picture:
        """What the camera sees."""
        return photograph(self._base.world, state, **self._view)

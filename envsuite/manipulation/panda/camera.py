"""Pictures by PyBullet's software renderer: colours, depth, and what is seen."""

from typing import Any, NamedTuple

import gymnasium
import numpy as np

from envsuite.manipulation.panda.bullet import BulletPanda

KINDS = ("rgb", "depth", "segmentation")
_NEAR, _FAR = 0.1, 100.0  # m
_TARGET, _DISTANCE, _YAW, _PITCH = (0.0, 0.0, 0.0), 1.4, 45.0, -30.0
"""Where panda-gym 3.0.7's camera looks, m, from how far, m, and by which angles, degrees."""


class Picture(NamedTuple):
    """What a camera sees.

    Attributes:
        rgb: uint8 (height, width, 3).
        depth: float32 (height, width), m along the camera's axis; 100 where there is nothing.
        segmentation: int32 (height, width), index into `names`; -1 where there is nothing.
        names: of the bodies.
    """

    rgb: np.ndarray
    depth: np.ndarray
    segmentation: np.ndarray
    names: tuple[str, ...]


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
    width, height = size
    if width < 1 or height < 1:
        raise ValueError(f"size is {size}, expected at least one pixel each way")
    if not 0 < fov < 180:
        raise ValueError(f"fov is {fov} degrees, expected more than 0 and less than 180")
    engine = world.show(state)
    view = engine.orbit(target, distance, yaw, pitch)
    rgba, depth, bodies = engine.picture(size, view, fov, (_NEAR, _FAR))
    # from OpenGL's depth buffer to metres
    metres = _FAR * _NEAR / (_FAR - (_FAR - _NEAR) * np.asarray(depth, np.float64).reshape(height, width))
    seen = np.asarray(bodies, np.int64).reshape(height, width)
    names = tuple(engine.names.values())
    segmentation = np.full(seen.shape, -1, np.int32)
    for index, body in enumerate(engine.names):
        segmentation[seen == body] = index
    rgb = np.asarray(rgba, np.uint8).reshape(height, width, 4)[..., :3].copy()
    return Picture(rgb, metres.astype(np.float32), segmentation, names)


class CameraObservation(gymnasium.ObservationWrapper):
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
        super().__init__(env)
        if not kinds or not set(kinds) <= set(KINDS):
            raise ValueError(f"kinds are {kinds}, expected some of {', '.join(KINDS)}")
        self._base: Any = env.unwrapped
        if not isinstance(getattr(self._base, "world", None), BulletPanda):
            raise ValueError('cameras need an environment made with backend="bullet"')
        shape = (size[1], size[0])
        self._kinds, self._view = tuple(kinds), dict[str, Any](size=size, **view)
        whole = {
            "rgb": gymnasium.spaces.Box(0, 255, (*shape, 3), np.uint8),
            "depth": gymnasium.spaces.Box(0.0, _FAR, shape, np.float32),
            "segmentation": gymnasium.spaces.Box(-1, 7, shape, np.int32),
        }
        spaces = {"state": env.observation_space, **{kind: whole[kind] for kind in self._kinds}}
        self.observation_space = gymnasium.spaces.Dict(spaces)

    def observation(self, observation):
        """The task's observation and the pictures."""
        seen = photograph(self._base.world, self._base.batch.states[0], **self._view)
        return {"state": observation, **{kind: getattr(seen, kind) for kind in self._kinds}}

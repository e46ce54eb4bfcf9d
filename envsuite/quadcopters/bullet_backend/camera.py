"""Cameras on board, by the engine's software renderer: colours, depth, and what is seen."""

from typing import Any, NamedTuple

import gymnasium
import numpy as np

from envsuite.quadcopters.attitude import rotate
from envsuite.quadcopters.bullet_backend.engine import Engine
from envsuite.quadcopters.bullet_backend.flight import EngineWorld

KINDS = ("rgb", "depth", "segmentation")
_NEAR, _FAR = 0.03, 100.0  # m


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
    world: EngineWorld, state, agent: int = 0, *, size: tuple[int, int] = (64, 48), fov: float = 60.0
) -> Picture:
    """Look ahead from a drone: along its x axis, one arm above its centre, as gym-pybullet-drones' cameras.

    The camera turns with the drone; the original's keeps the horizon level, and stretches its pictures.

    Args:
        world: a task on the engine.
        state: one record of its `state_dtype`.
        agent: index of the drone.
        size: (width, height), pixels.
        fov: angle that the height of the picture spans, degrees.

    Raises:
        ValueError: a size or an angle that gives no picture.
    """
    width, height = size
    if width < 1 or height < 1:
        raise ValueError(f"size is {size}, expected at least one pixel each way")
    if not 0 < fov < 180:
        raise ValueError(f"fov is {fov} degrees, expected more than 0 and less than 180")
    engine, drones = world.show(state)
    drone = drones[agent]
    attitude = tuple(np.asarray(drone["attitude"], np.float64).tolist())
    place = np.asarray(drone["position"], np.float64)
    eye = place + rotate(attitude, (0.0, 0.0, engine.vehicle.arm))
    return shoot(engine, eye, eye + rotate(attitude, (1.0, 0.0, 0.0)), rotate(attitude, (0.0, 0.0, 1.0)), size, fov)


def shoot(engine: Engine, eye, target, up, size: tuple[int, int], fov: float) -> Picture:
    """Look from one point of the world at another.

    Args:
        engine: the world.
        eye: m, (3,).
        target: m, (3,).
        up: direction that points up in the picture, (3,).
        size: (width, height), pixels.
        fov: angle that the height of the picture spans, degrees.
    """
    width, height = size
    rgba, depth, bodies = engine.picture(eye, target, up, size, fov, (_NEAR, _FAR))
    # from OpenGL's depth buffer to metres
    metres = _FAR * _NEAR / (_FAR - (_FAR - _NEAR) * np.asarray(depth, np.float64).reshape(height, width))
    names = engine.kinds
    number = {body: names.index(name) for body, name in engine.names.items()}
    seen = np.asarray(bodies, np.int64).reshape(height, width)
    segmentation = np.full(seen.shape, -1, np.int32)
    for body, index in number.items():
        segmentation[seen == body] = index
    rgb = np.asarray(rgba, np.uint8).reshape(height, width, 4)[..., :3].copy()
    return Picture(rgb, metres.astype(np.float32), segmentation, names)


class CameraObservation(gymnasium.ObservationWrapper):
    """Adds what the drones' cameras see to the observations.

    The observation becomes a dictionary of ``"state"`` (the task's own) and the kinds asked for; of several drones, the
    pictures are stacked along a first axis.

    Args:
        env: a task made with ``backend="bullet"``.
        kinds: some of ``"rgb"``, ``"depth"`` and ``"segmentation"``, see `Picture`.
        size: (width, height), pixels.
        fov: angle that the height of a picture spans, degrees.

    Raises:
        ValueError: an unknown kind, or an environment without the engine.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        kinds: tuple[str, ...] = ("rgb",),
        size: tuple[int, int] = (64, 48),
        fov: float = 60.0,
    ):
        super().__init__(env)
        if not kinds or not set(kinds) <= set(KINDS):
            raise ValueError(f"kinds are {kinds}, expected some of {', '.join(KINDS)}")
        base: Any = env.unwrapped
        if not isinstance(getattr(base, "world", None), EngineWorld):
            raise ValueError('cameras need an environment made with backend="bullet"')
        self._base, self._kinds, self._size, self._fov = base, tuple(kinds), size, fov
        self._many = len(base.world.agents)
        shape = ((self._many,) if self._many else ()) + (size[1], size[0])
        spaces: dict[str, gymnasium.Space] = {"state": env.observation_space}
        whole = {
            "rgb": gymnasium.spaces.Box(0, 255, (*shape, 3), np.uint8),
            "depth": gymnasium.spaces.Box(0.0, _FAR, shape, np.float32),
            "segmentation": gymnasium.spaces.Box(-1, len(base.world.names()) - 1, shape, np.int32),
        }
        self.observation_space = gymnasium.spaces.Dict(spaces | {kind: whole[kind] for kind in self._kinds})

    def _shots(self) -> list[Picture]:
        state = self._base.batch.states[0]
        agents = range(max(1, self._many))
        return [photograph(self._base.world, state, n, size=self._size, fov=self._fov) for n in agents]

    def observation(self, observation):
        """The task's observation and the pictures."""
        shots = self._shots()
        pictures = {kind: [getattr(shot, kind) for shot in shots] for kind in self._kinds}
        stacked = {kind: np.stack(found) if self._many else found[0] for kind, found in pictures.items()}
        return {"state": observation, **stacked}

"""Cameras on board, by the engine's software renderer: colours, depth, and what is seen."""

import gymnasium
import numpy as np

from envsuite.core.bullet import Picture, Pictured, check_view
from envsuite.quadcopters.attitude import rotate
from envsuite.quadcopters.bullet_backend.flight import EngineWorld


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
    check_view(size, fov)
    engine, drones = world.show(state)
    drone = drones[agent]
    attitude = tuple(np.asarray(drone["attitude"], np.float64).tolist())
    place = np.asarray(drone["position"], np.float64)
    eye = place + rotate(attitude, (0.0, 0.0, engine.vehicle.arm))
    ahead, up = (rotate(attitude, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    return engine.look_at(eye, eye + ahead, up, size, fov)


class CameraObservation(Pictured):
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
        super().__init__(env, EngineWorld, kinds, size)
        self._size, self._fov = size, fov

    def shot(self, state: np.void, agent: int) -> Picture:
        """What a drone's camera sees."""
        return photograph(self._base.world, state, agent, size=self._size, fov=self._fov)

"""Pictures of drones with their goals, trails and surroundings."""

from typing import Any, ClassVar

import numpy as np

from envsuite.core.companions import Pictures
from envsuite.quadcopters.attitude import to_matrix
from envsuite.quadcopters.flying.craft import TRAIL
from envsuite.quadcopters.render import VIEWS


class DronePictures(Pictures):
    """Pictures of flying drones; subclasses say what else there is to see.

    Attributes:
        every: steps between points of the trail, as `craft.trace` has it.
        digits: of the seconds in captions.
    """

    views = VIEWS
    every: ClassVar[int] = 6
    digits: ClassVar[int] = 2

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = world.control_rate

    def picture(
        self,
        state: Any,
        size: tuple[int, int],
        caption: str,
        *,
        look_at: Any,
        distance: float,
        targets: Any = None,
        scale: float | None = None,
        props: Any = None,
        floor: float = 0.0,
    ) -> np.ndarray:
        """Draw the drones and their trails.

        Args:
            state: the state record.
            size: (width, height) in pixels.
            caption: line of text after the time.
            look_at: m, world, the middle of the picture.
            distance: m, from the camera to there.
            targets: m, world, shape (a, 3).
            scale: how much larger than life the drones are drawn.
            props: see `quadcopters.render.render_scene`.
            floor: m, its height.

        Returns:
            uint8 array (height, width, 3).
        """
        from envsuite.quadcopters.render import Drones, render_scene

        crafts, step = np.atleast_1d(state["crafts" if self.world.agents else "craft"]), int(state["clock"]["step"])
        positions = np.asarray(crafts["position"], np.float64)
        newest = step // self.every
        order = np.arange(newest + 1, newest + 1 + TRAIL) % TRAIL
        trails = np.asarray(crafts["trail"], np.float64)[:, order]
        attitudes = np.asarray(crafts["attitude"], np.float64)
        drones = Drones(
            positions,
            np.array([np.reshape(to_matrix(q), (3, 3)) for q in attitudes]),
            np.asarray(self.world.vehicle(state)["rotors"], np.float64),
            targets,
            np.concatenate([trails, positions[:, np.newaxis]], axis=1),
            scale,
        )
        return render_scene(
            drones,
            size=size,
            look_at=tuple(float(value) for value in look_at),
            distance=distance,
            floor=floor,
            caption=f"{step / self.world.control_rate:.{self.digits}f} s   {caption}",
            props=props,
            view=self.view,
        )


class SwarmPictures(DronePictures):
    """Pictures of several drones."""

    digits = 1

    def overview(self, state: Any, size: tuple[int, int], caption: str, **options: Any) -> np.ndarray:
        """Draw the drones with their goals and trails, so that all are seen.

        Args:
            state: the state record.
            size: (width, height) in pixels.
            caption: line of text after the time.
            **options: of `picture`.
        """
        goals = self.world.goals(state)
        points = np.concatenate([np.asarray(state["crafts"]["position"], np.float64), goals])
        middle = points.mean(axis=0)
        reach = float(np.linalg.norm(points - middle, axis=1).max())
        return self.picture(
            state, size, caption, **{"look_at": middle, "distance": 1.2 + 2.4 * reach, "targets": goals, **options}
        )

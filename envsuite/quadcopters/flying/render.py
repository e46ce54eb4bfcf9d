"""Pictures of drones with their goals, trails and surroundings."""

from typing import Any

import numpy as np

from envsuite.core.companions import Pictures
from envsuite.quadcopters.attitude import to_matrix
from envsuite.quadcopters.flying.craft import TRAIL
from envsuite.quadcopters.render import VIEWS


def draw(
    crafts,
    vehicle,
    size,
    *,
    look_at,
    distance,
    caption,
    step,
    targets=None,
    every=6,
    scale=None,
    props=None,
    floor=0.0,
    view="fixed",
) -> np.ndarray:
    """Draw drones.

    Args:
        crafts: records of `craft.Craft`, shape (a,).
        vehicle: record of `quadcopters.params.VehicleRecord`.
        size: (width, height) in pixels.
        look_at: m, world, the middle of the picture.
        distance: m, from the camera to there.
        caption: line of text.
        step: of the episode.
        targets: m, world, shape (a, 3).
        every: steps between points of the trail, as `craft.trace` has it.
        scale: how much larger than life the drones are drawn.
        props: see `quadcopters.render.render_scene`.
        floor: m, its height.
        view: likewise.

    Returns:
        uint8 array (height, width, 3).
    """
    from envsuite.quadcopters.render import render_scene

    positions = np.asarray(crafts["position"], np.float64)
    newest = int(step) // every
    order = np.arange(newest + 1, newest + 1 + TRAIL) % TRAIL
    trails = np.asarray(crafts["trail"], np.float64)[:, order]
    trails = np.concatenate([trails, positions[:, np.newaxis]], axis=1)
    attitudes = np.asarray(crafts["attitude"], np.float64)
    return render_scene(
        positions,
        np.array([np.reshape(to_matrix(q), (3, 3)) for q in attitudes]),
        rotor_positions=np.asarray(vehicle["rotors"], np.float64),
        targets=None if targets is None else np.asarray(targets, np.float64),
        trails=trails,
        size=size,
        look_at=tuple(float(value) for value in look_at),
        distance=distance,
        drone_scale=scale,
        floor=floor,
        caption=caption,
        props=props,
        view=view,
    )


class DronePictures(Pictures):
    """What is drawn in `DroneWorld`."""

    views = VIEWS


class SwarmPictures(DronePictures):
    """What is drawn in `SwarmWorld`."""

    def picture(
        self,
        state: Any,
        size: tuple[int, int],
        *,
        caption: str,
        every: int,
        look_at: Any = None,
        distance: float | None = None,
        **options: Any,
    ) -> np.ndarray:
        """Draw the drones with their goals and trails.

        Args:
            state: the state record.
            size: (width, height) in pixels.
            caption: line of text.
            every: steps between points of the trail.
            look_at: m, the middle of the picture; by default that of drones and goals.
            distance: m, from the camera to there; by default so that all are seen.
            **options: of `flying.draw`.
        """
        crafts, goals = state["crafts"], self.world.goals(state)
        points = np.concatenate([np.asarray(crafts["position"], np.float64), goals])
        middle = points.mean(axis=0) if look_at is None else np.asarray(look_at, np.float64)
        reach = float(np.linalg.norm(points - middle, axis=1).max())
        return draw(
            crafts,
            self.world.params[0]["flying"]["physics"]["vehicle"],
            size,
            look_at=middle,
            distance=1.2 + 2.4 * reach if distance is None else distance,
            caption=caption,
            step=int(state["clock"]["step"]),
            every=every,
            view=self.view,
            **{"targets": goals, **options},
        )

"""Pictures of drones of the gym-pybullet-drones worlds."""

import numpy as np

from envsuite.quadcopters.attitude import to_matrix


def draw(drones, vehicle, targets, size, *, look_at, distance, scale, caption, heading=0.0, view="fixed") -> np.ndarray:
    """Draw drones and their targets.

    Args:
        drones: records with the fields of `quadcopters.state.Body`, shape (a,).
        vehicle: record of `quadcopters.params.VehicleRecord`.
        targets: m, world, shape (a, 3).
        size: (width, height) in pixels.
        look_at: m, world, the middle of the picture.
        distance: m, from the camera to there.
        scale: how much larger than life the drones are drawn.
        caption: line of text.
        heading: angle about the vertical by which the world is turned in the picture, rad.
        view: see `quadcopters.render.render_scene`.

    Returns:
        uint8 array (height, width, 3).
    """
    from envsuite.quadcopters.render import render_scene

    attitudes = np.asarray(drones["attitude"], np.float64)
    rotations = np.array([np.reshape(to_matrix(q), (3, 3)) for q in attitudes])
    sine, cosine = np.sin(heading), np.cos(heading)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return render_scene(
        np.asarray(drones["position"], np.float64) @ turn.T,
        turn @ rotations,
        rotor_positions=np.column_stack([vehicle["rotors"], np.zeros(4)]).astype(np.float64),
        targets=np.asarray(targets, np.float64) @ turn.T,
        size=size,
        look_at=tuple(turn @ look_at),
        distance=distance,
        drone_scale=scale,
        caption=caption,
        view=view,
    )

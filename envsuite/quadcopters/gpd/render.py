"""Pictures of drones of the gym-pybullet-drones worlds."""

import numpy as np

from envsuite.quadcopters.attitude import to_matrix


def draw(drones, vehicle, targets, size, *, look_at, distance, scale, caption) -> np.ndarray:
    """Draw drones and their targets.

    Args:
        drones: records with the fields of `quadcopters.state.body_fields`, shape (a,).
        vehicle: record of `quadcopters.params.vehicle_dtype`.
        targets: m, world, shape (a, 3).
        size: (width, height) in pixels.
        look_at: m, world, the middle of the picture.
        distance: m, from the camera to there.
        scale: how much larger than life the drones are drawn.
        caption: line of text.

    Returns:
        uint8 array (height, width, 3).
    """
    from envsuite.quadcopters.render import render_scene

    attitudes = np.asarray(drones["attitude"], np.float64)
    rotations = np.array([np.reshape(to_matrix(q), (3, 3)) for q in attitudes])
    return render_scene(
        np.asarray(drones["position"], np.float64),
        rotations,
        rotor_positions=np.column_stack([vehicle["rotors"], np.zeros(4)]).astype(np.float64),
        targets=np.asarray(targets, np.float64),
        size=size,
        look_at=look_at,
        distance=distance,
        drone_scale=scale,
        caption=caption,
    )

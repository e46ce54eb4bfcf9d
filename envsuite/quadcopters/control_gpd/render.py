"""The picture of a record."""

import numpy as np

from envsuite.quadcopters.gpd.render import draw as draw_drones


def draw(state, params, size: tuple[int, int], view: str = "fixed") -> np.ndarray:
    """Draw one record.

    Args:
        state: the record.
        params: the parameter record.
        size: (width, height) in pixels.
        view: see `quadcopters.render.render_scene`.

    Returns:
        uint8 array (height, width, 3).
    """
    positions = np.asarray(state["drones"]["position"], np.float64)
    middle = positions.mean(axis=0)
    reach = float(np.linalg.norm(positions - middle, axis=1).max())
    return draw_drones(
        state["drones"],
        params["physics"]["vehicle"],
        np.asarray(params["spawn"], np.float64),
        size,
        look_at=np.array([middle[0], middle[1], max(0.15, 0.8 * middle[2])]),
        distance=1.0 + 2.6 * reach,
        scale=2.0,
        caption=f"{int(state['clock']['step']) * float(params['control_step']):.2f} s",
        view=view,
    )

"""Draws the cart and the pole."""

import numpy as np


def draw(state, size: tuple[int, int]) -> np.ndarray:
    """Draw one record.

    Args:
        state: the record.
        size: (width, height) in pixels.

    Returns:
        uint8 array (height, width, 3).
    """
    from PIL import Image, ImageDraw

    width, height = size
    scale = width / 6.0  # the picture shows 6 m of track
    image = Image.new("RGB", size, (250, 250, 247))
    pen = ImageDraw.Draw(image)
    ground = height * 0.72
    centre = width / 2 + float(state["position"]) * scale
    pen.line((0, ground, width, ground), fill=(120, 120, 120), width=max(1, width // 240))
    for limit in (-2.4, 2.4):
        x = width / 2 + limit * scale
        pen.line((x, ground - 0.1 * scale, x, ground + 0.1 * scale), fill=(200, 60, 60), width=max(1, width // 160))
    pen.rectangle((centre - 0.3 * scale, ground - 0.2 * scale, centre + 0.3 * scale, ground), fill=(40, 60, 90))
    angle, length = float(state["angle"]), 1.6 * scale
    hinge = (centre, ground - 0.2 * scale)
    tip = (hinge[0] + length * np.sin(angle), hinge[1] - length * np.cos(angle))
    pen.line((*hinge, *tip), fill=(214, 140, 60), width=max(2, width // 60))
    return np.asarray(image)

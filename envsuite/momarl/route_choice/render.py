"""Draws the network, its links as thick as their traffic."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures


class RouteChoicePictures(Pictures):
    """The network and its traffic."""

    size = (560, 360)
    fps = 2

    def draw(self, state, size):
        """Draw the network and its traffic."""
        width, height = size
        net, p, drivers = self.world.network, self.world.params[0], len(self.world.agents)
        canvas = Canvas(width, height, (247, 247, 243))
        unit = min(width, height)
        f = state["flow"].astype(np.float64)
        delays = f * (p["slope"] + f**3 * p["quartic"])
        spots = {node: np.array([x * width, 0.08 * height + y * 0.86 * height]) for node, (x, y) in net.places.items()}
        for e, link in enumerate(net.links):
            start, end = spots[link.start], spots[link.end]
            way = (end - start) / np.linalg.norm(end - start)
            twin = any(other.start == link.end and other.end == link.start for other in net.links)
            aside = np.array([-way[1], way[0]]) * (0.013 * unit if twin else 0.0)
            share, delay = float(f[e]) / drivers, float(delays[e]) / max(1e-9, float(delays.max()))
            color = (90 + int(130 * delay), 150 - int(90 * delay), 120 - int(60 * delay))
            canvas.line([start + aside, end + aside], (205, 205, 200), max(1.0, 0.006 * unit))
            if share > 0:
                canvas.line([start + aside, end + aside], color, max(1.0, unit * (0.006 + 0.05 * np.sqrt(share))))
        for node, spot in spots.items():
            canvas.circle(spot, 0.032 * unit, (58, 66, 84))
            if height >= 200:
                canvas.text(spot, node, (255, 255, 255), 0.032 * unit, "mm")
        if height >= 200 and int(state["clock"]["step"]):
            mean = float(f @ (p["free"] + f * p["slope"] + f**4 * p["quartic"])) / drivers
            canvas.text((8, 6), f"mean travel time {mean:.1f} min", (58, 66, 84), 0.045 * height)
        if height >= 200:
            legend = "thick: many cars    red: the most delay"
            canvas.text((width - 8, height - 6), legend, (110, 116, 130), 0.036 * height, "rb")
        return canvas.to_array()

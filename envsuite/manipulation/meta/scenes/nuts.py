"""A nut with a handle, and the peg that it goes over."""

from math import cos, pi, sin

from envsuite.manipulation.meta.scenes.parts import ALONG_Y, QUARTER, base, box, capsule, cylinder, scene, thing
from envsuite.rigid import Cylinder, Site


def _link(k: int):
    """One of the eight capsules of the ring, along its tangent."""
    way = k * pi / 4
    radius = 0.048 if k % 2 == 0 else 0.051
    x, y, half = radius * cos(way), radius * sin(way), 0.015
    dx, dy = -half * sin(way), half * cos(way)
    return capsule(f"ring_{k}", size=0.019, fromto=(x - dx, y - dy, 0, x + dx, y + dy, 0))


NUT = thing(
    "nut",
    0.22,
    (0.00025, 0.00092, 0.00113),
    [
        *(_link(k) for k in range(8)),
        box("grip", size=(0.019, 0.038, 0.016), pos=(0, -0.13, 0)),
        cylinder("handle", size=(0.012, 0.05), pos=(0, -0.1, 0), quat=ALONG_Y),
    ],
    centre=(0, -0.03273, 0),
    pos=(0.1, 0.6, 0.02),
    quat=QUARTER,
    sites=[Site("nut", (0, 0, 0)), Site("end", (0, -0.13, 0))],
)
PEG = base("peg", (0.1, 0.8, 0.05), geoms=[Cylinder("peg", size=(0.02, 0.05))], sites=[Site("top", (0, 0, 0.05))])

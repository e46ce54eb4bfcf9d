"""A puck or a block on the table, with or without a wall."""

from functools import partial

from envsuite.manipulation.meta.scenes.parts import HARD, base, box, cylinder, fixed, scene, thing

puck = partial(cylinder, "puck", condim=4, friction=(1, 0.1, 0.002))
INERTIA = (8.8e-4, 8.8e-4, 8.8e-4)
STIFF = (1e5, 1e5, 1e5)
"""The original's way to keep an object from turning."""


def _puck(radius: float, height: float):
    return thing("obj", 0.75, INERTIA, [puck(size=(radius, height))], pos=(0, 0.6, 0.02))


def _block(mass: float, friction, **others):
    return thing("obj", mass, STIFF, [box("block", size=(0.02, 0.02, 0.02), friction=friction, **others)], pos=(0, 0.6, 0.02))


WALL = base("wall", (0.1, 0.75, 0.06), geoms=[fixed("wall", size=(0.12, 0.01, 0.06))])

PUCK = scene("puck", _puck(0.02, 0.02))
PUCK_WALL = scene("puck_wall", _puck(0.02, 0.02), WALL)
FLAT_PUCK_WALL = scene("flat_puck_wall", _puck(0.03, 0.015), WALL)
BLOCK = scene("block", _block(0.75, (2, 0.1, 0.002)))

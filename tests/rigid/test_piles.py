"""Shapes that are dropped on a floor stay on it."""

import numpy as np
import pytest

from envsuite.rigid import Body, Box, Capsule, Cylinder, Free, Plane, Scene, Sphere, compile_scene
from tests.rigid.engine import Engine

BODIES = 4  # as many free bodies as the largest size class holds


def pile(seed: int) -> Scene:
    """Bodies above each other, turned at random; one cylinder, or capsules, see `envsuite.rigid.pairs`."""
    rng = np.random.default_rng(seed)
    kinds, cylinder = (Sphere, Capsule, Box), -1
    if seed % 4 == 3:
        kinds, cylinder = (Sphere, Box), rng.integers(BODIES)  # the one cylinder
    bodies = []
    for k in range(BODIES):
        kind = Cylinder if k == cylinder else kinds[int(rng.integers(len(kinds)))]
        size = rng.uniform(0.05, 0.2, {Sphere: 1, Box: 3}.get(kind, 2))
        place = (*rng.uniform(-0.1, 0.1, 2), 0.5 + 0.7 * k)
        bodies.append(Body(f"b{k}", pos=place, quat=rng.normal(size=4), joints=[Free()], geoms=[kind(size=size)]))
    return Scene(f"pile{seed}", geoms=[Plane(size=(5, 5, 0.1))], bodies=bodies)


def dropped(seed: int) -> None:
    engine = Engine.of(compile_scene(pile(seed), size="large"))
    heights = slice(2, 7 * BODIES, 7)
    for _ in range(10):
        engine.step(500)  # a second
        assert np.isfinite(engine.qpos).all()
        assert (engine.qpos[heights] > 0.03).all(), seed  # no shape is thinner than 0.05 m
        assert engine.physics["overflow"][0] == 0
    speeds = np.linalg.norm(engine.qvel.reshape(BODIES, 6)[:, :3], axis=1)
    assert (speeds < np.sqrt(2 * 9.81 * 3)).all()  # no faster than a fall from the top of the pile


@pytest.mark.parametrize("seed", range(20))
def test_piles_stay_above_the_floor(seed):
    dropped(seed)

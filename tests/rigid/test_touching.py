"""Contacts of two shapes in random poses beside MuJoCo 3.3.7: their number, distances, places, frames."""

import numpy as np
import pytest

from envsuite.rigid import compile_scene
from envsuite.rigid.mjcf import read_mjcf
from tests.rigid.engine import Engine

mujoco = pytest.importorskip("mujoco")

SHAPES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3}
PAIRS = [
    *(
        (first, second)
        for k, first in enumerate(("sphere", "capsule", "box"))
        for second in ("sphere", "capsule", "box")[k:]
    ),
    ("sphere", "cylinder"),
]


def sizes(rng, shape: str) -> str:
    return " ".join(f"{one:.3f}" for one in rng.uniform(0.03, 0.3, SHAPES[shape]))


def turned(rng) -> np.ndarray:
    """Any rotation, or one nearly along the axes."""
    if rng.random() < 0.3:
        q = np.eye(4)[rng.integers(4)] + rng.normal(size=4) * rng.choice([1e-3, 1e-2])
        if rng.random() < 0.5:
            q = np.array([0.5**0.5, 0, 0, 0]) + 0.5**0.5 * np.eye(4)[1 + rng.integers(3)] + rng.normal(size=4) * 1e-3
    else:
        q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def compared(first: str, second: str, models: int, poses: int, seed: int) -> int:
    """Compare random poses; returns how many of them touch."""
    rng, touching = np.random.default_rng(seed), 0
    for _ in range(models):
        margin = 0.02 if rng.random() < 0.5 else 0
        fixed = first == "plane"
        extents = ["1 1 1" if one == "plane" else sizes(rng, one) for one in (first, second)]
        more = f'margin="{margin}"' + (f' quat="{" ".join(map(str, turned(rng)))}"' if fixed else "")
        geoms = [f'<geom type="{first}" size="{extents[0]}" {more}/>', f'<geom type="{second}" size="{extents[1]}"/>']
        bodies = [f'<body name="b{k}"><freejoint/>{one}</body>' for k, one in enumerate(geoms)]
        text = f"<mujoco><worldbody>{(geoms[0] + bodies[1]) if fixed else ''.join(bodies)}</worldbody></mujoco>"
        model = mujoco.MjModel.from_xml_string(text)
        engine, data = Engine.of(compile_scene(read_mjcf(text))), mujoco.MjData(model)
        reach = 0.4 if fixed else float(model.geom_rbound.sum())
        for _ in range(poses):
            way = rng.normal(size=3)
            way *= rng.uniform(0.05, 1) * reach / np.linalg.norm(way)
            parts = [np.zeros(3), turned(rng), way, turned(rng)] if not fixed else [way, turned(rng)]
            data.qpos[:] = np.concatenate(parts)
            mujoco.mj_forward(model, data)
            engine.put(qpos=data.qpos, qvel=np.zeros(model.nv))
            engine.forward()
            touching += same_contacts(engine, data)
    return touching


def same_contacts(engine: Engine, data) -> bool:
    work, found = engine.work[0], data.contact
    count = int(work["ncon"])
    assert count == data.ncon, (count, data.ncon, data.qpos)
    np.testing.assert_allclose(work["con_dist"][:count], found.dist, rtol=0, atol=1e-10)
    np.testing.assert_allclose(work["con_pos"][:count], found.pos, rtol=0, atol=1e-10)
    np.testing.assert_allclose(work["con_frame"][:count], found.frame, rtol=0, atol=1e-9)
    return count > 0


@pytest.mark.parametrize(("first", "second"), [*PAIRS, *(("plane", one) for one in SHAPES)])
def test_contacts_equal_mujoco_s(first, second):
    touching = compared(first, second, models=6, poses=40, seed=0)
    assert touching > 40


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [*PAIRS, *(("plane", one) for one in SHAPES)])
def test_contacts_equal_mujoco_s_in_many_poses(first, second):
    assert compared(first, second, models=500, poses=200, seed=1) > 15000

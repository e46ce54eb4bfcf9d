"""Ropes and cloths beside PyBullet's deformables of as many particles, in one run on one core: control steps a second.

    python benchmarks/deformables.py

Wants the extra ``bullet``. A control step is 20 ms in both: twenty substeps in ours; in PyBullet two steps of 10 ms,
its cheapest, and five of 4 ms, about its default. PyBullet's cloth is the mesh of ours with a hole, its rope a strip
of as many particles, two wide; both hang from anchors at their corners beside a cylinder. Batches of 64 instances,
random actions, one thread; the best of several turns by processor time, ours and theirs in turn. Results are printed
and written to ``benchmarks/results/deformables.json``.
"""

import json
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np
import pybullet

from envsuite.core.vector import WorldVectorEnv
from envsuite.manipulation.cloth.levels import HOLES, flat, mesh
from envsuite.manipulation.cloth.params import ABSENT, SIDE

RESULT = Path(__file__).parent / "results" / "deformables.json"
INSTANCES, STEPS, TURNS = 64, 20, 5
CONTROL = 0.02


def spent(work: Callable[[], None]) -> float:
    """Processor seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def grid(places: np.ndarray, there: np.ndarray, columns: int) -> str:
    """A mesh as OBJ: two triangles for each cell whose corners are there."""
    number = np.cumsum(there)
    lines = [f"v {x} {y} 0" for x, y in places[there]]
    for i in range(len(places) - columns):
        a, b, c, d = i, i + 1, i + columns + 1, i + columns
        if i % columns < columns - 1 and there[[a, b, c, d]].all():
            a, b, c, d = (number[one] for one in (a, b, c, d))
            lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
    return "\n".join(lines) + "\n"


def bullet(text: str, mass: float, anchors: list[int]) -> tuple[Callable[[float], Callable[[], None]], int]:
    """Put a mesh into PyBullet, anchored beside a cylinder; what steps it, and its number of particles."""
    client = pybullet.connect(pybullet.DIRECT)
    pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD, physicsClientId=client)
    pybullet.setGravity(0, 0, -9.81, physicsClientId=client)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mesh.obj"
        path.write_text(text)
        body = pybullet.loadSoftBody(
            str(path), mass=mass, useMassSpring=1, useBendingSprings=1, springElasticStiffness=100,
            springDampingStiffness=0.05, useFaceContact=0, frictionCoeff=0.2, physicsClientId=client,
        )  # fmt: skip
    shape = pybullet.createCollisionShape(pybullet.GEOM_CYLINDER, radius=0.05, height=0.5, physicsClientId=client)
    pybullet.createMultiBody(0, shape, basePosition=(0, 0, -0.1), physicsClientId=client)
    for vertex in anchors:
        pybullet.createSoftBodyAnchor(body, vertex, -1, -1, physicsClientId=client)
    count, _ = pybullet.getMeshData(body, -1, flags=pybullet.MESH_DATA_SIMULATION_MESH, physicsClientId=client)

    def stepper(dt: float) -> Callable[[], None]:
        def play() -> None:
            pybullet.setTimeStep(dt, physicsClientId=client)
            for _ in range(STEPS):
                for _ in range(round(CONTROL / dt)):
                    pybullet.stepSimulation(physicsClientId=client)
                pybullet.getMeshData(body, -1, flags=pybullet.MESH_DATA_SIMULATION_MESH, physicsClientId=client)

        return play

    return stepper, count


def ours(env_id: str) -> Callable[[], None]:
    """Plays a batch."""
    batch = gymnasium.make_vec(f"envsuite/{env_id}", num_envs=INSTANCES, num_threads=1)
    assert isinstance(batch, WorldVectorEnv)
    size = batch.single_action_space.shape or ()
    actions = np.random.default_rng(0).uniform(-1, 1, (STEPS, INSTANCES, *size)).astype(np.float32)
    batch.reset(seed=0)

    def play() -> None:
        for rows in actions:
            batch.step(rows)

    return play


def compare(env_id: str, text: str, mass: float, anchors: list[int]) -> dict[str, float]:
    """Control steps a second of both."""
    stepper, count = bullet(text, mass, anchors)
    works = [ours(env_id), stepper(0.01), stepper(0.004)]
    for work in works:
        work()
    times = np.array([[spent(work) for work in works] for _ in range(TURNS)]).min(axis=0)
    rates = np.array([INSTANCES * STEPS, STEPS, STEPS]) / times
    return {
        "PyBullet's particles": count,
        "ours, steps/s": rates[0],
        "PyBullet at 10 ms, steps/s": rates[1],
        "PyBullet at 4 ms, steps/s": rates[2],
        "ratio at 10 ms": rates[0] / rates[1],
        "ratio at 4 ms": rates[0] / rates[2],
    }


def main() -> None:
    """Measure a rope of 40 and one of 80 points, and the cloth."""
    found = {}
    for env_id, points in (("RopeClosing-v0", 40), ("RopeShaping-v0", 80)):
        places = np.stack([np.repeat(np.arange(points // 2), 2) * 0.1, np.tile([0.0, 0.1], points // 2)], axis=1)
        strip = grid(places, np.ones(points, bool), 2)
        found[env_id] = compare(env_id, strip, 1.0, [0, 1, points - 2, points - 1])
    there = mesh(HOLES[0], 0.031).owner != ABSENT
    corners = (np.cumsum(there) - 1)[[0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1]]
    cloth = grid(flat(), there, SIDE)
    found["ClothHanging-v0"] = compare("ClothHanging-v0", cloth, 0.05, [int(one) for one in corners])
    for name, numbers in found.items():
        print(name, {key: round(value, 1) for key, value in numbers.items()})
    report = {"machine": platform.processor() or platform.machine(), "instances": INSTANCES, "tasks": found}
    RESULT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

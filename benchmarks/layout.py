"""Records or tiles: QuadHover's physics step on whole records, and on tiles of 32 drones with an array a field.

Run by hand: ``python benchmarks/layout.py``. Both step the same drones in turn in one process on one thread; the lanes
of a tile are handed to the same kernel (`l2f.step`) as named tuples of strided views, so the source of the physics is
one.
"""

import json
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.files import write_atomic
from envsuite.core.jit import kernel, records
from envsuite.core.world import allocate
from envsuite.evaluation.records import machine
from envsuite.quadcopters.dynamics import l2f
from envsuite.quadcopters.hover.kernel import HoverWorld
from envsuite.quadcopters.state import l2f_body

LANES = 32
REPEATS = 9
FIELDS = ("position", "attitude", "velocity", "rates", "rotor_speed", "command", "force", "torque")


class Lane(NamedTuple):
    """One drone of a tile."""

    position: np.ndarray
    attitude: np.ndarray
    velocity: np.ndarray
    rates: np.ndarray
    rotor_speed: np.ndarray
    command: np.ndarray
    force: np.ndarray
    torque: np.ndarray


@kernel
def step_records(states, vehicle, dt):
    """All drones, in the records of the world."""
    for i in range(len(states)):
        l2f.step(states[i].body, vehicle, dt)


@kernel
def step_tiles(tiles, vehicle, dt):
    """All drones, in tiles."""
    for i in range(len(tiles)):
        t = tiles[i]
        for j in range(LANES):
            lane = Lane(
                t.position[:, j],
                t.attitude[:, j],
                t.velocity[:, j],
                t.rates[:, j],
                t.rotor_speed[:, j],
                t.command[:, j],
                t.force[:, j],
                t.torque[:, j],
            )
            l2f.step(lane, vehicle, dt)


def compare(count: int) -> dict[str, float]:
    """Nanoseconds a drone and step in both layouts, and their ratio."""
    world = HoverWorld(noise=False)
    params = records(world.params)[0]
    states = allocate(world, count)
    generator = np.random.Generator(np.random.Philox(1))
    for name in FIELDS:
        states["body"][name] = generator.normal(0, 0.1, states["body"][name].shape)
    states["body"]["attitude"] = (1, 0, 0, 0)
    body = l2f_body(np.float32)
    kind = np.dtype([(name, np.float32, (body[name].shape[0], LANES)) for name in FIELDS], align=True)
    tiles = records(np.zeros(count // LANES, kind))
    for name in FIELDS:
        width = body[name].shape[0]
        tiles[name] = states["body"][name].reshape(-1, LANES, width).transpose(0, 2, 1)
    loops = ((step_records, states), (step_tiles, tiles))
    for loop, data in loops:
        loop(data, params["vehicle"], params["dt"])
    for name in FIELDS:
        width = body[name].shape[0]
        np.testing.assert_array_equal(tiles[name].transpose(0, 2, 1).reshape(-1, width), states["body"][name])
    rounds = max(1, 400_000 // count)
    times: list[list[float]] = [[], []]
    for _ in range(REPEATS):
        for k, (loop, data) in enumerate(loops):
            started = time.perf_counter()
            for _ in range(rounds):
                loop(data, params["vehicle"], params["dt"])
            times[k].append((time.perf_counter() - started) / rounds / count * 1e9)
    whole, tiled = (statistics.median(one) for one in times)
    return {"records_ns": whole, "tiles_ns": tiled, "ratio": whole / tiled, "step_ns": step(count)}


def step(count: int) -> float:
    """Nanoseconds a drone of a whole step of the world: rules, noise, observations and metrics too."""
    batch = Batch(HoverWorld(), count, num_threads=1, reuse=True)
    batch.seed(np.arange(count))
    batch.reset()
    actions = np.full((count, 4), 0.334, np.float32)
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        for _ in range(max(1, 100_000 // count)):
            batch.step(actions, batch.done)
        times.append((time.perf_counter() - started) / max(1, 100_000 // count) / count * 1e9)
    return statistics.median(times)


def main() -> None:
    """Measure and write the results."""
    found = {str(count): compare(count) for count in (1024, 4096, 65536)}
    for count, one in found.items():
        print(count, {name: round(value, 2) for name, value in one.items()})
    path = Path(__file__).parent / "results" / "layout.json"
    write_atomic(path, json.dumps({"machine": machine(), "layout": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""The rules of the drone tasks on one record, the batch loops, and the world."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, fmath, kernel, rng
from envsuite.momarl.crazyrl.params import (
    CRASH,
    FLOOR,
    HEIGHT,
    JITTER,
    LOWEST,
    NEAR,
    STRIDE,
    TARGET,
    TASKS,
    Params,
    start_places,
)
from envsuite.momarl.crazyrl.state import ACTION, Info, State, observation_layout
from envsuite.momarl.world import named

_ESCORT, _CATCH = TASKS.index("escort"), TASKS.index("catch")


@kernel
def gap(a, b):
    """Distance between two points, m."""
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return fmath.sqrt(x * x + y * y + z * z)


@kernel
def reset(s, p):
    """Put drones and target where they start."""
    for k in range(3):
        s.target[k] = p.target[k]
        for n in range(len(s.position)):
            s.position[n, k] = p.starts[n, k]


@kernel
def bounded(p, axis, value):
    """A coordinate within the room, m."""
    if axis == 2:
        return min(max(value, 0.0), HEIGHT)
    return min(max(value, -p.half), p.half)


@kernel
def move_target(s, p):
    """The escorted target flies to its end, the one to be caught away from the drones' centre."""
    if p.task == _ESCORT:
        legs = p.legs + 1 if p.compat else p.legs
        share = np.float32(min(np.int64(s.clock.step), np.int64(p.legs))) / np.float32(legs)
        for k in range(3):
            s.target[k] = p.target[k] + (p.final[k] - p.target[k]) * share
    elif p.task == _CATCH:
        count = np.float32(len(s.position))
        x, y, z = np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for n in range(len(s.position)):
            x += s.position[n, 0]
            y += s.position[n, 1]
            z += s.position[n, 2]
        x, y, z = s.target[0] - x / count, s.target[1] - y / count, s.target[2] - z / count
        away = fmath.sqrt(x * x + y * y + z * z)
        if away > NEAR:
            scale = p.target_speed / away
            x, y, z = scale * x, scale * y, scale * z
        else:
            far = np.float32(JITTER)
            x, y, z, _ = rng.uniform4(s.rng, rng.DYNAMICS, np.float32(0.0) if p.compat else -far, far)
        s.target[0] = bounded(p, 0, s.target[0] + x)
        s.target[1] = bounded(p, 1, s.target[1] + y)
        s.target[2] = max(bounded(p, 2, s.target[2] + z), LOWEST)


@kernel
def step(s, p, actions, rewards, info):
    """Move the target, then all drones; whether any has crashed."""
    count = len(s.position)
    x, y, z = s.target[0], s.target[1], s.target[2]
    move_target(s, p)
    for n in range(count):
        for k in range(3):
            s.moved[n, k] = bounded(p, k, s.position[n, k] + STRIDE * actions[n, k])
        rewards[n, 1] = 0.0
        near = s.moved[n, 2] < FLOOR
        info[n].distance = gap(s.moved[n], s.target)
        info[n].crashed = near or info[n].distance < p.threshold
    any_crash = False
    for n in range(count):
        for m in range(n + 1, count):
            distance = gap(s.moved[n], s.moved[m])
            rewards[n, 1] += distance
            rewards[m, 1] += distance
            if distance < p.threshold:
                info[n].crashed, info[m].crashed = True, True
        any_crash = any_crash or info[n].crashed
    for n in range(count):
        if info[n].crashed or (any_crash and p.all_crash != 0):
            rewards[n, 0], rewards[n, 1] = CRASH, CRASH
        else:
            a0, a1, a2 = s.position[n, 0] - x, s.position[n, 1] - y, s.position[n, 2] - z
            b0, b1, b2 = s.moved[n, 0] - x, s.moved[n, 1] - y, s.moved[n, 2] - z
            before, after = fmath.sqrt(a0 * a0 + a1 * a1 + a2 * a2), fmath.sqrt(b0 * b0 + b1 * b1 + b2 * b2)
            rewards[n, 0] = before - after
            rewards[n, 1] /= np.float32(count - 1)
        for k in range(3):
            s.position[n, k] = s.moved[n, k]
    return any_crash


@kernel
def observe(s, o):
    """Write what each drone sees."""
    count = len(s.position)
    for n in range(count):
        at = 0
        for k in range(3):
            o[n].position[k], o[n].target[k] = s.position[n, k], s.target[k]
        for m in range(count):
            if m != n:
                for k in range(3):
                    o[n].others[at + k] = s.position[m, k]
                at += 3


@kernel
def measure_start(s, info):
    """Metrics at the start."""
    for n in range(len(s.position)):
        info[n].distance, info[n].crashed = gap(s.position[n], s.target), False


class CrazyRLWorld(World):
    """Drones move as they are told, without dynamics: near the target, and far from each other.

    Args:
        task: ``"surround"``: the target stands still; ``"escort"``: it flies along a line; ``"catch"``: it flees.
        num_drones: how many.
        size: half the room's width, m; it is 3 m high.
        init_positions: (num_drones, 3), m; None takes the published ones of four and eight, or a lattice.
        target: where the target begins, m.
        final_target: where the escorted target ends, m.
        num_intermediate_points: steps of the escorted target between its ends.
        target_speed: of the target that flees, m a step.
        threshold: nearer than this to another drone or the target is a crash, m; CrazyRL's own has 0.2.
        crash_penalty: who pays for a crash: ``"involved"``, or ``"all"`` as in CrazyRL.
        compat: ``"momaland-0.2"``: the escorted target stops one step before its end, and the fleeing target, when
            the drones' centre is near, moves towards +x, +y and +z only.

    Raises:
        ValueError: places are outside the room, or drones do not fit into it.
    """

    info_dtype = Info.dtype(np.float32)
    action = ACTION
    loops = batch_loops(reset, step, observe, open_info=measure_start)

    def __init__(
        self,
        *,
        task: Literal["surround", "escort", "catch"] = "surround",
        num_drones: Annotated[int, Between(2, 64)] = 4,
        size: Annotated[float, Between(1, 1000)] = 3.0,
        init_positions: Sequence[Sequence[float]] | None = None,
        target: Sequence[float] = TARGET,
        final_target: Sequence[float] = (-2.0, -2.0, 3.0),
        num_intermediate_points: Annotated[int, Between(0, 10**6)] = 50,
        target_speed: Annotated[float, Between(0, 10)] = 0.1,
        threshold: Annotated[float, Between(0, 10)] = 0.1,
        crash_penalty: Literal["involved", "all"] = "involved",
        compat: Literal["momaland-0.2"] | None = None,
    ):
        starts = start_places(num_drones, float(size), target) if init_positions is None else init_positions
        self.params = Params.make(
            np.float32,
            {"drones": num_drones},
            task=TASKS.index(task),
            all_crash=crash_penalty == "all",
            compat=compat is not None,
            half=size,
            threshold=threshold,
            target_speed=target_speed,
            legs=num_intermediate_points + 1,
            target=_inside("target", target, size, (3,)),
            final=_inside("final_target", final_target, size, (3,)),
            starts=_inside("init_positions", starts, size, (num_drones, 3)),
        )
        self.agents = named("agent", num_drones)
        across = float(np.sqrt(8 * size**2 + HEIGHT**2))
        self.reward = Reward(("approach", "spread"), np.full(2, CRASH), np.array([np.sqrt(3) * STRIDE + 1e-6, across]))
        self.state_dtype = State.dtype(np.float32, drones=num_drones)
        self.observation = observation_layout(num_drones, float(size))


def _inside(name: str, places, size: float, shape: tuple[int, ...]) -> np.ndarray:
    found = np.asarray(places, np.float32)
    low, high = np.array([-size, -size, 0.0]), np.array([size, size, HEIGHT])
    if found.shape != shape or not ((found >= low) & (found <= high)).all():
        raise ValueError(f"{name} is {places!r}, expected {shape} numbers inside the room")
    return found

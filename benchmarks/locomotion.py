"""Rigid bodies and locomotion beside MuJoCo and Gymnasium, in one run on one core: steps a second.

    python benchmarks/locomotion.py [--tasks Hopper-v5 ...] [--envpool PYTHON]

Wants the extra ``mujoco``; EnvPool is measured where an interpreter that has it is named. For each task: steps of
physics a second of the kernels (1,024 instances, one thread), of ``mj_step`` from the same states and of
``mujoco.rollout`` (one thread); steps of the environment a second of a batch, of one instance, of Gymnasium's and of
EnvPool's; what two threads gain (quick tasks also with 4,096 instances), and what two processes gain that share
nothing, which is what the second core can bring at that moment. The humanoids are measured twice, with Gymnasium's
solver (PGS) and, on both sides, with Newton's method (``Humanoid-v5 Newton``). All take turns, one after another, by
processor time (two threads and two processes: by the clock); rates are medians over the rounds, ratios medians of each
round's; what threads and processes gain is told for the quickest turns too, in which others on the host leave both
cores alone. A turn of a batch lasts a fifth of a second or four steps, if those are longer, so that what the turns
before have left in the caches does not count. Each task's results are written to
``benchmarks/results/locomotion.json``, in place of its earlier ones.
"""

import argparse
import json
import multiprocessing
import platform
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import gymnasium
import mujoco
import mujoco.rollout
import numpy as np

from envsuite.core.jit import records
from envsuite.core.single import WorldEnv
from envsuite.core.vector import WorldVectorEnv
from envsuite.core.world import make_world
from envsuite.rigid.fourfold import room_of
from tests.locomotion.test_gymnasium import TASKS
from tests.rigid.engine import fours_of

RESULT = Path(__file__).parent / "results" / "locomotion.json"
INSTANCES, MANY, ROUNDS, SECONDS = 1024, 4096, 15, 0.2
ONE, TWO, APART = "one thread", "two threads", "two processes"
RATIOS = {
    "batch / Gymnasium": (ONE, "Gymnasium"),
    "one instance / Gymnasium": ("one instance", "Gymnasium"),
    "physics / mj_step": ("physics", "mj_step"),
    "physics / mujoco.rollout": ("physics", "mujoco.rollout"),
    "two threads gain": (TWO, "one thread by the clock"),
    "two threads gain, many": (f"{TWO}, many", f"{ONE}, many"),
    "two processes gain": (APART, "one thread by the clock"),
    "two threads / two processes": (TWO, APART),
    "batch / EnvPool": (ONE, f"EnvPool {ONE}"),
    "two threads / EnvPool": (TWO, f"EnvPool {TWO}"),
}
NEWTON = " Newton"
ROWS = [*TASKS, *(task + NEWTON for task in TASKS if task.startswith("Humanoid"))]


class EnvPool:
    """EnvPool's steps a second, in the interpreter that has it.

    Args:
        python: the interpreter; None for nothing.
        task: Gymnasium's name.
        count: steps of a turn.
    """

    def __init__(self, python: str | None, task: str, count: int):
        self._process = None
        if python is not None:
            script = Path(__file__).with_name("locomotion_envpool.py")
            command = [python, str(script), task, str(INSTANCES), str(count)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def contenders(self) -> dict[str, Callable[[], float]]:
        """A turn on one thread, by processor time, and one on two, by the clock."""
        return {} if self._process is None else {f"EnvPool {one}": partial(self._turn, one) for one in (ONE, TWO)}

    def _turn(self, threads: str) -> float:
        self._process.stdin.write(threads + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End the interpreter."""
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()


class Neighbour:
    """A second process that steps a batch of its own, one turn each time that it is asked.

    Args:
        make: makes the environment.
        actions: of shape (steps, instances, actions).
    """

    def __init__(self, make: Callable[[], WorldVectorEnv], actions: np.ndarray):
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_neighbour, args=(make, actions, theirs), daemon=True)
        self._process.start()
        self._ours.recv()

    def beside(self, work: Callable[[], object]) -> None:
        """Its turn and ours at the same time; returns when both are over."""
        self._ours.send(True)
        work()
        self._ours.recv()

    def close(self) -> None:
        """End the process."""
        self._ours.send(False)
        self._process.join()


def _neighbour(make: Callable[[], WorldVectorEnv], actions: np.ndarray, pipe) -> None:
    batch = make()
    batch.reset(seed=1)
    for _ in range(24):
        batch.step(actions[0])
    several_steps(batch, actions)
    pipe.send(True)
    while pipe.recv():
        several_steps(batch, actions)
        pipe.send(True)


def rate(steps: int, work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Steps a second of a turn."""
    start = clock()
    work()
    return steps / (clock() - start)


def measure(row: str, python: str | None) -> dict[str, float]:
    """Steps a second of one task, medians over the turns, and medians of the ratios in each round."""
    task = row.removesuffix(NEWTON)
    options = {} if row == task else {"solver": "Newton"}
    theirs = gymnasium.make(task).unwrapped
    if options:
        theirs.model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    low, high = theirs.action_space.low, theirs.action_space.high
    rng = np.random.default_rng(0)
    actions = rng.uniform(low, high, (16, INSTANCES, len(low))).astype(np.float32)
    make = partial(WorldVectorEnv, TASKS[task], max_episode_steps=1000, **options)
    batches = {name: make(INSTANCES, num_threads=count) for name, count in ((ONE, 1), (TWO, 2))}
    for batch in batches.values():
        batch.reset(seed=0)
        several_steps(batch, np.tile(actions, (6, 1, 1)))
    quick = rate(16, lambda: several_steps(batches[ONE], actions), time.perf_counter)
    count = max(4, round(SECONDS * quick))
    large, actions_of_many = {}, np.resize(actions, (count, MANY, len(low)))
    if count > 4:  # with few steps in a turn, handing over is nothing beside them
        large = {f"{name}, many": make(MANY, num_threads=count) for name, count in ((ONE, 1), (TWO, 2))}
    for batch in large.values():
        batch.reset(seed=0)
        several_steps(batch, np.resize(actions, (96, MANY, len(low))))
    one, steps = WorldEnv(TASKS[task], **options), count * INSTANCES
    turn = np.resize(actions, (count, *actions[0].shape))
    several = {name: partial(several_steps, batch, turn) for name, batch in batches.items()}
    pool = EnvPool(python if row == task else None, task, count)
    neighbour = Neighbour(partial(make, INSTANCES, num_threads=1), turn)
    contenders = {
        ONE: lambda: rate(steps, several[ONE]),
        TWO: lambda: rate(steps, several[TWO], time.perf_counter),
        APART: lambda: rate(2 * steps, lambda: neighbour.beside(several[ONE]), time.perf_counter),
        "one thread by the clock": lambda: rate(steps, several[ONE], time.perf_counter),
        **{
            name: partial(rate, count * MANY, partial(several_steps, batch, actions_of_many), time.perf_counter)
            for name, batch in large.items()
        },
        "one instance": episodes(one, actions[:, 0]),
        "Gymnasium": episodes(theirs, actions[:, 0].astype(np.float64)),
        **physics(batches[ONE], theirs.model),
        **pool.contenders(),
    }
    rounds = [{name: turn() for name, turn in contenders.items()} for _ in range(ROUNDS + 1)][1:]
    pool.close()
    neighbour.close()
    theirs.close()
    for batch in (*batches.values(), *large.values()):
        batch.close()

    def ratio(first: str, second: str) -> float:
        return statistics.median(one[first] / one[second] for one in rounds)

    found = {f"{name}, steps/s": statistics.median(one[name] for one in rounds) for name in contenders}
    pairs = {name: pair for name, pair in RATIOS.items() if pair[1] in contenders}
    gains = {f"{name}, quickest turns": pair for name, pair in pairs.items() if "gain" in name}
    best = {name: max(one[name] for one in rounds) for name in contenders}
    at_best = {name: best[first] / best[second] for name, (first, second) in gains.items()}
    return found | {name: ratio(*pair) for name, pair in pairs.items()} | at_best


def several_steps(env, actions: np.ndarray) -> None:
    """A step of a batch for each row of actions."""
    for one in actions:
        env.step(one)


def episodes(env, actions: np.ndarray) -> Callable[[], float]:
    """A turn of one environment, resets included: steps a second."""
    env.reset(seed=0)

    def turn() -> None:
        for k in range(400):
            _, _, over, cut, _ = env.step(actions[k % len(actions)])
            if over or cut:
                env.reset()

    return lambda: rate(400, turn)


def physics(batch: WorldVectorEnv, model: mujoco.MjModel) -> dict[str, Callable[[], float]]:
    """Turns of physics from the states that random play has come to: steps a second."""
    compiled = make_world(batch.world).compiled
    bodies = batch.get_state().states["body"]
    states, room = records(np.ascontiguousarray(bodies)), records(np.zeros(1, room_of(compiled.sizes)))
    run = fours_of(compiled.size)
    some = []
    for body in bodies[:64]:
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = body["qpos"][: model.nq], body["qvel"][: model.nv]
        data.ctrl[:], data.qacc_warmstart[:] = body["ctrl"][: model.nu], body["qacc_warmstart"][: model.nv]
        some.append(data)
    begins = np.array([_full(model, data) for data in some])
    control = np.repeat(bodies["ctrl"][:64, None, : model.nu], 16, axis=1)
    one = mujoco.MjData(model)
    return {
        "physics": lambda: rate(4 * INSTANCES, lambda: run(compiled.model, states, 4, room)),
        "mj_step": lambda: rate(64 * 8, lambda: [mujoco.mj_step(model, data, 8) for data in some]),
        "mujoco.rollout": lambda: rate(64 * 16, lambda: mujoco.rollout.rollout(model, one, begins, control)),
    }


def _full(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, state, spec)
    return state


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description="Locomotion beside MuJoCo, Gymnasium and EnvPool.")
    parser.add_argument("--tasks", nargs="+", choices=ROWS, default=ROWS, help="those to measure")
    parser.add_argument("--envpool", metavar="PYTHON", help="interpreter that has EnvPool")
    given = parser.parse_args()
    machine = {"processor": platform.processor() or platform.machine(), "cores": 2, "mujoco": mujoco.__version__}
    for task in given.tasks:
        known = json.loads(RESULT.read_text())["tasks"] if RESULT.is_file() else {}
        known[task] = {name: float(f"{value:.4g}") for name, value in measure(task, given.envpool).items()}
        print(task, known[task], flush=True)
        part = RESULT.with_suffix(".part")
        part.write_text(json.dumps({"machine": machine, "instances": INSTANCES, "tasks": known}, indent=2) + "\n")
        part.replace(RESULT)


if __name__ == "__main__":
    main()

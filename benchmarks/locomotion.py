"""Rigid bodies and locomotion beside MuJoCo and Gymnasium, in one run on one core: steps a second.

    python benchmarks/locomotion.py [--tasks Hopper-v5 ...] [--envpool PYTHON]

Wants the extra ``mujoco``; EnvPool is measured where an interpreter that has it is named. For each task: steps of
physics a second of the kernels (1,024 instances, one thread), of ``mj_step`` from the same states and of
``mujoco.rollout`` (one thread); steps of the environment a second of a batch, of one instance, of Gymnasium's and of
EnvPool's; what two threads gain. The humanoids are measured twice, with Gymnasium's solver (PGS) and, on both sides,
with Newton's method (``Humanoid-v5 Newton``). The best of several short turns, taken by processor time (two threads: by
the clock, and what they gain as the median over pairs of turns). Results of all tasks are written to
``benchmarks/results/locomotion.json``.
"""

import argparse
import json
import platform
import subprocess
import time
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
INSTANCES, TURNS = 1024, 6
PAIRS, SECONDS = 15, 4  # at least
NEWTON = " Newton"
ROWS = [*TASKS, *(task + NEWTON for task in TASKS if task.startswith("Humanoid"))]


def best(work, clock=time.process_time) -> float:
    """Seconds of the quickest of several turns."""
    spent = []
    for _ in range(TURNS):
        start = clock()
        work()
        spent.append(clock() - start)
    return min(spent)


def envpool(python: str | None, task: str) -> dict[str, float]:
    """EnvPool's steps a second, in the interpreter that has it."""
    if python is None:
        return {}
    script = Path(__file__).with_name("locomotion_envpool.py")
    command = [python, str(script), task, str(INSTANCES), str(TURNS)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    return {
        f"EnvPool {found['version']} {threads} env steps/s": found[threads] for threads in ("one thread", "two threads")
    }


def measure(row: str) -> dict[str, float]:
    """Steps a second of one task."""
    task = row.removesuffix(NEWTON)
    options = {} if row == task else {"solver": "Newton"}
    theirs = gymnasium.make(task).unwrapped
    if options:
        theirs.model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    batch = WorldVectorEnv(TASKS[task], INSTANCES, max_episode_steps=1000, num_threads=1, **options)
    low, high = theirs.action_space.low, theirs.action_space.high
    rng = np.random.default_rng(0)
    actions = rng.uniform(low, high, (16, INSTANCES, len(low))).astype(np.float32)
    batch.reset(seed=0)
    for k in range(100):
        batch.step(actions[k % 16])
    found = {"batch env steps/s": 4 * INSTANCES / best(partial(several_steps, batch, actions[:4]))}
    one = WorldEnv(TASKS[task], **options)
    found["one instance env steps/s"] = episodes(one, actions[:, 0])
    found["Gymnasium env steps/s"] = episodes(theirs, actions[:, 0].astype(np.float64))
    found |= physics(batch, theirs.model)
    batch.close()
    theirs.close()
    return found | two_threads(TASKS[task], actions[:4], options)


def two_threads(world: str, actions: np.ndarray, options: dict[str, str]) -> dict[str, float]:
    """What a second thread brings: the median over pairs of turns, so that both meet the same load."""
    turns, spent = [], []
    for count in (1, 2):
        batch = WorldVectorEnv(world, INSTANCES, max_episode_steps=1000, num_threads=count, **options)
        batch.reset(seed=0)
        turns.append(partial(several_steps, batch, actions))
        turns[-1]()
    start = time.perf_counter()
    while len(spent) < PAIRS or time.perf_counter() - start < SECONDS:
        pair = []
        for turn in turns:
            before = time.perf_counter()
            turn()
            pair.append(time.perf_counter() - before)
        spent.append(pair)
    one, two = np.array(spent).T
    return {"two threads gain": np.median(one / two), "two threads env steps/s": len(actions) * INSTANCES / two.min()}


def several_steps(env, actions: np.ndarray) -> None:
    """A step of a batch for each row of actions."""
    for one in actions:
        env.step(one)


def episodes(env, actions: np.ndarray) -> float:
    """Steps a second of one environment, resets included."""
    env.reset(seed=0)
    steps = 400

    def turn() -> None:
        for k in range(steps):
            _, _, over, cut, _ = env.step(actions[k % len(actions)])
            if over or cut:
                env.reset()

    turn()
    return steps / best(turn)


def physics(batch: WorldVectorEnv, model: mujoco.MjModel) -> dict[str, float]:
    """Steps of physics a second from the states that random play has come to."""
    compiled = make_world(batch.world).compiled
    bodies = batch.get_state().states["body"]
    states, room = records(np.ascontiguousarray(bodies)), records(np.zeros(1, room_of(compiled.sizes)))
    run = fours_of(compiled.size)
    run(compiled.model, states, 1, room)
    ours = 4 * INSTANCES / best(lambda: run(compiled.model, states, 4, room))
    some = []
    for body in bodies[:64]:
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = body["qpos"][: model.nq], body["qvel"][: model.nv]
        data.ctrl[:], data.qacc_warmstart[:] = body["ctrl"][: model.nu], body["qacc_warmstart"][: model.nv]
        some.append(data)
    theirs = 64 * 8 / best(lambda: [mujoco.mj_step(model, data, 8) for data in some])
    states = np.array([_full(model, data) for data in some])
    control = np.repeat(bodies["ctrl"][:64, None, : model.nu], 16, axis=1)
    one = mujoco.MjData(model)
    rolled = 64 * 16 / best(lambda: mujoco.rollout.rollout(model, one, states, control))
    return {"physics steps/s": ours, "mj_step steps/s": theirs, "mujoco.rollout steps/s": rolled}


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
    rows = {}
    for task in given.tasks:
        rows[task] = row = measure(task)
        row |= (peer := envpool(given.envpool if task in TASKS else None, task))
        for name, threads in zip(peer, ("batch", "two threads"), strict=False):
            row[f"{threads} / EnvPool"] = row[f"{threads} env steps/s"] / row[name]
        row["batch / Gymnasium"] = row["batch env steps/s"] / row["Gymnasium env steps/s"]
        row["one instance / Gymnasium"] = row["one instance env steps/s"] / row["Gymnasium env steps/s"]
        row["physics / mj_step"] = row["physics steps/s"] / row["mj_step steps/s"]
        row["physics / mujoco.rollout"] = row["physics steps/s"] / row["mujoco.rollout steps/s"]
        print(task, {name: float(f"{value:.3g}") for name, value in row.items()}, flush=True)
    if len(rows) < len(ROWS):
        return
    machine = {"processor": platform.processor() or platform.machine(), "cores": 2, "mujoco": mujoco.__version__}
    rounded = {task: {name: float(f"{value:.4g}") for name, value in row.items()} for task, row in rows.items()}
    part = RESULT.with_suffix(".part")
    part.write_text(json.dumps({"machine": machine, "instances": INSTANCES, "tasks": rounded}, indent=2) + "\n")
    part.replace(RESULT)


if __name__ == "__main__":
    main()

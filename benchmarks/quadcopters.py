"""Steps a second of every quadcopter world on one thread, beside other simulators in the same run, and agreement.

Run by hand: ``python benchmarks/quadcopters.py``, with peers ``--gpd PYTHON FOLDER --pyflyt PYTHON --crazyflow PYTHON
--l2f PYTHON``: the Python of an environment that has the package, and the folder of a clone of gym-pybullet-drones. All
rates are by processor time: other load on the machine counts less. With peers, writes
``benchmarks/results/quadcopters.json``.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import gymnasium
import numpy as np

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.evaluation.records import machine
from envsuite.testing.traces import batch_env, random_actions

INSTANCES, STEPS, REPEATS = 4096, 20, 5
SINGLE_STEPS = 4000
MODES = ("pyb", "dyn", "pyb_gnd", "pyb_drag", "pyb_dw", "pyb_gnd_drag_dw")
ROLL = 15  # control steps of 8 physics steps, as the closed form was checked
L2F_ROLL, L2F_SIZE = 100, 64
PEERS = Path(__file__).with_name("quadcopters_peers.py")


def rate(env, actions) -> float:
    """Median over repeats of environment steps per second of processor time."""
    env.step(actions[0])
    rates = []
    for _ in range(REPEATS):
        started = time.process_time()
        for action in actions:
            env.step(action)
        rates.append(len(actions) * env.num_envs / (time.process_time() - started))
    return float(np.median(rates))


def ours() -> dict[str, dict[str, float]]:
    """Every world: random actions, automatic resets, 4,096 instances."""
    found = {}
    for card in envsuite.cards().values():
        if card.family != "quadcopters":
            continue
        env = batch_env(card, INSTANCES, num_threads=1, copy=False)
        env.reset(seed=0)
        steps = rate(env, random_actions(card, STEPS, INSTANCES))
        found[card.id] = {"steps per second": steps, "drone steps per second": steps * card.agents}
        print(f"{card.id:<40}{steps:>12,.0f}{steps * card.agents:>15,.0f}", flush=True)
    return found


def equal_physics() -> dict[str, dict[str, float]]:
    """The hover tasks of gym-pybullet-drones with its rules and settings, hovering and with random actions."""
    found = {}
    for name, options in {
        **{f"HoverAviary {mode.upper()}": {"physics": mode} for mode in ("pyb", "dyn", "pyb_gnd_drag_dw")},
        "HoverAviary PYB, float32": {"physics": "pyb", "precision": "float32"},
        **{f"MultiHoverAviary {count} drones": {"num_drones": count} for count in (2, 10)},
    }.items():
        task = "QuadMultiHover" if "num_drones" in options else "QuadHoverGPD"
        count = options.get("num_drones", 1)
        env = gymnasium.make_vec(
            f"envsuite/{task}-v0", num_envs=INSTANCES, compat="gpd", num_threads=1, copy=False, **options
        )
        env.reset(seed=0)
        shape = env.action_space.shape
        generator = np.random.default_rng(0)
        rolls = {
            "hovering": np.zeros((STEPS, *shape), np.float32),
            "random actions": generator.uniform(-1, 1, (STEPS, *shape)).astype(np.float32),
        }
        found[name] = {kind: rate(env.unwrapped, actions) for kind, actions in rolls.items()}
        found[name]["drones"] = count
        single = gymnasium.make(f"envsuite/{task}-v0", compat="gpd", **options)
        found[name]["one instance, hovering"] = _single(single)
        print(name, {key: f"{value:,.0f}" for key, value in found[name].items()}, flush=True)
    return found


def _single(env) -> float:
    env.reset(seed=0)
    action = np.zeros(env.action_space.shape, np.float32)
    for warm in (True, False):
        started = time.process_time()
        for _ in range(100 if warm else SINGLE_STEPS):
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
    return SINGLE_STEPS / (time.process_time() - started)


def call(python: str, part: str, *arguments: str, path: str = "") -> dict:
    """Run a part of the peers' file in their environment."""
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "JAX_PLATFORMS": "cpu",
        "SCIPY_ARRAY_API": "1",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "PYTHONPATH": path,
    }
    command = [str(Path(python).absolute()), str(PEERS.resolve()), part, *arguments]
    with tempfile.TemporaryDirectory() as folder:  # some leave logs where they run
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{part} failed:\n{done.stderr[-2000:]}")
    return json.loads(next(line for line in reversed(done.stdout.splitlines()) if line.startswith("{")))


def gpd_agreement(python: str, folder: str) -> dict:
    """Largest differences from gym-pybullet-drones over 120 physics steps, random actions, every physics mode."""
    generator = np.random.default_rng(1)
    given = {f"actions{count}": generator.uniform(-0.2, 0.2, (ROLL, count, 4)).astype(np.float32) for count in (1, 3)}
    # above each other, for the downwash, but with room: it is singular between drones of equal height
    for count in (1, 3):
        given[f"starts{count}"] = np.array([(0.16 * i, 0.1 * i, 0.1125 + 0.5 * i) for i in range(count)])
    with tempfile.TemporaryDirectory() as name:
        np.savez(Path(name) / "given.npz", modes=np.array(MODES), **given)
        call(python, "gpd_roll", name, path=folder)
        rolled = dict(np.load(Path(name) / "rolled.npz"))
    found = {}
    for mode in MODES:
        for count in (1, 3):
            several = {"num_drones": count} if count > 1 else {}
            env = gymnasium.make(
                f"envsuite/{'QuadMultiHover' if several else 'QuadHoverGPD'}-v0", compat="gpd", physics=mode, **several
            ).unwrapped
            env.reset(seed=0)
            p, starts = env.world.params[0], given[f"starts{count}"]
            p["target"] = starts + [[0, 0, 1 / (i + 1)] for i in range(count)] if several else (0, 0, 1)
            env.batch.states[0]["drones"]["position"] = starts
            worst = dict.fromkeys(("position (m)", "observation", "reward"), 0.0)
            for k, action in enumerate(given[f"actions{count}"]):
                observation, reward, *_ = env.step(action)
                env.batch.done[:] = False  # fly on beyond the limits, as the peer does
                key = f"{mode}-{count}"
                differences = (
                    env.batch.states[0]["drones"]["position"] - rolled[f"{key}-positions"][k],
                    np.asarray(observation)[:, :12] - rolled[f"{key}-observations"][k],
                    reward - rolled[f"{key}-rewards"][k],
                )
                for title, difference in zip(worst, differences, strict=True):
                    worst[title] = max(worst[title], float(np.abs(difference).max()))
            found[f"{mode.upper()}, {count} drone{'s' * (count > 1)}"] = worst
    return found


def l2f_agreement(python: str) -> dict:
    """Largest differences from the l2f package, which has single precision, over a second of random actions."""
    from envsuite.quadcopters import params, state
    from envsuite.quadcopters.dynamics import l2f

    actions = np.random.default_rng(2).uniform(-0.4, 0.9, (L2F_ROLL, L2F_SIZE, 4)).astype(np.float32)
    with tempfile.TemporaryDirectory() as name:
        np.savez(Path(name) / "given.npz", actions=actions)
        call(python, "l2f_roll", name)
        rolled = dict(np.load(Path(name) / "rolled.npz"))
    pairs = {"position": "position", "attitude": "orientation", "velocity": "linear_velocity",
             "rates": "angular_velocity", "rotor_speed": "rpm"}  # fmt: skip
    found = {}
    for real in (np.float32, np.float64):
        bodies = np.zeros(L2F_SIZE, state.DisturbedBody.dtype(real)).view(np.recarray)
        vehicle, worst = params.vehicle("l2f_cf2024", real), dict.fromkeys(pairs, 0.0)
        for mine, theirs in pairs.items():
            bodies[mine] = rolled[theirs][0]
        for k in range(L2F_ROLL):
            bodies.command[:] = (actions[k] + 1) / 2
            for body in bodies:
                l2f.step(body, vehicle, real(0.01))
            for mine, theirs in pairs.items():
                worst[mine] = max(worst[mine], float(np.abs(bodies[mine] - rolled[theirs][k + 1]).max()))
        found[np.dtype(real).name] = worst
    return found


def full_step() -> dict[str, float]:
    """The hover task with the vehicle of the l2f package: step, reward, termination, resets, observation."""
    world = make_world(envsuite.card("QuadHover").world, vehicle="l2f_cf2024")
    found = {}
    for size in (1, 64, INSTANCES):
        batch = Batch(world, size, num_threads=1, horizon=500, reuse=True)
        batch.seed(range(size))
        batch.reset()
        actions = np.random.default_rng(0).uniform(-1, 1, (16, size, 4)).astype(np.float32)
        count = max(STEPS, 20000 // size)
        rates = []
        for _ in range(REPEATS + 1):
            started = time.process_time()
            for k in range(count):
                batch.step(actions[k % 16], batch.done)
            rates.append(count * size / (time.process_time() - started))
        found[f"{size} instances, full step"] = float(np.median(rates[1:]))
    return found


def main() -> None:
    """Measure, print, and with peers write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpd", nargs=2, metavar=("PYTHON", "FOLDER"))
    for name in ("pyflyt", "crazyflow", "l2f"):
        parser.add_argument(f"--{name}", metavar="PYTHON")
    given = parser.parse_args()
    print(f"{'environment':<40}{'steps/s':>12}{'drone steps/s':>15}")
    result = {
        "machine": machine(),
        "versions": {name: version(name) for name in ("numpy", "numba")},
        "instances": INSTANCES,
        "envsuite": ours(),
        "equal physics": equal_physics(),
        "full step": full_step(),
        "peers": {},
    }
    print(result["full step"])
    if given.gpd:
        python, folder = given.gpd[0], str(Path(given.gpd[1]).resolve())
        result["peers"]["gym-pybullet-drones"] = call(python, "gpd_speed", path=folder)
        result["agreement with gym-pybullet-drones"] = gpd_agreement(python, folder)
    for name in ("pyflyt", "crazyflow", "l2f"):
        if python := getattr(given, name):
            result["peers"][name] = call(python, f"{name}_speed")
    if given.l2f:
        result["agreement with l2f"] = l2f_agreement(given.l2f)
    if result["peers"]:
        print(
            json.dumps({key: value for key, value in result.items() if "peers" in key or "agreement" in key}, indent=1)
        )
        folder = Path(__file__).parent / "results"
        write_atomic(folder / "quadcopters.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()

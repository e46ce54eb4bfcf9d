"""Mazes beside their originals: do they move alike, and how fast are they?

    python benchmarks/mazes.py agreement --peer /path/to/other/venv/bin/python
    python benchmarks/mazes.py speed --peer /path/to/other/venv/bin/python

The peer's environment needs ``mujoco``, ``gymnasium-robotics`` and ``ogbench``; this one needs none of them. Results
are written to ``benchmarks/results/mazes_agreement.json`` and ``mazes_speed.json``.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results"
TRAJECTORIES, STEPS = 200, 500
PEER_SECONDS = 3.0
OGBENCH = ("medium", "large", "giant")
ROBOTICS = {"Umaze": "PointMaze_UMaze-v3", "Medium": "PointMaze_Medium-v3", "Large": "PointMaze_Large-v3"}


# ---- the peer's side -------------------------------------------------------------------------------------------------


def peer_model(walls: list[list[float]], half: float) -> str:
    """A MuJoCo model of maze2d, from its published numbers alone."""
    boxes = "".join(f'<geom type="box" pos="{x!r} {y!r} 0" size="{half} {half} 0.2"/>' for x, y in walls)
    return f"""
    <mujoco>
      <compiler inertiafromgeom="true"/>
      <option timestep="0.01" gravity="0 0 0" integrator="Euler"/>
      <default><joint damping="1"/><geom density="1000" margin="0.002" condim="1"/></default>
      <worldbody>
        {boxes}
        <body>
          <geom type="sphere" size="0.1"/>
          <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
        </body>
      </worldbody>
      <actuator><motor joint="x" gear="100"/><motor joint="y" gear="100"/></actuator>
    </mujoco>""".replace('axis="1 0 0"', 'name="x" axis="1 0 0"').replace('axis="0 1 0"', 'name="y" axis="0 1 0"')


def peer_roll(folder: Path, walls: list[list[float]], half: float) -> None:
    """Roll the model out from given states under given actions."""
    import mujoco

    given = np.load(folder / "given.npz")
    model = mujoco.MjModel.from_xml_string(peer_model(walls, half))
    data = mujoco.MjData(model)
    starts, actions = given["starts"], given["actions"]
    states = np.empty((len(starts), actions.shape[1] + 1, 4))
    contacts = np.empty((len(starts), actions.shape[1]), np.int64)
    for k, start in enumerate(starts):
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = start[:2], start[2:]
        states[k, 0] = start
        for t, action in enumerate(actions[k]):
            data.qvel[:] = np.clip(data.qvel, -5, 5)
            data.ctrl[:] = action
            mujoco.mj_step(model, data)
            states[k, t + 1] = [*data.qpos, *data.qvel]
            contacts[k, t] = data.ncon
    np.savez(folder / "rolled.npz", states=states, contacts=contacts)
    print(json.dumps({"mujoco": mujoco.__version__}))


def peer_robotics(folder: Path, env_id: str) -> None:
    """Roll Gymnasium-Robotics' own environment out."""
    import gymnasium
    import gymnasium_robotics
    import mujoco

    gymnasium.register_envs(gymnasium_robotics)
    given = np.load(folder / "given.npz")
    env = gymnasium.make(env_id).unwrapped
    env.reset(seed=0)
    starts, actions = given["starts"], given["actions"]
    states = np.empty((len(starts), actions.shape[1] + 1, 4))
    contacts = np.zeros((len(starts), actions.shape[1]), np.int64)
    for k, start in enumerate(starts):
        mujoco.mj_resetData(env.model, env.data)
        env.point_env.set_state(start[:2], start[2:])
        states[k, 0] = start
        for t, action in enumerate(actions[k]):
            states[k, t + 1] = env.step(action)[0]["observation"]
            contacts[k, t] = env.data.ncon - 1  # but for the ground
    np.savez(folder / "rolled.npz", states=states, contacts=contacts)
    print(json.dumps({"mujoco": mujoco.__version__, "gymnasium-robotics": gymnasium_robotics.__version__}))


def peer_ogbench(folder: Path, env_id: str) -> None:
    """Roll OGBench's own environment out."""
    import gymnasium
    import mujoco
    import ogbench

    given = np.load(folder / "given.npz")
    env = gymnasium.make(env_id, terminate_at_goal=False).unwrapped
    env.reset(seed=0)
    starts, actions = given["starts"], given["actions"]
    states = np.empty((len(starts), actions.shape[1] + 1, 2))
    contacts = np.zeros((len(starts), actions.shape[1]), np.int64)
    for k, start in enumerate(starts):
        mujoco.mj_resetData(env.model, env.data)
        env.set_xy(start[:2])
        states[k, 0] = start[:2]
        for t, action in enumerate(actions[k]):
            env.step(action)
            states[k, t + 1] = env.get_xy()
            contacts[k, t] = env.data.ncon - 1  # but for the ground
    np.savez(folder / "rolled.npz", states=states, contacts=contacts)
    print(json.dumps({"mujoco": mujoco.__version__, "ogbench": getattr(ogbench, "__version__", "")}))


def peer_speed(env_id: str, package: str) -> None:
    """Steps a second of the original, processor time, random actions."""
    import importlib

    import gymnasium

    module = importlib.import_module(package)
    if package == "gymnasium_robotics":
        gymnasium.register_envs(module)
    env = gymnasium.make(env_id)
    env.reset(seed=0)
    generator = np.random.default_rng(0)
    actions = generator.uniform(-1, 1, (1000, 2)).astype(np.float32)
    begun, steps = time.process_time(), 0
    while time.process_time() - begun < PEER_SECONDS:
        for action in actions:
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        steps += len(actions)
    print(json.dumps({"steps_per_second": steps / (time.process_time() - begun)}))


# ---- this side -------------------------------------------------------------------------------------------------------


def call_peer(python: str, *arguments: str) -> dict:
    """Run a part of this file in the peer's environment."""
    command = [python, __file__, "peer", *arguments]
    environment = {**os.environ, "MUJOCO_GL": "disabled", "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the peer failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def trials(starts: np.ndarray, speed: float, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Initial states and actions: pushes held for a while in all directions, half of them at full force."""
    generator = np.random.default_rng(7)
    chosen = starts[generator.integers(len(starts), size=TRAJECTORIES)]
    states = np.concatenate([chosen, generator.normal(0, speed, (TRAJECTORIES, 2))], axis=1)
    held = generator.uniform(-1, 1, (TRAJECTORIES, STEPS // 10, 2))
    full = generator.random((TRAJECTORIES, STEPS // 10, 1)) < 0.5
    held = np.where(full, np.sign(held) * (np.abs(held) > 0.3), held)
    return states, np.repeat(held, 10, axis=1).reshape(TRAJECTORIES, STEPS, *shape).astype(np.float32)


def compare(world, folder: Path) -> dict:
    """Errors of single steps, begun from the peer's states, and of whole trajectories."""
    from envsuite.core.batch import Batch

    given, rolled = np.load(folder / "given.npz"), np.load(folder / "rolled.npz")
    wanted, actions, contacts = rolled["states"], given["actions"], rolled["contacts"]
    moving = wanted.shape[2] == 4
    batch = Batch(world, TRAJECTORIES, num_threads=1)
    batch.seed(range(TRAJECTORIES))
    batch.reset()

    def put(states) -> None:
        batch.states["position"] = states[:, :2]
        if moving:
            batch.states["velocity"] = states[:, 2:]

    errors = np.empty(contacts.shape)
    for t in range(STEPS):
        put(wanted[:, t])
        batch.step(actions[:, t])
        errors[:, t] = np.abs(batch.states["position"] - wanted[:, t + 1, :2]).max(axis=1)
    put(wanted[:, 0])
    drift = np.empty((TRAJECTORIES, STEPS))
    for t in range(STEPS):
        batch.step(actions[:, t])
        drift[:, t] = np.abs(batch.states["position"] - wanted[:, t + 1, :2]).max(axis=1)
    kinds = {"free": contacts == 0, "one contact": contacts == 1, "several contacts": contacts > 1}
    steps = {
        name: {"steps": int(mask.sum()), "largest error (m)": float(errors[mask].max()) if mask.any() else None}
        for name, mask in kinds.items()
    }
    return {
        "single steps": steps,
        "share of single steps above 1e-9 m": float((errors > 1e-9).mean()),
        "share of single steps above 1e-4 m": float((errors > 1e-4).mean()),
        f"trajectories of {STEPS} steps": {
            "median of the largest error (m)": float(np.median(drift.max(axis=1))),
            "largest error (m)": float(drift.max()),
            "share that stays within 1e-6 m": float((drift.max(axis=1) < 1e-6).mean()),
        },
    }


def agreement(peer: str) -> dict:
    """Compare the motion of each family with the original's."""
    from envsuite.mazes.legacy.world import LegacyMazeWorld
    from envsuite.mazes.ogbench.world import OgbenchMazeWorld
    from envsuite.mazes.point.world import PointMazeWorld

    report: dict = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for layout in ("umaze", "medium", "large"):
            world = LegacyMazeWorld(layout=layout)
            p = world.params[0]
            starts, actions = trials(p["starts"][: p["start_count"]], 1.0, (2,))
            np.savez(folder / "given.npz", starts=starts, actions=actions)
            grid = p["grid"]
            walls = np.argwhere(p["walls"][: grid["rows"], : grid["columns"]]) - 0.2
            (folder / "walls.json").write_text(json.dumps(walls.tolist()))
            versions = call_peer(peer, "roll", name)
            report[f"maze2d-{layout}"] = {"peer": versions, **compare(world, folder)}
        for title, env_id in ROBOTICS.items():
            world = PointMazeWorld(layout=title.lower())
            p = world.params[0]
            starts, actions = trials(p["starts"][: p["start_count"]], 1.0, (2,))
            np.savez(folder / "given.npz", starts=starts, actions=actions)
            versions = call_peer(peer, "robotics", name, env_id)
            report[env_id] = {"peer": versions, **compare(world, folder)}
        for maze in OGBENCH:
            world = OgbenchMazeWorld(maze=maze, terminate_at_goal=False)
            free = OgbenchMazeWorld(maze=maze, task="free").params[0]
            starts, actions = trials(free["starts"][: free["start_count"]], 0.0, (2,))
            np.savez(folder / "given.npz", starts=starts, actions=actions)
            env_id = f"pointmaze-{maze}-v0"
            report[f"ogbench {env_id}"] = {"peer": call_peer(peer, "ogbench", name, env_id), **compare(world, folder)}
    return report


def rates(env_id: str) -> dict[str, float]:
    """Steps a second of ours: one instance as Gymnasium makes it, and a batch on one thread."""
    import gymnasium

    from envsuite import card
    from envsuite.testing.traces import batch_env, random_actions

    found = {}
    env = gymnasium.make(env_id)
    env.reset(seed=0)
    actions = random_actions(card(env_id), 1000, 1)[:, 0]
    for warm in (True, False):
        begun, steps = time.process_time(), 0
        while time.process_time() - begun < (0.2 if warm else 1.0):
            for action in actions:
                *_, terminated, truncated, _ = env.step(action)
                if terminated or truncated:
                    env.reset()
            steps += len(actions)
    found["single"] = steps / (time.process_time() - begun)
    slots = 4096
    many = batch_env(card(env_id), slots, num_threads=1, copy=False)
    many.reset(seed=0)
    actions = random_actions(card(env_id), 16, slots)
    for warm in (True, False):
        begun, steps = time.process_time(), 0
        while time.process_time() - begun < (0.5 if warm else 1.5):
            for row in actions:
                many.step(row)
            steps += slots * len(actions)
    found["batch of 4096, 1 thread"] = steps / (time.process_time() - begun)
    return found


def speed(peer: str) -> dict:
    """Steps per second of processor time, beside the originals'."""
    pairs = [(f"envsuite/MazePoint{title}-v0", env_id, "gymnasium_robotics") for title, env_id in ROBOTICS.items()]
    pairs += [(f"envsuite/MazeOgbench{maze.capitalize()}-v0", f"pointmaze-{maze}-v0", "ogbench") for maze in OGBENCH]
    report = {}
    for mine, theirs, package in pairs:
        original = call_peer(peer, "speed", theirs, package)["steps_per_second"]
        ours = rates(mine)
        report[mine] = {
            "steps per second": ours,
            f"steps per second of {theirs}": original,
            "times as fast": {name: rate / original for name, rate in ours.items()},
        }
    return report


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["agreement", "speed", "peer"])
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--peer", default=sys.executable)
    arguments = parser.parse_args()
    if arguments.what == "peer":
        task, *rest = arguments.rest
        if task == "roll":
            folder = Path(rest[0])
            peer_roll(folder, json.loads((folder / "walls.json").read_text()), 0.5)
        else:
            {"robotics": peer_robotics, "ogbench": peer_ogbench, "speed": peer_speed}[task](
                Path(rest[0]) if task != "speed" else rest[0], rest[1]
            )
        return
    from envsuite.core.files import write_atomic
    from envsuite.evaluation.records import machine

    report = {"machine": machine(), **{"agreement": agreement, "speed": speed}[arguments.what](arguments.peer)}
    write_atomic(RESULTS / f"mazes_{arguments.what}.json", json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

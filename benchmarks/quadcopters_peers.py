"""The other simulators' side of `quadcopters.py`, which runs this file where they are installed; without envsuite.

Every part prints one line of JSON. Rates are steps per second of processor time, resets included.
"""

import importlib.metadata
import json
import sys
import time
from itertools import cycle
from pathlib import Path

import numpy as np

SECONDS = 4.0


def rate(step, count: int) -> float:
    """Steps a second; `step` makes `count` of them."""
    step()
    begun, steps = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        step()
        steps += count
    return steps / (time.process_time() - begun)


def play(env, *, hovering: bool = False) -> dict:
    """Random actions, and where asked for the action 0 that hovers, with a reset at each end of an episode."""
    env.reset(seed=0)
    env.action_space.seed(0)
    rolls = {"random actions": [env.action_space.sample() for _ in range(242)]}
    if hovering:
        rolls["hovering"] = [np.zeros(env.action_space.shape, np.float32)] * 242
    found = {}
    for name, actions in rolls.items():

        def chunk(actions=actions):
            for action in actions:
                *_, terminated, truncated, _ = env.step(action)
                if terminated or truncated:
                    env.reset()

        found[name] = rate(chunk, len(actions))
    env.close()
    return found


def gpd_speed() -> dict:
    """gym-pybullet-drones' hover tasks."""
    from gym_pybullet_drones.envs.HoverAviary import HoverAviary
    from gym_pybullet_drones.envs.MultiHoverAviary import MultiHoverAviary
    from gym_pybullet_drones.utils.enums import Physics

    found = {}
    for mode in ("PYB", "DYN", "PYB_GND_DRAG_DW"):
        found[f"HoverAviary {mode}"] = play(HoverAviary(physics=Physics[mode]), hovering=True)
    for count in (2, 10):
        found[f"MultiHoverAviary {count} drones"] = play(MultiHoverAviary(num_drones=count), hovering=True)
    return found


def gpd_roll(folder: str) -> dict:
    """Flights under given actions, (modes, steps, drones, 4), in every physics mode."""
    from gym_pybullet_drones.envs.HoverAviary import HoverAviary
    from gym_pybullet_drones.envs.MultiHoverAviary import MultiHoverAviary
    from gym_pybullet_drones.utils.enums import Physics

    given = np.load(Path(folder) / "given.npz")
    out = {}
    for mode in given["modes"]:
        for count in (1, 3):
            made = HoverAviary if count == 1 else MultiHoverAviary
            env = made(
                physics=Physics[str(mode).upper()],
                initial_xyzs=given[f"starts{count}"],
                **({} if count == 1 else {"num_drones": count}),
            )
            env.reset(seed=0)
            rows = []
            for action in given[f"actions{count}"]:
                observation, reward, *_ = env.step(action)
                rows.append((env.pos.copy(), np.asarray(observation, np.float64)[:, :12], reward))
            env.close()
            for name, column in zip(("positions", "observations", "rewards"), zip(*rows, strict=True), strict=True):
                out[f"{mode}-{count}-{name}"] = np.array(column)
    np.savez(Path(folder) / "rolled.npz", **out)
    return {}


def pyflyt_speed() -> dict:
    """PyFlyt's quadcopter tasks."""
    import gymnasium
    import PyFlyt.gym_envs  # noqa: F401 (registers)

    names = [name for name in gymnasium.registry if name.startswith(("PyFlyt/QuadX-Hover-", "PyFlyt/QuadX-Waypoints-"))]
    return {name: play(gymnasium.make(name)) for name in sorted(names)}


def crazyflow_speed() -> dict:
    """The environments of crazyflow, on the processor."""
    import crazyflow.envs  # noqa: F401 (registers)
    import gymnasium

    found = {}
    for name in ("DroneReachPos-v0", "DroneFigureEightTrajectory-v0", "DroneLanding-v0"):
        for worlds in (1, 4096):
            if name not in gymnasium.registry or (worlds == 1 and name != "DroneReachPos-v0"):
                continue
            env = gymnasium.make_vec(name, num_envs=worlds, device="cpu")
            env.reset(seed=0)
            env.action_space.seed(0)
            action = env.action_space.sample()

            def step(env=env, action=action):
                out = env.step(action)
                out[1].block_until_ready() if hasattr(out[1], "block_until_ready") else None

            for _ in range(3):
                step()
            found[f"{name} {worlds} worlds"] = {"random actions": rate(step, worlds)}
    return found


def l2f_parts(size: int):
    """The package's objects for a batch."""
    import l2f

    vector = getattr(l2f, f"vector{size}")
    device, rng = l2f.Device(), vector.VectorRng()
    env, parameters = vector.VectorEnvironment(), vector.VectorParameters()
    state, following = vector.VectorState(), vector.VectorState()
    vector.initialize_rng(device, rng, 0)
    vector.initialize_environment(device, env)
    vector.initial_parameters(device, env, parameters)
    vector.sample_initial_state(device, env, parameters, state, rng)
    return vector, device, env, parameters, state, following, rng


def l2f_speed() -> dict:
    """The l2f package: motion alone, and a full step with reward, termination, resets and observation."""
    return {name: value for size in (1, 64, 4096) for name, value in _l2f_rates(size).items()}


def _l2f_rates(size: int) -> dict:
    vector, device, env, parameters, state, following, rng = l2f_parts(size)
    generator = np.random.default_rng(0)
    actions = cycle([generator.uniform(-1, 1, (size, 4)).astype(np.float32) for _ in range(16)])
    seen = np.zeros((size, env.OBSERVATION_DIM), np.float32)
    rewards, ended = np.zeros(size, np.float32), np.zeros(size, np.bool_)

    def motion():
        vector.step(device, env, parameters, state, next(actions), following, rng)

    def full():
        action = next(actions)
        vector.step(device, env, parameters, state, action, following, rng)
        vector.reward(device, env, parameters, state, action, following, rewards, rng)
        vector.terminated(device, env, parameters, following, ended, rng)
        state.assign(following)
        vector.sample_initial_state_if_truncated(device, env, parameters, state, ended, rng)
        vector.observe(device, env, parameters, state, seen, rng)

    return {
        f"{size} instances, motion alone": {"random actions": rate(motion, size)},
        f"{size} instances, full step": {"random actions": rate(full, size)},
    }


def l2f_roll(folder: str) -> dict:
    """Flights from random states under given actions, (steps, instances, 4)."""
    given = np.load(Path(folder) / "given.npz")["actions"]
    vector, device, env, parameters, state, following, rng = l2f_parts(given.shape[1])
    names = ("position", "orientation", "linear_velocity", "angular_velocity", "rpm")

    def read():
        return [np.array([getattr(one, name) for one in state.states], np.float64) for name in names]

    rows = [read()]
    for action in given:
        vector.step(device, env, parameters, state, np.ascontiguousarray(action), following, rng)
        state.assign(following)
        rows.append(read())
    columns = {name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    np.savez(Path(folder) / "rolled.npz", **columns)
    return {}


PACKAGES = {
    "gpd": ("pybullet", "numpy", "gymnasium"),
    "pyflyt": ("PyFlyt", "pybullet", "numpy", "gymnasium"),
    "crazyflow": ("crazyflow", "jax", "numpy"),
    "l2f": ("l2f", "numpy"),
}


def main() -> None:
    """``PART [FOLDER]``."""
    part, *rest = sys.argv[1:]
    result = globals()[part](*rest)
    versions = {name: importlib.metadata.version(name) for name in PACKAGES[part.split("_")[0]]}
    print(json.dumps({"versions": versions, "found": result}))


if __name__ == "__main__":
    main()

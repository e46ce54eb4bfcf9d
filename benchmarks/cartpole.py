"""Gymnasium's CartPole beside a CartPole world as `envsuite new` writes it, measured in turn in one process.

Run by hand: ``python benchmarks/cartpole.py``. Both integrate the same equations in double precision and reset ended
episodes by themselves. Writes ``benchmarks/results/cartpole.json``.
"""

import json
import sys
import tempfile
from functools import partial
from importlib.metadata import version
from pathlib import Path

import gymnasium
import numpy as np
from click.testing import CliRunner
from speed import seconds_per_call

from envsuite.cli import main as cli
from envsuite.core.files import write_atomic
from envsuite.core.single import WorldEnv
from envsuite.core.vector import WorldVectorEnv
from envsuite.evaluation.records import machine

ROUNDS = 5


def new_world(folder: str) -> str:
    """Write the world into a package of its own and make it importable."""
    package = Path(folder) / "benched"
    package.mkdir()
    (package / "__init__.py").touch()
    done = CliRunner().invoke(cli, ["new", "toys/pole_on_cart", "--into", str(package)])
    if done.exit_code:
        raise RuntimeError(done.output)
    sys.path.insert(0, folder)
    return "benched.toys.pole_on_cart.kernel:PoleOnCart"


def vector_rates(world: str, num_envs: int) -> tuple[float, float, float]:
    """Steps a second: Gymnasium's vector, ours on one thread, and the median ratio of neighbouring measurements."""
    theirs = gymnasium.make_vec("CartPole-v1", num_envs=num_envs, vectorization_mode="vector_entry_point")
    ours = WorldVectorEnv(world, num_envs, max_episode_steps=500, num_threads=1)
    actions = np.random.default_rng(0).integers(0, 2, num_envs)
    rates = []
    for env in (theirs, ours):
        env.reset(seed=0)
    for _ in range(ROUNDS):
        pair = [num_envs / seconds_per_call(partial(env.step, actions), 0.05) for env in (theirs, ours)]
        rates.append(pair)
    table = np.array(rates)
    return (*np.median(table, axis=0), float(np.median(table[:, 1] / table[:, 0])))


def single_rates(world: str) -> tuple[float, float, float]:
    """The same for one environment, unwrapped, with its resets."""
    table = []
    envs = (gymnasium.make("CartPole-v1").unwrapped, WorldEnv(world))

    def play(env):
        env.reset(seed=0)
        for k in range(500):
            if env.step(k & 1)[2]:
                env.reset()

    for _ in range(ROUNDS):
        table.append([500 / seconds_per_call(partial(play, env), 0.05) for env in envs])
    rates = np.array(table)
    return (*np.median(rates, axis=0), float(np.median(rates[:, 1] / rates[:, 0])))


def main() -> None:
    """Measure, print, write."""
    result = {"machine": machine(), "versions": {name: version(name) for name in ("numpy", "numba", "gymnasium")}}
    print(f"{'instances':>12}{'Gymnasium':>16}{'envsuite':>16}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        world = new_world(folder)
        rows = {"1 (Env)": single_rates(world)} | {str(n): vector_rates(world, n) for n in (1, 8, 64, 1024, 4096)}
    for name, (theirs, ours, ratio) in rows.items():
        print(f"{name:>12}{theirs:>16,.0f}{ours:>16,.0f}{ratio:>8.2f}")
        result[name] = {"gymnasium": theirs, "envsuite": ours, "ratio": ratio}
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    write_atomic(folder / "cartpole.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()

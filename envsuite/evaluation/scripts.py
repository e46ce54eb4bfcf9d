"""Baselines as scripts: their names, the commands that train them, and further training seeds."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import envsuite
from envsuite.cards import locked
from envsuite.evaluation.jobs import derived_seed
from envsuite.evaluation.records import Terminated, sigterm_raises

_SEEDS = 10**6  # new training seeds lie below; evaluation seeds lie far above


def known_baselines(folder: Path) -> list[str]:
    """Names of the algorithms in a folder of baselines: files that have a table of settings beside them."""
    return sorted(path.stem for path in folder.glob("*.py") if path.with_suffix(".toml").is_file())


def source(name: str) -> tuple[str, str, str]:
    """Algorithm, environment and dataset of a baseline's name; no dataset for one that plays.

    Raises:
        ValueError: the name is neither an environment nor a dataset with a recipe.
    """
    algorithm, _, short = name.partition("/")
    if short in locked():
        return algorithm, locked()[short]["env_id"], short
    try:
        return algorithm, envsuite.card(short).id, ""
    except KeyError as error:
        message = f"{short!r} is no dataset with a recipe (see `envsuite datasets list`), and an {error.args[0]}"
        raise ValueError(message) from error


def training_command(
    baselines: Path, baseline: str, env_id: str, seed: int, runs: Path, dataset: str = ""
) -> list[str]:
    """The command that trains once.

    Args:
        baselines: folder.
        baseline: name of the algorithm.
        env_id: environment.
        seed: training seed.
        runs: where run folders go.
        dataset: id, for algorithms that learn from one.

    Raises:
        ValueError: no such baseline.
    """
    known = known_baselines(baselines)
    if baseline not in known:
        raise ValueError(f"baseline {baseline!r} is none of {known} in {baselines}; only those can be trained anew")
    script = str((baselines / f"{baseline}.py").resolve())
    from_data = ["--dataset", dataset] if dataset else []
    return [sys.executable, script, "--env-id", env_id, *from_data, "--seed", str(seed), "--runs", str(runs)]


def train(command: list[str]) -> None:
    """Do a training command, its output shown. Ctrl-C and SIGTERM reach it, and it closes its record.

    Raises:
        ModuleNotFoundError: PyTorch is not installed.
        ValueError: it failed.
    """
    if find_spec("torch") is None:
        raise ModuleNotFoundError("training needs PyTorch", name="torch")
    with sigterm_raises(), subprocess.Popen(command) as training:
        try:
            status = training.wait()
        except KeyboardInterrupt:  # the terminal has sent it to both
            training.wait()
            raise
        except Terminated:
            training.terminate()
            training.wait()
            raise
    if status:
        raise ValueError(f"training ended with exit status {status}")


def new_seeds(count: int, taken: set[int], *parts: Any) -> list[int]:
    """Training seeds that follow from names and numbers and are not taken.

    Args:
        count: how many.
        taken: seeds that were used before.
        *parts: plain data, see `derived_seed`.
    """
    seeds: list[int] = []
    index = 0
    while len(seeds) < count:
        seed = derived_seed(*parts, index) % _SEEDS
        index += 1
        if seed not in taken and seed not in seeds:
            seeds.append(seed)
    return seeds

"""Datasets: generation, writing, reading and sampling beside Minari's collector, its HDF5 and its Arrow storage.

Run by hand: ``python benchmarks/datasets.py``; needs ``pip install "envsuite[datasets]" "minari[create]" pyarrow``.
Everything is in one run, on one thread but for the generation with two workers. Data of 17 observations and 6 actions,
as of a locomotion task, in short and in long episodes; files are in the page cache for all alike. Prints a table and
writes ``benchmarks/results/datasets.json``.
"""

import dataclasses
import json
import os
import tempfile
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from envsuite.core.files import write_atomic
from envsuite.data import Dataset, generate, load, load_recipe
from envsuite.data.manifest import Manifest, Source
from envsuite.data.spaces import space_to_json
from envsuite.data.store import write_dataset
from envsuite.evaluation.executors import ProcessExecutor, SerialExecutor
from envsuite.evaluation.records import machine

SHAPES = {"short": (1000, 50), "long": (50, 1000)}
OBSERVATION, ACTION = spaces.Box(-np.inf, np.inf, (17,), np.float32), spaces.Box(-1, 1, (6,), np.float32)
GENERATED = tuple(
    f"{name}-v0"
    for name in (
        *("quad-hover-gpd/random", "quad-hover/random", "quad-hover/expert", "quad-hover-gpd/expert"),
        *("maze-legacy-open/random", "maze-legacy-umaze/expert", "quad-multi-hover/expert"),
    )
)
TRANSITIONS = 200_000
WRITES = 5
COLLECTED = 20_000
"""Transitions that Minari's collector is timed on."""


def seconds(function, repeats: int = 1) -> float:
    """Seconds that a call takes, the median of some."""
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        function()
        taken.append(time.perf_counter() - started)
    return float(np.median(taken))


def generation(root: Path) -> dict[str, dict[str, float]]:
    """Transitions a second, simulated, hashed and on the disk.

    Serial, with two workers (with the time that they take to start), and by Minari's collector.
    """
    found = {}
    for name in GENERATED:
        recipe = dataclasses.replace(load_recipe(name), transitions=TRANSITIONS, hash="")
        generate(dataclasses.replace(recipe, transitions=1000), root)  # compiles, or loads what is compiled
        rates, hashes = {}, set()
        for label, executor in (("serial", SerialExecutor), ("two workers", lambda work: ProcessExecutor(work, 2))):
            started = time.perf_counter()
            data = generate(recipe, root, executor=executor, force=True)
            rates[label] = len(data) / (time.perf_counter() - started)
            hashes.add(data.manifest.hash)
        assert len(hashes) == 1
        if not data.manifest.agents:  # Minari's collector wraps environments of one agent
            rates["minari"] = collected(data)
        found[name] = {**rates, "same_hash": True}
    return found


def collected(data: Dataset) -> float:
    """Transitions a second of Minari's collector on the same environment, playing the same episodes.

    Actions are those of the dataset, so that no policy costs it anything. Written as HDF5, its default.
    """
    import minari

    count = int(np.searchsorted(np.cumsum(data.lengths), COLLECTED)) + 1
    episodes = [data.episode(k) for k in range(count)]
    env = minari.DataCollector(gym.make(data.manifest.source.id))
    name = f"bench/{data.manifest.id.replace('/', '-')}"
    started = time.perf_counter()
    for seed, episode in zip(data.columns["seeds"][:count], episodes, strict=True):
        env.reset(seed=int(seed))
        for action in episode.actions:
            last = env.step(action)[0]
        np.testing.assert_array_equal(last, episode.final_observation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.create_dataset(dataset_id=name)
    return sum(len(episode.actions) for episode in episodes) / (time.perf_counter() - started)


def columns(episodes: int, length: int) -> dict[str, np.ndarray]:
    """Random data."""
    rng = np.random.Generator(np.random.Philox(0))
    steps = episodes * length
    truncated = np.zeros(steps, np.bool_)
    truncated[length - 1 :: length] = True
    return {
        "observations": rng.standard_normal((steps, 17), np.float32),
        "actions": rng.random((steps, 6), np.float32) * 2 - 1,
        "rewards": rng.standard_normal(steps, np.float32),
        "terminated": np.zeros(steps, np.bool_),
        "truncated": truncated,
        "offsets": np.arange(episodes + 1) * length,
        "seeds": np.arange(episodes),
        "final_observations": rng.standard_normal((episodes, 17), np.float32),
    }


def ours(root: Path, content: dict[str, np.ndarray], episodes: int, steps: int) -> dict[str, float]:
    """Seconds of writing, reading and sampling with the flat store."""
    space, action = space_to_json(OBSERVATION), space_to_json(ACTION)
    manifest = Manifest(1, "bench/flat", "", Source("x/Bench-v0"), space, action, episodes, steps, {})
    specs = {name: (array.dtype, array.shape) for name, array in content.items()}
    rng = np.random.Generator(np.random.Philox(1))
    names = iter(f"bench/flat-{episodes}-v{k}" for k in range(WRITES))
    write = seconds(
        lambda: write_dataset(dataclasses.replace(manifest, id=next(names)), specs, [content], root), WRITES
    )

    def read():
        data = load(f"bench/flat-{episodes}-v0", root)
        whole = data.take(np.arange(len(data)))
        return whole.observations.sum() + whole.next_observations.sum()

    data = load(f"bench/flat-{episodes}-v0", root)
    return {
        "write": write,
        "read all transitions": seconds(read, 5),
        "32 random episodes": seconds(
            lambda: [data.episode(k).observations.sum() for k in rng.integers(0, episodes, 32)], 50
        ),
        "256 random transitions": seconds(lambda: data.batch(256, rng), 200),
    }


def minaris(form: str, content: dict[str, np.ndarray], episodes: int, length: int) -> dict[str, float]:
    """The same with Minari's storage."""
    import minari
    from minari.data_collector import EpisodeBuffer

    def buffer(k: int) -> EpisodeBuffer:
        rows = slice(k * length, (k + 1) * length)
        return EpisodeBuffer(
            seed=k,
            observations=np.concatenate([content["observations"][rows], content["final_observations"][k : k + 1]]),
            actions=content["actions"][rows],
            rewards=list(content["rewards"][rows]),
            terminations=list(content["terminated"][rows]),
            truncations=list(content["truncated"][rows]),
        )

    name = f"bench/{form}-{episodes}-v0"
    buffers = [buffer(k) for k in range(episodes)]
    write = seconds(
        lambda: minari.create_dataset_from_buffers(
            name, buffers, observation_space=OBSERVATION, action_space=ACTION, data_format=form
        )
    )
    rng = np.random.Generator(np.random.Philox(1))

    def read():
        pieces = [one for one in minari.load_dataset(name)]
        observations = np.concatenate([one.observations[:-1] for one in pieces])
        return observations.sum() + np.concatenate([one.observations[1:] for one in pieces]).sum()

    data = minari.load_dataset(name)

    def transitions():
        chosen = list(data.iterate_episodes(rng.integers(0, episodes, 256)))
        at = rng.integers(0, length, 256)
        return [np.stack([one.observations[t + shift] for one, t in zip(chosen, at, strict=True)]) for shift in (0, 1)]

    return {
        "write": write,
        "read all transitions": seconds(read),
        "32 random episodes": seconds(lambda: [one.observations.sum() for one in data.sample_episodes(32)], 5),
        "256 random transitions": seconds(transitions, 3),
    }


def main() -> None:
    """Measure, print, write."""
    names = ("numpy", "numba", "minari", "h5py", "pyarrow")
    result: dict = {"machine": machine(), "versions": {name: version(name) for name in names}}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINARI_DATASETS_PATH"] = str(Path(folder, "minari"))
        result["generation"] = generation(Path(folder, "store"))
        for name, rates in result["generation"].items():
            beside = f"{rates['minari']:>12,.0f}{rates['serial'] / rates['minari']:>8,.0f}" if "minari" in rates else ""
            print(f"{name:<32}{rates['serial']:>12,.0f}{rates['two workers']:>12,.0f}{beside} transitions/s")
        for shape, (episodes, length) in SHAPES.items():
            content = columns(episodes, length)
            found = {"flat": ours(Path(folder, "store"), content, episodes, episodes * length)}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for form in ("hdf5", "arrow"):
                    found[form] = minaris(form, content, episodes, length)
            result[shape] = {"episodes": episodes, "length": length, "seconds": found}
            print(
                f"\n{shape}: {episodes} episodes of {length} steps{'flat':>16}{'hdf5':>12}{'arrow':>12}{'ratios':>16}"
            )
            for what, mine in found["flat"].items():
                theirs = [found[form][what] for form in ("hdf5", "arrow")]
                ratios = " ".join(f"{one / mine:>8,.0f}" for one in theirs)
                print(
                    f"  {what:<36}{mine * 1e3:>12.3f}" + "".join(f"{t * 1e3:>12.1f}" for t in theirs) + f" ms {ratios}"
                )
    target = Path(__file__).parent / "results"
    target.mkdir(exist_ok=True)
    write_atomic(target / "datasets.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()

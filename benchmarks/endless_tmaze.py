"""What policies with different memories learn in Endless T-Maze, and in how many more corridors it still works.

    python benchmarks/endless_tmaze.py [MEMORY ...] [--modes Fixed Uniform] [--corridors 1 3 5 10] [--lengths 5 10]
        [--seeds 3] [--runs runs]

Wants the extra ``torch``. Settings are those of the baselines (``baselines/<algorithm>.toml``). Each run leaves a
record. What is in ``benchmarks/results/endless_tmaze.json`` is not measured again; several processes may fill it at
once. Each trained policy then plays 100 episodes of its mode and length with every number of corridors, always its
likeliest action. Shares of success, and the seconds of training, are added to that file after every run, and their
means over training seeds are written into ``docs/_tables/endless-tmaze.md``.
"""

import argparse
import importlib
import itertools
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

from gathered import gather, gathered
from launch import run
from tables import table

import envsuite
from envsuite.agents.onnx import load
from envsuite.core.files import write_atomic
from envsuite.evaluation.rollout import onnx_player, play
from envsuite.evaluation.runs import RunRecord

RESULT = Path(__file__).parent / "results" / "endless_tmaze.json"
PAGE = Path(__file__).parents[1] / "docs" / "_tables" / "endless-tmaze.md"
MEMORIES = {
    "none": ("ppo", "PPO", "PPOConfig"),
    "GRU": ("recurrent_ppo", "RecurrentPPO", "RecurrentPPOConfig"),
    "LSTM": ("lstm_ppo", "RecurrentPPO", "LSTMPPOConfig"),
    "minGRU": ("mingru_ppo", "RecurrentPPO", "MinGRUPPOConfig"),
    "FFM": ("ffm_ppo", "RecurrentPPO", "FFMPPOConfig"),
    "slots": ("slots_ppo", "RecurrentPPO", "SlotsPPOConfig"),
    "GTrXL": ("gtrxl_ppo", "RecurrentPPO", "GTrXLPPOConfig"),
}
MODES, CORRIDORS, LENGTHS = ("Fixed", "Uniform"), (1, 3, 5, 10), (5, 10)
EPISODES = 100


def trained(memory: str, task: str, seed: int, root: Path) -> Path:
    """The folder of a finished run, trained if need be."""
    module, trainer, settings = MEMORIES[memory]
    algorithm = importlib.import_module(module)
    config = getattr(algorithm, settings).for_env(f"EndlessTMaze{task}", seed=seed)
    return run(getattr(algorithm, trainer), config, root)


def successes(folder: Path, mode: str, length: int) -> dict[str, float]:
    """Share of episodes in which all corridors were passed, for each number of corridors."""
    policy = onnx_player(load(folder / "policy.onnx"))
    found = {}
    for corridors in CORRIDORS:
        episodes = play(envsuite.card(f"EndlessTMaze{mode}{corridors}x{length}"), policy, EPISODES)
        found[str(corridors)] = round(float(episodes.metrics["is_success"].mean()), 4)
    return found


def page(known: dict) -> str:
    """Mean shares of success with 1, 3, 5 and 10 corridors, for each task that was trained on and each memory."""
    rows = []
    for mode, length, corridors in itertools.product(MODES, LENGTHS, CORRIDORS):
        cells = []
        for memory in MEMORIES:
            runs = [one["success"] for one in known.get(memory, {}).get(f"{mode}{corridors}x{length}", {}).values()]
            means = [np.mean([one[str(n)] for one in runs]) if runs else None for n in CORRIDORS]
            cells.append("" if not runs else " ".join(f"{mean:.2f}" for mean in means) + f" ({len(runs)})")
        if any(cells):
            rows.append([f"{mode}{corridors}x{length}", *cells])
    return table(["trained on", *MEMORIES], rows)


def main() -> None:
    """Train and play all, and add to the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("memories", nargs="*", metavar="MEMORY", help=f"of {', '.join(MEMORIES)}; all by default")
    parser.add_argument("--modes", nargs="+", default=MODES, choices=MODES)
    parser.add_argument("--corridors", nargs="+", type=int, default=CORRIDORS, choices=CORRIDORS)
    parser.add_argument("--lengths", nargs="+", type=int, default=LENGTHS, choices=LENGTHS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    given = parser.parse_args()
    if unknown := set(given.memories) - set(MEMORIES):
        parser.error(f"memories {sorted(unknown)}, expected some of {', '.join(MEMORIES)}")
    tasks = itertools.product(range(given.seeds), given.lengths, given.modes, given.corridors)
    for (seed, length, mode, corridors), memory in itertools.product(tasks, given.memories or MEMORIES):
        task = f"{mode}{corridors}x{length}"
        if str(seed) in gathered(RESULT).get(memory, {}).get(task, {}):
            continue
        folder = trained(memory, task, seed, given.runs)
        seconds = RunRecord.load(folder).metrics()[-1]["training_time"]
        found = successes(folder, mode, length)
        kept = {"run": folder.name, "training_seconds": round(seconds, 1), "success": found}
        known = gather(RESULT, memory, task, seed, kept)
        write_atomic(PAGE, page(known) + "\n")
        print(f"{memory}, {task}, seed {seed}: {found}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()

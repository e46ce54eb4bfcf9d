"""Makes and rates the frozen opponents of the fights' ladder.

``train`` lets one learner fight itself, one the computer players of all levels and one the strongest of all these, all
characters each, and keeps their networks along the way; ``rate`` lets these networks and the computer players fight all
against all and prints ratings; ``freeze`` puts chosen networks into the package under names of the ladder, with their
digests.

python baselines/rungs.py train --out runs/rungs
python baselines/rungs.py rate runs/rungs/*/*.onnx --rounds 200
python baselines/rungs.py freeze runs/rungs/climb/507904.onnx arden=runs/rungs/champion-1/4014080.onnx
"""

import argparse
import dataclasses
import hashlib
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ppo import PPO, PPOConfig
from selfplay import SelfPlay, SelfPlayConfig
from tournament import PRIOR

import envsuite
from envsuite.agents.onnx import load
from envsuite.agents.onnx.policy import save
from envsuite.core.files import write_atomic
from envsuite.evaluation.rollout import onnx_player, play
from envsuite.fighting import balance, ladder
from envsuite.fighting.params import CHARACTERS, LEVELS
from envsuite.scoring import bradley_terry_intervals

DUEL = "envsuite/Duel-v0"
CHAMPIONS = {"champion-1": "arden", "champion-2": "juno"}
"""Those who play one character only."""

LEARNERS = ("self", "climb", "hunter", *CHAMPIONS)
"""Who learns: against itself, against computer players of all levels, and against the strongest of those before."""

ANCHOR = 4
"""The computer player whose rating is 1000."""

_LEARNING: dict[str, Any] = {
    "num_envs": 512,
    "num_steps": 32,
    "epochs": 4,
    "minibatches": 8,
    "entropy": 0.005,
    "hidden": (64, 64),
    "sampled": True,
    "threads": 1,
    "episodes": 24,
}


def learner(name: str, folder: Path) -> PPO:
    """One of `LEARNERS`.

    Args:
        name: whose.
        folder: where the networks of those before it lie.
    """
    if name == "self":
        return SelfPlay(
            SelfPlayConfig(
                "envsuite/DuelVersus-v0",
                env_options={"reward": "hp"},
                total_steps=12_000_000,
                evaluations=12,
                learning_rate=1e-3,
                pool=12,
                pool_every=500_000,
                **_LEARNING,
            )
        )
    options: dict[str, Any] = {"reward": "hp", "character": CHAMPIONS.get(name, "random"), "level": "random"}
    steps, evaluations = 4_000_000, 8
    if name == "hunter":
        hunted = [folder / "self" / "4014080.onnx", folder / "self" / "8011776.onnx", folder / "climb" / "4014080.onnx"]
        options |= {"opponent": [*(("random", level) for level in (6, 7, 8)), *map(str, hunted)]}
        steps, evaluations = 6_000_000, 6
    if name in CHAMPIONS:
        hunted = [folder / "self" / "8011776.onnx", folder / "hunter" / "6012928.onnx"]
        before = [("arden", str(folder / "champion-1" / "4014080.onnx"))] if name == "champion-2" else []
        options |= {"opponent": [("random", 7), ("random", 8), *map(str, hunted), *before]}
        evaluations = 4
    return PPO(
        PPOConfig(
            DUEL, env_options=options, total_steps=steps, evaluations=evaluations, learning_rate=2e-3, **_LEARNING
        )
    )


def train(out: Path) -> None:
    """Train all, one after another, and keep the network of every evaluation."""
    for name in LEARNERS:
        trainer = learner(name, out)
        (out / name).mkdir(parents=True, exist_ok=True)

        def keep(step: int, episodes: Any, name=name, trainer=trainer, **numbers: float) -> None:
            policy = trainer.policy()
            save(out / name / f"{step}.onnx", policy.program.model, policy.interface)
            print(f"{name} at step {step}: mean return {numbers['mean_return']:.3f}", flush=True)

        trainer.train(keep)


def contender(text: str) -> tuple[str, Path]:
    """Read ``[CHARACTER=]POLICY.onnx``: who plays, ``"random"`` for any character, and the network."""
    character, _, file = text.rpartition("=")
    return character or "random", Path(file)


def rate(given: Sequence[str], rounds: int) -> tuple[list[str], np.ndarray]:
    """Fights of all against all, sides by toss, with characters by toss where a network plays any.

    Args:
        given: networks, see `contender`.
        rounds: of each pair.

    Returns:
        Names, computer players first, and (rounds, players, players) points.
    """
    names = [f"level-{k}" for k in range(1, LEVELS + 1)] + list(given)
    points = np.zeros((rounds, len(names), len(names)))

    def note(i: int, j: int, won: np.ndarray) -> None:
        points[:, i, j], points[:, j, i] = won, 1 - won
        print(f"{names[i]} against {names[j]}: {won.mean():.3f}", flush=True)

    for i, j in itertools.combinations(range(LEVELS), 2):
        first, second = np.random.default_rng(LEVELS * i + j).integers(CHARACTERS, size=(2, rounds))
        levels = np.tile([i + 1, j + 1], (rounds, 1))
        note(i, j, balance.fight(first, second, levels, seed=rounds * (LEVELS * i + j)).score)
    for i in range(LEVELS, len(names)):
        character, file = contender(names[i])
        player = onnx_player(load(file))
        for j in range(i):
            other = {"level": j + 1} if j < LEVELS else {"opponent": tuple(map(str, contender(names[j])))}
            options = {"character": character, **other}
            card = dataclasses.replace(envsuite.card(DUEL), options=options)
            note(i, j, (play(card, player, rounds).returns + 1) / 2)
    return names, points


def freeze(given: Sequence[str]) -> None:
    """Put networks into the package, the weakest first."""
    lines = []
    for k, (character, file) in enumerate(map(contender, given), 1):
        policy, name = load(file), f"rung-{k}"
        save(ladder.FOLDER / f"{name}.onnx", policy.program.model, policy.interface)
        lines += [f"[{name}]", f'character = "{character}"']
        for suffix in ladder.SUFFIXES:
            content = (ladder.FOLDER / f"{name}.{suffix}").read_bytes()
            lines.append(f'{suffix} = "{hashlib.sha256(content).hexdigest()}"')
        lines.append("")
    write_atomic(ladder.LIST, "\n".join(lines))


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make and rate the frozen opponents of the fights' ladder.")
    todo = parser.add_subparsers(dest="todo", required=True)
    todo.add_parser("train").add_argument("--out", type=Path, default=Path("runs", "rungs"))
    rating = todo.add_parser("rate")
    rating.add_argument("players", nargs="*", metavar="[CHARACTER=]POLICY.onnx")
    rating.add_argument("--rounds", type=int, default=200, help="of each pair")
    rating.add_argument("--out", type=Path, default=Path("rungs.json"))
    todo.add_parser("freeze").add_argument("players", nargs="+", metavar="[CHARACTER=]POLICY.onnx")
    given = parser.parse_args(arguments)
    if given.todo == "train":
        train(given.out)
    elif given.todo == "freeze":
        freeze(given.players)
    else:
        names, points = rate(given.players, given.rounds)
        found = bradley_terry_intervals(points, anchor=ANCHOR - 1, prior=PRIOR)
        table = {
            name: {"value": one.value, "low": one.low, "high": one.high} for name, one in zip(names, found, strict=True)
        }
        shares = points.mean(axis=0).tolist()
        write_atomic(given.out, json.dumps({"ratings": table, "win_shares": shares, "rounds": given.rounds}, indent=1))
        for name, one in sorted(table.items(), key=lambda item: item[1]["value"]):
            print(f"{name}: {one['value']:.0f} [{one['low']:.0f}, {one['high']:.0f}]")


if __name__ == "__main__":
    main()

"""Trains the low-level controller of the weak ant in mazes, and freezes its network.

``train`` runs PPO on `envsuite.mazes.ant.direction`, which is no environment of the registry; ``freeze`` puts a network
into the package. The strong ant has the expert of ``Ant``.

python baselines/walkers.py train --out runs/walkers
python baselines/walkers.py freeze runs/walkers/.../policy.onnx
"""

import argparse
from pathlib import Path

from launch import run
from ppo import PPO, PPOConfig

from envsuite.agents.onnx import load
from envsuite.agents.onnx.policy import save
from envsuite.cards import EnvCard
from envsuite.mazes.ant.walkers import NETWORKS
from envsuite.registry import register as register_card


def register() -> str:
    """Make the training task known, and return its id."""
    card = EnvCard(
        id="walkers/AntWeak-v0",
        world="envsuite.mazes.ant.direction:AntDirectionWorld",
        family="mazes",
        summary="Walk at a wanted velocity.",
        source="own",
        horizon=400,
    )
    register_card(card)
    return card.id


def settings(**changes) -> PPOConfig:
    """Of the training."""
    return PPOConfig(
        register(),
        **{
            "total_steps": 3_000_000,
            "num_envs": 128,
            "num_steps": 64,
            "epochs": 5,
            "minibatches": 8,
            "learning_rate": 5e-4,
            "gamma": 0.97,
            "log_std": -0.5,
            "final_log_std": -1.5,
            "evaluations": 6,
            "episodes": 32,
            "threads": 1,
            **changes,
        },
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train one")
    train.add_argument("--out", type=Path, default=Path("runs/walkers"))
    train.add_argument("--steps", type=int)
    train.add_argument("--seed", type=int, default=0)
    freeze = commands.add_parser("freeze", help="put one into the package")
    freeze.add_argument("network", type=Path)
    options = parser.parse_args()
    if options.command == "train":
        changes = {"total_steps": options.steps} if options.steps else {}
        print(run(PPO, settings(seed=options.seed, **changes), options.out))
    else:
        policy = load(options.network)
        save(NETWORKS["weak"], policy.program.model, policy.interface)


if __name__ == "__main__":
    main()

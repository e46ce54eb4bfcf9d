"""From nothing to an evaluated policy: train PPO to hover a quadcopter, compare it, picture it.

Prints a table of the random, the trained and the expert policy on 100 fixed evaluation episodes, and leaves a run
folder with the record, the policy, the learning curve (PNG) and a replay of four episodes (GIF).
"""

import argparse
import json
import time
from pathlib import Path

import click
import numpy as np
from launch import RESUMES, run
from ppo_compiled import CompiledPPO, CompiledPPOConfig
from progress import sentences, told

import envsuite
from envsuite.agents.onnx import OnnxPolicy, load
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch
from envsuite.core.canvas import tile
from envsuite.core.companions import Pictures, companion
from envsuite.core.files import write_atomic
from envsuite.core.video import write_video
from envsuite.core.world import lead_shape, make_world
from envsuite.evaluation.rollout import EVALUATION_SEED, Episodes, expert_policy, play, random_policy
from envsuite.scoring import Estimate, episode_interval, proportion_interval

ENV_ID = "envsuite/QuadHover-v0"
EPISODES = 100


def table(results: dict[str, Episodes]) -> str:
    """Mean return, settled share and final distance of each policy, with 95 % intervals over episodes."""
    lines = [f"{'policy':<10}{'return':>26}{'settled within 0.2 m':>26}{'final distance (m)':>28}"]
    for name, episodes in results.items():
        returns = episode_interval(episodes.returns)
        settled = proportion_interval(int(episodes.metrics["is_success"].sum()), len(episodes.returns))
        distance = episode_interval(episodes.metrics["distance"], np.median)
        lines.append(f"{name:<10}{_short(returns):>26}{_short(settled):>26}{_short(distance):>28}")
    return "\n".join(lines)


def _short(found: Estimate) -> str:
    return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"


def draw_curve(folder: Path, anchors: dict[str, float]) -> Path:
    """Learning curve against steps and training time, with the anchor policies as lines."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    events = [json.loads(line) for line in (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    steps = [event["step"] / 1e6 for event in events]
    left.plot(steps, [event["mean_return"] for event in events], marker="o", markersize=3, label="PPO")
    for (name, value), style in zip(anchors.items(), ("--", ":"), strict=True):
        left.axhline(value, color="grey", linestyle=style, label=name)
    left.set(xlabel="environment steps (millions)", ylabel="mean return of 100 evaluation episodes")
    left.legend()
    seconds = [event["training_time"] for event in events]
    right.plot(seconds, [100 * event["is_success"] for event in events], marker="o", markersize=3, color="tab:green")
    right.axhline(90, color="grey", linestyle="--")
    right.set(xlabel="training time (s)", ylabel="episodes settled within 0.2 m (%)", ylim=(-2, 102))
    figure.suptitle(f"PPO on {ENV_ID}")
    path = folder / "learning_curve.png"
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def draw_replay(folder: Path, policy: OnnxPolicy, episodes: int = 4, every: int = 5) -> Path:
    """Animate the first evaluation episodes side by side at real speed."""
    card = envsuite.card(ENV_ID)
    world = make_world(card.world, **card.options)
    batch = Batch(world, episodes, horizon=card.horizon or 0)
    batch.seed([EVALUATION_SEED + i for i in range(episodes)])
    output = batch.reset()
    check = ActionChecker(world.action, lead_shape(world, episodes))
    frames = []
    last = [companion(world, Pictures).draw(state, (360, 270)) for state in batch.states]
    live = np.ones(episodes, bool)
    step = 0
    while live.any():
        output = batch.step(check(policy.act(output.observations, batch.states)), ~live)
        step += 1
        live &= ~batch.done
        if step % every == 0:
            last = [
                companion(world, Pictures).draw(state, (360, 270)) if alive else old
                for state, alive, old in zip(batch.states, live, last, strict=True)
            ]
            frames.append(tile(last))
    path = folder / "replay.gif"
    write_video(path, frames, companion(world, Pictures).fps / every)
    return path


def compile_kernels() -> float:
    """Compile what episodes and training need, or load it from the cache; the seconds that it took."""
    started = time.perf_counter()
    card = envsuite.card(ENV_ID)
    play(card, random_policy, 1)
    play(card, expert_policy, 1)
    CompiledPPO(CompiledPPOConfig.for_env(ENV_ID)).iterate()
    return time.perf_counter() - started


def main() -> None:
    """Run the whole of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", default="runs", help="folder of run records")
    parser.add_argument("--seed", type=int, default=0, help="training seed")
    parser.add_argument("--total-steps", type=int, help="environment steps, instead of the tuned number")
    given = parser.parse_args()
    changes = {} if given.total_steps is None else {"total_steps": given.total_steps}
    with sentences(f"nothing is lost; {RESUMES}"):
        config = CompiledPPOConfig.for_env(ENV_ID, seed=given.seed, **changes)
        started = time.perf_counter()
        hover(config, given.runs)
    click.echo(f"All of it took {time.perf_counter() - started:.0f} s.")


def hover(config: CompiledPPOConfig, runs: str) -> None:
    """Compile, train, evaluate, picture, and say so.

    Args:
        config: settings.
        runs: folder of run records.
    """
    card = envsuite.card(ENV_ID)
    click.echo(f"1/4 Compiling {ENV_ID}, once for this machine: half a minute, some seconds from the cache ...")
    click.echo(f"    done in {compile_kernels():.0f} s")
    click.echo(f"2/4 Training PPO for {config.total_steps:,} steps, with evaluations: a quarter of a minute ...")
    started = time.perf_counter()
    with told(config.total_steps) as progress:
        folder = run(CompiledPPO, config, runs, progress)
    click.echo(f"    done in {time.perf_counter() - started:.0f} s")
    click.echo(f"3/4 Evaluating on {EPISODES} episodes that training never saw ...")
    policy = load(folder)
    results = {
        "random": play(card, random_policy, EPISODES),
        "PPO": play(card, lambda world, slots: policy, EPISODES),
        "expert": play(card, expert_policy, EPISODES),
    }
    text = table(results)
    click.echo(text)
    click.echo(f"(mean return, share, median; brackets: 95 % intervals over {EPISODES} episodes, one training seed)")
    write_atomic(folder / "evaluation.txt", text + "\n")
    click.echo("4/4 Drawing the learning curve and four episodes ...")
    anchors = {name: float(results[name].returns.mean()) for name in ("expert", "random")}
    for label, path in (
        ("run folder", folder),
        ("curve", draw_curve(folder, anchors)),
        ("replay", draw_replay(folder, policy)),
    ):
        click.echo(f"{label + ':':<12}{path}")


if __name__ == "__main__":
    main()

"""Patients beside simglucose, a rate of the tokamak, and the search for the reference player's plans.

``python benchmarks/industrial_glucose.py rates --peer FOLDER`` makes an environment for simglucose in FOLDER unless it
is there, and writes ``benchmarks/results/industrial_glucose.json``: steps a second of process time on one thread, in
one run. ``python benchmarks/industrial_glucose.py plans`` prints the lines of ``envsuite/industrial/glucose/plans.py``.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from peers import answer, python_with

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.core.batch import Batch
from envsuite.core.world import lead_shape, make_world
from envsuite.industrial.glucose.experts import Plan, Therapist
from envsuite.industrial.glucose.kernel import SimglucoseWorld
from envsuite.industrial.glucose.patients import table

HERE = Path(__file__).parent
PEER = HERE / "industrial_glucose_peer.py"
RESULTS = HERE / "results" / "industrial_glucose.json"
PINS = ("simglucose==0.2.11", "setuptools<81")
"""simglucose needs pkg_resources, which later setuptools lack."""
SLOTS = 2048
PUBLISHED = {"Simglucose": 63.0, "Fusion": 5.0}
"""Steps a second of NeoRL-2's programs, measured elsewhere on one thread."""

LOW, HIGH = (1.0, 0.0, 90.0, 0.0, 0.0, 0.0), (60.0, 75.0, 150.0, 8.0, 8.0, 4.0)
"""Bounds of a plan's numbers."""
DIGITS = (1, 0, 0, 2, 2, 2)
CANDIDATES, KEPT, ROUNDS, DAYS = 160, 14, 9, 8


def peer(folder: Path, what: str):
    """What `industrial_glucose_peer.py` prints.

    Args:
        folder: of the peer's environment.
        what: ``"days"`` or ``"speed"``.
    """
    return answer(python_with(folder, PINS), PEER, what)


def rate(env_id: str, slots: int, seconds: float = 1.0) -> float:
    """Steps a second of process time on one thread with random actions, the best of three.

    Args:
        env_id: of the environment.
        slots: instances at once.
        seconds: of each measurement.
    """
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    batch = Batch(world, slots, num_threads=1, horizon=card.horizon or 0, reuse=True)
    batch.seed(range(slots))
    output = batch.reset()
    policy = RandomPolicy(world.action, lead_shape(world, slots), world.observation)
    policy.reset(np.ones(slots, np.bool_), np.arange(slots))
    actions = policy.act(output.observations, batch.states).copy()
    best = 0.0
    for _ in range(4):  # the first compiles
        start, count = time.process_time(), 0
        while time.process_time() - start < seconds:
            count += int((~batch.done).sum())  # the others begin anew
            batch.step(actions, batch.done)
        best = max(best, count / (time.process_time() - start))
    return best


def rates(folder: Path) -> None:
    """Measure and write.

    Args:
        folder: of the peer's environment.
    """
    theirs, rows = peer(folder, "speed"), {}
    for name in ("Simglucose", "SimglucoseRange", "Fusion"):
        ours, single = rate(name, SLOTS), rate(name, 1)
        slow = theirs if name.startswith("Sim") else None
        rows[name] = {
            "steps_per_second": round(ours),
            "single": round(single),
            "simglucose": slow and round(slow, 1),
            "ratio": slow and round(ours / slow),
            "neorl2_published": PUBLISHED.get(name),
        }
        print(f"{name:18}{ours:>12,.0f}{single:>12,.0f}{slow or 0:>10,.1f}", flush=True)
    found = {"simglucose": "0.2.11", "threads": 1, "slots": SLOTS, "rates": rows}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def returns_of(name: str, plans: np.ndarray, days: int, first_seed: int) -> tuple[np.ndarray, np.ndarray]:
    """How plans do on the same random days.

    Args:
        name: of the patient.
        plans: (c, 6).
        days: how many.
        first_seed: of the first day.

    Returns:
        Mean return (c,), and the share of days that were survived (c,).
    """
    count = len(plans)
    world = SimglucoseWorld(patients=[name] * count, reward="range", meals="random")
    batch = Batch(world, count * days)
    batch.seed(np.tile(np.arange(first_seed, first_seed + days), count))
    output = batch.reset()
    player = Therapist(world, np.array([tuple(row) for row in plans], Plan.dtype()))
    batch.states["level"] = np.repeat(np.arange(count), days)  # the same patient, every plan on its days
    total, alive = np.zeros(count * days), np.ones(count * days, bool)
    for _ in range(480):
        output = batch.step(player.act(output.observations, batch.states))
        total += np.where(alive, output.rewards, 0.0)
        alive &= ~output.terminated
    return total.reshape(count, days).mean(axis=1), alive.reshape(count, days).mean(axis=1)


def plan_for(name: str) -> tuple[np.ndarray, float]:
    """The best plan that the cross-entropy method finds, and its mean return on other days.

    Args:
        name: of the patient.
    """
    draws = np.random.default_rng(0)
    low, high = np.array(LOW), np.array(HIGH)
    plans = draws.uniform(low, high, (CANDIDATES, len(low)))
    plans[:, 0] = np.exp(draws.uniform(np.log(1.2), np.log(50.0), CANDIDATES))
    for _ in range(ROUNDS):
        returns, survived = returns_of(name, plans, DAYS, 0)
        order = np.argsort(200.0 * (1.0 - survived) - returns)[:KEPT]
        best, mean, spread = plans[order], plans[order].mean(axis=0), plans[order].std(axis=0)
        plans = np.clip(draws.normal(mean, 1.1 * spread + 1e-3, plans.shape), low, high)
        plans[0], plans[1] = mean, best[0]
    few = np.column_stack([np.round(best[:8, k], digits) for k, digits in enumerate(DIGITS)])
    returns, survived = returns_of(name, few, 40, 10_000)
    k = int(np.argmax(returns - 200.0 * (1.0 - survived)))
    return few[k], float(returns[k])


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("rates", "plans"))
    parser.add_argument("--peer", type=Path, help="folder of the environment with simglucose")
    arguments = parser.parse_args()
    if arguments.what == "rates":
        if arguments.peer is None:
            parser.error("rates need --peer FOLDER")
        rates(arguments.peer)
        return
    for name in table():
        plan, score = plan_for(name)
        told = ", ".join(f"{value:.{digits}f}" for value, digits in zip(plan, DIGITS, strict=True))
        print(f'    "{name}": ({told}),  # {score:.0f} of 480', flush=True)


if __name__ == "__main__":
    main()

"""Steps a second of the multi-objective multi-agent worlds beside MOMAland 0.2.0, in one run, on one thread.

``python benchmarks/momarl.py --peer FOLDER`` makes an environment for the peer in FOLDER unless it is there, and writes
``benchmarks/results/momarl.json``. Rates are of process time, so that other programs disturb them little.
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

HERE = Path(__file__).parent
PEER = HERE / "momaland_peer.py"
PINS = (
    "pettingzoo==1.25.0", "gymnasium==1.1.1", "numpy==1.26.4", "networkx==3.2.1", "pygame==2.6.1", "pymunk==6.2.0",
    "sympy==1.13.3", "scipy<1.14", "pillow", "box2d==2.3.10",
)  # fmt: skip
BARE = ("momaland==0.2.0", "mo-gymnasium==1.1.0")
"""What MOMAland 0.2.0 runs with: later numpy and networkx break it. The lists of the two bare ones ask for more than
games need, and contradict each other."""
SLOTS = 4096


def peer(folder: Path, what: str) -> dict:
    """What `momaland_peer.py` prints.

    Args:
        folder: of the peer's environment.
        what: ``"trajectories"`` or ``"speed"``.
    """
    return answer(python_with(folder, PINS, ("--no-deps", *BARE)), PEER, what)


def rate(env_id: str, slots: int = SLOTS, seconds: float = 1.0) -> tuple[float, float]:
    """Environment steps a second of process time on one thread, new episodes included; the best of three.

    Actions are random, legal where there is a mask (there the drawing counts too, as for the peer), else drawn before.

    Args:
        env_id: of the environment.
        slots: instances at once.
        seconds: of each of the three measurements.

    Returns:
        The rate, and that without the drawing.
    """
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    slots = max(16, min(slots, 400_000 // len(world.agents)))
    batch = Batch(world, slots, num_threads=1, horizon=card.horizon or 0, reuse=True)
    batch.seed(range(slots))
    output = batch.reset()
    policy = RandomPolicy(world.action, lead_shape(world, slots), world.observation)
    policy.reset(np.ones(slots, np.bool_), np.arange(slots))
    masked = "action_mask" in (world.info_dtype.names or ())
    pool = [policy.act(output.observations, batch.states).copy() for _ in range(4)]
    best, alone, turn = 0.0, 0.0, 0
    for _ in range(4):  # the first compiles
        start, count, drawing = time.process_time(), 0, 0.0
        while time.process_time() - start < seconds:
            before = time.process_time()
            actions = policy.act(output.observations, batch.states) if masked else pool[turn % 4]
            drawing += time.process_time() - before
            count += int((~batch.done).sum())  # the others begin anew
            output = batch.step(actions, batch.done)
            turn += 1
        taken = time.process_time() - start
        best, alone = max(best, count / taken), max(alone, count / (taken - drawing))
    return best, alone


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", type=Path, required=True, help="folder of the peer's environment")
    parser.add_argument("--only", nargs="*", default=None, help="ids")
    arguments = parser.parse_args()
    theirs = peer(arguments.peer, "speed")
    rows = {}
    for name in arguments.only or (
        *theirs,
        "MORouteChoiceSF",
        "MOGemMining",
        "TrustSplit",
        "NoPressSplit",
        "IteratedPrisoners",
        "CoinGame",
    ):
        (ours, alone), other = rate(name), theirs.get(name)
        rows[name] = {
            "steps_per_second": round(ours),
            "without_drawing": round(alone),
            "momaland": other and round(other),
            "ratio": other and ours / other,
        }
        print(f"{name:22}{ours:>14,.0f}{(other or 0):>12,.0f}{(ours / other if other else 0):>10,.0f}x", flush=True)
    target = HERE / "results" / "momarl.json"
    target.write_text(json.dumps({"momaland": "0.2.0", "threads": 1, "slots": SLOTS, "rates": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()

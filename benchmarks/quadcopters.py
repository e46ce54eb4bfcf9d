"""Steps a second of every quadcopter world on one thread, by processor time: other load on the machine counts less.

Run by hand: ``python benchmarks/quadcopters.py``.
"""

import time

import numpy as np

import envsuite
from envsuite.testing.traces import batch_env, random_actions

INSTANCES, STEPS, REPEATS = 4096, 20, 5


def main() -> None:
    """Measure and print."""
    print(f"{'environment':<40}{'steps/s':>12}{'agent steps/s':>15}")
    for card in envsuite.cards().values():
        if card.family != "quadcopters":
            continue
        env = batch_env(card, INSTANCES, num_threads=1, copy=False)
        env.reset(seed=0)
        actions = random_actions(card, STEPS, INSTANCES)
        env.step(actions[0])
        rates = []
        for _ in range(REPEATS):
            started = time.process_time()
            for action in actions:
                env.step(action)
            rates.append(STEPS * INSTANCES / (time.process_time() - started))
        rate = float(np.median(rates))
        print(f"{card.id:<40}{rate:>12,.0f}{rate * card.agents:>15,.0f}")


if __name__ == "__main__":
    main()

"""Figures of crafter 1.8.3, for `benchmarks/crafting.py`, in an interpreter that has it: one line of JSON.

Steps draw pictures, as the original's always do. Processor time; the best of three turns (worlds: the mean).
"""

import json
import time

import crafter
import numpy as np

STEPS, TURNS = 500, 3


def main() -> None:
    """Measure."""
    env = crafter.Env(seed=0)
    start = time.process_time()
    for _ in range(TURNS):
        env.reset()
    made = (time.process_time() - start) / TURNS
    actions = np.random.default_rng(0).integers(0, 17, STEPS)
    spent = []
    for _ in range(TURNS):
        start = time.process_time()
        for action in actions:
            env._player.inventory["health"] = 9
            env.step(int(action))
        spent.append(time.process_time() - start)
        env.reset()
    start, played = time.process_time(), 0
    for _ in range(TURNS):
        env.reset()
        done = False
        while not done:
            done = env.step(int(np.random.default_rng(played).integers(17)))[2]
            played += 1
    both = played / (time.process_time() - start)
    print(json.dumps({"steps/s, pixels": STEPS / min(spent), "steps/s with resets": both, "ms a world": 1e3 * made}))


if __name__ == "__main__":
    main()

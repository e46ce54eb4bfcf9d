"""EnvPool's steps a second on one task, for `benchmarks/locomotion.py`, which runs it in another interpreter.

    PYTHON_WITH_ENVPOOL benchmarks/locomotion_envpool.py Hopper-v5 1024 6

Wants ``pip install envpool`` and nothing of this project. Prints JSON: EnvPool's version, steps a second on one thread
by processor time, and on two threads by the clock.
"""

import json
import sys
import time

import envpool
import numpy as np


def best(task: str, instances: int, turns: int, threads: int, clock) -> float:
    """Steps a second in the quickest of several turns."""
    env = envpool.make(task, "gymnasium", num_envs=instances, num_threads=threads, seed=0)
    space = env.action_space
    rng = np.random.default_rng(0)
    actions = rng.uniform(space.low, space.high, (16, instances, *space.shape)).astype(space.dtype)
    env.reset()
    for k in range(100):
        env.step(actions[k % 16])
    spent = []
    for _ in range(turns):
        start = clock()
        for k in range(4):
            env.step(actions[k])
        spent.append(clock() - start)
    env.close()
    return 4 * instances / min(spent)


def main() -> None:
    """Measure one task."""
    task, instances, turns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    one = best(task, instances, turns, 1, time.process_time)
    two = best(task, instances, turns, 2, time.perf_counter)
    print(json.dumps({"version": envpool.__version__, "one thread": one, "two threads": two}))


if __name__ == "__main__":
    main()

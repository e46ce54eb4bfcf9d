"""EnvPool's steps a second on one task, for `benchmarks/locomotion.py`, which runs it in another interpreter.

    PYTHON_WITH_ENVPOOL benchmarks/locomotion_envpool.py Hopper-v5 1024 4

Wants ``pip install envpool`` and nothing of this project. The numbers are instances and steps of a turn. For each line
of its input, ``one thread`` or ``two threads``, it prints steps a second: of one thread by processor time, of two by
the clock.
"""

import sys
import time
from collections.abc import Callable

import envpool
import numpy as np


def turns(task: str, instances: int, count: int, threads: int) -> Callable[[Callable[[], float]], float]:
    """A function of a clock that takes some steps and tells how many that are a second."""
    env = envpool.make(task, "gymnasium", num_envs=instances, num_threads=threads, seed=0)
    space = env.action_space
    rng = np.random.default_rng(0)
    actions = rng.uniform(space.low, space.high, (16, instances, *space.shape)).astype(space.dtype)
    env.reset()
    for k in range(100):
        env.step(actions[k % 16])

    def turn(clock: Callable[[], float]) -> float:
        start = clock()
        for k in range(count):
            env.step(actions[k % 16])
        return count * instances / (clock() - start)

    return turn


def main() -> None:
    """Take a turn for each line of the input."""
    task, instances, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    one, two = (turns(task, instances, count, threads) for threads in (1, 2))
    for line in sys.stdin:
        print(two(time.perf_counter) if line.strip() == "two threads" else one(time.process_time), flush=True)


if __name__ == "__main__":
    main()

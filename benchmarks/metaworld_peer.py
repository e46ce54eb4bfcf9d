"""Steps a second of metaworld 3.1.1, for `benchmarks/metaworld.py`, in an interpreter that has it.

Reads names of tasks, one a line; answers each with a line of JSON: steps a second under random actions, under the
scripted player's (at steps 60 to 120, its own time not counted), resets a second. Processor
time, best of three turns (resets: the mean).
"""

import json
import sys
import time
import warnings

import numpy as np

BEFORE, DURING, TURNS = 60, 20, 3


def step_times(env, actions) -> list[float]:
    """Processor seconds of each step; an action may be a function of what is observed."""
    seen, times = env.reset()[0], []
    for action in actions:
        row = np.clip(action(seen.copy()), -1, 1) if callable(action) else action
        start = time.process_time()
        seen, *_ = env.step(row)
        times.append(time.process_time() - start)
    return times


def measure(name: str) -> dict[str, float]:
    """Figures of a task."""
    from metaworld.env_dict import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE
    from metaworld.policies import ENV_POLICY_MAP

    env = ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE[f"{name}-goal-observable"](seed=0)
    env.reset()
    random = list(np.random.default_rng(0).uniform(-1, 1, (TURNS * DURING, 4)).astype(np.float32))
    player = [ENV_POLICY_MAP[name]().get_action] * (BEFORE + TURNS * DURING)
    found = {}
    for key, actions in (("random", random), ("player", player)):
        turns = np.array(step_times(env, actions)[-TURNS * DURING :]).reshape(TURNS, DURING)
        found[f"{key} steps/s"] = DURING / turns.sum(1).min()
    start = time.process_time()
    for _ in range(TURNS):
        env.reset()
    found["resets/s"] = TURNS / (time.process_time() - start)
    return found


def main() -> None:
    """Answer."""
    warnings.filterwarnings("ignore")
    for line in sys.stdin:
        print(json.dumps(measure(f"{line.strip()}-v3")), flush=True)


if __name__ == "__main__":
    main()

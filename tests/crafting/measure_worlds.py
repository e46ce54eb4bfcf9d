"""Measure the worlds of Crafter 1.8.3, for `test_worlds.py`: prints mean and standard error by name.

    PYTHONPATH=DIR python tests/crafting/measure_worlds.py 1000

with the package installed in DIR, see `test_original.py`.
"""

import sys

import crafter
import numpy as np
from crafter import constants, objects

KINDS = (objects.Cow, objects.Zombie, objects.Skeleton)


def main(worlds: int) -> None:
    """Draw worlds of the seeds 0, 1, ..."""
    env = crafter.Env(seed=0)
    env._obs = lambda: None
    rows = []
    for seed in range(worlds):
        env._seed, env._episode = seed, 0
        env.reset()
        world = env._world
        shares = [float((world._mat_map == k + 1).mean()) for k in range(len(constants.materials))]
        rows.append([*shares, *(sum(isinstance(one, kind) for one in world.objects) for kind in KINDS)])
    names = [*constants.materials, *(kind.__name__.lower() for kind in KINDS)]
    table = np.array(rows)
    for name, mean, error in zip(names, table.mean(0), table.std(0, ddof=1) / np.sqrt(worlds), strict=True):
        print(f'    "{name}": ({mean:.6g}, {error:.2g}),')


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Constants of rigid bodies beside MuJoCo's: ``python benchmarks/rigid_constants.py`` prints a table in Markdown.

The largest relative difference of any constant of Gymnasium's models, declared in Python and compiled by us, from what
MuJoCo makes of Gymnasium's files; and the time that compilation takes, the best of five.
"""

import sys
import time
from pathlib import Path

import mujoco

sys.path.insert(0, str(Path(__file__).parents[1]))

from envsuite.locomotion import models
from envsuite.rigid import compile_scene
from envsuite.rigid.mujoco import from_mujoco
from tests.rigid.oracle import ASSETS, worst
from tests.rigid.test_constants import FILES


def main() -> None:
    """Print a line for each model."""
    print("| model | size class | largest difference | compiled in |\n| --- | --- | --- | --- |")
    for name, file in FILES.items():
        times = []
        for _ in range(5):
            start = time.perf_counter()
            ours = compile_scene(getattr(models, name), general=True)
            times.append(time.perf_counter() - start)
        error, _ = worst(ours, from_mujoco(mujoco.MjModel.from_xml_path(str(ASSETS / f"{file}.xml"))))
        print(f"| `{name}` | {ours.size} | {error:.1e} | {min(times) * 1e3:.1f} ms |")


if __name__ == "__main__":
    main()

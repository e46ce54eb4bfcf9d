"""Pictures of environments for their pages: the expert, one second into its first evaluation episode.

Compiling a world for one picture takes ten times as long as interpreting its kernels for a second, so processes with
``NUMBA_DISABLE_JIT=1`` draw what they can; what takes them too long is drawn by compiled kernels.
"""

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

from PIL import Image

import envsuite
from envsuite.evaluation.rollout import expert_policy
from envsuite.evaluation.show import Show

PATIENCE = 20.0
"""Seconds of processor time for one interpreted picture."""


def place(env_id: str, folder: Path) -> Path:
    """Where a picture lies."""
    return folder / f"{env_id.split('/')[-1]}.png"


def draw_all(folder: Path) -> None:
    """Draw every environment."""
    ids = list(envsuite.cards())
    for env_id in ids:
        place(env_id, folder).unlink(missing_ok=True)
    workers = os.cpu_count() or 1
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    commands = [[sys.executable, __file__, str(folder), *ids[k::workers]] for k in range(workers)]
    for process in [subprocess.Popen(command, env=environment) for command in commands]:
        process.wait()
    for env_id in ids:
        if not place(env_id, folder).is_file():
            draw(env_id, folder)


def draw(env_id: str, folder: Path) -> None:
    """Draw one environment."""
    show = Show(envsuite.card(env_id), expert_policy)
    frames = list(itertools.islice(show.episode(10**9), round(show.fps)))
    Image.fromarray(frames[-1]).save(place(env_id, folder))


def _give_up(*_) -> None:
    raise TimeoutError


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, _give_up)
    for name in sys.argv[2:]:
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            draw(name, Path(sys.argv[1]))
        except TimeoutError:
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

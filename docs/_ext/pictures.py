"""Pictures of environments: the expert in its first evaluation episode, still for pages and moving for the gallery.

Compiling a world for one picture takes ten times as long as interpreting its kernels for a second. So what is compiled
already, as after the tests, is drawn first, and processes with ``NUMBA_DISABLE_JIT=1`` draw what they can of the rest.
What takes them too long, and worlds of many environments, are compiled at last.
"""

import itertools
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from PIL import Image

import envsuite
from envsuite.core.companions import Pictures, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy, random_policy
from envsuite.evaluation.show import Show

READY, PATIENCE = 2.0, 5.0
"""Seconds of processor time for one environment: compiled already, and interpreted."""
MANY = 4
"""Environments of one world from which on compiling it once is the shorter way."""
FRAMES, FPS, WIDTH = 16, 8.0, 224
"""Of a moving picture: how many, at most so many a second, and pixels."""
SLOWEST = 250
"""Milliseconds that a frame stays at most: games by turns go on faster than in a window."""


def still(env_id: str, folder: Path) -> Path:
    """Where the picture of a page lies."""
    return folder / f"{env_id.split('/')[-1]}.webp"


def moving(env_id: str, folder: Path) -> Path:
    """Where the moving picture of the gallery lies."""
    return folder.parent / "_static" / "gallery" / f"{env_id.split('/')[-1]}.webp"


def draw_all(folder: Path) -> None:
    """Draw every environment."""
    ids = list(envsuite.cards())
    for env_id in ids:
        still(env_id, folder).unlink(missing_ok=True)
        moving(env_id, folder).unlink(missing_ok=True)
    moving("any", folder).parent.mkdir(exist_ok=True)
    count = Counter(card.world for card in envsuite.cards().values())
    few = [env_id for env_id in ids if count[envsuite.card(env_id).world] < MANY]
    for some, patience, interpreted in ((ids, READY, "0"), (few, PATIENCE, "1"), (ids, 0.0, "0")):
        left = [env_id for env_id in some if not still(env_id, folder).is_file()]
        _share(left, folder, patience, interpreted)
    if left := [env_id for env_id in ids if not still(env_id, folder).is_file()]:
        raise RuntimeError(f"no pictures of {', '.join(left)}")


def _share(ids: list[str], folder: Path, patience: float, interpreted: str) -> None:
    """Draw in as many processes as there are cores, each world in one of them."""
    workers = os.cpu_count() or 1
    worlds = sorted({envsuite.card(one).world for one in ids})
    shares = [[one for one in ids if envsuite.card(one).world in worlds[k::workers]] for k in range(workers)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": interpreted}
    commands = [[sys.executable, __file__, str(folder), str(patience), *share] for share in shares if share]
    for process in [subprocess.Popen(command, env=environment) for command in commands]:
        process.wait()


def draw(env_id: str, folder: Path) -> None:
    """Draw one environment."""
    card = envsuite.card(env_id)
    width, height = companion(make_world(card.world, **card.options), Pictures).size
    player = expert_policy if card.expert else random_policy
    show = Show(card, player, (WIDTH, round(WIDTH * height / width)), FPS)
    frames = [Image.fromarray(frame) for frame in itertools.islice(show.episode(10**9), FRAMES)]
    wait = min(SLOWEST, round(1000 / show.fps))
    options = {"duration": wait, "loop": 0, "quality": 50, "method": 2}
    frames[0].save(moving(env_id, folder), save_all=True, append_images=frames[1:], **options)
    last = list(itertools.islice(Show(card, player, smooth=1.0).episode(10**9), 2))[-1]  # after a second
    Image.fromarray(last).save(still(env_id, folder), quality=75)


_GIVEN_UP: list[bool] = []


def _give_up(*_) -> None:
    _GIVEN_UP.append(True)
    raise TimeoutError


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, _give_up)
    names = sys.argv[3:]
    for place, name in enumerate(names):
        signal.setitimer(signal.ITIMER_PROF, float(sys.argv[2]))
        try:
            draw(name, Path(sys.argv[1]))
        except Exception:  # what becomes of the interruption in the middle of compiling
            if not _GIVEN_UP:
                raise
            # this process can compile no more: the others need a new one
            slow = envsuite.card(name).world
            rest = [one for one in names[place + 1 :] if envsuite.card(one).world != slow]
            signal.setitimer(signal.ITIMER_PROF, 0)
            os.execv(sys.executable, [sys.executable, __file__, *sys.argv[1:3], *rest])
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

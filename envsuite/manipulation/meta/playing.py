"""A player that goes on from task to task of a scene within one episode, for data of play.

What it does is what the reference players of these tasks do, each told its own object and a goal of its own; what lies
there stays as the one before has left it.
"""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.core.jit import records
from envsuite.core.rng import STREAM
from envsuite.manipulation.meta.scripts import act
from envsuite.manipulation.meta.senses import see
from envsuite.manipulation.meta.sheets import MOCAP, PUTS, sheet_of
from envsuite.manipulation.meta.starts import locate
from envsuite.manipulation.meta.state import SIGHT
from envsuite.manipulation.meta.tasks import NAMES, TASKS
from envsuite.manipulation.meta.world import MetaWorld
from envsuite.rigid.kinematics import place as pose
from envsuite.rigid.layout import Work

LEAST, MOST = 60, 160
"""Steps for which a task is played; the reference players succeed first after 28 to 137 steps."""


class Aim(Record):
    """What the player of an instance is about."""

    turn = field(type=np.int32, meaning="number of the task among those of the scene; -1 before the first")
    left = field(type=np.int32, meaning="steps for which it is still played")
    goal = field(unit="m", shape=3)
    drawn = field(unit="m", shape=(2, 3), meaning="places as the task draws them")
    sight = field(shape=SIGHT, meaning="what is seen as the task begins")
    rng = field(type=STREAM, meaning="random streams")


def alike(task: str) -> tuple[str, ...]:
    """Names of the tasks that have the scene of a task, this one among them.

    Args:
        task: its name.
    """
    return tuple(name for name in NAMES if TASKS[name].scene is TASKS[task].scene)


@kernel
def _choose(aim, body, sheets, observation):
    """Another task than before, for how long, and a goal where the furniture now stands."""
    count = sheets.shape[0]
    if aim.turn < 0:
        aim.turn = rng.integers(aim.rng, rng.AGENT, count)
    else:
        aim.turn = (aim.turn + 1 + rng.integers(aim.rng, rng.AGENT, count - 1)) % count
    aim.left = LEAST + rng.integers(aim.rng, rng.AGENT, MOST - LEAST + 1)
    sheet = sheets[aim.turn]
    for i in range(2):
        for k in range(3):
            aim.drawn[i, k] = rng.uniform(aim.rng, rng.AGENT, sheet.low[i, k], sheet.high[i, k])
    for i in range(PUTS):
        put = sheet.puts[i]
        if put.what == MOCAP:
            for k in range(3):
                aim.drawn[put.place.source, k] = body.mocap_pos[put.number, k] - put.place.offset[k]
    for k in range(SIGHT):
        aim.sight[k] = observation[k]
    locate(aim, sheet.goal, aim.goal)


@kernel
def _play(params, bodies, work, sheets, endings, aims, observations, actions):
    """Act as the players of the present tasks, and choose others where these are over.

    Args:
        params: constants of the world, (1,).
        bodies: (n,), whose speeds do not matter.
        work: one workspace, (1,).
        sheets: of the scene's tasks.
        endings: of their players.
        aims: (n,), written.
        observations: (n, 39), overwritten with what the present tasks would show.
        actions: (n, 4), written.
    """
    p, w = params[0], work[0]
    for i in range(aims.shape[0]):
        aim, o = aims[i], observations[i]
        if aim.left == 0:
            _choose(aim, bodies[i], sheets, o)
        aim.left -= 1
        sheet = sheets[aim.turn]
        pose(p.model, bodies[i], w)
        see(p, w, sheet.site, o[4:7])
        if sheet.site2 >= 0:
            see(p, w, sheet.site2, o[11:14])
        for k in range(3):
            o[2 * SIGHT + k] = aim.goal[k]
        act(sheet.task, endings[aim.turn], o, actions[i])


class Play:
    """The players of all tasks of a scene, one after another in each episode; it remembers what it is about.

    Args:
        world: one of the tasks, whose scene others have too.

    Raises:
        ValueError: no other task has the scene, or dynamics vary, or the arm is simulated.
    """

    def __init__(self, world: MetaWorld):
        tasks = alike(world.task)
        if len(tasks) < 2:
            raise ValueError(f"task is {world.task!r}, alone in its scene; expected one whose scene others have too")
        if world.compiled.scene is not TASKS[world.task].scene or len(world.params) > 1:
            raise ValueError("the collector 'play' is for the default scenes, without compat and with fixed dynamics")
        self._params = world.params
        sheets = [sheet_of(TASKS[name], NAMES.index(name), world.compiled) for name in tasks]
        self._sheets = records(np.array(sheets))
        self._endings = records(np.concatenate([TASKS[name].ending.records() for name in tasks]))
        self._work = records(np.zeros(1, Work.dtype(np.float64, **world.compiled.sizes)))
        self._aims = records(np.zeros(0, Aim.dtype()))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin anew: no task is chosen yet."""
        if len(self._aims) != len(mask):
            self._aims = records(np.zeros(len(mask), Aim.dtype()))
        rng.begin(self._aims["rng"], np.asarray(seeds), mask)
        self._aims["turn"][mask], self._aims["left"][mask] = -1, 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 4)."""
        told, actions = np.array(observations, np.float64), np.zeros((len(states), 4), np.float32)
        bodies = records(np.array(states["body"]))
        _play(self._params, bodies, self._work, self._sheets, self._endings, self._aims, told, actions)
        return actions

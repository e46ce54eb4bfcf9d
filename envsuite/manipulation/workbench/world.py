"""Further tasks of the Panda arm, modelled on robosuite's and ManiSkill's, as a world."""

from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from envsuite.core import Between, batch_loops
from envsuite.manipulation.panda.scenes import JOINTS, NEUTRAL, SUBSTEPS
from envsuite.manipulation.panda.state import Room
from envsuite.manipulation.workbench.kernel import step
from envsuite.manipulation.workbench.params import (
    DOOR,
    DRAWER,
    MOST_MARKS,
    PEG_INSERTION,
    TASKS,
    WIPE,
    Params,
    TaskName,
)
from envsuite.manipulation.workbench.scenes import DRAWER_WAY, SPONGE, Make, scene_of
from envsuite.manipulation.workbench.senses import measure, observe
from envsuite.manipulation.workbench.starts import reset
from envsuite.manipulation.workbench.state import Info, State, action_of, observation_of
from envsuite.rigid.layout import CLASSES
from envsuite.rigid.world import BodiesWorld

SIZE = "walled"
LOOPS = batch_loops(reset, step, observe, measure=measure, work=Room.dtype(np.float64, **CLASSES[SIZE].sizes))


class Task(NamedTuple):
    """What a task has of its own.

    Attributes:
        low: least x, m, y, m, and turn, rad, of what is drawn.
        high: greatest.
        options: of the world that it has, with its defaults.
        opened: way of drawer, m, or door, rad, from which it counts as open.
    """

    low: tuple[float, float, float]
    high: tuple[float, float, float]
    options: dict[str, Any]
    opened: float = 0.0


OWN = {
    PEG_INSERTION: Task((-0.17, -0.2, -np.pi / 4), (0.1, 0.2, np.pi / 4), {"clearance": 0.002}),
    DRAWER: Task((0.13, -0.12, -0.5), (0.21, 0.12, 0.5), {"friction": 2.0}, 0.9 * DRAWER_WAY),
    DOOR: Task((0.13, -0.12, -0.4), (0.2, 0.12, 0.4), {"friction": 0.2, "hinge": "left"}, 1.0),
    WIPE: Task((-0.2, -0.2, 0), (0.08, 0.2, 0), {"marks": 16, "force": 3.0}),
}
"""By number of the task."""


class WorkbenchWorld(BodiesWorld):
    """A Panda arm at a workbench.

    Args:
        task: its name.
        reward: ``"dense"``, progress within a step's 0 to 1; ``"sparse"``, 1 in success and 0 elsewhere.
        control: ``"ee"`` moves and turns the hand, which points down; ``"joints"`` turns the seven joints.
        clearance: of the peg in its hole, on each side, m; None for 2 mm.
        friction: dry friction of the drawer, N, or of the door's hinge, N m; None for 2 N or 0.2 N m.
        hinge: of the door, as seen from the arm; None for left.
        marks: number of marks to wipe; None for 16.
        force: with which the sponge has to press to wipe, N; None for 3.

    Raises:
        ValueError: an option that the task does not have.
    """

    size = SIZE
    info_dtype = Info.dtype()
    loops = LOOPS

    def __init__(
        self,
        *,
        task: TaskName = "peg-insertion",
        reward: Literal["dense", "sparse"] = "dense",
        control: Literal["ee", "joints"] = "ee",
        clearance: Annotated[float, Between(0.0005, 0.02)] | None = None,
        friction: Annotated[float, Between(0, 20)] | None = None,
        hinge: Literal["left", "right"] | None = None,
        marks: Annotated[int, Between(1, MOST_MARKS)] | None = None,
        force: Annotated[float, Between(0.1, 6)] | None = None,
    ):
        number = TASKS.index(task)
        given = {"clearance": clearance, "friction": friction, "hinge": hinge, "marks": marks, "force": force}
        chosen = _chosen(task, given)
        side = 1 if chosen.get("hinge", "left") == "left" else -1
        make = Make(chosen.get("clearance", 0.0), chosen.get("friction", 0.0), side)
        self.task = task
        self.set_up(
            scene_of(task, make),
            Params,
            State,
            frame_skip=SUBSTEPS,
            task=number,
            by_joints=control == "joints",
            dense=reward == "dense",
            low=OWN[number].low,
            high=OWN[number].high,
            opened=OWN[number].opened,
            side=side,
            marks=chosen.get("marks", 0),
            force=chosen.get("force", 0.0),
        )
        start = self.params[0]["start"]
        start["qpos"][:JOINTS] = NEUTRAL
        if number == WIPE:
            start["qpos"][JOINTS - 2 : JOINTS] = SPONGE[1]
            self.params[0]["pressed"] = self._pair("table", "sponge")
        self.observation = observation_of(number, int(self.params[0]["marks"]))
        self.action = action_of(number, control == "joints")

    def _pair(self, one: str, two: str) -> int:
        """Number of the pair of two shapes."""
        model, wanted = self.compiled.model[0], {self.compiled.geom[one], self.compiled.geom[two]}
        pairs = zip(model["pair_geom1"].tolist(), model["pair_geom2"].tolist(), strict=True)
        return next(k for k, pair in enumerate(pairs) if set(pair) == wanted)


def _chosen(task: str, given: dict[str, Any]) -> dict[str, Any]:
    """A task's options, with its defaults."""
    own = OWN[TASKS.index(task)].options
    for name, value in given.items():
        if value is not None and name not in own:
            raise ValueError(f"{name} is {value!r}, expected None: task {task!r} has {' and '.join(own)} only")
    return {name: given[name] if given[name] is not None else default for name, default in own.items()}

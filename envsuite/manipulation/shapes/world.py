"""Prisms of many shapes that rods slide, push and insert, as a world (HEPi, Hoang et al., ICLR 2025)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import Between
from envsuite.core.jit import records
from envsuite.manipulation.shapes.kernel import (
    draw_shape,
    measure,
    measure_team,
    observe,
    observe_team,
    reset,
    step,
    step_team,
)
from envsuite.manipulation.shapes.outlines import CORNERS, EXTRA, OUTLINES, THICKNESS, TRAINING, checked, dense
from envsuite.manipulation.shapes.params import Params, Pay
from envsuite.manipulation.shapes.scenes import SUBSTEPS, scene_of
from envsuite.manipulation.shapes.state import Info, State, action_of, graph_of, observation_of
from envsuite.manipulation.shapes.tasks import FINE, MOST_POINTS, PLUGGING, TASKS, Task
from envsuite.manipulation.teams import members
from envsuite.rigid import initial
from envsuite.rigid.world import BodiesWorld, compiled, loops_of

SIZE = "large"
ONE = loops_of(SIZE, reset, step, observe, measure=measure, draw_level=draw_shape)
TEAM = loops_of(SIZE, reset, step_team, observe_team, measure=measure_team, draw_level=draw_shape)


class ShapesWorld(BodiesWorld):
    """A prism that rods or grippers bring to a target.

    Args:
        task: ``"sliding"`` and ``"insertion"`` by a rod that holds the prism, ``"pushing"`` and ``"pushing-two"`` by
            loose rods in a plane, ``"insertion-two"`` by two grippers in space.
        shapes: ``"all"`` shapes of the task, each episode another one; ``"training"``, plus, star and pentagon;
            ``"held_out"``, the others; ``"extra"``, L, M, V and rectangle, which none of these hold.
        outlines: names of other shapes instead, or corners (c, 2) by name, of any size.
        resolution: of the observed points: ``"low"``, the corners; ``"high"``, three points an edge.
        noise: standard deviation of the observed points of the prism, m; the original trains with 0.01.
        horizon: steps of an episode; the last ones are paid more.
        team: each actuator is an agent of its own.

    Raises:
        ValueError: an unknown shape, none, or an outline that is none; a team of one.

    Attributes:
        shapes: names of the shapes, in the order of the metric ``outline``.
        outlines: their corners (c, 2), m.
    """

    size = SIZE
    info_dtype = Info.dtype()

    def __init__(
        self,
        *,
        task: Literal["sliding", "pushing", "pushing-two", "insertion", "insertion-two"] = "sliding",
        shapes: Literal["all", "training", "held_out", "extra"] = "all",
        outlines: Sequence[str] | Mapping[str, Sequence[Sequence[float]]] | None = None,
        resolution: Literal["low", "high"] = "low",
        noise: Annotated[float, Between(0, 1)] = 0.0,
        horizon: Annotated[int, Between(1, 100_000)] = 100,
        team: bool = False,
    ):
        self.task = TASKS[task]
        if team and self.task.actuators == 1:
            raise ValueError(f"team is True, expected False for {task!r}, which has one actuator")
        self.outlines = _chosen(self.task, shapes, outlines)
        self.shapes = tuple(self.outlines)
        room = CORNERS * (FINE if resolution == "high" else 1) * (2 if self.task.way == PLUGGING else 1)
        common = _common(self.task, room=room, noise=noise, horizon=horizon)
        made = []
        for number, (name, outline) in enumerate(self.outlines.items()):
            self.compiled = compiled(scene_of(self.task, name, outline), size=SIZE)
            given: dict[str, Any] = {"model": self.compiled.model[0], "start": initial(self.compiled)[0]}
            points, padded = _points(self.task, outline, resolution), np.zeros((MOST_POINTS, 3))
            padded[: len(points)] = points
            given |= {"outline": number, "count": len(points), "points": padded, **common}
            made.append(Params.make(sizes=self.compiled.sizes, **given))
        self.params = records(np.concatenate(made))
        self.state_dtype = State.dtype(np.float64, **self.compiled.sizes)
        self.action, self.observation = action_of(self.task, team), observation_of(self.task, room)
        self.graph = graph_of(self.task)
        self.agents, self.loops = (members(self.task.actuators), TEAM) if team else ((), ONE)

    def model_of(self, state: np.void) -> np.ndarray:
        """See `BodiesWorld.model_of`."""
        return records(np.array([self.params[int(state["level"])]["model"]]))


def _chosen(task: Task, shapes: str, outlines: Any) -> dict[str, np.ndarray]:
    """Outlines by name."""
    if outlines is None:
        held_out = [name for name in task.shapes if name not in TRAINING]
        names = {"all": task.shapes, "training": TRAINING, "held_out": held_out, "extra": EXTRA}[shapes]
        return {name: OUTLINES[name] for name in names}
    if isinstance(outlines, str) or not len(outlines):
        raise ValueError(f"outlines is {outlines!r}, expected names such as ['plus', 'star'], or corners by name")
    if isinstance(outlines, Mapping):
        return {name: checked(name, corners) for name, corners in outlines.items()}
    if unknown := [name for name in outlines if name not in OUTLINES]:
        raise ValueError(f"outline is {unknown[0]!r}, expected one of {', '.join(OUTLINES)}")
    return {name: OUTLINES[name] for name in outlines}


def _points(task: Task, outline: np.ndarray, resolution: str) -> np.ndarray:
    """(p, 3) points of a prism: of its rim in a plane, of both rims in space."""
    rim = outline if resolution == "low" else dense(outline, FINE)
    heights = (-THICKNESS / 2, THICKNESS / 2) if task.way == PLUGGING else (0.0,)
    return np.concatenate([np.column_stack([rim, np.full(len(rim), height)]) for height in heights])


def _common(task: Task, **values: Any) -> dict[str, Any]:
    """What the constants of all shapes of a task have in common."""
    names = ("angle", "depth", "speed", "rate", "reach", "last", "last_distance", "last_angle", "near", "turned")
    starts = np.zeros((2, 2))
    starts[: len(task.starts)] = np.reshape(task.starts, (-1, 2))
    pay = Pay.make(**{name: getattr(task, name) for name in names})[0]
    found = {name: getattr(task, name) for name in ("way", "actuators", "numbers", "low", "high", "goal")}
    return {**found, "starts": starts, "pay": pay, "frame_skip": SUBSTEPS, **values}

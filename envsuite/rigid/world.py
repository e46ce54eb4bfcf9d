"""What worlds of moving bodies have in common: bodies that motors move, and a batch loop with room for physics."""

from functools import lru_cache
from typing import Any

import numpy as np

from envsuite.core import Block, Loops, Record, Reward, StateRecord, Vector, World, batch_loops, field, kernel, rng
from envsuite.core.jit import records
from envsuite.core.loops import Stages
from envsuite.rigid import Compiled, Scene, compile_scene, initial
from envsuite.rigid.fourfold import advance_four, room_of
from envsuite.rigid.integrate import forward
from envsuite.rigid.integrate import step as advance
from envsuite.rigid.lanes import LANES
from envsuite.rigid.layout import CLASSES, Model, Physics, Work
from envsuite.rigid.sampler import Dynamics, push_at_random, sample

compiled = lru_cache(compile_scene)
"""Constants of a scene, computed once."""


def loops_of(size: str, reset: Any, step: Any, observe: Any, **others: Any) -> Loops:
    """Batch loops with a workspace for models of a size class."""
    return batch_loops(reset, step, observe, work=Work.dtype(np.float64, **CLASSES[size].sizes), **others)


def driven_loops(size: str, reset: Any, step: Any, observe: Any, **others: Any) -> Loops:
    """`loops_of` for worlds whose action is what the motors do.

    Their `step` takes no action: it finds the bodies moved, and in the workspace ``square``, that of the action, and
    ``before``, the coordinates before.
    """
    stages = Stages(act, move, move_four, room_of(CLASSES[size].sizes))
    return loops_of(size, reset, step, observe, stages=stages, **others)


class Bodies(Record):
    """Constants of every world: what moves, and for how long a step lasts."""

    model = field(type=Model, meaning="constants of the bodies")
    start = field(type=Physics, meaning="their pose at the beginning, at rest")
    frame_skip = field(type=np.int32, meaning="steps of physics in a step of the environment", low=1, high=1000)
    dynamics = field(type=Dynamics, meaning="what varies from episode to episode")


class BodyState(StateRecord):
    """One instance of every world."""

    body = field(type=Physics, meaning="coordinates, speeds, motors")


class BodiesWorld(World):
    """Bodies that motors move.

    Attributes:
        compiled: constants of the bodies, with numbers of their parts by name.
        size: size class of the bodies; None for the smallest that fits.
    """

    compiled: Compiled
    size: str | None = None
    reward = Reward(dtype=np.float64)

    def set_up(self, scene: Scene, params: Any, state: Any, **values: Any) -> None:
        """Take over a scene.

        Args:
            scene: the bodies.
            params: declaration of the constants, with a field ``model`` and a field ``start``.
            state: declaration of the state.
            **values: of other fields of `params`.
        """
        self.compiled = compiled(scene, size=self.size)
        given = {"model": self.compiled.model[0], "start": initial(self.compiled)[0], **values}
        self.params = params.make(sizes=self.compiled.sizes, **given)
        self.state_dtype = state.dtype(**self.compiled.sizes)
        ranges = self.compiled.model[0]["actuator_ctrlrange"]
        motors = [
            Block(name, 1, float(ranges[k, 0]), float(ranges[k, 1]), meaning="motor")
            for k, name in enumerate(self.compiled.actuator)
        ]
        self.action = Vector(tuple(motors), out_of_range="pass")

    def frames(self, state: np.void) -> tuple[np.ndarray, np.ndarray]:
        """Where the bodies are: origins (bodies, 3), m, and axes as columns (bodies, 3, 3).

        Args:
            state: one record of the world's ``state_dtype``.
        """
        count = int(self.compiled.model[0]["nbody"])
        body, work = np.zeros(1, state["body"].dtype), np.zeros(1, Work.dtype(np.float64, **self.compiled.sizes))
        body[0] = state["body"]
        _pass_over(self.model_of(state), records(body), records(work))
        return work["xpos"][0, :count], work["xmat"][0, :count].reshape(-1, 3, 3)

    def model_of(self, state: np.void) -> np.ndarray:
        """Constants of the bodies of an instance, array of shape (1,).

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return self.compiled.model

    @property
    def seconds_per_step(self) -> float:
        """Time that a step of the environment takes, s."""
        return float(self.params[0]["frame_skip"]) * float(self.compiled.model[0]["timestep"])


@kernel
def _pass_over(model, bodies, work):
    forward(model[0], bodies[0], work[0])


@kernel
def shake(s, p, noise, normal_speeds):
    """Begin near the model's pose: positions uniform within the noise, speeds likewise or normal."""
    s.body = p.start
    sample(s, p)
    body = s.body
    for i in range(p.model.nq):
        body.qpos[i] += rng.uniform(s.rng, rng.RESET, -noise, noise)
    for i in range(p.model.nv):
        if normal_speeds:
            body.qvel[i] = rng.normal(s.rng, rng.RESET, 0.0, noise)
        else:
            body.qvel[i] = rng.uniform(s.rng, rng.RESET, -noise, noise)


@kernel
def act(s, p, w, action):
    """Tell the motors what to do."""
    w.square = 0.0
    for k in range(p.model.nu):
        u = np.float64(action[k])
        s.body.ctrl[k] = u
        w.square += u * u
    for i in range(p.model.nq):
        w.before[i] = s.body.qpos[i]
    push_at_random(s, p)


@kernel
def move(s, p, w):
    """Let the motors act for the steps of physics that one step of the environment has."""
    for _ in range(p.frame_skip):
        advance(p.model, s.body, w)


@kernel
def four_bodies(states, first, last, room):
    """The bodies of up to four instances in a row; in place of those that there are not, copies of the last."""
    for i in range(last - first, LANES):
        room.spare[i] = states[last - 1].body
    b = states[first + 1].body if first + 1 < last else room.spare[1]
    c = states[first + 2].body if first + 2 < last else room.spare[2]
    d = states[first + 3].body if first + 3 < last else room.spare[3]
    return states[first].body, b, c, d


@kernel
def move_four(states, first, last, p, room):
    """`move` for up to four instances in a row."""
    advance_four(p.model, p.frame_skip, four_bodies(states, first, last, room), room)

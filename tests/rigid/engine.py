"""The kernels on a compiled model, as Python calls them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from envsuite.core import kernel
from envsuite.core.jit import kernel_of, records
from envsuite.core.workspace import workspace
from envsuite.rigid import Compiled, initial
from envsuite.rigid.fourfold import advance_four
from envsuite.rigid.integrate import forward, step
from envsuite.rigid.layout import CLASSES, Work


@kernel
def pass_over(model, physics, work):
    """One pass over the first state, whose results stay in `work`."""
    forward(model[0], physics[0], work[0])


@kernel
def advance_in(model, physics, work):
    """One step of the first state, with a workspace that can be looked at."""
    step(model[0], physics[0], work[0])


@lru_cache
def steps_of(size: str) -> Any:
    """Loop over states, compiled for a size class: (model, physics, steps)."""
    scope = {"workspace": workspace, "step": step, "WORK": Work.dtype(**CLASSES[size].sizes), "__name__": __name__}
    lines = """
def advance(model, physics, steps):
    w = workspace(WORK)
    for i in range(physics.shape[0]):
        for _ in range(steps):
            step(model[0], physics[i], w)
"""
    exec(lines, scope)
    return kernel_of(scope["advance"], pass_over, f"advance_{size}")


@lru_cache
def fours_of(size: str) -> Any:
    """Loop over states, four at a time, compiled for a size class: (model, physics, steps, room)."""
    scope = {"advance_four": advance_four, "__name__": __name__}
    lines = """
def advance(model, physics, steps, room):
    for i in range(0, physics.shape[0], 4):
        states = physics[i], physics[i + 1], physics[i + 2], physics[i + 3]
        advance_four(model[0], steps, states, room[0])
"""
    exec(lines, scope)
    return kernel_of(scope["advance"], pass_over, f"advance_fours_{size}")


@dataclass
class Engine:
    """A model with some instances of it."""

    compiled: Compiled
    physics: np.ndarray
    work: np.ndarray

    @classmethod
    def of(cls, compiled: Compiled, count: int = 1) -> "Engine":
        physics = np.repeat(initial(compiled), count)
        return cls(compiled, records(physics), records(np.zeros(1, Work.dtype(**compiled.sizes))))

    def put(self, *, qpos, qvel, ctrl=(), warm=None, mocap_pos=(), mocap_quat=()) -> None:
        """Set the state of the first instance."""
        one = self.physics[0]
        one["qpos"][: len(qpos)], one["qvel"][: len(qvel)], one["ctrl"][: len(ctrl)] = qpos, qvel, ctrl
        if warm is not None:
            one["qacc_warmstart"][: len(warm)] = warm
        if len(mocap_pos):
            one["mocap_pos"][: len(mocap_pos)], one["mocap_quat"][: len(mocap_quat)] = mocap_pos, mocap_quat

    def forward(self) -> None:
        pass_over(self.compiled.model, self.physics, self.work)

    def step(self, steps: int = 1) -> None:
        steps_of(self.compiled.size)(self.compiled.model, self.physics, steps)

    def seen_step(self) -> None:
        """One step of the first instance; `work` holds its last pass."""
        advance_in(self.compiled.model, self.physics, self.work)

    @property
    def qpos(self) -> np.ndarray:
        return self.physics["qpos"][0, : self.compiled.model["nq"][0]]

    @property
    def qvel(self) -> np.ndarray:
        return self.physics["qvel"][0, : self.compiled.model["nv"][0]]

    @property
    def qacc(self) -> np.ndarray:
        return self.work["qacc"][0, : self.compiled.model["nv"][0]]

"""The tasks on MuJoCo itself: the same models, records, rules and options, with its steps in the place of the kernels'.

Kernels of a task run as Python. What they read from the workspace of a pass they read from MuJoCo's ``mjData``, whose
arrays have the same names. A step is a function of the record alone: snapshots, also those of the kernels, hold.
"""

import threading
from dataclasses import replace
from typing import Any

import numpy as np

from envsuite.core.rebinding import rebound_through
from envsuite.locomotion.ant.world import AntWorld
from envsuite.locomotion.dynamics import LocomotionWorld
from envsuite.locomotion.humanoid.world import HumanoidStandupWorld, HumanoidWorld
from envsuite.locomotion.neorl.world import RandomFrictionHopperWorld, SafetyHalfCheetahWorld
from envsuite.locomotion.pendulums.world import InvertedDoublePendulumWorld, InvertedPendulumWorld
from envsuite.locomotion.planar.world import HalfCheetahWorld, HopperWorld, SwimmerWorld, Walker2dWorld
from envsuite.locomotion.reacher.world import ReacherWorld
from envsuite.rigid import Scene
from envsuite.rigid.mujoco import MujocoEngine

_OWN = ("engine", "loops", "_lock", "_rules")  # what a copy makes anew


class _Room:
    """A workspace: MuJoCo's, and what kernels keep beside it."""

    def __init__(self, data: Any):
        self._data, self.square, self.before = data, 0.0, np.zeros_like(data.qpos)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._data, name)


class MujocoWorld(LocomotionWorld):
    """A task whose bodies MuJoCo moves; to be mixed into the task's own class.

    Attributes:
        engine: that moves them.

    Raises:
        ModuleNotFoundError: MuJoCo is not installed.
    """

    engine: MujocoEngine

    def set_up(self, scene: Scene, params: Any, state: Any, **values: Any) -> None:
        """See `LocomotionWorld.set_up`."""
        super().set_up(scene, params, state, **values)
        self._start()

    def _start(self) -> None:
        self.engine, self._lock = MujocoEngine(self.compiled), threading.Lock()
        engine = self.engine
        replacements = {
            "workspace": lambda _: _Room(engine.data),
            "advance": lambda _, body, data: engine.step([body]),
            "forward": lambda _, body, data: engine.forward(body),
            "contact_wrenches": lambda _, body, data: engine.sum_contacts(),
        }
        rules = type(self).loops
        names = ("reset", "step", "observe")
        self._rules = {name: rebound_through(getattr(rules, name), **replacements) for name in names}
        loops = {"reset": self._reset, "step": self._step, "observe": self._observe, "step_abreast": None}
        self.loops = replace(rules, **loops)

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name not in _OWN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def _reset(self, states, params, mask, observations, info, start, stop) -> None:
        self._run("reset", (states, params, mask, observations, info, start, stop))

    def _step(self, states, params, actions, restart, horizon, *others) -> None:
        self._run("step", (states, params, actions, restart, horizon, *others))

    def _observe(self, states, params, observations, info, start, stop) -> None:
        self._run("observe", (states, params, observations, info, start, stop))

    def _run(self, name: str, arguments: tuple[Any, ...]) -> None:
        readable = [one.view(np.recarray) if _is_record(one) else one for one in arguments]
        with self._lock:  # there is one `mjData`
            self._rules[name](*readable)

    def frames(self, state: np.void) -> tuple[np.ndarray, np.ndarray]:
        """See `LocomotionWorld.frames`."""
        with self._lock:
            self.engine.forward(state["body"])
            return self.engine.data.xpos.copy(), self.engine.data.xmat.reshape(-1, 3, 3).copy()


def _is_record(one: Any) -> bool:
    return isinstance(one, np.ndarray) and one.dtype.names is not None


class MujocoAnt(MujocoWorld, AntWorld):
    """Ant on MuJoCo."""


class MujocoHalfCheetah(MujocoWorld, HalfCheetahWorld):
    """HalfCheetah on MuJoCo."""


class MujocoHopper(MujocoWorld, HopperWorld):
    """Hopper on MuJoCo."""


class MujocoHumanoid(MujocoWorld, HumanoidWorld):
    """Humanoid on MuJoCo."""


class MujocoHumanoidStandup(MujocoWorld, HumanoidStandupWorld):
    """HumanoidStandup on MuJoCo."""


class MujocoInvertedDoublePendulum(MujocoWorld, InvertedDoublePendulumWorld):
    """InvertedDoublePendulum on MuJoCo."""


class MujocoInvertedPendulum(MujocoWorld, InvertedPendulumWorld):
    """InvertedPendulum on MuJoCo."""


class MujocoRandomFrictionHopper(MujocoWorld, RandomFrictionHopperWorld):
    """RandomFrictionHopper on MuJoCo."""


class MujocoReacher(MujocoWorld, ReacherWorld):
    """Reacher on MuJoCo."""


class MujocoSafetyHalfCheetah(MujocoWorld, SafetyHalfCheetahWorld):
    """SafetyHalfCheetah on MuJoCo."""


class MujocoSwimmer(MujocoWorld, SwimmerWorld):
    """Swimmer on MuJoCo."""


class MujocoWalker2d(MujocoWorld, Walker2dWorld):
    """Walker2d on MuJoCo."""

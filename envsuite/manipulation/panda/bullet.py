"""The arm's tasks on PyBullet itself, equal to panda-gym step by step.

Rules are the kernels'; only the motion is the engine's. The engine keeps more than places and speeds: contact points,
and the impulses that solved them, with which the next step begins. They cannot be read out. So the record holds where
an episode began and the actions since, from which another engine gets to the same bits; the engine that played it just
goes on.
"""

import hashlib
import os
import threading
from dataclasses import replace
from typing import Any

import numpy as np

from envsuite.core import Record, batch_loops, field, kernel
from envsuite.core.bullet import load_pybullet
from envsuite.manipulation.panda.engine import Engine
from envsuite.manipulation.panda.goals import judge, pay
from envsuite.manipulation.panda.params import TASKS
from envsuite.manipulation.panda.scenes import ARM, JOINTS
from envsuite.manipulation.panda.senses import measure, observe
from envsuite.manipulation.panda.starts import reset
from envsuite.manipulation.panda.state import Room
from envsuite.manipulation.panda.world import SIZES, PandaWorld
from envsuite.rigid.layout import CLASSES

LIMIT = 128
"""Steps after which an episode is put into place anew, which forgets contact points; the longest task has 100."""

CAMERA = -1
"""In the place of an instance's number: the engine that pictures are drawn with."""

_OWN = ("_rules", "_engines", "_process", "_lock", "loops")  # what a copy makes anew


class Flown(Record):
    """How an episode came about."""

    mark = field(type=np.uint64, meaning="a digest of all of it")
    steps = field(type=np.int64, meaning="since everything was put into place")
    qpos = field(type=np.float64, shape="positions", meaning="coordinates at that time")
    qvel = field(type=np.float64, shape="dofs", meaning="speeds at that time")
    actions = field(type=np.float32, shape=(LIMIT, ARM + 1), meaning="in each step since")


@kernel
def judged(s, p):
    """End a step that the engine has made."""
    s.is_success = judge(s, p)[1]
    s.success_once = s.success_once or s.is_success
    return pay(s, p), s.is_success


_LOOPS = {
    size: batch_loops(reset, judged, observe, measure=measure, work=Room.dtype(np.float64, **CLASSES[size].sizes))
    for size in dict.fromkeys(SIZES)
}


class BulletPanda(PandaWorld):
    """A task whose arm PyBullet moves.

    Args:
        **options: of `PandaWorld`.

    Raises:
        ModuleNotFoundError: PyBullet is not installed.
    """

    def __init__(self, **options: Any):
        load_pybullet()
        super().__init__(**options)
        first, second, *rest = [(name, self.state_dtype[name]) for name in self.state_dtype.names or ()]
        # not at the end: Numba takes a record that begins as another does for a subtype of it
        flown = Flown.dtype(np.float64, **self.compiled.sizes)
        self.state_dtype = np.dtype([first, second, ("flown", flown), *rest], align=True)
        self._forget()

    def _forget(self) -> None:
        self._rules = _LOOPS[SIZES[TASKS.index(self.task)]]
        self._engines: dict[int, Engine] = {}
        self._process, self._lock = os.getpid(), threading.Lock()
        self.loops = replace(self._rules, reset=self._reset_batch, step=self._step_batch)

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name not in _OWN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def _reset_batch(self, states, params, mask, observations, info, start, stop) -> None:
        rules = self._rules
        rules.reset(states, params, mask, observations, info, start, stop)
        with self._lock:
            for i in np.flatnonzero(mask[start:stop]) + start:
                self._begin(states[i], int(i))
                rules.observe(states, params, observations, info, i, i + 1)

    def _step_batch(
        self, states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
    ) -> None:
        rules, anew = self._rules, restart[start:stop]
        with self._lock:
            for i in np.flatnonzero(~anew) + start:
                self._move(states[i], int(i), actions[i])
            rest = observations, rewards, terminated, truncated, info, start, stop
            rules.step(states, params, actions, restart, horizon, *rest)
            for i in np.flatnonzero(anew) + start:
                self._begin(states[i], int(i))
                rules.observe(states, params, observations, info, i, i + 1)

    def _engine(self, slot: int) -> Engine:
        if self._process != os.getpid():  # engines do not survive a fork
            self._engines, self._process = {}, os.getpid()
        if slot not in self._engines:
            p = self.params[0]
            self._engines[slot] = Engine(int(p["task"]), int(p["things"]), seen=slot == CAMERA)
        return self._engines[slot]

    def _begin(self, state, slot: int) -> None:
        """Put everything where an episode begins, or where a record is taken up without its past."""
        engine, flown, body = self._engine(slot), state["flown"], state["body"]
        flown["steps"], flown["actions"] = 0, 0.0
        flown["qpos"], flown["qvel"] = body["qpos"], body["qvel"]
        engine.begin(body, state["goal"])
        self._look(engine, state)
        self._leave(engine, state, 0, b"")

    def _move(self, state, slot: int, action: np.ndarray) -> None:
        engine, flown = self._engine(slot), state["flown"]
        if not self._resume(engine, state) or flown["steps"] == LIMIT:
            self._begin(state, slot)
        engine.left = None  # until the step is done
        self._act(engine, action)
        flown["actions"][flown["steps"], : len(action)] = action
        flown["steps"] += 1
        self._look(engine, state)
        self._leave(engine, state, int(flown["mark"]), action.tobytes())

    def _leave(self, engine: Engine, state, mark: int, more: bytes) -> None:
        """Write down what has become of a record, so that the engine can go on from it."""
        now = _bytes(state["body"])
        digest = hashlib.blake2b(mark.to_bytes(8, "little") + now + more, digest_size=8).digest()
        state["flown"]["mark"] = int.from_bytes(digest, "little")
        engine.left = int(state["flown"]["mark"]), now

    def _act(self, engine: Engine, action: np.ndarray) -> None:
        p = self.params[0]
        engine.act(action, grips=bool(p["grips"]), by_joints=bool(p["by_joints"]))

    def _resume(self, engine: Engine, state) -> bool:
        """Bring the engine to where the record's episode was left; False where the record is not its outcome."""
        flown = state["flown"]
        if engine.left is not None and engine.left[0] == int(flown["mark"]):
            return engine.left[1] == _bytes(state["body"])
        past = np.array([state])
        body = past[0]["body"]
        body["qpos"], body["qvel"] = flown["qpos"], flown["qvel"]
        engine.left = None
        engine.begin(body, state["goal"])
        for action in flown["actions"][: int(flown["steps"])]:
            self._act(engine, action[: self.action.shape[0]])
            self._look(engine, past[0])  # what is asked of the engine changes the last digits of what follows
        return _bytes(body) == _bytes(state["body"])

    def _look(self, engine: Engine, state) -> None:
        """Write where everything is into a record."""
        found, body, sight = engine.read(), state["body"], state["sight"]
        q, v = body["qpos"], body["qvel"]
        q[:JOINTS], v[:JOINTS] = found.joints[:, 0], found.joints[:, 1]
        sight["hand"], sight["hand_velocity"] = found.hand
        sight["opening"] = q[JOINTS - 2] + q[JOINTS - 1]
        for n, (place, turn, velocity, spin) in enumerate(found.things):
            at, dof = JOINTS + 7 * n, JOINTS + 6 * n
            q[at : at + 7] = *place, turn[3], *turn[:3]
            v[dof : dof + 6] = *velocity, *engine.spin_in_body(turn, spin)
            sight["place"][n], sight["turn"][n], sight["angles"][n] = place, turn, engine.angles(turn)
            sight["velocity"][n], sight["spin"][n] = velocity, spin

    def names(self) -> tuple[str, ...]:
        """Names of all that cameras can see."""
        return self._engine(CAMERA).kinds

    def show(self, state) -> Engine:
        """An engine with everything in its place, for cameras.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        with self._lock:
            engine = self._engine(CAMERA)
            engine.place(state["body"], state["goal"])
        return engine

    def close(self) -> None:
        """Free the engines; the next step makes new ones."""
        if self._process == os.getpid():
            for engine in self._engines.values():
                engine.close()
        self._engines = {}

    def __del__(self):
        if getattr(self, "_engines", None):
            self.close()


def _bytes(body) -> bytes:
    return body["qpos"].tobytes() + body["qvel"].tobytes()

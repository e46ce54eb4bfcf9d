"""Tasks as metaworld 3.1.1 begins them: where it puts objects into the table or above it, and observes too early."""

from collections.abc import Mapping
from dataclasses import replace
from math import cos, sin
from typing import Any

from envsuite.manipulation.meta.scenes.furniture import JOINT
from envsuite.manipulation.meta.scenes.original import ORIGINAL
from envsuite.manipulation.meta.sheets import LEVEL, LEVEL_GOAL, SCIPY, XYZW, first, seen
from envsuite.manipulation.meta.tasks import TASKS, Task

_NEAR_0 = (-0.001, 0.001)  # m, of the height of furniture on the table
_SIDE, _FAR = (-0.1, 0.1), (0.8, 0.9)
_AS_DRAWN: dict[str, Any] = {"puts": {"object": first()}}
_AS_SETTLED: dict[str, Any] = {"level": LEVEL, "start": seen()}
_ALL_AS_SETTLED: dict[str, Any] = {"level": LEVEL_GOAL, "start": seen()}
_EARLY: dict[str, Any] = {"early": True}
_LEANS: dict[str, Any] = {"goal": first(0, -0.1 * cos(1.57), 0.1 * sin(1.57))}
_AT_REST: dict[str, Any] = {"starts": {JOINT: 0.0}}
_MACHINE: dict[str, Any] = {"first": ((-0.05, 0.05), (0.7, 0.75), _NEAR_0), "second": (_SIDE, (0.55, 0.65), _NEAR_0)}
_SIDEWAYS = {"first": ((-0.35, -0.25), (0.65, 0.75), _NEAR_0)}
_HANDLE: dict[str, Any] = {"first": (_SIDE, _FAR, _NEAR_0)}

CHANGES: Mapping[str, dict[str, Any]] = {
    "hand-insert": {**_AS_DRAWN, "second": ((-0.04, 0.04), (0.8, 0.88), (-0.0201, -0.0199))},
    "pick-place-wall": _AS_DRAWN,
    "sweep": _AS_DRAWN,
    "bin-picking": _AS_SETTLED,
    "sweep-into": _AS_SETTLED,
    "push": _ALL_AS_SETTLED,
    "push-wall": _ALL_AS_SETTLED,
    "push-back": _ALL_AS_SETTLED,
    "shelf-place": {**_AS_SETTLED, "second": (_SIDE, _FAR, _NEAR_0)},
    "button-press-topdown": _LEANS,
    "button-press-topdown-wall": _LEANS,
    "button-press": _AT_REST,
    "button-press-wall": {**_AT_REST, "first": ((-0.05, 0.05), (0.85, 0.9), (0.1149, 0.1151))},
    "door-open": _AT_REST,
    "door-close": {"starts": {JOINT: -1.5708}},
    "door-unlock": {"starts": {JOINT: 1.5708}},
    "coffee-button": {"first": (_SIDE, _FAR, _NEAR_0)},
    "coffee-pull": _MACHINE,
    "coffee-push": {"first": _MACHINE["second"], "second": _MACHINE["first"]},
    "disassemble": {"first": ((0, 0.1), (0.6, 0.75), (0.025, 0.02501))},
    "handle-press-side": {**_SIDEWAYS, "goal": first(0.216 * sin(1.57), -0.216 * cos(1.57), 0.075)},
    "handle-pull-side": {"goal": first(0.216 * sin(1.57), -0.216 * cos(1.57), 0.172)},
    "handle-press": _HANDLE,
    "handle-pull": _HANDLE,
    "peg-insert-side": {"second": ((-0.35, -0.25), (0.4, 0.7), _NEAR_0)},
    "peg-unplug-side": {"first": ((-0.25, -0.15), (0.6, 0.8), _NEAR_0), "upright": True},
    "stick-push": {"second": ((0.399, 0.401), (0.55, 0.6), 0.132)},
    "dial-turn": _EARLY,
    "door-lock": _EARLY,
    "drawer-open": _EARLY,
    "faucet-open": _EARLY,
    "lever-pull": _EARLY,
    "window-open": _EARLY,
    "window-close": _EARLY,
}
"""What tasks have otherwise there, from their `reset_model`."""


def as_original(name: str) -> Task:
    """A task with the original's scene and start.

    Args:
        name: of the task.
    """
    task = TASKS[name]
    quat = SCIPY if task.quat == XYZW else task.quat
    return replace(task, scene=ORIGINAL[name](), quat=quat, **CHANGES.get(name, {}))

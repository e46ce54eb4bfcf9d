"""Wrappers for what one array cannot hold: several forms of the observation at once, and actions in two parts."""

import string
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Text
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector.utils import batch_space

from envsuite.core.jit import records
from envsuite.core.loops import seen_by
from envsuite.tower_defense.kernel.loops import LOOPS
from envsuite.tower_defense.kernel.world import SENSES
from envsuite.tower_defense.params import COMMANDS, HALF, UNIT

FORMS = ("vector", "compat", "planes", "pixels", "text")
"""Forms of the observation, all of the same state without what the fog hides."""

LONGEST_TEXT = 32_768
_EDGE = HALF / UNIT


class _Forms:
    """Observations of a batch by name."""

    def __init__(self, front: Any, forms: Sequence[str], pixels: int):
        world = front.world
        if not hasattr(world, "levels") or world.agents:
            raise ValueError(f"{type(world).__name__} is no tower-defense world of one player")
        names = (forms,) if isinstance(forms, str) else tuple(forms)
        if unknown := [name for name in names if name not in FORMS]:
            raise ValueError(f"form is {unknown[0]!r}, expected among {', '.join(FORMS)}")
        if not names or len(set(names)) < len(names):
            raise ValueError(f"forms are {names}, expected one or more, each once")
        if isinstance(pixels, bool) or not isinstance(pixels, int) or not 36 <= pixels <= 1024:
            raise ValueError(f"pixels is {pixels!r}, expected an integer from 36 to 1024")
        self._front, self._names, self._pixels = front, names, pixels
        self._params = records(world.params)
        self._info = records(np.zeros(len(front.batch.states), world.info_dtype))
        self.space = Dict({name: self._space(name) for name in names})

    def _space(self, name: str) -> gymnasium.Space:
        if name == "pixels":
            return Box(0, 255, (self._pixels, self._pixels, 3), np.uint8)
        if name == "text":
            return Text(LONGEST_TEXT, charset=frozenset(string.printable))
        return SENSES[name].space()

    def read(self) -> dict[str, Any]:
        """Every form: arrays (n, ...), and a tuple of n texts."""
        return {name: self._read(name) for name in self._names}

    def _read(self, name: str) -> Any:
        front, states = self._front, self._front.batch.states
        if name == "text":
            return tuple(front.describe(i) for i in range(len(states)))
        if name == "pixels":
            size = (self._pixels, self._pixels)
            return np.stack([front.frame(i, size) for i in range(len(states))])
        layout, loops = SENSES[name], LOOPS["number", name]
        out = np.zeros((len(states), *layout.shape), layout.dtype)
        loops.observe(states, self._params, records(seen_by(loops, layout, out)), self._info, 0, len(states))
        return out


class ManyForms(gymnasium.ObservationWrapper, RecordConstructorArgs):
    """Several forms of the observation at once, as a dictionary.

    Args:
        env: a tower-defense environment of one player.
        forms: some of `FORMS`.
        pixels: side of the frames, 36 to 1024.

    Raises:
        ValueError: another environment, an unknown form, or a size out of range.
    """

    def __init__(self, env: gymnasium.Env, forms: Sequence[str] = ("vector", "pixels", "text"), pixels: int = 84):
        RecordConstructorArgs.__init__(self, forms=forms, pixels=pixels)
        gymnasium.ObservationWrapper.__init__(self, env)
        self._forms = _Forms(env.unwrapped, forms, pixels)
        self.observation_space = self._forms.space

    def observation(self, observation: Any) -> dict[str, Any]:
        """The forms of the present state."""
        return {name: batch[0] for name, batch in self._forms.read().items()}


class ManyFormsVector(gymnasium.vector.VectorObservationWrapper):
    """`ManyForms` of a batch; texts are a tuple. Automatic resets of the mode `SAME_STEP` are not supported.

    Args:
        env: a batch of a tower-defense environment of one player.
        forms: some of `FORMS`.
        pixels: side of the frames, 36 to 1024.

    Raises:
        ValueError: another environment or autoreset mode, an unknown form, or a size out of range.
    """

    def __init__(self, env: Any, forms: Sequence[str] = ("vector", "planes"), pixels: int = 84):
        super().__init__(env)
        if env.metadata.get("autoreset_mode") is gymnasium.vector.AutoresetMode.SAME_STEP:
            raise ValueError("autoreset_mode is SAME_STEP: last observations would be of one form; use another mode")
        self._forms = _Forms(env.unwrapped, forms, pixels)
        self.single_observation_space = self._forms.space
        self.observation_space = batch_space(self._forms.space, env.num_envs)

    def observations(self, observations: Any) -> dict[str, Any]:
        """The forms of the present states."""
        return self._forms.read()


class PlaceAndCommand(gymnasium.ActionWrapper, RecordConstructorArgs):
    """Actions in two parts: ``place`` (x, y) in units, -3 to 3, and ``command``, 0 to 11.

    Args:
        env: a tower-defense environment with ``actions="xyc"``.

    Raises:
        ValueError: another encoding of actions.
    """

    def __init__(self, env: gymnasium.Env):
        RecordConstructorArgs.__init__(self)
        gymnasium.ActionWrapper.__init__(self, env)
        world = getattr(env.unwrapped, "world", None)
        if getattr(world, "actions", None) != "xyc":
            raise ValueError('the environment has no places as actions: make it with actions="xyc"')
        place = Box(-_EDGE, _EDGE, (2,), np.float32)
        self.action_space = Dict({"place": place, "command": Discrete(len(COMMANDS))})

    def action(self, action: dict[str, Any]) -> np.ndarray:
        """The same as three numbers in [-1, 1]."""
        if not self.action_space.contains(action):
            raise ValueError(f"action is {action!r}, expected an element of {self.action_space}")
        code = 2 * (int(action["command"]) + 0.5) / len(COMMANDS) - 1
        return np.array([*(action["place"] / _EDGE), code], np.float32)

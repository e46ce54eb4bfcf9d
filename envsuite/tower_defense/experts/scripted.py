"""The scripted players as policies for every encoding of actions."""

import numpy as np

from envsuite.core.jit import kernel, records
from envsuite.tower_defense.experts.plans import NO_PLAN, PATTERN, choose
from envsuite.tower_defense.kernel.commands import number_of
from envsuite.tower_defense.params import COMMANDS, HALF, WAIT

STYLES = {"S1": 1, "S2": 2, "S3": 3}


@kernel
def choose_batch(states, params, style, pattern, plan, exact, commands):
    """Write the command of every instance, (n, 4): kind, site, x, y."""
    for i in range(states.shape[0]):
        kind, site, x, y = choose(states[i], params[states[i].level], style, pattern, plan, exact)
        commands[i, 0], commands[i, 1], commands[i, 2], commands[i, 3] = kind, site, x, y


@kernel
def number_batch(states, params, commands, numbers):
    """Translate commands into the site encoding."""
    for i in range(states.shape[0]):
        row = commands[i]
        numbers[i] = number_of(params[states[i].level], row[0], row[1], row[2], row[3])


class Scripted:
    """Plays by a fixed rule; it looks at the record, but at nothing in it that the fog hides.

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        style: ``"S1"``, ``"S2"`` or ``"S3"``, see `envsuite.tower_defense.experts.plans`.
        every: decide only every so many decisions, and wait in between.
        plan: investments to make before all others, in order: command and site, int64 (n, 2).

    Raises:
        ValueError: an unknown style.
    """

    def __init__(self, world, style: str = "S3", every: int = 1, plan: np.ndarray = NO_PLAN):
        if style not in STYLES:
            raise ValueError(f"style is {style!r}, expected one of {', '.join(STYLES)}")
        self._params = records(world.params)
        self._actions, self._style, self._every = world.actions, STYLES[style], every
        self._plan = plan
        self._bins = int(world.params[0]["grid"])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def commands(self, states: np.ndarray) -> np.ndarray:
        """What to do in every instance, int64 (n, 4): kind, site or -1, x, y in su."""
        chosen = np.empty((len(states), 4), np.int64)
        choose_batch(states, self._params, self._style, PATTERN, self._plan, self._actions != "site", chosen)
        if self._every > 1:
            chosen[states["clock"]["step"] % self._every != 0] = (WAIT, -1, 0, 0)
        return chosen

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions in the world's encoding."""
        chosen = self.commands(states)
        if self._actions == "site":
            numbers = np.empty(len(states), np.int64)
            number_batch(states, self._params, chosen, numbers)
            return numbers
        if self._actions in ("grid", "flat"):
            bins = np.clip((chosen[:, 2:] + HALF) * self._bins // (2 * HALF), 0, self._bins - 1)
            if self._actions == "flat":
                return (bins[:, 0] * self._bins + bins[:, 1]) * len(COMMANDS) + chosen[:, 0]
            return np.concatenate([bins, chosen[:, :1]], axis=1)
        places = chosen[:, 2:] / HALF
        return np.concatenate([places, 2 * (chosen[:, :1] + 0.5) / 12 - 1], axis=1).astype(np.float32)

"""A person at the keyboard and the mouse."""

from collections.abc import Callable

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.core.world import World


class HumanPolicy:
    """Plays one slot by clicks and held keys; further agents of the same slot are played by the world's expert.

    Args:
        world: the simulator, which knows its keys.
        pressed: gives the names of the keys held down.
        clicked: gives a click as shares of the frame's width and height, or None.
    """

    def __init__(
        self,
        world: World,
        pressed: Callable[[], set[str]],
        clicked: Callable[[], tuple[float, float] | None] = lambda: None,
    ):
        self._world, self._clicked = world, clicked
        self._keys = {frozenset(keys): action for keys, action in world.keys_to_action().items()}
        self._idle = self._keys.get(frozenset(), next(iter(self._keys.values())))
        self._pressed = pressed
        self._others: Policy | None = world.expert() if world.agents else None
        self._dtype = world.action.dtype

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin anew."""
        if self._others is not None:
            self._others.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The action of a click, else of the largest known set of keys that are held; the idle one where none is."""
        held, place = self._pressed(), self._clicked()
        action = None if place is None else self._world.point_to_action(place, held, states[0])
        if action is None:
            matching = [keys for keys in self._keys if keys <= held]
            action = self._keys[max(matching, key=len)] if matching else self._idle
        mine = np.asarray(action, self._dtype)
        if self._others is None:
            return mine[np.newaxis]
        actions = np.array(self._others.act(observations, states))
        actions[0, 0] = mine
        return actions

"""People at the keyboard, and one at the mouse."""

from collections.abc import Callable

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.core.companions import Controls, Players, companion
from envsuite.core.world import World


class HumanPolicy:
    """Plays one slot by clicks and held keys; agents for whom nobody sits there are played by the world's expert.

    Args:
        world: the simulator, which knows its keys.
        pressed: gives the names of the keys held down.
        clicked: gives a click as shares of the frame's width and height, or None.
        people: how many play; several share the keyboard as the world has it (`World.shared_keys`).

    Attributes:
        idle: the last click meant nothing, and no key of the world was held.

    Raises:
        ValueError: the world has no keys for so many people.
    """

    idle = False

    def __init__(
        self,
        world: World,
        pressed: Callable[[], set[str]],
        clicked: Callable[[], tuple[float, float] | None] = lambda: None,
        people: int = 1,
    ):
        self._world, self._clicked = world, clicked
        tables = (
            companion(world, Controls).shared_keys()[:people] if people > 1 else (companion(world, Controls).keys(),)
        )
        if len(tables) < people:
            raise ValueError(f"{type(world).__name__} has keys for {len(tables) or 1} at one keyboard, not {people}")
        self._keys = [{frozenset(keys): action for keys, action in table.items()} for table in tables]
        self._pressed = pressed
        self._others: Policy | None = companion(world, Players).expert() if len(world.agents) > people else None
        self._dtype = world.action.dtype

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin anew."""
        if self._others is not None:
            self._others.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The action of a click, else of the largest known set of keys that are held; the idle one where none is."""
        held, place = self._pressed(), self._clicked()
        action = None if place is None else companion(self._world, Controls).click(place, held, states[0])
        self.idle = place is not None and action is None and not any(some <= held for some in self._keys[0])
        chosen = [self._held(keys, held) for keys in self._keys]
        if action is not None:
            chosen[0] = action
        mine = np.array(chosen, self._dtype)
        if not self._world.agents:
            return mine
        if self._others is None:
            return mine[np.newaxis]
        actions = np.array(self._others.act(observations, states))
        actions[0, : len(mine)] = mine
        return actions

    @staticmethod
    def _held(keys: dict, held: set[str]):
        matching = [some for some in keys if some <= held]
        return keys[max(matching, key=len)] if matching else next(iter(keys.values()))

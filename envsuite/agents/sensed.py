"""Players that see pictures, or read words, where a world observes numbers."""

import numpy as np

from envsuite.agents.onnx import OnnxPolicy
from envsuite.core.companions import Pictures, Words, companion
from envsuite.core.layout import Block, Layout, Vector
from envsuite.core.world import World, lead_shape


class SensedPolicy:
    """A network trained on observations of another form: it is given what that option gives, made from the state.

    Args:
        network: maps frames or words to actions.
        world: draws or writes them.

    Raises:
        ValueError: the network's actions, frames or words do not fit the world.
    """

    def __init__(self, network: OnnxPolicy, world: World):
        shape, form = network.observation_shape, _form(network, world)
        if form is None:
            raise ValueError(f"the network takes {shape}, expected one of {sorted(_forms(world).values())}")
        high = 255 if form in companion(world, Pictures).forms else len(companion(world, Words).vocabulary) - 1
        network.check(Vector((Block(form, int(np.prod(shape)), 0, high),), np.int32, shape), world.action)
        self._network, self._world, self._form, self._shape = network, world, form, shape

    @staticmethod
    def takes(network: OnnxPolicy, world: World) -> bool:
        """Whether a network takes a form of observations that the world does not give by itself."""
        layout: Layout = world.observation
        return network.observation_shape != layout.shape and _form(network, world) is not None

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self._network.reset(mask, seeds)

    def probabilities(self, observations: np.ndarray) -> np.ndarray:
        """Cannot be told from observations alone.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"the network sees {self._form}, expected one of observations")

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions by what states look like or are told as; the observations' numbers are not looked at."""
        world, shape = self._world, lead_shape(self._world, len(states)) + self._shape
        if self._form in companion(world, Pictures).forms:
            given = np.empty(shape, np.uint8)
            companion(world, Pictures).draw_many(states, self._form, given)
        else:
            given = np.empty(shape, np.int32)
            companion(world, Words).write_tokens(states, given)
        return self._network.act(given, states)


def word_forms(world: World) -> dict[str, tuple[int, ...]]:
    """Shapes of observations of words, which worlds of one agent may have, by name."""
    tokens = {} if world.agents else companion(world, Words).token_forms
    return {name: (length,) for name, length in tokens.items()}


def _forms(world: World) -> dict[str, tuple[int, ...]]:
    return {**companion(world, Pictures).forms, **word_forms(world)}


def _form(network: OnnxPolicy, world: World) -> str | None:
    """Name of the form that a network takes, by its shape."""
    return next((form for form, shape in _forms(world).items() if shape == network.observation_shape), None)

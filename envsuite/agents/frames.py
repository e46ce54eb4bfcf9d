"""Players that see pictures."""

import numpy as np

from envsuite.agents.onnx import OnnxPolicy
from envsuite.core.companions import Pictures, companion
from envsuite.core.layout import Block, Layout, Vector
from envsuite.core.world import World, lead_shape


class FramePolicy:
    """A network trained on pixel observations: it is shown frames drawn from the state, as that option draws them.

    Args:
        network: maps frames to actions.
        world: draws them.

    Raises:
        ValueError: the network's actions or pictures do not fit the world.
    """

    def __init__(self, network: OnnxPolicy, world: World):
        shape, form = network.observation_shape, _form(network, world)
        if form is None:
            raise ValueError(
                f"the network sees {shape}, expected one of {sorted(companion(world, Pictures).forms.values())}"
            )
        network.check(Vector((Block("pixels", int(np.prod(shape)), 0, 255),), np.uint8, shape), world.action)
        self._network, self._world, self._form = network, world, form

    @staticmethod
    def takes(network: OnnxPolicy, world: World) -> bool:
        """Whether a network sees frames in a world that does not observe such by itself."""
        layout: Layout = world.observation
        return network.observation_shape != layout.shape and _form(network, world) is not None

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self._network.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions by what states look like; the observations' numbers are not looked at."""
        world = self._world
        frames = np.empty(lead_shape(world, len(states)) + companion(world, Pictures).forms[self._form], np.uint8)
        companion(world, Pictures).draw_many(states, self._form, frames)
        return self._network.act(frames, states)


def _form(network: OnnxPolicy, world: World) -> str | None:
    """Name of the pixel observations that a network takes, by their shape."""
    return next(
        (form for form, shape in companion(world, Pictures).forms.items() if shape == network.observation_shape), None
    )

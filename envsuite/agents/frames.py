"""Players that see pictures."""

import numpy as np

from envsuite.agents.onnx import OnnxPolicy
from envsuite.core.frontend import PIXELS
from envsuite.core.layout import Block, Layout, Vector
from envsuite.core.world import World

_SHAPE = (PIXELS[1], PIXELS[0], 3)
_LAYOUT = Vector((Block("pixels", int(np.prod(_SHAPE)), 0, 255),), np.uint8, _SHAPE)


class FramePolicy:
    """A network trained with ``obs_type="pixels"``: it is shown frames drawn from the state, as that option draws them.

    Args:
        network: maps frames to actions.
        world: draws them.

    Raises:
        ValueError: the network's actions do not fit the world.
    """

    def __init__(self, network: OnnxPolicy, world: World):
        network.check(_LAYOUT, world.action)
        self._network, self._world = network, world

    @staticmethod
    def takes(network: OnnxPolicy, world: World) -> bool:
        """Whether a network sees frames in a world that does not observe such by itself."""
        layout: Layout = world.observation
        return network.observation_shape == _SHAPE != layout.shape

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self._network.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions by what states look like; the observations' numbers are not looked at."""
        frames = np.stack([self._world.render(state, PIXELS) for state in states])
        if self._world.agents:
            frames = np.repeat(frames[:, np.newaxis], len(self._world.agents), axis=1)
        return self._network.act(frames, states)

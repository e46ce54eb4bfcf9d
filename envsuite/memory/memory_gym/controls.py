"""Keys."""

import numpy as np

from envsuite.core import Controls
from envsuite.memory.memory_gym.spotlights import ACROSS, ALONG


class SearingSpotlightsControls(Controls):
    """Arrow keys, two at once for slanted ways."""

    def keys(self):
        """Up, down, left and right."""
        pressed = [(across, along) for across in ACROSS for along in ALONG]
        return {
            tuple(key for key in way if key != "stay"): np.array([ACROSS.index(way[0]), ALONG.index(way[1])])
            for way in pressed
            if way != ("stay", "stay")
        }

"""How people open doors."""

import numpy as np

from envsuite.core.companions import Controls
from envsuite.mazes.lock.world import SYMBOLS


class LockControls(Controls):
    """Digits."""

    def keys(self):
        """A digit prefers its symbol."""
        return {(str(k),): np.eye(SYMBOLS, dtype=np.float32)[k] for k in range(SYMBOLS)}

"""Keys for the joints."""

from typing import Any

from envsuite.core.companions import Controls


class MultiwalkerControls(Controls):
    """Two keys a joint."""

    def keys(self):
        """Two keys for each joint of the walker."""
        keys: dict[tuple[str, ...], Any] = {(): (0.0, 0.0, 0.0, 0.0)}
        for k, (ahead, back) in enumerate((("w", "s"), ("e", "d"), ("up", "down"), ("right", "left"))):
            keys[(ahead,)] = tuple(float(j == k) for j in range(4))
            keys[(back,)] = tuple(-float(j == k) for j in range(4))
        return keys

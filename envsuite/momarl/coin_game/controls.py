"""Controls."""

from envsuite.core.companions import Controls
from envsuite.momarl.coin_game.state import ACTION


class CoinGameControls(Controls):
    """How people steer in `CoinGameWorld`."""

    def keys(self):
        """Arrow keys."""
        return {(name,): k for k, name in enumerate(ACTION.names)}

"""Keys for the hand."""

from envsuite.core.companions import Controls
from envsuite.manipulation.panda.controls import MOVES, hand_keys
from envsuite.manipulation.workbench.params import WIPE


class WorkbenchControls(Controls):
    """Arrows for far, near, left and right as the arm sees it, W and S for up and down, A and D turn the hand.

    The fingers are shut unless O is held. There are no keys for joints.
    """

    def keys(self):
        """Pressed keys to action."""
        p = self.world.params[0]
        if p["by_joints"]:
            return {}
        moves = {**MOVES, "a": (3, 1), "d": (3, -1)}
        return hand_keys(self.world.action.shape[0], moves, grips=p["task"] != WIPE)

"""Controls."""

from envsuite.core.companions import Controls


class HoverControls(Controls):
    """How people steer in `HoverWorld`."""

    def keys(self):
        """W and S: climb and sink; arrows: tilt; A and D: turn."""
        from envsuite.quadcopters.hover.experts import keyboard

        return keyboard(float(self.world.params[0]["action_baseline"]))

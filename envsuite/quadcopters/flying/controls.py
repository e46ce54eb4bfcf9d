"""Controls."""

from envsuite.core.companions import Controls
from envsuite.quadcopters.flying.keyboard import keys


class DroneControls(Controls):
    """How people steer in `DroneWorld`."""

    def keys(self):
        """W and S: climb and sink; arrows: go there."""
        vehicle = self.world.params[0]["flying"]["physics"]["vehicle"]
        weight = float(vehicle["mass"] * vehicle["gravity"] / (4 * vehicle["max_rotor_thrust"]))
        hover = float(vehicle["command_hover"] / vehicle["command_high"])
        return keys(self.world.act, 2 * weight - 1, 2 * hover - 1)

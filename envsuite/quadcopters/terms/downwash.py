"""The push of drones above, worked out by `dynamics.bullet.feel_downwash`."""

from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import up


@kernel
def press(body):
    """Add the force `downwash` along minus the body's z axis."""
    axis = up(body.attitude)
    for k in range(3):
        body.force[k] -= body.downwash * axis[k]

"""The task in words."""

from envsuite.quadcopters.flying.language import DroneWords
from envsuite.quadcopters.throw_recovery.params import CONTROL_RATE


class ThrowRecoveryWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        return (
            f"You were thrown; {3 - int(state['clock']['step']) / CONTROL_RATE:.2f} s are left to come to rest within "
            "0.5 m of the goal and below 0.3 m/s; touching the floor is a crash."
        )

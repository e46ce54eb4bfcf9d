"""The task in words."""

from envsuite.quadcopters.flying.language import DroneWords


class FlyThruGateWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        p = self.world.params[0]
        height = float(p["gate"][2])
        status = "You are through." if state["passed"] else "You are not through yet."
        return (
            f"Fly through the gate at (0, -1, {height:.2f}) m towards -y, whose opening is 0.55 m wide and "
            f"{2 * float(p['half_height']):.2f} m high, and hover at the goal behind it. Crossing its "
            f"plane anywhere else is a crash. {status}"
        )

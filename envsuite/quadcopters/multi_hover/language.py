"""The flight of one drone among others in words and numbers."""

from envsuite.core.companions import Words
from envsuite.core.language import vector_text
from envsuite.quadcopters.gpd.language import parse, request
from envsuite.quadcopters.language import situation


def describe(state, params, agent: int) -> str:
    """A few sentences about a record, as one drone sees it."""
    drones, target = state["drones"], params["target"][agent]
    drone = drones[agent]
    others = [
        f"drone_{n} is {vector_text(other['position'] - drone['position'])} away"
        for n, other in enumerate(drones)
        if n != agent and other["active"]
    ]
    company = f"Of the others, {'; '.join(others)}." if others else "No other drone is flying."
    status = "" if drone["active"] else "It is out of the air. "
    return (
        f"You are drone_{agent} and should hover at {vector_text(target)} m; you fail beyond 2 m aside, above 2 m, "
        f"beyond 0.4 rad of roll or pitch, or within {float(params['apart']):.2f} m of another drone. {status}"
        f"{situation(drone, target)} {company} {request(params['flight'])}"
    )


class QuadMultiHoverWords(Words):
    """What is said in `QuadMultiHoverWorld`."""

    def describe(self, state, agent=0):
        """Where a drone is, how it moves, and who is near."""
        return describe(state, self.world.params[0], agent)

    def parse(self, text, state, agent=0):
        """Read an action, or a point to fly to."""
        drone, flight_record = state["drones"][agent], self.world.params[0]["flight"]
        return parse(text, self.world.action, drone, flight_record)

"""The flight of one drone among others in words and numbers."""

from envsuite.core.language import vector_text
from envsuite.quadcopters.gpd.language import GPDWords, request
from envsuite.quadcopters.language import situation


class QuadMultiHoverWords(GPDWords):
    """The task, the drone's situation, who is near, and how to answer."""

    def describe(self, state, agent=0):
        """Where a drone is, how it moves, and who is near."""
        params, drones = self.world.params[0], state["drones"]
        drone, target = drones[agent], params["target"][agent]
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

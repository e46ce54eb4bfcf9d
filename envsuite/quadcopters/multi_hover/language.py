"""The flight of one drone among others in words and numbers."""

from envsuite.core.language import vector_text
from envsuite.quadcopters.gpd.language import request
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

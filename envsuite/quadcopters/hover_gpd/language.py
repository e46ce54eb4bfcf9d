"""The flight in words and numbers."""

from envsuite.core.companions import Words
from envsuite.quadcopters.gpd.language import parse, request
from envsuite.quadcopters.language import situation


def describe(state, params) -> str:
    """A few sentences about a record."""
    return (
        "The drone should hover at (0, 0, 1) m; it fails more than 1.5 m aside, above 2 m, or beyond 0.4 rad of roll "
        f"or pitch. {situation(state['drones'][0], params['target'])} {request(params['flight'])}"
    )


class QuadHoverGPDWords(Words):
    """What is said in `QuadHoverGPDWorld`."""

    def describe(self, state, agent=0):
        """Where the drone is and how it moves."""
        return describe(state, self.world.params[0])

    def parse(self, text, state, agent=0):
        """Read an action, or a point to fly to."""
        drone, flight_record = state["drones"][0], self.world.params[0]["flight"]
        return parse(text, self.world.action, drone, flight_record)

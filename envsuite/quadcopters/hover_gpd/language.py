"""The flight in words and numbers."""

from envsuite.quadcopters.gpd.language import GPDWords, request
from envsuite.quadcopters.language import situation


class QuadHoverGPDWords(GPDWords):
    """The task, the drone's situation, and how to answer."""

    def describe(self, state, agent=0):
        """Where the drone is and how it moves."""
        params = self.world.params[0]
        return (
            "The drone should hover at (0, 0, 1) m; it fails more than 1.5 m aside, above 2 m, or beyond 0.4 rad of "
            f"roll or pitch. {situation(state['drones'][0], params['target'])} {request(params['flight'])}"
        )

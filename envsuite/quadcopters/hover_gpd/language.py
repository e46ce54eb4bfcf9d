"""The flight in words and numbers."""

from envsuite.quadcopters.gpd.language import request
from envsuite.quadcopters.language import situation


def describe(state, params) -> str:
    """A few sentences about a record."""
    return (
        "The drone should hover at (0, 0, 1) m; it fails more than 1.5 m aside, above 2 m, or beyond 0.4 rad of roll "
        f"or pitch. {situation(state['drones'][0], params['target'])} {request(params['flight'])}"
    )

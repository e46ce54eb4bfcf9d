"""The cart and the pole in words."""

from envsuite.core.language import Refusal, parse_choice
from envsuite.toy_family.toy_world.state import ACTION


def describe(state) -> str:
    """One sentence about a record."""
    return (
        f"The cart is at {state['position']:+.2f} m (limit 2.4 m) moving at {state['velocity']:+.2f} m/s; "
        f"the pole leans {state['angle']:+.3f} rad (limit 0.209 rad) and turns at "
        f"{state['angular_velocity']:+.2f} rad/s; positive is right. Answer left or right."
    )


def parse(text: str) -> int | Refusal:
    """Read the direction of the push."""
    return parse_choice(text, ACTION)

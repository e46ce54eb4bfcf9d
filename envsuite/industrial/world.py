"""What all plants share."""

from envsuite.core import World


class PlantWorld(World):
    """A plant that an agent steers by a few levers; gives its companions to all worlds of the family."""

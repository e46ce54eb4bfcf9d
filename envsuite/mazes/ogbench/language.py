"""OGBench's mazes in words."""

from envsuite.core.companions import Words
from envsuite.core.language import vector_text
from envsuite.mazes.language import directions, map_text
from envsuite.mazes.ogbench.params import RADIUS


class OgbenchMazeWords(Words):
    """A map of characters, and numbers, for a point that moves by its actions."""

    def describe(self, state, agent=0):
        """A map, the place and the goal in words."""
        grid = self.world.params[0]["grid"]
        entries, exits = self.world.doors()
        doors = [("I", place) for place in entries] + [("O", place) for place in exits]
        marks = [*doors, ("G", state["goal"]), ("P", state["position"])]
        place, goal = vector_text(state["position"]), vector_text(state["goal"])
        telling = "I marks teleporters, which take you to one of the places O by chance. " if doors else ""
        return (
            f"{map_text(self.world.walls(state), grid, marks)}\nStep {int(state['clock']['step'])}. You are P at "
            f"{place} m; {directions(grid)}. Reach the goal G at {goal} m, within {RADIUS:g} m. {telling}Answer with "
            f"the move along x and y in brackets, each in [-1, 1]; 1 is 0.2 m. Walls stop you."
        )

"""Ants in mazes in words."""

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.mazes.ant.body import GOAL, HINGES
from envsuite.mazes.language import directions, map_text


class WalkingWords(Words):
    """A map of characters, and numbers, for an ant that is moved by torques."""

    def describe(self, state, agent=0):
        """A map, the place, the goal and the pose in words."""
        world = self.world
        grid = world.params[0]["grid"]
        body, told = state["body"], GOAL in world.observation.blocks
        entries, exits = world.doors()
        marks = [("I", place) for place in entries] + [("O", place) for place in exits]
        marks += [("G", state["goal"])] if told else []
        picture = map_text(world.walls(state), grid, [*marks, ("P", state["position"])])
        goal = f"The goal G is at {vector_text(state['goal'])} m. " if told else "You are not told where the goal is. "
        telling = "I marks teleporters, which take you to one of the places O by chance. " if len(entries) else ""
        angles = ", ".join(f"{name} {float(value):.2f}" for name, value in zip(HINGES, body["qpos"][7:15], strict=True))
        return (
            f"{picture}\nStep {int(state['clock']['step'])}. You are P, an ant at {vector_text(state['position'])} m, "
            f"{float(body['qpos'][2]):.2f} m high, turned by the quaternion {vector_text(body['qpos'][3:7])}, with a "
            f"velocity of {vector_text(body['qvel'][:3])} m/s; {directions(grid)}. {goal}{telling}Your joints, in rad: "
            f"{angles}. {self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        return (
            f"Walk to within {self.world.radius:g} m of the goal; walls stop you. Answer with "
            f"{wanted(self.world.action)}, which are torques in [-1, 1]."
        )

"""The memory task of MiniGrid in words."""

from envsuite.core import Words
from envsuite.memory.minigrid.world import BALL, EMPTY, KEY, MOVES, VIEW, WALL

_FACING = ("east", "south", "west", "north")
_SIDES = (("ahead", 0, -1), ("to the left", -1, 0), ("to the right", 1, 0))


def _steps(count: int) -> str:
    return f"{count} {'step' if count == 1 else 'steps'}"


class MiniGridMemoryWords(Words):
    """Free cells around, and objects in view."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        view, told = state["sight"], [f"You face {_FACING[int(state['direction'])]}."]
        for side, across, along in _SIDES:
            i, j, free = VIEW // 2, VIEW - 1, 0
            while 0 <= i + across < VIEW and 0 <= j + along < VIEW and view[i + across, j + along] == EMPTY:
                i, j, free = i + across, j + along, free + 1
            over = 0 <= i + across < VIEW and 0 <= j + along < VIEW
            stop = ", then a wall" if over and view[i + across, j + along] == WALL else ""
            told.append(f"{side.capitalize()}: {free} free {'cell' if free == 1 else 'cells'}{stop}.")
        for i in range(VIEW):
            for j in range(VIEW):
                if view[i, j] in (KEY, BALL):
                    name, aside, ahead = "key" if view[i, j] == KEY else "ball", i - VIEW // 2, VIEW - 1 - j
                    where = [f"{_steps(ahead)} ahead"] if ahead else []
                    where += [f"{_steps(abs(aside))} to the {'right' if aside > 0 else 'left'}"] if aside else []
                    told.append(f"You see a green {name}, {' and '.join(where)}.")
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "A room in the west holds a green key or ball in its north-west corner. From it a hallway leads east to "
            "a hall with a key at one end and a ball at the other. Go to the cell beside the object that is the same "
            "as the one in the room: it pays 1, a little less the longer it takes; the cell beside the other object "
            "pays 0. Both end it. You see seven cells ahead and three to each side, but not through walls. Left and "
            f"right turn you. Answer with one of: {', '.join(MOVES)}"
        )

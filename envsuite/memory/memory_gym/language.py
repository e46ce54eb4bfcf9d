"""Memory Gym's tasks in words."""

from envsuite.core import Words
from envsuite.memory.memory_gym.endless_path import MOVES as ENDLESS_MOVES
from envsuite.memory.memory_gym.endless_path import PAST, on_path
from envsuite.memory.memory_gym.mortar import COMMANDS, MOVES
from envsuite.memory.memory_gym.path import SIDE
from envsuite.memory.memory_gym.spotlights import (
    ACROSS,
    AGENT,
    ALONG,
    BAR,
    COIN,
    DARK,
    EXIT,
    LIGHTS,
    SHOWN,
    SLANTED,
    STRAIGHT,
    agent_seen,
    coin_seen,
    exit_seen,
    in_picture,
)
from envsuite.memory.memory_gym.spotlights import SIDE as PICTURE

_FACING = ("north", "west", "south", "east")


def _place(state) -> str:
    return f"row {int(state['y']) + 1}, column {int(state['x']) + 1}"


class MortarMayhemWords(Words):
    """The agent's tile, and what is shown."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        told = [f"You are on the tile in {_place(state)}, facing {_FACING[int(state['facing'])]}."]
        if int(state["visible"]) >= 0:
            told.append(f"Command: {COMMANDS[int(state['visible'])]}.")
        if state["burning"]:
            row, column = int(state["target_y"]) + 1, int(state["target_x"]) + 1
            told.append(f"All tiles burn but the one in row {row}, column {column}.")
        if self.world.params[0]["told"]:
            count = int(self.world.params[0]["commands"])
            told.append(f"Commands: {', '.join(COMMANDS[int(one)] for one in state['command'][:count])}.")
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        side = int(p["side"])
        how = (
            "When all are done another one is shown, and all are to be carried out anew, from where you are. The "
            "arena has no border: beyond it you come in on the other side."
            if p["endless"]
            else f"There are {int(p['commands'])}."
        )
        seen = "" if p["told"] else "Commands are shown first, one by one; you cannot move meanwhile. "
        return (
            f"You are in an arena of {side} x {side} tiles; row 1 is in the north, column 1 in the west. {seen}Each "
            f"command says on which tile you have to be next, seen from the last one. {how} You have "
            f"{int(p['time'])} steps for each; then all other tiles burn for {int(p['fire'])} steps, which ends it if "
            "you are on one of them. Each command pays 0.1. Left and right turn you. "
            f"Answer with one of: {', '.join(MOVES)}"
        )


class MysteryPathWords(Words):
    """The agent's cell, and whether it fell."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        told = f"You are in {_place(state)}, facing {_FACING[int(state['facing'])]}."
        told += " You have left the path; the next step puts you back to its beginning." if state["off"] else ""
        return f"{told}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            f"An unseen path leads over a grid of {SIDE} x {SIDE} cells, from one side to the opposite one. "
            "Row 1 is in the north, column 1 in the west; you began at the beginning of the path. Its end pays 1. "
            f"Left and right turn you. Answer with one of: {', '.join(MOVES)}"
        )


class EndlessMysteryPathWords(Words):
    """The agent's row, and the path behind."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        x, y = int(state["x"]), int(state["y"])
        told = [f"You are in row {y + 1}{', in the first column' if x == 0 else ''}."]
        if state["off"]:
            told.append("You have left the path; the next step puts you back to its beginning.")
        else:
            columns = []
            for k in range(min(PAST, x + 1)):
                rows = [row for row in range(SIDE) if on_path(state, x - k, row)]
                if k == 0:
                    enters = int(state["enters"][x])
                    rows = [row for row in rows if min(enters, y) <= row <= max(enters, y)]
                columns.append(f"{'here' if k == 0 else f'{k} back'}: {', '.join(str(row + 1) for row in rows)}")
            told.append(f"Rows of the path behind you: {'; '.join(columns)}.")
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        stamina = int(self.world.params[0]["stamina"])
        return (
            f"A path leads to the right without end, {SIDE} rows high; row 1 is on top. It is seen only behind you. "
            "A step beside it puts you back to its beginning. It ends when you leave the path before the column that "
            f"you had reached, or where you left it before, or when {stamina} steps bring you to no new cell, "
            "the step of the last new cell or fall counted. Each cell of the path pays 0.1 once. "
            f"Answer with one of: {', '.join(ENDLESS_MOVES)}"
        )


class SearingSpotlightsWords(Words):
    """What is in the light."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        p, told = self.world.params[0], []
        seen = (("You are", agent_seen, (state["x"], state["y"])), ("A coin is", coin_seen, state["coin"]))
        for what, visible, (x, y) in (*seen, ("The exit is", exit_seen, state["exit"])):
            told += [f"{what} at ({int(x)}, {int(y)})."] if visible(state, p) else []
        for k in range(LIGHTS):
            if in_picture(state, k):
                x, y = state["place"][k].tolist()
                told.append(f"A light of radius {int(state['radius'][k])} is at ({x:.1f}, {y:.1f}).")
        told.append("You are in light." if state["lit"] else "You are not in light.")
        told.append(f"Health: {int(state['health'])} of {int(p['health'])}.")
        if exit_seen(state, p):
            told.append("The exit is open." if int(state["coins"]) else "The exit is closed.")
        across, along = ACROSS[int(state["last"][0])], ALONG[int(state["last"][1])]
        told.append(f"Your last action: across {across}, along {along}{'; it was paid' if state['paid'] else ''}.")
        told.append("It is dark." if int(state["dark"]) >= DARK else "The light is going out.")
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        goal = (
            f"A coin pays 0.25; then another one appears, which is seen for {SHOWN} steps. You have "
            f"{int(p['patience'])} steps for each."
            if p["endless"]
            else f"The coin pays 0.25 and opens the exit, a disc of radius {EXIT}, which pays 1."
        )
        return (
            f"You are a disc of radius {AGENT} in a field of {PICTURE} x {PICTURE} pixels; x grows to the right and y "
            f"downward, and you cannot enter the topmost {BAR}. The light goes out; then only what a light touches is "
            f"seen. Each step in a light costs one of your health, and without health it is over. {goal} To touch "
            f"something is enough; coins have the radius {COIN}. A step goes {STRAIGHT} pixels, or {SLANTED} along "
            "both axes. Answer with across: one of stay, left, right; along: one of stay, up, down"
        )

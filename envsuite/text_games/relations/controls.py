"""Keys and clicks for questions, paths, arrays and towers."""

from envsuite.core import Controls
from envsuite.text_games.relations.language import towers
from envsuite.text_games.relations.render import columns, node_places, room_for, tower_columns


class QuestionsControls(Controls):
    """Y and N."""

    def keys(self):
        """First letters."""
        return {("n",): 0, ("y",): 1}


class PathControls(Controls):
    """Clicks on nodes."""

    def keys(self):
        """Digits are nodes, where there are few."""
        return {(name,): k for k, name in enumerate(self.world.action.names[:10])}

    def click(self, place, held, state):
        """The node nearest to a click."""
        spots = node_places(int(state["n"]), (1.0, 1.0))
        return min(range(len(spots)), key=lambda k: (spots[k][0] - place[0]) ** 2 + (spots[k][1] - place[1]) ** 2)


def _held_number(held: set[str]) -> int | None:
    """The number of a digit that is held down; None unless there is one."""
    digits = [one for one in held if one.isdecimal() and len(one) == 1]
    return int(digits[0]) if len(digits) == 1 else None


class SortingControls(Controls):
    """Hold a digit for one place (0 for the tenth) and click another."""

    def keys(self):
        """None: an action has two places."""
        return {}

    def click(self, place, held, state):
        """Swap the place of the digit with the one clicked."""
        digit = _held_number(held)
        if digit is None:
            return None
        first = (digit - 1) % 10
        for k, (left, right) in enumerate(columns(int(state["count"]), 1.0)):
            if left <= place[0] < right and (min(k, first), max(k, first)) in self.world.pairs:
                return self.world.pairs.index((min(k, first), max(k, first)))
        return None


class BlocksControls(Controls):
    """Hold a block's digit and click the tower on which to put it; at the right of all towers is the ground."""

    def keys(self):
        """None: an action has two blocks."""
        return {}

    def click(self, place, held, state):
        """Put the block of the digit on the tower clicked, or on the ground."""
        block, most = _held_number(held), len(state["below"])
        standing = towers(state["below"], int(state["blocks"]))
        if block is None or block >= most or place[0] >= 0.5:
            return None
        for (left, right), tower in zip(tower_columns(room_for(state), 0.0, 0.5), standing, strict=False):
            if left <= place[0] < right:
                return block * (most + 1) + tower[-1]
        return block * (most + 1) + most

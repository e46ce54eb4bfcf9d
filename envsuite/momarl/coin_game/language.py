"""The coin game in words."""

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, parse_choice
from envsuite.momarl.coin_game.params import COIN, LOSS, OWNERS
from envsuite.momarl.coin_game.state import ACTION


def describe(world, state, agent: int) -> str:
    """The rules, and where everything is."""
    size = state["grid"].shape[0]

    def cell(place) -> str:
        return f"row {int(place[0]) + 1}, column {int(place[1]) + 1}"

    mine, theirs = state["taken"][agent], state["taken"][1 - agent]
    return (
        f"Step {int(state['clock']['step']) + 1} of {int(world.params[0]['steps'])}. You are {OWNERS[agent]} on a grid "
        f"of {size} rows and {size} columns whose edges are joined, at {cell(state['place'][agent])}; "
        f"{OWNERS[1 - agent]} is at {cell(state['place'][1 - agent])}. A coin of {OWNERS[int(state['owner'])]} is at "
        f"{cell(state['coin'])}. Whoever comes to a coin takes it for {COIN:g} point; if it is the other's, the other "
        f"gets {LOSS:g}. So far you took {int(mine[0])} own coins and {int(mine[1])} of the other, who took "
        f"{int(theirs[0])} own and {int(theirs[1])} of yours. Both move at once. Answer up, down, left or right."
    )


def parse(text: str) -> int | Refusal:
    """Read a direction."""
    return parse_choice(text, ACTION)


class CoinGameWords(Words):
    """What is said in `CoinGameWorld`."""

    def describe(self, state, agent=0):
        """The rules, and where everything is."""
        return describe(self.world, state, agent)

    def parse(self, text, state, agent=0):
        """Read a direction."""
        return parse(text)

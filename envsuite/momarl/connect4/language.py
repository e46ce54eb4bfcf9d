"""Words."""

from envsuite.core.companions import Referee, Words, companion
from envsuite.momarl.boards import board_text, parse_move


class Connect4Words(Words):
    """What is said in `Connect4World`."""

    def describe(self, state, agent=0):
        """The board in characters."""
        turn = (
            "It is your turn"
            if companion(self.world, Referee).current_player(state) == agent
            else "It is the other's turn"
        )
        names = ", ".join(self.world.action.names)
        return (
            f"{board_text(state['board'], '.XO')}\nYou are {'XO'[agent]}. Tokens fall to the bottom; four in a "
            "row win, "
            f"across, down or along a diagonal. {turn}. Answer with a column from left to right: {names}."
        )

    def parse(self, text, state, agent=0):
        """Read ``c0``, ``c1`` and so on, where the column has room and it is one's turn."""
        turn = companion(self.world, Referee).current_player(state) == agent
        return parse_move(text, self.world.action, (state["filled"] < state["board"].shape[0]) & turn)

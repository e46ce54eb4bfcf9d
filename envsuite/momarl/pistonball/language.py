"""Pistonball in words."""

from envsuite.core.companions import Words
from envsuite.core.language import parse_choice, parse_numbers
from envsuite.core.layout import Choice
from envsuite.momarl.pistonball.params import LOWEST, POSITIONS, RADIUS, STROKE, WALL


class PistonballWords(Words):
    """What a piston feels and sees; answers are pushes."""

    def describe(self, state, agent=0):
        """What a piston sees."""
        count, travel = len(self.world.agents), STROKE * POSITIONS
        heights = [float(LOWEST - one) for one in state["height"]]
        sides = [
            f"the one to your {name} at {heights[k]:.0f}" if 0 <= k < count else f"the wall to your {name}"
            for name, k in (("left", agent - 1), ("right", agent + 1))
        ]
        across = float(state["place"][0]) - WALL * (agent + 1.5)
        ball = "You do not see the ball."
        if self.world.params[0]["far"] or abs(across) < 1.5 * WALL + RADIUS:
            vx, vy = state["velocity"]
            side = "right" if across >= 0 else "left"
            ball = (
                f"The ball's centre is {abs(across):.0f} px to the {side} of your middle and "
                f"{float(state['height'][agent] - state['place'][1]):.0f} px above your head; it moves {float(vx):.0f} "
                f"px/s to the right and {-float(vy):.0f} px/s up, and turns at {float(state['spin']):.1f} rad/s "
                "clockwise."
            )
        if isinstance(self.world.action, Choice):
            ask = "Answer with down, stay or up, a move of 4 px."
        else:
            ask = "Answer with a number from -1, 4 px down, to 1, 4 px up, in brackets."
        return (
            f"You are piston {agent} of {count} in a row, numbered from the left. Your head is {heights[agent]:.0f} px "
            f"up, of {travel:.0f} at most; {sides[0]}, {sides[1]}. {ball} All pistons are paid when the ball, whose "
            f"radius is {RADIUS:.0f} px, gets nearer to the left wall, and lose a little in every step. {ask}"
        )

    def parse(self, text, state, agent=0):
        """Read a number, or a choice."""
        return (
            parse_choice(text, self.world.action)
            if isinstance(self.world.action, Choice)
            else parse_numbers(text, self.world.action)
        )

"""The iterated prisoner's dilemma in words."""

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, parse_choice
from envsuite.momarl.prisoners.state import ACTION


def describe(world, state, agent: int) -> str:
    """The rules and the last round."""
    p = world.params[0]
    (both, lone), (tempted, neither) = p["pay"].tolist()
    told = "This is the first round."
    if state["last"][0] >= 0:
        mine, other = (ACTION.names[int(state["last"][k])] for k in (agent, 1 - agent))
        told = f"In the last round you chose {mine} and the other chose {other}."
    return (
        f"Round {int(state['clock']['step']) + 1} of {int(p['rounds'])}. Two players choose A or B at once. Both "
        f"A: {both:g} "
        f"points each. Both B: {neither:g} each. One A, one B: {lone:g} for A and {tempted:g} for B. {told} "
        "Answer A or B."
    )


def parse(text: str) -> int | Refusal:
    """Read a letter."""
    return parse_choice(text, ACTION)


class PrisonersWords(Words):
    """What is said in `PrisonersWorld`."""

    def describe(self, state, agent=0):
        """The rules and the last round."""
        return describe(self.world, state, agent)

    def parse(self, text, state, agent=0):
        """Read ``A`` or ``B``."""
        return parse(text)

"""The beach in words."""

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, parse_choice
from envsuite.momarl.beach.state import ACTION

KINDS = "ABCD"


def crowd(world, state, section: int) -> str:
    """Visitors of a section by type."""
    count = state["count"][section]
    return ", ".join(f"{int(count[t])} {KINDS[t]}" for t in range(int(world.params[0]["types"])))


def describe(world, state, agent: int) -> str:
    """The situation of a visitor."""
    p = world.params[0]
    left = int(p["steps"]) - int(state["clock"]["step"])
    where = int(state["section"][agent])
    sections = "; ".join(f"section {k}: {crowd(world, state, k)}" for k in range(int(p["sections"])))
    shared = "the whole beach" if p["team"] else "your section"
    return (
        f"You are visitor {agent} of type {KINDS[int(state['type'][agent])]} in section {where} of a beach with "
        f"sections 0 to {int(p['sections']) - 1} from left to right. {sections}. {left} steps are left; after "
        "the last, you are "
        f"paid for {shared}: a section is worth most with {float(p['capacity']):g} visitors, and the more even its "
        "mixture of types. Everybody moves at once. Answer left, stay or right."
    )


def parse(text: str) -> int | Refusal:
    """Read a direction."""
    return parse_choice(text, ACTION)


class BeachWords(Words):
    """What is said in `BeachWorld`."""

    def describe(self, state, agent=0):
        """Where one is, and who else is where."""
        return describe(self.world, state, agent)

    def parse(self, text, state, agent=0):
        """Read ``left``, ``stay`` or ``right``."""
        return parse(text)

"""The beach in words."""

from envsuite.core.companions import Words

KINDS = "ABCD"


def crowd(world, state, section: int) -> str:
    """Visitors of a section by type."""
    count = state["count"][section]
    return ", ".join(f"{int(count[t])} {KINDS[t]}" for t in range(int(world.params[0]["types"])))


class BeachWords(Words):
    """Who is where; answers are directions."""

    def describe(self, state, agent=0):
        """Where one is, and who else is where."""
        p = self.world.params[0]
        left = int(p["steps"]) - int(state["clock"]["step"])
        where = int(state["section"][agent])
        sections = "; ".join(f"section {k}: {crowd(self.world, state, k)}" for k in range(int(p["sections"])))
        shared = "the whole beach" if p["team"] else "your section"
        return (
            f"You are visitor {agent} of type {KINDS[int(state['type'][agent])]} in section {where} of a beach with "
            f"sections 0 to {int(p['sections']) - 1} from left to right. {sections}. {left} steps are left; after the "
            f"last, you are paid for {shared}: a section is worth most with {float(p['capacity']):g} visitors, and the "
            "more even its mixture of types. Everybody moves at once. Answer left, stay or right."
        )

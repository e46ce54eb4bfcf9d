"""Route choice in words."""

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind, parse_choice


class RouteChoiceWords(Words):
    """A driver's routes; answers are routes."""

    def describe(self, state, agent=0):
        """A driver's routes."""
        net, pair = self.world.network, int(state["pair"][agent])
        origin, destination = list(net.demand)[pair]
        lines = []
        for k, route in enumerate(net.routes[origin, destination]):
            nodes = " ".join([origin, *(net.links[e].end for e in route)])
            free = sum(net.links[e].free for e in route)
            lines.append(f"r{k}: {nodes} ({free:g} min without traffic)")
        tolls = (
            "in proportion to the delay that one driver more causes"
            if self.world.params[0]["toll_all"]
            else "on some links"
        )
        told = ""
        if int(state["clock"]["step"]):
            flows = ", ".join(f"{net.links[e].start}-{net.links[e].end} {int(n)}" for e, n in enumerate(state["flow"]))
            told = f" Drivers on the links were: {flows}."
        return (
            f"You are one of {len(self.world.agents)} drivers, going from {origin} to {destination}. Links get slower "
            f"with traffic, and there are tolls {tolls}. All choose at once, once. Routes: {'; '.join(lines)}.{told} "
            "Answer with a route's short name."
        )

    def parse(self, text, state, agent=0):
        """Read ``r0``, ``r1`` and so on, where the driver has such a route."""
        choice = parse_choice(text, self.world.action)
        own = int(self.world.params[0]["choices"][int(state["pair"][agent])])
        if not isinstance(choice, Refusal) and choice >= own:
            return Refusal(
                RefusalKind.ILLEGAL, f"there is no r{choice} from here to there; choose from r0 to r{own - 1}"
            )
        return choice

"""Gem mining in words."""

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind, parse_choice


class GemMiningWords(Words):
    """What a village knows; answers are mines."""

    def describe(self, state, agent=0):
        """What a village knows, and what was found."""
        p = self.world.params[0]
        reach = int(p["reach"][agent])
        names = ", ".join(f"m{k} (mine {agent + k})" for k in range(reach))
        told = ""
        if int(state["clock"]["step"]):
            found = ", ".join(
                f"{int(n)} {name}"
                for n, name in zip(state["gems"].sum(axis=0), self.world.reward.objectives, strict=True)
            )
            mine = int(state["target"][agent])
            where = f"Your workers were in mine {mine}" if mine >= 0 else "Your workers stayed at home"
            told = f" {where}; all villages together found {found}."
        return (
            f"You are village {agent} of {len(self.world.agents)} with {int(p['workers'][agent])} workers, who can go "
            f"to one of {reach} mines: {names}. Villages with numbers near yours reach the same mines. A mine in which "
            "anybody works may yield one gem of each kind, with a chance that you do not know and that grows with the "
            f"workers there; all villages share what is found.{told} Answer with the mine's short name."
        )

    def parse(self, text, state, agent=0):
        """Read ``m0``, ``m1`` and so on, where the mine is in reach."""
        choice = parse_choice(text, self.world.action)
        reach = int(self.world.params[0]["reach"][agent])
        if not isinstance(choice, Refusal) and choice >= reach:
            return Refusal(RefusalKind.ILLEGAL, f"m{choice} is out of reach; choose from m0 to m{reach - 1}")
        return choice

"""Item gathering in words."""

from envsuite.core.companions import Words


class ItemGatheringWords(Words):
    """The map in characters; answers are directions."""

    def describe(self, state, agent=0):
        """The map in characters."""
        rows = [["." if kind == 0 else str(int(kind)) for kind in row] for row in state["items"]]
        for n, (i, j) in enumerate(state["place"]):
            rows[i][j] = chr(ord("A") + n)
        picture = "\n".join("".join(row) for row in rows)
        p = self.world.params[0]
        kinds = int(p["kinds"])
        left = int(p["steps"]) - int(state["clock"]["step"])
        mine = ", ".join(f"{int(state['gathered'][agent, k])} of kind {k + 1}" for k in range(kinds))
        pay = "all agents together pick up" if p["team"] else "you pick up"
        return (
            f"{picture}\nYou are agent {chr(ord('A') + agent)}; other letters are others, digits items of {kinds} "
            f"kinds. You have picked up {mine}. {left} steps are left. Items are picked up by walking onto them; what "
            f"{pay} counts, each kind by itself. Answer stay, up, down, left or right."
        )

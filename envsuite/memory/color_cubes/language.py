"""Color-Cubes in words."""

from envsuite.core import Words
from envsuite.memory.color_cubes.render import NAMES
from envsuite.memory.color_cubes.world import ALL, MOVES, NOTHING


class ColorCubesWords(Words):
    """Places as rows and columns; answers are moves, or to touch."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        n, count = int(self.world.params[0]["side"]), int(self.world.params[0]["cubes"])
        row, column = int(state["row"]) + 1, int(state["column"]) + 1
        told = [f"You are in row {row}, column {column}, facing {MOVES[int(state['facing'])]}."]
        if state["begins"]:
            told.append(f"Touch the {NAMES[int(state['target'])]} cube.")
        cells = [int(one) for one in state["cell"][:count]]
        if int(state["shown"]) == ALL:
            told += [f"The {NAMES[k]} cube is in {_place(cell, n)}." for k, cell in enumerate(cells)]
        elif int(state["shown"]) != NOTHING:
            told.append(
                f"A cube has jumped. There are cubes in {'; '.join(_place(cell, n) for cell in sorted(cells))}."
            )
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        size, cubes = int(p["side"]), int(p["cubes"])
        return (
            f"You are on a grid of {size} x {size} cells with {cubes} {'cube' if cubes == 1 else 'cubes'}; rows count "
            "downwards. You are told a colour, and have to touch the cube of this colour, in your own cell or in the "
            "one that you face. Then it jumps, and you are told the next colour. Cubes do not block your way. Now and "
            "then another cube jumps. Only when one has jumped you are told where they are"
            f"{'' if p['update'] == ALL else ', and only where a colour is new you are told which is which'}. "
            f"The right cube pays 1, touching anything else {float(p['miss']):g}; {int(p['phases'])} in all. "
            f"Answer with one of: {', '.join(MOVES)}"
        )


def _place(cell: int, size: int) -> str:
    return f"row {cell // size + 1}, column {cell % size + 1}"

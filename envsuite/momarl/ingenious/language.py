"""Ingenious in words."""

import re

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind, number_among
from envsuite.momarl.boards import turn_text
from envsuite.momarl.ingenious.params import COLORS, NAMES, board_cells

_MOVE = re.compile(r"\b([a-s])(\d{1,2})\s*-\s*(se|sw|ne|nw|e|w)\s*-\s*(\d)\b", re.IGNORECASE)
MARKS = ".RGBOYP"


def _checked(world, action: int, name: str, state, agent: int) -> int | Refusal:
    from envsuite.core.jit import records
    from envsuite.momarl.ingenious.kernel import free

    size = state["rack"].shape[1]
    if state["current_player"] != agent:
        return Refusal(RefusalKind.ILLEGAL, f"{name} is not legal now: it is not your turn")
    if not state["rack"][agent][action % size][0]:
        return Refusal(RefusalKind.ILLEGAL, f"{name} is not legal now: there is no tile {action % size}")
    record, params = records(state.reshape(1).copy())[0], records(world.params)[0]
    if not free(record, params, action // size):
        why = "a cell is taken" if state["placed"][agent] else "a cell is taken, or it lies at no corner of your own"
        return Refusal(RefusalKind.ILLEGAL, f"{name} is not legal now: {why}")
    return action


class IngeniousWords(Words):
    """Board, rack and points; answers are moves."""

    def describe(self, state, agent=0):
        """Board, rack and points."""
        side, colors = self.world.side, self.world.reward.objectives
        rows: dict[int, list[str]] = {}
        for (q, _), color in zip(board_cells(side), state["board"], strict=True):
            rows.setdefault(q, []).append(MARKS[int(color)])
        board = "\n".join(f"{chr(ord('a') + q + side - 1)} {' ' * abs(q)}{' '.join(row)}" for q, row in rows.items())

        def held(n: int) -> str:
            pairs = [(MARKS[int(a)] + MARKS[int(b)]) for a, b in state["rack"][n] if a]
            return ", ".join(f"{k}: {pair}" for k, pair in enumerate(pairs)) or "none"

        def points(n: int) -> str:
            return ", ".join(f"{name} {int(one)}" for name, one in zip(colors, state["score"][n], strict=True))

        others = [n for n in range(len(self.world.agents)) if n != agent]
        told = [f"{self.world.agents[n]} has {points(n)}." for n in others]
        if self.world.params[0]["open"]:
            told += [f"{self.world.agents[n]} holds {held(n)}." for n in others]
        turn = turn_text(state, agent, "another")
        first = "" if state["placed"][agent] else " Your first tile must lie next to a corner where nobody else began."
        return (
            f"{board}\nRows are lettered from the top, cells of a row numbered from 0 at the left; letters are colours "
            f"({', '.join(f'{MARKS[k + 1]} {name}' for k, name in enumerate(COLORS))}), dots are empty. A tile covers "
            "two neighbouring cells; each half earns a point in its colour for every cell of that colour in unbroken "
            f"lines from it, but for the line through the other half. You are {self.world.agents[agent]}; your tiles: "
            f"{held(agent)}. You have {points(agent)}, at most {int(self.world.params[0]['most'])} of each. "
            f"{' '.join(told)} {turn}.{first} Answer with the cell of the tile's first colour, the direction of its "
            f"second ({', '.join(NAMES)}) and the tile's number, such as c4-e-0."
        )

    def parse(self, text, state, agent=0):
        """Read a move such as ``c4-e-0``."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with a move such as c4-e-0")
        found = {f"{a}{int(b)}-{way}-{k}".lower() for a, b, way, k in _MOVE.findall(text)}
        known = {name: k for k, name in enumerate(self.world.action.names)}
        if len(found) > 1:
            return Refusal(
                RefusalKind.AMBIGUOUS, f"the answer names several moves ({', '.join(sorted(found))}); name one"
            )
        if not found and text.strip().isdecimal():
            number = number_among(text.strip(), len(known))
            if isinstance(number, Refusal):
                return number
            name = self.world.action.names[number]
        elif not found:
            return Refusal(RefusalKind.UNREADABLE, "no move such as c4-e-0 was found")
        else:
            name = found.pop()
        if name not in known:
            return Refusal(RefusalKind.UNKNOWN_NAME, f"{name} is no place on the board or no tile of the rack")
        return _checked(self.world, known[name], name, state, agent)

"""Crafter in words: what is in view and where, what one has, what one has done; answers are names of actions."""

import numpy as np

from envsuite.core import Words
from envsuite.core.jit import records
from envsuite.crafting.crafter.answers import read_action
from envsuite.crafting.crafter.observe import kind_at
from envsuite.crafting.crafter.params import BUILT
from envsuite.crafting.crafter.things import (
    ACHIEVEMENTS,
    ACROSS,
    ACTIONS,
    ALONG,
    BEINGS,
    ENERGY,
    ITEMS,
    MATERIALS,
    MOST,
    PLAYER,
    SIDES,
    VIEW,
)

_KINDS = ("the edge of the world", *MATERIALS, "another player", *BEINGS[1:], "ripe plant")
_LIGHT = ((0.25, "It is night."), (0.6, "It is dusk or dawn."), (2.0, "It is day."))
_MASS = ("water", "grass", "sand", "lava", "coal", "iron", "stone", "path")
"""What has no plural here."""


def counted(number: int, name: str) -> str:
    """A number of things in words.

    Args:
        number: how many.
        name: of one of them.
    """
    name = name.replace("_", " ")
    if name.startswith("the "):
        return name
    if name in _MASS or name == "wood":
        return f"{number} {name}"
    if number == 1:
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}" if not name.startswith("another") else name
    if name == "another player":
        return f"{number} other players"
    return f"{number} {name}s"


class CrafterWords(Words):
    """What a player knows, and names of actions."""

    def describe(self, state, agent=0):
        """What is in view, the body, the inventory, the achievements, and the rules."""
        me = state["players"][agent]
        if not me["alive"] or me["inventory"][0] <= 0:
            return f"You are dead. {self.instructions(state, agent)}"
        parts = [self.view(state, agent), self.body(me), self.inventory(me), self.deeds(me)]
        return "\n".join((*parts, self.instructions(state, agent)))

    def view(self, state: np.void, agent: int) -> str:
        """What is in front, and the nearest of each kind in view.

        Args:
            state: the record.
            agent: index of the player.
        """
        record, p = records(np.array([state]))[0], records(self.world.params)[0]
        me = state["players"][agent]
        x0, y0, side = int(me["x"]), int(me["y"]), int(me["facing"])
        found: dict[int, list[tuple[int, int, int]]] = {}
        for dy in range(-(VIEW[1] // 2), VIEW[1] // 2 + 1):
            for dx in range(-(VIEW[0] // 2), VIEW[0] // 2 + 1):
                kind = int(kind_at(record, p, x0 + dx, y0 + dy))
                if dx or dy:
                    found.setdefault(kind, []).append((abs(dx) + abs(dy), dx, dy))
        front = int(kind_at(record, p, x0 + ACROSS[side], y0 + ALONG[side]))
        light = next(words for most, words in _LIGHT if float(state["daylight"]) < most)
        lines = [f"{light} You look {SIDES[side]}; in front of you is {self._one(front)}."]
        beings = sorted((min(places), kind) for kind, places in found.items() if kind >= PLAYER)
        things = sorted((min(places), kind) for kind, places in found.items() if kind < PLAYER)
        for title, group in (("Creatures and plants", beings), ("Ground", things)):
            said = [f"{self._many(kind, len(found[kind]))} {self._where(*place[1:])}" for place, kind in group]
            lines.append(f"{title} in view: {'; '.join(said) or 'none'}.")
        return "\n".join(lines)

    @staticmethod
    def _one(kind: int) -> str:
        name = _KINDS[kind]
        return name if name in _MASS else counted(1, name)

    @staticmethod
    def _many(kind: int, number: int) -> str:
        name = _KINDS[kind]
        if name.startswith("the "):
            return f"{name},"
        if name in _MASS:
            return f"{name} ({number} {'cell' if number == 1 else 'cells'}),"
        return f"{counted(number, name)},"

    @staticmethod
    def _where(dx: int, dy: int) -> str:
        parts = []
        if dx:
            parts.append(f"{abs(dx)} {'right' if dx > 0 else 'left'}")
        if dy:
            parts.append(f"{abs(dy)} {'down' if dy > 0 else 'up'}")
        return "nearest " + " and ".join(parts)

    def body(self, me: np.void) -> str:
        """Health, food, drink and energy, and whether one sleeps.

        Args:
            me: record of the player.
        """
        amounts = ", ".join(f"{ITEMS[k]} {int(me['inventory'][k])}" for k in range(ENERGY + 1))
        asleep = ""
        if me["sleeping"] and me["inventory"][ENERGY] < MOST:
            asleep = " You are asleep: whatever you answer, you sleep on until you are rested or hurt."
        elif me["sleeping"]:
            asleep = " You are rested: your next answer is carried out, and you wake up."
        return f"Your body, 0 to 9: {amounts}.{asleep}"

    def inventory(self, me: np.void) -> str:
        """What one carries.

        Args:
            me: record of the player.
        """
        carried = [
            counted(int(me["inventory"][k]), ITEMS[k]) for k in range(ENERGY + 1, len(ITEMS)) if me["inventory"][k]
        ]
        return f"You carry {', '.join(carried) or 'nothing'}."

    def deeds(self, me: np.void) -> str:
        """Achievements so far.

        Args:
            me: record of the player.
        """
        done = [name.replace("_", " ") for name, times in zip(ACHIEVEMENTS, me["achievements"], strict=True) if times]
        return f"Achievements, {len(done)} of {len(ACHIEVEMENTS)}: {', '.join(done) or 'none'}."

    def instructions(self, state, agent=0):
        """The rules, with the costs of this world."""
        costs = self.world.params[0]["costs"]
        built = []
        for k, name in enumerate(BUILT):
            needed = ", ".join(f"{int(n)} {ITEMS[i].replace('_', ' ')}" for i, n in enumerate(costs[k]) if n)
            where = "" if k < 4 else " at a table and a furnace" if name.startswith("iron") else " at a table"
            built.append(f"{name.replace('_', ' ')} {needed or 'nothing'}{where}")
        return (
            f"{self._pay()} You move and act in four directions; 'do' works on the cell in front: it chops trees, "
            "drinks water, takes saplings from grass now and then, hits creatures and eats ripe plants. Stone and coal "
            "need a wood pickaxe, iron a stone one, diamond an iron one. Lava kills. Zombies hunt on grass, skeletons "
            f"shoot in tunnels. Costs: {'; '.join(built)}. Answer with one of: {', '.join(ACTIONS)}"
        )

    def _pay(self) -> str:
        """What pays, and what other players are to one, if there are any."""
        others = len(self.world.agents) - 1
        each = "each player " if others > 0 else ""
        pay = f"Each of the {len(ACHIEVEMENTS)} achievements pays {each}1 the first time, each point of health a tenth."
        if others < 1:
            return pay
        if self.world.params[0]["shared"]:
            pay += " What all earn in a step is divided equally among those who live."
        who = "There is another player" if others == 1 else f"There are {others} other players"
        return f"{pay} {who}; nobody can hurt another, and what one places serves all."

    def answers(self, state, agent=0):
        """Names of the actions."""
        return ACTIONS

    def parse(self, text, state, agent=0):
        """Read an action; see `envsuite.crafting.crafter.answers.read_action`."""
        return read_action(text)

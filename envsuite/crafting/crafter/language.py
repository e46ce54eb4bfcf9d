"""Crafter in words: what is in view and where, what one has, what one has done; answers are names of actions."""

import re

import numpy as np

from envsuite.core import Words
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind, number_among
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
    PLAYER,
    SIDES,
    VIEW,
)

_KINDS = ("the edge of the world", *MATERIALS, "another player", *BEINGS[1:], "ripe plant")
_LIGHT = ((0.25, "It is night."), (0.6, "It is dusk or dawn."), (2.0, "It is day."))
_MASS = ("water", "grass", "sand", "lava", "coal", "iron", "stone", "path")
"""What has no plural here."""

_SAYINGS: dict[str, tuple[str, ...]] = {
    "noop": ("noop", "no op", "wait", "do nothing", "nothing", "stay", "idle", "pass"),
    "move_left": ("left", "west"),
    "move_right": ("right", "east"),
    "move_up": ("up", "north"),
    "move_down": ("down", "south"),
    "do": ("use", "interact", "collect", "gather", "chop", "mine", "attack", "hit", "fight", "eat", "drink", "dig"),
    "sleep": ("sleep", "rest", "go to sleep", "nap"),
    "place_stone": ("place stone", "put stone", "lay stone"),
    "place_table": ("place table", "put table", "build table", "place crafting table", "place workbench"),
    "place_furnace": ("place furnace", "put furnace", "build furnace"),
    "place_plant": ("place plant", "place sapling", "plant sapling", "put plant", "put sapling", "plant"),
}
_MAKING = ("make", "craft", "build", "forge")
_MOVING = ("move", "go", "walk", "step", "face", "turn", "run")
_STATED = re.compile(r"\baction\W{0,4}[:=]\W*([^\n\"}]*)", re.IGNORECASE)
_FILLER = re.compile(r"\b(?:a|an|the|to|in|on|my|your|some|this|that|it|one|cell|please|now|of|front|me|you)\b")


def _sayings() -> dict[str, int]:
    """Action by each way to say it."""
    found = {}
    for k, name in enumerate(ACTIONS):
        ways = [*_SAYINGS.get(name, ()), *([] if name == "do" else [name.replace("_", " ")])]
        if name.startswith("move_"):
            ways += [f"{verb} {side}" for verb in _MOVING for side in _SAYINGS[name]]
        if name.startswith("make_"):
            tool = name[5:].replace("_", " ")
            plain = tool.replace("wood ", "wooden ")
            ways += [f"{verb} {one}" for verb in _MAKING for one in (tool, plain)]
            ways += [tool, plain]
        found |= {way: k for way in ways}
    return found


_KNOWN = _sayings()
_PATTERN = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, _KNOWN), key=len, reverse=True)) + r")\b")


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
        asleep = " You are asleep: whatever you answer, you sleep on until you are rested or hurt." * bool(
            me["sleeping"]
        )
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
            needed = ", ".join(f"{int(n)} {ITEMS[i]}" for i, n in enumerate(costs[k]) if n) or "nothing"
            where = "" if k < 4 else " at a table and a furnace" if name.startswith("iron") else " at a table"
            built.append(f"{name.replace('_', ' ')} {needed}{where}")
        return (
            f"Each of the {len(ACHIEVEMENTS)} achievements pays 1 the first time, each point of health a tenth. "
            "You move and act in four directions; 'do' works on the cell in front: it chops trees, drinks water, takes "
            "saplings from grass now and then, hits creatures and eats ripe plants. Stone and coal need a wood "
            "pickaxe, iron a stone one, diamond an iron one. Lava kills. Zombies hunt on grass, skeletons shoot in "
            f"tunnels. Costs: {'; '.join(built)}. Answer with one of: {', '.join(ACTIONS)}"
        )

    def answers(self, state, agent=0):
        """Names of the actions."""
        return ACTIONS

    def parse(self, text, state, agent=0):
        """Read an action by its name, its number, or another way to say it, at the end of an explanation or alone."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, f"the answer is empty; answer with one of: {', '.join(ACTIONS)}")
        if text.strip().isdecimal():
            return number_among(text.strip(), len(ACTIONS))
        stated = _STATED.findall(text)
        said = (stated[-1] if stated and stated[-1].strip() else text).lower()
        if said.strip(" .!\"'") == "do":  # a word of its own only where it stands alone
            return ACTIONS.index("do")
        exact = [k for k, name in enumerate(ACTIONS) if name != "do" and re.search(rf"\b{name}\b", said)]
        if len(exact) == 1:
            return exact[0]
        plain = " ".join(_FILLER.sub(" ", re.sub(r"[^a-z0-9]+", " ", said)).split())
        found = {_KNOWN[way] for way in _PATTERN.findall(plain)}
        if not found:
            return Refusal(RefusalKind.UNKNOWN_NAME, f"no action found; answer with one of: {', '.join(ACTIONS)}")
        if len(found) > 1:
            names = ", ".join(ACTIONS[k] for k in sorted(found))
            return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds several actions ({names}); name one")
        return found.pop()

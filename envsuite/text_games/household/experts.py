"""Reference players: one that knows where everything is, and one that has to look for it."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.text_games.household.kinds import CAN_HOLD, HAS_LAMP, IS_SHARP, KINDS, NEVER
from envsuite.text_games.household.solve import House, solve
from envsuite.text_games.household.state import GO, INVENTORY, LOOK, MOST_SPOTS, NONE, THINGS
from envsuite.text_games.textworld.experts import Planner


class HouseholdPlanner(Planner):
    """Follows a shortest solution, with knowledge of where everything is."""

    idle = ([LOOK, NONE, NONE], [INVENTORY, NONE, NONE])

    def solve(self, state):
        """A shortest solution."""
        return solve(state[0])


class Explorer(HouseholdPlanner):
    """Knows what it has seen: searches where what it lacks can be, the nearest first, and then does the task."""

    def solve(self, state):
        """A shortest solution with what is known, or the way to the next receptacle or room to search."""
        return solve(state[0], known=True) or explore(state[0])


def lacking(house: House) -> np.ndarray:
    """Kinds of receptacles that can have what is not found yet, bool (kinds of receptacles,).

    Args:
        house: what is known.
    """
    kinds = np.zeros(len(KINDS), bool)
    kinds[int(house.state["game"]["wanted"])] = len(house.wanted) < house.many
    if house.slices and not house.knives:
        kinds |= IS_SHARP.astype(bool)
    lamps = HAS_LAMP.astype(bool) & bool(house.state["game"]["goal"] < 0 and not house.lamps)
    return (CAN_HOLD[:, kinds] != NEVER).any(1) | lamps


def explore(state: np.void) -> list[list[int]]:
    """Commands that search one more receptacle, or enter one more room; empty if nothing is left.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
    """
    house = House(state, known=True)
    here, useful = house.start(), lacking(house)
    ways = [
        house.way(here, spot, entering=True)
        for spot in house.spots
        if not state["searched"][spot] and useful[house.spot_kinds[spot]]
    ]
    if ways:
        return [list(row) for row in min(ways, key=len)]
    rooms = np.flatnonzero(state["entered"][: int(state["game"]["room_count"])] == 0)
    return [[GO, THINGS + MOST_SPOTS + int(rooms[0]), NONE]] if len(rooms) else []


class HouseholdPlayers(Players):
    """The planner, and the one that has to look."""

    def expert(self):
        """Follows a shortest solution; see `HouseholdPlanner`."""
        return HouseholdPlanner()

    def collector(self, name):
        """``"explore"``: see `Explorer`."""
        if name != "explore":
            return super().collector(name)
        return Explorer()

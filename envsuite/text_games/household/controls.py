"""Clicks of household tasks."""

from envsuite.core.companions import Controls
from envsuite.text_games.household.render import MAP_SHARE, ROW, TOP, room_boxes, shown_commands, spot_boxes
from envsuite.text_games.household.state import GO, MOST_SPOTS, NONE, THINGS


class HouseholdControls(Controls):
    """A click on a receptacle or room goes there, one on a command of the list gives it."""

    def keys(self):
        """None."""
        return {}

    def click(self, place, held, state):
        """The command at `place`."""
        x, y = place
        if x > MAP_SHARE:
            k, shown = int((y - TOP) // ROW), shown_commands(state)
            return shown[k] if 0 <= k < len(shown) else None
        boxes = [(THINGS + spot, box) for spot, box in spot_boxes(state).items()]
        boxes += [(THINGS + MOST_SPOTS + room, box) for room, box in enumerate(room_boxes(state))]
        rows = state["commands"][: int(state["command_count"])].tolist()
        for target, (left, top, right, bottom) in boxes:
            if left <= x < right and top <= y < bottom and (GO, target, NONE) in rows:
                return rows.index((GO, target, NONE))
        return None

"""Keys and clicks of the card tasks."""

from envsuite.core.companions import Controls
from envsuite.text_games.cards.render import PointsPictures, keypad

LETTERS = {
    "+": "a",
    "-": "s",
    "*": "m",
    "/": "d",
    "(": "o",
    ")": "c",
    "=": "e",
    "10": "0",
    "11": "j",
    "12": "q",
    "13": "k",
}
"""Keys of what has no key of one digit; keyboards have signs in different places."""


class PointsControls(Controls):
    """Digits, letters for signs, and clicks on the keypad of the picture."""

    def keys(self):
        """Digits and letters for all symbols."""
        return {(LETTERS.get(name, name),): k for k, name in enumerate(self.world.action.names)}

    def click(self, place, held, state):
        """The symbol of the key of the picture at `place`."""
        width, height = PointsPictures.size
        for k, (left, top, right, bottom) in enumerate(keypad(len(self.world.action.names), PointsPictures.size)):
            if left <= place[0] * width < right and top <= place[1] * height < bottom:
                return k
        return None


class BlackjackControls(Controls):
    """S and H."""

    def keys(self):
        """First letters."""
        return {(name[0],): k for k, name in enumerate(self.world.action.names)}

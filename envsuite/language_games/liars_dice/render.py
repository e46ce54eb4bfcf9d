"""Liar's dice in pictures."""

from envsuite.language_games.liars_dice.world import FACES, NONE
from envsuite.language_games.render import LIGHT, PLAYERS, TurnPictures, bottom, die, may_see


class LiarsDicePictures(TurnPictures):
    """Both players' dice, the other's covered, and the highest bid between them."""

    def paint(self, canvas, state, viewer):
        """Draw dice and bid."""
        width, height, near = canvas.width, canvas.height, bottom(viewer)
        side = min(0.22 * height, 0.8 * width / (self.world.dice + 1))
        for player in (0, 1):
            y = (0.76 if player == near else 0.15) * height
            faces = [k + 1 for k, count in enumerate(state["counts"][player].tolist()) for _ in range(count)]
            for k, face in enumerate(faces):
                x = width / 2 + (k - (len(faces) - 1) / 2) * 1.25 * side
                die(canvas, (x, y), side, face if may_see(viewer, player) else 0)
        bid = int(state["last"])
        if bid != NONE:
            color = PLAYERS[int(state["bids"][bid]) - 1]
            canvas.text((0.4 * width, 0.455 * height), f"{bid // FACES + 1} x", color, 0.16 * height, "rm")
            die(canvas, (0.52 * width, 0.455 * height), 0.2 * height, bid % FACES + 1)
        else:
            canvas.text((0.5 * width, 0.455 * height), "-", LIGHT, 0.16 * height, "mm")

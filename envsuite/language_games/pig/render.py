"""Pig in pictures."""

from envsuite.language_games.render import LIGHT, PLAYERS, SHADE, TurnPictures, bottom, die


class PigPictures(TurnPictures):
    """The die, a bar of points for each player, and the points of the turn."""

    def paint(self, canvas, state, viewer):
        """Draw bars and die."""
        width, height, near, target = canvas.width, canvas.height, bottom(viewer), self.world.target
        for player in (0, 1):
            y = (0.74 if player == near else 0.08) * height
            safe = int(state["scores"][player])
            turn = int(state["turn"]) if player == state["current_player"] and not state["over"] else 0
            scale = 0.7 * width / target
            canvas.rectangle((0.06 * width, y, 0.76 * width, y + 0.13 * height), SHADE)
            for points, color in ((safe + turn, LIGHT), (safe, PLAYERS[player])):
                end = 0.06 * width + scale * min(points, target)
                if points:
                    canvas.rectangle((0.06 * width, y, end, y + 0.13 * height), color)
            canvas.text((0.79 * width, y + 0.065 * height), str(safe), LIGHT, 0.11 * height, "lm")
        die(canvas, (0.4 * width, 0.47 * height), 0.28 * height, int(state["rolled"]))
        canvas.text((0.6 * width, 0.47 * height), f"+{int(state['turn'])}", LIGHT, 0.14 * height, "lm")

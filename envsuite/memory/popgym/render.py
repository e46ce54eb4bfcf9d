"""Pictures of the tasks: by default what one observation holds, and no more; ``view="all"`` shows the whole state."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.memory.popgym.drawing import (
    BLACK,
    FAINT,
    FELT,
    GOLD,
    PAPER,
    RED,
    WHITE,
    Box,
    arrow,
    card,
    cell,
    middle_of,
    stack,
    table,
    title,
)
from envsuite.memory.popgym.recall import BACKWARDS, FIRST, KEPT
from envsuite.memory.render import MemoryPictures

SIZE = (480, 360)
SEA, SHIP, EARTH, GROUND = (40, 92, 142), (150, 158, 170), (150, 132, 104), (222, 212, 188)
SKY, FLOOR, CART, POLE, BOB = (240, 244, 248), (176, 184, 194), (52, 74, 108), (206, 142, 66), (190, 60, 62)
NUMBERS = ((150, 150, 150), (36, 84, 200), (30, 130, 60), (200, 40, 40), (90, 30, 140), (140, 70, 20))


class PopPictures(MemoryPictures):
    """Pictures on a table."""

    size = SIZE
    fps = 4
    ground = FELT

    def marked(self, state: np.void) -> int:
        """The previous action where it is observed, else -1."""
        return int(state["last"]) if self.world.params["previous"][0] >= 0 else -1


def place(canvas: Canvas, x: float, y: float, tall: float) -> Box:
    """Box of a card around a point; all as shares of the picture's width and height."""
    high = tall * canvas.height
    return (
        x * canvas.width - 0.36 * high,
        y * canvas.height - high / 2,
        x * canvas.width + 0.36 * high,
        y * canvas.height + high / 2,
    )


class RecallPictures(PopPictures):
    """The card beside its deck."""

    def paint(self, canvas, state, all_seen):
        """Draw the card; in the whole picture those before it."""
        world = self.world
        reciting = world.task == BACKWARDS and state["dealt"] == world.cards
        ago = "the present card" if world.k == 1 else f"the card shown {world.k - 1} cards before"
        told = f"Which suit had {'the first card' if world.task == FIRST else ago}?"
        if world.task == BACKWARDS:
            told = "Say the suits backwards" if reciting else "Watch the cards"
        title(canvas, told)
        if not reciting:
            stack(canvas, place(canvas, 0.3, 0.47, 0.5))
        if state["shown"] >= 0:
            card(canvas, place(canvas, 0.68, 0.47, 0.56), 4, int(state["shown"]))
        if all_seen:
            many = min(int(state["dealt"]), 16)
            for n in range(many):
                suit = int(state["seen"][(int(state["dealt"]) - many + n) % KEPT])
                card(canvas, place(canvas, 0.06 + 0.058 * n, 0.9, 0.1), 4, suit)


class CountRecallPictures(PopPictures):
    """The card that was dealt, and the one that is asked for."""

    def paint(self, canvas, state, all_seen):
        """Draw both; in the whole picture all counts."""
        kinds = len(self.world.names)
        title(canvas, "How many of the kind at the right were dealt so far?")
        canvas.text((0.3 * canvas.width, 0.17 * canvas.height), "dealt", FAINT, 0.06 * canvas.height, "mm")
        canvas.text((0.72 * canvas.width, 0.17 * canvas.height), "how many?", GOLD, 0.06 * canvas.height, "mm")
        card(canvas, place(canvas, 0.3, 0.5, 0.5), kinds, int(state["shown"]))
        card(canvas, place(canvas, 0.72, 0.5, 0.5), kinds, int(state["query"]), GOLD)
        if all_seen:
            each = self.world.cards // kinds
            for k in range(kinds):
                x = 0.06 + 0.95 * k / kinds
                card(canvas, place(canvas, x, 0.84, 0.08), kinds, k)
                count = str(each - int(state["left"][k]))
                canvas.text((x * canvas.width, 0.93 * canvas.height), count, WHITE, 0.05 * canvas.height, "mm")


class HigherLowerPictures(PopPictures):
    """The card, and the next one face down."""

    def paint(self, canvas, state, all_seen):
        """Draw both; in the whole picture what is left of each rank."""
        title(canvas, "Is the next card higher or lower?")
        card(canvas, place(canvas, 0.3, 0.5, 0.56), 13, int(state["shown"]))
        box = place(canvas, 0.72, 0.5, 0.56)
        stack(canvas, box)
        (x, y), r = middle_of(box), 0.05 * canvas.height
        for way in (-1, 1):
            at = y + way * 0.17 * canvas.height
            canvas.polygon([(x - r, at), (x + r, at), (x, at + way * r)], GOLD)
        if all_seen:
            for k in range(13):
                at = (0.1 + 0.066 * k) * canvas.width
                high = int(state["left"][k]) * 13 / self.world.cards * 0.1 * canvas.height
                low = 0.97 * canvas.height
                canvas.rectangle((at, low - max(high, 2), at + 0.05 * canvas.width, low), GOLD)


class ConcentrationPictures(PopPictures):
    """All cards on the table."""

    def paint(self, canvas, state, all_seen):
        """Draw the cards that lie face up, and the backs of the others."""
        kinds, last = len(self.world.names), self.marked(state)
        title(canvas, f"Find pairs of the same {'colour' if kinds == 2 else 'rank'}, two cards at a time")
        for k, box in enumerate(table(self.world.cards, (canvas.width, canvas.height))):
            kind = int(state["cards" if all_seen else "face"][k])
            card(canvas, box, kinds, kind if kind < kinds else -1, GOLD if k == last else None)


class BattleshipPictures(PopPictures):
    """The sea."""

    ground = (22, 46, 74)

    def paint(self, canvas, state, all_seen):
        """Draw the last shot; in the whole picture ships and all shots."""
        size, last = self.world.size, int(state["last"])
        seen = self.marked(state)
        told = "The last shot hit a ship" if state["hit"] else "The last shot hit nothing new"
        title(canvas, told if last >= 0 else "Four ships are hidden here: shoot", GOLD if state["hit"] else WHITE)
        for k in range(size * size):
            box = cell((canvas.width, canvas.height), size, k)
            canvas.rectangle(box, SHIP if all_seen and state["ship"][k] else SEA)
            if k == seen or (all_seen and state["shot"][k]):
                hit = bool(state["ship"][k]) if k != seen else bool(state["hit"])
                canvas.circle(middle_of(box), 0.32 * (box[2] - box[0]), RED if hit else PAPER)
        if seen >= 0:
            box = cell((canvas.width, canvas.height), size, seen)
            canvas.circle(middle_of(box), 0.45 * (box[2] - box[0]), None, GOLD, 0.07 * (box[2] - box[0]))


class MineSweeperPictures(PopPictures):
    """The field."""

    ground = (70, 66, 58)

    def paint(self, canvas, state, all_seen):
        """Draw the number of the last cell; in the whole picture all numbers and mines."""
        size, last, many = self.world.size, self.marked(state), int(state["shown"])
        told = f"{many} mine{'' if many == 1 else 's'} in and around the last cell"
        title(canvas, told if state["last"] >= 0 else f"Open the cells without the {self.world.mines} mines")
        for k in range(size * size):
            box = cell((canvas.width, canvas.height), size, k)
            known = k == last or (all_seen and bool(state["open"][k]))
            value = int(state["number"][k])
            ink = NUMBERS[min(value, len(NUMBERS) - 1)]
            tint = tuple((3 * a + b) // 4 for a, b in zip(GROUND, ink, strict=True))
            canvas.rectangle(box, tint if known else EARTH, 0.1 * (box[2] - box[0]))
            mine = bool(state["mine"][k]) and (all_seen or (k == last and bool(state["clock"]["done"])))
            if mine and (all_seen or k == last):
                side = box[2] - box[0]
                (x, y), r = middle_of(box), 0.28 * side
                for dx, dy in ((1.4, 0), (0, 1.4), (1, 1), (1, -1)):
                    canvas.line([(x - r * dx, y - r * dy), (x + r * dx, y + r * dy)], BLACK, 0.06 * side)
                canvas.circle((x, y), r, BLACK, RED if k == last else None, 0.07 * side)
            elif known:
                canvas.text(middle_of(box), str(value), ink, 0.6 * (box[3] - box[1]), "mm")


class BanditPictures(PopPictures):
    """Slot machines in rows of ten."""

    ground = (44, 38, 62)

    def paint(self, canvas, state, all_seen):
        """Draw the machine pulled last and what it gave; in the whole picture the chances of all."""
        arms, last = self.world.arms, self.marked(state)
        paid = bool(state["payout"])
        told = "The last arm paid" if paid else "The last arm paid nothing"
        title(canvas, told if state["last"] >= 0 else "Which arm pays most often?", GOLD if paid else WHITE)
        rows, columns = -(-arms // 10), min(arms, 10)
        wide = 0.94 * canvas.width / columns
        tall = min(0.84 * canvas.height / rows, 1.9 * wide)
        for k in range(arms):
            left = 0.03 * canvas.width + k % 10 * wide
            top = 0.53 * canvas.height + (k // 10 - rows / 2) * tall
            body = (left + 0.1 * wide, top + 0.08 * tall, left + 0.8 * wide, top + 0.92 * tall)
            canvas.rectangle(body, GOLD if k == last else (150, 64, 84), 0.08 * wide)
            screen = (left + 0.18 * wide, top + 0.3 * tall, left + 0.72 * wide, top + 0.62 * tall)
            canvas.rectangle(screen, PAPER, 0.04 * wide)
            name = (left + 0.45 * wide, top + 0.19 * tall)
            canvas.text(name, str(k + 1), BLACK if k == last else WHITE, 0.14 * tall, "mm")
            knob = 0.22 if k == last else -0.02
            bar = [(left + 0.8 * wide, top + 0.5 * tall), (left + 0.9 * wide, top + (0.42 + knob) * tall)]
            canvas.line(bar, FAINT, 0.05 * wide)
            canvas.circle(bar[1], 0.08 * wide, RED)
            if k == last:
                coin = middle_of(screen)
                if paid:
                    canvas.circle(coin, 0.18 * wide, GOLD, BLACK, 0.03 * wide)
                else:
                    canvas.text(coin, "0", BLACK, 0.24 * tall, "mm")
            elif all_seen:
                canvas.text(middle_of(screen), f"{float(state['chance'][k]):.2f}", BLACK, 0.14 * tall, "mm")


class CartPolePictures(PopPictures):
    """The cart on its rail, as far as it is seen."""

    fps = 50
    ground = SKY

    def paint(self, canvas, state, all_seen):
        """Draw cart and pole where they are seen, or arrows for speeds."""
        p = self.world.params[0]
        moving = bool(p["moving" if int(state["clock"]["step"]) else "opening"])
        width, height = canvas.width, canvas.height
        scale, rail = 0.45 * width / float(p["far"]), 0.8 * height
        canvas.rectangle((0, rail + 0.05 * height, width, height), FLOOR)
        for side in (-1, 1):
            at = width / 2 + side * scale * float(p["far"])
            canvas.line([(at, rail - 0.1 * height), (at, rail + 0.08 * height)], RED, 0.01 * height)
        if all_seen or not moving:
            x, angle = (state["x"], state["theta"]) if all_seen else state["seen"]
            self.cart(canvas, width / 2 + scale * float(x), rail, float(angle))
            return
        title(canvas, "Where the cart is, and how the pole leans, cannot be seen", BLACK)
        self.cart(canvas, width / 2, rail, 0.0, faint=True)
        for value, y, name in ((state["seen"][0], 0.9, "cart"), (state["seen"][1], 0.3, "pole")):
            arrow(canvas, (width / 2, y * height), float(np.clip(value, -3, 3)) * 0.14 * width, BOB)
            canvas.text((0.03 * width, y * height), name, BLACK, 0.05 * height, "lm")

    def cart(self, canvas: Canvas, x: float, y: float, angle: float, faint: bool = False) -> None:
        """Draw the cart at a place of the picture, with its pole."""
        unit = canvas.height
        body, pole = ((198, 204, 212), (222, 214, 202)) if faint else (CART, POLE)
        canvas.rectangle((x - 0.1 * unit, y - 0.05 * unit, x + 0.1 * unit, y + 0.03 * unit), body, 0.015 * unit)
        for side in (-1, 1):
            canvas.circle((x + side * 0.06 * unit, y + 0.03 * unit), 0.022 * unit, BLACK)
        top = (x + 0.5 * unit * np.sin(angle), y - 0.03 * unit - 0.5 * unit * np.cos(angle))
        canvas.line([(x, y - 0.03 * unit), top], pole, 0.03 * unit)
        canvas.circle((x, y - 0.03 * unit), 0.018 * unit, BLACK)


class PendulumPictures(PopPictures):
    """The rod on its pivot."""

    fps = 20
    ground = SKY

    def paint(self, canvas, state, all_seen):
        """Draw the bob where it is seen, or where it is."""
        middle, reach = (canvas.width / 2, 0.5 * canvas.height), 0.4 * canvas.height
        canvas.circle(middle, reach, None, (214, 220, 228), 0.008 * canvas.height)
        canvas.line([(middle[0], middle[1] - reach), (middle[0], middle[1] - 1.1 * reach)], RED, 0.012 * canvas.height)
        angle = float(state["theta"])
        cosine, sine = (np.cos(angle), np.sin(angle)) if all_seen else (float(one) for one in state["seen"])
        bob = (middle[0] - reach * sine, middle[1] - reach * cosine)
        canvas.line([middle, bob], POLE, 0.045 * canvas.height)
        canvas.circle(bob, 0.06 * canvas.height, BOB)
        canvas.circle(middle, 0.03 * canvas.height, BLACK)
        told = float(state["torque"]) if all_seen or self.world.params["previous"][0] >= 0 else 0.0
        if told:
            turn = np.linspace(0, told * 0.9, 16)
            at = np.stack([middle[0] - 0.3 * reach * np.sin(turn), middle[1] - 0.3 * reach * np.cos(turn)], axis=1)
            canvas.line(at, CART, 0.015 * canvas.height)
            canvas.circle(tuple(at[-1]), 0.02 * canvas.height, CART)

"""Draws arenas and paths from above."""

import math

from envsuite.memory.memory_gym.endless_path import PAST, on_path
from envsuite.memory.memory_gym.mortar import AHEAD, OFFSETS
from envsuite.memory.memory_gym.path import SIDE
from envsuite.memory.memory_gym.spotlights import (
    AGENT,
    BAR,
    COIN,
    DARK,
    EXIT,
    LIGHTS,
    agent_seen,
    coin_seen,
    exit_seen,
)
from envsuite.memory.memory_gym.spotlights import SIDE as PICTURE
from envsuite.memory.render import MemoryPictures

NIGHT, TILE, EDGE, FIRE, SAFE, HERO, INK, LIGHT, CROSS, FAINT = (
    (24, 26, 34),
    (96, 106, 124),
    (64, 72, 88),
    (208, 74, 54),
    (92, 176, 106),
    (244, 196, 60),
    (20, 22, 28),
    (238, 240, 244),
    (228, 60, 60),
    (44, 50, 64),
)
GOLD = (226, 138, 32)
WAYS = ((120, 120, 120), (140, 60, 160), (70, 120, 220))
"""Colours of the last action: to stay, left or up, right or down."""
FADED = 90
"""Of 255, how much people see of what is in the dark."""


def walker(canvas, x, y, radius, toward):
    """The agent, a disc with a beak; `toward` is (columns, rows), or nothing."""
    canvas.circle((x, y), radius, HERO, INK, 0.12 * radius)
    if toward:
        a, b = toward
        tip = (x + 0.9 * radius * a, y + 0.9 * radius * b)
        sides = [(x + 0.3 * radius * (a + k * 1.6 * b), y + 0.3 * radius * (b - k * 1.6 * a)) for k in (-1, 1)]
        canvas.polygon([tip, *sides], INK)


def sign(canvas, x, y, side, offset):
    """A command: an arrow, or a square to stay."""
    canvas.rectangle((x - side / 2, y - side / 2, x + side / 2, y + side / 2), LIGHT, 0.12 * side)
    if offset == (0, 0):
        canvas.rectangle((x - 0.16 * side, y - 0.16 * side, x + 0.16 * side, y + 0.16 * side), INK)
        return
    size = math.hypot(*offset)
    a, b = offset[0] / size, offset[1] / size
    canvas.line(
        [(x - 0.32 * side * a, y - 0.32 * side * b), (x + 0.1 * side * a, y + 0.1 * side * b)], INK, 0.12 * side
    )
    base = (x + 0.06 * side * a, y + 0.06 * side * b)
    sides = [(base[0] + 0.22 * side * k * b, base[1] - 0.22 * side * k * a) for k in (-1, 1)]
    canvas.polygon([(x + 0.38 * side * a, y + 0.38 * side * b), *sides], INK)


def cross(canvas, x, y, side):
    """Where the agent fell."""
    for k in (-1, 1):
        canvas.line([(x - side / 2, y - k * side / 2), (x + side / 2, y + k * side / 2)], CROSS, 0.25 * side)


class MortarMayhemPictures(MemoryPictures):
    """The arena; people see a ring around the tile where the command leads."""

    size = (400, 440)
    fps = 6
    ground = NIGHT

    def paint(self, canvas, state, all_seen):
        """Draw tiles, agent and command."""
        width, height = canvas.width, canvas.height
        p = self.world.params[0]
        n = int(p["side"])
        side = min(0.94 * width, 0.84 * height) / n
        left, top = (width - n * side) / 2, 0.97 * height - n * side
        target = (int(state["target_x"]), int(state["target_y"]))
        for x in range(n):
            for y in range(n):
                color = TILE if not state["burning"] else SAFE if (x, y) == target else FIRE
                a, b = left + x * side, top + y * side
                canvas.rectangle((a + 1, b + 1, a + side - 1, b + side - 1), color)
                if all_seen and (x, y) == target and not int(state["left"]):
                    canvas.circle((a + side / 2, b + side / 2), 0.42 * side, None, SAFE, 0.06 * side)
        x, y = left + (int(state["x"]) + 0.5) * side, top + (int(state["y"]) + 0.5) * side
        walker(canvas, x, y, 0.3 * side, AHEAD[int(state["facing"])])
        if int(state["visible"]) >= 0:
            sign(canvas, width / 2, top + n * side / 2, 1.4 * side, OFFSETS[int(state["visible"])])
        if p["told"]:
            step = 0.94 * width / int(p["commands"])
            for k in range(int(p["commands"])):
                place = (0.03 * width + (k + 0.5) * step, 0.065 * height)
                sign(canvas, *place, min(0.9 * step, 0.1 * height), OFFSETS[int(state["command"][k])])
        elif all_seen:
            canvas.text((0.03 * width, 0.065 * height), f"done: {int(state['done'])}", LIGHT, 0.055 * height, "lm")


class MysteryPathPictures(MemoryPictures):
    """Darkness and the agent; people see the path."""

    size = (400, 400)
    fps = 6
    ground = NIGHT

    def paint(self, canvas, state, all_seen):
        """Draw the agent, a cross after a fall, and for people the path and its end."""
        width, height = canvas.width, canvas.height
        side = min(width, height) / SIDE
        left, top = (width - SIDE * side) / 2, (height - SIDE * side) / 2
        goal = int(state["path"][int(state["length"]) - 1])
        for cell in range(SIDE * SIDE):
            a, b = left + cell // SIDE * side, top + cell % SIDE * side
            color = FAINT if not all_seen else SAFE if cell == goal else TILE if state["on"][cell] else FAINT
            canvas.rectangle((a + 1, b + 1, a + side - 1, b + side - 1), color)
        x, y = left + (int(state["x"]) + 0.5) * side, top + (int(state["y"]) + 0.5) * side
        walker(canvas, x, y, 0.34 * side, AHEAD[int(state["facing"])])
        if state["off"]:
            cross(canvas, x, y, 0.7 * side)


class EndlessMysteryPathPictures(MemoryPictures):
    """The path behind the agent, a post where it begins; people see what is ahead too, and what is left of stamina."""

    size = (560, 360)
    fps = 6
    ground = NIGHT

    def paint(self, canvas, state, all_seen):
        """Draw path, agent, and a cross after a fall."""
        width, height = canvas.width, canvas.height
        side = min(width / (2 * PAST), 0.9 * height / SIDE)
        first, top = int(state["x"]) - PAST + 1, height - SIDE * side
        for k in range(2 * PAST):
            x = first + k
            for y in range(SIDE):
                a, b = k * side, top + y * side
                known = x >= 0 and x < int(state["known"]) and bool(on_path(state, x, y))
                behind = k < PAST - 1 or (k == PAST - 1 and self._before(state, y))
                if known and not state["off"] and behind:
                    canvas.rectangle((a + 1, b + 1, a + side - 1, b + side - 1), LIGHT)
                elif all_seen and x >= 0:
                    canvas.rectangle((a + 1, b + 1, a + side - 1, b + side - 1), TILE if known else FAINT)
        x, y = (PAST - 0.5) * side, top + (int(state["y"]) + 0.5) * side
        if not int(state["x"]):
            canvas.rectangle(((PAST - 1.2) * side, top, (PAST - 1) * side, height), SAFE)
        walker(canvas, x, y, 0.34 * side, None)
        if state["off"]:
            cross(canvas, x, y, 0.7 * side)
        if all_seen:
            told = f"tiles: {int(state['tiles'])}   steps left: {int(state['stamina'])}"
            canvas.text((0.02 * width, 0.05 * height), told, LIGHT, 0.055 * height, "lm")

    def _before(self, state, y):
        enters, here = int(state["enters"][int(state["x"])]), int(state["y"])
        return min(enters, here) <= y <= max(enters, here)


class SearingSpotlightsPictures(MemoryPictures):
    """Spotlights, and what is in them at least in part; people see the rest too, faintly."""

    size = (420, 420)
    fps = 25
    ground = NIGHT

    def paint(self, canvas, state, all_seen):
        """Draw lights, exit, coin, agent, and a bar of health."""
        a, b = canvas.width / PICTURE, canvas.height / PICTURE
        scale, p, shade = min(a, b), self.world.params[0], int(state["dark"]) / DARK
        dimmed = tuple(round(shade * dark + (1 - shade) * bright) for dark, bright in zip(NIGHT, TILE, strict=True))
        canvas.rectangle((0, 0, canvas.width, canvas.height), dimmed)
        for k in range(LIGHTS):
            if state["there"][k]:
                x, y = state["place"][k].tolist()
                canvas.circle((a * x, b * y), scale * int(state["radius"][k]), FIRE if state["lit"] else LIGHT)
        exit_there, coin_there = not p["endless"], bool(p["endless"]) or int(state["coins"]) == 0
        if exit_there and (all_seen or exit_seen(state, p)):
            x, y = state["exit"].tolist()
            faint = () if exit_seen(state, p) else (FADED,)
            box = (a * (x - EXIT), b * (y - EXIT), a * (x + EXIT), b * (y + EXIT))
            canvas.rectangle(box, (*(EDGE if coin_there else SAFE), *faint), scale)
        if coin_there and (all_seen or coin_seen(state, p)):
            faint = () if coin_seen(state, p) else (FADED,)
            x, y = state["coin"].tolist()
            canvas.circle((a * x, b * y), scale * COIN, (*GOLD, *faint), (*INK, *faint), 0.5 * scale)
        if all_seen or agent_seen(state, p):
            faint = () if agent_seen(state, p) else (FADED,)
            place = (a * int(state["x"]), b * int(state["y"]))
            canvas.circle(place, scale * AGENT, (*HERO, *faint), (*INK, *faint), 0.7 * scale)
        canvas.rectangle((0, 0, canvas.width, b * BAR), INK)
        canvas.rectangle((0, 0, canvas.width / 2 * int(state["health"]) / int(p["health"]), b * BAR), SAFE)
        for k, one in enumerate(state["last"].tolist()):
            box = ((0.5 + 0.25 * k) * canvas.width, 0, (0.75 + 0.25 * k) * canvas.width, b * BAR)
            canvas.rectangle(box, WAYS[one])
        if state["paid"]:
            canvas.rectangle((0.69 * canvas.width, 0, 0.81 * canvas.width, b * BAR), GOLD)

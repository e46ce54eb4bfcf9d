"""A pad of 3 x 3 tiles with a hidden sequence, found by trying."""

import itertools

import numpy as np

from envsuite.core import (
    Block,
    Choice,
    Players,
    Record,
    Reward,
    StateRecord,
    Vector,
    Words,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.render import MemoryPictures

SIDE, TILES, ORDER = 3, 9, 4
MOVES = ("up", "right", "down", "left")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
GROUND, DARK, LIT, BALL, INK, FAINT = (
    (46, 52, 64),
    (96, 106, 124),
    (248, 206, 84),
    (228, 96, 72),
    (250, 250, 250),
    (150, 160, 178),
)


def _next() -> np.ndarray:
    """The tile that each move leads to, int64 (tiles, moves); a tile itself where the pad ends."""
    found = np.repeat(np.arange(TILES)[:, np.newaxis], len(MOVES), axis=1)
    for tile, (k, (down, right)) in itertools.product(range(TILES), enumerate(STEPS)):
        row, column = tile // SIDE + down, tile % SIDE + right
        if 0 <= row < SIDE and 0 <= column < SIDE:
            found[tile, k] = row * SIDE + column
    return found


NEXT = _next()


def _walks() -> np.ndarray:
    """All ways over four different tiles, each beside the one before, int64 (walks, 4)."""
    walks = [[tile] for tile in range(TILES)]
    for _ in range(ORDER - 1):
        walks = [[*walk, int(there)] for walk in walks for there in NEXT[walk[-1]] if there not in walk]
    return np.array(walks)


WALKS = _walks()


class Params(Record):
    """The options."""

    walks = field(type=np.int32, meaning="sequences that there are")


class State(StateRecord):
    """The sequence, the lights, the ball."""

    sequence = field(type=np.int32, meaning="index into `WALKS`")
    ball = field(type=np.int32, meaning="tile")
    lit = field(type=np.int32, meaning="tiles of the sequence that are lit, from its beginning")
    most = field(type=np.int32, meaning="the most that have been lit since the sequence was last complete")
    completed = field(type=np.int32, meaning="how often the sequence was complete")


class Info(Record):
    """The metrics."""

    completed = field(type=np.int32, meaning="how often the sequence was complete")
    is_success = field(type=np.bool_, meaning="the sequence was complete at least once")
    privileged = field(type=np.float32, shape="tiles", meaning="for critics: order of each tile of the sequence, / 4")


@kernel
def reset(s, p):
    """Draw the sequence and the ball's tile."""
    s.sequence, s.ball = rng.integers(s.rng, rng.RESET, p.walks), rng.integers(s.rng, rng.RESET, TILES)
    s.lit, s.most, s.completed = 0, 0, 0


@kernel
def step(s, p, action):
    """Roll the ball; the next tile of the sequence lights up, any other one switches all off."""
    there = NEXT[s.ball, action]
    if there == s.ball:
        return 0.0, False
    s.ball = there
    if there != WALKS[s.sequence, s.lit]:
        s.lit = 0
        return 0.0, False
    s.lit += 1
    reward = 1.0 * (s.lit > s.most)
    s.most = max(s.most, s.lit)
    if s.lit == ORDER:
        s.lit, s.most = 0, 0
        s.completed += 1
    return reward, False


@kernel
def observe(s, p, o, info):
    """The tiles that are lit, and the ball."""
    for k in range(TILES):
        o.lights[k], o.ball[k], info.privileged[k] = 0, k == s.ball, 0.0
    for k in range(ORDER):
        tile = WALKS[s.sequence, k]
        o.lights[tile] = k < s.lit
        info.privileged[tile] = (k + 1.0) / ORDER
    info.completed, info.is_success = s.completed, s.completed > 0


class NumpadWorld(World):
    """Roll a ball over a pad; a hidden sequence of four neighbouring tiles lights up, tile by tile."""

    loops = batch_loops(reset, step, observe)
    params = Params.make(walks=len(WALKS))
    state_dtype = State.dtype()
    info_dtype = Info.dtype(tiles=TILES)
    action = Choice(MOVES)
    reward = Reward(low=np.array(0.0), high=np.array(1.0))
    observation = Vector(
        (
            Block("lights", TILES, 0, 1, "", "1 for tiles that are lit, row by row"),
            Block("ball", TILES, 0, 1, "", "1 for the ball's tile"),
        ),
        np.int8,
    )


@kernel
def rule_out(s, kept):
    """Strike the sequences that what has just happened contradicts; rewards tell when one was complete."""
    if kept.begun and s.ball != kept.ball:
        lit = s.completed > kept.completed or s.lit > kept.lit
        for k in range(WALKS.shape[0]):
            if (WALKS[k, kept.lit] == s.ball) != lit:
                kept.out[k] = 1
            for j in range(s.lit):
                if lit and WALKS[s.sequence, j] != WALKS[k, j]:
                    kept.out[k] = 1
    kept.begun, kept.ball, kept.lit, kept.completed = 1, s.ball, s.lit, s.completed


@kernel
def towards(start, target):
    """The first move of a shortest way."""
    down, right = target // SIDE - start // SIDE, target % SIDE - start % SIDE
    if down != 0:
        return 0 if down < 0 else 2
    return 1 if right > 0 else 3


@kernel
def remember(states, params, memory, streams, actions):
    """Try the tile that is next in most of the sequences that are still possible, of those that are nearest."""
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        rule_out(s, kept)
        for tile in range(TILES):
            kept.votes[tile] = 0
        for k in range(WALKS.shape[0]):
            if not kept.out[k]:
                kept.votes[WALKS[k, s.lit]] += 1
        best, score = 0, -1.0
        for tile in range(TILES):
            away = abs(tile // SIDE - s.ball // SIDE) + abs(tile % SIDE - s.ball % SIDE)
            # the ball has to leave its own tile and come back
            value = kept.votes[tile] / (away if away > 0 else 2)
            if value > score:
                best, score = tile, value
        if best == s.ball:
            actions[i] = 0 if NEXT[s.ball, 0] != s.ball else 2
        else:
            actions[i] = towards(s.ball, best)


@kernel
def forget(states, params, memory, streams, actions):
    """Roll on to a neighbour that is not lit."""
    for i in range(states.shape[0]):
        s, g = states[i], streams[i]
        able = 0
        for k in range(len(MOVES)):
            able += open_to(s, k)
        # where all are lit any other move; a wall costs one step alone
        chosen = rng.integers(g, rng.AGENT, max(able, 1))
        actions[i] = rng.integers(g, rng.AGENT, len(MOVES))
        for k in range(len(MOVES)):
            if open_to(s, k):
                if chosen == 0:
                    actions[i] = k
                chosen -= 1


@kernel
def open_to(s, move):
    """Whether a move leads to another tile, which is not lit."""
    there = NEXT[s.ball, move]
    dark = there != s.ball
    for k in range(s.lit):
        dark = dark and WALKS[s.sequence, k] != there
    return dark


class NumpadPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `remember`."""
        fields = [(name, np.int32) for name in ("begun", "ball", "lit", "completed")]
        tables = [("votes", np.int32, (TILES,)), ("out", np.uint8, (len(WALKS),))]
        return KernelPlayer(self.world, remember, np.dtype([*fields, *tables]))

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        return KernelPlayer(self.world, forget) if name == "memoryless" else super().collector(name)


class NumpadWords(Words):
    """Tiles have the numbers of a keypad."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        lit = sorted(int(one) + 1 for one in WALKS[int(state["sequence"])][: int(state["lit"])])
        told = f"The ball is on tile {int(state['ball']) + 1}. "
        told += f"Lit: {', '.join(map(str, lit))}." if lit else "No tile is lit."
        return f"{told}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "A pad has three rows of three tiles: 1 2 3, 4 5 6, 7 8 9. A hidden sequence of four tiles, each beside "
            "the one before, lights up when the ball rolls over them in order; a wrong tile switches all off. Each "
            "tile further than before pays 1. When all four were lit it begins anew, with the same sequence. "
            f"Answer with one of: {', '.join(MOVES)}"
        )


class NumpadPictures(MemoryPictures):
    """The pad; people see the order of the sequence in small numbers."""

    size = (360, 360)
    fps = 6
    ground = GROUND

    def paint(self, canvas, state, all_seen):
        """Draw tiles and ball."""
        width, height = canvas.width, canvas.height
        order = WALKS[int(state["sequence"])].tolist()
        side = 0.96 * min(width, height) / SIDE
        left, top = (width - SIDE * side) / 2, (height - SIDE * side) / 2
        for tile in range(TILES):
            x, y = left + tile % SIDE * side, top + tile // SIDE * side
            lit = tile in order[: int(state["lit"])]
            box = (x + 0.05 * side, y + 0.05 * side, x + 0.95 * side, y + 0.95 * side)
            canvas.rectangle(box, LIT if lit else DARK, 0.1 * side)
            if all_seen and tile in order:
                canvas.text((x + 0.14 * side, y + 0.12 * side), str(order.index(tile) + 1), FAINT, 0.2 * side, "lt")
            if tile == int(state["ball"]):
                canvas.circle((x + side / 2, y + side / 2), 0.26 * side, BALL, INK, 0.03 * side)

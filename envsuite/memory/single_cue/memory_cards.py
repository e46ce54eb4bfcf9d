"""Pairs of cards: one is shown, its partner has to be named."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
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
from envsuite.core.language import Refusal, parse_whole
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.render import MemoryPictures

TABLE, BACK, FACE, INK, FAINT = (38, 92, 74), (52, 104, 204), (250, 248, 242), (40, 44, 52), (150, 178, 226)


class Params(Record):
    """The options."""

    pairs = field(type=np.int32)
    right = field(meaning="reward for the partner")
    wrong = field(meaning="reward for any other card")


class State(StateRecord):
    """The cards."""

    value = field(type=np.int16, shape="cards", meaning="of each card; two cards have each value")
    removed = field(type=np.uint8, shape="cards", meaning="1 where the pair was found")
    shown = field(type=np.int32, meaning="the card that is shown")
    left = field(type=np.int32, meaning="cards that are not removed")
    chosen = field(type=np.int32, meaning="card named last; -1 for none")


class Info(Record):
    """The metrics."""

    pairs = field(type=np.int32, meaning="found")
    is_success = field(type=np.bool_, meaning="all pairs were found")
    privileged = field(type=np.float32, shape="cards", meaning="for critics: 1 for the partner of the card shown")


@kernel
def show(s, p):
    """Draw one of the cards that are left."""
    skip = rng.integers(s.rng, rng.DYNAMICS, s.left)
    for k in range(2 * p.pairs):
        if not s.removed[k]:
            if skip == 0:
                s.shown = k
            skip -= 1


@kernel
def reset(s, p):
    """Shuffle the cards."""
    for k in range(2 * p.pairs):
        s.value[k], s.removed[k] = k // 2, 0
    rng.shuffle(s.rng, rng.RESET, s.value)
    s.left, s.chosen = 2 * p.pairs, -1
    show(s, p)


@kernel
def step(s, p, action):
    """Name a card. A pair that is found is removed; another card is shown."""
    found = action != s.shown and not s.removed[action] and s.value[action] == s.value[s.shown]
    s.chosen = action
    if found:
        s.removed[action], s.removed[s.shown] = 1, 1
        s.left -= 2
    if s.left > 0:
        show(s, p)
    return (p.right if found else p.wrong), s.left == 0


@kernel
def observe(s, p, o, info):
    """The card that is shown, its value, and which are gone."""
    for k in range(2 * p.pairs):
        seen = k == s.shown and s.left > 0
        o.shown[k], o.removed[k] = seen, s.removed[k]
        partner = k != s.shown and not s.removed[k] and s.value[k] == s.value[s.shown]
        info.privileged[k] = partner and s.left > 0
    for k in range(p.pairs):
        o.value[k] = s.left > 0 and k == s.value[s.shown]
    info.pairs, info.is_success = p.pairs - s.left // 2, s.left == 0


class MemoryCardsWorld(World):
    """In each step one of the cards that are left is shown; name its partner.

    Args:
        pairs: of cards.
        rewards: ``"penalty"``: 0 for the partner and -1 for any other card, as in MIKASA's code; ``"bonus"``: 1 and 0,
            as in its documentation.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(self, *, pairs: Annotated[int, Between(2, 100)] = 5, rewards: Literal["penalty", "bonus"] = "penalty"):
        right, wrong = (0.0, -1.0) if rewards == "penalty" else (1.0, 0.0)
        self.params = Params.make(pairs=pairs, right=right, wrong=wrong)
        self.reward = Reward(low=np.array(wrong), high=np.array(right))
        self.state_dtype, self.info_dtype = State.dtype(cards=2 * pairs), Info.dtype(cards=2 * pairs)
        self.action = Choice(tuple(f"card {k + 1}" for k in range(2 * pairs)))
        self.observation = Vector(
            (
                Block("shown", 2 * pairs, 0, 1, "", "1 for the card that is shown"),
                Block("value", pairs, 0, 1, "", "1 for its value"),
                Block("removed", 2 * pairs, 0, 1, "", "1 for cards that are gone"),
            ),
            np.int8,
        )


@kernel
def remember(states, params, memory, streams, actions):
    """Keep all values that were shown, and what was no partner; else try a card that was never shown."""
    p = params[0]
    cards = 2 * p.pairs
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        if kept.asked > 0 and not s.removed[kept.asked - 1]:
            kept.no[kept.wanted, s.chosen] = 1
        value = s.value[s.shown]
        kept.known[s.shown] = value + 1
        kept.asked, kept.wanted = s.shown + 1, value
        best = -1
        for k in range(cards):
            if k == s.shown or s.removed[k]:
                continue
            if kept.known[k] == value + 1:
                best = k
                break
            if best < 0 and kept.known[k] == 0 and not kept.no[value, k]:
                best = k
        actions[i] = max(best, 0)


@kernel
def forget(states, params, memory, streams, actions):
    """Any other card that is left."""
    cards = 2 * params[0].pairs
    for i in range(states.shape[0]):
        s = states[i]
        skip = rng.integers(streams[i], rng.AGENT, max(1, s.left - 1))
        for k in range(cards):
            if k != s.shown and not s.removed[k]:
                if skip == 0:
                    actions[i] = k
                skip -= 1


class MemoryCardsPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `remember`."""
        pairs = int(self.world.params[0]["pairs"])
        memory = [("known", np.int16, (2 * pairs,)), ("no", np.uint8, (pairs, 2 * pairs))]
        return KernelPlayer(self.world, remember, np.dtype([*memory, ("asked", np.int32), ("wanted", np.int32)]))

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        return KernelPlayer(self.world, forget) if name == "memoryless" else super().collector(name)


def sign(value: int) -> str:
    """A letter for each value, then two."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return letters[value] if value < 26 else letters[value // 26 - 1] + letters[value % 26]


class MemoryCardsWords(Words):
    """Cards have numbers, values letters."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        shown = int(state["shown"])
        gone = [str(k + 1) for k in np.flatnonzero(state["removed"])]
        told = f"Card {shown + 1} is {sign(int(state['value'][shown]))}." if state["left"] else "All pairs are found."
        told += f" Gone: {', '.join(gone)}." if gone else " None is gone."
        return f"{told}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        return (
            f"There are {2 * int(p['pairs'])} cards face down, two of each letter. In each step one of those that are "
            "left is shown; name the other card with its letter. A pair that is found is taken away and pays "
            f"{float(p['right']):g}; any other answer pays {float(p['wrong']):g}. "
            f"Answer with the number of a card, 1 to {2 * int(p['pairs'])}"
        )

    def answers(self, state, agent=0):
        """The cards that are left."""
        return [self.world.action.names[k] for k in np.flatnonzero(state["removed"] == 0)]

    def parse(self, text, state, agent=0):
        """Read the number of a card."""
        found = parse_whole(text, [("the card", 1, 2 * int(self.world.params[0]["pairs"]))])
        return found if isinstance(found, Refusal) else found[0] - 1


class MemoryCardsPictures(MemoryPictures):
    """Cards on a table; letters that people may look at are faint."""

    size = (480, 360)
    fps = 2
    ground = TABLE

    def paint(self, canvas, state, all_seen):
        """Draw the cards."""
        width, height = canvas.width, canvas.height
        cards = 2 * int(self.world.params[0]["pairs"])
        columns = max(2, round((cards * 1.2 * width / height) ** 0.5))
        rows = -(-cards // columns)
        wide, tall = 0.96 * width / columns, 0.96 * height / rows
        for k in range(cards):
            x, y = 0.02 * width + k % columns * wide, 0.02 * height + k // columns * tall
            box = (x + 0.06 * wide, y + 0.06 * tall, x + 0.94 * wide, y + 0.94 * tall)
            if state["removed"][k]:
                continue
            seen = k == int(state["shown"])
            canvas.rectangle(box, FACE if seen else BACK, 0.06 * wide)
            canvas.text((x + 0.12 * wide, y + 0.12 * tall), str(k + 1), INK if seen else FAINT, 0.18 * tall, "lt")
            if seen or all_seen:
                canvas.text(
                    (x + wide / 2, y + 0.58 * tall),
                    sign(int(state["value"][k])),
                    INK if seen else FAINT,
                    0.42 * tall,
                    "mm",
                )

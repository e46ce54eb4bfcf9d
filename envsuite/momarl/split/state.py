"""The state record and the layouts of the splitting games."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.split.params import KINDS, MOST_VALUE


class State(StateRecord):
    """A round."""

    goods = field(type=np.int32, shape="kinds")
    value = field(type=np.int32, shape=(2, "kinds"), meaning="of one good, to each agent")
    claim = field(type=np.int32, shape=(2, "kinds"), meaning="what each said last in this round, -1 for nothing")
    letter = field(type=np.uint8, shape=(2, "letters"), meaning="likewise in words, UTF-8, zeros at the end")
    asked = field(type=np.int32, shape=(2, "kinds"), meaning="proposals of the last round")
    kept = field(type=np.float32, shape=(2, "kinds"), meaning="what came of them")
    points = field(type=np.float32, shape=2, meaning="of the last round")
    best = field(type=np.float32, meaning="what both could have had together then")
    total = field(type=np.float32, shape=2, meaning="points")
    agreed = field(type=np.uint8, meaning="whether proposals fitted")
    said = field(type=np.int32, meaning="messages in this round")
    played = field(type=np.int32, meaning="rounds that are over")
    first = field(type=np.uint8, meaning="who speaks first in this round")


class Info(Record):
    """The metrics."""

    points = field(meaning="of the last split")
    efficiency = field(meaning="what both got of what they could have had")
    agreed = field(meaning="whether proposals fitted")


def action_layout(kinds: int, letters: int) -> Vector:
    """Numbers of each kind, 0 to 20: a claim of what one values where one is to speak, goods to keep where both split.

    Fractions are cut off.

    Args:
        kinds: of goods.
        letters: bytes of a message that come after the numbers, 0 for none.
    """
    numbers = [Block(name, 1, 0, MOST_VALUE, "", "goods to keep, or what one says of them") for name in KINDS[:kinds]]
    message = [Block("message", letters, 0, 255, "", "UTF-8 bytes, zeros at the end")] if letters else []
    return Vector((*numbers, *message))


def observation_layout(kinds: int, letters: int) -> Vector:
    """What an agent sees.

    Args:
        kinds: of goods.
        letters: bytes of a message, 0 for none.
    """
    message = (Block("letter", letters, 0, 255, "", "the other's last message, UTF-8 bytes"),) if letters else ()
    return Vector(
        (
            Block("goods", kinds, 0, 1, "", "how many there are, tenths"),
            Block("value", kinds, 0, 1, "", "of one of each kind to oneself, twentieths"),
            Block("other value", kinds, 0, 1, "", "to the other; 0 where hidden"),
            Block("heard", kinds, -1, 20, "", "what the other said last in this round, -1 for nothing"),
            Block("to_speak", 1, 0, 1, "", "1 if it is one's turn to say something"),
            Block("to_split", 1, 0, 1, "", "1 if both now say what they keep"),
            Block("round", 1, 0, 1, "", "share of the rounds that are over"),
            Block("asked", kinds, 0, 2, "", f"own last proposal, / {GOODS}"),
            Block("other asked", kinds, 0, 2, "", f"the other's, / {GOODS}"),
            Block("points", 1, 0, 600, "", "of the last split"),
            *message,
        )
    )

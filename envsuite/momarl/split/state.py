"""The state record and the layouts of the splitting games."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.split.params import KINDS, MOST_VALUE


def state_dtype(kinds: int, letters: int) -> np.dtype:
    """The record of an instance.

    Args:
        kinds: of goods.
        letters: bytes of a message; 0 where messages are claims.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("goods", np.int32, (kinds,)),
            ("value", np.int32, (2, kinds)),  # of one good, to each agent
            ("claim", np.int32, (2, kinds)),  # what each said last in this round, -1 for nothing
            ("letter", np.uint8, (2, max(1, letters))),  # likewise in words, UTF-8, zeros at the end
            ("asked", np.int32, (2, kinds)),  # proposals of the last round
            ("kept", np.float32, (2, kinds)),  # what came of them
            ("points", np.float32, (2,)),
            ("best", np.float32),  # what both could have had together then
            ("total", np.float32, (2,)),
            ("agreed", np.uint8),  # whether proposals fitted
            ("said", np.int32),
            ("played", np.int32),
            ("first", np.uint8),
        ],
        align=True,
    )


# points: of the last split; efficiency: what both got of what they could have had; agreed: proposals fit
INFO = np.dtype([("points", np.float32), ("efficiency", np.float32), ("agreed", np.float32)], align=True)


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

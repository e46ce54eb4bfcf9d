"""The state record and the layouts of Trust-and-Split."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.letters import LETTERS
from envsuite.momarl.trust_split.params import WORDS

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        ("played", np.int32),  # rounds that are over
        ("said", np.int32),  # messages in this round
        ("first", np.uint8),  # who speaks first in this round
        ("hand", np.int8, (2,)),
        ("word", np.int8, (2,)),  # last message of each in this round, 0 for none
        ("before", np.float32, (2, 4)),  # of the last round: whether one had the upper hand, proposal, goods, points
        ("total", np.float32, (2,)),
    ],
    align=True,
)

ACTION = Choice((*WORDS, *(f"keep{k}" for k in range(GOODS + 1))))
"""Words first, then proposals."""

# upper: one has the winning hand; points: of the last round; efficiency: of the last split, share of what was possible;
# kept_upper, kept_lower: what the winner and the loser of the last round's hands wanted to keep
_METRICS = (
    ("upper", np.bool_),
    ("points", np.float32),
    ("efficiency", np.float32),
    ("kept_upper", np.float32),
    ("kept_lower", np.float32),
)
INFO = np.dtype([("action_mask", np.int8, (len(ACTION.names),)), *_METRICS], align=True)

OBSERVATION = Vector(
    (
        Block("hand", 3, 0, 1, "", "own hand: rock, paper, scissors"),
        Block("heard", 4, 0, 1, "", "the other's last message in this round: nothing, rock, paper, scissors"),
        Block("to_speak", 1, 0, 1, "", "1 if it is one's turn to say something"),
        Block("to_split", 1, 0, 1, "", "1 if both now say how many coins they keep"),
        Block("round", 1, 0, 1, "", "share of the rounds that are over"),
        Block(
            "before", 4, 0, 1, "", "last round: one had the upper hand; own, the other's proposal / 10; points / 100"
        ),
        Block("action_mask", len(ACTION.names), 0, 1, "", "words for who is to speak, proposals when both split"),
    )
)

TALK_STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        ("played", np.int32),
        ("said", np.int32),
        ("first", np.uint8),
        ("hand", np.int8, (2,)),
        ("letter", np.uint8, (2, LETTERS)),  # last message of each in this round, UTF-8, zeros at the end
        ("word", np.int8, (2,)),  # of no use here
        ("before", np.float32, (2, 4)),
        ("total", np.float32, (2,)),
    ],
    align=True,
)
"""The same with messages in free text."""

TALK_ACTION = Vector(
    (
        Block("keep", 1, 0, GOODS, "", "coins, where both split; fractions are cut off"),
        Block("message", LETTERS, 0, 255, "", "where one is to speak: UTF-8 bytes, zeros at the end"),
    )
)

TALK_INFO = np.dtype([*_METRICS], align=True)

TALK_OBSERVATION = Vector(
    (
        *(block for block in OBSERVATION.blocks if block.name not in ("heard", "action_mask")),
        Block("letter", LETTERS, 0, 255, "", "the other's last message in this round, UTF-8 bytes"),
    )
)

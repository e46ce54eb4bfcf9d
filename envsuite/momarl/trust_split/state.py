"""The state record and the layouts of Trust-and-Split."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.letters import LETTERS
from envsuite.momarl.trust_split.params import WORDS


class Game(StateRecord):
    """What a game has, whatever messages are."""

    played = field(type=np.int32, meaning="rounds that are over")
    said = field(type=np.int32, meaning="messages in this round")
    first = field(type=np.uint8, meaning="who speaks first in this round")
    hand = field(type=np.int8, shape=2, meaning="0 rock, 1 paper, 2 scissors")


class State(Game):
    """A game with words."""

    word = field(type=np.int8, shape=2, meaning="last message of each in this round, 0 for none")
    before = field(
        type=np.float32, shape=(2, 4), meaning="last round: whether one had the upper hand, proposal, goods, points"
    )
    total = field(type=np.float32, shape=2, meaning="points")


class TalkState(Game):
    """A game with messages in free text."""

    letter = field(
        type=np.uint8, shape=(2, LETTERS), meaning="last message of each in this round, UTF-8, zeros at the end"
    )
    word = field(type=np.int8, shape=2, meaning="of no use here")
    before = field(type=np.float32, shape=(2, 4), meaning="as in `State`")
    total = field(type=np.float32, shape=2, meaning="points")


ACTION = Choice((*WORDS, *(f"keep{k}" for k in range(GOODS + 1))))
"""Words first, then proposals."""


class TalkInfo(Record):
    """The metrics, of the last round."""

    upper = field(type=np.bool_, meaning="whether one has the winning hand now")
    points = field()
    efficiency = field(meaning="share of what was possible")
    kept_upper = field(meaning="what the winner of the hands wanted to keep")
    kept_lower = field(meaning="what the loser wanted to keep")


class Info(Record):
    """The same, and what may be said."""

    action_mask = field(type=np.int8, shape=len(ACTION.names), meaning="1 for what may be said now")
    upper = field(type=np.bool_, meaning="whether one has the winning hand now")
    points = field()
    efficiency = field(meaning="share of what was possible")
    kept_upper = field(meaning="what the winner of the hands wanted to keep")
    kept_lower = field(meaning="what the loser wanted to keep")


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

TALK_ACTION = Vector(
    (
        Block("keep", 1, 0, GOODS, "", "coins, where both split; fractions are cut off"),
        Block("message", LETTERS, 0, 255, "", "where one is to speak: UTF-8 bytes, zeros at the end"),
    )
)

TALK_OBSERVATION = Vector(
    (
        *(block for block in OBSERVATION.blocks if block.name not in ("heard", "action_mask")),
        Block("letter", LETTERS, 0, 255, "", "the other's last message in this round, UTF-8 bytes"),
    )
)

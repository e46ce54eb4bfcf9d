"""Wordle: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.text_games.wordle.feedback import ALL_RIGHT, LETTERS, table
from envsuite.text_games.wordle.words import WORDS

COUNT = len(WORDS)
TRIES = 6
INVALID = COUNT
"""The action of a word that is none of the list."""
_ALPHABET = 26


class Params(Record):
    """The words and the options that kernels know."""

    letter = field(type=np.int8, shape=(COUNT, LETTERS), meaning="of each word, 0 for a")
    told = field(type=np.uint8, shape=(COUNT, COUNT), meaning="feedback of each guess on each word")
    invalid = field(meaning="reward for a word that is none of the list")
    listed = field(type=np.uint8, shape=COUNT, meaning="1 for the words that are used")
    used = field(type=np.int16, shape=COUNT, meaning="indices of these words, filled up with 0")
    count = field(type=np.int64, meaning="how many they are")


class State(StateRecord):
    """The hidden word and the tries."""

    word = field(type=np.int16, meaning="index of the hidden word")
    tries = field(type=np.int32, meaning="made so far")
    guess = field(
        type=np.int16, shape=TRIES, meaning="index of each guess, one more than there are for none of the list"
    )
    possible = field(type=np.uint8, shape=COUNT, meaning="1 for a word that all feedback so far allows")
    solved = field(type=np.uint8, meaning="the word was found")


class Info(Record):
    """The metrics."""

    words_left = field(type=np.int32, meaning="words that all feedback so far allows")
    success = field(type=np.bool_, meaning="the word was found")
    action_mask = field(type=np.int8, shape=COUNT + 1, meaning="1 for the words of the list, 0 for what is none")


@kernel
def reset(s, p):
    """Draw the word."""
    s.word = p.used[rng.integers(s.rng, rng.RESET, p.count)]
    s.tries, s.solved = 0, 0
    for k in range(TRIES):
        s.guess[k] = 0
    for k in range(COUNT):
        s.possible[k] = p.listed[k]


@kernel
def step(s, p, action):
    """Guess; each guess that is not the word costs 1. Reward and whether it was found, or no try is left."""
    known = action != INVALID and p.listed[action] != 0
    s.guess[s.tries] = action if known else INVALID
    s.tries += np.int32(1)
    last = s.tries == TRIES
    if not known:
        return p.invalid, last
    told = p.told[action, s.word]
    for k in range(COUNT):
        if p.told[action, k] != told:
            s.possible[k] = 0
    s.solved = told == ALL_RIGHT
    return (0.0 if s.solved != 0 else -1.0), last or s.solved != 0


@kernel
def observe(s, p, o, info):
    """Write the letters of all tries and what was told about them."""
    for k in range(TRIES):
        made = k < s.tries and s.guess[k] != INVALID
        told = np.int64(p.told[s.guess[k], s.word]) if made else 0
        for j in range(LETTERS):
            letter, mark = -1, -1
            if made:
                letter, mark = np.int64(p.letter[s.guess[k], j]), told % 3
            told = told // 3
            at = k * LETTERS + j
            for one in range(_ALPHABET):
                o.letters[at * _ALPHABET + one] = letter == one
            for one in range(3):
                o.marks[at * 3 + one] = mark == one
        o.tries[k] = k < s.tries
    left = 0
    for k in range(COUNT):
        left += s.possible[k]
        o.action_mask[k], info.action_mask[k] = p.listed[k], p.listed[k]
    o.action_mask[INVALID], info.action_mask[INVALID] = 0, 0
    info.words_left, info.success = left, s.solved != 0


class WordleWorld(World):
    """Find a hidden word in six tries; each try is answered letter by letter.

    Args:
        rule: ``"lmrl"``: a letter is marked as elsewhere if it is anywhere in the word, however often guessed;
            ``"nyt"``: as in the newspaper, where each letter of the word is marked once.
        invalid_reward: for a word that is none of the list, which costs a try and is told nothing; -10 in LMRL-Gym's
            scripts of PPO.
        words: of the list that are used, spread evenly over it; the others are none of the list then.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice((*WORDS, "invalid"))
    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    observation = Vector(
        (
            Block(
                "letters",
                TRIES * LETTERS * _ALPHABET,
                0,
                1,
                "",
                "for each try and place 26 numbers, 1 for the letter",
            ),
            Block("marks", TRIES * LETTERS * 3, 0, 1, "", "for each of them, 1 for not in the word, elsewhere, here"),
            Block("tries", TRIES, 0, 1, "", "1 for each try made"),
            Block("action_mask", COUNT + 1, 0, 1, "", "1 for the words of the list, 0 for what is none"),
        ),
        dtype=np.int8,
    )

    def __init__(
        self,
        *,
        rule: Literal["lmrl", "nyt"] = "lmrl",
        invalid_reward: Annotated[float, Between(-100.0, 0.0)] = -1.0,
        words: Annotated[int, Between(2, COUNT)] = COUNT,
    ):
        self.rule = rule
        used = np.arange(words) * COUNT // words
        listed = np.isin(np.arange(COUNT), used)
        letters = np.array([[ord(one) - ord("a") for one in word] for word in WORDS])
        self.params = Params.make(
            letter=letters,
            told=table(rule),
            invalid=invalid_reward,
            listed=listed,
            used=np.pad(used, (0, COUNT - words)),
            count=words,
        )
        self.reward = Reward(low=np.array(min(-1.0, invalid_reward)), high=np.array(0.0))

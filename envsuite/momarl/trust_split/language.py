"""Trust-and-Split in words."""

import re

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind, parse_numbers
from envsuite.core.layout import Vector
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.letters import letter_of, message_of
from envsuite.momarl.trust_split.kernel import speaker
from envsuite.momarl.trust_split.params import HANDS, WORDS
from envsuite.momarl.trust_split.state import TALK_ACTION


def situation(world, state, agent: int) -> str:
    """The rules, one's hand, and the last round."""
    p, other, last = world.params[0], 1 - agent, ""
    if int(state["played"]):
        mine, theirs = state["before"][agent], state["before"][other]
        last = (
            f" In the last round you had the {'upper' if mine[0] else 'lower'} hand, you asked for {mine[1]:g} coins "
            f"and the other for {theirs[1]:g}; you got {mine[3]:g} points."
        )
    return (
        f"Round {min(int(state['played']) + 1, int(p['rounds']))} of {int(p['rounds'])}. Your hand is "
        f"{HANDS[int(state['hand'][agent])]}; the other has another hand, which you cannot see. Who wins at rock, "
        f"paper, scissors values each coin at 10 points, the loser at 1. If both together ask for more than {GOODS} "
        f"coins, they are split in proportion.{last}"
    )


def talker(world, state) -> int | None:
    """The agent who is to speak, whom alone the other hears; None where both split.

    Args:
        world: the simulator.
        state: the record.
    """
    one = int(speaker(state, world.params[0]))
    return one if one < 2 else None


class TrustSplitWords(Words):
    """The rules, words and the last round; answers are words or numbers."""

    def describe(self, state, agent=0):
        """The rules, the talk, and the last round."""
        said = [f"{who} said: {WORDS[int(state['word'][k])]}." for who, k in (("You", agent), ("The other", 1 - agent))]
        speaking = talker(self.world, state)
        if speaking is None:
            ask = f"Now both say how many of the {GOODS} coins they keep; answer with a number from 0 to {GOODS}."
        elif speaking == agent:
            ask = f"It is your turn to say something; answer with one of: {', '.join(WORDS)}."
        else:
            ask = "It is the other's turn to say something; wait."
        return f"{situation(self.world, state, agent)} {' '.join(said)} {ask}"

    def parse(self, text, state, agent=0):
        """Read a word, or a number of coins, whichever is asked for."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty")
        words = [k for k, word in enumerate(WORDS) if re.search(rf"\b{word}\b", text, re.IGNORECASE)]
        numbers = [int(found) for found in re.findall(r"(?<!\d)\d{1,9}(?!\d)", text)]
        speaking = talker(self.world, state)
        if not words and not numbers:
            return Refusal(RefusalKind.UNREADABLE, f"no known word and no number found; words: {', '.join(WORDS)}")
        if len(words) > 1:
            return Refusal(RefusalKind.AMBIGUOUS, "the answer names several words; say one")
        if len(numbers) > 1:
            return Refusal(RefusalKind.AMBIGUOUS, "the answer holds several numbers; give one")
        if speaking is None and not numbers:
            return Refusal(RefusalKind.WRONG_COUNT, f"give the number of coins that you keep, 0 to {GOODS}")
        if speaking is not None and speaking != agent:
            return Refusal(RefusalKind.ILLEGAL, "it is the other's turn to speak")
        if speaking is not None and not words:
            return Refusal(RefusalKind.UNKNOWN_NAME, f"say one of: {', '.join(WORDS)}")
        if numbers and numbers[0] > GOODS:
            return Refusal(RefusalKind.OUT_OF_RANGE, f"{numbers[0]} is outside [0, {GOODS}]")
        return len(WORDS) + numbers[0] if speaking is None else words[0]


class TalkingTrustSplitWords(TrustSplitWords):
    """The same with messages in free text."""

    def describe(self, state, agent=0):
        """The rules, the talk, and the last round."""
        heard = [(who, message_of(state["letter"][n])) for who, n in (("You", agent), ("The other", 1 - agent))]
        said = "".join(f' {who} said: "{message}".' for who, message in heard if message)
        speaking = talker(self.world, state)
        if speaking is None:
            ask = (
                f"Now both say how many of the {GOODS} coins they keep; answer with a number in brackets, 0 to {GOODS}."
            )
        elif speaking == agent:
            size = state["letter"].shape[1]
            ask = f"It is your turn to say something: answer with say: and a message of at most {size} bytes."
        else:
            ask = "It is the other's turn to say something: what you answer now is not heard."
        return f"{situation(self.world, state, agent)}{said} {ask}"

    def parse(self, text, state, agent=0):
        """Read a message after ``say:`` where one is to speak, else a number in brackets."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty")
        talking = talker(self.world, state) is not None
        said = re.search(r"\bsay\s*:\s*(\S.*)", text, re.IGNORECASE | re.DOTALL)
        if talking and said:
            return np.concatenate([np.zeros(1, np.float32), letter_of(said.group(1))])
        bracketed = re.findall(r"\[([^\[\]]*)\]", text)
        if bracketed and bracketed[-1].count(",") + 1 == TALK_ACTION.shape[0]:
            return parse_numbers(text, TALK_ACTION)
        if talking:
            return Refusal(RefusalKind.UNREADABLE, "begin what you want to say with say:")
        found = parse_numbers(text, Vector(TALK_ACTION.blocks[:1]))
        return found if isinstance(found, Refusal) else np.concatenate([found, letter_of("")])

"""Players that know a game from its texts alone: proof that the words are enough, and stand-ins for a model.

Behind a server of your own machine they are asked as any model would be::

    envsuite agents serve --player envsuite.text_games.readers:answer --port 8017
"""

import re

from envsuite.text_games.wordle.feedback import MARKS, feedback
from envsuite.text_games.wordle.words import WORDS

_BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}


def answer(text: str) -> str:
    """The answer to a prompt that describes a coin collector's room, a game of Wordle, or a place on the number line.

    Args:
        text: the last message; of several descriptions the last one counts.
    """
    for pattern, player in ((r"lies a coin", find_coin), (r"Each letter of a guess", guess), (r"your target is", walk)):
        if re.search(pattern, text):
            return f"Action: {player(text)}"
    return "I was told nothing of a game that I know."


def find_coin(text: str) -> str:
    """Take the coin where it lies; else go on, and back only where nothing else is left.

    Args:
        text: describes a room of the coin collector.
    """
    room = text[text.rfind("You are in the") :]
    if "coin" in room.split("You carry", 1)[0]:
        return "take coin"
    ways = re.findall(r"You can go (\w+)\.", room)
    came = re.findall(r"You go (\w+)\.", text)
    onward = [way for way in ways if not came or way != _BACK[came[-1]]]
    return f"go {(onward or ways)[0]}"


def guess(text: str) -> str:
    """The first word of the list that fits all that was told.

    Args:
        text: tells the tries of LMRL-Gym's Wordle.
    """
    tries = [
        (word.replace(" ", ""), marks.replace(" ", ""))
        for word, marks in re.findall(r"Try \d+: (\w(?: \w){4}) -> ([byg](?: [byg]){4})", text)
    ]
    fits = (
        word
        for word in WORDS
        if all("".join(MARKS[k] for k in feedback(one, word, "lmrl")) == told for one, told in tries)
    )
    return next(fits, WORDS[0])


def walk(text: str) -> str:
    """Toward the target.

    Args:
        text: tells a place on the number line.
    """
    here, target = map(int, re.findall(r"You are at (\d+), and your target is (\d+)", text)[-1])
    return "right" if here < target else "left"

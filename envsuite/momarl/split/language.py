"""The splitting games in words."""

import re

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind, parse_numbers
from envsuite.core.layout import Vector
from envsuite.momarl.letters import letter_of, message_of
from envsuite.momarl.split.kernel import speaker


def listed(world, numbers) -> str:
    """Numbers with the names of the kinds."""
    return ", ".join(f"{name} {float(one):g}" for name, one in zip(world.kinds, numbers, strict=True))


def _said(world, state, who: str, n: int) -> str:
    if not int(world.params[0]["quota"]) or state["claim"][n][0] < 0:
        return ""
    if world.letters:
        return f'{who} said: "{message_of(state["letter"][n])}".'
    return f"{who} said that goods are worth: {listed(world, state['claim'][n])}."


def _asked(world, state, agent: int) -> str:
    speaking = talker(world, state)
    if speaking is None:
        names = ", ".join(world.kinds)
        return f"Now both say what they keep; answer with {len(world.kinds)} numbers in brackets: {names}."
    if speaking != agent:
        return "It is the other's turn to say something: what you answer now is not heard."
    if world.letters:
        return f"It is your turn to say something: answer with say: and a message of at most {world.letters} bytes."
    return (
        f"It is your turn to say, truly or not, what goods are worth to you; answer with {len(world.kinds)} numbers in "
        f"brackets: {', '.join(world.kinds)}."
    )


def talker(world, state) -> int | None:
    """The agent who is to speak, whom alone the other hears; None where both split.

    Args:
        world: the simulator.
        state: the record.
    """
    one = int(speaker(state, world.params[0]))
    return one if one < 2 else None


class SplitWords(Words):
    """The rules, the talk, the last round; answers are messages or numbers."""

    def describe(self, state, agent=0):
        """The rules, the talk, and the last round."""
        p, other = self.world.params[0], 1 - agent
        parts = [
            f"Round {min(int(state['played']) + 1, int(p['rounds']))} of {int(p['rounds'])}. Two agents split goods: "
            f"{listed(self.world, state['goods'])}. One of each is worth to you: "
            f"{listed(self.world, state['value'][agent])} points."
        ]
        if p["open"]:
            parts.append(f"To the other: {listed(self.world, state['value'][other])}.")
        else:
            parts.append("What they are worth to the other you do not know.")
        if p["exact"]:
            parts.append(
                "Both get what they ask for if together they ask for exactly what there is, otherwise nothing."
            )
        else:
            parts.append("If both together ask for more of a kind than there is, it is split in proportion.")
        if int(state["played"]):
            parts.append(
                f"In the last round you asked for {listed(self.world, state['asked'][agent])}, the other for "
                f"{listed(self.world, state['asked'][other])}; you got {float(state['points'][agent]):g} points."
            )
        parts += [_said(self.world, state, who, n) for who, n in (("You", agent), ("The other", other))]
        return " ".join([*filter(None, parts), _asked(self.world, state, agent)])

    def parse(self, text, state, agent=0):
        """Read a message, or numbers of goods, whichever is asked for."""
        count, size = len(self.world.kinds), self.world.action.shape[0]
        said = re.search(r"\bsay\s*:\s*(\S.*)", text, re.IGNORECASE | re.DOTALL)
        if self.world.letters and said and talker(self.world, state) is not None:
            return np.concatenate([np.zeros(count, np.float32), letter_of(said.group(1), self.world.letters)])
        bracketed = re.findall(r"\[([^\[\]]*)\]", text)
        if self.world.letters and (not bracketed or bracketed[-1].count(",") + 1 != size):
            if talker(self.world, state) is not None and text.strip():
                return Refusal(RefusalKind.UNREADABLE, "begin what you want to say with say:")
            found = parse_numbers(text, Vector(self.world.action.blocks[:count]))
            return (
                found
                if isinstance(found, Refusal)
                else np.concatenate([found, np.zeros(self.world.letters, np.float32)])
            )
        return parse_numbers(text, self.world.action)

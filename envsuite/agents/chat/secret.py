"""The key of an endpoint, and how it is kept out of everything that is written."""

import os
from typing import Any

_SHORTEST = 8  # what is shorter would be hidden in the middle of ordinary words
_HIDDEN = "[key]"


class Key:
    """A secret that does not show itself.

    Args:
        text: the secret.
        variable: name of the environment variable that it comes from.

    Raises:
        ValueError: too short to be told from ordinary text, or no text that a header can hold; the message does not
            contain it.
    """

    __slots__ = ("_text", "variable")

    def __init__(self, text: str, variable: str):
        text = text.strip()
        if len(text) < _SHORTEST:
            raise ValueError(
                f"the key in {variable} has {len(text)} characters, expected at least {_SHORTEST}; "
                "where the endpoint needs none, ask for no key"
            )
        if not all(33 <= ord(character) <= 126 for character in text):
            raise ValueError(f"the key in {variable} holds characters other than printable ASCII")
        self._text, self.variable = text, variable

    def __repr__(self) -> str:
        return f"Key(from {self.variable})"

    def __reduce__(self):
        raise TypeError("a key is not for pickling")

    def header(self) -> dict[str, str]:
        """The HTTP header that carries it."""
        return {"Authorization": f"Bearer {self._text}"}

    def hide(self, value: Any) -> Any:
        """Plain data with the key replaced by ``[key]`` wherever it stands in a text.

        Args:
            value: plain data; keys of objects are looked at too.
        """
        if isinstance(value, str):
            return value.replace(self._text, _HIDDEN)
        if isinstance(value, dict):
            return {self.hide(name): self.hide(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide(one) for one in value]
        return value


def read_key(variable: str) -> Key:
    """The key that an environment variable holds.

    Args:
        variable: its name.

    Raises:
        ValueError: not set, or no usable key.
    """
    text = os.environ.get(variable)
    if text is None or not text.strip():
        raise ValueError(f"the environment variable {variable} holds no key; set it, name another, or ask for no key")
    return Key(text, variable)

"""Messages in free text, as bytes in actions and records."""

import numpy as np

LETTERS = 500
"""Bytes of a message, of arXiv 2511.19405."""


def message_of(letter: np.ndarray) -> str:
    """The text of a message's bytes."""
    return bytes(letter).rstrip(b"\0").decode("utf-8", "replace")


def letter_of(text: str, size: int = LETTERS) -> np.ndarray:
    """A text as bytes, cut where it is too long, without a broken character at the end: (size,) float32."""
    content = text.strip().replace("\0", " ").encode("utf-8")[:size].decode("utf-8", "ignore").encode("utf-8")
    found = np.zeros(size, np.float32)
    found[: len(content)] = np.frombuffer(content, np.uint8)
    return found

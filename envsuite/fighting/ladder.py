"""The ladder: frozen networks of rising strength, by name, as opponents that stay the same for everybody.

How they were made and rated is in `baselines/rungs.py`; their ratings stand in the leaderboard's track
``fighting-ladder``.
"""

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envsuite.agents.onnx import OnnxPolicy

FOLDER = Path(__file__).parent / "rungs"
LIST = FOLDER / "rungs.toml"
SUFFIXES = ("onnx", "json")


@lru_cache(maxsize=1)
def table() -> dict[str, dict[str, str]]:
    """By name: the character (``"random"`` for any) and the SHA-256 of the network's files by suffix."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def rungs() -> tuple[str, ...]:
    """Names of the networks, the weakest first."""
    return tuple(table())


def rung(name: str) -> "tuple[str, OnnxPolicy]":
    """Load a network, after checking that it is the one that was rated.

    Args:
        name: one of `rungs`.

    Returns:
        The character that it plays, ``"random"`` for any, and the network.

    Raises:
        ValueError: there is none of this name, or one of its files is not what it was.
    """
    from envsuite.agents import onnx

    if name not in table():
        raise ValueError(f"rung is {name!r}, expected one of {', '.join(rungs())}")
    for suffix in SUFFIXES:
        path, expected = FOLDER / f"{name}.{suffix}", table()[name][suffix]
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != expected:
            raise ValueError(
                f"{path} has the digest {found}, expected {expected}: it is not the opponent that was rated"
            )
    return table()[name]["character"], onnx.load(FOLDER / f"{name}.onnx")

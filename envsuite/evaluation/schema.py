"""Strict reading of plain data into dataclasses: nothing unknown, nothing missing, no guessing of types."""

import dataclasses
import types
import typing
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def parse(value: Any, cls: type[T], where: str) -> T:
    """Turn what a JSON or TOML parser gave into a dataclass.

    Args:
        value: dictionaries, lists, texts and numbers.
        cls: a dataclass, whose fields may be dataclasses again.
        where: named in errors, for instance the file.

    Raises:
        ValueError: a key is unknown or missing, or a value is of another type; the message names it.
        ModuleNotFoundError: msgspec is missing; the message tells how to install it.
    """
    try:
        import msgspec
    except ModuleNotFoundError as error:
        extras = '"envsuite[leaderboard]" for tracks and submissions, "envsuite[datasets]" for datasets'
        message = f"msgspec is not installed: pip install {extras}"
        raise ModuleNotFoundError(message, name="msgspec") from error
    _refuse_unknown(value, cls, where)
    try:
        return msgspec.convert(value, cls, strict=True)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"{where}: {error}") from error


@cache
def _holds_dataclass(kind: Any) -> bool:
    """Whether a value of this type can have keys that must be known."""
    return dataclasses.is_dataclass(kind) or any(_holds_dataclass(one) for one in typing.get_args(kind))


def _refuse_unknown(value: Any, kind: Any, where: str) -> None:
    """Msgspec ignores keys that a dataclass does not have; here they are errors."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        kind = next((one for one in typing.get_args(kind) if dataclasses.is_dataclass(one)), None)
    if not _holds_dataclass(kind):
        return
    if typing.get_origin(kind) in (list, tuple) and isinstance(value, list):
        for k, one in enumerate(value):
            _refuse_unknown(one, typing.get_args(kind)[0], f"{where}[{k}]")
    if typing.get_origin(kind) is dict and isinstance(value, dict):
        for name, one in value.items():
            _refuse_unknown(one, typing.get_args(kind)[1], f"{where}: {name}")
    if not dataclasses.is_dataclass(kind) or not isinstance(value, dict):
        return
    hints = typing.get_type_hints(kind)
    for name, one in value.items():
        if name not in hints:
            raise ValueError(f"{where}: unknown key {name!r}, expected one of {', '.join(hints)}")
        _refuse_unknown(one, hints[name], f"{where}: {name}")

"""Prompt templates, and the part of a conversation that a model is shown."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

_COMMON = frozenset({"environment", "task", "agent", "agents", "horizon", "format"})
FIELDS = {
    "system": _COMMON,
    "turn": _COMMON | {"description", "step", "reward", "return"},
    "retry": _COMMON | {"kind", "reason"},
}
"""Names that each template may use."""


@dataclass(frozen=True)
class Prompts:
    """Templates in the syntax of `string.Template`.

    Attributes:
        system: opens every conversation.
        turn: asks for an action.
        retry: answers what was no valid action.

    Raises:
        ValueError: a template uses a name that does not exist, or a turn does not tell the situation.
    """

    system: str
    turn: str
    retry: str

    def __post_init__(self):
        for name, known in FIELDS.items():
            template = Template(getattr(self, name))
            if not template.is_valid():
                raise ValueError(f"the template {name!r} has a $ that begins no name; write $$ for a dollar sign")
            if unknown := sorted(set(template.get_identifiers()) - known):
                raise ValueError(f"the template {name!r} uses ${unknown[0]}, expected among {', '.join(sorted(known))}")
        if "description" not in Template(self.turn).get_identifiers():
            raise ValueError("the template 'turn' does not use $description: the model would see nothing")

    def fill(self, name: str, values: Mapping[str, Any]) -> str:
        """A template with its names filled in."""
        return Template(getattr(self, name)).substitute(values).strip()


def load_prompts(path: Path | None = None) -> Prompts:
    """Read templates.

    Args:
        path: a TOML file with the texts ``system``, ``turn`` and ``retry``; what it leaves out is as in the
            package's own file, which is read alone for None.

    Raises:
        ValueError: not TOML, another key, or a template that cannot be filled in.
        OSError: the file cannot be read.
    """
    texts = tomllib.loads(files("envsuite.agents.chat").joinpath("prompts.toml").read_text(encoding="utf-8"))
    if path is not None:
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is no TOML file: {error}") from None
        for name, text in given.items():
            if name not in FIELDS or not isinstance(text, str):
                raise ValueError(f"{path}: {name!r} is not one of the texts {', '.join(FIELDS)}")
        texts |= given
    try:
        return Prompts(**texts)
    except ValueError as error:
        raise ValueError(f"{path or 'prompts.toml'}: {error}") from None


def windowed(
    system: str,
    past: Sequence[tuple[str, str]],
    window: int | None,
    present: Sequence[tuple[str, str]],
    prompt: str,
) -> list[dict[str, Any]]:
    """The messages of a request.

    Args:
        system: first message; left out where empty.
        past: (prompt, answer) of every earlier turn.
        window: how many of them, the last ones, are shown; None for all.
        present: (prompt, answer) pairs of this turn that were no valid actions; always shown.
        prompt: the last message.
    """
    shown = list(past) if window is None else list(past[len(past) - min(window, len(past)) :])
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for question, answer in [*shown, *present]:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    return [*messages, {"role": "user", "content": prompt}]


def with_picture(messages: Sequence[dict[str, Any]], url: str, detail: str) -> list[dict[str, Any]]:
    """The same messages with a picture in the last one.

    Args:
        messages: from `windowed`.
        url: of the picture, for instance a data URL.
        detail: how closely it should be looked at.
    """
    text = {"type": "text", "text": messages[-1]["content"]}
    picture = {"type": "image_url", "image_url": {"url": url, "detail": detail}}
    return [*messages[:-1], {"role": "user", "content": [text, picture]}]

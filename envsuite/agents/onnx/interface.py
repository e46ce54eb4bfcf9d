"""What a policy file says of itself: the ``.json`` beside an ``.onnx``."""

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from envsuite.core.strict_json import loads

SCHEMA = 1
MAX_BYTES = 1 << 18
"""Largest file."""

_LARGEST = 3e38  # what float32 holds

Kind = Literal["none", "clip", "tanh", "argmax", "sample"]


@dataclass(frozen=True)
class State:
    """What a recurrent policy carries from step to step.

    Attributes:
        input: name of the graph's input.
        output: name of the output that it becomes.
        shape: of a row.
        initial: every element at the beginning of an episode.
    """

    input: str
    output: str
    shape: tuple[int, ...]
    initial: float = 0.0


@dataclass(frozen=True)
class Action:
    """What becomes of the graph's output.

    Attributes:
        kind: ``"none"``: it is the action; ``"clip"``: clipped to the bounds; ``"tanh"``: its tanh, spread from
            [-1, 1] to the bounds; ``"argmax"``: the index of the largest logit; ``"sample"``: an index drawn from the
            softmax of logits / temperature, from a stream that depends on the slot's seed alone.
        low: bounds of the flattened action, for clip and tanh.
        high: likewise.
        heads: number of alternatives of each choice, where an action is several choices; empty for one.
        temperature: for sample.
    """

    kind: Kind = "none"
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    heads: tuple[int, ...] = ()
    temperature: float = 1.0


@dataclass(frozen=True)
class Interface:
    """How to play a graph.

    Attributes:
        env_id: environment that it was trained on.
        action: what becomes of the output.
        observation: name of the graph's input for observations; its rows have the shape of one agent's observation.
        output: name of the graph's output for actions or logits.
        states: recurrent states.
        privileged: it needs more than the observation; such policies are refused.
    """

    env_id: str
    action: Action = Action()
    observation: str = "observation"
    output: str = "action"
    states: tuple[State, ...] = ()
    privileged: bool = False

    @property
    def random(self) -> bool:
        """Whether it draws random numbers."""
        return self.action.kind == "sample"

    def to_json(self) -> str:
        """The content of the file."""
        return json.dumps({"schema": SCHEMA, **dataclasses.asdict(self), "random": self.random}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Interface":
        """Read the content of a file.

        Raises:
            ValueError: it is no such file; the message names the key.
        """
        try:
            table = loads(text)
        except ValueError as error:
            raise ValueError(f"not JSON: {error}") from error
        table = _Table(table, "policy")
        if table.take("schema", int) != SCHEMA:
            raise ValueError(f"schema is not {SCHEMA}")
        stated_random = table.take("random", bool)
        inner = _Table(table.take("action", dict), "action")
        action = Action(
            inner.take("kind", str),
            inner.numbers("low"),
            inner.numbers("high"),
            inner.sizes("heads"),
            inner.number("temperature"),
        )
        inner.finish()
        made = cls(
            table.take("env_id", str),
            action,
            table.take("observation", str),
            table.take("output", str),
            tuple(_state(one) for one in table.take("states", list)),
            table.take("privileged", bool),
        )
        table.finish()
        if stated_random != made.random:
            raise ValueError(f"random is {stated_random}, but the action's kind is {action.kind}")
        return made

    def __post_init__(self):
        action = self.action
        kinds = get_args(Kind)
        if action.kind not in kinds:
            raise ValueError(f"action.kind is {action.kind!r}, expected one of {kinds}")
        bounded = action.kind in ("clip", "tanh")
        pairs = len(action.low) == len(action.high) and all(a < b for a, b in zip(action.low, action.high, strict=True))
        if not pairs or bool(action.low) != bounded:
            raise ValueError(
                f"action.low and high: expected as many lows below highs for clip and tanh, none for {action.kind}"
            )
        if action.heads and action.kind not in ("argmax", "sample"):
            raise ValueError("action.heads: expected none, there are no choices")
        if not 0 < action.temperature < math.inf:
            raise ValueError(f"action.temperature is {action.temperature}, expected a positive number")
        if self.privileged:
            raise ValueError("privileged policies are not accepted: an episode is played from observations alone")
        names = [self.observation, *(one.input for one in self.states)]
        outputs = [self.output, *(one.output for one in self.states)]
        if len(set(names)) < len(names) or len(set(outputs)) < len(outputs):
            raise ValueError(f"names are used twice: {names}, {outputs}")


class _Table:
    """A JSON object whose keys are all taken, once, with the right types."""

    def __init__(self, table: Any, where: str):
        if not isinstance(table, dict):
            raise ValueError(f"{where} is {type(table).__name__}, expected an object")
        self._table, self._where = dict(table), where

    def take(self, key: str, kind: Any) -> Any:
        if key not in self._table:
            raise ValueError(f"{self._where}: {key!r} is missing")
        value = self._table.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{self._where}: {key} is {str(value)[:60]!r}, expected {kind}")
        if isinstance(value, str) and len(value) > 512:
            raise ValueError(f"{self._where}: {key} has {len(value)} characters, expected at most 512")
        return value

    def number(self, key: str) -> float:
        value = self.take(key, (int, float))
        if not abs(value) <= _LARGEST:
            raise ValueError(f"{self._where}: {key} is {str(value)[:60]}, expected a finite number")
        return float(value)

    def numbers(self, key: str) -> tuple[float, ...]:
        values = self.take(key, list)
        if len(values) > 4096 or not all(type(one) in (int, float) and abs(one) <= _LARGEST for one in values):
            raise ValueError(f"{self._where}: {key} must be a list of at most 4096 numbers")
        return tuple(float(one) for one in values)

    def sizes(self, key: str) -> tuple[int, ...]:
        values = self.take(key, list)
        if len(values) > 64 or not all(type(one) is int and 1 <= one <= 1_000_000 for one in values):
            raise ValueError(f"{self._where}: {key} must be a list of at most 64 positive integers")
        return tuple(values)

    def finish(self) -> None:
        if self._table:
            raise ValueError(f"{self._where}: unknown key {next(iter(self._table))[:60]!r}")


def _state(value: Any) -> State:
    table = _Table(value, "states")
    state = State(
        table.take("input", str),
        table.take("output", str),
        table.sizes("shape"),
        table.number("initial"),
    )
    table.finish()
    return state

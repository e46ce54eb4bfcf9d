"""Players named on a command line: networks, mixtures of them, scripts, computer players."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from contests import probabilities

from envsuite.agents.onnx import OnnxPolicy, load
from envsuite.core.layout import Choice, Choices
from envsuite.core.world import World, lead_shape
from envsuite.evaluation.rollout import PolicyMaker, onnx_player, policy_maker

POPULATION = "population.json"
"""File of a run folder that names the members of a strategy and their weights."""

SPECS = """`random`, `expert`, an .onnx file, a run folder (with population.json its mixture), `action:K` (always the
same action; `action:I,J` where there are several choices), `level:K` (a computer player of the fights)"""


@dataclass
class Player:
    """Somebody who plays: a mixture, of one member in most cases.

    Attributes:
        name: as it was given.
        members: who is drawn for an episode, and with what probability.
        networks: the members that are networks, the likeliest first.
        digest: SHA-256 of the files; empty where there are none.
    """

    name: str
    members: list[tuple[PolicyMaker, float]]
    networks: list[OnnxPolicy]
    digest: str = ""


class Repeated:
    """Always the same action.

    Args:
        world: the simulator.
        slots: how many are played.
        action: a number, or one for each choice.

    Raises:
        ValueError: there is no such action.
    """

    def __init__(self, world: World, slots: int, action: Sequence[int]):
        layout = world.action
        if not isinstance(layout, Choice | Choices):
            raise ValueError(f"action {list(action)}: {type(world).__name__} has no choices")
        sizes = [len(layout.names)] if isinstance(layout, Choice) else [int(top) + 1 for top in layout.high]
        if len(action) != len(sizes) or not all(0 <= one < size for one, size in zip(action, sizes, strict=True)):
            raise ValueError(f"action {list(action)}, expected one below each of {sizes}")
        self._actions = np.zeros(lead_shape(world, slots) + layout.shape, layout.dtype)
        self._actions[...] = action[0] if isinstance(layout, Choice) else action

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing is remembered."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The action, for every agent."""
        return self._actions


def player(spec: str) -> Player:
    """Read the name of a player.

    Args:
        spec: one of `SPECS`.

    Raises:
        ValueError: it is none of these; the message says why.
    """
    kind, _, value = spec.partition(":")
    if kind == "action" and value:
        action = [_number(spec, part) for part in value.split(",")]
        return Player(spec, [(lambda world, slots: Repeated(world, slots, action), 1.0)], [])
    if kind == "level" and value:
        return Player(spec, [(_computer(_number(spec, value)), 1.0)], [])
    path = Path(spec)
    if (path / POPULATION).is_file():
        return _mixture(path)
    if path.suffix == ".onnx" or path.is_dir():
        network = load(path)
        file = path / "policy.onnx" if path.is_dir() else path
        return Player(spec, [(onnx_player(network), 1.0)], [network], _digest([file]))
    return Player(spec, [(policy_maker(spec), 1.0)], [])


def players(specs: Sequence[str]) -> list[Player]:
    """Read the names of players on a command line, all before anybody plays.

    Raises:
        SystemExit: one of them is no player, or its file cannot be read; the message says which and why.
    """
    found = []
    for spec in specs:
        try:
            found.append(player(spec))
        except (OSError, ValueError) as error:
            raise SystemExit(f"player {spec!r}: {error}") from error
    return found


def _number(spec: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"player {spec!r}: {text!r} is no whole number")
    return int(text)


def _computer(level: int) -> PolicyMaker:
    from envsuite.fighting.experts import ComputerPlayer
    from envsuite.fighting.params import LEVELS

    if not 1 <= level <= LEVELS:
        raise ValueError(f"level is {level}, expected 1 to {LEVELS}")
    return lambda world, slots: ComputerPlayer(world, level)


def _mixture(folder: Path) -> Player:
    try:
        table: Any = json.loads((folder / POPULATION).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{folder / POPULATION} is no JSON: {error}") from error
    names = [*table] if isinstance(table, dict) else []
    if not names or any(Path(name).name != name or not name.endswith(".onnx") for name in names):
        raise ValueError(f"{folder / POPULATION} holds {table}, expected weights by names of .onnx files beside it")
    if not all(isinstance(weight, int | float) for weight in table.values()):
        raise ValueError(f"{folder / POPULATION} holds {table}, expected numbers as weights")
    networks, weights = [load(folder / name) for name in names], probabilities(table.values())
    members = [(onnx_player(one), float(weight)) for one, weight in zip(networks, weights, strict=True)]
    ordered = [networks[k] for k in np.argsort(-weights, kind="stable")]
    files = [folder / POPULATION, *(folder / name for name in names)]
    return Player(str(folder), members, ordered, _digest(files))


def _digest(files: list[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()

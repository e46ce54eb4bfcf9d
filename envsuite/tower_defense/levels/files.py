"""Level files: TOML, read strictly."""

import dataclasses
import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from envsuite.tower_defense.levels.level import Level, LevelError, check
from envsuite.tower_defense.params import ENEMY_NAMES, PATHS, SITES, WAVES

_GROUP = re.compile(r"\s*(\w+)\s*x\s*(\d+)\s*")
_NUMBERS = {
    one.name: one.type for one in dataclasses.fields(Level) if one.name not in ("name", "paths", "sites", "waves")
}


@lru_cache
def benchmark(number: int) -> Level:
    """One of the five levels of the benchmark.

    Args:
        number: 1 to 5.

    Raises:
        ValueError: another number.
    """
    if isinstance(number, bool) or number not in range(1, 6):
        raise ValueError(f"level is {number!r}, expected 1 to 5, 'multi', 'long', 'procedural' or the path of a file")
    text = files("envsuite.tower_defense.levels").joinpath(f"l{number}.toml").read_text(encoding="utf-8")
    return _read(text, f"l{number}.toml")


def read_level(path: str | Path) -> Level:
    """Read a level file.

    Args:
        path: a TOML file as ``docs/tower-defense.md`` describes it.

    Raises:
        LevelError: a file that cannot be read or is not TOML, a key that is missing or unknown, or a value the engine
            cannot play; the message names the file, the key, and what was expected.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise LevelError(f"the level file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LevelError(f"{path} is not a TOML file: it is no UTF-8 text") from None
    return _read(text, str(path))


def write_level(level: Level) -> str:
    """A level as the text of a file that `read_level` reads back."""
    lines = [f'name = "{level.name}"']
    lines += [f"{name} = {getattr(level, name)}" for name in _NUMBERS]
    lines += ["", "paths = [", *[f"  {[list(point) for point in path]}," for path in level.paths], "]"]
    lines += ["sites = [", *[f"  {list(site)}," for site in level.sites], "]", "waves = ["]
    for wave in level.waves:
        groups = ", ".join(f'"{ENEMY_NAMES[kind]} x {count}"' for kind, count in wave)
        lines.append(f"  [{groups}],")
    return "\n".join([*lines, "]", ""])


def _read(text: str, source: str) -> Level:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LevelError(f"{source} is not a TOML file: {error}") from None
    try:
        return check(_level(table))
    except LevelError as error:
        raise LevelError(f"{source}: {error}") from None


def _level(table: dict[str, Any]) -> Level:
    needed, known = ("name", "paths", "sites", "waves"), {"name", "paths", "sites", "waves", *_NUMBERS}
    if unknown := sorted(set(table) - known):
        raise LevelError(f"unknown key {unknown[0]!r}, expected among {', '.join(sorted(known))}")
    for key in needed:
        if key not in table:
            raise LevelError(f"the key {key!r} is missing")
    if not isinstance(table["name"], str):
        raise LevelError(f"name is {table['name']!r}, expected a text")
    numbers = {key: _number(key, table[key], _NUMBERS[key]) for key in table if key in _NUMBERS}
    paths = tuple(_points(f"paths[{k}]", path) for k, path in enumerate(_list("paths", table["paths"], PATHS)))
    waves = tuple(_groups(f"waves[{k}]", wave) for k, wave in enumerate(_list("waves", table["waves"], WAVES)))
    return Level(table["name"], paths, _points("sites", _list("sites", table["sites"], SITES)), waves, **numbers)


def _number(key: str, value: Any, kind: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int if kind is int else int | float):
        raise LevelError(f"{key} is {value!r}, expected {'an integer' if kind is int else 'a number'}")
    return kind(value)


def _list(key: str, value: Any, most: int) -> list:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise LevelError(f"{key} is {str(value)[:60]!r}, expected a list of 1 to {most} entries")
    return value


def _points(key: str, value: Any) -> tuple[tuple[float, float], ...]:
    if not isinstance(value, list):
        raise LevelError(f"{key} is {value!r}, expected a list of points [x, y]")
    points = []
    for k, point in enumerate(value):
        numbers = isinstance(point, list) and len(point) == 2
        if not numbers or any(isinstance(one, bool) or not isinstance(one, int | float) for one in point):
            raise LevelError(f"{key}[{k}] is {point!r}, expected two numbers [x, y]")
        points.append((float(point[0]), float(point[1])))
    return tuple(points)


def _groups(key: str, value: Any) -> tuple[tuple[int, int], ...]:
    groups = []
    for k, text in enumerate(_list(key, value, 64)):
        match = _GROUP.fullmatch(text) if isinstance(text, str) else None
        if match is None or match[1] not in ENEMY_NAMES:
            raise LevelError(
                f"{key}[{k}] is {text!r}, expected a text like 'raider x 8' with one of {', '.join(ENEMY_NAMES)}"
            )
        groups.append((ENEMY_NAMES.index(match[1]), int(match[2])))
    return tuple(groups)

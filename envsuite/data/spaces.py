"""Gymnasium spaces as JSON and back, and the columns that their elements become."""

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.spaces import Space

from envsuite.data.columns import Spec, stored_dtype

_DEPTH = 16
_ELEMENTS = 1 << 26
"""Of one element of a space, at most; more would be a trick to fill the memory."""


def _bound(array: np.ndarray) -> Any:
    """One number where all are equal, else nested lists; infinities as texts."""

    def plain(value):
        if isinstance(value, list):
            return [plain(one) for one in value]
        return str(value) if isinstance(value, float) and not math.isfinite(value) else value

    if array.size and (array == array.flat[0]).all():
        return plain(array.flat[0].item())
    return plain(array.tolist())


def _array(value: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    def number(one):
        if isinstance(one, list):
            return [number(part) for part in one]
        return float(one) if isinstance(one, str) else one

    with np.errstate(all="raise"):
        return np.broadcast_to(np.asarray(number(value), dtype), shape).copy()


def space_to_json(space: Space) -> dict[str, Any]:
    """A space as plain data.

    Raises:
        ValueError: a kind of space that datasets cannot hold.
    """
    match space:
        case spaces.Box():
            low, high = _bound(space.low), _bound(space.high)
            return {"type": "Box", "dtype": space.dtype.name, "shape": list(space.shape), "low": low, "high": high}
        case spaces.Discrete():
            return {"type": "Discrete", "n": int(space.n), "start": int(space.start), "dtype": space.dtype.name}
        case spaces.MultiDiscrete():
            return {
                "type": "MultiDiscrete",
                "nvec": space.nvec.tolist(),
                "start": space.start.tolist(),
                "dtype": space.dtype.name,
            }
        case spaces.MultiBinary():
            return {"type": "MultiBinary", "shape": list(space.shape)}
        case spaces.Text():
            return {
                "type": "Text",
                "min_length": space.min_length,
                "max_length": space.max_length,
                "charset": "".join(sorted(space.character_set)),
            }
        case spaces.Dict():
            return {"type": "Dict", "spaces": {name: space_to_json(one) for name, one in space.spaces.items()}}
        case spaces.Tuple():
            return {"type": "Tuple", "spaces": [space_to_json(one) for one in space.spaces]}
    raise ValueError(f"{type(space).__name__} is not a space that datasets hold")


def space_from_json(data: dict[str, Any], depth: int = 0) -> Space:
    """Read what `space_to_json` made.

    Raises:
        ValueError: it is no such thing.
    """
    if depth > _DEPTH:
        raise ValueError(f"a space is nested more than {_DEPTH} deep")
    try:
        match data:
            case {"type": "Box", "dtype": str(name), "shape": list(sizes), "low": low, "high": high}:
                shape, dtype = tuple(sizes), stored_dtype(np.dtype(name))
                if min(shape, default=1) < 0 or math.prod(shape) > _ELEMENTS:
                    raise ValueError(f"a Box of shape {shape!s:.80} is no space of observations or actions")
                return spaces.Box(_array(low, shape, dtype), _array(high, shape, dtype), shape, dtype.type)
            case {"type": "Discrete", "n": int(n), "start": int(start), "dtype": str(name)}:
                return spaces.Discrete(n, start=start, dtype=np.dtype(name).type)
            case {"type": "MultiDiscrete", "nvec": list(nvec), "start": list(start), "dtype": str(name)}:
                return spaces.MultiDiscrete(np.array(nvec), dtype=np.dtype(name).type, start=np.array(start))
            case {"type": "MultiBinary", "shape": list(shape)}:
                return spaces.MultiBinary(shape)
            case {"type": "Text", "min_length": int(short), "max_length": int(long), "charset": str(charset)}:
                return spaces.Text(long, min_length=short, charset=charset)
            case {"type": "Dict", "spaces": dict(parts)}:
                return spaces.Dict([(name, space_from_json(one, depth + 1)) for name, one in parts.items()])
            case {"type": "Tuple", "spaces": list(parts)}:
                return spaces.Tuple([space_from_json(one, depth + 1) for one in parts])
    except (TypeError, AssertionError, ArithmeticError) as error:
        raise ValueError(f"{str(data)[:80]} is no space: {error}") from error
    raise ValueError(f"{str(data)[:80]} is no space")


def leaves(space: Space, prefix: str) -> dict[str, Space]:
    """The parts of a space that become columns, by the columns' names: keys of dictionaries stand after dots.

    Args:
        space: of observations or actions.
        prefix: name of the whole.
    """
    if isinstance(space, spaces.Dict):
        parts = {f"{prefix}.{name}": one for name, one in space.spaces.items()}
    elif isinstance(space, spaces.Tuple):
        parts = {f"{prefix}._index_{k}": one for k, one in enumerate(space.spaces)}
    else:
        return {prefix: space}
    return {name: leaf for key, one in parts.items() for name, leaf in leaves(one, key).items()}


def leaf_spec(space: Space) -> Spec | None:
    """Type and shape of an element; None for texts, whose width depends on them."""
    if isinstance(space, spaces.Text):
        return None
    assert space.dtype is not None
    assert space.shape is not None
    return stored_dtype(np.dtype(space.dtype)), tuple(space.shape)


def tree(columns: dict[str, Any], prefix: str) -> Any:
    """Columns of a prefix as they were in the environment: an array, or (nested) dictionaries of arrays."""
    if prefix in columns:
        return columns[prefix]
    nested: dict[str, Any] = {}
    for name, value in columns.items():
        if name.startswith(prefix + "."):
            *path, last = name[len(prefix) + 1 :].split(".")
            place = nested
            for key in path:
                place = place.setdefault(key, {})
            place[last] = value
    return nested

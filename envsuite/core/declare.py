"""Declarations: what a constant, a part of the state, a metric or an option is, said once.

A `Record` lists fields with their type, default, unit, meaning, bounds and source; NumPy types, parameter records,
`envsuite info` and the documentation's tables are made from it. Options of a world are the keyword arguments of its
constructor: their annotations say what is allowed, and `check_options` holds callers to it.
"""

import importlib
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from importlib.util import find_spec
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from envsuite.core.jit import canonical, records


class Real:
    """The precision of a world's physics, chosen when its records are made."""


@dataclass(frozen=True)
class Field:
    """One field of a record; see `field`."""

    default: Any = None
    unit: str = ""
    meaning: str = ""
    type: Any = Real
    shape: tuple[int | str, ...] = ()
    low: float | None = None
    high: float | None = None
    source: str = ""
    name: str = ""

    def dtype(self, real: type, sizes: dict[str, int]) -> tuple[Any, ...]:
        """Name, type and shape as `numpy.dtype` takes them."""
        kind = self.type
        if inspect.isclass(kind) and issubclass(kind, Record):
            kind = kind.dtype(real, **sizes)
        kind = real if kind is Real else kind(real) if inspect.isfunction(kind) else kind
        shape = tuple(sizes[one] if isinstance(one, str) else one for one in self.shape)
        return (self.name, kind, shape) if shape else (self.name, kind)

    def kind(self) -> str:
        """Type and shape in words."""
        plain = isinstance(self.type, np.dtype) and self.type.names is None
        named = self.type.__name__ if inspect.isclass(self.type) else str(self.type) if plain else "record"
        return f"{named.lower()} {list(self.shape)}".replace("'", "") if self.shape else named.lower()

    def check(self, value: Any) -> None:
        """Refuse a value out of bounds.

        Raises:
            ValueError: naming the field, the value and the bounds.
        """
        numbers = np.asarray(value)
        low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
        if (self.low, self.high) != (None, None) and not ((numbers >= low) & (numbers <= high)).all():
            raise ValueError(f"{self.name} is {value!r}, expected a number from {low:g} to {high:g}")


def field(
    default: Any = None,
    unit: str = "",
    meaning: str = "",
    *,
    type: Any = Real,
    shape: int | str | Sequence[int | str] = (),
    low: float | None = None,
    high: float | None = None,
    source: str = "",
) -> Any:
    """Declare a field of a `Record`.

    Args:
        default: of a constant; None for what is computed or changes.
        unit: SI unit; empty for pure numbers.
        meaning: one line for the generated tables.
        type: `Real`, a NumPy scalar type, a NumPy type, another `Record`, or a function from the precision to a type.
        shape: of an array; names stand for sizes that are known when the record is made.
        low: least value.
        high: greatest value.
        source: paper, equation or program that it comes from.
    """
    extent = (shape,) if isinstance(shape, int | str) else tuple(shape)
    return Field(default, unit, meaning, type, extent, low, high, source)


class Record:
    """A structured type whose fields are declared in the class body, in order, after those of its bases.

    Attributes:
        fields: the declared fields by name.
    """

    fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: one for name, one in vars(cls).items() if isinstance(one, Field)}
        inherited = {name: one for base in cls.__bases__ for name, one in getattr(base, "fields", {}).items()}
        cls.fields = {**inherited, **{name: replace(one, name=name) for name, one in own.items()}}

    @classmethod
    def dtype(cls, real: type = np.float64, **sizes: int) -> np.dtype:
        """The aligned NumPy type.

        Args:
            real: what `Real` stands for.
            **sizes: of shapes given by name.
        """
        return _dtype(cls, real, tuple(sorted(sizes.items())))

    @classmethod
    def make(cls, real: type = np.float64, sizes: dict[str, int] | None = None, **values: Any) -> np.ndarray:
        """A parameter record with its defaults.

        Args:
            real: what `Real` stands for.
            sizes: of shapes given by name.
            **values: in the place of defaults.

        Returns:
            Array of shape (1,).

        Raises:
            ValueError: a value is out of its bounds, or there is no such field.
        """
        if unknown := sorted(set(values) - set(cls.fields)):
            raise ValueError(f"{cls.__name__} has no field {unknown[0]!r}; its fields are {', '.join(cls.fields)}")
        made = np.zeros(1, cls.dtype(real, **(sizes or {})))
        for name, one in cls.fields.items():
            value = values.get(name, one.default)
            if value is not None:
                one.check(value)
                made[0][name] = value
        return records(made)


@lru_cache(maxsize=512)
def _dtype(record: type[Record], real: type, sizes: tuple[tuple[str, int], ...]) -> np.dtype:
    return canonical(np.dtype([one.dtype(real, dict(sizes)) for one in record.fields.values()], align=True))


@dataclass(frozen=True)
class Between:
    """Bounds of an option, in an annotation: ``Annotated[int, Between(4, 20)]``.

    Attributes:
        low: least value.
        high: greatest value.
    """

    low: float
    high: float


def check_options(init: Callable, base: Callable = object.__init__) -> Callable:
    """A constructor that first holds its keyword arguments to their annotations.

    Checked are ``bool``, ``int`` and ``float`` with bounds (`Between`), and ``Literal``; None is allowed where it is
    the default, and everything else is left to the constructor. A float takes whole numbers too.

    Args:
        init: the constructor.
        base: that of the class above. Where `init` passes on what it does not know (``**options``), the options of
            `base` are options here too.
    """
    hints: dict[str, Any] = {}

    @wraps(init)
    def checked(self, *positional: Any, **options: Any) -> None:
        if not hints:
            hints.update(get_type_hints(init, include_extras=True) or {"return": None})
        for name, value in options.items():
            if name in hints:
                refusal = _refusal(hints[name], value)
                if refusal and not (value is None and inspect.signature(init).parameters[name].default is None):
                    raise ValueError(f"{name} is {value!r}, expected {refusal}")
        init(self, *positional, **options)

    *own, last = inspect.signature(init).parameters.values()
    if last.kind is last.VAR_KEYWORD:
        more = inspect.signature(base).parameters.values()
        added = [one for one in more if one.kind is one.KEYWORD_ONLY and one.name not in {two.name for two in own}]
        checked.__signature__ = inspect.Signature([*own, *added])  # ty: ignore[missing-attribute]
        checked.__annotations__ = {**get_type_hints(base, include_extras=True), **init.__annotations__}
    return checked


def _refusal(hint: Any, value: Any) -> str:
    """What an option should be, where a value is something else."""
    if hint is NoneType:
        return "" if value is None else "None"
    bounds = next((one for one in get_args(hint)[1:] if isinstance(one, Between)), None)
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(kind) in (Union, UnionType):
        return _refusal_of_all(get_args(kind), bounds, value)
    if get_origin(kind) is Literal:
        return "" if value in get_args(kind) else f"one of {', '.join(map(repr, get_args(kind)))}"
    if kind is bool:
        return "" if isinstance(value, bool | np.bool_) else "True or False"
    if kind in (int, float):
        return "" if _is_number(kind, value, bounds) else f"a {'whole ' * (kind is int)}number{_range(bounds)}"
    return ""


def _refusal_of_all(kinds: tuple[Any, ...], bounds: Between | None, value: Any) -> str:
    """`_refusal` of alternatives; bounds hold for all of them, and then None goes without saying."""
    if bounds is None:
        refusals = [_refusal(one, value) for one in kinds]
    elif value is None and NoneType in kinds:
        return ""
    else:
        refusals = [_refusal(Annotated[one, bounds], value) for one in kinds if one is not NoneType]
    return " or ".join(refusals) if all(refusals) else ""


def _is_number(kind: type, value: Any, bounds: Between | None) -> bool:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole and not (kind is float and isinstance(value, float | np.floating) and math.isfinite(value)):
        return False
    return bounds is None or bool(bounds.low <= value <= bounds.high)


def allowed(hint: Any) -> str:
    """What an option may be, in words; empty where its annotation does not say.

    Args:
        hint: its annotation.
    """
    refusal = _refusal(hint, ...)
    return "" if refusal == "" else refusal


def declarations(world: type) -> dict[str, type[Record]]:
    """The declared records of a world: ``Params``, ``State`` and ``Info``, those that there are.

    They are found where companions are: in the world's own file, or in ``params.py`` and ``state.py`` of its folder.

    Args:
        world: the simulator's class.
    """
    found: dict[str, type[Record]] = {}
    for name, room in (("Params", "params"), ("State", "state"), ("Info", "state")):
        for one in world.__mro__[:-2]:
            for place in rooms(one.__module__, room):
                record = getattr(importlib.import_module(place), name, None)
                if name not in found and inspect.isclass(record) and issubclass(record, Record):
                    found[name] = record
    return found


def rooms(module: str, room: str) -> list[str]:
    """Modules in which something of a world may lie: its own, and the room in its folder and the one above.

    Args:
        module: of the world.
        room: name of the file.
    """
    folder = module.rpartition(".")[0]
    places = [f"{folder}.{room}", f"{folder.rpartition('.')[0]}.{room}"]
    return [module, *(place for place in places if _exists(place))]


def _exists(module: str) -> bool:
    if module.startswith("."):
        return False
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _range(bounds: Between | None) -> str:
    return "" if bounds is None else f" from {bounds.low:g} to {bounds.high:g}"

"""What attributes of a declaration may be, said where they are declared."""

import sys
from dataclasses import dataclass, field, fields
from typing import Any

MOST = {False: sys.float_info.max, True: 2**31 - 1}  # of numbers, of whole numbers


@dataclass(frozen=True)
class Rule:
    """What an attribute may be.

    Attributes:
        length: of a vector; 0 for a number.
        least: length that a vector has to have at least; the rest is completed.
        low: least value.
        above: values are greater than this.
        whole: whole numbers only.
        among: the only values.
        optional: None is allowed.
    """

    length: int = 0
    least: int = 0
    low: float | None = None
    above: float | None = None
    whole: bool = False
    among: tuple = ()
    optional: bool = False

    def plain(self, value: Any, default: Any) -> Any:
        """The value as a number or tuple, completed; as it is where it is neither."""
        try:
            if self.among:
                return next((one for one in self.among if one == value), value)
            if value is None or isinstance(value, str):
                return value
            if self.length == 0:
                return int(value) if self.whole and int(value) == value else float(value)
            many = tuple(float(one) for one in value) if hasattr(value, "__len__") else (float(value),)
            return many + (default[len(many) :] if default and 0 < self.least <= len(many) else ())
        except (TypeError, ValueError, OverflowError):
            return value

    def broken(self, value: Any) -> bool:
        """Whether a value, made plain, is not allowed."""
        if value is None:
            return not self.optional
        if self.among:
            return value not in self.among
        many = value if self.length else (value,)
        if not isinstance(many, tuple) or (self.length and not (self.least or self.length) <= len(many) <= self.length):
            return True
        return not all(self._allows(one) for one in many)

    def _allows(self, one: Any) -> bool:
        if not isinstance(one, int if self.whole else float) or abs(one) > MOST[self.whole] or one != one:
            return False
        return (self.low is None or one >= self.low) and (self.above is None or one > self.above)

    @property
    def words(self) -> str:
        """What is expected."""
        if self.among:
            return f"one of {', '.join(map(repr, self.among))}"
        kind = "whole number" if self.whole else "finite number"
        bound = "" if self.low is None else f" not below {self.low:g}"
        bound = bound if self.above is None else f" above {self.above:g}"
        if self.length == 0:
            return f"a {kind}{bound}"
        many = f"{self.least} to {self.length}" if 0 < self.least < self.length else f"{self.length}"
        return f"{many} {kind}s{bound}"


def number(default: float | None, **rule: Any) -> Any:
    """A number; None as the default allows None. Further arguments are those of `Rule`."""
    return field(default=default, metadata={"rule": Rule(optional=default is None, **rule)})


def vector(default: tuple | None, length: int = 0, **rule: Any) -> Any:
    """A vector, as long as its default; None as the default allows None. Further arguments are those of `Rule`."""
    size = length or len(default or ())
    return field(default=default, metadata={"rule": Rule(length=size, optional=default is None, **rule)})


def choice(default: Any, *among: Any) -> Any:
    """One of some values."""
    return field(default=default, metadata={"rule": Rule(among=among)})


def solref() -> Any:
    """Time constant and damping ratio."""
    return vector((0.02, 1.0), least=1)


def solimp() -> Any:
    """Impedance: at no distance, at the width, the width, where it is half way, how steep."""
    return vector((0.9, 0.95, 0.001, 0.5, 2.0), least=1, low=0)


class Part:
    """Anything that is declared: frozen, with numbers as floats and vectors as tuples."""

    def __post_init__(self) -> None:
        for one in fields(self):  # ty: ignore[invalid-argument-type]
            value = getattr(self, one.name)
            if "rule" in one.metadata:
                object.__setattr__(self, one.name, one.metadata["rule"].plain(value, one.default))
            elif one.metadata.get("parts") and isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))


def parts() -> Any:
    """Any number of parts."""
    return field(default=(), metadata={"parts": True})

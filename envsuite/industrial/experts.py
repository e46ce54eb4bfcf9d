"""Players of plants: what those that collect data have in common."""

from collections.abc import Mapping
from typing import Any, ClassVar

from envsuite.core import Players


class PlantPlayers(Players):
    """Players whose collectors are told apart by numbers alone.

    Attributes:
        collectors: by name, what `make` makes each of.
    """

    collectors: ClassVar[Mapping[str, Any]] = {}

    def collector(self, name):
        """A player for collecting data.

        Args:
            name: one of `collectors`.

        Raises:
            ValueError: another name.
        """
        if name not in self.collectors:
            raise ValueError(f"collector is {name!r}, expected one of {', '.join(map(repr, self.collectors))}")
        return self.make(self.collectors[name])

    def make(self, numbers: Any) -> Any:
        """The player of these numbers.

        Args:
            numbers: a value of `collectors`.
        """
        raise NotImplementedError

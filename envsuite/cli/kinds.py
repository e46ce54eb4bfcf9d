"""Kinds of values of options; what is wrong with one is found before any work is done."""

import math
import os
from pathlib import Path
from typing import Any

import click

SEED = click.IntRange(0, 2**62)
"""A seed; larger ones leave no room for those of the episodes that follow."""

COUNT = click.IntRange(1, 10**9)
"""How many of something."""

WORKERS = click.IntRange(1, 1024)
"""Threads or processes."""


class Finite(click.FloatRange):
    """A number in a range; neither nan nor infinite, which `click.FloatRange` lets pass."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return found


class NewFile(click.Path):
    """A file to be written, in a folder that is there.

    Args:
        *suffixes: that its name may have; any if there are none.
    """

    def __init__(self, *suffixes: str):
        super().__init__(path_type=Path, dir_okay=False)
        self.suffixes = suffixes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Check the name and the folder."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if self.suffixes and path.suffix not in self.suffixes:
            self.fail(f"{str(path)!r} ends in none of {', '.join(self.suffixes)}.", param, ctx)
        if not path.name:
            self.fail(f"{value!r} names no file.", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}.", param, ctx)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            self.fail(f"{str(path)!r} cannot be written to.", param, ctx)
        return path


class NewFolder(click.Path):
    """A folder to be written into; it and those above it are made where they are missing."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Check that it is a folder or can be made one."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        above = next(one for one in (path, *path.absolute().parents) if one.exists())
        if not above.is_dir():
            self.fail(f"{str(path)!r} cannot be made: {str(above)!r} is a file.", param, ctx)
        if not os.access(above, os.W_OK):
            self.fail(f"{str(path)!r} cannot be written to.", param, ctx)
        return path

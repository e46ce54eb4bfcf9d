"""What people see of a training: a line that is written again on a terminal, else a line every few seconds."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TextIO

import click

EVERY = {True: 0.2, False: 5.0}
"""Seconds between two lines, on a terminal and elsewhere."""


class Progress:
    """Says how far a training is and how long it will take.

    The time that is left follows from all steps after the first report: the first steps also load and compile.

    Args:
        total: environment steps.
        out: where it is written; standard error by default.
        clock: seconds.
    """

    def __init__(self, total: int, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic):
        self._total, self._out, self._clock = total, out or sys.stderr, clock
        self._terminal = self._out.isatty()
        self._began = self._told = clock()
        self._first: tuple[int, float] | None = None
        self._written = False

    def __call__(self, steps: int) -> None:
        """Note that so many steps are done."""
        now = self._clock()
        if self._first is None:
            self._first = steps, now
        elif now - self._told >= EVERY[self._terminal] or (steps >= self._total and self._terminal):
            self._told = now
            self._write(self.line(steps, now))

    def line(self, steps: int, now: float) -> str:
        """What is said.

        Args:
            steps: done.
            now: time by the clock.
        """
        told = (
            f"training: {steps:,} of {self._total:,} steps ({100 * steps // self._total} %), {now - self._began:.0f} s"
        )
        if self._first is None or steps <= self._first[0] or steps >= self._total:
            return told
        left = (now - self._first[1]) * (self._total - steps) / (steps - self._first[0])
        return f"{told}, about {left:.0f} s to go"

    def _write(self, text: str) -> None:
        self._out.write(f"\r\x1b[K{text}" if self._terminal else f"{text}\n")
        self._out.flush()
        self._written = True

    def close(self) -> None:
        """End the line on a terminal."""
        if self._terminal and self._written:
            self._out.write("\n")
            self._out.flush()


@contextmanager
def told(total: int) -> Generator[Progress]:
    """A `Progress` that ends its line."""
    progress = Progress(total)
    try:
        yield progress
    finally:
        progress.close()


@contextmanager
def sentences(stopped: str) -> Generator[None]:
    """Whatever ends a script early becomes one line on standard error, and the exit status that belongs to it.

    Args:
        stopped: what is to be known after Ctrl-C.
    """
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\nstopped by Ctrl-C: {stopped}", err=True)
        sys.exit(130)
    except (ValueError, OSError, ArithmeticError) as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)

"""A word on standard error if compilation lasts."""

import sys
import threading
import time
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds of compilation after which a word is said."""


class Notice:
    """Says once for each subject on standard error that it is being compiled, if that takes more than `PATIENCE`.

    Attributes:
        subject: what is about to run, such as an environment's id; empty says nothing.
    """

    def __init__(self):
        self.subject = ""
        self._spent: dict[str, float] = {}
        self._told: set[str] = set()
        self._busy = False

    @contextmanager
    def watch(self):
        """Measure one compilation."""
        subject = self.subject
        if not subject or self._busy or subject in self._told:
            yield
            return
        left = max(PATIENCE - self._spent.get(subject, 0.0), 0.0)
        timer = threading.Timer(left, self._tell, (subject,))
        timer.daemon = True
        self._busy, start = True, time.monotonic()
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._busy = False
            self._spent[subject] = self._spent.get(subject, 0.0) + time.monotonic() - start

    def _tell(self, subject: str) -> None:
        self._told.add(subject)
        print(f"compiling {subject}, once for this machine", file=sys.stderr, flush=True)


NOTICE = Notice()
"""The process's own."""

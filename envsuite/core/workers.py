"""Threads that run parts of a loop beside the caller.

Handing work over by two queues takes a quarter of what `concurrent.futures` takes for a task and its result, and a
batch of quick worlds hands over thousands of times a second. Each thread has its own share of the parts, the same in
every run, so that what it reads stays near its processor; who is done takes over what others have left.
"""

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any


class Workers:
    """Some threads; they end with this object.

    Args:
        count: how many.
    """

    def __init__(self, count: int):
        self._tasks: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(count)]
        for tasks in self._tasks:
            threading.Thread(target=_work, args=(tasks,), name="envsuite", daemon=True).start()
        self._end = weakref.finalize(self, _end, self._tasks)

    def run(self, parts: Sequence[tuple[Any, ...]], function: Callable[..., None]) -> None:
        """Call a function with some arguments each; returns when all are done.

        Args:
            parts: arguments of each call, at least one; the first of them are this thread's share.
            function: what is called.

        Raises:
            BaseException: what a call has raised, that in this thread first; an interrupt of the wait, but not before
                the other threads are done: nobody writes into the arguments afterwards.
        """
        done: SimpleQueue[BaseException | None] = SimpleQueue()  # of this run: nothing is left in it for the next
        count, given = min(len(parts), len(self._tasks) + 1), 0
        shares = [deque(parts[len(parts) * k // count : len(parts) * (k + 1) // count]) for k in range(count)]
        try:
            for own, tasks in enumerate(self._tasks[: count - 1], 1):
                tasks.put((function, shares, own, done))
                given += 1
            _call(function, shares, 0)
        finally:
            raised = _wait(done, given)
        if raised:
            raise raised[0]

    def close(self) -> None:
        """End the threads."""
        self._end()


def _call(function: Callable[..., None], shares: list[deque[tuple[Any, ...]]], own: int) -> None:
    """Do the own share from its beginning, then the others' from their ends."""
    for k in range(len(shares)):
        share = shares[own - k]
        while share:
            try:
                part = share.pop() if k else share.popleft()
            except IndexError:  # another thread was quicker
                break
            function(*part)


def _wait(done: "SimpleQueue[BaseException | None]", count: int) -> list[BaseException]:
    raised: list[BaseException] = []
    while count:
        try:
            one = done.get()
        except KeyboardInterrupt as interrupt:
            raised.append(interrupt)
        else:
            count -= 1
            if one is not None:
                raised.append(one)
    return raised


def _work(tasks: "SimpleQueue[Any]") -> None:
    while (task := tasks.get()) is not None:
        function, shares, own, done = task
        try:
            _call(function, shares, own)
        except BaseException as error:
            done.put(error)
        else:
            done.put(None)
        del task, function, shares, own, done  # arrays may be given back while this thread waits


def _end(queues: list["SimpleQueue[Any]"]) -> None:
    for tasks in queues:
        tasks.put(None)

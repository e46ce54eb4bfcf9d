"""Threads that run parts of a loop beside the caller.

Handing work over by two queues takes a quarter of what `concurrent.futures` takes for a task and its result, and a
batch of quick worlds hands over thousands of times a second.
"""

import threading
import weakref
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
        """Call a function with some arguments each, the first ones in this thread; returns when all are done.

        Args:
            parts: arguments of each call, at most one more than there are threads.
            function: what is called.

        Raises:
            BaseException: what a call has raised, that in this thread first; an interrupt of the wait, but not before
                the other threads are done: nobody writes into the arguments afterwards.
        """
        done: SimpleQueue[BaseException | None] = SimpleQueue()  # of this run: nothing is left in it for the next
        given = 0
        try:
            for tasks, arguments in zip(self._tasks, parts[1:], strict=False):
                tasks.put((function, arguments, done))
                given += 1
            function(*parts[0])
        finally:
            raised = _wait(done, given)
        if raised:
            raise raised[0]

    def close(self) -> None:
        """End the threads."""
        self._end()


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
        function, arguments, done = task
        try:
            function(*arguments)
        except BaseException as error:
            done.put(error)
        else:
            done.put(None)
        del task, function, arguments, done  # arrays may be given back while this thread waits


def _end(queues: list["SimpleQueue[Any]"]) -> None:
    for tasks in queues:
        tasks.put(None)

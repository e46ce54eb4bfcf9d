"""Asks a model through many episodes at once, patiently, within limits, and never the same thing twice."""

import asyncio
import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from filelock import FileLock, Timeout

from envsuite.agents.chat.client import CallError, Endpoint
from envsuite.agents.chat.completion import Completion
from envsuite.agents.chat.prompts import with_picture
from envsuite.evaluation.chat.episode import play_episode
from envsuite.evaluation.chat.journal import Journal, Place, Spent, message_digest, recorded
from envsuite.evaluation.chat.settings import Limits, Record


@dataclass(frozen=True)
class Patience:
    """How failed calls are repeated.

    Attributes:
        tries: of one call, at least 1.
        first_wait: s before the second try; it doubles from try to try, less a random part of up to a half.
        longest_wait: s; an endpoint that asks for a longer one is given up.
    """

    tries: int = 6
    first_wait: float = 1.0
    longest_wait: float = 120.0

    def __post_init__(self):
        if self.tries < 1:
            raise ValueError(f"tries is {self.tries}, expected at least 1")
        if self.first_wait < 0 or self.longest_wait < 0:
            raise ValueError("waiting times are expected to be at least 0 s")

    def wait(self, tried: int) -> float:
        """Seconds after so many tries in vain."""
        return min(self.first_wait * 2.0 ** (tried - 1), self.longest_wait) * random.uniform(0.5, 1)


class StopError(Exception):
    """The run cannot go on: a limit was reached, or the endpoint refuses all calls."""


class EpisodeError(Exception):
    """A call of this episode was given up."""


@dataclass
class Result:
    """How a run went.

    Attributes:
        finished: seeds of the episodes that have their end.
        failed: why others have not, by seed.
        stopped: why the run ended before its time; empty if it did not.
        asked: calls that this run made.
    """

    finished: list[int] = field(default_factory=list)
    failed: dict[int, str] = field(default_factory=dict)
    stopped: str = ""
    asked: int = 0


class Runner:
    """Plays the episodes of a record that have no end yet.

    Args:
        record: written with `Record.write`.
        endpoint: of the model; or one for each agent, where the settings name `others`.
        limits: what may be used up.
        patience: with failed calls.
        concurrency: episodes played at once; results do not depend on it.
        progress: called with the seed of every finished episode.

    Raises:
        ValueError: a limit of money without a price, no concurrency, or another number of endpoints than models.
    """

    def __init__(
        self,
        record: Record,
        endpoint: Endpoint | Sequence[Endpoint],
        limits: Limits | None = None,
        patience: Patience | None = None,
        concurrency: int = 4,
        progress: Callable[[int], Any] | None = None,
    ):
        if concurrency < 1:
            raise ValueError(f"concurrency is {concurrency}, expected at least 1")
        self._limits = limits or Limits()
        if math.isfinite(self._limits.money) and record.price is None:
            raise ValueError("a limit of money needs a table of prices")
        self._endpoints: tuple[Any, ...] = tuple(endpoint) if isinstance(endpoint, Sequence) else (endpoint,)
        if len(self._endpoints) != len(record.settings.models):
            raise ValueError(f"{len(self._endpoints)} endpoints for {len(record.settings.models)} models")
        self._record, self._patience = record, patience or Patience()
        self._concurrency, self._progress = concurrency, progress
        self._card = record.settings.card()
        if self._card.horizon is None:
            raise ValueError(f"{self._card.id} has no length limit: episodes might never end")
        self._result, self._spent = Result(), Spent()
        self._start = time.monotonic()

    def run(self) -> Result:
        """Play; the record is whole at every moment, so a run that is killed goes on where it was.

        Raises:
            ValueError: another process writes the same record.
        """
        try:
            with FileLock(self._record.path / ".lock", timeout=0):
                return asyncio.run(self._run())
        except Timeout:
            raise ValueError(f"another process is writing to {self._record.path}") from None

    async def _run(self) -> Result:
        self._start = time.monotonic()
        open_seeds = []
        for seed in self._record.seeds:
            journal = Journal(self._record.journal(seed))
            self._spent.add_journal(journal)
            if journal.end is None:
                open_seeds.append(seed)
            else:
                self._result.finished.append(seed)
        queue = iter(open_seeds)
        each = self._concurrency * max(1, self._card.agents) // len(self._endpoints)
        async with AsyncExitStack() as stack:
            self._clients = [await stack.enter_async_context(one.client(each)) for one in self._endpoints]
            await asyncio.gather(*(self._work(queue) for _ in range(min(self._concurrency, len(open_seeds)))))
        self._result.finished.sort()
        self._result.failed = dict(sorted(self._result.failed.items()))
        return self._result

    async def _work(self, queue: Any) -> None:
        for seed in queue:
            if self._result.stopped:
                return
            journal = Journal(self._record.journal(seed), self._hide)
            try:
                await play_episode(self._card, self._record.settings, seed, self._asker(journal), journal)
                self._result.finished.append(seed)
                if self._progress:
                    self._progress(seed)
            except StopError as reason:
                self._result.stopped = self._result.stopped or str(reason)
            except (EpisodeError, ValueError) as reason:
                self._result.failed[seed] = str(reason)
            finally:
                journal.close()

    def _hide(self, value: Any) -> Any:
        """Take all keys out of plain data."""
        for endpoint in self._endpoints:
            value = endpoint.hide(value)
        return value

    def _asker(self, journal: Journal):
        async def ask(place: Place, messages: list[dict[str, Any]], prompt: str, picture: Any) -> Completion:
            known = recorded(journal, place, messages)
            if known is not None:
                return known
            request = messages
            if picture is not None:
                request = with_picture(messages, picture(), self._record.settings.detail)
            completion = await self._patiently(journal, place, request)
            journal.answer(place, prompt, message_digest(messages), completion)
            return completion

        return ask

    async def _patiently(self, journal: Journal, place: Place, request: list[dict[str, Any]]) -> Completion:
        """One answer, through as many tries as it takes."""
        tried, who = 0, place[1] % len(self._endpoints)
        while True:
            self._check_limits()
            tried += 1
            self._spent.calls += 1
            self._result.asked += 1
            try:
                completion = await self._endpoints[who].complete(self._clients[who], request)
            except CallError as error:
                self._spent.failed += 1
                journal.failure(place, kind=error.kind, status=error.status, reason=str(error), tried=tried)
                await self._wait_after(error, tried)
                continue
            self._spent.add(completion.usage)
            return completion

    async def _wait_after(self, error: CallError, tried: int) -> None:
        if error.fatal:
            raise StopError(f"the endpoint refuses all calls: {error}") from None
        if not error.again or tried >= self._patience.tries:
            raise EpisodeError(f"{error} ({tried} {'try' if tried == 1 else 'tries'})") from None
        wait = max(self._patience.wait(tried), error.wait or 0.0)
        if wait > self._patience.longest_wait:
            raise EpisodeError(f"the endpoint asks to wait for {wait:.0f} s: {error}") from None
        left = self._limits.seconds - (time.monotonic() - self._start)
        if wait >= left:
            raise StopError(f"the limit of {self._limits.seconds:g} s of wall time is reached") from None
        await asyncio.sleep(wait)

    def _check_limits(self) -> None:
        limits, spent = self._limits, self._spent
        if self._result.stopped:
            raise StopError(self._result.stopped)
        if spent.calls >= limits.calls:
            raise StopError(f"the limit of {limits.calls:g} calls is reached")
        if time.monotonic() - self._start >= limits.seconds:
            raise StopError(f"the limit of {limits.seconds:g} s of wall time is reached")
        if spent.uncounted and (math.isfinite(limits.tokens) or math.isfinite(limits.money)):
            raise StopError("the endpoint does not count tokens: no limit of tokens or money can be kept")
        tokens = spent.usage.prompt + spent.usage.completion
        if tokens >= limits.tokens:
            raise StopError(f"the limit of {limits.tokens:g} tokens is reached ({tokens} used)")
        price = self._record.price
        if price is not None and price.cost(spent.usage) >= limits.money:
            cost = f"{price.cost(spent.usage):.4g} {price.currency}"
            raise StopError(f"the limit of {limits.money:g} {price.currency} is reached ({cost} used)")

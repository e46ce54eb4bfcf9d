"""Sessions as slots of one table of records: each an episode of its own, and those that wait are stepped together."""

import asyncio
import math
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from envsuite.cards import EnvCard
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, Output
from envsuite.core.companions import Referee, Words, companion
from envsuite.core.language import Refusal
from envsuite.core.world import World, allocate, ended_agents, make_world
from envsuite.evaluation.rollout import EVALUATION_SEED, summed_rewards, weighted
from envsuite.serving.forms import declaration, plain, schemas

LONGEST_WORDS = 8192
"""Characters of an action in words: parsers look for numbers and objects at every place of a text."""

_SHORT = 0.01
"""Seconds of work that are done between messages; what takes longer is done in a thread."""

_MOST = 256  # requests of one batch, for the sake of memory and of who comes next
_BATCHES = 8  # sizes of batches that are kept for the next time

Faults = (ValueError, TypeError, KeyError, ResetNeeded)
"""What a request may have done wrong; nothing has changed then."""


class FullError(RuntimeError):
    """No slot is free.

    Args:
        active: sessions that there are.
        most: that there may be.
    """

    def __init__(self, active: int, most: int):
        super().__init__(f"{active} sessions are open, and at most {most} may be: try again later")
        self.active, self.most = active, most


@dataclass
class Session:
    """One client's episodes.

    Attributes:
        id: not to be guessed.
        slot: of the table.
        touched: time of the last request, s of the monotonic clock.
        episode_id: the client's own name for the episode, or a random one.
        steps: taken in this episode.
        seed: of this episode; None where it goes on with the random streams of the one before.
        seeded: the slot's random streams have begun.
        done: there is nothing to step.
        text: replies hold the description.
        total: return so far, see `Table.reply`.
        last: last reply.
        lock: one request at a time.
    """

    id: str
    slot: int
    touched: float = field(default_factory=time.monotonic)
    episode_id: str | None = None
    steps: int = 0
    seed: int | None = None
    seeded: bool = False
    done: bool = True
    text: bool = False
    total: float = 0.0
    last: dict[str, Any] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def state(self, env_id: str) -> dict[str, Any]:
        """What OpenEnv calls the state: where the episode stands, and the last reply for who has lost it."""
        return {
            "episode_id": self.episode_id,
            "step_count": self.steps,
            "env_id": env_id,
            "seed": self.seed,
            "done": self.done,
            "last": self.last,
        }


@dataclass
class Reset:
    """Begins an episode.

    Attributes:
        seed: None to go on with the session's random streams, or for a random one.
        episode_id: None for a random one.
        text: replies of this episode hold the description.
    """

    seed: int | None = None
    episode_id: str | None = None
    text: bool = False


@dataclass
class Step:
    """Takes a step.

    Attributes:
        action: of the agent, or by names of agents.
        words: the action in words, likewise; None for none.
    """

    action: Any = None
    words: Any = None


class Look:
    """Asks for the description alone."""


Request = Reset | Step | Look


@dataclass
class Job:
    """A request, and the session that it is for."""

    session: Session
    request: Request
    future: "asyncio.Future[dict[str, Any]] | None" = None


class Table:
    """The sessions of one environment.

    A session with seed s is, bit for bit, a single environment with seed s, whatever other sessions do.

    Args:
        card: the environment.
        capacity: sessions at most.

    Attributes:
        sessions: those that are open, by id.
        declaration: see `envsuite.serving.forms.declaration`.
        schemas: see `envsuite.serving.forms.schemas`.
    """

    def __init__(self, card: EnvCard, capacity: int):
        self.card, self.capacity = card, capacity
        self.world: World = make_world(card.world, **card.options)
        self.sessions: dict[str, Session] = {}
        self.declaration, self.schemas = declaration(card, self.world), schemas(card, self.world)
        self._states = allocate(self.world, capacity)
        self._free = list(range(capacity - 1, -1, -1))
        self._agents = {name: k for k, name in enumerate(self.world.agents)}
        self._check = ActionChecker(self.world.action, ())
        self._turns = bool(self.world.agents) and "current_player" in (self.world.state_dtype.names or ())
        self._batch = lru_cache(_BATCHES)(self._make_batch)
        self._waiting: list[Job] = []
        self._running: asyncio.Task[None] | None = None
        self._cost = math.inf  # of a request, s; a running mean
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="envsuite-table")

    def _make_batch(self, slots: int) -> Batch:
        return Batch(self.world, slots, horizon=self.card.horizon or 0)

    def open(self) -> Session:
        """A new session.

        Raises:
            FullError: all slots are taken.
        """
        if not self._free:
            raise FullError(len(self.sessions), self.capacity)
        session = Session(secrets.token_urlsafe(24), self._free.pop())
        self.sessions[session.id] = session
        return session

    async def close(self, session: Session) -> None:
        """End a session, after the request that is under way; its slot is free again."""
        if self.sessions.pop(session.id, None) is not None:
            async with session.lock:
                self._free.append(session.slot)

    async def ask(self, session: Session, request: Request) -> dict[str, Any]:
        """What comes of a request; those of other sessions that arrive meanwhile are stepped with it.

        Raises:
            ValueError: a malformed action or seed, by name; or words that are no action.
            TypeError: likewise.
            KeyError: a live agent's action is missing, or there is no such agent. Actions of ended agents do nothing.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended; or the session is closed.
        """
        async with session.lock:
            if session.id not in self.sessions:
                raise ResetNeeded("the session is closed")
            loop = asyncio.get_running_loop()
            job = Job(session, request, loop.create_future())
            self._waiting.append(job)
            if self._running is None:  # begins when all that has arrived until now is read
                self._running = loop.create_task(self._work())
            session.touched = time.monotonic()
            return await job.future  # ty: ignore[invalid-await]

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            jobs, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            answers: Sequence[Any]
            try:
                if self._cost * len(jobs) < _SHORT:  # handing over to a thread would cost more
                    answers = self._timed(jobs)
                else:
                    answers = await loop.run_in_executor(self._thread, self._timed, jobs)
            except Exception as error:  # of the world: who waits is told, the server goes on
                answers = [error] * len(jobs)
            for job, answer in zip(jobs, answers, strict=True):
                if job.future is None or job.future.done():
                    continue
                if isinstance(answer, Exception):
                    job.future.set_exception(answer)
                else:
                    job.future.set_result(answer)
        self._running = None

    def _timed(self, jobs: Sequence[Job]) -> list[dict[str, Any] | Exception]:
        start = time.perf_counter()
        try:
            return self.advance(jobs)
        finally:
            spent = (time.perf_counter() - start) / len(jobs)
            self._cost = spent if math.isinf(self._cost) else 0.8 * self._cost + 0.2 * spent

    def advance(self, jobs: Sequence[Job]) -> list[dict[str, Any] | Exception]:
        """Do what is asked, all at once.

        Args:
            jobs: of different sessions.

        Returns:
            The reply to each, or the fault in it.
        """
        answers: list[Any] = [None] * len(jobs)
        moving, actions = [], []
        for k, job in enumerate(jobs):
            try:
                if isinstance(job.request, Look):
                    answers[k] = self._look(job.session)
                else:
                    actions.append(self._action(job))
                    moving.append(k)
            except Faults as error:
                answers[k] = error
        if moving:
            chosen = [jobs[k] for k in moving]
            try:
                output, seeds = self._move(chosen, np.array(actions, self.world.action.dtype))
            except Exception:
                self._batch.cache_clear()  # an interrupted batch is not to be used again; the slots are as before
                raise
            for k, reply in zip(moving, self._replies(chosen, output, seeds), strict=True):
                answers[k] = reply
        return answers

    def _action(self, job: Job) -> np.ndarray:
        """The action as kernels take it, ([a,] *A); zeros for a reset."""
        world, request = self.world, job.request
        joint = np.zeros((len(world.agents), *world.action.shape) if world.agents else world.action.shape)
        joint = joint.astype(world.action.dtype)
        if isinstance(request, Reset):
            if job.session.seeded and request.seed is None:
                return joint
            if request.seed is not None and (type(request.seed) is not int or not 0 <= request.seed < 2**63):
                raise ValueError(f"seed is {str(request.seed)[:40]!r}, expected an integer in [0, 2**63)")
            return joint
        if job.session.done:
            raise ResetNeeded("the episode has ended or not begun: reset before the next step")
        assert isinstance(request, Step)
        state = self._states[job.session.slot]
        given = request.action if request.words is None else request.words
        if not world.agents:
            joint[...] = self._one(given, request.words is not None, state, 0, "")
            return joint
        if not isinstance(given, dict):
            raise TypeError(f"the action is {str(given)[:40]!r}, expected an object with an entry for each agent")
        live, mover = self._live(state), self._mover(state)
        needed = set(live) if mover is None else {mover}
        if unknown := sorted(set(given) - set(self._agents)):
            raise KeyError(f"an action is given for {unknown[0][:40]!r}, expected one for each of {_few(live)}")
        if missing := sorted(needed - set(given)):
            raise KeyError(f"no action is given for {_few(missing)}")
        for name, one in given.items():
            joint[self._agents[name]] = self._one(one, request.words is not None, state, self._agents[name], name)
        return joint

    def _one(self, given: Any, words: bool, state: np.void, agent: int, name: str) -> np.ndarray:
        """One agent's action, checked."""
        if words:
            if not isinstance(given, str):
                raise TypeError(f"the action in words is {str(given)[:40]!r}, expected a text")
            if len(given) > LONGEST_WORDS:
                raise ValueError(f"the words have {len(given)} characters, expected at most {LONGEST_WORDS}")
            given = companion(self.world, Words).parse(given, state, agent)
            if isinstance(given, Refusal):
                raise ValueError(f"{given.kind}: {given.reason}")
        try:
            return self._check(given)
        except (ValueError, TypeError, OverflowError) as error:
            message = f"{f'{name}: ' if name else ''}{error}"[:400]
            raise (TypeError if isinstance(error, TypeError) else ValueError)(message) from None

    def _live(self, state: np.void) -> list[str]:
        return [name for name, out in zip(self.world.agents, ended_agents(self.world, state), strict=True) if not out]

    def _mover(self, state: np.void) -> str | None:
        turn = companion(self.world, Referee).current_player(state) if self._turns else None
        return None if turn is None else self.world.agents[turn]

    def _move(self, jobs: Sequence[Job], actions: np.ndarray) -> tuple[Output, list[int | None]]:
        """Step the slots of jobs together, others stay as they are; also the seeds of new episodes."""
        slots = np.array([job.session.slot for job in jobs])
        restart = np.array([isinstance(job.request, Reset) for job in jobs])
        seeds = [self._seed(job) for job in jobs]
        batch = self._batch(len(jobs))
        batch.states[:] = self._states[slots]
        fresh = np.array([seed is not None for seed in seeds])
        if fresh.any():
            batch.seed([seed or 0 for seed in seeds], fresh)
        output = batch.step(actions, restart)
        self._states[slots] = batch.states
        ended = batch.done.tolist()
        for job, over in zip(jobs, ended, strict=True):
            job.session.done = over
        return output, seeds

    @staticmethod
    def _seed(job: Job) -> int | None:
        if not isinstance(job.request, Reset):
            return None
        if job.request.seed is None and not job.session.seeded:
            return secrets.randbelow(EVALUATION_SEED)
        return job.request.seed

    def _replies(self, jobs: Sequence[Job], output: Output, seeds: Sequence[int | None]) -> list[dict[str, Any]]:
        seen, rewards = plain(output.observations), plain(output.rewards)
        totals = weighted(
            summed_rewards(output.rewards, bool(self._agents), companion(self.world, Referee).zero_sum),
            self.card.weights,
        )
        flags = output.terminated.tolist(), output.truncated.tolist()
        columns = [(name, plain(output.info[name])) for name in output.info.dtype.names or ()]
        replies = []
        for k, job in enumerate(jobs):
            session, begun = job.session, isinstance(job.request, Reset)
            if isinstance(job.request, Reset):
                session.steps, session.total, session.seed, session.seeded = 0, 0.0, seeds[k], True
                session.episode_id = job.request.episode_id or secrets.token_urlsafe(12)
                session.text = job.request.text
            else:
                session.steps += 1
                session.total += float(totals[k])
            metadata: dict[str, Any] = {"info": self._by_agent({name: values[k] for name, values in columns})}
            if not begun:
                metadata |= {"terminated": self._named(flags[0][k]), "truncated": self._named(flags[1][k])}
                if self._agents or self.world.reward.objectives:
                    metadata["rewards"] = self._named(rewards[k])
            session.last = {
                "observation": {"observation": self._named(seen[k]), **self._situation(session)},
                "reward": None if begun else float(totals[k]),
                "done": session.done,
                "metadata": metadata,
            }
            replies.append(session.last)
        return replies

    def _situation(self, session: Session) -> dict[str, Any]:
        """What a reply says besides numbers."""
        told: dict[str, Any] = {}
        state = self._states[session.slot]
        if self._agents:
            told["agents"] = self._live(state)
            mover = self._mover(state)
            if mover is not None and not session.done:
                told["turn"] = mover
        if session.text:
            told["text"] = self._words(state)
        return told

    def _words(self, state: np.void) -> Any:
        words = companion(self.world, Words)
        return {name: words.describe(state, k) for name, k in self._agents.items()} or words.describe(state)

    def _look(self, session: Session) -> dict[str, Any]:
        if session.last is None:
            raise ResetNeeded("no episode has begun: reset first")
        return {**session.last, "text": self._words(self._states[session.slot])}

    def _named(self, rows: Any) -> Any:
        """Rows of agents by their names; what has no agents as it is."""
        return dict(zip(self._agents, rows, strict=True)) if self._agents else rows

    def _by_agent(self, info: dict[str, Any]) -> dict[str, Any]:
        if not self._agents:
            return info
        return {name: {key: rows[k] for key, rows in info.items()} for name, k in self._agents.items()}

    async def warm(self) -> None:
        """Compile what the first client would wait for."""
        session = self.open()
        try:
            await self.ask(session, Reset(seed=0))
        finally:
            await self.close(session)

    def shut(self) -> None:
        """Stop the thread and close the world."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        self.world.close()


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")

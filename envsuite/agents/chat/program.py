"""Models that are no web endpoint: a program that reads and writes lines of JSON, or a function of Python."""

import asyncio
import base64
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from envsuite.agents.chat.client import LARGEST, CallError
from envsuite.agents.chat.completion import Completion, Usage

_SHOWN = 300  # characters of a line that an error message quotes


@dataclass(frozen=True)
class Program:
    """A program that answers line by line, one request after another.

    It reads objects ``{"model": ..., "messages": [...]}`` with the messages of the chat protocol (pictures as data
    URLs) and writes for each one object ``{"text": ...}``; it may add ``"refused"`` and ``"cut"`` (bool),
    ``"prompt_tokens"`` and ``"completion_tokens"``. Each of the calls at once has a process of its own.

    Attributes:
        command: the program and its arguments.
        model: name that it is told.
        timeout: s, for an answer; the process is ended then.
    """

    command: tuple[str, ...]
    model: str
    timeout: float = 120.0

    def hide(self, value: Any) -> Any:
        """There is no key to hide."""
        return value

    def client(self, connections: int) -> "_Processes":
        """Processes.

        Args:
            connections: at most so many at once.
        """
        return _Processes(self.command, connections)

    async def complete(self, client: "_Processes", messages: list[dict[str, Any]]) -> Completion:
        """Ask once.

        Args:
            client: from `client`.
            messages: of the conversation.

        Raises:
            CallError: no answer came.
        """
        line = json.dumps({"model": self.model, "messages": messages}).encode() + b"\n"
        start = time.monotonic()
        process = await client.take()
        try:
            async with asyncio.timeout(self.timeout):
                process.stdin.write(line)
                await process.stdin.drain()
                answer = await process.stdout.readline()
        except TimeoutError:
            await client.end(process)
            raise CallError("timeout", f"no answer within {self.timeout:g} s") from None
        except ValueError:
            await client.end(process)
            raise CallError("overlong", f"the answer is longer than {LARGEST} bytes") from None
        except OSError as error:
            await client.end(process)
            raise CallError("connection", f"{type(error).__name__}: {error}") from None
        except BaseException:
            await client.end(process)
            raise
        if not answer.endswith(b"\n"):
            code = await client.end(process)
            raise CallError("connection", f"the program ended with status {code} before its answer")
        client.give_back(process)
        return _read(answer, self.model, time.monotonic() - start)


def _read(line: bytes, model: str, seconds: float) -> Completion:
    try:
        data = json.loads(line)
        text = data["text"]
        if not isinstance(text, str):
            raise TypeError
    except (ValueError, LookupError, TypeError, RecursionError):
        quoted = line.decode(errors="replace").strip()[:_SHOWN] or "nothing"
        raise CallError("malformed", f'no object with a "text": {quoted}') from None
    counts = [data.get(name) for name in ("prompt_tokens", "completion_tokens")]
    counted = all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in counts)
    return Completion(
        text=text.encode(errors="replace").decode(),
        refused=data.get("refused") is True,
        cut=data.get("cut") is True,
        usage=Usage(prompt=counts[0], completion=counts[1]) if counted else None,
        model=model,
        seconds=round(seconds, 4),
    )


class _Processes:
    """Running copies of a program, each busy with one request at most."""

    def __init__(self, command: tuple[str, ...], most: int):
        self._command, self._idle, self._all = command, [], set()
        self._room = asyncio.Semaphore(most)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *what: object) -> None:
        for process in list(self._all):
            await self._stop(process)

    async def take(self) -> Any:
        """An idle process, started if need be."""
        await self._room.acquire()
        if self._idle:
            return self._idle.pop()
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LARGEST
            )
        except OSError as error:
            self._room.release()
            raise CallError("connection", f"{self._command[0]} cannot be started: {error}", fatal=True) from None
        self._all.add(process)
        return process

    def give_back(self, process: Any) -> None:
        """The process has answered."""
        self._idle.append(process)
        self._room.release()

    async def end(self, process: Any) -> int:
        """End a process that is of no more use; its exit status."""
        self._room.release()
        return await self._stop(process)

    async def _stop(self, process: Any) -> int:
        self._all.discard(process)
        if process.stdin is not None:
            process.stdin.close()
        if process.returncode is None:
            try:
                async with asyncio.timeout(0.5):
                    await process.wait()
            except TimeoutError:
                process.kill()
        return await process.wait()


@dataclass(frozen=True)
class Function:
    """A function as a model: it gets the conversation as one text, and the picture as PNG where there is one.

    Attributes:
        answer: ``(text, png or None)`` to the answer; called in a thread, several at once.
        model: name for the record.
    """

    answer: Callable[[str, bytes | None], str]
    model: str

    def hide(self, value: Any) -> Any:
        """There is no key to hide."""
        return value

    def client(self, connections: int) -> Self:
        """Nothing to connect to."""
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *what: object) -> None:
        return None

    async def complete(self, client: Any, messages: list[dict[str, Any]]) -> Completion:
        """Ask once.

        Args:
            client: from `client`.
            messages: of the conversation.

        Raises:
            CallError: the function raised an exception, or returned no text.
        """
        text, picture = flat(messages)
        start = time.monotonic()
        try:
            answer = await asyncio.to_thread(self.answer, text, picture)
        except Exception as error:
            raise CallError("connection", f"{type(error).__name__}: {error}", again=False) from error
        if not isinstance(answer, str):
            raise CallError("malformed", f"the function returned {type(answer).__name__}, expected a text", again=False)
        clean = answer.encode(errors="replace").decode()
        return Completion(clean, model=self.model, seconds=round(time.monotonic() - start, 4))


def flat(messages: list[dict[str, Any]]) -> tuple[str, bytes | None]:
    """A conversation as one text, and the last picture in it.

    Args:
        messages: of the chat protocol; pictures as data URLs.

    Returns:
        The text, each message after its role; PNG or None.
    """
    parts, picture = [], None
    for message in messages:
        content = message["content"]
        if not isinstance(content, str):
            picture = base64.b64decode(content[1]["image_url"]["url"].partition(",")[2])
            content = content[0]["text"]
        parts.append(f"{message['role']}: {content}")
    return "\n\n".join(parts), picture

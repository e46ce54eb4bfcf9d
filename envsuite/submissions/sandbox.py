"""Plays strangers' networks in a process of their own that can do nothing else; see `envsuite.submissions.jail`."""

import json
import os
import re
import selectors
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.agents.sensed import word_forms
from envsuite.core.companions import Words, companion
from envsuite.core.kernel_cache import cache_roots
from envsuite.core.layout import Vector
from envsuite.core.world import World, lead_shape
from envsuite.submissions.jail import MAX_HEADER, message
from envsuite.submissions.refusal import Kind, RefusedError

MEMORY = 1 << 30
"""Bytes of address space for the network, beyond those of the interpreter."""

SECONDS = 20.0
"""Wall-clock time for one answer."""

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""All of the environment that the process gets, beside the place of compiled kernels: no library may start threads,
because a process with threads cannot leave the network."""

_ROWS = 1 << 15  # asked at once: all situations of a game may be more than can be answered in time
_START_SECONDS = 300.0  # the first start on a machine compiles kernels
_BOOT = (  # the verifier's own envsuite, after the standard library and before any that is installed
    "import sys; sys.path.insert(next((k for k, one in enumerate(sys.path) if one.endswith('-packages')), "
    "len(sys.path)), sys.argv[1]); from envsuite.submissions.jail import main; main()"
)
_KINDS: tuple[Kind, ...] = ("policy", "output", "memory", "crash")
_DTYPES = {"<f4", "<f8", "<i8", "|u1", "<i4"}


@dataclass(frozen=True)
class Network:
    """What the sandbox says of a network.

    Attributes:
        parameters: number of weights.
        digest: `envsuite.agents.onnx.digest.network_digest`.
        row: shape of an observation that it takes.
    """

    parameters: int
    digest: str
    row: tuple[int, ...]


class Sandbox:
    """A process that plays networks, one after another.

    Args:
        memory: bytes that it may take.
        processor_seconds: processor time that it may use in all.
        seconds: wall-clock time for one answer.
        filter_calls: set up the filter of system calls, too.

    Attributes:
        guards: what keeps the networks in.
        network: that was loaded last; None at first.

    Raises:
        RefusedError: it did not start.
    """

    def __init__(
        self,
        *,
        memory: int = MEMORY,
        processor_seconds: int = 3600,
        seconds: float = SECONDS,
        filter_calls: bool = True,
    ):
        self._seconds = seconds
        self.network: Network | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="envsuite-sandbox-")
        cache = next((root for root in cache_roots() if root.is_dir()), cache_roots()[0])  # of compiled kernels
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _BOOT, str(Path(envsuite.__file__).parents[1])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env={"ENVSUITE_CACHE_DIR": str(cache.parent), **ENVIRONMENT},
            close_fds=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._into, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._into, False)
        os.set_blocking(self._out, False)
        settings = {"memory": memory, "seconds": processor_seconds, "filter": filter_calls}
        hello, _ = self._ask(settings, seconds=_START_SECONDS)
        self.guards: list[str] = [one for one in hello.get("hello", []) if isinstance(one, str)]

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe and not pipe.closed:
                pipe.close()
        self._folder.cleanup()

    def load(self, graph: bytes, interface: str) -> "Network":
        """Load a network in place of the one before.

        Args:
            graph: content of the ``.onnx`` file.
            interface: content of the ``.json`` file.

        Raises:
            RefusedError: it is not allowed.
        """
        answer, _ = self._ask({"do": "load", "graph": len(graph)}, graph + interface.encode())
        parameters, digest, row = answer.get("parameters"), answer.get("digest"), answer.get("row")
        if type(parameters) is not int or type(digest) is not str or not re.fullmatch("[0-9a-f]{64}", digest):
            raise RefusedError("output", "an answer without the number of weights or the network's digest")
        if type(row) is not list or len(row) > 8 or not all(type(size) is int for size in row):
            raise RefusedError("output", "an answer without the shape of observations")
        self.network = Network(parameters, digest, tuple(row))
        return self.network

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        body = np.asarray(mask, np.bool_).tobytes() + np.asarray(seeds, np.int64).tobytes()
        self._ask({"do": "reset", "slots": len(mask)}, body)

    def act(self, observations: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Actions for observations.

        Args:
            observations: (n, [a,] *O).
            shape: that the actions must have.

        Raises:
            RefusedError: no answer in time, the end of the process, or an answer of another form.
        """
        return self._array("act", "actions", observations, shape)

    def probabilities(self, observations: np.ndarray, choices: int) -> np.ndarray:
        """Of each choice; checked for their shape and for being finite only.

        Args:
            observations: (m, *O) of one agent each.
            choices: that there are.

        Raises:
            RefusedError: see `act`; or the network makes no choices, or has a memory.
        """
        return self._array("probabilities", "probabilities", observations, (len(observations), choices))

    def _array(self, do: str, what: str, observations: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """What the network answers, of a given shape."""
        array = np.ascontiguousarray(observations)
        question = {"do": do, "dtype": array.dtype.str, "shape": array.shape}
        answer, body = self._ask(question, array.tobytes(), limit=8 * int(np.prod(shape)))
        dtype, found = answer.get("dtype"), answer.get("shape")
        known = isinstance(dtype, str) and dtype in _DTYPES
        if not known or found != list(shape) or len(body) != int(np.prod(shape)) * np.dtype(dtype).itemsize:
            raise RefusedError("output", f"{what} are {str(dtype)[:20]} {str(found)[:60]}, expected shape {shape}")
        values = np.frombuffer(body, dtype).reshape(shape)
        if not np.isfinite(values).all():
            raise RefusedError("output", f"one of the {what} is not finite")
        return values

    def _ask(
        self, header: dict[str, Any], body: bytes = b"", *, seconds: float | None = None, limit: int = 0
    ) -> tuple[dict[str, Any], bytes]:
        """Send a message and wait for the answer, whose body may have at most `limit` bytes."""
        deadline = time.monotonic() + (self._seconds if seconds is None else seconds)
        try:
            self._send(memoryview(message(header, body)), deadline)
            size = struct.unpack("<I", self._receive(4, deadline))[0]
            if size > MAX_HEADER:
                raise RefusedError("output", f"an answer with a head of {size} bytes")
            answer = json.loads(self._receive(size, deadline))
            count = answer["bytes"]
            if type(count) is not int or not 0 <= count <= limit:
                raise RefusedError("output", f"an answer of {str(count)[:30]} bytes, expected at most {limit}")
            content = self._receive(count, deadline)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            self.close()
            if isinstance(error, RefusedError):
                raise
            raise RefusedError("output", f"an answer that is no message: {type(error).__name__}") from error
        if "refused" in answer:
            kind = next((kind for kind in _KINDS if kind == answer["refused"]), "crash")
            raise RefusedError(kind, str(answer.get("reason", ""))[:500])
        return answer, content

    def _send(self, rest: memoryview, deadline: float) -> None:
        while rest:
            self._wait(self._into, selectors.EVENT_WRITE, deadline)
            try:
                rest = rest[os.write(self._into, rest) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                return  # it has ended; its last words may be waiting

    def _receive(self, size: int, deadline: float) -> bytes:
        content = bytearray()
        while len(content) < size:
            self._wait(self._out, selectors.EVENT_READ, deadline)
            part = os.read(self._out, min(size - len(content), 1 << 20))
            if not part:
                self._ended()
            content += part
        return bytes(content)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                self.close()
                raise RefusedError("time", f"no answer within {self._seconds:g} s")

    def _ended(self) -> None:
        """The process has ended by itself: say how."""
        code = self._process.wait()
        self.close()
        if code == -getattr(signal, "SIGXCPU", 0):
            raise RefusedError("time", "more processor time than allowed")
        what = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        raise RefusedError("crash", f"the process ended with {what}")


class SandboxPolicy:
    """A network in a sandbox as a player; one that was trained on words is given those of the state.

    Args:
        sandbox: where it runs; the network is loaded there.
        world: whose actions it must give.
        slots: of the batch.
    """

    def __init__(self, sandbox: Sandbox, world: World, slots: int):
        self._sandbox = sandbox
        self._shape = lead_shape(world, slots) + world.action.shape
        self._choices = int(world.action.high.sum() + world.action.high.size)
        self._kinds = "f" if isinstance(world.action, Vector) else "iu"
        row = sandbox.network.row if sandbox.network else ()
        self._reads = row != world.observation.shape and row in word_forms(world).values()
        self._words, self._row = companion(world, Words), row

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self._sandbox.reset(mask, seeds)

    def probabilities(self, observations: np.ndarray) -> np.ndarray:
        """Of each choice, see `envsuite.agents.policy.Policy`.

        Raises:
            RefusedError: see `Sandbox.probabilities`.
        """
        parts = [observations[k : k + _ROWS] for k in range(0, len(observations), _ROWS)]
        return np.concatenate([self._sandbox.probabilities(part, self._choices) for part in parts])

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions for observations, or for words; states are not passed on.

        Raises:
            RefusedError: see `Sandbox.act`.
        """
        if self._reads:
            observations = np.empty((len(states), *self._row), np.int32)
            self._words.write_tokens(states, observations)
        actions = self._sandbox.act(observations, self._shape)
        if actions.dtype.kind not in self._kinds:
            raise RefusedError("output", f"actions are {actions.dtype}, the environment takes another kind")
        return actions

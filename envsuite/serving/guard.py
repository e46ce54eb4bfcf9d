"""What keeps a server upright among clients of all kinds: limits, tokens, and who may speak to it from a browser."""

import asyncio
import hmac
import ipaddress
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

_LOCAL = {"localhost", "ip6-localhost"}


@dataclass(frozen=True)
class Limits:
    """What clients may take.

    Attributes:
        sessions: open at once, over all environments.
        connections: open at once; more are cut off as they come.
        message_bytes: of one message or body.
        rate: messages a second of one connection, after which it has to wait; 0 for no limit. Twice as many may come
            at once.
        idle_seconds: after which a session that asks nothing is closed.
        keep_seconds: that a session waits for its client to come back, when its connection has ended.
        patience_seconds: for a request to arrive whole, and for a client to read its answer.

    Raises:
        ValueError: a number out of range.
    """

    sessions: int = 1000
    connections: int = 4000
    message_bytes: int = 1 << 20
    rate: float = 0.0
    idle_seconds: float = 1800.0
    keep_seconds: float = 60.0
    patience_seconds: float = 20.0

    def __post_init__(self):
        least = {"sessions": 1, "connections": 1, "message_bytes": 1024, "rate": 0}
        for name, bound in least.items():
            if not bound <= getattr(self, name) < math.inf:  # nan neither
                raise ValueError(f"{name} is {getattr(self, name)}, expected a number of at least {bound}")
        for name in ("idle_seconds", "keep_seconds", "patience_seconds"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)}, expected a number above 0")


class Pace:
    """Lets so many messages a second through, and makes the others wait.

    Args:
        rate: messages a second; 0 for all.
    """

    def __init__(self, rate: float):
        self._rate, self._left, self._then = rate, 2 * rate, time.monotonic()

    async def wait(self) -> None:
        """Return when the next message may be answered."""
        if not self._rate:
            return
        now = time.monotonic()
        self._left = min(2 * self._rate, self._left + (now - self._then) * self._rate) - 1
        self._then = now
        if self._left < 0:
            await asyncio.sleep(-self._left / self._rate)


class Usher(asyncio.Protocol):
    """Meets a connection: hands it to the server's own protocol, or cuts it off where it is one too many.

    Args:
        guard: knows how many there are.
    """

    def __init__(self, guard: "Guard"):
        self._guard = guard

    def connection_made(self, transport: Any) -> None:
        """Hand it on or cut it off."""
        handler = self._guard.admit()
        if handler is None:
            transport.abort()
        else:
            transport.set_protocol(handler)
            handler.connection_made(transport)


class Guard:
    """Makes the protocols of a server's connections, and ends those that keep it waiting.

    Args:
        server: of aiohttp.
        limits: what clients may take.
    """

    def __init__(self, server: web.Server, limits: Limits):
        self._server, self._limits = server, limits
        self._since: dict[Any, float] = {}  # connections that no request is on, and from when
        self._paces: dict[Any, Pace] = {}

    def __call__(self) -> asyncio.Protocol:
        """What meets a new connection."""
        return Usher(self)

    def admit(self) -> Any:
        """The server's protocol for a new connection; None where there are too many."""
        if len(self._server.connections) >= self._limits.connections:
            return None
        handler = self._server()
        self._since[handler] = time.monotonic()
        return handler

    def pace(self, request: web.BaseRequest) -> Pace:
        """The pace of a connection, the same for all its requests."""
        return self._paces.setdefault(request.protocol, Pace(self._limits.rate))

    async def attend(self, request: web.BaseRequest, handle: Callable[[], Awaitable[web.StreamResponse]]) -> Any:
        """Answer a request while its connection counts as busy."""
        self._since.pop(request.protocol, None)
        try:
            return await handle()
        finally:
            self._since[request.protocol] = time.monotonic()

    def sweep(self) -> None:
        """Close connections on which no request has come for too long."""
        there, now = set(self._server.connections), time.monotonic()
        for protocol, since in list(self._since.items()):
            if now - since > self._limits.patience_seconds:
                if protocol in there:
                    protocol.force_close()
                del self._since[protocol]
        for protocol in self._paces.keys() - there:
            del self._paces[protocol]


class Gate:
    """Says who may come in.

    A browser's page of another origin may not (it would carry a person's own access to this machine), nor may a name
    that leads to this machine by a trick of DNS, where only this machine is served and no token is needed.

    Args:
        tokens: any of them opens the gate; empty for no tokens.
        host: address that is listened at.
    """

    def __init__(self, tokens: tuple[str, ...], host: str):
        self._tokens, self._local = tuple(one.encode() for one in tokens), is_local(host)

    def refusal(self, request: web.BaseRequest) -> tuple[int, str] | None:
        """HTTP status and reason for sending a request away; None where it may come in."""
        host = _hostname(request.headers.get("Host", ""))
        if self._local and not self._tokens and not is_local(host):
            return 403, "this server answers to names of its own machine only"
        origin = request.headers.get("Origin")
        if origin is not None and _hostname(urlsplit(origin).netloc if "://" in origin else "") != host:
            return 403, "pages of another origin may not use this server"
        if self._tokens and request.path != "/health":
            kind, _, given = request.headers.get("Authorization", "").partition(" ")
            known = [hmac.compare_digest(given.strip().encode("utf-8", "replace"), one) for one in self._tokens]
            if kind.lower() != "bearer" or not any(known):
                return 401, "a bearer token is needed, and this is none"
        return None


def _hostname(netloc: str) -> str:
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def is_local(host: str) -> bool:
    """Whether a name or address means this machine alone."""
    try:
        return host in _LOCAL or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

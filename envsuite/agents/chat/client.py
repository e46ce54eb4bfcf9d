"""One chat completion: a request, bounded in time and size, and an answer whose every field is checked."""

import asyncio
import ipaddress
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from envsuite.agents.chat.completion import Completion, Usage
from envsuite.agents.chat.secret import Key

LARGEST = 8 << 20
"""Bytes of a response, unpacked; more is refused."""

_SHOWN = 300  # characters of a response that an error message quotes
_RETRIED = frozenset({408, 409, 425, 429})
_FATAL = frozenset({401, 403, 404})
_RESERVED = frozenset({"model", "messages", "n", "stream", "response_format"})
_MOST_TOKENS = 10**12


class CallError(Exception):
    """A call that gave no answer.

    Attributes:
        kind: ``"timeout"``, ``"connection"``, ``"status"``, ``"content_type"``, ``"malformed"`` or ``"overlong"``.
        status: of the HTTP response, 0 without one.
        again: another try may help.
        fatal: no call to this endpoint will succeed.
        wait: seconds that the endpoint asks to wait, None where it asks for none.
    """

    def __init__(
        self,
        kind: str,
        reason: str,
        *,
        status: int = 0,
        again: bool = True,
        fatal: bool = False,
        wait: float | None = None,
    ):
        super().__init__(reason)
        self.kind, self.status, self.again, self.fatal, self.wait = kind, status, again, fatal, wait


@dataclass(frozen=True)
class Endpoint:
    """Where a model is asked, and how.

    Attributes:
        base_url: up to and without ``/chat/completions``.
        model: its name there.
        key: None where the endpoint needs none.
        parameters: further fields of the request, such as ``temperature``.
        response_format: the request's field of that name, None for free text.
        timeout: s, for the whole call.
        insecure: let a key travel unencrypted to another machine.

    Raises:
        ValueError: an address that is not plain, a key that would travel unencrypted, or a parameter that is set
            otherwise.
    """

    base_url: str
    model: str
    key: Key | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    response_format: Mapping[str, Any] | None = None
    timeout: float = 120.0
    insecure: bool = False

    def __post_init__(self):
        check_url(self.base_url)
        if self.key is not None and not self.insecure and not _private(self.base_url):
            raise ValueError(f"the key would travel unencrypted to {self.base_url}; use https, or allow it expressly")
        if taken := sorted(_RESERVED & set(self.parameters)):
            raise ValueError(f"parameter {taken[0]!r} is not free; the runner sets {', '.join(sorted(_RESERVED))}")

    def hide(self, value: Any) -> Any:
        """See `Key.hide`; what came without a key needs no hiding."""
        return value if self.key is None else self.key.hide(value)

    def client(self, connections: int) -> httpx.AsyncClient:
        """A pool of connections.

        Args:
            connections: at most so many at once.
        """
        headers = self.key.header() if self.key else {}
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        # Another host must never see the key: no redirects.
        return httpx.AsyncClient(headers=headers, timeout=self.timeout, limits=limits, follow_redirects=False)

    async def complete(self, client: httpx.AsyncClient, messages: list[dict[str, Any]]) -> Completion:
        """Ask once.

        Args:
            client: from `client`.
            messages: of the conversation, as the protocol has them.

        Raises:
            CallError: no answer came; its message does not contain the key.
        """
        body = {**self.parameters, "model": self.model, "messages": messages}
        if self.response_format is not None:
            body["response_format"] = dict(self.response_format)
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        start = time.monotonic()
        try:
            async with asyncio.timeout(self.timeout), client.stream("POST", url, json=body) as response:
                content = await _read(response)
        except (TimeoutError, httpx.TimeoutException):
            raise CallError("timeout", f"no whole answer within {self.timeout:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise CallError("connection", self.hide(f"{type(error).__name__}: {error}")) from None
        seconds = time.monotonic() - start
        if not response.is_success:
            raise self._bad_status(response, content)
        kind = response.headers.get("content-type", "")
        if "json" not in kind.lower():
            raise CallError("content_type", self.hide(f"the answer is {kind or 'of no stated type'!r}, expected JSON"))
        return self._read_answer(content, seconds)

    def _quote(self, content: bytes) -> str:
        # Hidden before it is cut: half a key is a leak, too.
        return " ".join(self.hide(content.decode(errors="replace")).split())[:_SHOWN]

    def _bad_status(self, response: httpx.Response, content: bytes) -> CallError:
        status, quoted = response.status_code, self._quote(content)
        broke = status == 429 and b"insufficient_quota" in content
        fatal = status in _FATAL or broke
        return CallError(
            "status",
            f"HTTP {status}: {quoted}",
            status=status,
            again=not fatal and (status in _RETRIED or status >= 500),
            fatal=fatal,
            wait=_retry_after(response.headers.get("retry-after")),
        )

    def _read_answer(self, content: bytes, seconds: float) -> Completion:
        try:
            data = json.loads(content)
            choice = data["choices"][0]
            message = choice["message"]
            text = _text(message.get("content"))
            declined = message.get("refusal")
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            quoted = self._quote(content) or "nothing"
            raise CallError("malformed", f"no chat completion: {quoted}") from None
        reason = choice.get("finish_reason")
        refused = bool(declined) or reason == "content_filter"
        clean = (str(one or "").encode(errors="replace").decode() for one in (text or declined, data.get("model")))
        text, model = (self.hide(one) for one in clean)
        return Completion(
            text=text,
            refused=refused,
            cut=reason == "length",
            usage=_usage(data.get("usage")),
            model=model,
            fingerprint=self.hide(str(data.get("system_fingerprint") or "")),
            seconds=round(seconds, 4),
        )


def check_url(url: str) -> None:
    """Refuse addresses that hide a password, or to which no path can be added.

    Args:
        url: base address of an endpoint.

    Raises:
        ValueError: it is such a one; the message does not repeat passwords.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        raise ValueError(f"the base URL cannot be read: {error}") from None
    if parts.username or parts.password or "@" in parts.netloc:
        raise ValueError("the base URL holds a user or password; keys come from an environment variable")
    if parts.query or parts.fragment:
        raise ValueError("the base URL holds a query or fragment; give it up to the path, such as http://host:8000/v1")
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(f"the base URL is {url!r}, expected one such as https://host/v1")


def _private(url: str) -> bool:
    """Whether nobody else can listen: encrypted, or this machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "https" or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _read(response: httpx.Response) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > LARGEST:
            raise CallError("overlong", f"the response is longer than {LARGEST} bytes", status=response.status_code)
    return bytes(content)


def _text(content: Any) -> str:
    """The text of a message, which is a text, nothing, or a list of parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")


def _usage(data: Any) -> Usage | None:
    """Token counts; None unless both totals are there and make sense."""
    if not isinstance(data, dict):
        return None

    def count(source: Any, name: str) -> int | None:
        value = source.get(name) if isinstance(source, dict) else None
        whole = isinstance(value, int) and not isinstance(value, bool)
        return value if whole and 0 <= value <= _MOST_TOKENS else None

    prompt, completion = count(data, "prompt_tokens"), count(data, "completion_tokens")
    if prompt is None or completion is None:
        return None
    cached = count(data.get("prompt_tokens_details"), "cached_tokens") or 0
    reasoning = count(data.get("completion_tokens_details"), "reasoning_tokens") or 0
    return Usage(prompt, min(cached, prompt), completion, min(reasoning, completion))


def _retry_after(text: str | None) -> float | None:
    """Seconds to wait, from a header that holds seconds or a date (RFC 9110, section 10.2.3)."""
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if seconds == seconds else None

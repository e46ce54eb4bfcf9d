"""A client's connection: one session of a server, found again when the connection breaks."""

import contextlib
import secrets
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlencode

import msgspec
import websocket

_TRIES = 3


class Link:
    """One session.

    A request whose answer was lost is not made twice: the session tells how far it is, and its last reply.

    Args:
        url: of the environment, such as ``http://127.0.0.1:8000/QuadHover``.
        token: bearer token, where the server wants one.
        timeout: for an answer, s.

    Attributes:
        declaration: of the environment, see `envsuite.serving.forms.declaration`.

    Raises:
        ConnectionError: nothing answers there, or not as a server of environments.
        PermissionError: the token is missing or wrong.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0):
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url is {url!r}, expected one that begins with http:// or https://")
        self.url, self._timeout = url.rstrip("/"), timeout
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._socket: websocket.WebSocket | None = None
        metadata = self._http("/metadata")
        if not isinstance(metadata.get("envsuite"), dict):
            raise ConnectionError(f"{self.url} is no environment of envsuite: its metadata do not say how it is made")
        self.declaration: dict[str, Any] = metadata["envsuite"]
        self._session = self._rpc("openenv/session/create")["session_id"]
        self._episode, self._steps = "", 0

    def _http(self, path: str, body: Any = None) -> dict[str, Any]:
        data = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(self.url + path, data, self._headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                return msgspec.json.decode(response.read())
        except urllib.error.HTTPError as error:
            kind = PermissionError if error.code in (401, 403) else ConnectionError
            with error:
                raise kind(f"{self.url}{path}: {error.code} {_detail(error.read())}") from None
        except (OSError, msgspec.DecodeError) as error:
            raise ConnectionError(f"{self.url}{path}: {error}") from error

    def _rpc(self, method: str, **params: Any) -> Any:
        reply = self._http("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        if "error" in reply:
            raise ConnectionError(f"{self.url}: {reply['error']['message']}")
        return reply["result"]

    def send(self, message: dict[str, Any]) -> None:
        """Send a request; `receive` gives the answer. Several links may so be under way at once."""
        if message["type"] == "reset":
            self._episode, self._steps = secrets.token_hex(8), 0
            message = {**message, "data": {**message["data"], "episode_id": self._episode}}
        elif message["type"] == "step":
            self._steps += 1
        self._message = message
        try:
            self._write(message)
        except (OSError, websocket.WebSocketException):
            self._drop()  # `receive` connects anew

    def receive(self) -> dict[str, Any]:
        """The answer to the request that was sent last.

        Raises:
            ValueError: the request was refused.
            RuntimeError: it could not be done.
            ConnectionError: the server is gone, or has forgotten the session.
            TimeoutError: no answer came in time.
        """
        for attempt in range(_TRIES):
            try:
                return self._read() if self._socket else self._again()
            except websocket.WebSocketTimeoutException:
                self._drop()
                raise TimeoutError(f"{self.url}: no answer within {self._timeout:g} s") from None
            except (OSError, websocket.WebSocketException) as error:
                self._drop()
                if attempt == _TRIES - 1:
                    raise ConnectionError(f"{self.url}: {error}") from error
        raise AssertionError("not reached")

    def _again(self) -> dict[str, Any]:
        """Connect anew; the answer that was lost, or that to the same request made again."""
        self._write({"type": "state"})
        state = self._read()
        done = state["episode_id"] == self._episode and state["step_count"] == self._steps
        if done and state["last"] is not None and self._message["type"] in ("reset", "step"):
            return state["last"]
        self._write(self._message)
        return self._read()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer; see `receive`."""
        self.send(message)
        return self.receive()

    def _write(self, message: dict[str, Any]) -> None:
        if self._socket is None:
            query = urlencode({"session_id": self._session})
            header = [f"{name}: {value}" for name, value in self._headers.items()]
            self._socket = websocket.create_connection(
                f"ws{self.url.removeprefix('http')}/ws?{query}",
                timeout=self._timeout,
                header=header,
                suppress_origin=True,
                skip_utf8_validation=True,
            )
        self._socket.send(msgspec.json.encode(message).decode())

    def _read(self) -> dict[str, Any]:
        assert self._socket is not None
        text = self._socket.recv()
        if not text:
            raise websocket.WebSocketConnectionClosedException("the server closed the connection")
        reply = msgspec.json.decode(text)
        if reply["type"] != "error":
            return reply["data"]
        code, message = reply["data"]["code"], reply["data"]["message"]
        if code == "SESSION_ERROR":
            self._drop()
            raise ConnectionResetError(message)
        if self._message["type"] == "step":
            self._steps -= 1
        if code in ("VALIDATION_ERROR", "INVALID_JSON"):
            raise ValueError(message)
        raise RuntimeError(message)

    def describe(self) -> Any:
        """The situation in words: a text, or one for each agent by name."""
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "observe"}}
        return self.ask({"type": "mcp", "data": call})["result"]["data"]["text"]

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.shutdown()
            self._socket = None

    def close(self) -> None:
        """End the session."""
        if self._session:
            self._drop()
            session, self._session = self._session, ""
            with contextlib.suppress(ConnectionError):  # a server that is gone has taken the session along
                self._rpc("openenv/session/close", session_id=session)


def _detail(body: bytes) -> str:
    try:
        return str(msgspec.json.decode(body)["detail"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return body[:200].decode("utf-8", "replace")

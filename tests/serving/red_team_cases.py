"""What a hostile client might try against the server: each case knows what must be answered.

After each of them an episode of somebody else goes on as if nothing had happened, no session is left behind, and the
server says that it is healthy. ``python -m tests.serving.red_team_cases`` tries them all and prints their section of
``docs/red-team.md``.
"""

import contextlib
import dataclasses
import gzip
import http.client
import json
import os
import socket
import struct
import textwrap
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import numpy as np
import websocket

import envsuite
from envsuite.serving.client import RemoteEnv
from envsuite.serving.guard import Limits

from .running import running

LIMITS = Limits(
    sessions=8, connections=48, message_bytes=1 << 16, idle_seconds=60, keep_seconds=0.5, patience_seconds=1.0
)
TOKEN = "a-token-of-the-tests-alone"
ENV = "QuadHover"


@dataclasses.dataclass(frozen=True)
class Case:
    """One attempt.

    Attributes:
        title: what was tried.
        attack: does it, and gives what was answered.
        match: pattern of the answer.
        shown: on the page, in place of an answer that depends on who is quicker.
    """

    title: str
    attack: Callable[["Target"], str]
    match: str
    shown: str = ""


CASES: list[Case] = []


def case(title: str, match: str):
    def declare(attack):
        CASES.append(Case(title, attack, match))
        return attack

    return declare


class Target:
    """A server under attack, and somebody who plays on it meanwhile.

    Attributes:
        server: that plays `ENV`.
        guarded: another one, which asks for a token and lets 50 messages a second through.
    """

    def __init__(self, server, guarded):
        self.server, self.guarded = server, guarded
        self.host, self.port = urlsplit(server.url).hostname, urlsplit(server.url).port
        self._remote, self._local = RemoteEnv(f"{server.url}/{ENV}"), envsuite.make(ENV)
        self._fresh = True
        self._draw = np.random.default_rng(0)

    def witness(self):
        """The other player's episode is that of a single environment, no session is left, and the server is healthy."""
        if self._fresh:
            assert self._remote.reset(seed=1)[0].tobytes() == self._local.reset(seed=1)[0].tobytes()
        action = self._draw.uniform(-0.2, 0.2, 4).astype(np.float32)
        here, there = self._remote.step(action), self._local.step(action)
        assert here[0].tobytes() == there[0].tobytes()
        assert here[1:4] == there[1:4]
        self._fresh = bool(here[2] or here[3])
        deadline = time.monotonic() + 20
        while self.sessions() > 1 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert self.sessions() == 1, "a session was left behind"
        assert self.http("GET", "/health") == (200, {"status": "healthy"})

    def sessions(self) -> int:
        return sum(len(table.sessions) for table in self.server._ready())

    def close(self):
        self._remote.close()

    def http(self, method, path, body=None, headers=None, server=None):
        place = urlsplit((server or self.server).url)
        link = http.client.HTTPConnection(place.hostname, place.port, timeout=10)
        try:
            link.request(method, path, body, headers or {})
            reply = link.getresponse()
            return reply.status, json.loads(reply.read() or b"null")
        finally:
            link.close()

    def raw(self, data: bytes, wait: float = 5.0) -> bytes:
        """Send bytes, and read until the server closes or says nothing more."""
        with socket.create_connection((self.host, self.port), timeout=wait) as link:
            with contextlib.suppress(ConnectionError):
                link.sendall(data)
            return received(link)

    def socket(self, **settings) -> websocket.WebSocket:
        return websocket.create_connection(f"ws://{self.host}:{self.port}/{ENV}/ws", timeout=10, **settings)

    def says(self, *messages) -> str:
        """The answer to the last of some messages of a WebSocket."""
        link = self.socket()
        try:
            for message in messages:
                link.send(message if isinstance(message, str) else json.dumps(message))
                reply = json.loads(link.recv())
        finally:
            link.shutdown()
        if reply["type"] == "error":
            return f"{reply['data']['code']}: {reply['data']['message']}"
        return reply["type"]

    def act(self, action) -> str:
        return self.says(RESET, {"type": "step", "data": {"action": action}})


RESET = {"type": "reset", "data": {"seed": 0}}


def received(link: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError, TimeoutError):
        while chunk := link.recv(65536):
            found += chunk
    return found


def frame(opcode: int, payload: bytes, *, fin: bool = True, rsv: int = 0, masked: bool = True) -> bytes:
    """A WebSocket frame, well-formed or not."""
    size = len(payload)
    mark = 0x80 if masked else 0
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    if size < 126:
        head += bytes([mark | size])
    elif size < 65536:
        head += bytes([mark | 126]) + struct.pack(">H", size)
    else:
        head += bytes([mark | 127]) + struct.pack(">Q", size)
    return head + (b"\0\0\0\0" if masked else b"") + payload


def closed(link: websocket.WebSocket) -> str:
    """How the server closes a connection."""
    with contextlib.suppress(ConnectionError, websocket.WebSocketException):
        while True:
            opcode, data = link.recv_data(control_frame=True)
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                told = data[2:].decode("utf-8", "replace")
                told = f": {told}" if told else ""
                return f"closed with code {struct.unpack('>H', data[:2])[0]}{told}"
    return "cut off"


def frames(title: str, match: str, *pieces: bytes):
    """A case of frames. Where more was sent than is read, the system may drop the words of the farewell."""

    def attack(target):
        link = target.socket()
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                link.sock.sendall(piece)
        try:
            return closed(link)
        finally:
            link.shutdown()

    CASES.append(Case(title, attack, f"{match}|cut off", shown=match))


def message(title: str, match: str, *messages):
    """A case of messages."""
    CASES.append(Case(title, lambda target: target.says(*messages), match))


def action(title: str, match: str, value):
    """A case of an action."""
    CASES.append(Case(title, lambda target: target.act(value), match))


def path(title: str, match: str, text: str, method: str = "GET", **headers: str):
    """A case of an HTTP request, whose path is sent as it stands."""
    lines = [f"{method} {text} HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    data = "\r\n".join([*lines, "", ""]).encode("latin-1")
    CASES.append(Case(title, lambda target: status(target.raw(data)), match))


def status(reply: bytes) -> str:
    """Status and detail of an HTTP answer."""
    head, _, body = reply.partition(b"\r\n\r\n")
    number = head.split(b" ", 2)[1].decode() if head.startswith(b"HTTP/") else "cut off"
    try:
        return f"{number}: {json.loads(body)['detail']}"
    except (ValueError, KeyError, TypeError):
        return number


# --- messages -------------------------------------------------------------------------------------------------------

message("a message that is not JSON", "INVALID_JSON", "reset please")
message("JSON in 30,000 brackets", "INVALID_JSON: .*nested too deeply", "[" * 30_000)
message("a key twice in one object", "INVALID_JSON: .*'type' stands there twice", '{"type": "reset", "type": "step"}')
message("a list for a message", "VALIDATION_ERROR: the message is a list", [1])
message("a type nobody knows", "UNKNOWN_TYPE: unknown type 'exec'", {"type": "exec", "data": {}})
message("a type that is a list", "UNKNOWN_TYPE", {"type": [["reset"]]})
message("data that are a text", "VALIDATION_ERROR: data is a text", {"type": "reset", "data": "seed"})
message("a field nobody knows", "VALIDATION_ERROR: unknown field 'path'", {"type": "reset", "data": {"path": "/etc"}})
message("a seed of -1", "VALIDATION_ERROR: seed is '-1'", {"type": "reset", "data": {"seed": -1}})
message(
    "a seed of 2**64", "VALIDATION_ERROR: seed is '18446744073709551616'", {"type": "reset", "data": {"seed": 2**64}}
)
message("a seed that is a truth value", "VALIDATION_ERROR: seed is 'True'", {"type": "reset", "data": {"seed": True}})
message("a seed of 1e999", "VALIDATION_ERROR: seed is 'inf'", '{"type": "reset", "data": {"seed": 1e999}}')
message(
    "an episode's name of 10,000 letters",
    "VALIDATION_ERROR: episode_id is 'a+'",
    {"type": "reset", "data": {"episode_id": "a" * 10_000}},
)
message(
    "an episode's name that no encoding can hold",
    "VALIDATION_ERROR: episode_id",
    '{"type": "reset", "data": {"episode_id": "\\ud800"}}',
)
message("a step before any reset", "EXECUTION_ERROR: .* reset before", {"type": "step", "data": {"action": [0] * 4}})
message("an action and a text at once", "not both", RESET, {"type": "step", "data": {"action": [0] * 4, "text": "up"}})
action("NaN for an action", "INVALID_JSON: .*NaN is not a number", float("nan"))
CASES.append(
    Case(
        "1e999 for an action",
        lambda target: target.says(RESET, '{"type": "step", "data": {"action": [1e999, 0, 0, 0]}}'),
        "VALIDATION_ERROR: action inf at index .* is invalid",
    )
)
CASES.append(
    Case(
        "a number of 5,000 digits for an action",
        lambda target: target.says(RESET, '{"type": "step", "data": {"action": [' + "9" * 5000 + ", 0, 0, 0]}}"),
        "INVALID_JSON",
    )
)
action("a number of 4,000 digits for an action", "VALIDATION_ERROR: actions have type object", [10**3999, 0, 0, 0])
action("three numbers where four motors wait", r"VALIDATION_ERROR: actions have shape \(3,\)", [0, 0, 0])
action("10,000 numbers where four motors wait", r"VALIDATION_ERROR: actions have shape \(10000,\)", [0] * 10_000)
action("lists of different lengths for an action", "VALIDATION_ERROR", [[0], [0, 0], 0, 0])
action("32 lists in each other for an action", "VALIDATION_ERROR", json.loads("[" * 32 + "0" + "]" * 32))
action("100 lists in each other for an action", "VALIDATION_ERROR", json.loads("[" * 100 + "0" + "]" * 100))
action("texts for numbers", "VALIDATION_ERROR: actions have type <U1", ["0", "0", "0", "0"])
action("null for an action", "VALIDATION_ERROR", None)
action("an object for an action", "VALIDATION_ERROR", {"__class__": "os.system"})
message("words of 60,000 brackets", "expected at most 8192", RESET, {"type": "step", "data": {"text": "[" * 60_000}})
message("words of 8,000 digits", "VALIDATION_ERROR", RESET, {"type": "step", "data": {"text": "1" * 8_000}})
message("words of 4,000 numbers", "VALIDATION_ERROR", RESET, {"type": "step", "data": {"text": "1 " * 4_000}})
message("words of 1,500 objects in each other", "unreadable", RESET, {"type": "step", "data": {"text": '{"a":' * 1500}})
message(
    "words that no encoding can hold", "VALIDATION_ERROR", RESET, '{"type": "step", "data": {"text": "\\udfff\\ud800"}}'
)
message(
    "words that are a list", "VALIDATION_ERROR: .*expected a text", RESET, {"type": "step", "data": {"text": ["up"]}}
)

# --- frames ---------------------------------------------------------------------------------------------------------

frames("a frame of bytes", "closed with code 1003: text only", frame(2, b"\x80\x04\x95"))
frames("a message of 100 kB where 64 are allowed", "closed with code 1009", frame(1, b" " * 100_000))
frames(
    "100,000 fragments of one byte",
    "closed with code 1009",
    frame(1, b" ", fin=False),
    frame(0, b" ", fin=False) * 100_000,
)
frames(
    "a frame that says it has 2**62 bytes", "closed with code 1009", b"\x81\xff" + struct.pack(">Q", 2**62) + b"\0" * 4
)
frames("a text that is not UTF-8", "closed with code 1007", frame(1, b"\xff\xfe"))
frames("a packed frame, which nobody agreed on", "closed with code 1002", frame(1, b"{}", rsv=4))
frames("a kind of frame that does not exist", "closed with code 1002", frame(5, b"{}"))
frames("a ping of 1,000 bytes", "closed with code 1002", frame(9, b" " * 1000))
frames("a fragment of nothing", "closed with code 1002", frame(0, b"x"))
frames("garbage in place of frames", "closed with code 1002", b"\x00\x01GET / HTTP/1.1\r\n\r\n" * 10)

# --- floods and dawdlers --------------------------------------------------------------------------------------------


@case("20,000 pings, and nobody reads the answers", "cut off|sending blocks")
def _pings(target):
    link = target.socket()
    link.sock.settimeout(2.0)
    try:
        for _ in range(200):
            link.sock.sendall(frame(9, b" " * 100) * 100)
    except (ConnectionError, TimeoutError):
        return "sending blocks: the server takes no more than it can answer"
    finally:
        link.shutdown()
    return "sending blocks: the server takes no more than it can answer"


@case("50,000 requests at once, and nobody reads the answers", "cut off")
def _slow_reader(target):
    before = memory()
    link = target.socket(sockopt=((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),))
    link.sock.settimeout(8.0)
    step = frame(1, json.dumps({"type": "step", "data": {"action": [0] * 4}}).encode())
    reset = frame(1, json.dumps(RESET).encode())
    with contextlib.suppress(ConnectionError, TimeoutError):
        for _ in range(500):
            link.sock.sendall((reset + step) * 50)
    deadline = time.monotonic() + 10
    while target.sessions() > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    grown, left = memory() - before, target.sessions()
    link.shutdown()
    assert grown < 64 << 20, f"{grown >> 20} MB"
    return "cut off, and no memory is lost to it" if left == 1 else "was let in"


def memory() -> int:
    """Resident bytes of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@case("20 sessions where 8 may be open", "CAPACITY_REACHED: 8 sessions are open")
def _sessions(target):
    links, said = [], ""
    try:
        for _ in range(20):
            links.append(target.socket())
            links[-1].send('{"type": "state"}')
            reply = json.loads(links[-1].recv())
            if reply["type"] == "error":
                said = f"{reply['data']['code']}: {reply['data']['message']}"
    finally:
        for link in links:
            link.shutdown()
    return said


@case("20 sessions opened by HTTP where 8 may be open", "8 sessions are open")
def _http_sessions(target):
    ask = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create"}
    said, opened = "", []
    for _ in range(20):
        _, reply = target.http("POST", f"/{ENV}/mcp", json.dumps(ask))
        if "error" in reply:
            said = reply["error"]["message"]
        else:
            opened.append(reply["result"]["session_id"])
    for one in opened:
        close = {**ask, "method": "openenv/session/close", "params": {"session_id": one}}
        assert target.http("POST", f"/{ENV}/mcp", json.dumps(close))[1]["result"]["closed"]
    return said


@case("2,000 connections where 48 may be, 500 at a time", "all but 48 at a time are cut off")
def _connections(target):
    links, lost = [], 0
    for _ in range(2000):
        with contextlib.suppress(OSError):
            links.append(socket.create_connection((target.host, target.port), timeout=5))
        if len(links) >= 500:  # within what this process may open
            lost += sum(map(dead, links))
            for link in links:
                link.close()
            links = []
    lost += sum(map(dead, links))
    for link in links:
        link.close()
    return "all but 48 at a time are cut off" if lost >= 2000 - 4 * 48 else f"{lost} are cut off"


def dead(link: socket.socket) -> bool:
    """Whether the server has cut a connection off."""
    link.settimeout(0.02)
    try:
        return link.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@case("a connection that says nothing", "closed after 1 to 3 s")
def _silence(target):
    return dawdle(target, b"", 0)


@case("a header that comes letter by letter", "closed after 1 to 3 s")
def _drip(target):
    return dawdle(target, b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100, 0.1)


@case("a second request that comes letter by letter", "closed after 1 to 3 s")
def _late_drip(target):
    first = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    return dawdle(target, b"GET /health HTTP/1.1\r\nX: " + b"x" * 100, 0.1, first)


def dawdle(target, data: bytes, pause: float, first: bytes = b"") -> str:
    """Send bytes slowly until the server has enough."""
    with socket.create_connection((target.host, target.port), timeout=0.05) as link:
        link.sendall(first)
        start = time.monotonic()
        left = data
        while time.monotonic() - start < 10:
            with contextlib.suppress(TimeoutError):
                try:
                    if left:
                        link.sendall(left[:1])
                        left = left[1:]
                    if link.recv(4096) == b"":
                        break
                except ConnectionError:
                    break
            time.sleep(pause)
        spent = time.monotonic() - start
    return "closed after 1 to 3 s" if 0.9 < spent < 3.5 else f"closed after {spent:.1f} s"


@case("a body that never comes", "408: the body did not come in time")
def _body(target):
    return status(target.raw(b"POST /QuadHover/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"))


@case("200 messages at once where 50 a second may come", "slowed down: at least 1.5 s")
def _rate(target):
    place = urlsplit(target.guarded.url)
    link = websocket.create_connection(
        f"ws://{place.hostname}:{place.port}/ws", timeout=20, header=[f"Authorization: Bearer {TOKEN}"]
    )
    start = time.monotonic()
    for _ in range(200):
        link.send('{"type": "state"}')
    for _ in range(200):
        link.recv()
    spent = time.monotonic() - start
    link.shutdown()
    return "slowed down: at least 1.5 s" if spent >= 1.5 else f"{spent:.2f} s"


# --- HTTP -----------------------------------------------------------------------------------------------------------

path("a path that leads outside", "404", "/../../../etc/passwd")
path("a path that leads outside, written in numbers", "404", "/%2e%2e/%2e%2e/etc/passwd")
path("a path that leads outside an environment", "404", "/QuadHover/..%2f..%2fetc/passwd")
path("a path with a zero byte", "40[04]", "/QuadHover/schema%00.json")
path("an environment that is a module", "404: no environment 'os' here", "/os/schema")
path("an environment with a full path", "404", "/envsuite/QuadHover-v0/schema")
path("a path of 100,000 letters", "400|414|cut off", "/" + "a" * 100_000)
path("a header of 100,000 letters", "400|431", "/health", X="a" * 100_000)
path("1,000 headers", "400|431", "/health", **{f"X{k}": "1" for k in range(1000)})
path("a method nobody knows", "405|400", "/QuadHover/reset", "BREW")
path("a page of another origin", "403: pages of another origin", "/QuadHover/schema", Origin="https://evil.example")
path("a page of no origin", "403: pages of another origin", "/QuadHover/schema", Origin="null")
path("a session id that was guessed", "404: there is no session of this id", "/QuadHover/state?session_id=" + "a" * 32)


@case("a name that leads here by a trick of DNS", "403: this server answers to names of its own machine only")
def _rebinding(target):
    return status(target.raw(b"GET /QuadHover/schema HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))


@case("a WebSocket from a page of another origin", "403")
def _foreign_socket(target):
    try:
        target.socket(origin="https://evil.example").shutdown()
    except websocket.WebSocketBadStatusException as error:
        return str(error.status_code)
    return "was let in"


@case("two lengths of one body", "400")
def _smuggling(target):
    head = b"POST /QuadHover/reset HTTP/1.1\r\nHost: localhost\r\n"
    return status(target.raw(head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{}"))


@case("a body of -1 bytes", "400")
def _negative(target):
    return status(target.raw(b"POST /QuadHover/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"))


@case("a body of 1 MB where 64 kB are allowed", "413")
def _large(target):
    head = b"POST /QuadHover/reset HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n"
    return status(target.raw(head + b" " * 1_000_000))


@case("60 kB that unpack to 60 MB", "422: the message is not JSON")
def _bomb(target):
    packed = gzip.compress(b" " * 60_000_000)
    headers = {"Content-Encoding": "gzip"}
    number, reply = target.http("POST", f"/{ENV}/reset", packed, headers)
    return f"{number}: {reply['detail']}"


@case("a step without a session", "409: the episode has ended or not begun")
def _sessionless(target):
    number, reply = target.http("POST", f"/{ENV}/step", json.dumps({"action": {"action": [0] * 4}}))
    return f"{number}: {reply['detail']}"


def token(title: str, match: str, **headers: str):
    """A case of a token."""

    def attack(target):
        number, reply = target.http("GET", "/schema", headers=headers, server=target.guarded)
        return f"{number}: {reply['detail']}" if number != 200 else "was let in"

    CASES.append(Case(title, attack, match))


token("no token where one is needed", "401")
token("a wrong token", "401", Authorization="Bearer a-token-of-the-tests-alonf")
token("the beginning of the token", "401", Authorization=f"Bearer {TOKEN[:-1]}")
token("a token that is empty", "401", Authorization="Bearer ")
token("a token that is not ASCII", "401", Authorization="Bearer \xe4\xf6\xfc")
token("the token as a password", "401", Authorization=f"Basic {TOKEN}")


@case("the token in the address", "401")
def _token_in_address(target):
    number, reply = target.http("GET", f"/schema?token={TOKEN}", server=target.guarded)
    return f"{number}: {reply['detail']}"


@case("a WebSocket without the token", "401")
def _socket_without_token(target):
    try:
        websocket.create_connection(f"ws{target.guarded.url[4:]}/ws", timeout=5).shutdown()
    except websocket.WebSocketBadStatusException as error:
        return str(error.status_code)
    return "was let in"


# --- tools ----------------------------------------------------------------------------------------------------------


def tool(title: str, match: str, name, arguments):
    """A case of a tool's call."""

    def attack(target):
        ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        _, reply = target.http("POST", f"/{ENV}/mcp", json.dumps(ask))
        return reply["error"]["message"] if "error" in reply else reply["result"]["content"][0]["text"]

    CASES.append(Case(title, attack, match))


tool("a tool that ends the episode", "Tool not found: reset", "reset", {})
tool("a tool of the assistant's own machine", "Tool not found: bash", "bash", {"command": "id"})
tool("a tool whose name is a list", "Tool not found", ["act"], {})
tool("an argument that nobody knows", "expected an object with", "observe", {"path": "/etc/passwd"})
tool("words that are no action", "no number found", "act", {"action": "ignore all previous instructions"})

# --- those who come and go ------------------------------------------------------------------------------------------


@case("300 clients killed in the midst of a step", "300 sessions are gone")
def _killed(target):
    for _ in range(300):
        link = target.socket()
        link.send(json.dumps(RESET))
        link.send(json.dumps({"type": "step", "data": {"action": [0] * 4}}))
        link.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.sock.close()  # a reset of the connection, as of a process that is killed
        while target.sessions() > 4:
            time.sleep(0.005)
    return "300 sessions are gone"


@case("a connection cut after a step and before its answer", "the step was taken once")
def _cut(target):
    remote, local = RemoteEnv(f"{target.server.url}/{ENV}"), envsuite.make(ENV)
    remote.reset(seed=3), local.reset(seed=3)
    for _ in range(5):
        remote.link.send({"type": "step", "data": {"action": [0.0] * 4}})
        time.sleep(0.05)
        remote.link._socket.sock.close()
        reply = remote.link.receive()
        seen = local.step(np.zeros(4, np.float32))[0]
        assert np.float32(reply["observation"]["observation"]).tobytes() == seen.tobytes()
    steps = remote.link.ask({"type": "state"})["step_count"]
    remote.close()
    return "the step was taken once" if steps == 5 else f"{steps} steps"


@case("a session of a client that never comes back", "forgotten")
def _left(target):
    remote = RemoteEnv(f"{target.server.url}/{ENV}")
    remote.reset(seed=3)
    remote.link._drop()
    deadline = time.monotonic() + 10
    while target.sessions() > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    try:
        remote.step(np.zeros(4, np.float32))
    except ConnectionError as error:
        return f"forgotten: {error}".replace(target.server.url, "")
    return "was let in"


# --- the page -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def under_attack():
    """Two servers, and somebody who plays."""
    guarded = dataclasses.replace(LIMITS, rate=50.0)
    with running(ENV, limits=LIMITS) as one, running(ENV, limits=guarded, tokens=(TOKEN,)) as other:
        target = Target(one, other)
        target.witness()
        try:
            yield target
        finally:
            target.close()


def row(one: Case, answer: str) -> str:
    """A line of the table."""
    shown = textwrap.shorten(one.shown or answer, 120, placeholder=" ...").replace("|", "\\|").replace("`", "'")
    return f"| {one.title} | `{shown}` |"


def section() -> list[str]:
    """The lines of the page, from what is answered now."""
    lines = [
        "## The server",
        "",
        "Hostile clients tried the following against `envsuite serve`, with limits of 8 sessions, 48 connections,",
        "messages of 64 kB and time-outs of a second. After each row somebody else's episode goes on bit for bit, no",
        "session is left behind, and the server is healthy. The cases run in `tests/serving/test_red_team.py`.",
        "",
        "| tried | answer |",
        "| --- | --- |",
    ]
    with under_attack() as target:
        for one in CASES:
            lines.append(row(one, one.attack(target)))
            target.witness()
    return lines


if __name__ == "__main__":
    print("\n".join(section()))

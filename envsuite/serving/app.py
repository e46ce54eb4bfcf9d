"""The server: environments over HTTP and WebSocket in OpenEnv's protocol."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any

from aiohttp import WSMsgType, web
from gymnasium.error import ResetNeeded

import envsuite
from envsuite.cards import EnvCard
from envsuite.serving import mcp, protocol
from envsuite.serving.arcade import Arcade
from envsuite.serving.guard import Gate, Guard, Limits, Pace
from envsuite.serving.protocol import Code, ProtocolError
from envsuite.serving.sessions import Faults, FullError, Request, Session, Table

_LOG = logging.getLogger("envsuite.serving")
_SILENT = logging.getLogger("envsuite.serving.malformed")  # aiohttp writes a traceback for each request that is none
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False
_SWEEP = 1.0  # seconds between looks at who keeps the server waiting


def short(card: EnvCard) -> str:
    """The name of an environment in paths: without namespace and version."""
    return card.id.split("/")[-1].rsplit("-v", 1)[0]


class Server:
    """Serves environments.

    Each stands at ``/NAME``, the first also at the root. See ``docs/serving.md`` for the routes.

    Args:
        cards: the environments.
        limits: what clients may take.
        tokens: bearer tokens, any of which is needed; empty for none.
        root: whether the first environment stands at the root too.
        play: whether people may play in a browser, at ``/play``.

    Attributes:
        url: where it listens; empty before that.
    """

    def __init__(
        self,
        cards: Sequence[EnvCard],
        limits: Limits | None = None,
        tokens: Sequence[str] = (),
        *,
        root: bool = True,
        play: bool = False,
    ):
        if not cards:
            raise ValueError("no environment to serve")
        self.limits = limits or Limits()
        self.url = ""
        self._cards = {short(card): card for card in cards}
        self._root = next(iter(self._cards)) if root else ""
        self._tokens = tuple(tokens)
        self._play = play
        self._tables: dict[str, asyncio.Task[Table]] = {}
        self._sockets: dict[str, web.WebSocketResponse] = {}  # by session
        self._closing: set[asyncio.Task[None]] = set()
        self._guard: Guard  # with the address
        self._gate: Gate

    @property
    def names(self) -> list[str]:
        """Names of the environments in paths."""
        return list(self._cards)

    @property
    def cards(self) -> dict[str, EnvCard]:
        """The environments by these names."""
        return dict(self._cards)

    def pace(self, request: web.Request) -> Pace:
        """The pace of a connection."""
        return self._guard.pace(request)

    # --- sessions ---

    async def table(self, name: str) -> Table:
        """The sessions of an environment, which is made and compiled when it is first asked for.

        Raises:
            ProtocolError: it is not served here.
        """
        if name not in self._cards:
            raise web.HTTPNotFound(text=f"no environment {name[:60]!r} here")
        if name not in self._tables:
            self._tables[name] = asyncio.create_task(self._make(name))
        try:
            return await asyncio.shield(self._tables[name])
        except Exception:
            self._tables.pop(name, None)  # the next one tries again
            raise

    async def _make(self, name: str) -> Table:
        table = await asyncio.to_thread(Table, self._cards[name], self.limits.sessions)
        await table.warm()
        return table

    def _ready(self) -> list[Table]:
        done = [task for task in self._tables.values() if task.done() and not task.cancelled()]
        return [task.result() for task in done if task.exception() is None]

    def _open(self, table: Table) -> Session:
        active = sum(len(one.sessions) for one in self._ready())
        if active >= self.limits.sessions:
            raise FullError(active, self.limits.sessions)
        return table.open()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            self._guard.sweep()
            late = time.monotonic() - self.limits.idle_seconds
            for table in self._ready():
                for session in [one for one in table.sessions.values() if one.touched < late]:
                    closing = asyncio.create_task(self._retire(table, session))
                    self._closing.add(closing)
                    closing.add_done_callback(self._closing.discard)

    async def _retire(self, table: Table, session: Session) -> None:
        socket = self._sockets.pop(session.id, None)
        await table.close(session)
        if socket is not None:
            await socket.close(code=1001, message=b"the session has ended")

    # --- WebSockets ---

    async def _socket(self, request: web.Request, speak: Callable[..., Awaitable[Any]]) -> web.WebSocketResponse:
        """A connection with a session, its own or one that it names, until either end closes it.

        Args:
            request: that asks for it.
            speak: takes table, session and a message, and gives the answer; None to close.
        """
        table = await self.table(self._name(request))
        socket = web.WebSocketResponse(
            max_msg_size=self.limits.message_bytes, compress=False, timeout=2.0, writer_limit=1 << 16
        )
        await socket.prepare(request)
        wanted = request.query.get("session_id")
        session = None
        try:
            session = self._attach(table, wanted) if wanted is not None else self._open(table)
            older, self._sockets[session.id] = self._sockets.get(session.id), socket
            if older is not None:  # whoever knows the id is the owner, and lost that connection
                await older.close(code=1001, message=b"the session has a new connection")
            pace = self._guard.pace(request)
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    await socket.close(code=1003, message=b"text only")
                    break
                await pace.wait()
                reply = await speak(table, session, message.data)
                if reply is None:
                    break
                await self._send(request, socket, reply)
        except (FullError, ProtocolError) as error:
            with contextlib.suppress(ConnectionError, TimeoutError):
                await self._send(request, socket, protocol.fault(error))
        except (ConnectionError, TimeoutError):
            pass  # the client is gone, or does not read
        finally:
            if session is not None:
                if self._sockets.get(session.id) is socket:
                    del self._sockets[session.id]
                    session.touched = time.monotonic() + min(0.0, self.limits.keep_seconds - self.limits.idle_seconds)
                if wanted is None:
                    await table.close(session)
            with contextlib.suppress(ConnectionError, TimeoutError):
                await socket.close()
        return socket

    def _attach(self, table: Table, wanted: str) -> Session:
        session = table.sessions.get(wanted)
        if session is None:
            raise ProtocolError(Code.SESSION_ERROR, "there is no session of this id")
        return session

    async def _send(self, request: web.Request, socket: web.WebSocketResponse, reply: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(self.limits.patience_seconds):
                await socket.send_frame(protocol.encode(reply), WSMsgType.TEXT)
        except TimeoutError:
            if request.transport is not None:
                request.transport.abort()
            raise

    async def _speak(self, table: Table, session: Session, text: str) -> dict[str, Any] | None:
        """OpenEnv's messages."""
        try:
            message = protocol.read_object(text)
            kind, data = message.get("type"), protocol.table_in(message, "data")
            if kind == "reset":
                return protocol.observation(await self._ask(table, session, protocol.read_reset(data)))
            if kind == "step":
                return protocol.observation(await self._ask(table, session, protocol.read_step(data)))
            if kind == "state":
                session.touched = time.monotonic()
                return {"type": "state", "data": session.state(table.card.id)}
            if kind == "mcp":
                return {"type": "mcp", "data": await self._rpc(table, session, data)}
            if kind == "close":
                return None
            told = f"unknown type {str(kind)[:40]!r}, expected reset, step, state, mcp or close"
            raise ProtocolError(Code.UNKNOWN_TYPE, told)
        except (*Faults, RuntimeError) as error:
            return protocol.fault(error)

    async def _speak_mcp(self, table: Table, session: Session, text: str) -> dict[str, Any]:
        """JSON-RPC alone."""
        try:
            return await self._rpc(table, session, protocol.read_object(text))
        except ProtocolError as error:
            code = mcp.PARSE_ERROR if error.code is Code.INVALID_JSON else mcp.INVALID_REQUEST
            return mcp.error({}, mcp.RpcError(code, str(error)))

    async def _ask(self, table: Table, session: Session, request: Request) -> dict[str, Any]:
        try:
            return await table.ask(session, request)
        except (*Faults, asyncio.CancelledError):
            raise
        except Exception as error:
            _LOG.exception("%s failed", table.card.id)
            raise RuntimeError(str(error)) from error

    async def _rpc(self, table: Table, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """A request of the Model Context Protocol; a notification is answered with nothing in it."""
        method = message.get("method")
        if method == "openenv/session/create":
            return mcp.result(message, {"session_id": session.id})
        if method == "openenv/session/close":
            return mcp.error(message, mcp.RpcError(mcp.INVALID_REQUEST, "a connection's session ends with it"))
        return await mcp.Tools(table, session).handle(message) or {}

    # --- HTTP ---

    def _name(self, request: web.Request) -> str:
        name = request.match_info.get("name", self._root)
        if not name:
            raise web.HTTPNotFound(text=f"an environment's name is missing in the path: {', '.join(self._cards)}")
        return name

    async def _body(self, request: web.Request) -> bytes:
        try:
            async with asyncio.timeout(self.limits.patience_seconds):
                return await request.read()
        except TimeoutError:
            raise web.HTTPRequestTimeout(text="the body did not come in time") from None

    async def _health(self, request: web.Request) -> web.Response:
        return _json({"status": "healthy"})

    async def _index(self, request: web.Request) -> web.Response:
        return _json({"name": "envsuite", "version": envsuite.__version__, "environments": list(self._cards)})

    async def _names(self, request: web.Request) -> web.Response:
        return _json(list(self._cards))

    async def _metadata(self, request: web.Request) -> web.Response:
        table = await self.table(self._name(request))
        card = table.card
        return _json(
            {
                "name": short(card),
                "description": card.summary,
                "version": envsuite.__version__,
                "author": "envsuite",
                "envsuite": table.declaration,
            }
        )

    async def _schema(self, request: web.Request) -> web.Response:
        return _json((await self.table(self._name(request))).schemas)

    async def _openapi(self, request: web.Request) -> web.Response:
        name = self._name(request) if self._root or "name" in request.match_info else "envsuite"
        prefix = f"/{name}" if "name" in request.match_info else ""
        return _json(protocol.openapi(name, envsuite.__version__, prefix))

    async def _state(self, request: web.Request) -> web.Response:
        table = await self.table(self._name(request))
        wanted = request.query.get("session_id")
        if wanted is None:
            return _json(Session("", 0).state(table.card.id))
        return _json(self._find(table, wanted).state(table.card.id))

    @staticmethod
    def _find(table: Table, wanted: Any) -> Session:
        session = table.sessions.get(wanted) if isinstance(wanted, str) else None
        if session is None:
            raise web.HTTPNotFound(text="there is no session of this id")
        return session

    @contextlib.asynccontextmanager
    async def _passing(self, table: Table, wanted: Any) -> AsyncGenerator[Session]:
        """The session that a request names, or one for this request alone, as OpenEnv has it."""
        if wanted is not None:
            yield self._find(table, wanted)
            return
        session = self._open(table)
        try:
            yield session
        finally:
            await table.close(session)

    async def _reset(self, request: web.Request) -> web.Response:
        table = await self.table(self._name(request))
        body = await self._body(request)
        data = protocol.read_object(body) if body.strip() else {}
        wanted = protocol.read_reset(data)
        async with self._passing(table, data.get("session_id")) as session:
            return _json(await self._ask(table, session, wanted))

    async def _step(self, request: web.Request) -> web.Response:
        table = await self.table(self._name(request))
        data = protocol.read_object(await self._body(request))
        action = protocol.read_step(protocol.table_in(data, "action"))
        async with self._passing(table, data.get("session_id")) as session:
            return _json(await self._ask(table, session, action))

    async def _mcp(self, request: web.Request) -> web.StreamResponse:
        """JSON-RPC, with sessions of OpenEnv's kind (``params.session_id``) or MCP's (``Mcp-Session-Id``)."""
        table = await self.table(self._name(request))
        message: dict[str, Any] = {}
        try:
            message = protocol.read_object(await self._body(request))
            method, params = mcp.check(message)
            named = request.headers.get("Mcp-Session-Id") or params.pop("session_id", None)
            if method == "openenv/session/create":
                return _json(mcp.result(message, {"session_id": self._open(table).id}))
            if method == "openenv/session/close":
                return _json(mcp.result(message, await self._end(table, named)))
            if method == "initialize" and named is None:
                session = self._open(table)
                reply = await mcp.Tools(table, session, control=True).handle(message)
                return _json(reply, headers={"Mcp-Session-Id": session.id})
            if method.startswith("notifications/"):
                return web.Response(status=202)
            if named is not None and named not in table.sessions:
                raise mcp.RpcError(mcp.INVALID_PARAMS, "Unknown session_id")
            async with self._passing(table, named) as session:
                control = "Mcp-Session-Id" in request.headers
                return _json(await mcp.Tools(table, session, control=control).handle(message))
        except ProtocolError as error:
            code = mcp.PARSE_ERROR if error.code is Code.INVALID_JSON else mcp.INVALID_REQUEST
            return _json(mcp.error({}, mcp.RpcError(code, str(error))))
        except mcp.RpcError as error:
            return _json(mcp.error(message, error))
        except FullError as error:
            numbers = {"active_sessions": error.active, "max_sessions": error.most}
            return _json(mcp.error(message, mcp.RpcError(mcp.SERVER_ERROR, str(error), numbers)))

    async def _end(self, table: Table, wanted: Any) -> dict[str, Any]:
        session = table.sessions.get(wanted) if isinstance(wanted, str) else None
        if session is None:
            raise mcp.RpcError(mcp.INVALID_PARAMS, "Unknown session_id")
        await self._retire(table, session)
        return {"session_id": session.id, "closed": True}

    async def _leave(self, request: web.Request) -> web.Response:
        table = await self.table(self._name(request))
        await self._retire(table, self._find(table, request.headers.get("Mcp-Session-Id")))
        return web.Response(status=204)

    @web.middleware
    async def _watch(self, request: web.Request, handler: Any) -> web.StreamResponse:
        async def handle() -> web.StreamResponse:
            refusal = self._gate.refusal(request)
            if refusal is not None:
                return _json({"detail": refusal[1]}, status=refusal[0])
            await self._guard.pace(request).wait()
            try:
                return await handler(request)
            except web.HTTPException as error:
                return _json({"detail": error.text or error.reason}, status=error.status)
            except FullError as error:
                return _json(protocol.fault(error)["data"] | {"detail": str(error)}, status=503)
            except ResetNeeded as error:
                return _json({"detail": str(error)}, status=409)
            except (ProtocolError, *Faults) as error:
                return _json({"detail": protocol.said(error)}, status=422)
            except Exception as error:
                if not isinstance(error, RuntimeError | ConnectionError):  # what `_ask` has written down already
                    _LOG.exception("%s %s failed", request.method, request.path)
                return _json({"detail": protocol.said(error)}, status=500)

        return await self._guard.attend(request, handle)

    # --- the server itself ---

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=self.limits.message_bytes, middlewares=[self._watch])
        routes: list[tuple[str, str, Any]] = [
            ("GET", "/ws", self._ws),
            ("GET", "/metadata", self._metadata),
            ("GET", "/schema", self._schema),
            ("GET", "/openapi.json", self._openapi),
            ("GET", "/state", self._state),
            ("GET", "/health", self._health),
            ("POST", "/reset", self._reset),
            ("POST", "/step", self._step),
            ("POST", "/mcp", self._mcp),
            ("DELETE", "/mcp", self._leave),
            ("GET", "/mcp", self._mcp_socket),
        ]
        for method, path, handler in routes:
            for place in (path, "/{name:[A-Za-z0-9_-]+}" + path):
                app.router.add_route(method, place, handler)
        for path, handler in Arcade(self).routes() if self._play else ():
            app.router.add_get(path, handler)
        app.router.add_get("/", self._index)
        app.router.add_get("/list_environments", self._names)
        return app

    async def _ws(self, request: web.Request) -> web.StreamResponse:
        return await self._socket(request, self._speak)

    async def _mcp_socket(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise web.HTTPMethodNotAllowed("GET", ["POST", "DELETE"], text="no stream of events is offered here")
        return await self._socket(request, self._speak_mcp)

    @contextlib.asynccontextmanager
    async def listening(self, host: str = "127.0.0.1", port: int = 8000) -> AsyncGenerator["Server"]:
        """Serve while the block runs.

        Args:
            host: address to listen at.
            port: 0 for any that is free.

        Raises:
            OSError: the address cannot be listened at.
        """
        runner = web.AppRunner(
            self._app(), access_log=None, auto_decompress=False, shutdown_timeout=2.0, logger=_SILENT
        )
        await runner.setup()
        assert runner.server is not None
        self._guard, self._gate = Guard(runner.server, self.limits), Gate(self._tokens, host)
        listener = await asyncio.get_running_loop().create_server(self._guard, host, port, backlog=1024)
        place = listener.sockets[0].getsockname()
        self.url = f"http://{f'[{place[0]}]' if ':' in place[0] else place[0]}:{place[1]}"
        sweeping = asyncio.create_task(self._sweep())
        try:
            yield self
        finally:
            listener.close()
            sweeping.cancel()
            for socket in list(self._sockets.values()):
                with contextlib.suppress(ConnectionError, TimeoutError):
                    await socket.close(code=1001, message=b"the server ends")
            await runner.cleanup()
            self.shut()

    def shut(self) -> None:
        """Close the environments."""
        for table in self._ready():
            table.shut()
        self._tables.clear()


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(body=protocol.encode(value), status=status, content_type="application/json", headers=headers)

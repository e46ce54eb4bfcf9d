"""Play in a browser: pages, and a WebSocket on which keys and clicks come in and frames go out."""

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from aiohttp import WSMsgType, web

from envsuite.cards import EnvCard
from envsuite.evaluation.film import DRAW
from envsuite.evaluation.game import Game
from envsuite.serving import protocol
from envsuite.serving.protocol import Code, ProtocolError

_PAGES = files("envsuite.serving") / "pages"
_POLICY = "default-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
_HELD = 20  # keys at once, at most
_CROWD = 8  # agents, at most, where one of them makes a difference
_SEEDS = 10**9  # from here on seeds are for evaluation


def read(text: str) -> dict[str, Any]:
    """A message of a page: ``held`` (names of keys), ``click`` (two shares), ``again`` (whether to begin anew).

    Args:
        text: JSON.

    Raises:
        ProtocolError: it is none of these.
    """
    message = protocol.read_object(text)
    held, place = message.get("held"), message.get("click")
    if held is not None and not (
        isinstance(held, list) and len(held) <= _HELD and all(isinstance(one, str) and len(one) <= 20 for one in held)
    ):
        raise ProtocolError(Code.VALIDATION_ERROR, f"held is no list of at most {_HELD} names of keys")
    if place is not None and not (
        isinstance(place, list)
        and len(place) == 2
        and all(type(one) in (int, float) and 0 <= one <= 1 for one in place)  # True is an int, too
    ):
        raise ProtocolError(Code.VALIDATION_ERROR, "click is no pair of numbers from 0 to 1")
    if unknown := message.keys() - {"held", "click", "again"}:
        raise ProtocolError(Code.VALIDATION_ERROR, f"unknown {sorted(unknown)[0]!r:.40}, expected held, click or again")
    return message


class Arcade:
    """Pages and games.

    Args:
        server: whose environments, limits and paces these are.
    """

    def __init__(self, server: Any):
        self._server = server
        self._open = 0

    def routes(self) -> list[tuple[str, Any]]:
        """Paths and what answers there."""
        return [
            ("/play", self._index),
            ("/play/draw.js", self._asset(DRAW.read_text("utf-8"), "text/javascript")),
            ("/play/play.js", self._asset((_PAGES / "play.js").read_text("utf-8"), "text/javascript")),
            ("/play/play.css", self._asset((_PAGES / "play.css").read_text("utf-8"), "text/css")),
            ("/{name:[A-Za-z0-9_-]+}/play", self._page),
            ("/{name:[A-Za-z0-9_-]+}/play/socket", self._socket),
        ]

    @staticmethod
    def _asset(text: str, kind: str) -> Any:
        async def give(request: web.Request) -> web.Response:
            return web.Response(text=text, content_type=kind)

        return give

    def _cards(self) -> dict[str, EnvCard]:
        return {name: card for name, card in self._server.cards.items() if _steerable(card)}

    async def _index(self, request: web.Request) -> web.Response:
        families: dict[str, list[str]] = {}
        for name, card in self._cards().items():
            families.setdefault(card.family, []).append(
                f'<li><a href="/{name}/play">{name}</a> {escape(card.summary)}</li>'
            )
        lists = "".join(
            f"<h2>{escape(family.replace('_', ' ').capitalize())}</h2><ul>{''.join(items)}</ul>"
            for family, items in sorted(families.items())
        )
        return _html("Play", f"<h1>Play</h1><p>Choose an environment.</p>{lists}")

    async def _page(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self._cards():
            raise web.HTTPNotFound(text=f"no environment {name[:60]!r} to play here")
        card = self._cards()[name]
        body = (_PAGES / "play.html").read_text("utf-8")
        for key, value in {"name": name, "summary": card.summary, "source": card.source}.items():
            body = body.replace(f"[[{key}]]", escape(value))
        return _html(name, body)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        name, limits = request.match_info["name"], self._server.limits
        if name not in self._cards():
            raise web.HTTPNotFound(text=f"no environment {name[:60]!r} to play here")
        if self._open >= limits.sessions:
            raise web.HTTPServiceUnavailable(text=f"{self._open} games are open, and no more may be: try again later")
        socket = web.WebSocketResponse(max_msg_size=4096, compress=False, timeout=2.0, writer_limit=1 << 16)
        await socket.prepare(request)
        self._open += 1
        try:
            game = await asyncio.to_thread(Game, self._cards()[name])
            await self._run(request, socket, game)
        except ValueError as error:
            await self._send(socket, {"error": str(error)})
        except (ConnectionError, TimeoutError):
            pass  # the page is gone, or does not read
        finally:
            self._open -= 1
            with contextlib.suppress(ConnectionError, TimeoutError):
                await socket.close()
        return socket

    async def _run(self, request: web.Request, socket: web.WebSocketResponse, game: Game) -> None:
        await self._send(socket, game.about)
        await asyncio.to_thread(game.begin, secrets.randbelow(_SEEDS))
        await self._send(socket, await asyncio.to_thread(game.frame))
        going = asyncio.create_task(self._go_on(socket, game))
        try:
            while not going.done():
                await self._server.pace(request).wait()
                message = await socket.receive(timeout=self._server.limits.idle_seconds)
                if message.type is not WSMsgType.TEXT:
                    break
                await self._take(socket, game, message.data)
        except TimeoutError:
            await socket.close(code=1001, message=b"idle for too long")
        finally:
            going.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError, TimeoutError):
                await going

    async def _take(self, socket: web.WebSocketResponse, game: Game, text: str) -> None:
        try:
            message = read(text)
        except ProtocolError as error:
            await self._send(socket, {"error": str(error)})
            return
        if message.get("held") is not None:
            game.press(set(message["held"]))
        if message.get("click") is not None:
            across, down = message["click"]
            game.click((float(across), float(down)))
        if message.get("again"):
            game.again()

    async def _go_on(self, socket: web.WebSocketResponse, game: Game) -> None:
        clock = asyncio.get_running_loop()
        due = clock.time()
        while not socket.closed:
            due = max(due + 1 / game.fps, clock.time())  # late frames are not made up for
            await asyncio.sleep(due - clock.time())
            if await asyncio.to_thread(game.tick):
                await self._send(socket, await asyncio.to_thread(game.frame))

    async def _send(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        async with asyncio.timeout(self._server.limits.patience_seconds):
            await socket.send_frame(protocol.encode(message), WSMsgType.TEXT)


def _steerable(card: EnvCard) -> bool:
    """Whether one person among few can steer it."""
    return card.agents <= _CROWD


def _html(title: str, body: str) -> web.Response:
    text = (_PAGES / "base.html").read_text("utf-8").replace("[[title]]", escape(title)).replace("[[body]]", body)
    headers: Sequence[tuple[str, str]] = [("Content-Security-Policy", _POLICY), ("X-Content-Type-Options", "nosniff")]
    return web.Response(text=text, content_type="text/html", headers=dict(headers))

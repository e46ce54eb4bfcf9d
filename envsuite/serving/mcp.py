"""The Model Context Protocol: tools with which an assistant plays, over HTTP, a WebSocket, or lines of a program.

Five methods of JSON-RPC 2.0, written out: `initialize`, `ping`, `tools/list`, `tools/call`, and notifications, which
are not answered.
"""

import asyncio
import sys
from typing import Any

import envsuite
from envsuite.core import strict_json
from envsuite.serving.protocol import encode, said
from envsuite.serving.sessions import Faults, Look, Reset, Session, Step, Table

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol in which these methods are the same, the newest first."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, SERVER_ERROR = -32700, -32600, -32601, -32602, -32000
"""JSON-RPC's codes of errors."""

_LONGEST_LINE = 1 << 20


class RpcError(Exception):
    """A request that cannot be answered.

    Args:
        code: of JSON-RPC.
        message: one sentence.
        data: more about it, as JSON.
    """

    def __init__(self, code: int, message: str, data: Any = None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def result(request: dict[str, Any], value: Any) -> dict[str, Any]:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": request.get("id"), "result": value}


def error(request: dict[str, Any], one: RpcError) -> dict[str, Any]:
    """The answer to a request that failed."""
    named = request.get("id")
    told = {"code": one.code, "message": one.message[:500]} | ({} if one.data is None else {"data": one.data})
    return {"jsonrpc": "2.0", "id": named if isinstance(named, str | int) else None, "error": told}


def check(request: Any) -> tuple[str, dict[str, Any]]:
    """Method and parameters of a request.

    Raises:
        RpcError: it is none.
    """
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or not isinstance(request.get("method"), str):
        raise RpcError(INVALID_REQUEST, "Invalid request: expected an object with jsonrpc 2.0 and a method")
    if not isinstance(request.get("id"), str | int | None) or isinstance(request.get("id"), bool):
        raise RpcError(INVALID_REQUEST, "Invalid request: the id is neither a text nor an integer")
    params = request.get("params")
    if params is not None and not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "Params must be an object")
    return request["method"], params or {}


class Tools:
    """The tools of one session.

    Args:
        table: of the environment.
        session: the assistant's.
        seed: of its first episode; None for a random one.
        control: whether it may begin episodes, by the tool ``begin``; the episode begins by itself in any case.
    """

    def __init__(self, table: Table, session: Session, *, seed: int | None = None, control: bool = False):
        self._table, self._session, self._seed, self._control = table, session, seed, control

    async def handle(self, request: Any) -> dict[str, Any] | None:
        """Answer a message; None where none is due.

        Args:
            request: parsed JSON of a stranger.
        """
        named = request if isinstance(request, dict) else {}
        try:
            method, params = check(request)
            if "id" not in named and method.startswith("notifications/"):
                return None
            return result(named, await self._answer(method, params))
        except RpcError as one:
            return error(named, one)

    async def _answer(self, method: str, params: dict[str, Any]) -> Any:
        if method == "initialize":
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "envsuite", "version": envsuite.__version__},
                "instructions": self._instructions(),
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": self.tools()}
        if method == "tools/call":
            return await self._call(params)
        raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method[:60]}")

    def _instructions(self) -> str:
        card = self._table.card
        limit = "" if card.horizon is None else f" An episode has at most {card.horizon} steps."
        return f"You play {card.id}: {card.summary}{limit} `observe` tells the situation, `act` takes a step."

    def tools(self) -> list[dict[str, Any]]:
        """The list of tools, with JSON schemas of their arguments."""
        acting = self._table.schemas["action"]["properties"]
        words, exact = ({k: v for k, v in acting[name].items() if k != "description"} for name in ("text", "action"))
        told = f"In words, or as numbers. {acting['action'].get('description', '')}".strip()
        nothing: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
        action = {"anyOf": [words, exact], "description": told}
        acts = {**nothing, "properties": {"action": action}, "required": ["action"]}
        seed = {"type": "integer", "minimum": 0, "description": "The same seed gives the same episode."}
        begins = {**nothing, "properties": {"seed": seed}}
        found = [
            {"name": "observe", "description": "Tell the situation in words; takes no step.", "inputSchema": nothing},
            {"name": "act", "description": "Take one step and tell what came of it.", "inputSchema": acts},
        ]
        if self._control:
            found.append({"name": "begin", "description": "Begin a new episode.", "inputSchema": begins})
        return found

    async def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments") or {}
        known = {tool["name"]: tool["inputSchema"]["properties"] for tool in self.tools()}
        if not isinstance(name, str) or name not in known:
            raise RpcError(INVALID_PARAMS, f"Tool not found: {str(name)[:60]}; there are {', '.join(known)}")
        if not isinstance(arguments, dict) or set(arguments) - set(known[name]):
            raise RpcError(INVALID_PARAMS, f"arguments of {name}: expected an object with {list(known[name])}")
        try:
            return await self._play(name, arguments)
        except Faults as one:
            return {"content": [{"type": "text", "text": said(one)}], "isError": True}

    async def _play(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        table, session = self._table, self._session
        if name == "begin" or session.last is None:
            seed = arguments.get("seed") if name == "begin" else self._seed
            await table.ask(session, Reset(seed))
        if name == "act":
            if "action" not in arguments:
                raise ValueError("the argument 'action' is missing")
            await table.ask(session, _step(arguments["action"]))
        reply = await table.ask(session, Look())
        told = reply["text"]
        lines = [f"[{one}] {text}" for one, text in told.items()] if isinstance(told, dict) else [told]
        if name == "act":
            lines.append(f"Reward {reply['reward']:.6g}, return so far {session.total:.6g}.")
        if session.done:
            lines.append(f"The episode is over after {session.steps} steps.")
        facts = {name: reply["observation"][name] for name in ("agents", "turn") if name in reply["observation"]}
        numbers = {"reward": reply["reward"], "return": session.total, "step": session.steps, "done": session.done}
        facts |= numbers
        # `data` is where OpenEnv's client looks for what a tool returned
        content = [{"type": "text", "text": "\n".join(lines)}]
        return {"content": content, "structuredContent": facts, "isError": False, "data": {"text": told, **facts}}


def _step(action: Any) -> Step:
    """The step that an assistant means: texts are words, anything else is the action itself."""
    several = list(action.values()) if isinstance(action, dict) else [action]
    words = bool(several) and all(isinstance(one, str) for one in several)
    return Step(words=action) if words else Step(action)


async def serve_lines(table: Table, seed: int | None = None) -> None:
    """Speak with the program that started this one, a line a message, until it closes its end.

    Args:
        table: of the environment.
        seed: of the first episode; None for a random one.
    """
    session = table.open()
    tools = Tools(table, session, seed=seed, control=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.buffer.readline, _LONGEST_LINE):
        if not line.strip():
            continue
        try:
            reply = await tools.handle(strict_json.loads(line.decode()))
        except ValueError as one:
            reply = error({}, RpcError(PARSE_ERROR, f"Parse error: {one}"))
        if reply is not None:
            sys.stdout.buffer.write(encode(reply) + b"\n")
            sys.stdout.buffer.flush()
    await table.close(session)

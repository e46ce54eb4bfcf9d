"""OpenEnv's messages (package `openenv` 0.10), read strictly, and the shapes of its answers.

Over a WebSocket, a client sends ``{"type": "reset" | "step" | "state" | "close" | "mcp", "data": {...}}`` and gets
``{"type": "observation" | "state" | "mcp" | "error", "data": {...}}`` for each, in order.
"""

from enum import StrEnum
from typing import Any

import msgspec
from gymnasium.error import ResetNeeded

from envsuite.core import strict_json
from envsuite.serving.sessions import FullError, Reset, Step

LONGEST_NAME = 255
"""Characters of an episode's name, as OpenEnv has it."""

_IGNORED = {"timeout_s", "request_id", "session_id"}  # of HTTP bodies, beside what they are about


class Code(StrEnum):
    """OpenEnv's codes of errors."""

    INVALID_JSON = "INVALID_JSON"
    UNKNOWN_TYPE = "UNKNOWN_TYPE"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    EXECUTION_ERROR = "EXECUTION_ERROR"
    CAPACITY_REACHED = "CAPACITY_REACHED"
    SESSION_ERROR = "SESSION_ERROR"


class ProtocolError(ValueError):
    """A message that says nothing that can be done.

    Args:
        code: what is wrong with it.
        message: one sentence about it.
    """

    def __init__(self, code: Code, message: str):
        super().__init__(message)
        self.code = code


def encode(message: Any) -> bytes:
    """A message as JSON; numbers keep all their bits."""
    return msgspec.json.encode(message)


def read_object(text: str | bytes) -> dict[str, Any]:
    """A JSON object of a stranger.

    Raises:
        ProtocolError: it is none.
    """
    try:
        found = strict_json.loads(text.decode() if isinstance(text, bytes) else text)
    except ValueError as error:  # UnicodeDecodeError is one
        raise ProtocolError(Code.INVALID_JSON, f"the message is not JSON: {str(error)[:200]}") from None
    if not isinstance(found, dict):
        raise ProtocolError(Code.VALIDATION_ERROR, f"the message is {_kind(found)}, expected an object")
    return found


def table_in(message: dict[str, Any], name: str) -> dict[str, Any]:
    """The object under a name; empty where there is none.

    Raises:
        ProtocolError: something else stands there.
    """
    found = message.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ProtocolError(Code.VALIDATION_ERROR, f"{name} is {_kind(found)}, expected an object")
    return found


def read_reset(data: dict[str, Any]) -> Reset:
    """A reset's parameters: ``seed``, ``episode_id``, ``text``.

    Raises:
        ProtocolError: a parameter of another name or kind.
    """
    _only(data, {"seed", "episode_id", "text", "options"} | _IGNORED)
    seed, name, text = data.get("seed"), data.get("episode_id"), data.get("text", False)
    if seed is not None and (type(seed) is not int or not 0 <= seed < 2**63):
        raise ProtocolError(Code.VALIDATION_ERROR, f"seed is {_shown(seed)}, expected an integer in [0, 2**63)")
    if name is not None and (not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME):
        expected = f"expected 1 to {LONGEST_NAME} printable characters"
        raise ProtocolError(Code.VALIDATION_ERROR, f"episode_id is {_shown(name)}, {expected}")
    if type(text) is not bool:
        raise ProtocolError(Code.VALIDATION_ERROR, f"text is {_shown(text)}, expected true or false")
    if data.get("options"):
        raise ProtocolError(Code.VALIDATION_ERROR, "options is not empty: the environments know none at a reset")
    return Reset(seed, name, text)


def read_step(data: dict[str, Any]) -> Step:
    """An action: ``action``, or ``text`` in its place.

    Raises:
        ProtocolError: neither or both, or a field of another name.
    """
    _only(data, {"action", "text", "metadata"})
    if ("action" in data) == ("text" in data):
        raise ProtocolError(Code.VALIDATION_ERROR, "expected an action or a text, and not both")
    return Step(data.get("action"), data.get("text"))


def _only(data: dict[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(data) - known):
        raise ProtocolError(
            Code.VALIDATION_ERROR, f"unknown field {_shown(unknown[0])}, expected some of {', '.join(sorted(known))}"
        )


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return kinds.get(type(value), "a number")


def _shown(value: Any) -> str:
    return repr(str(value)[:60])


def observation(reply: dict[str, Any]) -> dict[str, Any]:
    """The answer to a reset or a step."""
    return {"type": "observation", "data": reply}


def fault(error: Exception) -> dict[str, Any]:
    """The answer to what could not be done.

    Args:
        error: of reading the message, of the request, or of the environment; of the last one nothing is told.
    """
    data: dict[str, Any] = {"message": said(error), "code": Code.EXECUTION_ERROR}
    if isinstance(error, ProtocolError):
        data["code"] = error.code
    elif isinstance(error, FullError):
        data |= {"code": Code.CAPACITY_REACHED, "active_sessions": error.active, "max_sessions": error.most}
    elif isinstance(error, ValueError | TypeError | KeyError):
        data["code"] = Code.VALIDATION_ERROR
    return {"type": "error", "data": data}


def said(error: Exception) -> str:
    """What a client is told of an error."""
    if isinstance(error, ValueError | TypeError | KeyError | FullError | ResetNeeded):
        return str(error.args[0] if error.args else error)[:500]
    return "the environment failed; the episode is as it was before"


def openapi(title: str, version: str, prefix: str = "") -> dict[str, Any]:
    """A description of the HTTP routes by OpenAPI 3.1.

    Args:
        title: of the service.
        version: of the package; the interface's own version is 1.0.0.
        prefix: under which the paths stand.
    """
    ok = {"200": {"description": "Done"}}
    faults = {"409": {"description": "No episode goes on"}, "422": {"description": "Malformed"}}
    get = {
        "/health": "Whether the server works",
        "/metadata": "What the environment is",
        "/schema": "JSON schemas of actions, observations and states",
        "/state": "Where a session's episode stands",
    }
    post = {"/reset": "Begin an episode", "/step": "Take a step", "/mcp": "Tools of the Model Context Protocol"}
    body = {"content": {"application/json": {"schema": {"type": "object"}}}}
    paths: dict[str, Any] = {path: {"get": {"summary": told, "responses": ok}} for path, told in get.items()}
    for path, told in post.items():
        paths[path] = {"post": {"summary": told, "requestBody": body, "responses": ok | faults}}
    described = f"envsuite {version}. Episodes of several steps go over the WebSocket {prefix}/ws."
    info = {"title": title, "version": "1.0.0", "description": described}
    return {"openapi": "3.1.0", "info": info, "servers": [{"url": prefix or "/"}], "paths": paths}

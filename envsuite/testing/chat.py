"""A chat endpoint on this machine that answers by a function: for tests, and to try prompts without a model."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server sends, well-formed or not.

    Attributes:
        text: of the answer; None for a message without one.
        status: of the response.
        headers: added to it; they win over the server's own.
        body: sent instead of a chat completion.
        delay: s before anything is sent.
        pause: s before every byte of the body.
        drop: close the connection: ``"before"`` anything is sent, or ``"within"`` the body.
        message: fields added to the message.
        finish: the choice's ``finish_reason``.
        usage: token counts; None to send none.
    """

    text: str | None = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    pause: float = 0.0
    drop: str = ""
    message: Mapping[str, Any] = field(default_factory=dict)
    finish: str = "stop"
    usage: Mapping[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 10, "completion_tokens": 5})

    def content(self, model: Any) -> bytes:
        """The response's body."""
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": self.text, **self.message}
        data = {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
        }
        if self.usage is not None:
            data["usage"] = {"total_tokens": sum(v for v in self.usage.values() if isinstance(v, int)), **self.usage}
        return json.dumps(data).encode()


Answerer = Callable[[dict[str, Any]], "str | Reply"]
"""From a request's body to its answer."""


def last_prompt(body: dict[str, Any]) -> str:
    """The text of a request's last message.

    Args:
        body: of the request.
    """
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else content[0]["text"]


class ChatServer:
    """Serves ``POST /v1/chat/completions`` on the loopback interface, one thread a connection; use it in a ``with``.

    Args:
        answer: called for every request, from several threads.
        port: 0 for a free one.

    Attributes:
        requests: (headers, body) of every request so far, in the order of arrival.
        url: the base URL.

    Raises:
        OSError: the port is taken.
    """

    def __init__(self, answer: Answerer, port: int = 0):
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # headers and body are two writes

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path != "/v1/chat/completions":
                    _send(self, Reply(status=404, body=b'{"error": "no such path"}'), "")
                    return
                outer.requests.append((dict(self.headers), body))
                reply = answer(body)
                _send(self, Reply(reply) if isinstance(reply, str) else reply, body.get("model"))

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # clients may leave at any time

        self._server = Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "ChatServer":
        self._thread.start()
        return self

    def __exit__(self, *what: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait(self) -> None:
        """Serve until Ctrl-C."""
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            return


def _send(handler: BaseHTTPRequestHandler, reply: Reply, model: Any) -> None:
    time.sleep(reply.delay)
    if reply.drop == "before":
        handler.close_connection = True
        return
    content = reply.content(model)
    headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), **reply.headers}
    handler.send_response(reply.status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    if reply.drop == "within":
        handler.wfile.write(content[: len(content) // 2])
        handler.close_connection = True
        return
    if not reply.pause:
        handler.wfile.write(content)
        return
    for byte in content:
        time.sleep(reply.pause)
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()

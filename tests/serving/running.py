"""A server in a thread of its own."""

import asyncio
import contextlib
import threading

import envsuite
from envsuite.serving.app import Server
from envsuite.serving.guard import Limits


@contextlib.contextmanager
def running(*ids: str, limits: Limits | None = None, tokens=(), root=True, play=False):
    """Serve environments while the block runs; gives the server."""
    started, shared = threading.Event(), {}

    async def serve():
        shared["loop"], shared["end"] = asyncio.get_running_loop(), asyncio.Event()
        server = Server([envsuite.card(one) for one in ids], limits, tokens, root=root, play=play)
        async with server.listening(port=0):
            shared["server"] = server
            started.set()
            await shared["end"].wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert started.wait(60), "the server did not start"
        yield shared["server"]
    finally:
        shared["loop"].call_soon_threadsafe(shared["end"].set)
        thread.join(60)
        assert not thread.is_alive(), "the server did not end"

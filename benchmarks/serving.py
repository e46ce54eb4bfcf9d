"""Sessions, steps a second and latency of `envsuite serve`, beside OpenEnv's own server, under the same load.

Run by hand: ``python benchmarks/serving.py [--echo FOLDER] [ID ...]`` with the package ``openenv`` installed. FOLDER is
``envs/echo_env`` of a checkout of OpenEnv, its reference environment. Environments that do nothing, and answer with no
numbers or with as many as QuadHover, show what OpenEnv's server itself takes. Each server runs in a process of its own,
and so does the load: so many WebSockets, each of which sends its next step when it has the answer to the last one, and
begins a new episode where one has ended.
Prints a table and writes ``benchmarks/results/serving.json``.
"""

import argparse
import asyncio
import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import version
from pathlib import Path

import numpy as np

import envsuite
from envsuite.core.files import write_atomic
from envsuite.core.world import lead_shape, make_world
from envsuite.evaluation.records import machine
from envsuite.serving.forms import plain

SESSIONS = (1, 16, 128, 1000)
SECONDS = 8.0
IDS = ("QuadHover", "MazePointMedium", "IteratedPrisoners")

_IDLE = """
import random
import uvicorn
from openenv.core import Action, Environment, Observation, State
from openenv.core.env_server.http_server import create_app

class Motors(Action):
    action: list[float] = []

class Seen(Observation):
    observation: list[float] = []

NUMBERS = [random.uniform(-1, 1) for _ in range({numbers})]

class Idle(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True
    def reset(self, seed=None, episode_id=None, **kwargs):
        return Seen(reward=0.0, observation=NUMBERS)
    def step(self, action, timeout_s=None, **kwargs):
        return Seen(reward=0.0, observation=NUMBERS)
    @property
    def state(self):
        return State()

uvicorn.run(create_app(Idle, Motors, Seen, max_concurrent_envs=2000), port={port}, log_level="critical")
"""

_ECHO = """
import os, sys
os.environ["MAX_CONCURRENT_ENVS"] = "2000"
sys.path.insert(0, {folder!r})
import uvicorn
from server.app import app
uvicorn.run(app, port={port}, log_level="critical")
"""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def served(command: list[str], port: int):
    """Run a server, and wait until it answers."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
                break
            if process.poll() is not None:
                raise RuntimeError(f"the server ended: {command}")
            time.sleep(0.2)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def our_step(env_id: str) -> bytes:
    """A step's message for an environment: the middle of its actions."""
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    row = plain(np.zeros(world.action.shape, world.action.dtype))
    action = dict.fromkeys(world.agents, row) if lead_shape(world, 1)[1:] else row
    return json.dumps({"type": "step", "data": {"action": action}}).encode()


async def load(url: str, sessions: int, step: bytes) -> dict[str, float]:
    """Play for a while over so many connections.

    Returns:
        ``sessions`` that were open, ``steps_per_second``, and latency in ms: ``p50``, ``p99``.
    """
    import aiohttp

    reset = json.dumps({"type": "reset", "data": {"seed": 1}}).encode()
    took: list[float] = []
    begun, over = asyncio.Event(), asyncio.Event()
    ready = 0

    async def play(client: "aiohttp.ClientSession") -> None:
        nonlocal ready
        async with client.ws_connect(url, max_msg_size=0, compress=0) as link:

            async def ask(message: bytes) -> bytes:
                await link.send_frame(message, aiohttp.WSMsgType.TEXT)
                answer = (await link.receive()).data
                if '"type":"observation"' not in answer.replace(" ", "")[:40]:
                    raise RuntimeError(answer[:200])
                return answer

            await ask(reset)
            ready += 1
            await begun.wait()
            done = False
            while not over.is_set():
                if done:
                    await ask(reset)
                start = time.perf_counter()
                answer = await ask(step)
                took.append(time.perf_counter() - start)
                done = '"done":true' in answer or '"done": true' in answer

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:
        players = [asyncio.create_task(play(client)) for _ in range(sessions)]
        deadline = time.monotonic() + 120
        while ready < sessions and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
            for one in players:
                if one.done():
                    one.result()
        begun.set()
        await asyncio.sleep(1)  # what comes first is not counted
        took.clear()
        start = time.perf_counter()
        await asyncio.sleep(SECONDS)
        spent, counted = time.perf_counter() - start, len(took)
        over.set()
        await asyncio.gather(*players)
    low, high = np.percentile(np.array(took[:counted]) * 1e3, [50, 99])
    return {"sessions": ready, "steps_per_second": counted / spent, "p50": float(low), "p99": float(high)}


def measure(name: str, command: list[str], port: int, path: str, step: bytes) -> list[dict[str, float]]:
    """All numbers of sessions with one server."""
    found = []
    for sessions in SESSIONS:
        with served(command, port):
            arguments = [f"http://127.0.0.1:{port}{path}", str(sessions), step.decode()]
            try:
                done = subprocess.run(
                    [sys.executable, __file__, "--load", *arguments], capture_output=True, text=True, timeout=200
                )
            except subprocess.TimeoutExpired:
                print(f"{name:<34}{sessions:>9}  did not get ready in 200 s")
                continue
        if done.returncode:
            print(f"{name:<34}{sessions:>9}  failed: {done.stderr.strip().splitlines()[-1][:100]}")
            continue
        one = json.loads(done.stdout)
        found.append(one)
        print(f"{name:<34}{sessions:>9}{one['steps_per_second']:>12,.0f}{one['p50']:>10.2f}{one['p99']:>10.2f}")
    return found


def many_files() -> None:
    """As many connections as the system permits."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", default=IDS)
    parser.add_argument("--echo", type=Path, help="OpenEnv's echo_env.")
    parser.add_argument("--load", nargs=3, metavar=("URL", "SESSIONS", "STEP"), help="The other end, by itself.")
    arguments = parser.parse_args()
    many_files()
    if arguments.load:
        url, sessions, step = arguments.load
        print(json.dumps(asyncio.run(load(url, int(sessions), step.encode()))))
        return
    packages = ("openenv", "aiohttp", "uvicorn", "websockets", "numpy", "numba")
    result: dict = {"machine": machine(), "versions": {name: version(name) for name in packages}, "seconds": SECONDS}
    print(f"{'':<34}{'sessions':>9}{'steps/s':>12}{'p50 ms':>10}{'p99 ms':>10}")
    for name in arguments.ids:
        port = free_port()
        command = [sys.executable, "-m", "envsuite.cli", "serve", name, "--port", str(port), "--sessions", "1000"]
        result[name] = measure(f"envsuite serve {name}", command, port, f"/{name}/ws", our_step(name))
    for numbers in (0, 85):  # as much text as QuadHover's answers
        port = free_port()
        code = [sys.executable, "-c", _IDLE.replace("{port}", str(port)).replace("{numbers}", str(numbers))]
        name = f"openenv: idle, {numbers} numbers"
        result[name] = measure(name, code, port, "/ws", our_step("QuadHover"))
    if arguments.echo:
        port = free_port()
        code = [sys.executable, "-c", _ECHO.format(folder=os.fspath(arguments.echo.resolve()), port=port)]
        call = {"type": "call_tool", "tool_name": "echo_message", "arguments": {"message": "hello"}}
        step = json.dumps({"type": "step", "data": call}).encode()
        result["openenv: echo_env"] = measure("openenv: echo_env", code, port, "/ws", step)
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    write_atomic(folder / "serving.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()

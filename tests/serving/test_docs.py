"""Every block of the page on serving runs."""

import contextlib
import json
import re
import shlex
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import envsuite

from .running import running

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
LOCAL = "http://127.0.0.1:8000"


def commands(block):
    """The commands of a console block."""
    return [shlex.split(line[2:]) for line in block.splitlines() if line.startswith("$ ")]


def test_there_are_no_other_blocks():
    assert {kind for kind, _ in BLOCKS} == {"console", "python", "json"}
    named = {command[0] for kind, block in BLOCKS if kind == "console" for command in commands(block)}
    assert named == {"pip", "envsuite", "openenv"}


def test_figures_are_those_of_the_last_measurement():
    results = json.loads((PAGE.parents[1] / "benchmarks" / "results" / "serving.json").read_text(encoding="utf-8"))
    page = PAGE.read_text(encoding="utf-8")
    servers = {name: found for name, found in results.items() if isinstance(found, list)}
    assert len(servers) >= 5
    for name, found in servers.items():
        cells = [f"{one['steps_per_second']:,.0f} ({one['p50']:.2f}, {one['p99']:.2f})" for one in found]
        assert f"| {name} | {' | '.join(cells)} |" in page


def test_commands_do_what_is_written(tmp_path):
    for kind, block in BLOCKS:
        for command in commands(block) if kind == "console" else []:
            if command[:2] == ["envsuite", "package"]:
                subprocess.run([sys.executable, "-m", "envsuite.cli", *command[1:]], cwd=tmp_path, check=True)
                assert list((tmp_path / command[-1]).iterdir())
            elif command[:2] == ["envsuite", "serve"]:
                serve(command[1:-1], block.splitlines()[-1])
            elif command[0] == "openenv":
                pytest.importorskip("openenv")
                with running("QuadHover") as server:
                    program = [str(Path(sys.executable).parent / "openenv"), *command[1:-1], server.url]
                    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=120)
                    assert done.returncode == 0, done.stdout + done.stderr


def serve(command, said):
    """Start the server as written, but at a free port, and end it as a person or a system would."""
    program = [sys.executable, "-m", "envsuite.cli", *command, "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline().strip()
            assert re.sub(r":\d+;", ":8000;", line) == said
            url = re.search(r"http://[\d.:]+", line)[0]
            with urllib.request.urlopen(f"{url}/health", timeout=10) as reply:
                assert reply.status == 200
        finally:
            process.terminate()
            started = time.monotonic()
            assert process.wait(20) == 0
            assert time.monotonic() - started < 10


@pytest.mark.slow
def test_programs_run_and_the_training_is_the_local_one():
    scope = {}
    with running("QuadHover", "MazePointOpenDense", "MOConnect4") as server:
        for kind, block in BLOCKS:
            if kind == "python":
                with contextlib.suppress(ModuleNotFoundError) if "openenv" in block else contextlib.nullcontext():
                    exec(compile(block.replace(LOCAL, server.url), str(PAGE), "exec"), scope)
    local = scope["train"](envsuite.make_vec("MazePointOpenDense", 32), generations=12)
    assert local == scope["returns"]
    random = envsuite.card("MazePointOpenDense").random.mean
    assert np.mean(local[-3:]) > max(1.5 * random, local[0] + 25)

"""A window opens without a word, or says in one line why it cannot."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from envsuite.cli import main

pytest.importorskip("pygame")

OPEN = "from envsuite.core.window import Window; Window('title', 30.0)"


@pytest.mark.parametrize(("driver", "status"), [("dummy", 0), ("no such driver", 1)])
def test_sdl_is_hushed(driver, status, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    done = subprocess.run([sys.executable, "-c", OPEN], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stdout == ""
    if status:
        assert done.stderr.splitlines()[-1].startswith("OSError: there is no screen for a window (")
    else:
        assert done.stderr == ""


def test_play_says_in_one_line_that_there_is_no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    result = CliRunner().invoke(main, ["play", "QuadHover", "--policy", "random"])
    assert result.exit_code == 1
    assert "there is no screen for a window" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.output

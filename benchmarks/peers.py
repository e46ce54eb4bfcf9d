"""Other packages, each in an environment of its own, asked by a script that runs there."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def python_with(folder: Path, *lots: Sequence[str]) -> Path:
    """The Python of an environment with some packages, made if need be.

    Args:
        folder: of the environment.
        *lots: arguments of ``pip install``, one call each.
    """
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        for lot in lots:
            subprocess.run([str(python), "-m", "pip", "install", "-q", *lot], check=True)
        (folder / "ready").touch()
    return python


def answer(python: Path, script: Path, what: str) -> Any:
    """What a script prints in its last line, as JSON.

    Args:
        python: that runs it.
        script: its file.
        what: its argument.

    Raises:
        RuntimeError: the script failed; with what it wrote.
    """
    done = subprocess.run([str(python), str(script), what], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])

"""Scripts on Numba's simulator of a GPU, which has to be asked for before Numba is imported."""

import os
import subprocess
import sys


def run_on_simulator(script: str) -> None:
    """Run Python in a process of its own; it must print ``done`` and nothing else."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "done", done.stderr

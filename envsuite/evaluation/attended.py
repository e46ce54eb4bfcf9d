"""Runs a Python script that ends with the process that started it, were that killed by ``kill -9``.

``python -m envsuite.evaluation.attended SCRIPT [ARGUMENT ...]`` wants a pipe as its standard input, of which nobody but
the starting process holds the other end: the system closes it when that process is gone.
"""

import os
import runpy
import sys
import threading


def _watch() -> None:
    while os.read(0, 1):  # not `sys.stdin`, whose lock Python wants at the end
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_watch, daemon=True).start()
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")

"""Runs pip with a line every few seconds: ``python .ci/install.py TITLE PIP-ARGUMENTS...``.

pip's own lines are hundreds, and between two of them minutes can pass.
"""

import queue
import subprocess
import sys
import threading
import time

EVERY, SILENCE = 3.0, 10.0
"""Seconds between two lines: while pip says something, and while it says nothing."""

_WORTH = ("Collecting ", "Downloading ", "Using cached ", "Building ", "Installing ", "Preparing ", "Created ")


def main() -> int:
    """Install; pip's exit status."""
    title, *arguments = sys.argv[1:]
    print(f"{title} ...", flush=True)
    command = [sys.executable, "-m", "pip", "install", "--progress-bar", "off", "--disable-pip-version-check"]
    pip = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_read, args=(pip, lines), daemon=True)
    reader.start()
    try:
        said = _follow(pip, lines)
        status = pip.wait()
    except KeyboardInterrupt:
        pip.wait()
        print("\nstopped by Ctrl-C: nothing is lost, the same command goes on", file=sys.stderr)
        return 130
    if status:
        print("".join(said), file=sys.stderr)
    return status


def _read(pip: subprocess.Popen, lines: "queue.Queue[str]") -> None:
    for line in pip.stdout or ():
        lines.put(line)


def _follow(pip: subprocess.Popen, lines: "queue.Queue[str]") -> list[str]:
    """Say what pip is at until it ends; its last lines."""
    started = told = time.monotonic()
    said: list[str] = []
    latest = fresh = ""
    while pip.poll() is None or not lines.empty():
        try:
            line = lines.get(timeout=0.5)
            said = [*said[-40:], line]
            fresh = line.strip() if line.strip().startswith(_WORTH) else fresh
        except queue.Empty:
            pass
        now = time.monotonic()
        if now - told >= (EVERY if fresh else SILENCE):
            latest, fresh, told = fresh or latest, "", now
            print(f"    {now - started:3.0f} s  {latest[:90]}", flush=True)
    print(f"    done in {time.monotonic() - started:.0f} s", flush=True)
    return said


if __name__ == "__main__":
    sys.exit(main())

"""Results of long comparisons, gathered run by run into one file, by several processes and on several machines."""

import fcntl
import json
import os
import platform
from pathlib import Path
from typing import Any

from envsuite.core.files import write_atomic


def gathered(path: Path) -> dict[str, Any]:
    """What has been measured: by contender, task and training seed."""
    return json.loads(path.read_text()) if path.is_file() else {"machine": platform.platform()}


def gather(path: Path, contender: str, task: str, seed: int, found: dict[str, Any]) -> dict[str, Any]:
    """Add the result of one run to the file; all that is in it then."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # until closed, so that no result of another process is lost
        known = gathered(path)
        known.setdefault(contender, {}).setdefault(task, {})[str(seed)] = found
        write_atomic(path, json.dumps(known, indent=1) + "\n")
    finally:
        os.close(folder)
    return known

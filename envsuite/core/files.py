"""Files that are whole or absent."""

import os
import secrets
from pathlib import Path


def write_atomic(path: Path, content: bytes | str) -> None:
    """Write a file under a temporary name and rename it, so that it is whole or absent.

    Several processes may write the same file at once: the last one to finish stays.
    """
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    data = content.encode() if isinstance(content, str) else content
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise

"""A limit on what reading strangers' files may take of the verifier's own memory."""

from collections.abc import Generator
from contextlib import contextmanager

from envsuite.submissions.jail import address_space
from envsuite.submissions.refusal import RefusedError

READING = 1 << 31
"""Bytes of address space for reading a submission, beyond what the process has."""


@contextmanager
def limited(size: int | None = None) -> Generator[None]:
    """Let the process take so many bytes of address space more, for as long as the context lasts; Linux only.

    Args:
        size: bytes; `READING` by default.

    Raises:
        RefusedError: what is read needs more.
    """
    size = READING if size is None else size
    present = address_space()
    if not present:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    lowest = min((one for one in (soft, hard) if one != resource.RLIM_INFINITY), default=present + size)
    resource.setrlimit(resource.RLIMIT_AS, (min(lowest, present + size), hard))
    try:
        yield
    except MemoryError as error:
        raise RefusedError("memory", f"reading it takes more than {size:,} bytes") from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

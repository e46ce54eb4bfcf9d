"""Zip archives of strangers."""

import zipfile

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How members may be packed: these two are unpacked in pieces of bounded size, bzip2 and LZMA are not."""


def check_members(archive: zipfile.ZipFile) -> None:
    """Refuse an archive that could not be unpacked in bounded memory.

    Raises:
        ValueError: a member is packed otherwise, or encrypted; the message names it.
    """
    for entry in archive.infolist():
        if entry.compress_type not in METHODS:
            raise ValueError(f"{entry.filename[:80]!r} is packed by method {entry.compress_type}, expected {METHODS}")
        if entry.flag_bits & 1:
            raise ValueError(f"{entry.filename[:80]!r} is encrypted")

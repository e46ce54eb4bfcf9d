"""Tables as files: CSV, or Parquet (extra ``parquet``)."""

import csv
import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from envsuite.core.files import write_atomic

FORMATS = (".csv", ".parquet")


def check_format(path: str | os.PathLike) -> Path:
    """Refuse what `write_table` cannot write.

    Raises:
        ValueError: the path ends in none of `FORMATS`.
    """
    path = Path(path)
    if path.suffix not in FORMATS:
        raise ValueError(f"{path} ends neither in .csv nor in .parquet")
    return path


def write_table(path: str | os.PathLike, columns: Mapping[str, np.ndarray]) -> None:
    """Write columns of equal length.

    Args:
        path: ends in ``.csv`` or ``.parquet``; replaced when the new file is complete. In CSV, numbers have all their
            digits, and what is not a number is empty.
        columns: by name, one-dimensional.

    Raises:
        ValueError: another ending, or columns of different lengths.
        ModuleNotFoundError: pyarrow is missing, for Parquet.
    """
    path = check_format(path)
    if len({len(column) for column in columns.values()}) > 1:
        raise ValueError(f"columns have the lengths { {name: len(column) for name, column in columns.items()} }")
    write_atomic(path, _csv(columns) if path.suffix == ".csv" else _parquet(columns))


def _csv(columns: Mapping[str, np.ndarray]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(_texts(column) for column in columns.values()), strict=True))
    return file.getvalue()


def _texts(column: np.ndarray) -> list[str]:
    values = np.asarray(column).tolist()
    return [("" if value != value else repr(value)) if isinstance(value, float) else str(value) for value in values]


def _parquet(columns: Mapping[str, np.ndarray]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({name: np.asarray(column).tolist() for name, column in columns.items()})
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink)
    return sink.getvalue().to_pybytes()

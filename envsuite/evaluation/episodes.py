"""Recorded episodes: seeds and actions that reproduce every reward and state, as one file without pickled objects."""

import hashlib
import io
import json
import math
import struct
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.archives import check_members
from envsuite.core.batch import record_bytes
from envsuite.core.files import write_atomic
from envsuite.core.strict_json import loads
from envsuite.evaluation.records import plain

SCHEMA = 1
INTERVAL = 100
"""Steps between two digests of the state."""

MAX_BYTES = 1 << 30
"""Unpacked size of a file from which on it is refused."""

_HEADER_BYTES = 1 << 20
_ARRAYS = ("seeds", "offsets", "actions", "rewards", "terminated", "truncated", "digests", "digest_offsets")


@dataclass(frozen=True)
class EpisodeLog:
    """E recorded episodes, T steps in all, one episode after another.

    Attributes:
        env_id: registered id.
        options: options of the environment.
        behaviour: behaviour hash of the environment.
        seeds: (E,) int64, of the environment.
        offsets: (E + 1,) int64; episode ``i`` is at ``offsets[i]:offsets[i + 1]`` of `actions` and `rewards`.
        actions: (T, [a,] *A) of the action layout's type, as the simulator took them.
        rewards: (T, [a,] [k]) of the world's reward type.
        terminated: (E,) bool, all agents' episodes were ended by the task.
        truncated: (E,) bool, the length limit was reached.
        digests: (D,) uint64, `state_digests` after every `interval` steps of an episode and after its last one.
        digest_offsets: (E + 1,) int64, where each episode's digests begin.
        interval: steps between digests.
    """

    env_id: str
    options: dict[str, Any]
    behaviour: str
    seeds: np.ndarray
    offsets: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    digests: np.ndarray
    digest_offsets: np.ndarray
    interval: int = INTERVAL

    def __post_init__(self):
        _check_header(self)
        _check_arrays(self)

    @property
    def lengths(self) -> np.ndarray:
        """(E,) int64, steps of each episode."""
        return np.diff(self.offsets)

    def part(self, start: int, stop: int) -> "EpisodeLog":
        """The episodes from `start` up to, not including, `stop`."""
        rows = slice(int(self.offsets[start]), int(self.offsets[stop]))
        marks = slice(int(self.digest_offsets[start]), int(self.digest_offsets[stop]))
        return replace(
            self,
            seeds=self.seeds[start:stop],
            offsets=self.offsets[start : stop + 1] - rows.start,
            actions=self.actions[rows],
            rewards=self.rewards[rows],
            terminated=self.terminated[start:stop],
            truncated=self.truncated[start:stop],
            digests=self.digests[marks],
            digest_offsets=self.digest_offsets[start : stop + 1] - marks.start,
        )

    def save(self, path: str | Path) -> None:
        """Write a ``.npz`` file through a temporary name; equal logs give equal files."""
        header = {
            "schema": SCHEMA,
            "env_id": self.env_id,
            "options": self.options,
            "behaviour": self.behaviour,
            "interval": self.interval,
        }
        file = io.BytesIO()
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        np.savez_compressed(file, header=np.array(json.dumps(header, sort_keys=True)), **arrays)
        write_atomic(Path(path), file.getvalue())

    @classmethod
    def load(cls, path: str | Path, *, max_bytes: int = MAX_BYTES) -> "EpisodeLog":
        """Read a file written by `save`. Nothing in it is executed, and no more memory is taken than its limit.

        Args:
            path: the file.
            max_bytes: limit of the unpacked size.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is no log of episodes, of another schema, inconsistent, or too large.
        """
        try:
            members = _read_npz(Path(path), ("header", *_ARRAYS), max_bytes)
            header = loads(str(members.pop("header")))
            if not isinstance(header, dict) or header.pop("schema", None) != SCHEMA:
                raise ValueError(f"its schema is not {SCHEMA}")
            if set(header) != {"env_id", "options", "behaviour", "interval"}:
                raise ValueError(f"its header has the keys {sorted(header)}")
            return cls(**header, **members)
        except FileNotFoundError:
            raise
        except (
            ValueError,
            KeyError,
            TypeError,
            OSError,
            EOFError,
            RuntimeError,  # encrypted, or nested too deeply
            NotImplementedError,
            OverflowError,
            SyntaxError,
            MemoryError,
            struct.error,
            zipfile.BadZipFile,
            zlib.error,
        ) as error:
            raise ValueError(f"{path} is not a log of episodes: {error}") from error


def digest_counts(lengths: np.ndarray, interval: int = INTERVAL) -> np.ndarray:
    """Number of digests of episodes: one every `interval` steps, and one at the end.

    Args:
        lengths: (E,) steps, at least 1.
        interval: steps between digests.
    """
    return (lengths + interval - 1) // interval


def state_digests(states: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Fingerprints of state records: the first 8 bytes of `envsuite.core.batch.digest` of each.

    Args:
        states: (n,) records.
        which: (m,) indices of those wanted.

    Returns:
        (m,) uint64, the bytes read as little-endian.
    """
    rows = record_bytes(states, which)
    blake, size = hashlib.blake2b, rows.shape[1]
    data = rows.tobytes()
    short = [blake(data[k : k + size], digest_size=16).digest()[:8] for k in range(0, len(data), size)]
    return np.frombuffer(b"".join(short), "<u8").astype(np.uint64)


def check_card(log: EpisodeLog, card: EnvCard) -> None:
    """Refuse to compare a log with an environment that is not its own.

    Raises:
        ValueError: another id, other options or another behaviour.
    """
    for name, mine, theirs in (
        ("env_id", log.env_id, card.id),
        ("options", log.options, plain(card.options)),
        ("behaviour", log.behaviour, card.behaviour),
    ):
        if mine != theirs:
            raise ValueError(f"the log's {name} is {mine!r}, the environment's is {theirs!r}")


def _check_header(log: EpisodeLog) -> None:
    for name, kind in (("env_id", str), ("options", dict), ("behaviour", str), ("interval", int)):
        if type(getattr(log, name)) is not kind:
            raise ValueError(f"{name} is {getattr(log, name)!r:.80}, expected {kind.__name__}")
    if log.interval < 1:
        raise ValueError(f"interval is {log.interval}, expected at least 1")


def _check_arrays(log: EpisodeLog) -> None:
    count = len(log.seeds) if log.seeds.ndim == 1 else 0
    if count < 1:
        raise ValueError(f"seeds have shape {log.seeds.shape}, expected (E,) with at least one episode")
    wanted = {
        "seeds": (np.int64, (count,)),
        "offsets": (np.int64, (count + 1,)),
        "terminated": (np.bool_, (count,)),
        "truncated": (np.bool_, (count,)),
        "digest_offsets": (np.int64, (count + 1,)),
    }
    for name, (dtype, shape) in wanted.items():
        array = getattr(log, name)
        if array.dtype != dtype or array.shape != shape:
            raise ValueError(f"{name} are {array.dtype} {array.shape}, expected {np.dtype(dtype)} {shape}")
    if (log.seeds < 0).any():
        raise ValueError(f"seed {log.seeds.min()} is negative")
    for name, rows in (("offsets", log.actions), ("digest_offsets", log.digests)):
        offsets = getattr(log, name)
        ends = rows.shape[0] if rows.ndim else -1
        if offsets[0] != 0 or (offsets[1:] <= offsets[:-1]).any() or offsets[-1] != ends:
            raise ValueError(f"{name} do not rise from 0 to {ends} with at least one entry an episode")
    total = int(log.offsets[-1])
    if log.rewards.ndim < 1 or log.rewards.shape[0] != total or log.rewards.dtype.kind not in "fiu":
        raise ValueError(f"rewards are {log.rewards.dtype} {log.rewards.shape}, expected numbers ({total}, ...)")
    if log.actions.dtype.kind not in "fiu":
        raise ValueError(f"actions are {log.actions.dtype}, expected numbers")
    if log.digests.dtype != np.uint64 or log.digests.ndim != 1:
        raise ValueError(f"digests are {log.digests.dtype} {log.digests.shape}, expected uint64 (D,)")
    if (np.diff(log.digest_offsets) != digest_counts(log.lengths, log.interval)).any():
        raise ValueError(f"digest_offsets do not give one digest every {log.interval} steps and one at the end")


def _read_npz(path: Path, names: tuple[str, ...], max_bytes: int) -> dict[str, np.ndarray]:
    """The arrays of a ``.npz`` file; sizes are checked before anything is unpacked, and no more than them is read."""
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        check_members(archive)
        found = [entry.filename for entry in entries]
        if sorted(found) != sorted(f"{name}.npy" for name in names):
            raise ValueError(f"it holds {sorted(found)[:20]}, expected {', '.join(names)}")
        if (size := sum(entry.file_size for entry in entries)) > max_bytes:
            raise ValueError(f"it unpacks to {size} bytes, more than {max_bytes}")
        arrays = {}
        for name in names:
            entry = archive.getinfo(f"{name}.npy")
            with archive.open(entry) as file:
                arrays[name] = _read_npy(file, name, entry.file_size)
        return arrays


def _read_npy(file: IO[bytes], name: str, size: int) -> np.ndarray:
    version = np.lib.format.read_magic(file)
    if version != (1, 0):  # later ones are for heads of more than 64 kB
        raise ValueError(f"{name} has .npy version {version}, expected (1, 0)")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if any(length < 0 for length in shape):
        raise ValueError(f"{name} has shape {shape}, with a negative length")
    if dtype.hasobject or dtype.names or (dtype.kind == "U") != (name == "header") or dtype.kind not in "Ubfiu":
        raise ValueError(f"{name} is of type {dtype}")
    needed = math.prod(shape) * dtype.itemsize
    if name == "header" and needed > _HEADER_BYTES:
        raise ValueError(f"header has {needed} bytes, expected at most {_HEADER_BYTES}")
    if needed > size:
        raise ValueError(f"{name} of shape {shape} needs {needed} bytes, its entry has {size}")
    content = file.read(needed + 1)
    if len(content) != needed:
        raise ValueError(f"{name} of shape {shape} needs {needed} bytes, has {len(content)} or more")
    array = np.frombuffer(content, dtype).reshape(shape, order="F" if fortran else "C")
    native = dtype.newbyteorder("=")
    return array.astype(native, copy=False)

"""Flights that go on in the engine from control step to control step.

The engine keeps more than poses and velocities: contact points, and the impulses that solved them, with which the next
step begins. They cannot be read out. So the record holds where a flight began and the rotor speeds since, from which
another engine gets to the same bits; the engine that flew it just flies on.
"""

import hashlib

import numpy as np

from envsuite.core.declare import Record, field

LIMIT = 256
"""Control steps after which a flight is put into place anew; an episode of gym-pybullet-drones has 242."""

_PARTS = ("position", "attitude", "previous_attitude", "velocity", "rates", "rotor_speed", "active")
_SIZE = 3 + 4 + 4 + 3 + 3 + 4 + 1


class Flown(Record):
    """How a flight came about."""

    mark = field(type=np.uint64, meaning="a digest of all of it")
    steps = field(type=np.int64, meaning="control steps since the drones were put into place")
    start = field(type=np.float64, shape=("drones", _SIZE), meaning="what the engine was given then, of each drone")
    commands = field(type=np.float64, shape=(LIMIT, "drones", 4), unit="RPM", meaning="in each control step since")


def continued(kind: np.dtype, drones: int) -> np.dtype:
    """A state record with the field ``flown``."""
    first, second, *rest = [(name, kind[name]) for name in kind.names or ()]
    # not at the end: Numba takes a record that begins as another does for a subtype of it
    return np.dtype([first, second, ("flown", Flown.dtype(drones=drones)), *rest], align=True)


def poses(drones) -> np.ndarray:
    """What the engine is given of drones, (n, 22)."""
    return np.concatenate([np.asarray(drones[part], np.float64).reshape(len(drones), -1) for part in _PARTS], axis=1)


def put(drones, given: np.ndarray) -> None:
    """Write what `poses` gives into records of drones."""
    at = 0
    for part in _PARTS:
        column = drones[part]
        size = column[0].size
        column[:] = given[:, at : at + size].reshape(column.shape)
        at += size


def next_mark(flown, now: np.ndarray) -> int:
    """The digest after one more control step, whose rotor speeds are written already.

    Args:
        flown: record of `Flown`.
        now: (n, 22), see `poses`, before the step.
    """
    past = int(flown.mark).to_bytes(8, "little") + now.tobytes() + flown.commands[flown.steps].tobytes()
    return int.from_bytes(hashlib.blake2b(past, digest_size=8).digest(), "little")

"""Records of worlds as Numba sees them."""

import itertools

import numpy as np

import envsuite
from envsuite.core.world import make_world


def records_in(dtype: np.dtype):
    """A record type and all that it holds."""
    dtype = dtype.base
    if dtype.names:
        yield dtype
        for name in dtype.names:
            yield from records_in(dtype[name])


def test_no_record_is_the_beginning_of_another():
    """Numba takes a longer record for a subtype of one that it begins with, and warns wherever both are used."""
    found = {}
    for card in envsuite.cards().values():
        if not card.id.startswith("envsuite/") or not card.playable:
            continue
        world = make_world(card.world, **card.options)
        for dtype in (world.state_dtype, world.params.dtype, world.info_dtype):
            for one in records_in(dtype):
                fields = tuple((name, *one.fields[name][:2]) for name in one.names)
                found.setdefault(fields, card.id)
    for (short, first), (long, second) in itertools.permutations(found.items(), 2):
        assert len(short) >= len(long) or long[: len(short)] != short, (first, second, short)

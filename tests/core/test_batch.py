"""Digests, snapshots, and what an interrupt leaves behind."""

import numpy as np

from envsuite.core.batch import digest
from envsuite.core.vector import WorldVectorEnv
from envsuite.evaluation.episodes import state_digests
from tests.core.worlds import CountWorld


def _with_junk(states):
    """The same fields, and rubbish between them."""
    junk = np.full(states.nbytes, 255, np.uint8).view(states.dtype)
    junk[...] = states
    return junk


def test_digests_depend_on_fields_alone():
    env = WorldVectorEnv(CountWorld(), 3)
    env.reset(seed=0)
    live, kept = env.batch.states, env.get_state().states
    junk = _with_junk(np.asarray(live))
    assert junk.tobytes() != live.tobytes()  # the record has padding
    assert digest(junk) == digest(live) == digest(kept)
    assert kept.tobytes() == live.tobytes()
    for field in kept.dtype.names:
        changed = kept.copy()
        state = changed[field] if changed[field].dtype.names is None else changed[field][changed[field].dtype.names[-1]]
        state[...] = state + 1
        assert digest(changed) != digest(kept), field


def test_digest_sees_every_byte_of_nested_fields():
    inner = np.dtype([("a", np.uint8), ("b", np.float64)], align=True)
    outer = np.dtype([("x", np.uint16), ("rows", inner, (2, 3)), ("flag", np.bool_)], align=True)
    one = np.zeros(2, outer)
    seen = {digest(one)}
    for record in range(2):
        for i, j, name in np.ndindex(2, 3, 2):
            changed = one.copy()
            changed[record]["rows"][i, j][("a", "b")[name]] = 1
            seen.add(digest(changed))
        for name in ("x", "flag"):
            changed = one.copy()
            changed[name][record] = 1
            seen.add(digest(changed))
    assert len(seen) == 1 + 2 * (12 + 2)


def test_digests_of_single_records_depend_on_fields_alone():
    env = WorldVectorEnv(CountWorld(), 3)
    env.reset(seed=0)
    snapshot = env.get_state()
    env.batch.states = _with_junk(np.asarray(env.batch.states))
    np.testing.assert_array_equal(
        state_digests(env.batch.states, np.arange(3)), state_digests(snapshot.states, np.arange(3))
    )

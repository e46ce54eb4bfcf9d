"""Digests, snapshots, and what an interrupt leaves behind."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from envsuite.core.aec import WorldAECEnv
from envsuite.core.batch import Batch, digest
from envsuite.core.parallel import VectorParallelEnv, WorldParallelEnv
from envsuite.core.single import WorldEnv
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


def _interrupted(batch):
    """Make the batch's loop stop after the first instance, as Ctrl-C or a world's error may."""
    loops = batch._loops

    def stops(*arguments):
        loops.step(*arguments[:-1], 1)
        raise KeyboardInterrupt

    batch._loops = replace(loops, step=stops)
    return lambda: setattr(batch, "_loops", loops)


@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("call", ["step", "reset"])
def test_interrupted_batch_says_so_until_it_is_whole_again(call, reuse):
    batch = Batch(CountWorld(base=9), 3, reuse=reuse)
    batch.seed(range(3))
    batch.reset()
    snapshot = batch.get_state()
    actions = np.ones((3, 1), np.float32)
    mend = _interrupted(batch)
    with pytest.raises(KeyboardInterrupt):
        batch.step(actions) if call == "step" else batch.reset()
    mend()
    for use in (lambda: batch.step(actions), batch.get_state, lambda: batch.reset(np.array([True, False, False]))):
        with pytest.raises(ResetNeeded, match="interrupted"):
            use()
    batch.set_state(snapshot)
    np.testing.assert_array_equal(batch.step(actions).observations, [[1, 1]] * 3)
    batch.set_state(snapshot)
    mend = _interrupted(batch)
    with pytest.raises(KeyboardInterrupt):
        batch.step(actions) if call == "step" else batch.reset()
    mend()
    np.testing.assert_array_equal(batch.reset().observations, np.zeros((3, 2)))
    np.testing.assert_array_equal(batch.step(actions).observations, [[1, 1]] * 3)


def test_interrupt_waits_for_the_other_threads():
    batch = Batch(CountWorld(), 2, num_threads=2)
    batch.seed(range(2))
    batch.reset()
    written = threading.Event()

    def slow(*arguments):
        if arguments[-2] == 0:
            raise KeyboardInterrupt
        time.sleep(0.2)
        written.set()

    batch._loops = replace(batch._loops, step=slow)
    with pytest.raises(KeyboardInterrupt):
        batch.step(np.ones((2, 1), np.float32))
    assert written.is_set()
    batch.close()


def test_refused_seeds_leave_the_states():
    env = WorldVectorEnv(CountWorld(base=9), 3)
    env.reset(seed=0)
    before = digest(env.batch.states)
    with pytest.raises(ValueError, match="-1"):
        env.reset(seed=[4, -1, 5])
    with pytest.raises(ValueError, match="2 seeds"):
        env.reset(seed=[4, 5])
    assert digest(env.batch.states) == before
    np.testing.assert_array_equal(env.step(np.ones((3, 1), np.float32))[0], [[1, 1]] * 3)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_masks_of_infos_are_arrays_of_their_own(mode):
    env = WorldVectorEnv(CountWorld(base=1), 3, autoreset_mode=mode)
    _, infos = env.reset(seed=0)
    found = [infos]
    for _ in range(4):
        infos = env.step(np.ones((3, 1), np.float32))[-1]
        found += [infos, infos.get("final_info", {})]
    assert any("_final_obs" in infos for infos in found) == (mode == "SameStep")
    for infos in found:
        arrays = {name: value for name, value in infos.items() if isinstance(value, np.ndarray)}
        for name, one in arrays.items():
            for other, two in arrays.items():
                assert name == other or not np.shares_memory(one, two), (name, other)
        assert all(value.dtype == bool and value.flags.c_contiguous for name, value in arrays.items() if name[0] == "_")


def _ended(env, step, over):
    env.reset(seed=0)
    while not over(step()):
        pass
    return step


def test_every_front_end_refuses_an_ended_instance_alike():
    single = WorldEnv(CountWorld())
    vector = WorldVectorEnv(CountWorld(), 2, autoreset_mode="Disabled")
    joint = WorldEnv(CountWorld(two=True))
    many = VectorParallelEnv(CountWorld(two=True), 2, autoreset_mode="Disabled")
    parallel = WorldParallelEnv(CountWorld(two=True))
    one, two, pair = np.ones(1, np.float32), np.ones((2, 1), np.float32), np.ones((2, 2, 1), np.float32)
    turns = WorldAECEnv(WorldParallelEnv(CountWorld(two=True)))
    everybody = dict.fromkeys(parallel.possible_agents, one)
    cases = [
        (single, lambda: single.step(one), lambda out: out[2] or out[3]),
        (vector, lambda: vector.step(two), lambda out: (out[2] | out[3]).any()),
        (joint, lambda: joint.step(two), lambda out: out[2] or out[3]),
        (many, lambda: many.step(pair), lambda out: (out[2] | out[3]).all(axis=1).any()),
        (
            parallel,
            lambda: parallel.step(dict.fromkeys(parallel.agents, one) or everybody),
            lambda _: not parallel.agents,
        ),
        (turns, lambda: turns.step(None if _out(turns) else one), lambda _: not turns.agents),
    ]
    for env, step, over in cases:
        with pytest.raises(ResetNeeded, match="call reset"):
            step()
        _ended(env, step, over)
        with pytest.raises(ResetNeeded, match=r"ended.*call reset"):
            step()


def _out(turns):
    agent = getattr(turns, "agent_selection", None)
    return turns.agents and (turns.terminations[agent] or turns.truncations[agent])


def test_parts_of_a_step_do_not_change_results(monkeypatch):
    monkeypatch.setattr("envsuite.core.batch._SECONDS_PER_PART", 1e-9)  # as if each step took long
    found, cuts = [], []
    for threads in (1, 2):
        env = WorldVectorEnv(CountWorld(), 203, max_episode_steps=7, num_threads=threads)
        env.action_space.seed(0)
        env.reset(seed=0)
        found.append([env.step(env.action_space.sample())[:4] for _ in range(20)])
        cuts.append(env.batch._parts)
        env.close()
    assert cuts == [1, 12]  # of 16 instances or more
    for one, other in zip(*found, strict=True):
        for first, second in zip(one, other, strict=True):
            np.testing.assert_array_equal(first, second)

"""One environment, many ways in: they all give the same bits."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from envsuite.cards import EnvCard
from envsuite.core.batch import digest
from envsuite.evaluation.replay import replay
from envsuite.evaluation.rollout import play, random_policy
from envsuite.testing.behaviour import behaviour_hash
from envsuite.testing.checks.common import NotApplicable, ended, traced
from envsuite.testing.traces import batch_env, random_actions, slots_trace, vector_trace

_PATIENCE = 300  # s
_TOO_SLOW = f"plain Python takes more than {_PATIENCE} s"
INTERPRETED = 6
"""Steps of kernels in plain Python."""


def seeding(card: EnvCard) -> None:
    """Equal seeds: equal episodes at every step, resets included. Other seeds: others, unless the tags say no."""
    steps, limit = traced(card)
    actions = random_actions(card, steps, 2)
    one, same, other = (
        slots_trace(card, actions, AutoresetMode.NEXT_STEP, seed, parallel=card.agents > 1, limit=limit)
        for seed in (7, 7, 11)
    )
    one.assert_equal(same, "two runs with one seed")
    alike = all(np.array_equal(getattr(same, name), getattr(other, name)) for name in ("observations", "rewards"))
    expected = "deterministic" in card.tags or "rare chance" in card.tags
    assert alike == expected, f"seeds 7 and 11 give {'the same' if alike else 'other'} episodes"


def front_ends_agree(card: EnvCard) -> None:
    """Single = vector slot = parallel, bit for bit, in every autoreset mode; sizes and threads in the usual one."""
    forms = [False, True] if card.agents > 1 else [False]
    sizes = [(5, 3, True), (5, 1, True), (5, 2, False), (2, 2, True), (1, 1, True)]
    steps, limit = traced(card)
    for parallel in forms:
        for mode in AutoresetMode:
            actions = random_actions(card, steps, 5)
            singles = slots_trace(card, actions, mode, 100, parallel=parallel, limit=limit)
            for slots, threads, copy in sizes if mode is AutoresetMode.NEXT_STEP else sizes[:1]:
                given = {"parallel": parallel, "limit": limit, "num_threads": threads, "copy": copy}
                trace = vector_trace(card, actions[:, :slots], mode, 100, **given)
                part = _slots_of(singles, slots)
                what = f"{mode.value}, parallel={parallel}, {slots} slots, {threads} threads, copy={copy}"
                part.assert_equal(trace, what)


def _slots_of(trace, slots: int):
    columns = [getattr(trace, name)[:, :slots] for name in ("observations", "rewards", "terminated", "truncated")]
    return type(trace)(*columns, [entry for entry in trace.final if entry[1] < slots])


def snapshots(card: EnvCard) -> None:
    """A state restored in mid-episode, in the same or another instance, has the same future."""
    actions = random_actions(card, 120, 3)
    env, other = batch_env(card, 3), batch_env(card, 3)
    env.reset(seed=5)
    for row in actions[:37]:
        env.step(row)
    snapshot = pickle.loads(pickle.dumps(env.get_state()))
    assert digest(snapshot.states.copy()) == digest(env.batch.states), "a copied state has another digest"
    future = [env.step(row) for row in actions[37:]]
    other.reset(seed=6)
    other.set_state(snapshot)
    env.set_state(snapshot)
    for k, row in enumerate(actions[37:]):
        for copy in (env, other):
            for mine, theirs in zip(copy.step(row)[:4], future[k][:4], strict=True):
                assert np.array_equal(mine, theirs), f"step {k} after the restored state differs"
    assert digest(env.batch.states) == digest(other.batch.states), "states differ after equal futures"


def pickling(card: EnvCard) -> None:
    """A pickled environment goes on where it was."""
    actions = random_actions(card, 60, 1)
    env = gymnasium.make(card.id)
    env.reset(seed=3)
    for row in actions[:20]:
        if ended(env.step(row[0])):
            env.reset()
    copy = pickle.loads(pickle.dumps(env))
    for row in actions[20:]:
        mine, theirs = env.step(row[0]), copy.step(row[0])
        for one, other in zip(mine[:4], theirs[:4], strict=True):
            assert np.array_equal(one, other), "the pickled copy departs"
        if ended(mine):
            assert np.array_equal(env.reset()[0], copy.reset()[0]), "the pickled copy resets differently"
    vector = gymnasium.make_vec(card.id, num_envs=2)
    vector.reset(seed=3)
    vector_copy = pickle.loads(pickle.dumps(vector))
    pair = np.concatenate([actions[0], actions[1]])
    assert np.array_equal(vector.step(pair)[0], vector_copy.step(pair)[0]), "the pickled vector departs"


def replays(card: EnvCard) -> None:
    """Recorded episodes replay, and tampered ones do not."""
    log = play(card, random_policy, 3, first_seed=21, record=True).log
    assert log is not None
    problem = replay(log, card)
    assert problem is None, str(problem)
    step = int(log.lengths[1]) // 2
    rewards = log.rewards.copy()
    rewards[log.offsets[1] + step] += 1
    found = replay(replace(log, rewards=rewards), card)
    assert found and (found.episode, found.step, found.what) == (1, step, "reward"), f"tampering: found {found}"


def fresh_arrays(card: EnvCard) -> None:
    """copy=True never touches what it has given out; copy=False gives the same arrays every step."""
    actions = random_actions(card, 3, 4)
    env = gymnasium.make_vec(card.id, num_envs=4)
    env.reset(seed=0)
    given = env.step(actions[0])
    kept = [np.array(array) for array in given[:4]]
    kept_info = {name: np.array(value) for name, value in given[4].items()}
    for row in actions[1:]:
        env.step(row)
    for array, before in zip(given[:4], kept, strict=True):
        assert np.array_equal(array, before), "a later step changed an array of an earlier one"
    for name, before in kept_info.items():
        assert np.array_equal(given[4][name], before), f"a later step changed info[{name!r}]"
    reusing = gymnasium.make_vec(card.id, num_envs=4, copy=False)
    reusing.reset(seed=0)
    assert np.shares_memory(reusing.step(actions[0])[0], reusing.step(actions[1])[0]), "copy=False copies"


def interpreted(card: EnvCard) -> None:
    """Plain Python (``NUMBA_DISABLE_JIT=1``), as in a debugger, computes the same bits as compiled kernels."""
    told, error = _plain_python(card.id)
    if error is None:
        raise NotApplicable(_TOO_SLOW)
    assert told, error
    assert told == behaviour_hash(card, INTERPRETED), "interpreted and compiled kernels compute different bits"


def cuda_simulator(card: EnvCard) -> None:
    """The CUDA front end, on Numba's simulator, follows the batch front end in both autoreset modes."""
    if card.engine:
        raise NotApplicable(f"runs on {card.engine}")
    _, error = _plain_python(card.id)
    if error is None:
        raise NotApplicable(_TOO_SLOW)
    assert not error, error


_PLAINLY = f"""
import sys, envsuite
from envsuite.testing.behaviour import behaviour_hash
from envsuite.testing.cuda import compare
card = envsuite.cards()[sys.argv[1]]
print(behaviour_hash(card, {INTERPRETED}), flush=True)
if not card.engine:
    compare(card)
"""


@lru_cache(maxsize=1)
def _plain_python(env_id: str) -> tuple[str, str | None]:
    """A behaviour hash in plain Python, and what went wrong there or in the simulator; one process for two checks.

    It may not come to an end where a world is made by playing it, or has many particles; that is told by None.
    """
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-W", "ignore", "-c", _PLAINLY, env_id]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return "", None
    return done.stdout.strip(), done.stderr if done.returncode else ""

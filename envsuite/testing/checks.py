"""The checks of the conformance kit; each takes a card and raises where the environment breaks its promise."""

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass

import gymnasium
import numpy as np
import pettingzoo
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard
from envsuite.core.batch import digest
from envsuite.core.language import Refusal
from envsuite.core.layout import Choice, Choices, Vector
from envsuite.core.parallel import WorldParallelEnv
from envsuite.evaluation.replay import record, verify
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.testing.behaviour import behaviour_hash
from envsuite.testing.traces import batch_env, random_actions, slots_trace, vector_trace

STEPS = 1000


class NotApplicable(Exception):  # noqa: N818  (not an error)
    """A check that has nothing to look at, for a stated reason."""


@dataclass(frozen=True)
class Outcome:
    """Result of one check: ``"ok"``, ``"failed"`` or ``"n/a"``, with the reason."""

    check: str
    result: str
    detail: str = ""


@contextmanager
def _strict():
    """Warnings as errors, and windows without a screen."""
    previous = os.environ.get("SDL_VIDEODRIVER")
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        if previous is None:
            del os.environ["SDL_VIDEODRIVER"]
        else:
            os.environ["SDL_VIDEODRIVER"] = previous


def _only_several(card: EnvCard) -> None:
    if card.agents == 1:
        raise NotApplicable("single agent")


def gymnasium_api(card: EnvCard) -> None:
    """Gymnasium's own checker, warnings as errors."""
    with _strict():
        check_env(gymnasium.make(card.id).unwrapped)


def stable_baselines_api(card: EnvCard) -> None:
    """Stable-Baselines3's checker, warnings as errors."""
    try:
        from stable_baselines3.common.env_checker import check_env as sb3_check_env
    except ModuleNotFoundError as error:
        raise NotApplicable("stable-baselines3 is not installed") from error
    if card.agents > 1:
        raise NotApplicable("the checker knows one agent only")
    with _strict():
        sb3_check_env(gymnasium.make(card.id), skip_render_check=False)


def pettingzoo_api(card: EnvCard) -> None:
    """PettingZoo's tests of the parallel and the AEC API, warnings as errors."""
    _only_several(card)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its tests import environments in a way that it calls deprecated
        from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
    with _strict():
        parallel_api_test(pettingzoo.make("parallel", card.id), num_cycles=STEPS)
        api_test(pettingzoo.make("aec", card.id), num_cycles=STEPS)
        parallel_seed_test(lambda: pettingzoo.make("parallel", card.id))
        seed_test(lambda: pettingzoo.make("aec", card.id))


def pettingzoo_rendering(card: EnvCard) -> None:
    """PettingZoo's render and cycle-limit rules."""
    _only_several(card)
    env = pettingzoo.make("parallel", card.id, render_mode="rgb_array")
    env.reset(seed=0)
    frame = env.render()
    assert frame.dtype == np.uint8 and frame.ndim == 3, f"frame is {frame.dtype} {frame.shape}"
    env = WorldParallelEnv(max_cycles=4, **card.kwargs)
    env.reset(seed=0)
    cycles = 0
    while env.agents:
        env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        cycles += 1
    assert cycles <= 4, f"max_cycles=4, but the episode took {cycles} steps"


def seeding(card: EnvCard) -> None:
    """Equal seeds: equal episodes at every step, resets included. Other seeds: others."""
    actions = random_actions(card, STEPS, 2)
    same = [slots_trace(card, actions, AutoresetMode.NEXT_STEP, 7, parallel=card.agents > 1) for _ in range(2)]
    same[0].assert_equal(same[1], "two runs with one seed")
    other = slots_trace(card, actions, AutoresetMode.NEXT_STEP, 11, parallel=card.agents > 1)
    assert not np.array_equal(same[0].observations, other.observations), "seeds 7 and 11 give the same episodes"


def front_ends_agree(card: EnvCard) -> None:
    """Single = vector slot = parallel, bit for bit, in every autoreset mode, batch size and thread count."""
    forms = [False, True] if card.agents > 1 else [False]
    for parallel in forms:
        for mode in AutoresetMode:
            actions = random_actions(card, STEPS, 5)
            singles = slots_trace(card, actions, mode, 100, parallel=parallel)
            for slots, threads, copy in (
                (5, 1, True),
                (5, 3, True),
                (5, 2, False),
                (2, 2, True),
                (1, 1, True),
            ):
                trace = vector_trace(
                    card, actions[:, :slots], mode, 100, parallel=parallel, num_threads=threads, copy=copy
                )
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
        if _ended(env.step(row[0])):
            env.reset()
    copy = pickle.loads(pickle.dumps(env))
    for row in actions[20:]:
        mine, theirs = env.step(row[0]), copy.step(row[0])
        assert np.array_equal(mine[0], theirs[0]) and mine[1:4] == theirs[1:4], "the pickled copy departs"
        if _ended(mine):
            assert np.array_equal(env.reset()[0], copy.reset()[0]), "the pickled copy resets differently"
    vector = gymnasium.make_vec(card.id, num_envs=2)
    vector.reset(seed=3)
    vector_copy = pickle.loads(pickle.dumps(vector))
    pair = np.concatenate([actions[0], actions[1]])
    assert np.array_equal(vector.step(pair)[0], vector_copy.step(pair)[0]), "the pickled vector departs"


def _ended(step) -> bool:
    return bool(step[2] or step[3])


def specification(card: EnvCard) -> None:
    """The spec survives JSON and makes the same environment."""
    env = gymnasium.make(card.id)
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space and again.action_space == env.action_space
    assert np.array_equal(env.reset(seed=1)[0], again.reset(seed=1)[0]), "the environment from JSON differs"
    assert env.spec.max_episode_steps == card.horizon


def async_spawn(card: EnvCard) -> None:
    """Works in Gymnasium's subprocess vector with the spawn start method, equal to the native one."""
    native = gymnasium.make_vec(card.id, num_envs=2)
    workers = gymnasium.make_vec(card.id, num_envs=2, vectorization_mode="async", vector_kwargs={"context": "spawn"})
    try:
        assert np.array_equal(native.reset(seed=9)[0], workers.reset(seed=9)[0]), "first observations differ"
        for row in random_actions(card, 5, 2):
            mine, theirs = native.step(row), workers.step(row)
            assert np.array_equal(mine[0], theirs[0]), "observations differ"
            np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-6)
    finally:
        workers.close()


def rendering(card: EnvCard) -> None:
    """Every render mode works, frames show something, and no mode changes an observation."""
    plain = gymnasium.make(card.id)
    actions = random_actions(card, 10, 1)[:, 0]
    with _strict():
        for mode in plain.metadata["render_modes"]:
            env = gymnasium.make(card.id, render_mode=mode)
            plain.reset(seed=2)
            env.reset(seed=2)
            for action in actions:
                expected, step = plain.step(action), env.step(action)
                assert np.array_equal(expected[0], step[0]), f"render_mode={mode!r} changes observations"
                shown = env.render()
                if _ended(step):
                    break
            if mode == "rgb_array":
                assert shown.dtype == np.uint8 and shown.ndim == 3 and shown.shape[2] == 3
                assert shown.std() > 1, "the frame is blank"
            elif mode == "ansi":
                assert isinstance(shown, str) and shown.strip()
            else:
                assert shown is None
            env.close()
            env.close()


def pixel_observations(card: EnvCard) -> None:
    """The pixel variant gives uint8 pictures inside its space, and pictures change as things move."""
    env = gymnasium.make(card.id, obs_type="pixels")
    first, _ = env.reset(seed=0)
    assert env.observation_space.contains(first), f"{first.dtype} {first.shape} is outside the space"
    assert first.std() > 1, "the picture is blank"
    changed = False
    for action in random_actions(card, 15, 1)[:, 0]:
        observation, *_, terminated, truncated, _ = env.step(action)
        changed = changed or not np.array_equal(observation, first)
        if terminated or truncated:
            break
    assert changed, "the picture never changes"
    vector = gymnasium.make_vec(card.id, num_envs=2, obs_type="pixels")
    observations, _ = vector.reset(seed=0)
    assert vector.observation_space.contains(observations)
    assert np.array_equal(observations[0], first), "single and vector pictures differ"


def observations_in_space(card: EnvCard) -> None:
    """Observations never leave their space, rewards stay finite, over long random play."""
    env = gymnasium.make_vec(card.id, num_envs=64)
    policy = RandomPolicy(env.world.action, env.world.lead_shape(64))
    policy.reset(np.ones(64, bool), np.arange(64))
    low, high = env.observation_space.low, env.observation_space.high
    observations, _ = env.reset(seed=0)
    for step in range(STEPS):
        inside = (observations >= low) & (observations <= high)
        assert inside.all(), (
            f"step {step}: observation {observations[~inside][0]} at {np.argwhere(~inside)[0]} is out of bounds"
        )
        observations, rewards, *_ = env.step(policy.act(observations, env.batch.states))
        assert np.isfinite(rewards).all(), f"step {step}: reward {rewards[~np.isfinite(rewards)][0]}"
    assert env.observation_space.contains(observations), f"{observations.dtype} {observations.shape}"


def bad_actions(card: EnvCard) -> None:
    """Malformed actions are refused by name and value, and change nothing."""
    env = gymnasium.make(card.id).unwrapped
    env.reset(seed=0)
    before = digest(env.batch.states)
    good = random_actions(card, 1, 1)[0, 0]
    bad: list[tuple[object, str]] = [(np.zeros((*np.shape(good), 2)), "shape"), ("up", "shape|type")]
    if isinstance(env.world.action, Vector):
        poisoned = np.array(good)
        poisoned.reshape(-1)[-1] = np.nan
        bad += [(poisoned, "nan"), (np.full(np.shape(good), "x"), "type"), (good.astype(complex), "type")]
    else:
        beyond = np.array(good)
        beyond.reshape(-1)[-1] = 10_000
        bad += [(beyond, "10000"), (np.array(good) + 0.5, "type"), (np.array(good) * 0 - 1, "-1")]
    if isinstance(env.world.action, Vector) and env.world.out_of_range == "refuse":
        bad.append((np.full(np.shape(good), 1e9, np.float32), "1"))
    for action, mention in bad:
        try:
            env.step(action)
        except (TypeError, ValueError) as error:
            assert any(word in str(error) for word in mention.split("|")), f"{action!r}: unhelpful error {error!s}"
        else:
            raise AssertionError(f"the action {action!r} was accepted")
    assert digest(env.batch.states) == before, "a refused action changed the state"
    if env.world.out_of_range == "clip":
        limit = np.full(np.shape(good), 1e9)
        env.step(limit)
        state = digest(env.batch.states)
        env.reset(seed=0)
        env.step(np.broadcast_to(env.world.action.high, np.shape(good)))
        assert digest(env.batch.states) == state, "an action out of range is not clipped"


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


def text(card: EnvCard) -> None:
    """The description is text and moves with the state; actions written as text come back; nonsense is refused."""
    env = gymnasium.make(card.id).unwrapped
    env.reset(seed=0)
    first = env.describe()
    assert isinstance(first, str) and len(first) > 20, f"too short to play by: {first!r}"
    layout = env.world.action
    for action in random_actions(card, 3, 1)[:, 0]:
        env.step(action)
        one = action[0] if env.world.agents else action
        parsed = env.parse(_written(one, layout))
        assert not isinstance(parsed, Refusal), f"{_written(one, layout)!r} was refused: {parsed}"
        assert np.allclose(parsed, one, atol=1e-4), f"{_written(one, layout)!r} was read as {parsed}"
    assert env.describe() != first, "the description never changes"
    for nonsense in ("", "   ", "I do not know.", "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9"):
        refusal = env.parse(nonsense)
        assert isinstance(refusal, Refusal) and refusal.reason, f"{nonsense!r} was read as {refusal!r}"


def _written(action, layout) -> str:
    if isinstance(layout, Choice):
        return layout.names[int(action)]
    if isinstance(layout, Choices):
        pairs = zip(layout.heads, action, strict=True)
        return ", ".join(f"{name}: {names[int(k)]}" for (name, names), k in pairs)
    return "[" + ", ".join(f"{value:.6f}" for value in np.reshape(action, -1)) + "]"


def replays(card: EnvCard) -> None:
    """A recorded episode verifies, and a tampered one does not."""
    replay = record(card, random_policy, 21)
    problem = verify(replay, card)
    assert problem is None, problem
    rewards = replay.rewards.copy()
    rewards[len(rewards) // 2] += 0.5
    tampered = type(replay)(replay.env_id, replay.seed, replay.actions, rewards, replay.digests)
    found = verify(tampered, card)
    assert found and found.startswith(f"step {len(rewards) // 2}:"), f"tampering was answered with {found!r}"


def expert_beats_random(card: EnvCard) -> None:
    """The reference policy scores above the random one by more than five standard errors."""
    best, worst = (play(card, make, 50).score("") for make in (expert_policy, random_policy))
    margin = 5 * np.hypot(best.standard_error, worst.standard_error)
    assert best.mean - worst.mean > margin, f"expert {best.mean:.4g}, random {worst.mean:.4g}"


def anchors(card: EnvCard) -> None:
    """The anchor scores on the card are what the policies score."""
    for stated, make in ((card.random, random_policy), (card.expert, expert_policy)):
        if stated is None:
            raise NotApplicable("the card states no anchor scores yet")
        measured = play(card, make, min(200, stated.episodes)).score(stated.policy)
        error = 4 * np.hypot(stated.standard_error, measured.standard_error) + 1e-6 * abs(stated.mean)
        assert abs(measured.mean - stated.mean) <= error, (
            f"{stated.policy} scores {measured.mean:.5g}, the card says {stated.mean:.5g}"
        )


def behaviour(card: EnvCard) -> None:
    """The behaviour hash on the card is what the environment does."""
    if not card.behaviour:
        raise NotApplicable("the card states no behaviour hash yet")
    found = behaviour_hash(card)
    assert found == card.behaviour, (
        f"behaviour hash is {found}, the card says {card.behaviour}: a change of behaviour needs a new version"
    )


def interpreted(card: EnvCard) -> None:
    """Plain Python (``NUMBA_DISABLE_JIT=1``), as in a debugger, computes the same bits as compiled kernels."""
    code = "import sys, envsuite\nfrom envsuite.testing.behaviour import behaviour_hash\n"
    found = _python(code + "print(behaviour_hash(envsuite.cards()[sys.argv[1]], 12))", card, {"NUMBA_DISABLE_JIT": "1"})
    assert found == behaviour_hash(card, 12), "interpreted and compiled kernels compute different bits"


def cuda_simulator(card: EnvCard) -> None:
    """The CUDA front end, on Numba's simulator, follows the batch front end in both autoreset modes."""
    code = "import sys, envsuite\nfrom envsuite.testing.cuda import compare\ncompare(envsuite.cards()[sys.argv[1]])"
    _python(code, card, {"NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"})


def _python(code: str, card: EnvCard, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, card.id],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CHECKS: dict[str, Callable[[EnvCard], None]] = {
    check.__name__: check
    for check in (
        gymnasium_api,
        stable_baselines_api,
        pettingzoo_api,
        pettingzoo_rendering,
        seeding,
        front_ends_agree,
        snapshots,
        pickling,
        specification,
        async_spawn,
        rendering,
        pixel_observations,
        observations_in_space,
        bad_actions,
        fresh_arrays,
        text,
        replays,
        expert_beats_random,
        anchors,
        behaviour,
        interpreted,
        cuda_simulator,
    )
}


def run_checks(card: EnvCard, names: list[str] | None = None) -> list[Outcome]:
    """Run checks on one environment and gather what they say.

    Args:
        card: the environment.
        names: checks to run; all by default.

    Returns:
        One outcome a check; nothing is raised.
    """
    outcomes = []
    for name in names or list(CHECKS):
        try:
            CHECKS[name](card)
            outcomes.append(Outcome(name, "ok"))
        except NotApplicable as reason:
            outcomes.append(Outcome(name, "n/a", str(reason)))
        except Exception as error:  # a broken environment may raise anything
            outcomes.append(Outcome(name, "failed", f"{type(error).__name__}: {error}"))
    return outcomes

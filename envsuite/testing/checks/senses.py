"""What goes in and comes out: pictures, texts, observations, actions."""

import gymnasium
import numpy as np

from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard
from envsuite.core.batch import digest
from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.layout import Choice, Choices, Vector
from envsuite.core.world import lead_shape
from envsuite.testing.checks.common import ended, steps_for, strict
from envsuite.testing.traces import random_actions

SLOTS = 16
"""Episodes of long random play at once."""


def rendering(card: EnvCard) -> None:
    """Every render mode works, frames show something, and no mode changes an observation."""
    plain = gymnasium.make(card.id)
    actions = random_actions(card, 10, 1)[:, 0]
    with strict():
        for mode in plain.metadata["render_modes"]:
            env = gymnasium.make(card.id, render_mode=mode)
            plain.reset(seed=2)
            env.reset(seed=2)
            if mode == "human":
                env.unwrapped._window.fps = 1000  # nobody watches
            for action in actions:
                expected, step = plain.step(action), env.step(action)
                assert np.array_equal(expected[0], step[0]), f"render_mode={mode!r} changes observations"
                shown = env.render()
                if ended(step):
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
        observation, *_, terminated, truncated, _ = env.step(_legal(env.unwrapped, action))
        changed = changed or not np.array_equal(observation, first)
        if terminated or truncated:
            break
    assert changed, "the picture never changes"
    vector = gymnasium.make_vec(card.id, num_envs=2, obs_type="pixels")
    observations, _ = vector.reset(seed=0)
    assert vector.observation_space.contains(observations)
    assert np.array_equal(observations[0], first), "single and vector pictures differ"


def _legal(env, action):
    """The action, or where the environment has a mask one that it allows."""
    if "action_mask" not in (env.world.info_dtype.names or ()):
        return action
    masks = np.atleast_2d(env.batch.last.info["action_mask"][0])
    rows = [np.flatnonzero(mask) if mask.any() else np.zeros(1, int) for mask in masks]
    chosen = [row[int(one) % len(row)] for row, one in zip(rows, np.atleast_1d(action), strict=True)]
    return np.array(chosen, env.world.action.dtype).reshape(np.shape(action))


def observations_in_space(card: EnvCard) -> None:
    """Observations never leave their space, rewards stay finite, over long random play."""
    env = gymnasium.make_vec(card.id, num_envs=SLOTS)
    policy = RandomPolicy(env.world.action, lead_shape(env.world, SLOTS), env.world.observation)
    policy.reset(np.ones(SLOTS, bool), np.arange(SLOTS))
    low, high = env.observation_space.low, env.observation_space.high
    observations, _ = env.reset(seed=0)
    for step in range(steps_for(card)):
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
    if isinstance(env.world.action, Vector) and env.world.action.out_of_range == "refuse":
        bad.append((np.full(np.shape(good), 1e9, np.float32), "1"))
    for action, mention in bad:
        try:
            env.step(action)
        except (TypeError, ValueError) as error:
            assert any(word in str(error) for word in mention.split("|")), f"{action!r}: unhelpful error {error!s}"
        else:
            raise AssertionError(f"the action {action!r} was accepted")
    assert digest(env.batch.states) == before, "a refused action changed the state"
    if env.world.action.out_of_range == "clip":
        limit = np.full(np.shape(good), 1e9)
        env.step(limit)
        state = digest(env.batch.states)
        env.reset(seed=0)
        env.step(np.broadcast_to(env.world.action.high, np.shape(good)))
        assert digest(env.batch.states) == state, "an action out of range is not clipped"


_ANSWERS = 50
"""Of a situation, that are read."""


def text(card: EnvCard) -> None:
    """The description is text and moves with the state; actions written as text come back; nonsense is refused."""
    env = gymnasium.make(card.id).unwrapped
    env.reset(seed=0)
    first = env.describe()
    assert isinstance(first, str) and len(first) > 20, f"too short to play by: {first!r}"
    layout = env.world.action
    for k, action in enumerate(random_actions(card, 200, 1)[:, 0]):
        if k >= 3 and env.describe() != first:
            break
        if env.batch.done[0]:
            env.reset()
        env.step(_legal(env, action))
        _answers_come_back(env)
        one = action[0] if env.world.agents else action
        if "action_mask" in (env.world.info_dtype.names or ()):
            allowed = np.flatnonzero(np.atleast_2d(env.batch.last.info["action_mask"][0])[0])
            if not allowed.size:  # in a game of turns, the other's
                continue
            one = allowed[int(one) % len(allowed)]
        parsed = env.parse(_written(one, layout))
        assert not isinstance(parsed, Refusal), f"{_written(one, layout)!r} was refused: {parsed}"
        assert np.allclose(parsed, one, atol=1e-4), f"{_written(one, layout)!r} was read as {parsed}"
    assert env.describe() != first, "the description never changes"
    for nonsense in ("", "   ", "I do not know.", "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9"):
        refusal = env.parse(nonsense)
        assert isinstance(refusal, Refusal) and refusal.reason, f"{nonsense!r} was read as {refusal!r}"


def _answers_come_back(env) -> None:
    """The texts that name actions are read, each as another one."""
    words, state = companion(env.world, Words), env.batch.states[0]
    for agent in range(max(1, len(env.world.agents))):
        listed = words.answers(state, agent)[:_ANSWERS]
        read = [words.parse(one, state, agent) for one in listed]
        for one, found in zip(listed, read, strict=True):
            illegal = isinstance(found, Refusal) and found.kind is RefusalKind.ILLEGAL
            assert illegal or not isinstance(found, Refusal), f"the answer {one!r} was refused: {found}"
        actions = [np.asarray(one).tobytes() for one in read if not isinstance(one, Refusal)]
        assert len(set(actions)) == len(actions), f"two of the answers {list(listed)} name the same action"


def _written(action, layout) -> str:
    if isinstance(layout, Choice):
        return layout.names[int(action)]
    if isinstance(layout, Choices):
        pairs = zip(layout.heads, action, strict=True)
        return ", ".join(f"{name}: {names[int(k)]}" for (name, names), k in pairs)
    return "[" + ", ".join(f"{value:.6f}" for value in np.reshape(action, -1)) + "]"

"""Every task beside the package popgym, with its decks, boards, chances and starts: observations, rewards, ends."""

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.world import make_world

popgym = pytest.importorskip("popgym.envs")
pytestmark = pytest.mark.slow

STEPS = 10_000
CARDS = [card for card in envsuite.cards().values() if ".popgym." in card.world]


class Fixed:
    """Stands for the original's random numbers."""

    def __init__(self, **given):
        self.__dict__ |= given


def episode(world, seed: int, horizon: int):
    """Random actions in one of our episodes: records, observations, actions, rewards, both flags."""
    batch = Batch(world, 1, num_threads=1, horizon=horizon)
    batch.seed([seed])
    draw = np.random.default_rng(seed)
    out = batch.reset()
    states, seen = [batch.states[0].copy()], [out.observations[0].copy()]
    actions, rewards, ends, cuts = [], [], [], []
    while not (ends and (ends[-1] or cuts[-1])):
        low, high = world.action.low, world.action.high
        whole = world.action.dtype is np.int64
        action = draw.integers(low, high, endpoint=True) if whole else draw.uniform(low, high).astype(np.float32)
        out = batch.step(np.asarray(action, world.action.dtype)[None], np.zeros(1, bool))
        states.append(batch.states[0].copy())
        seen.append(out.observations[0].copy())
        actions.append(action)
        rewards.append(float(out.rewards[0]))
        ends.append(bool(out.terminated[0]))
        cuts.append(bool(out.truncated[0]))
    return states, seen, actions, rewards, ends, cuts


def stacked(deck, kinds: np.ndarray, of_cards: np.ndarray) -> None:
    """Make a deck deal cards of these kinds in this order."""
    piles = {kind: list(np.flatnonzero(of_cards == kind)) for kind in np.unique(of_cards)}
    order, plain = np.array([piles[kind].pop() for kind in kinds]), deck.reset

    def reset(shuffle=True, rng=None):
        plain(shuffle=False)
        deck.idx = order[::-1].copy()

    deck.reset = reset


def prepared(env, task: str, states: list) -> None:
    """Give the original what ours has drawn, before its reset."""
    shown = np.array([one["shown"] for one in states]) if "shown" in states[0].dtype.names else None
    if task in ("RepeatPrevious", "RepeatFirst"):
        stacked(env.deck, shown, env.deck.suits_idx)
    elif task == "Autoencode":
        stacked(env.deck, shown[: env.deck.num_cards], env.deck.suits_idx)
    elif task == "HigherLower":
        stacked(env.deck, shown, env.deck.ranks_idx)
    elif task == "CountRecall":
        stacked(env.value_deck, shown, env.deck_idx_type)
        stacked(env.query_deck, np.array([one["query"] for one in states]), env.deck_idx_type)
    elif task == "Concentration":
        stacked(env.deck, states[0]["cards"][: env.deck.num_cards][::-1], env.deck_idx_type)
    elif task == "MineSweeper":
        cells = env.dims[0] * env.dims[1]
        env._np_random = Fixed(choice=lambda *a, **k: np.flatnonzero(states[0]["mine"][:cells]))
    elif task == "MultiarmedBandit":
        paid = iter([one["payout"] for one in states[1:]])

        def random(size=None, dtype=None):
            return states[0]["chance"][:size].copy() if size else 1.0 - next(paid)

        env._np_random = Fixed(random=random)
    elif "CartPole" in task:
        start = np.array([states[0][name] for name in ("x", "x_dot", "theta", "theta_dot")])
        plain = [np.array([one["x"], one["theta"]], np.float32) for one in states]
        noise = iter([one["seen"] - true for one, true in zip(states, plain, strict=True)])
        env._np_random = Fixed(uniform=lambda **k: start.copy(), normal=lambda *a: next(noise))
    elif "Pendulum" in task:
        start = np.array([states[0]["theta"], states[0]["theta_dot"]])
        plain = [np.array([np.cos(one["theta"]), np.sin(one["theta"])], np.float32) for one in states]
        noise = iter([one["seen"] - true for one, true in zip(states, plain, strict=True)])
        env._np_random = Fixed(uniform=lambda **k: start.copy(), normal=lambda *a: next(noise))


def begun(env, task: str, states: list):
    """The original's first observation."""
    prepared(env, task, states)
    if task == "Battleship":
        size = env.board_size
        env.place_ship = lambda board, cells: (states[0]["ship"][: size * size].reshape(size, size) > 0).astype(np.int8)
    return env.reset()[0]


def one_hot(value: int, size: int) -> np.ndarray:
    """1 in one of some places."""
    return np.eye(size)[int(value)]


def expected(env, task: str, obs) -> np.ndarray:
    """The original's observation as ours, without the previous action."""
    if task in ("RepeatPrevious", "RepeatFirst"):
        return one_hot(obs, 4)
    if task == "Autoencode":
        return np.append(one_hot(obs[1], 4), obs[0] == 0)
    if task == "HigherLower":
        return one_hot(obs, 13)
    if task == "CountRecall":
        return np.concatenate([one_hot(one, env.num_distinct_cards) for one in obs])
    if task == "Concentration":
        return (np.arange(env.facedown_card + 1)[:, None] == obs).reshape(-1)
    if task == "MineSweeper":
        return one_hot(obs, env.observation_space.n)
    if task in ("Battleship", "MultiarmedBandit"):
        return np.array([obs])
    return np.asarray(obs)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id[12:-3])
def test_as_the_original(card):
    name = card.id.removeprefix("envsuite/Pop").removesuffix("-v0")
    task = name.removesuffix("Easy").removesuffix("Medium").removesuffix("Hard")
    takes_compat = task == "Autoencode" or "CartPole" in task
    world = make_world(card.world, **card.options, **({"compat": "popgym-1.0.7"} if takes_compat else {}))
    made = getattr(popgym, name)
    taken, seed, worst = 0, 0, 0.0
    while taken < STEPS:
        states, seen, actions, rewards, ends, cuts = episode(world, seed, card.horizon)
        env = made()
        obs = begun(env, task, states)
        for t in range(len(actions) + 1):
            want = np.asarray(expected(env, task, obs), np.float64)
            worst = max(worst, np.abs(want - seen[t][: len(want)]).max())
            if "Cart" in task:
                ours = np.array([states[t][one] for one in ("x", "x_dot", "theta", "theta_dot")])
                worst = max(worst, np.abs(ours - env.state).max())
            if t == len(actions):
                break
            # a torque in double precision: the original's equation of motion takes the precision of its action
            action = actions[t].astype(np.float64) if "Pend" in task else actions[t]
            obs, reward, ended, cut, _ = env.step(action)
            worst = max(worst, abs(reward - rewards[t]))
            assert (ended, cut) == (ends[t], cuts[t]), (t, ended, cut, ends[t], cuts[t])
        taken += len(actions)
        seed += 1
    print(f"{name}: {taken} steps in {seed} episodes, largest difference {worst:.2g}")
    assert worst < 2e-7

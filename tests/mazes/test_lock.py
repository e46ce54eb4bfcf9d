"""The combination lock against its rules, closed forms and a rotation by another library."""

import numpy as np
import pytest
from scipy.linalg import hadamard

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.language import Refusal
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.mazes.lock.experts import Keeper
from envsuite.mazes.lock.language import LockWords
from envsuite.mazes.lock.world import DEAD, LANES, SYMBOLS, LockWorld, combination

SLOTS = 4000


def begun(world: LockWorld, slots: int = SLOTS) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def near(sample: np.ndarray, expected: float) -> bool:
    """Whether a mean lies within four standard errors of what is expected."""
    sample = np.asarray(sample, np.float64)
    return abs(sample.mean() - expected) <= 4 * (sample.std(ddof=1) / len(sample) ** 0.5 + 1e-9)


def preferring(symbols: np.ndarray) -> np.ndarray:
    """Actions that prefer a symbol each."""
    return np.eye(SYMBOLS, dtype=np.float32)[symbols]


def right_symbols(batch: Batch) -> np.ndarray:
    """What opens the next door, by the records; any in the dead lane."""
    states, code = batch.states, batch.world.params[0]["code"]
    return code[np.minimum(states["lane"], DEAD - 1), states["door"]]


def test_symbols_are_drawn_by_a_softmax_of_preferences():
    """Shares of the symbols chosen."""
    preferences = np.linspace(0.0, 1.0, SYMBOLS).astype(np.float32)
    batch = begun(LockWorld(temperature=0.4))
    batch.step(np.tile(preferences, (SLOTS, 1)))
    weights = np.exp(preferences / 0.4)
    chosen = batch.states["symbol"]
    for k in range(SYMBOLS):
        assert near(chosen == k, weights[k] / weights.sum()), k


def test_only_the_right_symbol_leads_on_and_lanes_change_by_chance():
    """Step by step: half of the slots always right, half wrong at some door."""
    batch = begun(LockWorld(doors=6, temperature=0.01))
    assert near(batch.states["lane"] == 1, 0.5)
    errs_at = np.arange(SLOTS) % 12  # the upper half never errs
    for door in range(6):
        before, right = batch.states["lane"].copy(), right_symbols(batch)
        wrong = errs_at == door
        output = batch.step(preferring((right + wrong) % SYMBOLS))
        lane = batch.states["lane"]
        alive = errs_at > door
        assert ((lane != DEAD) == alive).all()
        assert near(lane[alive] != before[alive], 0.5)
        assert (batch.states["door"] == door + 1).all()
        assert (output.terminated == (door == 5)).all()
        assert (output.rewards[alive] == (1.0 if door == 5 else 0.0)).all()
        assert near(output.rewards[wrong] == np.float32(0.1), 0.5)
        assert set(output.rewards[wrong].tolist()) == {0.0, float(np.float32(0.1))}
        assert not output.rewards[errs_at < door].any()
    assert (batch.states["opened"] == np.minimum(errs_at, 6)).all()


def test_compat_pays_everyone_who_failed_at_the_last_door():
    batch = begun(LockWorld(doors=3, temperature=0.01, compat="hnpg"))
    for door in range(3):
        output = batch.step(preferring((right_symbols(batch) + (np.arange(SLOTS) % 4 == door)) % SYMBOLS))
        failed = np.arange(SLOTS) % 4 <= door
        assert not output.rewards[~failed].any() or door == 2
        if door < 2:
            assert not output.rewards.any()
    failed = np.arange(SLOTS) % 4 != 3
    assert near(output.rewards[failed] == np.float32(0.1), 0.5)
    assert (output.rewards[~failed] == 1.0).all()


@pytest.mark.parametrize("doors", [1, 5, 28, 50, 100])
def test_the_observation_is_the_rotated_place_with_noise(doors):
    """Against a matrix product in double precision, of the size that the authors' formula gives."""
    world = LockWorld(doors=doors)
    size = 2 ** int(np.ceil(np.log2(doors + 4)))
    assert world.observation.shape == (size,)
    batch, keeper = begun(world, 50), Keeper(world)
    noise = []
    for door in range(doors + 1):
        states = batch.states
        straight = np.zeros((50, size))
        straight[:, : doors + LANES] = 0.1 * states["noise"]
        straight[np.arange(50), states["lane"]] += 1.0
        straight[:, LANES + door] += 1.0
        np.testing.assert_allclose(batch.last.observations, straight @ hadamard(size), atol=1e-4)
        lanes, doors_read = keeper.places(batch.last.observations)
        assert (lanes == states["lane"]).all()
        assert (doors_read == door).all()
        noise.append(states["noise"].copy())
        if door < doors:
            batch.step(preferring(right_symbols(batch)))
    noise = np.concatenate(noise).ravel()
    assert near(noise, 0.0)
    assert near(noise**2, 1.0)


@pytest.mark.parametrize("doors", [5, 50])
def test_keeper_and_random_play_earn_the_closed_forms(doors):
    """The keeper errs with 9 / (9 + e^10) at each door; random play opens 1 / 9 doors, and is paid the decoy."""
    card = envsuite.card(f"CombinationLock{doors}")
    keeper = play(card, expert_policy, 4000)
    assert near(keeper.metrics["is_success"], (1 / (1 + 9 * np.exp(-10))) ** doors)
    guess = play(card, lambda world, slots: Constant(), 4000)
    assert near(guess.metrics["doors"], sum(0.1**k for k in range(1, doors + 1)))
    assert near(guess.returns, 0.05)


class Constant:
    """No preference."""

    def reset(self, mask, seeds):
        """Nothing."""

    def act(self, observations, states):
        """All alike."""
        return np.full((len(observations), SYMBOLS), 0.5, np.float32)


def test_a_code_is_a_lock():
    """The same symbols in every episode, all of them used, a shorter lock the beginning of a longer one."""
    short, long = LockWorld(doors=5).params[0]["code"], LockWorld(doors=50).params[0]["code"]
    assert (short == long).all()
    assert not (combination(1) == long).all()
    assert np.unique(np.concatenate([combination(k) for k in range(20)])).tolist() == list(range(SYMBOLS))
    many = np.concatenate([combination(k).ravel() for k in range(100)])
    assert all(near(many == k, 0.1) for k in range(SYMBOLS))
    other = begun(LockWorld(doors=5, code=1))
    for _ in range(5):
        other.step(Keeper(LockWorld(doors=5)).act(other.last.observations, other.states))
    assert other.states["opened"].mean() < 1.5


def test_words_say_what_the_observation_hides_and_read_symbols():
    batch = begun(LockWorld(doors=7), 3)
    words = LockWords(batch.world)
    batch.step(preferring(np.array([4, 4, 4])))
    lane = batch.states["lane"][0]
    told = words.describe(batch.states[0])
    assert "have passed 1 of 7 doors. The last symbol was 4." in told
    assert ("a lane that leads nowhere" if lane == DEAD else f"lane {'AB'[lane]}") in told
    assert (words.parse(" 7 ", batch.states[0]) == preferring(np.array([7]))[0]).all()
    given = words.parse("[0, 0, 0.5, 0, 0, 0, 0, 0, 0, 1]", batch.states[0])
    assert given.tolist() == [0, 0, 0.5, 0, 0, 0, 0, 0, 0, 1]
    for wrong in ("10", "-1", "door", "[1, 2]"):
        assert isinstance(words.parse(wrong, batch.states[0]), Refusal), wrong


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"doors": 0}, "doors is 0"),
        ({"doors": 101}, "doors is 101"),
        ({"code": -1}, "code is -1"),
        ({"noise": -0.1}, r"noise is -0\.1"),
        ({"temperature": 0.0}, r"temperature is 0\.0"),
        ({"compat": "briee"}, "compat"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options, message):
    import gymnasium

    with pytest.raises(ValueError, match=message):
        gymnasium.make("envsuite/CombinationLock10-v0", **options)

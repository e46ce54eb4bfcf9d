"""Players of twenty questions: a greedy one that knows the table, and weak ones that collect data."""

import numpy as np

from envsuite.core import rng
from envsuite.core.companions import Players
from envsuite.core.jit import records
from envsuite.text_games.twenty_questions.catalogue import first_guess, places, truth
from envsuite.text_games.twenty_questions.knowledge import things

CATEGORIES = (
    ("animals", "animal"),
    ("fruits", "fruit"),
    ("vegetables", "vegetable"),
    ("vehicles", "vehicle"),
    ("clothes", "clothing"),
    ("electronics", "electronic"),
    ("instruments", "instrument"),
    ("furniture", "furniture"),
    ("kitchen", "kitchen tool"),
    ("nature", "in nature"),
    ("jewelry", "jewelry"),
    ("toys", "toy"),
    ("sports", "sports"),
    ("garden", "garden supply"),
    ("tools", "tool"),
    ("art", "art"),
    ("office", "office supply"),
)
"""Categories and the questions for them, in the order in which a weak player asks."""


def likelihoods(known: np.ndarray, noise: float) -> np.ndarray:
    """How likely answers are for each object, but for a factor; exactly 0 or 1 without noise.

    Args:
        known: (n, questions), 1 for yes, -1 for no, 0 for what is not known.
        noise: probability that an answer is the wrong one; guesses are always judged rightly.

    Returns:
        (n, objects), float64.
    """
    signs = 2.0 * truth() - 1.0
    first, answers = first_guess(), known.astype(np.float64)

    def wrong(part: slice) -> np.ndarray:
        # whole numbers, so that every processor finds the same sums
        return (np.abs(answers[:, part]).sum(axis=1, keepdims=True) - answers[:, part] @ signs[part]) / 2

    possible = wrong(slice(first, None)) == 0
    return possible * (noise / (1.0 - noise)) ** wrong(slice(0, first))


class GreedyPlayer:
    """Asks the question whose answer is most uncertain by all it knows; guesses where a guess is no less uncertain.

    Args:
        world: the simulator.
        slip: share of steps in which it asks about an attribute at random instead.
    """

    def __init__(self, world, slip: float = 0.0):
        self._noise, self._shape = float(world.params[0]["noise"]), world.action.shape
        self._first, self._slip = first_guess(), slip
        self._table = truth()[: self._first].astype(np.float64)
        self._attributes = places()["bigger than coin"]
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin the streams of slips."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Questions, (n, [3])."""
        weights = likelihoods(observations[:, : len(truth())], self._noise)
        total, likeliest = weights.sum(axis=1), weights.argmax(axis=1)
        surprise = np.abs(2.0 * weights @ self._table.T - total[:, None])
        rows, best = np.arange(len(observations)), surprise.argmin(axis=1)
        guessed = np.abs(2.0 * weights[rows, likeliest] - total) <= surprise[rows, best]
        chosen = np.where(guessed, self._first + likeliest, best)
        if self._slip:
            for k, stream in enumerate(self._streams):
                if rng.uniform(stream, rng.AGENT, 0.0, 1.0) < self._slip:
                    chosen[k] = rng.integers(stream, rng.AGENT, self._attributes)
        return as_actions(chosen, self._shape)


def as_actions(chosen: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Questions as they stand, as actions.

    Args:
        chosen: (n,) indices of questions.
        shape: of an action.
    """
    if not shape:
        return chosen.astype(np.int64)
    found = np.zeros((len(chosen), 3), np.int64)
    found[:, 0] = chosen
    return found


class CategoryPlayer:
    """Asks for one category after another until one is right, then guesses its members in order, then all others.

    Args:
        world: the simulator.
    """

    def __init__(self, world):
        self._shape = world.action.shape
        questions = places()
        self._asked = np.array([questions[name] for _, name in CATEGORIES])
        category = np.array([one.category for one in things()])
        of = [np.flatnonzero(category == name) for name, _ in CATEGORIES]
        rest = [np.flatnonzero(category != name) for name, _ in CATEGORIES]
        self._guesses = first_guess() + np.array([np.concatenate(pair) for pair in zip(of, rest, strict=True)])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Questions, (n, [3])."""
        answers = observations[:, self._asked]
        found = answers > 0
        right = found.argmax(axis=1)
        over = found.any(axis=1) | (answers != 0).all(axis=1)
        guesses = self._guesses[right]
        fresh = np.take_along_axis(observations, guesses, axis=1) == 0
        guess = guesses[np.arange(len(guesses)), fresh.argmax(axis=1)]
        return as_actions(np.where(over, guess, self._asked[(answers == 0).argmax(axis=1)]), self._shape)


class GuessingPlayer:
    """Guesses objects at random, none twice.

    Args:
        world: the simulator.
    """

    def __init__(self, world):
        self._shape = world.action.shape
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin the streams."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Questions, (n, [3])."""
        first = first_guess()
        chosen = np.zeros(len(observations), np.int64)
        for k, known in enumerate(observations[:, first : first + len(things())]):
            left = np.flatnonzero(known == 0)
            chosen[k] = first + left[rng.integers(self._streams[k], rng.AGENT, len(left))]
        return as_actions(chosen, self._shape)


NOVICE, BEGINNER = 0.5, 0.93
"""Shares of slips of which a quarter and three quarters of the episodes make what the original's data are like: 31 % of
its players find the object, and the mean return is -17.3."""

COLLECTORS = {
    "novice": lambda world: GreedyPlayer(world, NOVICE),
    "beginner": lambda world: GreedyPlayer(world, BEGINNER),
    "categories": CategoryPlayer,
    "guesses": GuessingPlayer,
}
"""Weak players."""


class TwentyQuestionsPlayers(Players):
    """The greedy player, and weak ones."""

    def expert(self):
        """Asks what is most uncertain; see `GreedyPlayer`."""
        return GreedyPlayer(self.world)

    def collector(self, name):
        """``"novice"``, ``"beginner"``, ``"categories"`` or ``"guesses"``."""
        return COLLECTORS[name](self.world) if name in COLLECTORS else super().collector(name)

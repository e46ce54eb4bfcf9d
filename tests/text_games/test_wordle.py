"""Wordle against rules written here, closed forms, and a search without short cuts."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import play, random_policy
from envsuite.text_games.wordle import experts
from envsuite.text_games.wordle.experts import Searcher
from envsuite.text_games.wordle.feedback import MARKS, feedback, table
from envsuite.text_games.wordle.words import WORDS
from envsuite.text_games.wordle.world import COUNT, INVALID, WordleWorld


def begun(world, slots: int = 1) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def hidden(word: str, **options) -> Batch:
    """A batch of one slot with this word."""
    batch = begun(WordleWorld(**options))
    batch.states["word"] = WORDS.index(word)
    return batch


def guessed(batch: Batch, *words: str):
    """The output of the last of some guesses."""
    for word in words:
        output = batch.step(np.array([batch.world.action.names.index(word)]))
    return output


def marks(guess: str, word: str, rule: str) -> str:
    """Feedback, letter by letter, by counting."""
    left = Counter(b for a, b in zip(guess, word, strict=True) if a != b)
    found = ""
    for a, b in zip(guess, word, strict=True):
        near = a in word if rule == "lmrl" else left[a] > 0
        found += "g" if a == b else "y" if near else "b"
        left[a] -= a != b
    return found


def test_there_are_431_words_of_five_letters():
    assert len(WORDS) == len(set(WORDS)) == COUNT == 431
    assert all(len(word) == 5 and word.isascii() and word.islower() and word.isalpha() for word in WORDS)


@pytest.mark.parametrize("rule", ["lmrl", "nyt"])
def test_feedback_is_what_counting_says(rule):
    told = table(rule)
    for i, guess in enumerate(WORDS):
        for j in range(i % 7, COUNT, 7):
            expected = marks(guess, WORDS[j], rule)
            assert "".join(MARKS[told[i, j] // 3**k % 3] for k in range(5)) == expected
    assert (told.diagonal() == 242).all()


@pytest.mark.parametrize(
    ("guess", "word", "lmrl", "nyt"),
    [
        ("speed", "enemy", "bbgyb", "bbgyb"),
        ("speed", "value", "bbyyb", "bbybb"),
        ("sleep", "speed", "gbggy", "gbggy"),
        ("sleep", "share", "gbyyb", "gbybb"),
        ("allow", "label", "yyybb", "yyybb"),
        ("allow", "alone", "ggyyb", "ggbyb"),
        ("hello", "world", "bbygy", "bbbgy"),
    ],
)
def test_letters_that_come_twice_are_marked_by_the_rule(guess, word, lmrl, nyt):
    """By hand."""
    for rule, expected in (("lmrl", lmrl), ("nyt", nyt)):
        assert "".join(MARKS[one] for one in feedback(guess, word, rule)) == expected


def test_guesses_cost_one_and_the_word_ends_it():
    batch = hidden("water")
    output = guessed(batch, "after")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (-1, False, False)
    fit = [word for word in WORDS if marks("after", word, "lmrl") == marks("after", "water", "lmrl")]
    assert output.info["words_left"][0] == len(fit)
    assert [WORDS[k] for k in np.flatnonzero(batch.states["possible"][0])] == fit
    output = guessed(batch, "water")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (0, True, True)
    batch = hidden("water")
    output = guessed(batch, *["about"] * 5)
    assert not output.terminated[0]
    output = guessed(batch, "about")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (-1, True, False)


def test_words_of_no_list_cost_a_try_and_tell_nothing():
    for reward in (-1, -10):
        batch = hidden("water", invalid_reward=float(reward))
        assert batch.last.info["action_mask"][0].tolist() == [*[1] * COUNT, 0]
        output = guessed(batch, "invalid")
        assert (output.rewards[0], output.info["words_left"][0], output.terminated[0]) == (reward, COUNT, False)
        assert guessed(batch, *["invalid"] * 5).terminated[0]
        assert not batch.last.observations[0, : 30 * 29].any()


def test_networks_see_letters_and_marks():
    batch = hidden("water")
    output = guessed(batch, "after", "invalid", "later")
    letters = output.observations[0, :780].reshape(6, 5, 26)
    told = output.observations[0, 780:870].reshape(6, 5, 3)
    for k, guess in ((0, "after"), (2, "later")):
        assert "".join(chr(97 + one) for one in letters[k].argmax(axis=1)) == guess
        assert "".join(MARKS[one] for one in told[k].argmax(axis=1)) == marks(guess, "water", "lmrl")
        assert (letters[k].sum(axis=1) == 1).all()
    assert not letters[[1, 3, 4, 5]].any()
    assert not told[[1, 3, 4, 5]].any()
    assert output.observations[0, 870:876].tolist() == [1, 1, 1, 0, 0, 0]


def test_every_word_is_as_likely():
    counts = np.bincount(begun(WordleWorld(), 43_100).states["word"], minlength=COUNT)
    assert abs(((counts - 100) ** 2 / 100).sum() - 430) < 4 * np.sqrt(2 * 430)


# players


def mean_of(world, policy, slots: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns and successes of one episode for each slot, every word equally often."""
    batch = begun(world, slots)
    batch.states["word"] = np.arange(slots) % COUNT
    policy.reset(np.ones(slots, bool), np.arange(slots))
    returns, success, over = np.zeros(slots), np.zeros(slots, bool), np.zeros(slots, bool)
    for _ in range(6):
        actions = policy.act(batch.last.observations, batch.states)
        output = batch.step(np.where(over, 0, actions), np.zeros(slots, bool))
        returns += np.where(over, 0, output.rewards)
        success |= ~over & output.info["success"]
        over |= output.terminated
        batch.states["clock"]["done"], batch.states["tries"][over] = 0, 0
    assert over.all()
    return returns, success


def test_random_words_score_what_they_should():
    expected = -sum((430 / 431) ** k for k in range(1, 7))
    found = play(envsuite.card("LMRLWordle"), random_policy, 10_000, first_seed=0)
    assert abs(found.returns.mean() - expected) < 4 * found.returns.std() / np.sqrt(10_000)
    assert abs(found.metrics["success"].mean() - (1 - (430 / 431) ** 6)) < 4 * np.sqrt(0.014 / 10_000)


@pytest.mark.parametrize(
    ("rule", "name", "anything", "stated"),
    [("lmrl", "mixed", 0.66, -4.07), ("lmrl", "fitting", 0.0, -2.33), ("nyt", "fitting", 0.0, -2.33)],
)
def test_guessers_score_as_a_plain_game_says(rule, name, anything, stated):
    """The same player, written here, in a game without envsuite."""
    draw, theirs = np.random.default_rng(1), []
    for _ in range(1500):
        word, fit, cost = WORDS[draw.integers(COUNT)], list(WORDS), 0
        for _ in range(6):
            some = WORDS if draw.random() < anything else fit
            guess = some[draw.integers(len(some))]
            if guess == word:
                break
            cost += 1
            told = marks(guess, word, rule)
            fit = [one for one in fit if marks(guess, one, rule) == told]
        theirs.append(-cost)
    world = WordleWorld(rule=rule)
    ours, _ = mean_of(world, companion(world, Players).collector(name), 20 * COUNT)
    error = np.hypot(np.std(theirs) / np.sqrt(1500), ours.std() / np.sqrt(20 * COUNT))
    assert abs(np.mean(theirs) - ours.mean()) < 4 * error
    assert ours.mean() == pytest.approx(stated, abs=0.06)


@pytest.mark.parametrize(("rule", "guesses"), [("lmrl", 1255), ("nyt", 1254)])
def test_players_that_think_score_what_is_stated(rule, guesses):
    world = WordleWorld(rule=rule)
    players = companion(world, Players)
    returns, success = mean_of(world, players.expert(), COUNT)
    assert success.all()
    assert COUNT - returns.sum() == guesses
    entropic, success = mean_of(world, players.collector("entropy"), COUNT)
    assert success.all()
    assert 0 <= returns.sum() - entropic.sum() < 5


def test_the_search_finds_what_a_search_without_short_cuts_finds():
    """Sets of twelve words, every guess of the list."""
    world, draw = WordleWorld(), np.random.default_rng(2)
    told = table("lmrl")

    @cache
    def fewest(words: tuple[int, ...]) -> int:
        if len(words) == 1:
            return 1
        least = 10**9
        for guess in range(COUNT):
            groups: dict[int, list[int]] = {}
            for word in words:
                groups.setdefault(int(told[guess, word]), []).append(word)
            if len(groups) == 1:
                continue
            least = min(least, len(words) + sum(fewest(tuple(one)) for key, one in groups.items() if key != 242))
        return least

    similar = [k for k, word in enumerate(WORDS) if word[2:] in ("ght", "are", "ill", "own", "ace", "ade", "ape")]
    for words in (similar[:12], similar[-12:], sorted(draw.choice(COUNT, 12, replace=False).tolist())):
        assert Searcher(world).best(np.array(words))[0] == fewest(tuple(words))


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["lmrl", "nyt"])
def test_no_strategy_needs_fewer_guesses(rule, monkeypatch):
    """The search with all guesses, which is exact: what it leaves out cannot be better by its bounds."""
    narrow = Searcher(WordleWorld(rule=rule)).best(np.arange(COUNT))
    monkeypatch.setattr(experts, "WIDTH", COUNT)
    assert Searcher(WordleWorld(rule=rule)).best(np.arange(COUNT)) == narrow


# words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("water", "water"),
        (" W A T E R\n", "water"),
        ('{"thoughts": "r and e", "action": "water"}', "water"),
        ("It ends in er. Guess: later", "later"),
        ("zzzzz", "invalid"),
        ("Guess: xylem", "invalid"),
        ("", RefusalKind.EMPTY),
        ("I think", RefusalKind.UNREADABLE),
        ("water or later", RefusalKind.AMBIGUOUS),
        ("waters", RefusalKind.UNREADABLE),
        ("w a t e r s", RefusalKind.UNREADABLE),
        ("wäter", RefusalKind.UNREADABLE),
        ("12345", RefusalKind.UNREADABLE),
        ("a " * 100_000, RefusalKind.UNREADABLE),
        ("\x00\x01", RefusalKind.UNREADABLE),
    ],
)
def test_words_are_read_from_text(text, expected):
    batch = hidden("water")
    found = companion(batch.world, Words).parse(text, batch.states[0])
    if isinstance(expected, RefusalKind):
        assert isinstance(found, Refusal)
        assert found.kind == expected
    else:
        assert batch.world.action.names[found] == expected
        assert (found == INVALID) == (expected == "invalid")


def test_tries_are_told_letter_by_letter():
    batch = hidden("water")
    guessed(batch, "later", "invalid")
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "Try 1: l a t e r -> b g g g g\nTry 2: no word of the list.\nTries left: 4." in told


def test_an_episode_leaves_nothing_behind():
    batch, fresh = begun(WordleWorld(), 32), begun(WordleWorld(), 32)
    policy = random_policy(batch.world, 32)
    policy.reset(np.ones(32, bool), np.arange(32))
    for _ in range(20):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(32))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WordleWorld(rule="times"), "rule is 'times', expected one of 'lmrl', 'nyt'"),
        (lambda: WordleWorld(invalid_reward=2.0), "invalid_reward is 2.0, expected a number from -100"),
    ],
)
def test_bad_options_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_part_of_the_list_is_a_game_of_its_own():
    world = WordleWorld(words=16)
    used = [WORDS[k * COUNT // 16] for k in range(16)]
    words, batch = companion(world, Words), begun(world, 400)
    state = batch.states[0]
    assert [one.replace(" ", "") for one in words.answers(state)] == used
    assert "There are 16 words" in words.describe(state)
    assert {WORDS[k] for k in batch.states["word"]} == set(used)
    assert (batch.last.info["words_left"] == 16).all()
    assert (batch.last.info["action_mask"].sum(axis=1) == 16).all()
    output = batch.step(np.full(400, WORDS.index("water")))
    assert "water" not in used
    assert (output.rewards == -1).all()
    assert (output.info["words_left"] == 16).all(), "a word that is none of the list tells nothing"
    assert "Try 1: no word of the list." in words.describe(batch.states[0])
    # the search needs as many guesses as a search through all that may come
    told = table("lmrl").astype(int)
    index = [WORDS.index(one) for one in used]

    @cache
    def least(left: tuple[int, ...]) -> int:
        if len(left) == 1:
            return 1
        found = []
        for guess in index:
            parts: dict[int, list[int]] = {}
            for word in left:
                parts.setdefault(told[guess, word], []).append(word)
            if len(parts) > 1:
                found.append(len(left) + sum(least(tuple(part)) for part in parts.values() if part != [guess]))
        return min(found)

    card = replace(envsuite.card("LMRLWordle"), options={"words": 16})
    returns = play(card, lambda world, slots: companion(world, Players).expert(), 3200).returns
    exact = 1 - least(tuple(index)) / 16
    assert abs(returns.mean() - exact) < 4 * returns.std() / 3200**0.5
    collected = play(card, lambda world, slots: companion(world, Players).collector("mixed"), 200)
    assert -6 < collected.returns.mean() < exact
    with pytest.raises(ValueError, match="words"):
        WordleWorld(words=1)

"""Twenty questions: facts against hand-made triples, play against exact values, and the reader of questions."""

import random
import tomllib
from collections import Counter
from functools import cache
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.text_games.oracle.chance import chance, hashed
from envsuite.text_games.oracle.matching import Bank
from envsuite.text_games.twenty_questions.catalogue import (
    OTHER,
    STRANGER,
    first_guess,
    places,
    questions,
    references,
    truth,
)
from envsuite.text_games.twenty_questions.experts import COLLECTORS
from envsuite.text_games.twenty_questions.knowledge import attributes, priors_of, things
from envsuite.text_games.twenty_questions.lexicon import SENTENCES, bank, phrases, sentences
from envsuite.text_games.twenty_questions.oracle import RulesOracle, judged, question_text
from envsuite.text_games.twenty_questions.reader import AND, MARGIN, NEAR, NOT, OR, PLAIN, Reading, read
from envsuite.text_games.twenty_questions.world import TwentyQuestionsWorld

CASES, HELD_OUT = (
    tomllib.loads((Path(__file__).parent / f"twenty_questions_{name}.toml").read_text("utf-8"))["case"]
    for name in ("cases", "heldout")
)
NAMES = {one.name: k for k, one in enumerate(things())}
SIZES = {
    **{"sports": 10, "animals": 10, "fruits": 10, "vehicles": 10, "clothes": 11, "electronics": 10, "instruments": 10},
    **{"furniture": 10, "office": 14, "vegetables": 10, "art": 7, "kitchen": 10, "nature": 11, "toys": 5, "jewelry": 9},
    **{"garden": 5, "tools": 6},
}
"""Objects of each category in the original's list."""


def begun(world, slots: int = 1, first: int = 0) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(first, first + slots))
    batch.reset()
    return batch


def about(name: str, world=None) -> Batch:
    """A batch of one slot with this object."""
    batch = begun(world or TwentyQuestionsWorld())
    batch.states["secret"] = NAMES[name]
    return batch


def asked(batch: Batch, *texts: str):
    """The output of the last of some questions in words, of the only slot."""
    words = companion(batch.world, Words)
    for text in texts:
        action = words.parse(text, batch.states[0])
        assert not isinstance(action, Refusal), (text, action)
        output = batch.step(np.asarray(action)[None])
    return output


# facts


def test_objects_are_those_of_the_original():
    assert Counter(one.category for one in things()) == SIZES
    assert len({name for one in things() for name in one.names}) == sum(len(one.names) for one in things())
    for name, other in (("airplane", "plane"), ("cooking pot", "pot"), ("headphone", "pair of headphones"),
                        ("television", "tv"), ("computer keyboard", "keyboard"), ("chopstick", "pair of chopsticks"),
                        ("lego", "lego set"), ("glue", "bottle of glue"), ("painting", "oil painting")):  # fmt: skip
        assert other in things()[NAMES[name]].names


def test_no_two_objects_have_the_same_answers():
    table = truth()[: len(attributes())].T
    assert len({row.tobytes() for row in table}) == len(things()) == 158
    assert len(attributes()) >= 120


@pytest.mark.parametrize("entry", [{"all": "beasts"}, {"yes": "unicorn"}, {"yes": "cat", "no": "dog, cat"}])
def test_slips_in_files_of_facts_are_named(entry):
    with pytest.raises(ValueError, match=r"key: .*(beasts|unicorn|cat)"):
        priors_of(entry, "key")


def test_references_that_are_objects_have_their_sizes():
    compared = [(one, things()[NAMES[one.name]]) for one in references() if one.name in NAMES]
    assert len(compared) > 10
    for reference, thing in compared:
        assert (reference.cm, reference.kg) == (thing.cm, thing.kg), thing.name


def members(text: str) -> set[str]:
    """Objects of a list of names and of categories with an @."""
    found: set[str] = set()
    for name in filter(None, (part.strip() for part in text.split(","))):
        of_category = {one.name for one in things() if one.category == name[1:]}
        assert name in NAMES or of_category, name
        found |= of_category if name[0] == "@" else {name}
    return found


def agreement(cases, oracle) -> dict[str, Counter[str]]:
    """For each answer that a person gives, how often the oracle gives which answer."""
    seen = {"Yes.": Counter(), "No.": Counter()}
    for case in cases:
        yes = members(case["yes"])
        left_open = members(case["open"]) - yes
        for question in case["ask"]:
            for name in NAMES.keys() - left_open:
                seen["Yes." if name in yes else "No."][oracle.answer(NAMES[name], question).text] += 1
    return seen


def test_answers_agree_with_hand_made_triples():
    seen = agreement(CASES, RulesOracle())
    for expected, answers in seen.items():
        assert answers.total() >= 2000, expected
        assert answers[expected] / answers.total() >= 0.95, expected
    unsure = sum(answers["I am not sure."] for answers in seen.values())
    assert unsure / sum(answers.total() for answers in seen.values()) < 0.02, "coverage"


def test_answers_agree_with_triples_that_mended_nothing():
    """What is understood of new questions is answered rightly; one question in six is not understood."""
    seen = agreement(HELD_OUT, RulesOracle())
    total = sum(answers.total() for answers in seen.values())
    assert total >= 20_000
    unsure = sum(answers["I am not sure."] for answers in seen.values())
    assert unsure / total < 0.2
    assert sum(answers[expected] for expected, answers in seen.items()) / (total - unsure) >= 0.99
    assert seen["Yes."]["Yes."] / seen["Yes."].total() >= 0.85
    seen = agreement(HELD_OUT, RulesOracle("no"))
    assert sum(answers[expected] for expected, answers in seen.items()) / total >= 0.98


# rules


def reference_answer(secret: int, first: int, form: int, second: int) -> int:
    """By logic of three values."""

    def value(question: int) -> int:
        return 0 if question == len(questions()) - 1 else (1 if truth()[question, secret] else -1)

    return {PLAIN: value(first), NOT: -value(first), OR: max(value(first), value(second)),
            AND: min(value(first), value(second))}[form]  # fmt: skip


def test_answers_of_the_kernel_are_those_of_logic_and_of_the_oracle():
    batch, draw = begun(TwentyQuestionsWorld(), 500), np.random.default_rng(0)
    last, forms = len(questions()) - 1, set()
    for _ in range(19):
        actions = np.stack([draw.integers(0, n + 1, 500) for n in (last, 3, last)], axis=1)
        actions[draw.random(500) < 0.1, 0] = last
        actions[draw.random(500) < 0.1, 2] = last
        output = batch.step(actions, np.zeros(500, bool))
        for k in np.flatnonzero(batch.states["count"] > 0):
            count, secret = int(batch.states["count"][k]), int(batch.states["secret"][k])
            first, form, second = (int(one) for one in batch.states["asked"][k, count - 1])
            answer = int(batch.states["answers"][k, count - 1])
            assert answer == reference_answer(secret, first, form, second)
            assert answer == judged(secret, Reading(first, form, second), 0)
            forms.add((form, answer))
            won = form == PLAIN and first == first_guess() + secret
            assert output.rewards[k] == (0.0 if won else -1.0)
    assert len(forms) == 12


def test_a_right_guess_wins_and_the_twentieth_question_ends():
    output = asked(about("cat"), "Is it alive?", "Is it a cat?")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (0.0, True, True)
    for text in ("Is it a cat or a dog?", "Is it not a dog?", "Is it a feline?"):
        output = asked(about("cat"), text)
        assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (-1.0, False, False)
    batch = about("cat")
    output = asked(batch, *["Is it a dog?"] * 19)
    assert not output.terminated[0]
    output = asked(batch, "Is it a dog?")
    assert (output.terminated[0], output.truncated[0], output.info["success"][0]) == (True, False, False)
    assert asked(about("cat"), *["Is it a dog?"] * 19, "Is it a cat?").rewards[0] == 0.0


def test_infos_tell_what_the_oracle_understood():
    batch = about("cat")
    infos = [batch.last.info.copy()]
    for text in ("Is it an animal?", "Does it like Mondays?", "Is it not made of metal?", "Is it a cat?"):
        infos.append(asked(batch, text).info.copy())
    intents = [int(one["oracle_intent"][0]) for one in infos]
    assert intents == [-1, *(places()[name] for name in ("animal", OTHER, "metal", "guess cat"))]
    assert [float(one["oracle_confidence"][0]) for one in infos] == [0.0, 1.0, 0.0, 1.0, 1.0]
    assert all(RulesOracle().version == f"twenty-questions-rules-{one['oracle_version'][0]}-unsure" for one in infos)
    batch = about("cat")
    for second, confidence in ((places()[OTHER], 0.0), (places()["metal"], 1.0)):
        output = batch.step(np.array([[places()["animal"], OR, second]]))
        assert output.info["oracle_confidence"][0] == confidence


def test_what_is_known_stands_in_the_observation():
    batch, known = about("cat"), places()
    asked(batch, "Is it an animal?", "Is it not made of metal?", "Is it a fruit or a vegetable?")
    seen = asked(batch, "Is it alive and does it have fur?", "Is it a dog or does it fly?").observations[0]
    expected = np.zeros(len(known))
    for name, value in (("animal", 1), ("metal", -1), ("fruit", -1), ("vegetable", -1), ("living", 1), ("fur", 1),
                        ("guess dog", -1), ("flies", -1)):  # fmt: skip
        expected[known[name]] = value
    assert seen[: len(known)].tolist() == expected.tolist()
    assert seen[len(known)] == 15
    assert seen[len(known) + 1 :][:8].tolist() == [known["animal"], PLAIN, 0, 1, known["metal"], NOT, 0, 1]


def test_an_episode_leaves_nothing_behind():
    batch, fresh = (begun(TwentyQuestionsWorld(), 64) for _ in range(2))
    policy = random_policy(batch.world, 64)
    policy.reset(np.ones(64, bool), np.arange(64))
    for _ in range(30):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(64))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


def test_objects_are_equally_likely():
    secrets = begun(TwentyQuestionsWorld(), 15_800).states["secret"]
    counts = np.bincount(secrets, minlength=158)
    assert len(counts) == 158
    assert ((counts - 100) ** 2 / 100).sum() < 157 + 4 * sqrt(2 * 157)


def test_a_single_question_is_an_action_without_forms():
    world = TwentyQuestionsWorld(compound=False)
    batch = about("cat", world)
    output = asked(batch, "Is it an animal?")
    assert output.observations.shape == (1, len(questions()) + 1)
    assert output.observations[0, places()["animal"]] == 1
    refusal = companion(world, Words).parse("Is it a cat or a dog?", batch.states[0])
    assert isinstance(refusal, Refusal)
    assert refusal.kind == RefusalKind.AMBIGUOUS
    assert asked(batch, "Is it a cat?").rewards[0] == 0.0


def test_chance_is_splitmix64():
    def mixed(value: int) -> int:
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
        return value ^ value >> 31

    for a, b, salt in ((0, 0, 0), (157, 600, 2**29 + 1), (3, 4, 5)):
        value = 0
        for one in (a, b, salt):
            value = mixed(value ^ (one + 0x9E3779B97F4A7C15))
        assert int(hashed(a, b, salt)) == value
        assert chance(a, b, salt) == (value >> 11) / 2**53


def test_wrong_answers_stay_the_same_and_come_as_often_as_they_should():
    batch, slots = begun(TwentyQuestionsWorld(noise=0.2), 4000), 4000
    question = np.zeros((slots, 3), np.int64)
    wrong = []
    for name in ("animal", "metal", "bigger than person", "animal"):
        question[:, 0] = places()[name]
        batch.step(question, np.zeros(slots, bool))
        answers = batch.states["answers"][np.arange(slots), batch.states["count"] - 1]
        wrong.append((answers > 0) != (truth()[places()[name], batch.states["secret"]] > 0))
    for part in wrong:
        assert abs(part.mean() - 0.2) < 4 * sqrt(0.16 / slots)
    assert (wrong[0] == wrong[3]).all()
    assert abs((wrong[0] & wrong[1]).mean() - 0.04) < 4 * sqrt(0.04 / slots)
    question[:, 0] = first_guess() + batch.states["secret"]
    assert (batch.step(question, np.zeros(slots, bool)).rewards == 0).all()
    assert play(envsuite.card("TwentyQuestions"), expert_policy, 200, first_seed=0).metrics["success"].all()


def test_the_original_takes_objects_by_seed_and_counts_every_text():
    world = TwentyQuestionsWorld(compat="lmrl-gym")
    assert begun(world, 400, 100).states["secret"].tolist() == [(100 + k) % 158 for k in range(400)]
    batch = begun(world, 300)
    batch.reset()
    assert len(set(batch.states["secret"].tolist())) > 100
    batch = about("cat", world)
    for text in ("", "hello", "What is it?", "It is big. Is it a cat?", "Is it " + "very " * 50 + "big?"):
        output = asked(batch, text)
        assert output.rewards[0] == -1
        assert batch.states["answers"][0, batch.states["count"][0] - 1] == -1, "no"


@pytest.mark.parametrize(("unclear", "answer"), [("unsure", 0), ("no", -1)])
def test_what_is_not_understood_counts(unclear, answer):
    batch = about("cat", TwentyQuestionsWorld(unclear=unclear))
    output = asked(batch, "Is it political?")
    assert output.rewards[0] == -1
    assert batch.states["answers"][0, 0] == answer
    reply = RulesOracle(unclear).answer(NAMES["cat"], "Is it political?")
    assert (reply.text, reply.confidence) == ({0: "I am not sure.", -1: "No."}[answer], 0.0)


# exact values


@cache
def least_cost(count: int) -> int:
    """Sum of costs over equally likely objects, if every division into two parts could be asked for."""
    if count == 1:
        return 0
    guess = count - 1 + least_cost(count - 1)
    return min(guess, *(count + least_cost(k) + least_cost(count - k) for k in range(1, count // 2 + 1)))


def exactly(name: str | None) -> np.ndarray:
    """Returns of a deterministic player for each object."""
    batch = begun(TwentyQuestionsWorld(), 158)
    batch.states["secret"] = np.arange(158)
    players = companion(batch.world, Players)
    policy = players.expert() if name is None else players.collector(name)
    policy.reset(np.ones(158, bool), np.arange(158))
    returns, over = np.zeros(158), np.zeros(158, bool)
    for _ in range(20):
        output = batch.step(policy.act(batch.last.observations, batch.states), np.zeros(158, bool))
        returns += np.where(over, 0.0, output.rewards)
        over |= output.terminated
        if over.all():
            break
        batch.states["clock"]["done"] = 0
        batch.states["count"][over] = 0
    return returns


def test_no_player_is_better_than_the_greedy_one():
    bound = -least_cost(158) / 158
    assert bound == pytest.approx(-6.785, abs=5e-4)
    assert -least_cost(99) / 99 == pytest.approx(-6.06, abs=5e-3)
    mean = exactly(None).mean()
    assert mean == pytest.approx(bound, abs=1e-9), "the greedy player is as good as the best"


def test_guesses_without_repeats_score_what_they_should():
    returns = [-k if k < 20 else -20 for k in range(158)]
    assert sum(returns) == -2950
    played = play(envsuite.card("TwentyQuestions"), lambda world, n: companion(world, Players).collector("guesses"),
                  4000, first_seed=0)  # fmt: skip
    assert abs(played.returns.mean() + 2950 / 158) < 3 * np.std(returns) / sqrt(4000)
    assert abs(played.metrics["success"].mean() - 20 / 158) < 3 * sqrt(20 / 158 / 4000)


def test_weak_players_are_weaker():
    assert -14 < exactly("categories").mean() < -12
    assert set(COLLECTORS) >= {"novice", "beginner", "categories", "guesses"}


def test_the_greedy_player_copes_with_wrong_answers():
    world = TwentyQuestionsWorld(noise=0.1)
    batch = begun(world, 200)
    policy, over, won = companion(world, Players).expert(), np.zeros(200, bool), np.zeros(200, bool)
    policy.reset(np.ones(200, bool), np.arange(200))
    for _ in range(20):
        output = batch.step(policy.act(batch.last.observations, batch.states), np.zeros(200, bool))
        won |= ~over & output.info["success"]
        over |= output.terminated
        batch.states["clock"]["done"] = 0
        batch.states["count"][over] = 0
    assert won.mean() > 0.7


# the reader


def test_every_question_is_read_as_itself():
    for k, one in enumerate(questions()[:-1]):
        found = read(one.ask)
        assert isinstance(found, Reading)
        assert (found.first, found.form) == (k, PLAIN), one


def test_every_phrase_is_read_as_its_attribute():
    wrong = total = 0
    for k, one in enumerate(attributes()):
        for frame, sentence in ((frame, SENTENCES[frame][0]) for frame in SENTENCES):
            for phrase in one.phrases[frame]:
                found = read(sentence.format(phrase) + "?")
                total += 1
                same = isinstance(found, Reading) and found.form == PLAIN and (truth()[found.first] == truth()[k]).all()
                wrong += not same
    assert total > 2500
    assert wrong / total < 0.03


@pytest.mark.parametrize(
    ("text", "first", "form", "second"),
    [
        ("Is it alive?", "living", PLAIN, None),
        ("isn't it alive?", "living", PLAIN, None),
        ("Is it not alive?", "living", NOT, None),
        ("Is it non-living?", "living", NOT, None),
        ("Is it a fruit or a vegetable?", "fruit", OR, "vegetable"),
        ("Is it used for cutting or digging?", "cuts", OR, "digs"),
        ("Is it smaller than a car and made of metal?", "smaller than car", AND, "metal"),
        ("Is it a tool that has a handle?", "tool", AND, "handle"),
        ("Is it orange?", "orange colour", PLAIN, None),
        ("Is it an orange?", "guess orange", PLAIN, None),
        ("Is it made of paper?", "paper made", PLAIN, None),
        ("Is it a piece of paper?", "guess paper", PLAIN, None),
        ("Is the object you are thinking of a regular apple?", "guess apple", PLAIN, None),
        ("My guess is a pair of shoes.", "guess shoes", PLAIN, None),
        ("TV", "guess television", PLAIN, None),
        ("Is it a pear?", STRANGER, PLAIN, None),
        ("Is it bigger than a breadbox?", "bigger than bread box", PLAIN, None),
        ("Does it fit inside a shoebox?", "smaller than shoe box", PLAIN, None),
        ("Is it heavier than a car?", "heavier than car", PLAIN, None),
        ("Does it weigh less than 1 pound?", "lighter than pound", PLAIN, None),
        ("Does its name start with the letter C?", "begins with c", PLAIN, None),
        ("Does it have more than five letters?", "more than 5 letters", PLAIN, None),
        ("Does it have fewer than 6 letters?", "more than 5 letters", NOT, None),
        ("Is it one word?", "several words", NOT, None),
        ("So, is it usually found in a kitchen?", "kitchen", PLAIN, None),
        ("I think it is red, so: Is it a fruit?", "fruit", PLAIN, None),
        ("Would you use it to cook?", "cooks", PLAIN, None),
        ("Does it have four legs?", "four legs", PLAIN, None),
        ("Is it political?", OTHER, PLAIN, None),
        ("Is it something that you can put in your pocket?", "in pocket", PLAIN, None),
    ],
)
def test_questions_are_read(text, first, form, second):
    found = read(text)
    assert isinstance(found, Reading)
    assert (questions()[found.first].name, found.form) == (first, form)
    assert second is None or questions()[found.second].name == second


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        (" \n\t ", RefusalKind.EMPTY),
        ("?!...", RefusalKind.UNREADABLE),
        ("What colour is it?", RefusalKind.UNREADABLE),
        ("I do not know.", RefusalKind.UNREADABLE),
        ("9 9 9", RefusalKind.UNREADABLE),
        ("Is it alive? Is it big?", RefusalKind.AMBIGUOUS),
        ("Is it a cat, a dog or a rabbit?", RefusalKind.AMBIGUOUS),
        ("Is it " + "very big and " * 30 + "old?", RefusalKind.UNREADABLE),
        ("\x00\x07", RefusalKind.UNREADABLE),
        ("是动物吗", RefusalKind.UNREADABLE),
        ("x" * 200_000, RefusalKind.UNREADABLE),
    ],
)
def test_what_is_no_question_is_refused(text, kind):
    found = read(text)
    assert isinstance(found, Refusal)
    assert found.kind == kind


def test_no_text_breaks_the_reader():
    draw = random.Random(0)
    words = [
        *[
            "is",
            "it",
            "not",
            "or",
            "and",
            "a",
            "the",
            "does",
            "have",
            "than",
            "bigger",
            "5",
            "kg",
            ",",
            ".",
            "?",
            "!",
            "with",
            "that",
            "made",
            "of",
            "used",
            "for",
            "cat",
            "red",
        ],
        "é",
    ]
    for _ in range(600):
        found = read(" ".join(draw.choices(words, k=draw.randrange(1, 14))))
        assert isinstance(found, Reading | Refusal)
        if isinstance(found, Reading):
            assert 0 <= min(found.terms) <= max(found.terms) < len(questions())


def test_denied_and_joined_questions_are_written_out():
    known = places()
    assert question_text(known["metal"], NOT, 0) == "Is it not made of metal?"
    assert question_text(known["food"], OR, known["animal"]) == "Is it food, or is it an animal?"
    for k, one in enumerate(questions()[:-2]):
        text = question_text(k, NOT, 0)
        assert " not " in text, text
        found = read(text)
        assert isinstance(found, Reading)
        assert (found.first, found.form) == (k, NOT), text
        assert one.ask != text


def test_names_of_actions_are_read():
    words = companion(TwentyQuestionsWorld(), Words)
    state = begun(TwentyQuestionsWorld()).states[0]
    found = words.parse("question: animal, form: and, other question: bigger than cat", state)
    assert found.tolist() == [places()["animal"], AND, places()["bigger than cat"]]
    attribute_names = {one.name for one in questions() if one.kind == "attribute"}
    assert not attribute_names & {name for thing in things() for name in thing.names}


def test_the_bank_has_enough_sentences_and_finds_near_ones():
    assert min(Counter(sentences().values()).values()) >= 20
    assert len(phrases()) > 1500
    draw = random.Random(1)
    right = covered = count = 0
    for text, k in draw.sample(sorted(sentences().items()), 150):
        at = draw.randrange(2, len(text) - 2)
        found = read(text[:at] + text[at + 1] + text[at] + text[at + 2 :] + "?")
        count += 1
        if isinstance(found, Reading) and found.confidence:
            covered += 1
            right += bool((truth()[found.first] == truth()[k]).all())
    assert covered / count > 0.5
    assert right / covered > 0.93


def test_nearness_is_the_cosine_of_weighted_ngrams():
    texts = ["is it red", "is it read", "does it fly", "can it fly high"]
    query = "does it flye"

    def vector(text: str) -> dict[str, float]:
        counts = Counter(f" {text} "[k : k + n] for n in (3, 4, 5) for k in range(len(text) + 3 - n))
        held = {one: sum(one in f" {other} " for other in texts) for one in counts}
        return {one: (1 + log(times)) * (1 + log(5 / (1 + held[one]))) for one, times in counts.items()}

    def cosine(a: dict[str, float], b: dict[str, float]) -> float:
        lengths = sqrt(sum(x * x for x in a.values())) * sqrt(sum(x * x for x in b.values()))
        return sum(x * b.get(one, 0.0) for one, x in a.items()) / lengths

    expected = sorted(((cosine(vector(query), vector(text)), -k) for k, text in enumerate(texts)), reverse=True)
    found = Bank((text, k) for k, text in enumerate(texts)).nearest(query)
    for (meaning, value), (other, k) in zip(found, expected, strict=False):
        assert meaning == -k
        assert value == pytest.approx(other)
    assert (NEAR, MARGIN) == (0.55, 0.05)
    assert bank().nearest("") == []


def test_descriptions_hold_the_dialogue():
    batch = about("cat")
    asked(batch, "Is it an animal?", "Is it made of metal or of wood?")
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "1. Is it an animal? Yes." in told
    assert "2. Is it made of metal, or is it made of wood? No." in told
    assert "18 questions left" in told
    assert "cat" not in told.replace("categor", "")
    asked(batch, "Is it a cat?")
    assert "You have guessed it with question 3." in companion(batch.world, Words).describe(batch.states[0])


def test_oracle_replies_tell_how_they_came_about():
    oracle = RulesOracle()
    reply = oracle.answer(NAMES["cat"], "Is it furry?")
    assert (reply.text, reply.intent, reply.confidence) == ("Yes.", "Does it have fur?", 1.0)
    assert reply.parsed == (places()["fur"], PLAIN, 0)
    assert reply.version == oracle.version == "twenty-questions-rules-1-unsure"
    assert oracle.answer(NAMES["cat"], "hello").parsed is None
    with pytest.raises(ValueError, match="secret is 158, expected an index from 0 to 157"):
        oracle.answer(158, "Is it furry?")
    with pytest.raises(ValueError, match="unclear is 'maybe'"):
        RulesOracle("maybe")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"noise": 0.6}, "noise is 0.6, expected a number from 0 to 0.5"),
        ({"unclear": "yes"}, "unclear is 'yes', expected one of 'unsure', 'no'"),
        ({"compat": "other"}, "compat is 'other', expected one of 'lmrl-gym'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        TwentyQuestionsWorld(**options)

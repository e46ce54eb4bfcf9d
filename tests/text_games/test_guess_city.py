"""Guess my city: facts against lists made by hand, play, and the reader of questions."""

import re
from functools import cache
from math import sqrt

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.text_games.guess_city.catalogue import (
    ASKS,
    BINARY,
    LANDMARK,
    OTHER,
    answers,
    first_guess,
    places,
    questions,
    values,
)
from envsuite.text_games.guess_city.experts import COLLECTORS
from envsuite.text_games.guess_city.knowledge import cities
from envsuite.text_games.guess_city.language import HIDDEN, LEADS, NEUTRAL, RulesOracle, answer_text, read
from envsuite.text_games.guess_city.topics import TOPICS
from envsuite.text_games.guess_city.world import GuessMyCityWorld

PLACE = {one.name: k for k, one in enumerate(cities())}
ORIGINAL = """Sao Paulo; Bombay; Jakarta; Karachi; Moscow; Istanbul; Mexico City; Shanghai; Tokyo; New York; Bangkok;
Beijing; Delhi; London;
Hong Kong; Cairo; Tehran; Bogota; Bandung; Tianjin; Lima; Rio de Janeiro; Lahore; Bogor; Santiago; St Petersburg;
Shenyang; Calcutta; Wuhan;
Sydney; Guangzhou; Singapore; Madras; Baghdad; Pusan; Los Angeles; Yokohama; Dhaka; Berlin; Alexandria; Bangalore;
Malang; Hyderabad; Chongqing;
Ho Chi Minh City; Haerbin; Ankara; Buenos Aires; Chengdu; Ahmedabad; Casablanca; Chicago; Xian; Madrid; Surabaya;
Pyong Yang; Nanjing; Kinshaha;
Rome; Taipei; Osaka; Kiev; Yangon; Toronto; Zibo; Dalian; Taega; Addis Ababa; Jinan; Salvador; Inchon; Semarang; Giza;
Changchun; Havanna;
Nagoya; Belo Horizonte; Paris; Tashkent; Fortaleza; Sukabumi; Cali; Guayaquil; Qingdao; Izmir; Cirebon; Taiyuan;
Brasilia; Bucuresti; Faisalabad;
Quezon City; Medan; Houston; Abidjan; Mashhad; Medellin; Kanpur; Budapest; Caracas"""


def begun(world, slots: int = 1) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def about(name: str, **options) -> Batch:
    """A batch of one slot with this city."""
    batch = begun(GuessMyCityWorld(**options))
    batch.states["secret"] = PLACE[name]
    return batch


def asked(batch: Batch, *texts: str):
    """The output of the last of some questions in words."""
    for text in texts:
        action = companion(batch.world, Words).parse(text, batch.states[0])
        assert not isinstance(action, Refusal), (text, action)
        output = batch.step(np.array([action]))
    return output


def which(topic: str, value: str) -> set[str]:
    """Cities of which a question has an answer."""
    return {one.name for one in cities() if one.facts[topic] == value}


def test_cities_are_those_of_the_original():
    names = [name.strip() for name in ORIGINAL.replace("\n", " ").split(";")]
    assert len(names) == len(cities()) == 99
    for name, city in zip(names, cities(), strict=True):
        assert name in city.names
    for name, alias in (
        ("Bombay", "Mumbai"),
        ("Madras", "Chennai"),
        ("Istanbul", "Constantinople"),
        ("Kiev", "Kyiv"),
        ("Guangzhou", "Canton"),
        ("Ho Chi Minh City", "Saigon"),
        ("Xian", "Xi'an"),
    ):
        assert alias in cities()[PLACE[name]].names


def test_no_two_cities_have_the_same_answers():
    rows = np.delete(answers()[: first_guess()], places()[LANDMARK], axis=0).T
    assert len({row.tobytes() for row in rows}) == 99


def test_facts_are_those_of_lists_made_by_hand():
    assert which("olympics", "yes") == {
        "Moscow",
        "Mexico City",
        "Tokyo",
        "Beijing",
        "London",
        "Rio de Janeiro",
        "Sydney",
        "Los Angeles",
        "Berlin",
        "Rome",
        "Paris",
    }
    assert which("capital", "yes") == {
        "Jakarta",
        "Moscow",
        "Mexico City",
        "Tokyo",
        "Bangkok",
        "Beijing",
        "Delhi",
        "London",
        "Cairo",
        "Tehran",
        "Bogota",
        "Lima",
        "Santiago",
        "Singapore",
        "Baghdad",
        "Dhaka",
        "Berlin",
        "Ankara",
        "Buenos Aires",
        "Madrid",
        "Pyongyang",
        "Kinshasa",
        "Rome",
        "Taipei",
        "Kiev",
        "Addis Ababa",
        "Havana",
        "Paris",
        "Tashkent",
        "Brasilia",
        "Bucharest",
        "Budapest",
        "Caracas",
    }
    assert which("hemisphere", "southern") == {
        "Sao Paulo",
        "Jakarta",
        "Bandung",
        "Lima",
        "Rio de Janeiro",
        "Bogor",
        "Santiago",
        "Sydney",
        "Malang",
        "Buenos Aires",
        "Surabaya",
        "Kinshasa",
        "Salvador",
        "Semarang",
        "Belo Horizonte",
        "Fortaleza",
        "Sukabumi",
        "Guayaquil",
        "Cirebon",
        "Brasilia",
    }
    assert which("continent", "Africa") == {
        "Cairo",
        "Alexandria",
        "Giza",
        "Casablanca",
        "Kinshasa",
        "Addis Ababa",
        "Abidjan",
    }
    assert which("continent", "Europe") == {
        "Moscow",
        "London",
        "St Petersburg",
        "Berlin",
        "Madrid",
        "Rome",
        "Kiev",
        "Paris",
        "Bucharest",
        "Budapest",
    }
    assert which("continent", "North America") == {
        "Mexico City",
        "New York",
        "Los Angeles",
        "Chicago",
        "Toronto",
        "Havana",
        "Houston",
    }
    assert which("continent", "Oceania") == {"Sydney"}
    assert which("water", "on a lake") == {"Chicago", "Toronto"}
    assert which("elevation", "more than 1500 metres") == {"Mexico City", "Bogota", "Addis Ababa"}
    assert which("side", "left") >= {
        "London",
        "Tokyo",
        "Sydney",
        "Hong Kong",
        "Bangkok",
        "Jakarta",
        "Delhi",
        "Karachi",
        "Dhaka",
        "Singapore",
    }
    assert not which("side", "left") & {"Yangon", "Paris", "New York", "Beijing", "Cairo", "Taipei"}
    assert which("ruler", "Portugal") == {one.name for one in cities() if one.country == "Brazil"}


def countries(topic: str, value: str) -> set[str]:
    """Countries of the cities of which a question has an answer."""
    return {one.country for one in cities() if one.facts[topic] == value}


def test_facts_of_countries_are_those_of_lists_made_by_hand():
    assert countries("government", "a monarchy") == {
        *("Japan", "Thailand", "UK", "Morocco", "Spain", "Australia", "Canada"),
    }
    assert countries("government", "a state of one party") == {"China", "North Korea", "Vietnam", "Cuba"}
    assert countries("commonwealth", "yes") == {
        *("India", "Pakistan", "UK", "Bangladesh", "Singapore", "Australia", "Canada"),
    }
    assert countries("nuclear weapons", "yes") == {
        *("USA", "Russia", "China", "UK", "France", "India", "Pakistan", "North Korea"),
    }
    assert countries("world cup", "yes") == {
        *("Italy", "France", "Brazil", "Chile", "UK", "Mexico", "Germany", "Argentina", "Spain", "USA", "South Korea"),
        *("Japan", "Russia"),
    }
    assert countries("european union", "yes") == {"Germany", "Spain", "Italy", "France", "Romania", "Hungary"}
    assert countries("coast", "no") == {"Ethiopia", "Uzbekistan", "Hungary"}
    assert countries("area", "more than 2.5 million square kilometres") == {
        *("Russia", "Canada", "China", "USA", "Brazil", "Australia", "India", "Argentina"),
    }
    assert countries("area", "less than 200,000 square kilometres") == {
        *("Bangladesh", "North Korea", "South Korea", "Cuba", "Hungary", "Taiwan", "Hong Kong", "Singapore"),
    }
    assert countries("people", "more than 155 millions") == {
        *("India", "China", "USA", "Indonesia", "Pakistan", "Brazil", "Bangladesh"),
    }
    assert countries("people", "fewer than 15 millions") == {"Cuba", "Hungary", "Hong Kong", "Singapore"}
    for topic in ("government", "people", "area", "coast", "commonwealth", "world cup"):
        facts = {(one.country, one.facts[topic]) for one in cities()}
        assert len(facts) == len({one.country for one in cities()}), "one answer for each country"


def test_facts_of_seas_cups_and_expos_are_those_of_lists_made_by_hand():
    assert which("sea", "the Indian Ocean") == {"Bombay", "Karachi", "Madras"}
    assert which("sea", "the Mediterranean or the Black Sea") == {"Istanbul", "Alexandria", "Izmir"}
    assert which("sea", "the Atlantic Ocean") == {
        *("New York", "Rio de Janeiro", "Salvador", "Fortaleza", "Havana", "Casablanca", "Abidjan", "St Petersburg"),
    }
    assert {one.name for one in cities() if one.facts["sea"] == "no sea"} == {
        one.name for one in cities() if one.facts["water"] != "by the sea"
    }
    on_islands = {"Japan", "Indonesia", "Singapore", "Taiwan", "Cuba", "UK", "Philippines"}
    assert which("island", "yes") == {one.name for one in cities() if one.country in on_islands} | {"Bombay"}
    assert which("football cup", "yes") == {
        *("Madrid", "London", "Paris", "Bucharest", "Sao Paulo", "Rio de Janeiro", "Belo Horizonte", "Santiago"),
        *("Buenos Aires", "Medellin"),
    }
    assert which("world expo", "yes") == {"London", "Paris", "New York", "Chicago", "Osaka", "Shanghai"}


def test_there_are_some_forty_open_questions():
    assert len(ASKS) == 41
    assert {one.topic for one in questions() if one.kind == "open"} == set(ASKS)
    for topic in BINARY:
        assert set(values()[topic]) == {"no", "yes"}, topic


def test_answers_do_not_give_the_city_away_before_their_time():
    for k, city in enumerate(cities()):
        for question in range(len(ASKS)):
            told = {answer_text(question, int(answers()[question, k]), k, count, 10) for count in range(10)}
            for text in told:
                for word in (*city.taboo, city.landmark):
                    assert not re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE), (city.name, text)
    assert "Eiffel" in answer_text(places()[LANDMARK], PLACE["Paris"] + 1, PLACE["Paris"], 10, 10)


def test_answers_are_put_in_several_ways():
    assert min(len(set(LEADS)), len(set(NEUTRAL)), len(set(HIDDEN))) >= 4
    for question in (places()["climate"], places()["guess Paris"], places()[OTHER]):
        code = int(answers()[question, PLACE["Rome"]])
        assert len({answer_text(question, code, PLACE["Rome"], count, 10) for count in range(20)}) >= 4
    first = [answer_text(places()["climate"], 1, 5, count, 10) for count in range(20)]
    assert first == [answer_text(places()["climate"], 1, 5, count, 10) for count in range(20)]


def test_the_landmark_is_told_late():
    batch = about("Paris")
    output = asked(batch, "What is the most famous landmark?")
    assert output.observations[0, places()[LANDMARK]] == 0
    output = asked(batch, *["What is the climate like?"] * 9, "What is the most famous landmark?")
    assert output.observations[0, places()[LANDMARK]] == PLACE["Paris"] + 1
    assert asked(about("Paris", reveal=0), "What is the most famous landmark?").observations[0, places()[LANDMARK]] > 0


def test_a_right_guess_wins_and_the_twentieth_question_ends():
    output = asked(about("Bombay"), "Is it in Asia?", "Is it Mumbai?")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (0.0, True, True)
    batch = about("Bombay")
    assert not asked(batch, *["Is it Paris?"] * 19).terminated[0]
    output = asked(batch, "Is it Paris?")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (-1.0, True, False)


def test_infos_tell_what_the_oracle_understood():
    batch = about("Paris")
    infos = [batch.last.info.copy()]
    infos += [
        asked(batch, text).info.copy() for text in ("What is the climate like?", "Do you like it there?", "Is it Rome?")
    ]
    intents = [int(one["oracle_intent"][0]) for one in infos]
    assert intents == [-1, places()["climate"], places()[OTHER], places()["guess Rome"]]
    assert [float(one["oracle_confidence"][0]) for one in infos] == [0.0, 1.0, 0.0, 1.0]
    assert {f"guess-city-rules-{int(one['oracle_version'][0])}" for one in infos} == {RulesOracle.version}


def test_what_is_known_stands_in_the_observation():
    seen = asked(about("Bombay"), "Which continent is it on?", "Is it in Europe?", "Is it Paris?").observations[0]
    assert values()["continent"][seen[places()["continent"]] - 1] == "Asia"
    assert seen[places()["continent is Europe"]] == -1
    assert seen[places()["guess Paris"]] == -1
    assert np.count_nonzero(seen[:-1]) == 3
    assert seen[-1] == 17


def test_an_episode_leaves_nothing_behind():
    batch, fresh = (begun(GuessMyCityWorld(), 32) for _ in range(2))
    draw = np.random.default_rng(0)
    for _ in range(25):
        batch.step(draw.integers(0, len(questions()), 32), batch.done)
    batch.seed(range(32))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


def mean_length(name: str | None) -> float:
    """Questions of a player until it has guessed, for each city once."""
    batch = begun(GuessMyCityWorld(), 99)
    batch.states["secret"] = np.arange(99)
    players = companion(batch.world, Players)
    policy = players.expert() if name is None else players.collector(name)
    policy.reset(np.ones(99, bool), np.arange(99))
    count, over = np.zeros(99), np.zeros(99, bool)
    while not over.all():
        output = batch.step(policy.act(batch.last.observations, batch.states), np.zeros(99, bool))
        count += ~over
        over |= output.terminated
        batch.states["clock"]["done"] = 0
        batch.states["count"][over] = 0
    return float(count.mean())


def fewest_losing_questions() -> int:
    """Questions that do not win, in sum over all cities, of a best player: by search through sets of possible cities.

    Sets are bits of a number. One of three or more costs a question for each of its cities at least: only a right
    guess is free, and it helps one of them.
    """
    divisions = set()
    for question, row in enumerate(answers()[: first_guess()]):
        if question != places()[LANDMARK]:
            parts = [sum(1 << int(city) for city in np.flatnonzero(row == value)) for value in np.unique(row)]
            divisions.add(tuple(parts))

    @cache
    def divided(left: int) -> set[tuple[int, ...]]:
        cuts = {tuple(sorted(filter(None, (left & part for part in parts)))) for parts in divisions}
        return {cells for cells in cuts if len(cells) > 1}

    def least(left: int) -> int:
        return left.bit_count() - (left.bit_count() < 3)

    @cache
    def ahead(left: int) -> int:
        """A bound that looks one question ahead."""
        if left.bit_count() < 3:
            return least(left)
        return left.bit_count() + min(sum(map(least, cells)) for cells in divided(left))

    @cache
    def best(left: int) -> int:
        count, value = left.bit_count(), 99 * 20
        if count < 3:
            return least(left)
        for bound, cells in sorted((count + sum(map(ahead, cells)), cells) for cells in divided(left)):
            if bound >= value:
                break
            value = min(value, count + sum(map(best, cells)))
        for city in range(99):
            rest = left & ~(1 << city)
            if rest != left and count - 1 + ahead(rest) < value:
                value = min(value, count - 1 + best(rest))
        return value

    return best((1 << 99) - 1)


def test_no_player_is_better_than_the_greedy_one():
    assert fewest_losing_questions() == 247
    assert mean_length(None) == pytest.approx(1 + 247 / 99)


def test_players_need_as_many_questions_as_they_should():
    assert 6 <= mean_length("script") <= 9
    assert 7 <= mean_length("yes-no") <= 8, "the bound with one bit a question is 7.06"
    assert play(envsuite.card("GuessMyCity"), expert_policy, 300, first_seed=0).metrics["success"].all()
    assert set(COLLECTORS) == {"script", "yes-no", "novice", "beginner", "guesses"}


def test_guesses_without_repeats_score_what_they_should():
    returns = [-k if k < 20 else -20 for k in range(99)]
    played = play(
        envsuite.card("GuessMyCity"),
        lambda world, n: companion(world, Players).collector("guesses"),
        3000,
        first_seed=0,
    )
    assert abs(played.returns.mean() - np.mean(returns)) < 3 * np.std(returns) / sqrt(3000)


def test_every_question_and_topic_is_read():
    for k, one in enumerate(questions()[:-1]):
        for text in (one.ask, one.name):
            found = read(text)
            assert not isinstance(found, Refusal)
            assert found[0] == k, text
    assert set(TOPICS) == set(ASKS)
    for topic, phrases in TOPICS.items():
        for phrase in phrases:
            found = read(phrase + "?")
            assert not isinstance(found, Refusal)
            assert found[0] == places()[topic], phrase


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What is the weather usually like there?", "climate"),
        ("Is your city in South America?", "continent is South America"),
        ("Do you live in Saint Petersburg?", "guess St Petersburg"),
        ("My guess is São Paulo!", "guess Sao Paulo"),
        ("Xi\u2019an", "guess Xian"),
        ("So: is it a coastal city?", "water"),
        ("Do you like it there?", OTHER),
        ("Which countrys continent is it on?", "continent"),
        ("What's the population of the country?", "people"),
        ("Is the city in a monarchy?", "government is a monarchy"),
        ("Which ocean is the city near?", "sea"),
        ("Does the country have an army with nuclear weapons?", "nuclear weapons"),
        ("Is it in the EU?", "european union"),
        ("Has the country ever hosted the FIFA World Cup?", "world cup"),
    ],
)
def test_questions_are_read(text, name):
    found = read(text)
    assert not isinstance(found, Refusal)
    assert questions()[found[0]].name == name


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        ("...", RefusalKind.UNREADABLE),
        ("I do not know.", RefusalKind.UNREADABLE),
        ("Is it big? Is it old?", RefusalKind.AMBIGUOUS),
        ("x" * 100_000, RefusalKind.UNREADABLE),
        ("\x00\x01", RefusalKind.UNREADABLE),
    ],
)
def test_what_is_no_question_is_refused(text, kind):
    found = read(text)
    assert isinstance(found, Refusal)
    assert found.kind == kind


def test_oracle_replies_tell_how_they_came_about():
    oracle = RulesOracle()
    reply = oracle.answer(PLACE["Paris"], "Which continent is it on?")
    assert reply.text.endswith("It lies in Europe.")
    assert (reply.parsed, reply.confidence, reply.intent) == (places()["continent"], 1.0, "Which continent is it on?")
    assert oracle.answer(PLACE["Paris"], "What is the most famous landmark?", 3).text in HIDDEN
    assert "Eiffel" in oracle.answer(PLACE["Paris"], "What is the most famous landmark?", 10).text
    with pytest.raises(ValueError, match="secret is 99, expected an index from 0 to 98"):
        oracle.answer(99, "Is it Paris?")


def test_descriptions_hold_the_dialogue():
    batch = about("Paris")
    asked(batch, "Which continent is it on?", "Is it Rome?")
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "It lies in Europe." in told
    assert "Is it Rome?" in told
    assert "18 questions left" in told
    assert "Paris" not in told
    with pytest.raises(ValueError, match="reveal is 21, expected a whole number from 0 to 20"):
        GuessMyCityWorld(reveal=21)

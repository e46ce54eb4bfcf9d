"""Gym-Cards' tasks against exact computations, against Python's own arithmetic and against Gymnasium's blackjack."""

import itertools
from fractions import Fraction
from functools import cache

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Players, Words, companion
from envsuite.core.jit import kernel, records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import make_world, observe
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.text_games.cards.blackjack import HIT, STICK, BlackjackWorld
from envsuite.text_games.cards.experts import optimal_actions
from envsuite.text_games.cards.formulas import ADD, DIVIDE, MULTIPLY, REFUSED, Room, reaches_target
from envsuite.text_games.cards.number_line import NumberLineWorld
from envsuite.text_games.cards.points import MARKS, EZPointsWorld, Points24World
from envsuite.text_games.cards.render import PointsPictures, keypad
from envsuite.text_games.cards.solver import solve

SYMBOLS = {mark: symbol for symbol, mark in MARKS.items()} | {" ": REFUSED}


def begun(world, slots: int = 1) -> Batch:
    """A batch at the start of its episodes, each of the length of its world's card."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def written(batch: Batch, *names: str):
    """The output of the last of some steps of the only slot, by names of actions."""
    for name in names:
        output = batch.step(np.array([batch.world.action.names.index(name)]))
    return output


def dealt(world, *ranks: int) -> Batch:
    """A batch of one slot with these cards."""
    batch = begun(world)
    batch.states["ranks"][0] = ranks
    return batch


def near(episodes, expected: float) -> bool:
    """Whether a mean return lies within three standard errors of its expectation."""
    score = episodes.score("")
    return abs(score.mean - expected) < 3 * score.standard_error


@pytest.mark.parametrize("name", ["NumberLine", "EZPoints", "Points24", "CardsBlackjack"])
def test_an_episode_leaves_nothing_behind(name):
    card = envsuite.card(name)
    batch, fresh = (begun(make_world(card.world), 64) for _ in range(2))
    policy = random_policy(batch.world, 64)
    policy.reset(np.ones(64, bool), np.arange(64))
    for _ in range(30):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(64))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


# the number line


def walks(place: int, target: int, steps: int = 10, last: int = 5) -> tuple[Fraction, Fraction]:
    """Expected return and probability of success of random steps."""

    @cache
    def ahead(place: int, steps: int) -> tuple[Fraction, Fraction]:
        if steps == 0:
            return Fraction(0), Fraction(0)
        total, success = Fraction(0), Fraction(0)
        for after in (max(place - 1, 0), min(place + 1, last)):
            if after == target:
                gain, done = Fraction(1), Fraction(1)
            else:
                gain, done = ahead(after, steps - 1)
                gain -= abs(after - target) >= abs(place - target)
            total, success = total + gain / 2, success + done / 2
        return total, success

    return ahead(place, steps)


def test_random_steps_on_the_number_line_score_what_they_should():
    starts = [(a, (b + 1) % 5 if a == b else b) for a in range(6) for b in range(6)]
    total, success = (sum(part) / 36 for part in zip(*(walks(*one) for one in starts), strict=True))
    assert float(total) == pytest.approx(-2.48, abs=0.005)
    assert float(success) == pytest.approx(0.612, abs=0.001)
    played = play(envsuite.card("NumberLine"), random_policy, 10_000, first_seed=0)
    assert near(played, float(total))
    assert abs(played.metrics["success"].mean() - float(success)) < 3 * np.sqrt(0.25 / 10_000)
    assert played.lengths.max() == 10
    assert (played.terminated == played.metrics["success"]).all()
    assert (played.truncated | played.terminated).all()


def test_number_line_pays_for_the_target_and_costs_what_brings_no_nearer():
    batch = begun(NumberLineWorld())
    batch.states["place"], batch.states["target"] = 0, 2
    for name, place, reward, over in (("left", 0, -1, 0), ("right", 1, 0, 0), ("left", 0, -1, 0), ("right", 1, 0, 0)):
        output = written(batch, name)
        assert (batch.states["place"][0], output.rewards[0], output.terminated[0]) == (place, reward, over)
    output = written(batch, "right")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (1, True, True)


def test_targets_are_no_starts_but_in_the_original():
    places = [begun(NumberLineWorld(compat=compat), 3600).states for compat in (None, "gym-cards")]
    assert not (places[0]["place"] == places[0]["target"]).any()
    assert abs((places[1]["place"] == places[1]["target"]).mean() - 1 / 6) < 3 * np.sqrt(5 / 36 / 3600)
    for place, name, first, target in ((3, "left", -1, 4), (4, "right", -1, 0), (0, "left", 1, 0), (5, "right", 1, 5)):
        batch = begun(NumberLineWorld(compat="gym-cards"))
        batch.states["start"] = batch.states["place"] = batch.states["target"] = place
        output = written(batch, name)
        assert (output.rewards[0], output.terminated[0]) == (first, first == 1)
        assert batch.states["target"][0] == place, "it is seen where it was"
        if first < 0:
            written(batch, "left")
            assert batch.states["target"][0] == target


# formulas


def formula(text: list[str]) -> tuple[np.ndarray, list[int]]:
    """A record that holds a formula."""
    symbols = [SYMBOLS[one] if one in SYMBOLS else int(one) for one in text]
    state = np.zeros(1, Points24World(treat_face_cards_as_10=False).state_dtype)
    state["formula"][0, : len(symbols)], state["written"] = symbols, len(symbols)
    return records(state), symbols


def judged(text: list[str], target: int = 24, compat: bool = False) -> bool:
    """Whether a formula comes to the target, as the world has it."""
    world = Points24World(target_points=target, treat_face_cards_as_10=False, compat="gym-cards" if compat else None)
    return bool(reaches_target(formula(text)[0][0], records(world.params)[0], records(np.zeros(1, Room.dtype()))[0]))


def by_fractions(text: list[str]):
    """What Python makes of a formula whose numbers are fractions and whose symbols stand apart; None for nonsense."""
    parts = [f"Fraction({one})" if one.isdecimal() else one for one in text]
    return evaluated(" ".join(parts))


def as_original(text: list[str]):
    """What the original has Python make of a formula; None for nonsense."""
    return evaluated("".join(text).lstrip())


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def evaluated(source: str):
    try:
        return eval(source, {"Fraction": Fraction})
    except (SyntaxError, TypeError, ZeroDivisionError, OverflowError):
        return None


def random_formula(draw: np.random.Generator, signs: tuple[str, ...], numbers: int) -> list[str]:
    """A formula of some numbers, now and then with a defect."""

    def part(count: int) -> list[str]:
        if count == 1:
            found = [str(draw.integers(1, 14))]
        else:
            left = int(draw.integers(1, count))
            found = [*part(left), *signs[draw.integers(len(signs))], *part(count - left)]
        if draw.random() < 0.3:
            found = ["(", *found, ")"]
        return ["-", *found] if draw.random() < 0.1 else found

    found = part(numbers)
    while draw.random() < 0.2:
        place = int(draw.integers(len(found)))
        if draw.random() < 0.5:
            found.insert(place, str(draw.choice(["+", "-", "*", "/", "(", ")", " "])))
        elif len(found) > 1:
            found.pop(place)
    return found


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("compat", [False, True])
def test_formulas_come_to_what_python_makes_of_them(compat):
    draw = np.random.default_rng(1)
    signs = ("+", "-", "*", "/", "**", "//", "") if compat else ("+", "-", "*", "/")
    right = wrong = nonsense = 0
    while min(right, wrong, nonsense) < 300:
        text = random_formula(draw, signs, int(draw.integers(1, 5)))
        if len(text) > 21 or "".join(text).count("**") > 1:
            continue
        value = as_original(text) if compat else by_fractions([one for one in text if one != " "])
        sensible = value is not None and not isinstance(value, tuple | complex)
        target = 24
        if sensible and 1 <= abs(value) <= 100 and int(value) == value:
            target = int(abs(value))
        assert judged(text, target, compat) == (sensible and value == target), text
        right, wrong, nonsense = right + (sensible and value == target), wrong + sensible, nonsense + (not sensible)


@pytest.mark.parametrize(
    ("text", "ours", "original"),
    [
        ("8 / ( 3 - 8 / 3 )", True, False),
        ("2 4", False, True),
        ("2   4", False, True),
        ("2 * * 3 * 3", False, True),
        ("1 2 * 4 / / 2", False, True),
        ("9 * * ( 1 / 2 ) * 8", False, True),
        ("8 * * ( 2 / 3 ) * 6", False, False),
        ("1 * * 9 * 2 4", False, True),
        ("10 * * 10 * * 10 / / 3", False, False),
        ("- 1 + 5 * 5", True, True),
        ("5 * - ( 1 / 5 - 5 )", True, True),
        ("4 * 6 ( )", False, False),
        ("( 4 ) * 6", True, True),
        ("4 ( 6 )", False, False),
        ("( 4 * 6", False, False),
        ("4 * 6 )", False, False),
        ("4 / ( 1 - 1 )", False, False),
        ("", False, False),
    ],
)
def test_what_the_original_reads_otherwise(text, ours, original):
    assert judged(text.split()) is ours
    assert judged(text.split(), compat=True) is original


def test_a_blank_parts_numbers_in_the_original():
    assert judged(["2", " ", "4"], compat=True) is False
    assert judged(["2", "*", " ", "*", "3", "*", "3"], compat=True) is False
    assert judged([" ", "4", "*", " ", "6"]) is judged([" ", "4", "*", " ", "6"], compat=True) is True


@kernel
def solved_without_brackets(s, p, w, numbers):
    """Whether numbers in this order come to the target, with one of seven joints between any two and one power at most.

    Joints are the four signs, two stars, two slashes, and nothing.
    """
    for code in range(7**3):
        rest, length, powers = code, 0, 0
        for k in range(4):
            s.formula[length] = numbers[k]
            length += 1
            joint, rest = rest % 7, rest // 7
            if k < 3 and joint < 6:
                sign = ADD + joint if joint < 4 else (MULTIPLY if joint == 4 else DIVIDE)
                powers += joint == 4
                s.formula[length] = s.formula[length + (joint > 3)] = sign
                length += 1 + (joint > 3)
        s.written = length
        if powers < 2 and reaches_target(s, p, w):
            return True
    return False


def test_the_original_takes_more_deals_for_solvable():
    """82.4 % of all, counting formulas with brackets only where they are right."""
    world, count = Points24World(compat="gym-cards"), 0
    s, p, w = (records(one)[0] for one in (np.zeros(1, world.state_dtype), world.params, np.zeros(1, Room.dtype())))
    for hand in itertools.combinations_with_replacement(range(1, 11), 4):
        orders = set(itertools.permutations(hand))
        if solve(hand, 24) or any(solved_without_brackets(s, p, w, np.array(order)) for order in orders):
            count += len(orders) * 4 ** hand.count(10)
    assert count / 13**4 == pytest.approx(0.824, abs=5e-4)


# points


@pytest.mark.parametrize(("face", "count"), [(10, 20_876), (13, 22_615)])
def test_as_many_deals_are_solvable_as_there_are(face, count):
    """Each solution is held to Python's fractions; the counts are those of an independent search."""
    hands: dict[tuple[int, ...], int] = {}
    for ranks in itertools.product(range(1, 14), repeat=4):
        hand = tuple(sorted(min(rank, face) for rank in ranks))
        hands[hand] = hands.get(hand, 0) + 1
    plans = {hand: solve(hand, 24) for hand in hands}
    for hand, plan in plans.items():
        if plan is not None:
            text = [str(one) if one < ADD else MARKS[one] for one in plan]
            assert by_fractions(text) == 24
            assert sorted(one for one in plan if one < ADD) == list(hand)
            assert len(plan) <= 20
    solvable = sum(times for hand, times in hands.items() if plans[hand] is not None)
    assert solvable == count
    if face == 10:
        assert (10 * solvable - (13**4 - solvable)) / 13**4 == pytest.approx(7.040, abs=5e-4)
        assert near(play(envsuite.card("Points24"), expert_policy, 4000, first_seed=0), 7.040)
    else:
        assert solvable / 13**4 == pytest.approx(0.7918, abs=5e-5)


def test_no_search_solves_what_the_solver_gives_up():
    """All orders, operations and brackets of hands that the solver gives up."""

    def values(parts: list[Fraction]):
        if len(parts) == 1:
            yield parts[0]
        for (i, a), (j, b) in itertools.permutations(enumerate(parts), 2):
            rest = [one for k, one in enumerate(parts) if k not in (i, j)]
            for value in (a + b, a - b, a * b, *((a / b,) if b else ())):
                yield from values([*rest, value])

    given_up = [hand for hand in itertools.combinations_with_replacement(range(1, 11), 4) if solve(hand, 24) is None]
    for hand in given_up[::25]:
        assert 24 not in values([Fraction(one) for one in hand]), hand


def test_points24_is_played_symbol_by_symbol():
    batch = dealt(Points24World(), 8, 3, 13, 3)
    assert batch.last.info["action_mask"].shape == (1, 17)
    output = written(batch, "8", "/", "(", "3")
    assert output.rewards[0] == 0
    assert output.info["action_mask"][0].tolist() == [0, 0, 1, *[0] * 6, 1, *[1] * 7]
    output = written(batch, "8")
    assert output.rewards[0] == -1
    assert batch.states["formula"][0, 4] == REFUSED
    assert not output.terminated[0]
    output = written(batch, ")", "*", "10", "-", "3", "=")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (-1, True, False)
    output = written(dealt(Points24World(), 8, 3, 8, 3), *"8/(3-8/3)=")
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (10, True, True)


def test_every_card_has_to_be_used():
    output = written(dealt(Points24World(), 4, 6, 1, 1), *"4*6=")
    assert output.rewards[0] == -1
    assert written(dealt(Points24World(), 4, 6, 1, 1), *"4*6*1*1=").rewards[0] == 10


def test_long_formulas_are_ended():
    for world, longest in ((EZPointsWorld(), 5), (Points24World(), 20)):
        batch = begun(world)
        output = written(batch, *["+"] * (longest + 1))
        assert (output.rewards[0], output.truncated[0]) == (0, False)
        output = written(batch, "=")
        assert (output.rewards[0], output.terminated[0], output.truncated[0]) == (-1, False, True)
    last = written(dealt(Points24World(), 4, 6, 1, 1), *"+" * 13, *"4*6*1*1=")
    assert last.rewards[0] == 10, "twenty symbols are none too many"


def test_faces_may_count_more():
    world = Points24World(treat_face_cards_as_10=False)
    assert world.action.names[10:14] == ("11", "12", "13", "+")
    assert written(dealt(world, 13, 11, 1, 1), "13", "+", "11", "*", "1", "*", "1", "=").rewards[0] == 10
    assert written(dealt(Points24World(target_points=40), 13, 11, 10, 12), *("10", "+") * 3, "10", "=").rewards[0] == 10


def pairs() -> dict[tuple[int, int], Fraction]:
    """Probabilities of the deals of EZPoints, from its rules."""
    found: dict[tuple[int, int], Fraction] = {}
    for rank in range(2, 14):
        first = min(rank, 10)
        others = [12 // first, 12 - first] if first in (2, 3, 4, 6) else [12 - first] * 2
        for second, swapped in itertools.product(others, (False, True)):
            pair = (second, first) if swapped else (first, second)
            found[pair] = found.get(pair, Fraction(0)) + Fraction(1, 48)
    return found


def test_pairs_come_as_often_as_they_should():
    states = begun(EZPointsWorld(), 20_000).states
    seen = np.minimum(states["ranks"], 10).tolist()
    assert {tuple(one) for one in seen} == set(pairs())
    for pair, chance in pairs().items():
        spread = np.sqrt(float(chance * (1 - chance)) / len(seen))
        assert abs(seen.count([*pair]) / len(seen) - chance) < 4 * spread, pair


def random_ezpoints(pair: tuple[int, int]) -> Fraction:
    """Expected return of random symbols that may be written."""

    @cache
    def ahead(text: tuple[str, ...], left: tuple[int, ...]) -> Fraction:
        if len(text) > 5:
            return Fraction(-1)
        choices = [str(one) for one in sorted(set(left))]
        total = Fraction(10 if not left and by_fractions([*text]) == 12 else -1)
        for name in (*choices, "+", "*"):
            rest = list(left)
            if name.isdecimal():
                rest.remove(int(name))
            total += ahead((*text, name), tuple(rest))
        return total / (len(choices) + 3)

    return ahead((), tuple(sorted(pair)))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_random_symbols_and_the_solver_score_what_they_should_in_ezpoints():
    expected = sum(chance * random_ezpoints(pair) for pair, chance in pairs().items())
    assert near(play(envsuite.card("EZPoints"), random_policy, 10_000, first_seed=0), float(expected))
    solved = play(envsuite.card("EZPoints"), expert_policy, 500, first_seed=0)
    assert (solved.returns == 10).all()
    assert (solved.lengths == 4).all()


def test_the_originals_reading_changes_no_reward_of_ezpoints():
    """Why that game has no option for it: no pair comes to 12 by a power or side by side."""
    for a, b in pairs():
        assert 12 not in (a**b, b**a, int(f"{a}{b}"), int(f"{b}{a}"))


# blackjack


def best(cards: tuple[int, ...]) -> int:
    """Points of a hand; 0 if they are too many."""
    hard = sum(cards)
    soft = hard + 10 if 1 in cards and hard <= 11 else hard
    return soft if soft <= 21 else 0


DECK = [*range(1, 11), 10, 10, 10]


@cache
def dealer_ends(cards: tuple[int, ...]) -> dict[int, Fraction]:
    """Probabilities of what the dealer ends with, 0 for too many points, over every hand there can be."""
    if best(cards) >= 17 or best(cards) == 0:
        return {best(cards): Fraction(1)}
    found: dict[int, Fraction] = {}
    for card, times in ((one, DECK.count(one)) for one in range(1, 11)):
        for end, chance in dealer_ends(tuple(sorted((*cards, card)))).items():
            found[end] = found.get(end, Fraction(0)) + chance * Fraction(times, 13)
    return found


@cache
def worth(cards: tuple[int, ...], dealer: int, choose: str) -> Fraction:
    """Expected reward of a hand, as sorted cards: of the better action, or of a random one."""
    if best(cards) == 0:
        return Fraction(-1)
    mine = best(cards)
    stick = sum(((mine > end) - (mine < end)) * chance for end, chance in dealer_ends((dealer,)).items())
    hit = sum(
        Fraction(DECK.count(card), 13) * worth(tuple(sorted((*cards, card))), dealer, choose) for card in range(1, 11)
    )
    return max(stick, hit) if choose == "best" else (stick + hit) / 2


def expected_blackjack(choose: str) -> float:
    """Over all first cards."""
    total = Fraction(0)
    for a, b, dealer in itertools.product(range(1, 11), repeat=3):
        times = DECK.count(a) * DECK.count(b) * DECK.count(dealer)
        total += times * worth(tuple(sorted((a, b))), dealer, choose)
    return float(total / 13**3)


@pytest.mark.parametrize(
    ("choose", "policy", "stated"), [("best", expert_policy, -0.0466), ("random", random_policy, -0.396)]
)
def test_blackjack_is_worth_what_it_is_worth(choose, policy, stated):
    """Exactly, by a search through hands of cards, and by play."""
    exact = expected_blackjack(choose)
    assert exact == pytest.approx(stated, abs=5e-4)
    played = play(envsuite.card("CardsBlackjack"), policy, 20_000, first_seed=0)
    assert near(played, exact)
    if choose == "best":
        assert abs(played.metrics["success"].mean() - 0.4295) < 3 * np.sqrt(0.25 / 20_000)


def test_no_hand_of_the_dealer_is_too_long_for_its_record():
    def longest(cards: tuple[int, ...]) -> int:
        if best(cards) >= 17 or best(cards) == 0:
            return len(cards)
        return max(longest_of(tuple(sorted((*cards, card)))) for card in range(1, 11))

    longest_of = cache(longest)
    assert max(longest_of((card,)) for card in range(1, 11)) == BlackjackWorld.state_dtype["dealer_ranks"].shape[0]


@pytest.mark.parametrize("options", [{}, {"natural": True}, {"sab": True}])
def test_blackjack_goes_as_gymnasiums(options):
    """The same policy has the same rewards there, and the same distribution of first observations."""
    table, count = optimal_actions(), 6000
    other = gymnasium.make("Blackjack-v1", **{"natural": False, "sab": False, **options}).unwrapped
    rewards, firsts = [], []
    for seed in range(count):
        (points, dealer, usable), _ = other.reset(seed=seed)
        firsts.append((points, dealer, usable))
        over = False
        while not over:
            (points, dealer, usable), reward, over, _, _ = other.step(int(table[points, usable, dealer]))
            points = min(points, 21)
        rewards.append(reward)
    batch = begun(BlackjackWorld(**options), count)
    output, ours, policy = batch.last, np.zeros(count), companion(batch.world, Players).expert()
    seen = output.observations.copy()
    done = np.zeros(count, bool)
    while not done.all():
        actions = policy.act(output.observations, batch.states)
        output = batch.step(actions, np.zeros(count, bool))
        ours = np.where(done, ours, output.rewards)
        done |= output.terminated
        batch.states["clock"]["done"] = 0
    for outcome in (-1, 0, 1, 1.5):
        a, b = (np.mean(np.asarray(one) == outcome) for one in (rewards, ours))
        assert abs(a - b) < 4 * np.sqrt(0.5 / count * max(a, b, 1e-3)), outcome
    for k in range(3):
        a, b = np.asarray(firsts)[:, k].mean(), seen[:, k].mean()
        assert abs(a - b) < 4 * seen[:, k].std() * np.sqrt(2 / count)


@pytest.mark.parametrize("options", [{}, {"natural": True}, {"sab": True}])
def test_hands_of_blackjack_are_judged_as_gymnasiums(options):
    """The same hands look the same, and pay the same if the dealer draws no more."""
    draw = np.random.default_rng(3)
    other, compared = gymnasium.make("Blackjack-v1", **{"natural": False, "sab": False, **options}).unwrapped, 0
    other.reset(seed=0)
    while compared < 200:
        player, dealer = (draw.integers(1, 11, size=draw.integers(2, 5)).tolist() for _ in range(2))
        if compared % 4 == 0:
            player = [1, 10]
        if best(tuple(dealer)) < 17 or best(tuple(player)) == 0:
            continue
        compared += 1
        batch = begun(BlackjackWorld(**options))
        for name, cards in (("", player), ("dealer_", dealer)):
            batch.states[f"{name}ranks"][0, : len(cards)], batch.states[f"{name}held"][0] = cards, len(cards)
        other.player, other.dealer = list(player), list(dealer)
        assert observe(batch.world, batch.states[0]).tolist() == [*map(int, other._get_obs())]
        assert written(batch, "stick").rewards[0] == other.step(STICK)[1], (player, dealer)


def test_a_hit_that_is_too_much_ends_the_game():
    batch = begun(BlackjackWorld())
    output = batch.last
    while not batch.done[0]:
        assert output.observations[0, 0] <= 21
        output = written(batch, "hit")
    assert (output.rewards[0], output.terminated[0]) == (-1, True)
    assert output.observations[0, 0] > 21
    assert batch.states["dealer_held"][0] == 1
    assert tuple(batch.world.action.names.index(one) for one in ("hit", "stick")) == (HIT, STICK)


# words and keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", "3"),
        (" + ", "+"),
        ('{"thoughts": "8 and 3", "action": "10"}', "10"),
        ("I need a fraction - so a bracket. Action: (", "("),
        ("The next symbol is *", "*"),
        ("", RefusalKind.EMPTY),
        ("a well-known sum", RefusalKind.UNREADABLE),
        ("3 * 8", RefusalKind.AMBIGUOUS),
        ("Action: 3 * 8", RefusalKind.AMBIGUOUS),
        ("3*8", RefusalKind.AMBIGUOUS),
        ("24", RefusalKind.UNKNOWN_NAME),
        ("2.5", RefusalKind.UNREADABLE),
        ("7", RefusalKind.ILLEGAL),
        ("9" * 5000, RefusalKind.UNKNOWN_NAME),
    ],
)
def test_symbols_are_read_from_text(text, expected):
    batch = dealt(Points24World(), 8, 3, 13, 3)
    found = companion(batch.world, Words).parse(text, batch.states[0])
    if isinstance(expected, RefusalKind):
        assert isinstance(found, Refusal)
        assert found.kind == expected
    else:
        assert batch.world.action.names[found] == expected


def test_descriptions_say_what_can_be_known():
    batch = dealt(Points24World(), 8, 3, 13, 3)
    batch.states["suits"][0] = (0, 1, 2, 3)
    written(batch, "8", "/", "9")
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "king of hearts (10)" in told
    assert "Formula so far: 8 / _. Numbers left: 3, 10, 3." in told
    batch = begun(BlackjackWorld())
    for name, cards in (("ranks", (1, 6)), ("suits", (3, 0)), ("dealer_ranks", (10,)), ("dealer_suits", (1,))):
        batch.states[name][0, : len(cards)] = cards
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "ace of spades, 6 of clubs: 17 points, an ace counting 11. The dealer shows the 10 of diamonds." in told


@pytest.mark.parametrize("world", [EZPointsWorld(), Points24World(), Points24World(treat_face_cards_as_10=False)])
def test_every_symbol_has_a_key_and_a_place(world):
    controls = companion(world, Controls)
    assert sorted(controls.keys().values()) == list(range(len(world.action.names)))
    width, height = PointsPictures.size
    for k, (left, top, right, bottom) in enumerate(keypad(len(world.action.names), PointsPictures.size)):
        assert (
            controls.click(((left + right) / 2 / width, (top + bottom) / 2 / height), set(), begun(world).states[0])
            == k
        )
    assert controls.click((0.5, 0.1), set(), begun(world).states[0]) is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Points24World(compat="rl4vlm"), "compat is 'rl4vlm', expected one of 'gym-cards'"),
        (lambda: Points24World(target_points=0), "target_points is 0, expected a whole number from 1 to 100"),
        (lambda: NumberLineWorld(max_position=1), "max_position is 1, expected a whole number from 2 to 100"),
        (lambda: BlackjackWorld(natural="yes"), "natural is 'yes', expected True or False"),
    ],
)
def test_bad_options_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()

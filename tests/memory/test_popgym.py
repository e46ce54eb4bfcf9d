"""POPGym's tasks against closed forms, Gymnasium, and players written here that see observations alone."""

from itertools import combinations
from math import comb, erf

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.language import Refusal
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.memory.popgym import boards
from envsuite.memory.popgym.bandit import BanditWorld
from envsuite.memory.popgym.battleship import BattleshipWorld
from envsuite.memory.popgym.cartpole import CartPoleWorld
from envsuite.memory.popgym.concentration import ConcentrationWorld
from envsuite.memory.popgym.count_recall import CountRecallWorld
from envsuite.memory.popgym.higher_lower import HigherLowerWorld
from envsuite.memory.popgym.minesweeper import MineSweeperWorld
from envsuite.memory.popgym.pendulum import PendulumWorld
from envsuite.memory.popgym.recall import RecallWorld

CARDS = {card.id[12:-3]: card for card in envsuite.cards().values() if ".popgym." in card.world}
SIZES = ("Easy", "Medium", "Hard")
RANDOM = {  # mean returns of popgym 1.0.7 in 200 to 400 episodes, two or three digits
    "Concentration": (-0.20, -0.18, -0.84),
    "Battleship": (-0.45, -0.41, -0.40),
    "MineSweeper": (-0.24, -0.40, -0.44),
    "PositionOnlyCartPole": (0.113, 0.056, 0.038),
    "VelocityOnlyCartPole": (0.113, 0.056, 0.038),
    "NoisyPositionOnlyCartPole": (0.112, 0.112, 0.112),
    "PositionOnlyPendulum": (0.239, 0.237, 0.239),
    "NoisyPositionOnlyPendulum": (0.23, 0.23, 0.23),
}
WORLDS = (
    RecallWorld,
    CountRecallWorld,
    HigherLowerWorld,
    ConcentrationWorld,
    BattleshipWorld,
    MineSweeperWorld,
    BanditWorld,
    CartPoleWorld,
    PendulumWorld,
)


def episode(world, player, slots: int, seed: int = 0):
    """Returns (slots,) of one episode each, without resets; `player` gives actions by observations and step."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(seed, seed + slots))
    out, over, returns, step = batch.reset(), np.zeros(slots, bool), np.zeros(slots), 0
    while not over.all():
        out = batch.step(player(out.observations, step), np.zeros(slots, bool) | over)
        returns += np.where(over, 0.0, out.rewards)
        over |= out.terminated | out.truncated
        step += 1
    return returns, step


def close(returns: np.ndarray, expected: float, rounding: float = 0.0, others: int = 0) -> None:
    """Within three standard errors, also those of the other figure if it is a mean too."""
    error = returns.std(ddof=1) * np.sqrt(1 / len(returns) + (1 / others if others else 0))
    assert abs(returns.mean() - expected) < 3 * error + rounding, (returns.mean(), error, expected)


def test_every_task_has_three_sizes():
    assert len(CARDS) == 42
    assert {name.removesuffix(size) for name in CARDS for size in SIZES if name.endswith(size)} >= set(RANDOM)


@pytest.mark.parametrize("name", CARDS)
def test_random_play_scores_as_it_must(name):
    card = CARDS[name]
    size = next(k for k, one in enumerate(SIZES) if name.endswith(one))
    task = name.removesuffix(SIZES[size])
    returns = np.asarray(play(card, random_policy, 400, first_seed=0).returns).reshape(-1)
    if task in RANDOM:
        close(returns, RANDOM[task][size], 0.005, 200)
        return
    choices = len(make_world(card.world, **card.options).action.names)
    even = task in ("HigherLower", "MultiarmedBandit")  # right by one half, whatever is answered
    close(returns, 0.0 if even else 2 / choices - 1)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_a_list_of_suits_repeats_previous_ones(k):
    seen = []

    def player(observations, step):
        seen.append(observations[:, :4].argmax(1))
        return seen[max(step + 1 - k, 0)]

    returns, steps = episode(RecallWorld(k=k), player, 20)
    assert steps == 51
    assert np.allclose(returns, 1)


def test_the_first_suit_and_all_suits_backwards():
    kept = []

    def first(observations, step):
        kept.append(observations[:, :4].argmax(1))
        return kept[0]

    returns, steps = episode(RecallWorld(task="first", decks=8), first, 5)
    assert steps == 415
    assert np.allclose(returns, 1)
    stack = []

    def backwards(observations, step):
        if step < 104:
            assert (observations[:, 4] == (step == 103)).all()
            stack.append(observations[:, :4].argmax(1))
        else:
            assert not observations[:, :4].any()
        return stack.pop() if step >= 103 else np.zeros(5, int)

    returns, steps = episode(RecallWorld(task="backwards", decks=2), backwards, 5)
    assert steps == 207
    assert np.allclose(returns, 1)


def test_the_original_shows_spades_where_there_is_no_card():
    def player(observations, step):
        if step > 51:
            assert (observations[:, :4] == [1, 0, 0, 0]).all()
        return np.zeros(2, int)

    episode(RecallWorld(task="backwards", compat="popgym-1.0.7"), player, 2)


@pytest.mark.parametrize("options", [{}, {"count": "suits", "decks": 2}, {"count": "ranks", "decks": 4}])
def test_tally_marks_answer_all_questions(options):
    world = CountRecallWorld(**options)
    kinds = len(world.names)
    marks = np.zeros((6, kinds), int)

    def player(observations, step):
        marks[np.arange(6), observations[:, :kinds].argmax(1)] += 1
        return marks[np.arange(6), observations[:, kinds:].argmax(1)]

    returns, steps = episode(world, player, 6)
    assert steps == world.cards - 1
    assert np.allclose(returns, 1)
    assert (marks.sum(1) == world.cards - 1).all()


def higher_lower(decks: int, counting: bool) -> float:
    """Expected return: over the rank shown, how many cards are left behind it, and how these are made up."""
    n, each = 52 * decks, 4 * decks
    total = 0.0
    for rank in range(13):
        high, low = (12 - rank) * each, rank * each
        if not counting:
            total += (n - 1) * abs(high - low) / (n - 1) / 13
            continue
        same = each - 1
        for left in range(1, n):
            ways = comb(n - 1, left)
            for h in range(min(high, left) + 1):
                for m in range(max(0, left - h - same), min(low, left - h) + 1):
                    chance = comb(high, h) * comb(low, m) * comb(same, left - h - m) / ways
                    total += chance * abs(h - m) / left / 13
    return total / n


def test_counting_cards_is_worth_what_it_must_be():
    published = {1: (0.497, 0.527), 2: (0.498, 0.515), 3: (0.497, 0.511)}
    for decks, (plain, counted) in published.items():
        world = HigherLowerWorld(decks=decks)
        players = companion(world, Players)
        forgetful = players.collector("memoryless")
        returns, _ = episode(world, lambda seen, _, one=forgetful: one.act(seen, None), 2000)
        exact = higher_lower(decks, counting=False)
        assert abs(exact - plain) < 0.003  # figures of simulations
        close(returns, exact)
        left = np.full((2000, 13), 4 * decks)

        def counter(seen, _, left=left):
            rank = seen.argmax(1)
            left[np.arange(2000), rank] -= 1
            gap = np.sign(np.arange(13) - rank[:, None])
            return ((left * gap).sum(1) < 0).astype(int)

        returns, _ = episode(world, counter, 2000)
        close(returns, counted, 0.001)
        if decks == 1:
            close(returns, higher_lower(decks, counting=True))


def remembered_pairs(kinds: np.ndarray, steps: int) -> float:
    """Return of a perfect memory on one table of cards, told as a story."""
    fresh, known, found, total, used = list(range(len(kinds))), {}, 0, 0.0, 0
    while found < len(kinds) and used + 2 <= steps:
        pair = next((places for places in known.values() if len(places) >= 2), None)
        if pair is not None:
            one, two = pair.pop(), pair.pop()
        else:
            one = fresh.pop(0)
            mates = known.setdefault(kinds[one], [])
            if mates:
                two = mates.pop()
            else:
                mates.append(one)
                two = fresh.pop(0)
                if kinds[two] == kinds[one]:
                    mates.remove(one)
                else:
                    known.setdefault(kinds[two], []).append(two)
        used += 2
        match = kinds[one] == kinds[two]
        found += 2 * match
        total += 2 / len(kinds) if match else -2 / steps
    return total


@pytest.mark.parametrize(("size", "published"), [("Easy", 0.815), ("Medium", 0.813), ("Hard", 0.697)])
def test_perfect_memory_finds_pairs(size, published):
    card = CARDS[f"Concentration{size}"]
    world = make_world(card.world, **card.options)
    returns = np.asarray(play(card, expert_policy, 400, first_seed=0).returns).reshape(-1)
    draw = np.random.default_rng(0)
    tables = [draw.permutation(np.arange(world.cards) % len(world.names)) for _ in range(2000)]
    told = np.array([remembered_pairs(one, card.horizon) for one in tables])
    close(returns, told.mean(), 0, 2000)
    close(told, published, 0.002)


def test_pairs_one_by_one():
    batch = Batch(ConcentrationWorld(), 1, num_threads=1)
    batch.seed([3])
    batch.reset()
    kinds = batch.states["cards"][0, :52].astype(int)
    same, other = np.flatnonzero(kinds == kinds[0])[1], np.flatnonzero(kinds != kinds[0])[0]

    def turned(k):
        out = batch.step(np.array([k]))
        faces = out.observations[0, : 14 * 52].reshape(14, 52)
        assert out.observations[0, 14 * 52 :].tolist() == np.eye(52)[k].tolist()
        assert (faces.sum(0) == 1).all()
        return float(out.rewards[0]), set(np.flatnonzero(faces[13] == 0).tolist())

    assert turned(0) == (0.0, {0})
    assert turned(other) == (pytest.approx(-2 / 104), {0, other})
    assert turned(0) == (0.0, {0})
    assert turned(0) == (pytest.approx(-2 / 104), {0})
    assert turned(0) == (0.0, {0})
    assert turned(same) == (pytest.approx(1 / 26), {0, same})
    assert turned(0) == (pytest.approx(-1 / 104), {0, same})
    assert turned(other) == (0.0, {0, same, other})
    assert turned(same) == (pytest.approx(-2 / 104), {0, same, other})
    assert turned(same) == (pytest.approx(-1 / 104), {0, same})


@pytest.mark.parametrize("size", [8, 10, 12])
def test_shots_without_repeats_score_a_thirteenth(size):
    draw = np.random.default_rng(size)
    order = np.array([draw.permutation(size * size) for _ in range(2000)])
    returns, _ = episode(BattleshipWorld(size=size), lambda _, t: np.stack(divmod(order[:, t], size), 1), 2000)
    close(returns, 1 / 13)  # 12 of 13 misses, on average, come before the twelfth hit


@pytest.mark.parametrize(("size", "published"), [(8, 0.41), (10, 0.46), (12, 0.47)])
def test_hunting_and_targeting_scores_as_published(size, published):
    """New cells by chance, but those beside a hit first."""
    slots, draw, last = 400, np.random.default_rng(size), np.zeros((400, 2), int)
    shot, target = np.zeros((2, slots, size + 2, size + 2), bool)

    def player(seen, step):
        for n in np.flatnonzero(seen[:, 0]) if step else ():
            i, j = last[n] + 1
            target[n, [i - 1, i + 1, i, i], [j, j, j - 1, j + 1]] = True
        wish = (draw.random(shot.shape) + 2 * target - 9 * shot)[:, 1:-1, 1:-1]
        last[...] = np.stack(divmod(wish.reshape(slots, -1).argmax(1), size), 1)
        shot[np.arange(slots), last[:, 0] + 1, last[:, 1] + 1] = True
        return last

    returns, _ = episode(BattleshipWorld(size=size), player, slots)
    close(returns, published, 0.005, 400)


def test_ships_lie_as_the_original_places_them():
    batch = Batch(BattleshipWorld(), 4000, num_threads=1)
    batch.seed(range(4000))
    batch.reset()
    ours = batch.states["ship"][:, :64].reshape(-1, 8, 8)
    for n, cells in enumerate((2, 3, 3, 4)):
        assert ((ours == n + 1).sum((1, 2)) == cells).all()
        rows, columns = (ours == n + 1).any(2).sum(1), (ours == n + 1).any(1).sum(1)
        assert (np.minimum(rows, columns) == 1).all()
        assert (np.maximum(rows, columns) == cells).all()
    draw, theirs = np.random.default_rng(0), np.zeros((4000, 8, 8))
    for table in theirs:
        for cells in (2, 3, 3, 4):
            while True:
                start, axis, sign = draw.integers(8, size=2), draw.integers(2), draw.choice((-1, 1))
                end = start.copy()
                end[axis] += sign * (cells - 1)
                low, high = np.minimum(start, end), np.maximum(start, end) + 1
                box = table[low[0] : high[0], low[1] : high[1]]
                if 0 <= end[axis] < 8 and not box.any():
                    box[...] = 1
                    break
    share, other = (ours > 0).mean(0), theirs.mean(0)
    assert np.abs(share - other).max() < 4.5 * np.sqrt(2 * 0.25 / 4000)


@pytest.mark.parametrize(
    ("size", "mines", "published"), [(4, 2, -0.234), (6, 6, -0.392), (8, 10, -0.429)], ids=lambda one: str(one)
)
def test_cells_in_any_order_score_as_reckoned(size, mines, published):
    cells = size * size
    free = cells - mines
    chances = [comb(cells - k - 1, mines - 1) / comb(cells, mines) for k in range(free + 1)]  # k cells, then a mine
    exact = sum(p * (k / free - 0.5 - 1 / free) for k, p in enumerate(chances[:free]))
    exact += chances[free]  # all free ones come first: 1, and the game is over
    assert abs(exact - published) < 0.015
    draw = np.random.default_rng(size)
    order = np.array([draw.permutation(cells) for _ in range(2000)])
    player = lambda _, t: np.stack(divmod(order[:, min(t, cells - 1)], size), 1)  # noqa: E731
    returns, _ = episode(MineSweeperWorld(size=size, mines=mines), player, 2000)
    close(returns, exact)


def test_chances_of_mines_are_exact():
    draw = np.random.default_rng(0)
    odds, scratch, ways = np.zeros(16), [np.zeros(16, np.int64) for _ in range(5)], np.zeros((2, 17))
    around = np.array([[max(abs(a // 4 - b // 4), abs(a % 4 - b % 4)) <= 1 for b in range(16)] for a in range(16)], int)
    every = np.array([[k in two for k in range(16)] for two in combinations(range(16), 2)])
    for _ in range(100):
        mine = every[draw.integers(len(every))]
        opened = ~mine & (draw.random(16) < draw.uniform(0, 0.7))
        number = around @ mine
        fitting = every[(every[:, opened] == 0).all(1) & ((every @ around)[:, opened] == number[opened]).all(1)]
        boards.mine_odds(opened.astype(np.uint8), number.astype(np.uint8), 4, 2, odds, *scratch, ways)
        assert odds == pytest.approx(np.where(opened, 2.0, fitting.mean(0)), abs=1e-12)


@pytest.mark.parametrize(("arms", "steps", "thompson"), [(10, 200, 0.650), (20, 400, 0.738), (30, 600, 0.770)])
def test_arms_pay_by_their_chances(arms, steps, thompson):
    slots = 300
    world = BanditWorld(arms=arms, steps=steps)
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    best = batch.states["chance"][:, :arms].argmax(1)
    returns, taken = episode(world, lambda *_: best, slots)
    assert taken == steps
    close(returns, 2 * arms / (arms + 1) - 1)
    draw, wins, pulls = np.random.default_rng(1), np.zeros((slots, arms)), np.zeros((slots, arms))

    def player(observations, _):
        arm = observations[:, 1:]
        pulls[...] += arm
        wins[...] += arm * observations[:, :1]
        return draw.beta(1 + wins, 1 + pulls - wins).argmax(1)

    returns, _ = episode(world, player, slots)
    close(returns, thompson, 0.005, 300)


@pytest.mark.parametrize("name", ["CartPole", "Pendulum"])
def test_bodies_move_as_in_gymnasium(name):
    world = CartPoleWorld() if name == "CartPole" else PendulumWorld()
    original = gymnasium.make("CartPole-v1" if name == "CartPole" else "Pendulum-v1").unwrapped
    fields = ("x", "x_dot", "theta", "theta_dot") if name == "CartPole" else ("theta", "theta_dot")
    batch, draw = Batch(world, 1, num_threads=1), np.random.default_rng(0)
    batch.seed([0])
    batch.reset()
    original.reset(seed=0)
    for _ in range(300):
        start = draw.uniform(-1, 1, len(fields)) * ([2, 3, 0.2, 3] if name == "CartPole" else [9, 8])
        for field, value in zip(fields, start, strict=True):
            batch.states[field] = value
        original.state = start
        action = draw.integers(2) if name == "CartPole" else draw.uniform(-2, 2, 1).astype(np.float32)
        out = batch.step(np.asarray(action)[None], np.zeros(1, bool))
        _, reward, over, *_ = original.step(int(action) if name == "CartPole" else action.astype(np.float64))
        assert np.array([batch.states[field][0] for field in fields]) == pytest.approx(original.state, abs=1e-12)
        if name == "CartPole":
            assert bool(out.terminated[0]) == over
            original.steps_beyond_terminated = None
            expected = 1 / 200
        else:
            expected = (reward + 16.2736044 / 2) / (16.2736044 / 2) / 200
        assert out.rewards[0] == pytest.approx(expected, abs=1e-8)
        batch.states["clock"]["done"] = 0


@pytest.mark.parametrize("world", [CartPoleWorld(noise=0.3), PendulumWorld(noise=0.3)], ids=["cart", "pendulum"])
def test_noise_is_normal_within_the_bounds(world):
    batch = Batch(world, 20_000, num_threads=1)
    batch.seed(range(20_000))
    seen, s = batch.reset().observations, batch.states
    cart = isinstance(world, CartPoleWorld)
    true = np.stack([s["x"], s["theta"]] if cart else [np.cos(s["theta"]), np.sin(s["theta"])], 1)
    bounds = world.observation.high
    inner = np.abs(true) < 0.3
    for k in range(2):
        gap = (seen[:, k] - true[:, k])[inner[:, k]]
        sigmas = np.quantile(gap, [0.16, 0.5, 0.84])
        assert sigmas == pytest.approx([-0.3, 0, 0.3], abs=0.03)
        assert np.abs(seen[:, k]).max() <= bounds[k]
    beyond = [(2 + erf((t - bounds[1]) / z) - erf((t + bounds[1]) / z)) / 2 for z in [0.3 * 2**0.5] for t in true[:, 1]]
    assert (np.abs(seen[:, 1]) >= bounds[1]).mean() == pytest.approx(np.mean(beyond), abs=0.012)


def test_velocities_are_seen_from_the_first():
    for compat, fields in ((None, ("x_dot", "theta_dot")), ("popgym-1.0.7", ("x", "theta"))):
        batch = Batch(CartPoleWorld(hide="positions", compat=compat), 3, num_threads=1)
        batch.seed(range(3))
        seen = batch.reset().observations
        assert seen == pytest.approx(np.stack([batch.states[one] for one in fields], 1).astype(np.float32))
        seen = batch.step(np.array([0, 1, 0])).observations
        assert seen == pytest.approx(np.stack([batch.states["x_dot"], batch.states["theta_dot"]], 1).astype(np.float32))


def test_velocities_alone_need_no_memory():
    world = make_world(CARDS["VelocityOnlyCartPoleEasy"].world, **CARDS["VelocityOnlyCartPoleEasy"].options)
    forgetful = companion(world, Players).collector("memoryless")
    returns, _ = episode(world, lambda seen, _: forgetful.act(seen, None), 200)
    assert returns.mean() > 0.99


def begun(world, steps: int = 7, slots: int = 1) -> Batch:
    """A batch after some steps of its reference player."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    out, player = batch.reset(), companion(world, Players).expert()
    player.reset(np.ones(slots, bool), np.arange(slots))
    for _ in range(steps):
        out = batch.step(player.act(out.observations, batch.states), np.zeros(slots, bool))
    return batch


def blinded(state: np.ndarray, kind: type) -> np.ndarray:
    """Records with all else changed that was never shown."""
    other = state.copy()
    if kind is ConcentrationWorld:
        never = (other["face"] == 13) & (other["up"] == 0)
        never[np.arange(len(other)), other["first"]] = False
        other["cards"] = np.where(never, 12 - other["cards"], other["cards"])
    if kind is BattleshipWorld:
        other["ship"] = np.where(other["shot"], other["ship"], 0)
    if kind is MineSweeperWorld:
        other["mine"] = 0
        other["number"] = np.where(other["open"], other["number"], 0)
    if kind is BanditWorld:
        other["chance"], other["best"] = 0.5, 0.5
    if kind in (RecallWorld, CountRecallWorld):
        other["right"] += 1
    if kind is CartPoleWorld:
        other["x_dot"] += 1
    if kind is PendulumWorld:
        other["theta_dot"] += 1
    return other


@pytest.mark.parametrize("kind", WORLDS)
def test_pictures_and_words_show_what_is_seen_and_no_more(kind):
    world = kind()
    state = begun(world).states
    other = blinded(state, kind)
    if kind in (RecallWorld, CountRecallWorld, HigherLowerWorld):
        other["left"] += 1
    pictures, words = companion(world, Pictures), companion(world, Words)
    assert (pictures.draw(state[0], pictures.size) == pictures.draw(other[0], pictures.size)).all()
    assert words.describe(state[0]) == words.describe(other[0])
    if kind is not CartPoleWorld:  # whose positions are seen
        whole = companion(make_world(f"{kind.__module__}:{kind.__name__}", view="all"), Pictures)
        assert (whole.draw(state[0], whole.size) != pictures.draw(state[0], pictures.size)).any()


@pytest.mark.parametrize("kind", [BattleshipWorld, MineSweeperWorld, BanditWorld, RecallWorld, CountRecallWorld])
def test_players_with_memory_look_at_what_was_shown(kind):
    world = kind()
    batch = begun(world, 6, 40)
    player, seen = companion(world, Players).expert(), batch.last.observations
    alive = ~batch.done
    one, two = player.act(seen, batch.states), player.act(seen, blinded(batch.states, kind))
    assert (one[alive] == two[alive]).all()


@pytest.mark.parametrize("kind", WORLDS)
def test_previous_actions_are_seen_where_wanted(kind):
    world = kind(previous_action=True)
    batch = Batch(world, 4, num_threads=1)
    batch.seed(range(4))
    name = world.observation.blocks[-1].name
    assert name.startswith("previous")
    size = sum(one.size for one in world.observation.blocks if one.name.startswith("previous"))
    assert not batch.reset().observations[:, -size:].any()
    low = np.array(np.broadcast_to(world.action.low, (4, *world.action.shape)), world.action.dtype)
    seen = batch.step(low).observations[:, -size:]
    first = np.concatenate([np.eye(one.size)[0] for one in world.observation.blocks if one.name.startswith("previous")])
    assert (seen == (-2 if kind is PendulumWorld else first)).all()
    without = kind(previous_action=False)
    assert without.observation.shape[0] == world.observation.shape[0] - size


@pytest.mark.parametrize("kind", WORLDS)
def test_critics_may_be_told_the_state(kind):
    world = kind(privileged=True)
    batch = begun(world, 5, 3)
    told = batch.last.info["privileged"]
    assert told.dtype == np.float32
    assert np.isfinite(told).all()
    assert told.any()
    assert "privileged" not in kind().info_dtype.names
    s = batch.states
    if kind is RecallWorld:
        assert (told[:, :4].argmax(1) == s["seen"][np.arange(3), s["dealt"] - 4]).all()
    if kind is ConcentrationWorld:
        assert (told.reshape(3, 52, 15)[:, :, :13].argmax(2) == s["cards"][:, :52]).all()
    if kind is MineSweeperWorld:
        assert (told.reshape(3, 16, 2)[:, :, 0] == s["mine"][:, :16]).all()
    if kind is BanditWorld:
        assert (told == s["chance"][:, :10]).all()


def test_words_are_read():
    for kind, text, action in (
        (RecallWorld, "It was hearts.", 3),
        (CountRecallWorld, "I count [12].", 12),
        (HigherLowerWorld, "lower", 1),
        (ConcentrationWorld, "card 51", 51),
        (BattleshipWorld, "row 3, column 8", [2, 7]),
        (MineSweeperWorld, "2 4", [1, 3]),
        (BanditWorld, "arm 10", 9),
        (CartPoleWorld, "left", 0),
        (PendulumWorld, "-1.5", [-1.5]),
    ):
        world = kind()
        words = companion(world, Words)
        assert np.array_equal(words.parse(text, begun(world, 1).states[0]), action)
        for wrong in ("", "perhaps", "row 99, column 99", "1 2 3 4"):
            assert isinstance(words.parse(wrong, begun(world, 1).states[0]), Refusal)


def test_clicks_find_cards_and_cells():
    controls = companion(ConcentrationWorld(), Controls)
    assert controls.click((0.05, 0.2), set(), None) == 0
    assert controls.click((0.95, 0.9), set(), None) == 51
    assert controls.click((0.5, 0.01), set(), None) is None
    controls = companion(BattleshipWorld(), Controls)
    assert controls.click((0.5, 0.15), set(), None).tolist() == [0, 4]
    assert controls.click((0.01, 0.5), set(), None) is None


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        (RecallWorld, {"task": "backwards", "decks": 4}, "decks is 4, expected at most 3"),
        (RecallWorld, {"k": 52}, "k is 52, expected less than the 52 cards"),
        (MineSweeperWorld, {"mines": 5}, "mines is 5, expected at most 4 of 16 cells"),
        (BattleshipWorld, {"size": 13}, "13"),
        (CartPoleWorld, {"compat": "popgym-2"}, "popgym-2"),
    ],
)
def test_what_cannot_be_is_refused(kind, options, told):
    with pytest.raises(ValueError, match=told):
        kind(**options)


@pytest.mark.parametrize("name", ["ConcentrationEasy", "BattleshipEasy", "MineSweeperEasy", "MultiarmedBanditEasy"])
def test_players_that_go_on_from_their_last_action_have_to_observe_it(name):
    card = CARDS[name]
    world = make_world(card.world, **{**card.options, "previous_action": False})
    with pytest.raises(ValueError, match="previous_action is False"):
        companion(world, Players).collector("memoryless")

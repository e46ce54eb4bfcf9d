"""Exact values: closed forms, published numbers, OpenSpiel, and slow references written here."""

import dataclasses
import re
from functools import cache

import numpy as np
import pytest

from envsuite.agents.onnx import Action, Graph, Interface, load, save
from envsuite.core.companions import Players, companion
from envsuite.evaluation.rollout import Versus, play, random_policy
from envsuite.language_games.experts import MixedPlayer, Uniform, blocks
from envsuite.language_games.kuhn.experts import Equilibrium
from envsuite.language_games.kuhn.world import KuhnPokerWorld
from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.liars_dice.world import LiarsDiceWorld
from envsuite.language_games.nim.world import NimWorld
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.solving import pig
from envsuite.language_games.solving.cfr import solve
from envsuite.language_games.solving.measure import measure
from envsuite.language_games.solving.perfect import backward_induction
from envsuite.language_games.solving.tables import Table, load_table, save_table
from envsuite.language_games.solving.tree import unfold
from envsuite.language_games.solving.values import best_response, exploitability, profile_of, value
from envsuite.language_games.tictactoe.world import TicTacToeWorld
from envsuite.registry import cards

from ..batches import begun
from .common import UNFOLDED


@cache
def tree_of(world):
    return unfold(world())


def test_sizes_of_trees():
    """5,478 positions of tic-tac-toe, 12 and 288 information sets of Kuhn and Leduc poker are well known."""
    assert len(tree_of(TicTacToeWorld).mover) == 5478
    assert len(tree_of(TicTacToeWorld).seen) == 4520
    assert len(tree_of(KuhnPokerWorld).seen) == 12
    assert len(tree_of(LeducPokerWorld).seen) == 288
    assert len(tree_of(LiarsDiceWorld).seen) == 6 * 2**12


def test_kuhn_poker():
    """The value is -1/18, and every bluff from 0 to 1/3 makes an equilibrium (Kuhn, 1950)."""
    tree = tree_of(KuhnPokerWorld)
    assert value(tree, tree.uniform) == pytest.approx(1 / 8, abs=1e-12)
    assert exploitability(tree, tree.uniform) == pytest.approx(11 / 24, abs=1e-12)
    for bluff in (0, 0.1, 1 / 3):
        profile = profile_of(tree, Equilibrium(KuhnPokerWorld(), bluff))
        assert value(tree, profile) == pytest.approx(-1 / 18, abs=1e-12)
        assert exploitability(tree, profile) == pytest.approx(0, abs=1e-12)
    assert solve(tree, 1000).exploitability < 1e-3


def test_two_hands_of_kuhn_poker_are_fair():
    """Each player begins once, so the value is 0 and the equilibrium of a hand one of both."""
    world = KuhnPokerWorld(rounds=2)
    tree = unfold(world)
    profile = profile_of(tree, Equilibrium(world))
    assert len(tree.seen) == 24
    assert value(tree, profile) == pytest.approx(0, abs=1e-12)
    assert exploitability(tree, profile) == pytest.approx(0, abs=1e-12)
    assert exploitability(tree, tree.uniform) == pytest.approx(2 * 11 / 24, abs=1e-12)


def test_leduc_poker():
    tree = tree_of(LeducPokerWorld)
    assert value(tree, tree.uniform) == pytest.approx(-0.078125, abs=1e-12)
    assert exploitability(tree, tree.uniform) == pytest.approx(2.3736111, abs=1e-7)
    found = solve(tree, 128)
    assert value(tree, found.profile) == pytest.approx(-0.0849, abs=5e-5)
    assert found.exploitability == pytest.approx(0.010, abs=1e-3)


@pytest.mark.parametrize(
    ("world", "most", "expected"), [(LeducPokerWorld, 5e-5, -0.0856), (LiarsDiceWorld, 5e-5, -1 / 9)]
)
def test_equilibria_in_files(world, most, expected):
    """By exact best responses, which do not ask how the files were made; the value lies between what these leave."""
    tree = tree_of(world)
    profile = profile_of(tree, companion(world(), Players).policy("equilibrium"))
    assert exploitability(tree, profile) < most
    low, high = -best_response(tree, profile, 1)[0], best_response(tree, profile, 0)[0]
    assert low - 1e-4 <= expected <= high + 1e-4
    assert high - low < 2 * most


def test_tic_tac_toe():
    tree = tree_of(TicTacToeWorld)
    solved = backward_induction(tree)
    assert solved.value == 0
    assert exploitability(tree, solved.profile) == 0
    shares = outcomes(tree)
    np.testing.assert_allclose(shares, (0.58492, 0.12698, 0.28810), atol=5e-6)
    assert value(tree, tree.uniform) == pytest.approx(shares[0] - shares[2], abs=1e-12)


def outcomes(tree):
    """Chances of a first win, a draw and a second win at random, by recursion over positions written here."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    @cache
    def after(board, mover):
        if any(board[a] and board[a] == board[b] == board[c] for a, b, c in lines):
            return np.eye(3)[0 if mover == 2 else 2]
        free = [k for k in range(9) if not board[k]]
        if not free:
            return np.eye(3)[1]
        return sum(after((*board[:k], mover, *board[k + 1 :]), 3 - mover) for k in free) / len(free)

    return after((0,) * 9, 1)


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 1), (1, 2, 3), (4, 2, 3), (7, 7)])
def test_nim_is_won_where_the_exclusive_or_is_not_zero(heaps):
    world = NimWorld(heaps=heaps)
    tree = unfold(world)
    solved = backward_induction(tree)
    assert solved.value == (1 if np.bitwise_xor.reduce(heaps) else -1)
    heaps_seen = tree.seen[:, : len(heaps)]
    nodes = np.flatnonzero(tree.info >= 0)
    side = np.where(tree.mover[nodes] == 0, 1, -1) * solved.worth[nodes]
    wins = np.bitwise_xor.reduce(heaps_seen[tree.info[nodes]], axis=1) != 0
    np.testing.assert_array_equal(side, np.where(wins, 1, -1))
    assert exploitability(tree, profile_of(tree, companion(world, Players).policy("optimal"))) == 0


@pytest.mark.parametrize(("target", "expected"), [(100, 0.5306), (50, 0.5462)])
def test_pig(target, expected):
    """Neller and Presser (2004) give 0.5306 for 100 points."""
    chance, hold = pig.best_play(target)
    assert chance == pytest.approx(expected, abs=5e-5)
    assert pig.exploitability(hold, target) == pytest.approx(0, abs=1e-12)
    assert pig.chance_to_win(hold, hold, target) == pytest.approx(chance, abs=1e-12)
    rule = pig.hold_at(20, target)
    gain = pig.chance_to_win(hold, rule, target) - pig.chance_to_win(rule, hold, target)
    assert 0 < gain < 2 * pig.exploitability(rule, target) + 1e-12


def test_pig_by_plain_iteration():
    """Sweeps over all states until nothing changes, for a small target."""
    target, longest = 12, 24
    worth = np.full((target, target, longest + 7), 0.5)
    for _ in range(400):
        for own in range(target):
            for other in range(target):
                for k in range(longest - 1, -1, -1):
                    held = 1.0 if own + k >= target else 1 - worth[other, own + k, 0]
                    more = [worth[own, other, k + face] if k + face < longest else 1.0 for face in range(2, 7)]
                    rolled = (1 - worth[other, own, 0] + sum(more)) / 6
                    worth[own, other, k] = rolled if k == 0 else max(held, rolled)
    assert pig.best_play(target)[0] == pytest.approx(worth[0, 0, 0], abs=1e-12)


def test_pig_agrees_with_games_played():
    """The kernel's games between two mixed players, against the exact chance of who begins."""
    world, slots = PigWorld(target=20), 4000
    batch = begun(world, slots)
    players = companion(world, Players).collector("hold-at-20"), random_policy(world, slots)
    versus = Versus(*players)
    versus.reset(np.ones(slots, np.bool_), 2 * np.arange(slots))  # even seeds: the first player on the first side
    won = np.zeros(slots)
    for _ in range(300):
        output = batch.step(versus.act(batch.last.observations, batch.states))
        won += output.rewards[:, 0] * ~np.isin(won, (1, -1))
        if batch.states["over"].all():
            break
    uniform = np.full((20, 20, 40), 0.5)
    expected = 2 * pig.chance_to_win(pig.hold_at(20, 20), uniform, 20) - 1
    assert won.mean() == pytest.approx(expected, abs=4 * won.std() / slots**0.5)


@pytest.mark.parametrize("world", UNFOLDED)
def test_best_responses_beat_what_they_answer(world):
    tree = tree_of(world)
    for player, side in ((0, 1), (1, -1)):
        gain, answer = best_response(tree, tree.uniform, player)
        assert gain == pytest.approx(side * value(tree, answer), abs=1e-12)
        assert gain > side * value(tree, tree.uniform)


@pytest.mark.parametrize("world", UNFOLDED)
def test_games_played_agree_with_the_tree(world):
    """Random games of the kernels with chance drawn have the mean that the unfolded game says."""
    tree = tree_of(world)
    card = next(one for one in cards().values() if one.world.endswith(f":{world.__name__}"))
    returns = play(dataclasses.replace(card, options={}), random_policy, 4000).returns
    assert returns.mean() == pytest.approx(value(tree, tree.uniform), abs=4 * returns.std() / 4000**0.5)


def test_graded_players_grow_stronger():
    for world in (KuhnPokerWorld, LeducPokerWorld):
        tree, players = tree_of(world), companion(world(), Players)
        left = [exploitability(tree, profile_of(tree, players.policy(name))) for name in players.policies()]
        assert left == sorted(left, reverse=True)


def test_searches_and_rules_lie_between_random_and_best_play():
    tree, players = tree_of(TicTacToeWorld), companion(TicTacToeWorld(), Players)
    mover = np.zeros(len(tree.seen), np.int64)
    nodes = tree.info >= 0
    mover[tree.info[nodes]] = tree.mover[nodes]
    gains = {}
    for name in ("uniform", "mcts-100", "mcts-1000", "optimal"):
        profile = profile_of(tree, players.policy(name))
        gains[name] = [
            side * value(tree, np.where((mover == player)[:, np.newaxis], profile, tree.uniform))
            for player, side in ((0, 1), (1, -1))
        ]
    means = [np.mean(one) for one in gains.values()]
    assert means == sorted(means)


@pytest.mark.parametrize(
    ("name", "world", "value_first", "left"),
    [
        ("kuhn_poker", KuhnPokerWorld, 0.125, 0.4583333333333333),
        ("leduc_poker", LeducPokerWorld, -0.078125, 2.373611111111111),
        ("liars_dice", lambda: LiarsDiceWorld(wild=True), -0.0324074074074074, 0.7807443231922397),
        ("tic_tac_toe", TicTacToeWorld, 0.2968253968253967, None),
        ("nim(pile_sizes=3;4;5,is_misere=false)", NimWorld, 0.0, None),
    ],
)
def test_uniform_play_is_worth_what_openspiel_says(name, world, value_first, left):
    """To 1e-9 where OpenSpiel is installed; frozen numbers of OpenSpiel 2.0.2 elsewhere."""
    tree = unfold(world())
    ours = value(tree, tree.uniform), exploitability(tree, tree.uniform)
    assert ours[0] == pytest.approx(value_first, abs=1e-9)
    if left is not None:
        assert ours[1] == pytest.approx(left, abs=1e-9)
    spiel = pytest.importorskip("pyspiel")
    game = spiel.load_game(name)
    uniform = spiel.UniformRandomPolicy(game)
    theirs = spiel.expected_returns(game.new_initial_state(), [uniform, uniform], -1, True)
    assert ours[0] == pytest.approx(theirs[0], abs=1e-9)
    if left is not None:
        assert ours[1] == pytest.approx(spiel.exploitability(game, uniform), abs=1e-9)


def key_of_kuhn(world, seen):
    """OpenSpiel's name of an information set, and its numbers of our moves."""
    found = {name: one[0] for name, one in blocks(world, seen[np.newaxis]).items()}
    line = ("", "p", "b", "pb")[int(found["line"].argmax())]
    return f"{found['card'].argmax()}{line}", {0: 0, 1: 1, 2: 1, 3: 0}


def key_of_leduc(world, seen):
    """Likewise; a rank stands for both of its cards, so keys hold ranks."""
    found = {name: one[0] for name, one in blocks(world, seen[np.newaxis]).items()}
    history = found["history"].reshape(2, 4, 3)
    told = [" ".join("112"[one.argmax()] for one in moves if one.any()) for moves in history]
    public = int(found["public"].argmax()) if found["public"].any() else -1
    return (int(found["card"].argmax()), public, *told), {0: 1, 1: 1, 2: 2, 3: 0}


def rank_key(name):
    """The key of `key_of_leduc` for OpenSpiel's name of an information set."""
    part = dict(re.findall(r"\[(Private|Public|Round1|Round2): ([^\]]*)\]", name))
    public = int(part.get("Public", -10000))
    return int(part["Private"]) // 2, public // 2 if public >= 0 else -1, part["Round1"], part["Round2"]


@pytest.mark.parametrize(
    ("name", "world", "key_of", "theirs_of"),
    [
        ("kuhn_poker", KuhnPokerWorld, key_of_kuhn, str),
        ("leduc_poker", LeducPokerWorld, key_of_leduc, rank_key),
    ],
)
def test_any_policy_is_worth_what_openspiel_says(name, world, key_of, theirs_of):
    """Random mixed policies, different in every information set: value and exploitability to 1e-9."""
    spiel = pytest.importorskip("pyspiel")
    tree, draw = tree_of(world), np.random.default_rng(0)
    weights = draw.random(tree.legal.shape) * tree.legal
    profile = weights / weights.sum(axis=1, keepdims=True)
    table = {}
    for row, seen in enumerate(tree.seen):
        key, moves = key_of(world(), seen)
        table[key] = [(moves[int(k)], profile[row, k]) for k in np.flatnonzero(tree.legal[row])]
    game = spiel.load_game(name)
    policy = spiel.TabularPolicy({one: sorted(table[theirs_of(one)]) for one in infosets(game)})
    theirs = spiel.expected_returns(game.new_initial_state(), [policy, policy], -1, True)
    assert value(tree, profile) == pytest.approx(theirs[0], abs=1e-9)
    assert exploitability(tree, profile) == pytest.approx(spiel.exploitability(game, policy), abs=1e-9)


def infosets(game):
    """The names of all information sets."""
    found, waiting = set(), [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            found.add(state.information_state_string())
        waiting.extend(state.child(action) for action in state.legal_actions())
    return found


def test_measure_of_networks_tables_and_samples(tmp_path):
    world = KuhnPokerWorld(starter="drawn")
    tree = unfold(world)
    exact = measure(world, Uniform(world))
    assert exact.exploitability == exact.low == exact.high == pytest.approx(11 / 24, abs=1e-12)
    assert exact.samples == 0
    assert exact.normalised == 0
    assert measure(world, MixedPlayer(world, Uniform(world))) == exact
    assert measure(world, random_policy(world, 1)) == exact
    graph = Graph((len(tree.seen[0]),))
    weight = np.zeros((4, len(tree.seen[0])), np.float32)
    weight[:, -4:] = 1000 * np.eye(4)  # the mask makes the logits
    logits = graph.dense(graph.observation, weight, np.zeros(4, np.float32))
    save(
        tmp_path / "policy.onnx",
        graph.model(logits, (4,)),
        Interface("envsuite/KuhnPoker-v0", Action("sample")),
    )
    network = load(tmp_path / "policy.onnx")
    assert measure(world, network).exploitability == pytest.approx(11 / 24, abs=1e-9)


class Silent:
    """A player that tells no probabilities."""

    def __init__(self, player):
        self.reset, self.act = player.reset, player.act


@pytest.mark.parametrize("name", ["uniform", "rule", "cfr-10", "cfr-100", "equilibrium"])
@pytest.mark.parametrize("samples", [30, 200])
def test_intervals_of_counted_moves_hold_the_exact_number(name, samples):
    """About 95 in 100 times, near an equilibrium too, where counts alone are always too exploitable."""
    world = KuhnPokerWorld(starter="drawn")
    policy = companion(world, Players).policy(name)
    exact = measure(world, policy).exploitability
    player = Silent(MixedPlayer(world, policy))
    counted = [measure(world, player, samples=samples, seed=seed) for seed in range(40)]
    assert all(0 <= one.low <= one.exploitability <= one.high and one.samples == samples for one in counted)
    held = sum(one.low - 1e-12 <= exact <= one.high + 1e-12 for one in counted)
    assert held >= 34  # at 95 % each this holds in 99.7 % of cases
    widths = [one.high - one.low for one in counted]
    assert max(widths) < 1e-12 if name == "rule" else min(widths) > 1e-3


def test_settings_of_measurements_that_make_no_sense():
    world = KuhnPokerWorld()
    for samples in (1, True, 2.5):
        with pytest.raises(ValueError, match=f"samples is {samples}, expected a whole number of at least 2"):
            measure(world, Uniform(world), samples=samples)
    with pytest.raises(ValueError, match=r"confidence is 1\.5, expected a number between 0 and 1"):
        measure(world, Uniform(world), confidence=1.5)


def test_pig_is_measured_from_probabilities():
    world = PigWorld(target=30)
    players = companion(world, Players)
    assert measure(world, players.policy("optimal")).exploitability == pytest.approx(0, abs=1e-12)
    assert measure(world, players.collector("optimal")).exploitability == 0
    with pytest.raises(ValueError, match=r"moves of .* are to be counted, expected one that tells probabilities"):
        measure(world, players.collector("optimal"), samples=10)


def test_tables_survive_files_and_refuse_what_they_do_not_know(tmp_path):
    tree = tree_of(KuhnPokerWorld)
    table = Table(tree.seen, profile_of(tree, Equilibrium(KuhnPokerWorld())))
    save_table(tmp_path / "table.npz", table)
    kept = load_table(tmp_path / "table.npz")
    np.testing.assert_allclose(kept(tree.seen), table.profile, atol=2e-5)
    with pytest.raises(ValueError, match="in none of the table's 12 information sets"):
        kept(np.zeros((1, tree.seen.shape[1]), np.int8))
    np.savez(tmp_path / "other.npz", numbers=np.zeros(2))
    with pytest.raises(ValueError, match="expected the arrays 'seen' and 'parts'"):
        load_table(tmp_path / "other.npz")


def test_bad_profiles_and_games_are_refused():
    tree = tree_of(KuhnPokerWorld)
    with pytest.raises(ValueError, match="expected \\(12, 4\\)"):
        value(tree, np.ones((3, 4)))
    bad = tree.uniform.copy()
    bad[3] = (np.nan, 0, 0, 0)
    with pytest.raises(ValueError, match="information set 3"):
        value(tree, bad)
    illegal = np.full(tree.legal.shape, 0.25)
    with pytest.raises(ValueError, match="add up to 1 over the legal moves"):
        exploitability(tree, illegal)
    with pytest.raises(ValueError, match="2 beginnings"):
        solve(unfold(KuhnPokerWorld(starter="drawn")), 1)
    with pytest.raises(ValueError, match="chance decides"):
        backward_induction(tree)
    with pytest.raises(ValueError, match="target is 1, expected a whole number from 2 to 200"):
        pig.best_play(1)
    with pytest.raises(ValueError, match="expected \\(20, 20, 40\\) probabilities"):
        pig.exploitability(np.zeros((20, 20)), 20)
    with pytest.raises(ValueError, match=r"bluff is 0\.5"):
        Equilibrium(KuhnPokerWorld(), 0.5)
    with pytest.raises(ValueError, match="no player 'equilibrium', expected one of uniform, rule"):
        companion(LiarsDiceWorld(dice=2), Players).expert()

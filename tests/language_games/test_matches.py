"""Exact matches: closed forms, games played by the kernels, and the tables that are made of them."""

import numpy as np
import pytest

import envsuite
from envsuite.agents.onnx import Action, Graph, Interface, save
from envsuite.core.companions import Players, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import play
from envsuite.language_games.experts import MixedPlayer, Uniform
from envsuite.language_games.kuhn.world import KuhnPokerWorld
from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.nim.world import NimWorld
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.solving.matches import all_matches
from envsuite.language_games.tictactoe.world import TicTacToeWorld

from ..scripts import loaded


def of(world, *names):
    players = companion(world, Players)
    return all_matches(world, {name: players.policy(name) for name in names})


def test_kuhn_poker_by_hand():
    """The value of the game; and what the equilibrium takes from uniform play, 1/6 from either seat."""
    found = of(KuhnPokerWorld(starter="drawn"), "uniform", "equilibrium")
    assert found.names == ("uniform", "equilibrium")
    assert found.gains[1, 1] == pytest.approx(-1 / 18, abs=1e-12)
    assert found.gains[0, 0] == pytest.approx(1 / 8, abs=1e-12)
    assert found.gains[0, 1] == pytest.approx(-1 / 6, abs=1e-12)
    assert found.gains[1, 0] == pytest.approx(1 / 6, abs=1e-12)
    np.testing.assert_allclose(found.payoffs, [[0, -1 / 6], [1 / 6, 0]], atol=1e-12)
    np.testing.assert_allclose(found.shares + found.shares.T, 1, atol=1e-12)


def test_best_play_against_random_play():
    """Tic-tac-toe at random (Schaefer's counts: 0.58492 won, 0.12698 drawn); Nim is lost to who plays best."""
    assert of(TicTacToeWorld(), "uniform").points[0, 0] == pytest.approx(0.58492 + 0.12698 / 2, abs=1e-5)
    found = of(NimWorld(), "uniform", "optimal")
    assert found.gains[1].tolist() == [1, 1]
    assert found.points[1].tolist() == [1, 1]
    assert found.points[0, 0] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("KuhnPoker", "rule", "cfr-10"),
        ("LeducPoker", "rule", "equilibrium"),
        ("Pig", "hold-at-10", "hold-at-20"),
        ("LiarsDice", "rule", "equilibrium"),
        ("TicTacToe", "uniform", "rule"),
    ],
)
def test_games_played_have_the_exact_means(name, one, other):
    card = envsuite.card(name)
    found = of(make_world(card.world, **card.options), one, other)

    def seated(player):
        return lambda world, slots: companion(world, Players).collector(player)

    played = play(card, seated(one), 4000, against=seated(other))
    for exact, values in ((found.payoffs[0, 1], played.returns), (found.shares[0, 1], played.metrics["win_share"])):
        assert values.mean() == pytest.approx(exact, abs=4 * values.std() / 4000**0.5)


def test_ties_are_halves_and_stakes_do_not_count():
    """Who always folds or checks against a like player ties or loses the ante: shares differ from payoffs."""
    found = of(LeducPokerWorld(), "uniform", "rule")
    assert abs(found.payoffs[0, 1]) > 0.8
    assert 0.4 < found.shares[0, 1] < 0.6


def test_matches_that_cannot_be_computed():
    with pytest.raises(ValueError, match="no player is given"):
        all_matches(KuhnPokerWorld(), {})
    with pytest.raises(ValueError, match="something is gained before the game is over"):
        of(KuhnPokerWorld(rounds=2), "uniform")
    with pytest.raises(ValueError, match=r"player 'wild': profile has .* over the legal moves"):
        all_matches(KuhnPokerWorld(), {"wild": lambda seen: np.full((len(seen), 4), 0.25)})
    with pytest.raises(ValueError, match=r"player 'odd': hold has the shape .* probabilities from 0 to 1"):
        all_matches(PigWorld(target=10), {"odd": lambda seen: np.full((len(seen), 2), 2.0)})


@pytest.fixture(scope="module")
def tables():
    return loaded("benchmarks/language_games_tables.py")


def uniform_network(folder, env_id):
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    inputs, choices = world.observation.shape[0], len(world.action.names)
    weight = np.zeros((choices, inputs), np.float32)
    weight[:, -choices:] = 1000 * np.eye(choices)
    graph = Graph((inputs,))
    logits = graph.dense(graph.observation, weight, np.zeros(choices, np.float32))
    save(folder / "flat.onnx", graph.model(logits, (choices,)), Interface(card.id, Action("sample")))
    return folder / "flat.onnx"


def test_the_table_of_the_docs_is_what_the_players_give(tables):
    """Kuhn poker's, which is made in a moment, the frozen policies included."""
    assert tables.game("KuhnPoker", tables.frozen("KuhnPoker")) in tables.TABLE.read_text()


def test_trained_networks_join(tables, tmp_path, capsys):
    """A network that plays uniformly has the numbers of the uniform player, in all but its name."""
    file = uniform_network(tmp_path, "envsuite/KuhnPoker-v0")
    tables.main(["--policy", str(file), "--policy", f"again={file}"])
    rows = {line.split("`")[1]: line.split("` | ")[1] for line in capsys.readouterr().out.splitlines() if "`" in line}
    assert list(rows)[-2:] == ["flat", "again"]
    assert rows["flat"] == rows["again"]
    assert rows["flat"].split(" | ")[:2] == rows["uniform"].split(" | ")[:2] == ["0.4583", "0.000"]
    with pytest.raises(ValueError, match="two players of KuhnPoker are called 'flat'"):
        tables.main(["--policy", str(file), "--policy", str(file)])


def test_mixed_players_are_read_too():
    world = KuhnPokerWorld()
    player = MixedPlayer(world, Uniform(world))
    assert all_matches(world, {"one": player.probabilities}).gains[0, 0] == pytest.approx(1 / 8, abs=1e-12)

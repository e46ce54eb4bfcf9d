"""Tournaments of players whose win rates are known."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")

import tournament as script
from exploit import ExploitConfig
from players import player

import envsuite

from .worlds import Throw, small


def test_a_table_of_tricks_is_the_games():
    players = [player(f"action:{k}") for k in range(3)]
    points = script.tournament(envsuite.card(small("Throw")), players, 800)
    assert points.shape == (800, 3, 3)
    assert (points + points.transpose(0, 2, 1) == 1 - np.eye(3)).all()
    found = script.summary(points, anchor=1)
    np.testing.assert_allclose(found["win_shares"], (1 + Throw.payoff) / 2, atol=0.05)
    assert np.less_equal(found["low"], found["win_shares"]).all()
    assert np.less_equal(found["win_shares"], found["high"]).all()
    assert found["equilibrium"] == pytest.approx([2 / 7, 4 / 7, 1 / 7], abs=0.1)
    assert found["cyclic_share"] > 0.4
    assert found["ratings"][1]["value"] == 1000.0
    assert sum(found["alpha_rank"]) == pytest.approx(1.0)


def test_two_players_have_the_closed_form():
    points = np.zeros((400, 2, 2))
    points[:300, 0, 1] = points[300:, 1, 0] = 1.0
    found = script.summary(points, anchor=1)
    assert found["ratings"][0]["value"] == pytest.approx(1000 + 400 * np.log10(300.5 / 100.5))
    assert found["equilibrium"] == pytest.approx([1.0, 0.0])
    assert found["cyclic_share"] == pytest.approx(0.0)


def test_the_command_prints_and_writes(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(ExploitConfig, "tuned", classmethod(lambda cls, key, **changes: cls(**changes)))
    out = tmp_path / "found.json"
    common = ["--env-id", small("Throw"), "--games", "10", "--out", str(out)]
    script.main(["rock=action:0", "paper=action:1", "random", *common, "--anchor", "paper"])
    assert "| rock |" in capsys.readouterr().out
    assert json.loads(out.read_text())["players"] == ["rock", "paper", "random"]
    for players, mention in ((["random"], "two or more"), (["random", "random"], "different names")):
        with pytest.raises(SystemExit, match=mention):
            script.main([*players, *common])
    with pytest.raises(SystemExit, match="none of the players"):
        script.main(["random", "action:0", *common, "--anchor", "nobody"])

"""Win rates against each character."""

import dataclasses

import pytest

pytest.importorskip("torch")

import cast_report

import envsuite
from envsuite.evaluation.rollout import play, random_policy


def test_each_opponent_is_met_at_the_level(monkeypatch, capsys):
    monkeypatch.setattr(cast_report, "CAST", cast_report.CAST[1:3])
    card = envsuite.card("Duel")
    card = dataclasses.replace(card, options={**card.options, "round_frames": 120})
    found = cast_report.win_rates(card, random_policy, 1, 12)
    for name, share in found.items():
        options = {**card.options, "opponent": name, "level": 1}
        won = play(dataclasses.replace(card, options=options), random_policy, 12).metrics["won"]
        assert share.value == pytest.approx((won == 1).mean())
        assert share.low <= share.value <= share.high
    monkeypatch.setattr(cast_report, "win_rates", lambda *_: found)
    cast_report.main(["random", "--level", "1"])
    printed = capsys.readouterr().out
    assert all(f"| {name} |" in printed for name in found)

"""The tools of the ladder: ratings that agree with the computer players' levels, and networks frozen with digests."""

import pytest

pytest.importorskip("torch")

import rungs

from envsuite.fighting import ladder
from envsuite.scoring import bradley_terry


def test_ratings_of_computer_players_and_networks():
    best = f"arden={ladder.FOLDER / ladder.rungs()[-1]}.onnx"
    names, points = rungs.rate([best], 30)
    assert names == [f"level-{k}" for k in range(1, 9)] + [best]
    table = points.sum(axis=0)
    assert (table + table.T == 30).sum() == 72, "everybody met everybody"
    found = bradley_terry(table, anchor=rungs.ANCHOR - 1, prior=1.0)
    assert found[3] == 1000
    assert found[0] < found[3] < found[7]
    assert found[8] > found[0]


def test_frozen_networks_are_those_that_were_given(tmp_path, monkeypatch):
    files = [ladder.FOLDER / f"{name}.onnx" for name in ladder.rungs()[:2]]
    monkeypatch.setattr(ladder, "FOLDER", tmp_path)
    monkeypatch.setattr(ladder, "LIST", tmp_path / "rungs.toml")
    ladder.table.cache_clear()
    rungs.freeze([str(files[1]), f"juno={files[0]}"])
    assert ladder.rungs() == ("rung-1", "rung-2")
    for name, character, file in zip(ladder.rungs(), ("random", "juno"), files[::-1], strict=True):
        assert ladder.rung(name)[0] == character
        assert (tmp_path / f"{name}.onnx").read_bytes() == file.read_bytes()
    ladder.table.cache_clear()


def test_who_learns_from_whom(tmp_path):
    with pytest.raises(ValueError, match=r"4014080\.onnx', expected one of arden"):
        rungs.learner("hunter", tmp_path)

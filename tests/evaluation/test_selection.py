"""Offline policy selection: candidates, and how well they are told apart."""

import dataclasses
import hashlib
import json

import pytest

import envsuite
from envsuite.evaluation.selection import Candidate, Candidates, candidates_folder, judge, load_candidates
from envsuite.evaluation.tracks import load_track

DMSD = "envsuite/DMSD-v0"


def with_scores(**scores):
    policies = tuple(Candidate(name, None, "", score, 1.0, "") for name, score in scores.items())
    return Candidates("some/data-v0", DMSD, "", 10, policies)


def test_judgements_are_those_of_the_definitions():
    """Regrets as Fu et al. (2021) have them, on the way from the worst to the best; Spearman's correlation by hand."""
    those = with_scores(a=0.0, b=10.0, c=40.0, d=30.0, e=20.0)
    assert (those.by_chance, those.best) == (20.0, 40.0)
    perfect = judge(those, {"a": -5, "b": -4, "c": 0, "d": -1, "e": -2})
    assert dataclasses.astuple(perfect) == ("c", pytest.approx(1.0), 0.0, 0.0)
    found = judge(those, {"a": 5, "b": 4, "c": 1, "d": 3, "e": 2})  # values' ranks 5 4 1 3 2, scores' 1 2 5 4 3
    squares = (5 - 1) ** 2 + (4 - 2) ** 2 + (1 - 5) ** 2 + (3 - 4) ** 2 + (2 - 3) ** 2
    assert found.rank_correlation == pytest.approx(1 - 6 * squares / (5 * 24))
    assert (found.chosen, found.regret, found.regret_3) == ("a", 1.0, (40 - 30) / 40)
    assert judge(those, dict.fromkeys("abcde", 1.0)).rank_correlation == 0.0


def test_values_that_do_not_fit_are_refused():
    those = with_scores(a=0.0, b=1.0)
    with pytest.raises(ValueError, match=r"values are of \['a', 'x'\], expected one of each of \['a', 'b'\]"):
        judge(those, {"a": 1.0, "x": 2.0})
    with pytest.raises(ValueError, match="the value of b is nan, expected a number"):
        judge(those, {"a": 1.0, "b": float("nan")})


@pytest.fixture
def folder(tmp_path):
    """Two candidates."""
    place = tmp_path / "some" / "data-v0"
    place.mkdir(parents=True)
    policies = {}
    for name in ("policy-00", "policy-01"):
        (place / f"{name}.onnx").write_bytes(name.encode())
        digest = hashlib.sha256(name.encode()).hexdigest()
        policies[name] = {"origin": "iql", "score": 1.0, "standard_error": 0.1, "sha256": digest}
    table = {"env_id": DMSD, "behaviour": envsuite.card(DMSD).behaviour, "episodes": 10, "policies": policies}
    (place / "candidates.json").write_text(json.dumps(table))
    return tmp_path


def test_files_are_checked(folder):
    assert [one.name for one in load_candidates("some/data-v0", folder).policies] == ["policy-00", "policy-01"]
    with pytest.raises(
        FileNotFoundError, match="there are no candidates of 'other/data-v0': there are some of some/dat"
    ):
        load_candidates("other/data-v0", folder)
    place = folder / "some" / "data-v0"
    (place / "policy-01.onnx").write_bytes(b"other")
    with pytest.raises(ValueError, match=r"policy-01\.onnx has the digest .*, expected "):
        load_candidates("some/data-v0", folder)
    table = json.loads((place / "candidates.json").read_text())
    (place / "candidates.json").write_text(json.dumps(table | {"behaviour": "before"}))
    with pytest.raises(ValueError, match="was scored in behaviour before of envsuite/DMSD-v0, now it is "):
        load_candidates("some/data-v0", folder)
    with pytest.raises(FileNotFoundError, match="holds none; they are in the repository"):
        load_candidates("some/data-v0", folder / "nothing")


def test_the_track_is_that_of_the_candidates():
    """Chance is 0, the best candidate is 1, and nothing else may be entered."""
    track = load_track("policy-selection")
    for task in track.tasks:
        those = load_candidates(task.dataset)
        assert sorted(task.choices) == sorted(one.sha256 for one in those.policies)
        assert task.env_id == those.env_id
        assert (task.low.mean, task.high.mean) == pytest.approx((those.by_chance, those.best), abs=1e-3)
    assert len(list(candidates_folder().rglob("candidates.json"))) == len(track.tasks)

"""Results: exact on disk, and refused where they are not what they should be."""

import contextlib
import json
import time
from dataclasses import replace

import pytest

from envsuite.evaluation.results import Result, read_results, write_results

RESULT = Result(
    task="hover",
    env_id="envsuite/QuadHover-v0",
    options={"physics": "dyn"},
    behaviour="abcd",
    train_seed=3,
    checkpoint=1000,
    deterministic=True,
    first_seed=10**9,
    episodes=3,
    mean_return=0.1 + 0.2,
    returns=[1 / 3, 2e-310, -0.0],
    lengths=[1, 2, 3],
    terminated=[True, False, True],
    metrics={"distance": [0.1, None, 3.0]},
    score=0.3,
    normalised=-1e300,
    wall_seconds=0.5,
    actions="actions/hover-3.npz",
    policy=None,
    policy_sha256=None,
    suite_version="0.1.0",
)


def test_survive_the_disk_to_the_last_bit(tmp_path):
    write_results(tmp_path / "results.jsonl", [RESULT, replace(RESULT, train_seed=None)])
    assert read_results(tmp_path) == [RESULT, replace(RESULT, train_seed=None)]
    assert str(read_results(tmp_path)[0].returns[2]) == "-0.0"
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema is 2, expected 1"),
        ({"returns": [1.0, 2.0]}, "returns has 2 values, expected 3"),
        ({"metrics": {"distance": [1.0]}}, "metrics.distance has 1 values"),
        ({"lengths": [1, 2, "3"]}, r"Expected `int`, got `str` - at `\$.lengths\[2\]`"),
        ({"terminated": [1, 0, 1]}, "Expected `bool`, got `int`"),
        ({"train_seed": 1.5}, r"\$.train_seed"),
        ({"episodes": True}, r"\$.episodes"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"task": None}, r"\$.task"),
        ({"metrics": {f"m{k}": [0.0] * 3 for k in range(257)}}, "257 metrics, expected at most 256"),
    ],
)
def test_other_lines_are_refused(tmp_path, change, message):
    table = json.loads(RESULT.to_json()) | change
    (tmp_path / "results.jsonl").write_text(RESULT.to_json() + "\n" + json.dumps(table))
    with pytest.raises(ValueError, match=message) as caught:
        read_results(tmp_path)
    assert "results.jsonl line 2" in str(caught.value)


@pytest.mark.parametrize("line", ["", "[]", "null", "{", "NaN", '{"schema": 1}', '{"score": Infinity}', "[" * 100_000])
def test_what_is_no_result_is_refused(line):
    with pytest.raises(ValueError, match="result"):
        Result.from_json(line)


def test_a_key_given_twice_is_refused():
    line = RESULT.to_json().replace('"episodes": 3', '"episodes": 9, "episodes": 3')
    with pytest.raises(ValueError, match="the key 'episodes' stands there twice"):
        Result.from_json(line)


@pytest.mark.parametrize("blank", ["\n", "\r\n", " \n", "\r"])
def test_blank_lines_are_refused_at_the_first(tmp_path, blank):
    (tmp_path / "results.jsonl").write_bytes((RESULT.to_json() + "\n" + blank * 20_000_000).encode()[:40_000_000])
    started = time.process_time()
    with pytest.raises(ValueError, match=r"results.jsonl line 2 is not JSON"):
        read_results(tmp_path)
    assert time.process_time() - started < 15.0  # it took half a minute


@pytest.mark.parametrize("name", ["metrics", "options", "returns"])
def test_large_lines_are_answered_in_time(name):
    table = json.loads(RESULT.to_json())
    large = {"metrics": {f"m{k}": [0.0] for k in range(200_000)}, "options": dict.fromkeys(map(str, range(200_000)), 0)}
    table[name] = large.get(name, [0.5] * 1_000_000)
    line = json.dumps(table)
    started = time.process_time()
    with contextlib.suppress(ValueError):
        Result.from_json(line)
    assert time.process_time() - started < 15.0  # a metric each took half a minute


def test_missing_keys_are_named():
    table = json.loads(RESULT.to_json())
    del table["lengths"]
    with pytest.raises(ValueError, match="lengths"):
        Result.from_json(json.dumps(table))


def test_scores_that_are_not_finite_are_never_written():
    with pytest.raises(ValueError, match="JSON compliant"):
        replace(RESULT, score=float("nan")).to_json()

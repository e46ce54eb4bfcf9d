"""Run folders."""

import hashlib
import json

import pytest

from envsuite.evaluation.records import RunFolder, write_atomic


def test_a_run_leaves_a_complete_record(tmp_path):
    folder = RunFolder(tmp_path, "envsuite/X-v0", "ppo", {"rate": 0.1}, 3, "abcd")
    before = json.loads((folder.path / "run.json").read_text())
    assert before["status"] == "running"
    folder.log(10, loss=1.5)
    folder.log(20, loss=0.5)
    (folder.path / "policy.npz").write_bytes(b"weights")
    folder.finish("finished", mean_return=4.0)
    record = json.loads((folder.path / "run.json").read_text())
    assert folder.path.parent == tmp_path / "envsuite" / "X-v0" / "ppo"
    assert record["status"] == "finished"
    assert record["config"] == {"rate": 0.1}
    assert record["seed"] == 3
    assert record["results"] == {"mean_return": 4.0}
    assert record["packages"]["numpy"]
    assert record["machine"]["cores"] >= 1
    assert record["sha256"]["policy.npz"] == hashlib.sha256(b"weights").hexdigest()
    events = [json.loads(line) for line in (folder.path / "metrics.jsonl").read_text().splitlines()]
    assert [event["step"] for event in events] == [10, 20]
    assert [event["loss"] for event in events] == [1.5, 0.5]


def test_writing_is_all_or_nothing(tmp_path):
    target = tmp_path / "file"
    write_atomic(target, "old")

    class Broken:
        def encode(self):
            raise OSError("disk full")

    with pytest.raises((OSError, TypeError)):
        write_atomic(target, Broken())
    assert target.read_text() == "old"

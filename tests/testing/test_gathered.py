"""Results of comparisons that several processes fill."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FILL = "import pathlib, sys, gathered\nfor seed in range(30):\n    "
FILL += "gathered.gather(pathlib.Path(sys.argv[1]), sys.argv[2], 'Task', seed, {'return': seed})"


@pytest.mark.skipif(sys.platform == "win32", reason="locks folders")
def test_no_result_of_another_process_is_lost(tmp_path):
    path, names = tmp_path / "results.json", ("first", "second", "third")
    filling = [subprocess.Popen([sys.executable, "-c", FILL, path, name], cwd=BENCHMARKS) for name in names]
    assert [one.wait(120) for one in filling] == [0, 0, 0]
    known = json.loads(path.read_text())
    assert "machine" in known
    for name in names:
        assert known[name]["Task"] == {str(seed): {"return": seed} for seed in range(30)}
    assert list(tmp_path.iterdir()) == [path]

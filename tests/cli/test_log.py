"""`envsuite log`."""

import csv

import numpy as np
import pytest
from click.testing import CliRunner

from envsuite.cli import main

pytest.importorskip("matplotlib")


def run(*arguments):
    return CliRunner().invoke(main, ["log", *map(str, arguments)])


def test_csv_parquet_and_figure_agree(tmp_path):
    result = run("QuadTakeoff", "--seed", 3, "--out", tmp_path / "a.csv", "--figure", tmp_path / "a.png")
    assert result.exit_code == 0, result.output
    assert run("QuadTakeoff", "--seed", 3, "--out", tmp_path / "a.parquet").exit_code == 0
    with (tmp_path / "a.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 241
    assert rows[-1]["reward"] == ""
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    pyarrow = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.read_table(tmp_path / "a.parquet").to_pydict()
    assert list(table) == list(rows[0])
    np.testing.assert_array_equal(table["x"], [float(row["x"]) for row in rows])
    assert table["contact"][0] in (True, False)


def test_clear_errors(tmp_path):
    assert "--out, --figure" in run("QuadTakeoff").output
    assert "ends in none of .csv, .parquet" in run("QuadTakeoff", "--out", tmp_path / "a.txt").output
    assert ".png" in run("QuadTakeoff", "--figure", tmp_path / "a.gif").output
    result = run("MazeLegacyEvalLarge", "--out", tmp_path / "a.csv")
    assert result.exit_code == 1
    assert "keeps no log" in result.output
    assert not list(tmp_path.iterdir())

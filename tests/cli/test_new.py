"""`envsuite new`: the written world works at once, and nothing outside its folder changes."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cli import main

ROOT = Path(envsuite.__file__).resolve().parents[1]


@pytest.fixture
def copy(tmp_path):
    skip = shutil.ignore_patterns("__pycache__", "*.pyc")
    for folder in ("envsuite", "tests/contract"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skip)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def python(copy: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )


def digests(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_new_world_passes_everything_and_touches_nothing_else(copy):
    before = digests(copy)
    done = python(copy, "-m", "envsuite.cli", "new", "toys/pole_on_cart")
    assert done.returncode == 0, done.stderr
    after = digests(copy)
    added = set(after) - set(before)
    assert {name: after[name] for name in before} == before
    assert all(name.startswith("envsuite/toys/") for name in added)
    rooms = {Path(name).name for name in added if Path(name).parent.name == "pole_on_cart"}
    assert rooms == {"__init__.py", "cards.py", "world.py"}
    own = [copy / name for name in added if Path(name).parent.name == "pole_on_cart"]
    assert sum(len(path.read_text().splitlines()) for path in own) <= 120
    listed = python(copy, "-m", "envsuite.cli", "list")
    assert "envsuite/PoleOnCart-v0" in listed.stdout
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    checked = python(copy, "-m", "pytest", *options, "tests/contract", "-k", "PoleOnCart")
    assert checked.returncode == 0, checked.stdout
    assert " passed" in checked.stdout
    own = python(copy, "-m", "pytest", *options, "envsuite/toys/pole_on_cart")
    assert own.returncode == 0, own.stdout
    again = python(copy, "-m", "envsuite.cli", "new", "toys/pole_on_cart")
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert digests(copy) == after


@pytest.mark.parametrize("place", ["toys", "toys/", "/pole", "Toys/Pole", "toys/pole-cart", "toys/../x", "toys/class"])
def test_bad_names_are_refused(place, tmp_path):
    result = CliRunner().invoke(main, ["new", place, "--into", str(tmp_path)])
    assert result.exit_code == 2
    assert repr(place) in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise FileNotFoundError(2, "No such file or directory", str(tmp_path / "worlds"))

    monkeypatch.setattr(Path, "mkdir", refuse)  # as in /proc, where even root can make no folder
    result = CliRunner().invoke(main, ["new", "mine/pole", "--into", str(tmp_path / "worlds")])
    assert result.exit_code == 1
    assert result.output.startswith("Error: [Errno 2]")
    assert len(result.output.splitlines()) == 1


def test_taken_ids_are_refused(tmp_path):
    result = CliRunner().invoke(main, ["new", "mine/quad_hover", "--into", str(tmp_path)])
    assert result.exit_code == 1
    assert "envsuite/QuadHover-v0 is taken" in result.output
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_into_an_installed_package(copy, tmp_path):
    (copy / "envsuite" / "_baselines").mkdir()
    before = digests(copy)
    done = python(copy, "-m", "envsuite.cli", "new", "toys/pole_on_cart")
    assert done.returncode == 2
    assert "where nothing of yours belongs: say --into FOLDER" in done.stderr
    assert digests(copy) == before


def test_worlds_of_other_packages_are_announced_by_an_entry_point(tmp_path):
    result = CliRunner().invoke(main, ["new", "mine/pendulum", "--into", str(tmp_path / "package")])
    assert result.exit_code == 0, result.output
    line = 'mine_pendulum = "package.mine.pendulum.cards:CARDS"'
    assert line in result.output
    code = "from package.mine.pendulum.cards import CARDS; from envsuite.registry import register; register(CARDS[0])"
    code += "; import gymnasium; print(gymnasium.make('envsuite/Pendulum-v0').reset(seed=0)[0].shape)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""The wheel built from the tree works alone in an empty virtual environment."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"envsuite"}
    for needed in ("py.typed", "quadcopters/hover/README.md", "cli/template/kernel.py", "cli/template/README.md"):
        assert f"envsuite/{needed}" in names
    for shipped in ("_datasets/mazes/lock.json", "_datasets/quadcopters/rules.toml", "_baselines/published.json"):
        assert f"envsuite/{shipped}" in names
    assert not [name for name in names if name.endswith((".nbi", ".nbc", ".pyc"))]


def test_wheel_works_in_an_empty_environment(wheel, tmp_path):
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    command = tmp_path / "empty" / "bin" / "envsuite"
    listed = json.loads(run(command, "list", "--json", cwd=tmp_path))
    assert "envsuite/QuadHover-v0" in [card["id"] for card in listed]
    assert "rotation matrix" in run(command, "info", "QuadHover", cwd=tmp_path)
    found = json.loads(
        run(command, "bench", "QuadHover", "--num-envs", "16", "--seconds", "0.1", "--json", cwd=tmp_path)
    )
    assert found["steps_per_second"] > 0
    film = tmp_path / "flight.gif"
    run(command, "play", "QuadHover", "--policy", "expert", "--record", film, cwd=tmp_path)
    assert film.stat().st_size > 1000
    run(command, "new", "mine/pendulum", "--into", tmp_path / "package", cwd=tmp_path)
    assert (tmp_path / "package" / "mine" / "pendulum" / "kernel.py").is_file()

"""The wheel built from the tree works alone in an empty virtual environment."""

import json
import os
import site
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
    for needed in ("py.typed", "quadcopters/hover/README.md", "cli/template/world.py", "cli/template/cards.py"):
        assert f"envsuite/{needed}" in names
    for needed in ("ppo.py", "ppo.toml", "trainer.py", "ppo_single_file.py", "published.json"):
        assert f"envsuite/_baselines/{needed}" in names
    assert not [name for name in names if "/records/" in name]
    assert "envsuite/_baselines/policies/ppo/QuadHover-v0.onnx" in names
    assert wheel.stat().st_size < 10_000_000
    for shipped in ("_datasets/mazes/lock.json", "_datasets/quadcopters/rules.toml", "_baselines/published.json"):
        assert f"envsuite/{shipped}" in names
    assert not [name for name in names if name.endswith((".nbi", ".nbc", ".pyc"))]


def test_editable_installs_stay_possible(tmp_path):
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel:editable", "-d", tmp_path, cwd=ROOT)
    (built,) = tmp_path.glob("*.whl")
    assert f"{ROOT}\n".encode() in b"".join(
        zipfile.ZipFile(built).read(name) + b"\n" for name in zipfile.ZipFile(built).namelist() if name.endswith(".pth")
    )


def test_baselines_train_from_the_wheel(wheel, tmp_path):
    pytest.importorskip("torch")
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    packages = Path(run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=tmp_path).strip())
    zipfile.ZipFile(wheel).extractall(packages)
    # after the wheel's own files on the path: what this environment has, as if installed there
    (packages / "installed.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    empty = tmp_path / "empty"
    empty.mkdir()

    def baselines(*arguments: str) -> str:
        return run(python, "-m", "envsuite.cli", "baselines", *arguments, cwd=empty)

    listed = {one["name"]: one for one in json.loads(baselines("list", "--json"))}
    assert listed["ppo/QuadHover-v0"]["low"] < listed["ppo/QuadHover-v0"]["mean_return"]
    quick = ("--total-steps", "1024", "--num-envs", "16", "--num-steps", "16", "--evaluations", "1", "--episodes", "2")
    baselines("train", "ppo/QuadHoverGPD", "--", *quick)
    (record,) = empty.glob("runs/envsuite/QuadHoverGPD-v0/ppo/*/run.json")
    assert json.loads(record.read_text())["status"] == "finished"


@pytest.mark.slow
def test_wheel_and_source_archive_work_in_bare_environments(tmp_path):
    done = subprocess.run([sys.executable, ROOT / ".ci" / "wheel.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("wheel and source archive work\n")

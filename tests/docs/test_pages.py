"""Every Python and console block of README and documentation runs, page by page, from top to bottom."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import envsuite
from envsuite.evaluation.frozen import find_frozen
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.rollout import play, policy_maker

from .blocks import ROOT, Block, blocks, commands, pages, script, shortened

ELSEWHERE = {"docs/serving.md", "docs/trainers.md"}
"""Pages whose blocks run in tests of their own: `tests/serving/test_docs.py`, `tests/docs/test_trainers.py`."""

PAGES = {str(path.relative_to(ROOT)): path for path in pages() if str(path.relative_to(ROOT)) not in ELSEWHERE}
WITH_BLOCKS = [name for name, path in PAGES.items() if any(not one.reason for one in blocks(path.read_text("utf-8")))]
QUICK = {"docs/run-records.md", "docs/quickstart.md", "docs/evaluation.md"}
"""Pages whose blocks take seconds; the others are slow."""

NEEDS = {
    "docs/quadcopters.md": "pybullet",
    "docs/rigid-bodies.md": "mujoco",
    "envsuite/quadcopters/bullet_backend/README.md": "pybullet",
}
"""Extras without which a page does not run."""

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


def test_blocks_are_found_with_what_tests_are_told():
    text = (
        "<!-- in tests: 1000 -> 10 -->\n```python\nprint(1000)\n```\n\n<!-- in tests, before:\n$ cd x\n-->\n"
        "```console\n$ a 1000 \\\n  b\noutput\n$ c\n```\n```{image} x.svg\n:alt: y\n```\n"
        "<!-- in tests, not run: it needs\na key -->\n```console\n$ d\n```\n```toml\n[x]\n```\n```python\npass\n```\n"
    )
    found = blocks(text)
    assert [one.kind for one in found] == ["python", "console", "console", "python"]
    assert found[1] == Block("console", "$ a 1000 \\\n  b\noutput\n$ c\n", 9, before="$ cd x")
    assert found[2].reason == "it needs a key"
    assert not found[3].reason
    assert commands(found[1].text) == ["a 1000 \\\n  b", "c"]
    program = script(text)
    assert "print(10)" in program
    assert program.index("'cd x'") < program.index("a 10 ")
    assert "'d'" not in program


def test_few_blocks_are_left_out_and_each_says_why():
    left_out = [one for path in PAGES.values() for one in blocks(path.read_text("utf-8")) if one.reason]
    assert all(len(one.reason) > 15 for one in left_out)
    every = sum(len(blocks(path.read_text("utf-8"))) for path in PAGES.values())
    assert len(left_out) <= every / 6


def test_every_tutorial_is_in_the_index():
    index = (ROOT / "docs" / "tutorials" / "index.md").read_text(encoding="utf-8")
    assert len(TUTORIALS) > 5
    for page in TUTORIALS:
        assert page.stem == "index" or f"\n{page.stem}\n" in index


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_environments_and_shortened_trainings_exist(page):
    """Every training is shortened in tests, and every environment named exists."""
    text = page.read_text(encoding="utf-8")
    for steps in re.findall(r"--total-steps (\S+)", text):
        assert any(steps in one for one in shortened(text))
    known = {name.split("/")[1].rsplit("-v", 1)[0] for name in envsuite.cards()}
    assert not set(re.findall(r"\bQuad[A-Z]\w+", text)) - {"QuadSwarm"} - known


def another_training(source: Path, target: Path, seed: int) -> None:
    """Copies a network with weights a little larger for each seed: submissions refuse one network as two runs."""
    onnx = pytest.importorskip("onnx")
    model = onnx.load(source)
    for weights in model.graph.initializer:
        values = onnx.numpy_helper.to_array(weights)
        if values.ndim == 2:
            scaled = (values * (1 + 0.01 * seed)).astype(values.dtype)
            weights.CopyFrom(onnx.numpy_helper.from_array(scaled, weights.name))
    onnx.save(model, target)


@pytest.fixture(scope="session")
def runs(tmp_path_factory) -> Path:
    """Folders of finished runs such as pages speak of: in ``hover``, and in ``duel``."""
    root = tmp_path_factory.mktemp("made")
    for env_id in ("QuadHover", "QuadHoverGPD", "QuadMultiHover", "Duel"):
        policy, card = find_frozen(f"ppo/{env_id}"), envsuite.card(env_id)
        episodes = play(card, policy_maker(policy.name), 4)
        runs = root / ("duel" if env_id == "Duel" else "hover")
        for place, algorithm in ((runs, "ppo"), (runs / "new", "new"), (runs / "old", "old")):
            for seed in range(2):
                with RunFolder(place, card.id, algorithm, {"seed": seed}, seed, card.behaviour) as folder:
                    for step in (1000, 2000):
                        numbers = {"mean_return": float(episodes.returns.mean()) + step / 100 + seed, "loss": 0.1}
                        folder.log(step, **numbers, training_time=step / 1000)
                        folder.log_episodes(step, episodes)
                    shutil.copy(policy.path.with_suffix(".json"), folder.path / "policy.json")
                    another_training(policy.path.with_suffix(".onnx"), folder.path / "policy.onnx", seed)
                folder.finish("finished", mean_return=float(episodes.returns.mean()))
    return root


@pytest.fixture
def place(request, runs, tmp_path) -> Path:
    """What a page's reader has: a clone, after some training."""
    for name in ("baselines", "datasets", "docs", "Makefile", "pyproject.toml", "constraints.txt", ".ci"):
        (tmp_path / name).symlink_to(ROOT / name)
    today = shutil.ignore_patterns(f"{datetime.now(UTC):%Y%m%d}_*")  # pages submit, and names are taken once
    shutil.copytree(ROOT / "leaderboard", tmp_path / "leaderboard", ignore=today)
    if "tutorials" not in request.param:  # they train what they speak of
        shutil.copytree(runs / ("duel" if "fighting" in request.param else "hover"), tmp_path / "runs")
    program = script(PAGES[request.param].read_text(encoding="utf-8"))
    if re.search(r"envsuite new (?!.* --into)", program):  # writes into the package
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "envsuite", tmp_path / "envsuite", ignore=skip)
    shims = tmp_path / "bin"
    shims.mkdir()
    for name, module in (
        ("envsuite", "-m envsuite.cli"),
        ("python", ""),
        ("pytest", "-m pytest -q -p no:cacheprovider"),
    ):
        (shims / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (shims / name).chmod(0o755)
    (tmp_path / "page.py").write_text(program, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "place"),
    [pytest.param(name, name, id=name, marks=[] if name in QUICK else pytest.mark.slow) for name in WITH_BLOCKS],
    indirect=["place"],
)
def test_page_runs(name, place):
    if extra := NEEDS.get(name):
        pytest.importorskip(extra)
    paths = [str(place), str(ROOT)] if (place / "envsuite").is_dir() else [str(ROOT)]
    environment = {
        **os.environ,
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(paths),
        "HOME": str(place),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        "ENVSUITE_DATASETS": str(place / "data"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLBACKEND": "Agg",
        "SDL_VIDEODRIVER": "dummy",
    }
    log = place / "output.txt"
    with log.open("w") as output:
        streams = {"stdout": output, "stderr": output, "start_new_session": True}
        page = subprocess.Popen([sys.executable, "page.py"], cwd=place, env=environment, **streams)
        try:
            status = page.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(page.pid, signal.SIGKILL)  # servers that the page has started
    assert status == 0, log.read_text()[-6000:]

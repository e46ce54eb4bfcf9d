"""The tutorials and notebooks run from top to bottom, with short training."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import envsuite

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
_BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHORTER = re.compile(r"<!-- in tests: (\S+) -> (\S+) -->")


def script(text: str) -> str:
    """A page as one Python program."""
    shorter = _SHORTER.findall(text)
    parts = ["import subprocess, sys"]
    for kind, block in _BLOCK.findall(text):
        for long, short in shorter:
            block = block.replace(long, short)
        if kind == "python":
            parts.append(block)
            continue
        for line in block.splitlines():
            assert line.startswith("$ "), f"{line!r} is no command"
            command = re.sub(r"^envsuite ", "python -m envsuite.cli ", line[2:])
            assert command.startswith("python "), command
            command = shlex.quote(sys.executable) + command.removeprefix("python")
            parts.append(f"subprocess.run({command!r}, shell=True, check=True)")
    return "\n".join(parts)


def missing_environments(text: str) -> list[str]:
    """Names of tasks on a page that are not registered."""
    known = {name.split("/")[1].rsplit("-v", 1)[0] for name in envsuite.cards()}
    return sorted(set(re.findall(r"\bQuad[A-Z]\w+", text)) - {"QuadSwarm"} - known)


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "tutorials" / "index.md").read_text(encoding="utf-8")
    assert (len(PAGES), len(NOTEBOOKS)) > (5, 1)
    for page in PAGES + NOTEBOOKS:
        assert page.stem == "index" or f"\n{page.stem}\n" in index


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_environments_and_shortened_trainings_exist(page):
    """Every training is shortened in tests, and every environment named exists."""
    text = page.read_text(encoding="utf-8")
    shortened = {long for long, _ in _SHORTER.findall(text)}
    for steps in re.findall(r"--total-steps (\S+)", text):
        assert steps in shortened
    assert not missing_environments(text)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "index"], ids=lambda page: page.stem)
def test_page_runs(page, tmp_path):
    (tmp_path / "baselines").symlink_to(ROOT / "baselines")
    (tmp_path / "page.py").write_text(script(page.read_text(encoding="utf-8")), encoding="utf-8")
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def notebook_script(path: Path) -> str:
    """The code of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_notebooks_show_what_they_did(notebook):
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not any(one["output_type"] == "error" for cell in cells for one in cell["outputs"])


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_notebook_runs(notebook, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", notebook_script(notebook)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]

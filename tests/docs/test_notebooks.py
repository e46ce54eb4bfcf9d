"""The notebooks run from top to bottom, and show what they did."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def code_cells(notebook: Path) -> list[dict]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_every_notebook_is_in_the_index():
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) > 1
    for notebook in NOTEBOOKS:
        assert f"\n{notebook.stem}\n" in index


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_notebooks_show_what_they_did(notebook):
    cells = code_cells(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not any(one["output_type"] == "error" for cell in cells for one in cell["outputs"])


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_notebook_runs(notebook, tmp_path):
    code = "\n".join("".join(cell["source"]) for cell in code_cells(notebook))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]

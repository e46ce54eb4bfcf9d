"""The programs of the page on other people's trainers run as they stand, and what they train gets better."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import envsuite

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trainers.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = {
    "Stable-Baselines3": "stable_baselines3",
    "TorchRL": "torchrl",
    "RLlib": "ray",
    "Your own loop": "torch",
    "PufferLib": "pufferlib",
    "EnvPool": "",
    "Planning": "",
    "LeRobot": "lerobot",
}


def sections() -> dict[str, list[tuple[str, str]]]:
    """Blocks by the heading that they stand under."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    found = {title: _BLOCK.findall(text) for title, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {title: blocks for title, blocks in found.items() if blocks}


def test_every_section_with_programs_is_tested():
    assert set(sections()) == set(NEEDS)
    card = envsuite.card("QuadHoverGPD")
    assert (round(card.random.mean), round(card.expert.mean)) == (16, 471)
    assert "on which random play earns 16 and the reference policy 471" in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("title", NEEDS)
def test_programs_run_and_learn(title, tmp_path):
    """Ends of programs say ``before -> after``."""
    if NEEDS[title] and find_spec(NEEDS[title]) is None:
        pytest.skip(f"{NEEDS[title]} is not installed")
    if title == "RLlib" and find_spec("dm_tree") is None and find_spec("tree") is None:
        pytest.skip("RLlib's packages are not installed")
    environment = {**os.environ, "ENVSUITE_DATASETS": str(tmp_path / "datasets"), "HF_HUB_OFFLINE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    for kind, block in sections()[title]:
        if kind == "console":
            for line in block.splitlines():
                assert line.startswith("$ envsuite "), line
                command = [sys.executable, "-m", "envsuite.cli", *line.removeprefix("$ envsuite ").split()]
                subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
            continue
        command = [sys.executable, "-W", "ignore", "-c", block]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        before, after = map(float, re.search(r": (-?[\d.]+) -> (-?[\d.]+)$", done.stdout.strip()).groups())
        assert after > before + 3, done.stdout

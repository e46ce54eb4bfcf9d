"""Cards are found, in this package and in others, and clashes are named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cli import main

SCRIPT = (
    "import gymnasium, envsuite\n"
    "env = gymnasium.make('envsuite/Swing-v0')\n"
    "env.reset(seed=0)\n"
    "env.step(1)\n"
    "print(envsuite.card('Swing').world)\n"
)


@pytest.fixture
def third_party(tmp_path) -> Path:
    """A package installed beside envsuite, as pip leaves it, with one world."""
    package = tmp_path / "foreign_worlds"
    package.mkdir()
    (package / "__init__.py").touch()
    result = CliRunner().invoke(main, ["new", "toys/swing", "--into", str(package)])
    assert result.exit_code == 0, result.output
    metadata = tmp_path / "foreign_worlds-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign_worlds\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[envsuite.envs]\nforeign_worlds = foreign_worlds.toys.swing.cards:CARDS\n"
    )
    return tmp_path


def python(path: Path, code: str) -> subprocess.CompletedProcess:
    root = Path(envsuite.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(root)])}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_cards_of_other_packages_are_found_and_work(third_party):
    done = python(third_party, SCRIPT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "foreign_worlds.toys.swing.world:Swing"


def test_clashing_ids_are_named(third_party):
    cards = third_party / "foreign_worlds" / "toys" / "swing" / "cards.py"
    cards.write_text(cards.read_text().replace("envsuite/Swing-v0", "envsuite/QuadHover-v0"))
    done = python(third_party, "import envsuite")
    assert "two cards have the id 'envsuite/QuadHover-v0'" in done.stderr


def test_a_world_of_a_notebook_can_be_registered():
    import dataclasses

    import gymnasium

    from envsuite.registry import register

    template = next(iter(envsuite.cards().values()))
    card = dataclasses.replace(template, id="mine/Notebook-v0")
    try:
        register(card)
        register(card)  # once more is nothing new
        assert envsuite.card("Notebook") is card
        assert gymnasium.spec("mine/Notebook-v0").max_episode_steps == card.horizon
        with pytest.raises(ValueError, match="two cards have the id 'mine/Notebook-v0'"):
            register(dataclasses.replace(card, summary="another"))
    finally:
        del envsuite.cards()["mine/Notebook-v0"], gymnasium.registry["mine/Notebook-v0"]

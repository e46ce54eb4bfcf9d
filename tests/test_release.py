"""What a release depends on: workflows that call what is there, and versions that agree."""

import re
import tomllib
from pathlib import Path

import pytest

import envsuite

from .scripts import loaded

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture(scope="module")
def release():
    return loaded(".ci/release.py")


def test_notes_are_the_changelogs_section(release, tmp_path):
    (tmp_path / "envsuite").mkdir()
    (tmp_path / "envsuite" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    log = tmp_path / "CHANGELOG.md"
    log.write_text(
        "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2027-01-02\n\n- new\n\n## [1.2.2] - 2026-12-01\n\n- old\n"
    )
    assert release.notes("v1.2.3", tmp_path) == "- new\n"
    with pytest.raises(ValueError, match=r"the tag is v1\.2\.4, the package's version 1\.2\.3"):
        release.notes("v1.2.4", tmp_path)
    log.write_text("# Changelog\n\n## [Unreleased]\n")
    with pytest.raises(ValueError, match="no section"):
        release.notes("v1.2.3", tmp_path)
    with pytest.raises(ValueError, match="the tag is"):
        release.notes(f"v{envsuite.__version__}.1")


def test_workflows_call_what_is_there():
    yaml = pytest.importorskip("yaml")
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "release.yml", "wheel.yml"]
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        table = yaml.safe_load(text)
        assert table["jobs"]
        for job in table["jobs"].values():
            assert "timeout-minutes" in job or "uses" in job
        for named in re.findall(r"(\.ci/[\w.]+|\./\.github/workflows/[\w.]+)", text):
            assert (ROOT / named).is_file(), f"{path.name} names {named}"
    for path in (ROOT / ".github").rglob("*.yml"):
        assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_every_supported_python_is_in_the_matrix():
    yaml = pytest.importorskip("yaml")
    matrix = yaml.safe_load((ROOT / ".github" / "workflows" / "wheel.yml").read_text())["jobs"]["use"]["strategy"][
        "matrix"
    ]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert matrix["python"] == named
    assert len(matrix["os"]) == 3
    assert project["requires-python"] == f">={named[0]}"
    assert all(address.startswith("https://github.com/envsuite/envsuite") for address in project["urls"].values())


def test_what_llms_and_assistants_are_told_is_there():
    for page in ("llms.txt", "AGENTS.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert (ROOT / target).is_file(), f"{page} names {target}"
    for place in re.findall(r"^\| `([^`<]+)` \|", (ROOT / "AGENTS.md").read_text(encoding="utf-8"), re.MULTILINE):
        assert (ROOT / place).is_dir()


def test_newer_versions_deprecate_an_id(monkeypatch):
    from dataclasses import replace

    from envsuite import registry

    assert not any(registry.successor(env_id) for env_id in envsuite.cards())
    known = dict(envsuite.cards())
    for version in (9, 10):
        card = replace(known["envsuite/QuadHover-v0"], id=f"envsuite/QuadHover-v{version}")
        known[card.id] = card
    monkeypatch.setattr(registry, "cards", lambda: known)
    assert registry.successor("envsuite/QuadHover-v0") == "envsuite/QuadHover-v10"
    assert registry.successor("envsuite/QuadHover-v10") == ""
    assert registry.successor("envsuite/QuadHoverGPD-v0") == ""

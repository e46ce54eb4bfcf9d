import json
import socket
import subprocess
import sys

import pytest
from click.testing import CliRunner

from envsuite.cli import main

pytest.importorskip("aiohttp")


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("QuadHove",), "did you mean 'envsuite/QuadHover-v0'"),
        (("QuadHover", "MOConnect4", "--option", "gravity=1"), "--option goes with one ID"),
        (("QuadHover", "--option", "gravity=1"), "has no option 'gravity'"),
        (("--mcp",), "--mcp goes with one ID"),
        (("QuadHover", "--port", "70000"), "70000"),
        (("QuadHover", "--sessions", "0"), "'--sessions'"),
        (("QuadHover", "--idle", "0"), "'--idle'"),
        (("QuadHover", "--rate", "nan"), "'--rate'"),
        (("QuadHover", "--idle", "inf"), "'--idle'"),
        (("QuadHover", "--tokens", "nowhere"), "nowhere"),
        (("QuadHover", "--host", "300.1.1.1"), "300.1.1.1"),
    ],
)
def test_mistakes_are_named_in_a_line(arguments, said):
    result = run("serve", *arguments)
    assert result.exit_code in (1, 2), result.output
    assert said in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("content", ["", "short\n", "with a blank in it\n", "ümläute-und-mehr-zeichen\n"])
def test_tokens_that_are_none_are_refused(tmp_path, content):
    (tmp_path / "tokens").write_text(content, encoding="utf-8")
    result = run("serve", "QuadHover", "--tokens", str(tmp_path / "tokens"))
    assert result.exit_code == 2
    assert "expected ASCII tokens of 16 characters" in result.output


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", "QuadHover", "--port", str(port))
    assert result.exit_code == 1
    assert f"127.0.0.1:{port} cannot be listened at" in result.output


def test_environments_are_made_ready_without_serving():
    result = run("serve", "IteratedPrisoners", "--check")
    assert result.exit_code == 0, result.output
    assert "IteratedPrisoners is ready" in result.output


def test_packages_are_written_whole_and_never_over_others(tmp_path):
    for kind in ("openenv", "verifiers"):
        folder = tmp_path / kind
        assert run("package", kind, "QuadHover", "--out", str(folder)).exit_code == 0
        before = sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        result = run("package", kind, "MOConnect4", "--out", str(folder))
        assert result.exit_code == 1
        assert "exists already; nothing was written" in result.output
        assert sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["openenv", "verifiers"]
    (tmp_path / "file").touch()
    assert run("package", "openenv", "QuadHover", "--out", str(tmp_path / "file" / "below")).exit_code == 2


def test_every_environment_has_a_package(tmp_path):
    import tomllib

    import envsuite
    from envsuite.serving.package import write_openenv, write_verifiers

    for card in envsuite.cards().values():
        if not card.playable or card.agents > 100:
            continue
        write_openenv(card, tmp_path / "openenv" / card.family / card.id.split("/")[1])
        folder = tmp_path / "verifiers" / card.id.split("/")[1]
        write_verifiers(card, folder)
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        (module,) = folder.glob("*/__init__.py")
        assert project["name"].replace("-", "_") == module.parent.name
        assert module.parent.name.isidentifier()
        compile(module.read_text(encoding="utf-8"), str(module), "exec")
        plan = json.loads(
            (tmp_path / "openenv" / card.family / card.id.split("/")[1] / "validation" / "runtime.json").read_text()
        )
        assert 1 <= len(plan["actions"]) <= 100


def test_a_missing_library_is_named_with_its_extra():
    hide = "import sys; sys.modules['aiohttp'] = None; from envsuite.cli import main; main(['serve', 'QuadHover'])"
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'pip install "envsuite[serve]"' in done.stderr
    assert "Traceback" not in done.stderr

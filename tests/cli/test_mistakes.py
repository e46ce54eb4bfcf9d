"""Mistakes at the command line: one line that says what is wrong, exit status 1 or 2, and nothing half done.

The mistakes are made from the commands themselves: every option and argument gets what its type does not allow, so a
new command is tested as soon as `COMMANDS` has a call of it that is right.
"""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from envsuite.cli import main
from envsuite.cli.kinds import Finite, NewFile, NewFolder

COMMANDS = {
    "list": "",
    "info": "QuadHover",
    "matrix": "",
    "check": "QuadHover --only text",
    "warm": "fighting",
    "bench": "QuadHover --seconds 0.05 --num-envs 1",
    "play": "QuadHover --policy random --record film.gif",
    "replay": "log.npz --record film.gif",
    "evaluate": "QuadHover --policy random --episodes 1",
    "job": "file 0 --out folder",
    "log": "QuadHover --out table.csv",
    "new": "mine/pole --into worlds",
    "datasets list": "--root data",
    "datasets show": "quad-hover/expert-v0 --root data",
    "datasets generate": "quad-hover/expert-v0 --small --root data",
    "datasets verify": "quad-hover/expert-v0 --root data",
    "datasets download": "quad-hover/expert-v0 --root data --remote folder",
    "datasets diff": "quad-hover/expert-v0 quad-hover/expert-v0 --root data",
    "datasets stats": "quad-hover/expert-v0 --root data",
    "datasets convert": "quad-hover/expert-v0 --to d4rl --out new.hdf5 --root data",
    "datasets merge": "mine/a-v0 quad-hover/expert-v0 --root data",
    "datasets split": "quad-hover/expert-v0 --root data",
    "datasets subsample": "quad-hover/expert-v0 mine/a-v0 --episodes 1 --root data",
    "datasets mix": "mine/a-v0 quad-hover/expert-v0=1 --steps 10 --root data",
    "datasets relabel": "quad-hover/expert-v0 mine/a-v0 --scale 2 --root data",
    "baselines list": "",
    "baselines train": "ppo/QuadHover --runs runs",
    "baselines reproduce": "ppo/QuadHover --runs runs",
    "baselines sweep": "file --out folder",
    "baselines online": "",
    "baselines curve": "ppo/QuadHover --out curve.png",
    "runs list": "runs",
    "runs show": "runs",
    "runs report": "runs --out report.html",
    "runs compare": "runs folder",
    "runs export": "runs --out table.csv",
    "agents run": "--env QuadHover --model m --base-url http://127.0.0.1:9 --no-key --out record --episodes 1",
    "agents score": "folder",
    "agents report": "folder --out agents.html",
    "agents rate": "folder",
    "leaderboard submit": "random --track quadcopters --method Mine --out submissions",
    "leaderboard verify": "folder",
    "leaderboard slim": "folder",
    "leaderboard keygen": "me --private key.pem --keys keys",
    "leaderboard sign": "folder --id me --private file",
    "leaderboard retrain": "folder",
    "leaderboard season new": "spring --opens 2027-03-01 --closes 2027-05-31 --secret-file secret",
    "leaderboard season show": "none",
    "leaderboard season reveal": "none --secret-file file",
    "leaderboard build": "--leaderboard folder --out site",
    "leaderboard serve": "folder",
    "serve": "QuadHover --check",
    "package": "openenv QuadHover --out new",
    "envhub": "QuadHover --out env.py",
    "text export": "TextQuest --out game.json",
}
"""A right call of each command, in a folder that holds `file`, `folder`, `garbage.onnx`; what it needs beside may be
missing, which is a mistake, too."""

HUGE = str(10**30)
OF_NAME = {
    "policy": ["exprt", "ppo/Nothing", "garbage.onnx", "folder", "missing.onnx", "", "ppo/QuadHover/x", "text.onnx"],
    "option": ["noise", "=1", "noise=perhaps", "nothing=1", "noise=", "noise=[", 'noise={"a": 1}'],
    "track": ["quadrocopters", "missing.toml", "folder", "file", ""],
    "family": ["birds", ""],
    "season": ["none", "../none", ""],
    "only": ["everything", ""],
    "opens": ["soon", "2027-13-01", "2028-01-01", ""],
    "closes": ["never", "2026-01-01", ""],
    "parameter": ["temperature", "=1"],
    "history": ["some", "-1"],
    "image": ["big", "0x0", "320", "99999999x99999999"],
    "clock": ["fast"],
    "base-url": ["nowhere", "ftp://host", ""],
    "metric": ["no such metric"],
    "goal": ["here", "1,"],
    "name": ["nothing", "nothing/QuadHover", "ppo/Nothing", "/", ""],
    "names": ["ppo/Nothing", ""],
    "place": ["missing", "runs[", "Toys/Pole", "toys/"],
    "places": ["missing", "a=missing", ""],
    "a": ["missing", ""],
    "b": ["missing", ""],
    "sources": ["missing", "folder", "random=random"],
    "folders": ["missing", "file"],
    "folder": ["missing", "file"],
    "dataset-id": ["nothing", "no/such-v0", "../../etc/passwd", ""],
    "recipe": ["nothing", "no/such-v0", "missing.toml", "file", "folder"],
    "source": ["nothing", "no/such-v0", "file"],
    "ids": ["no/such-v0"],
    "shares": ["quad-hover/expert-v0", "quad-hover/expert-v0=much", "=1"],
    "key-id": ["../me", "", "me/you"],
    "scale": ["nan"],
    "info": ["no such info"],
    "file": ["missing.npz", "folder", "file", "garbage.onnx"],
}
"""Mistakes in texts, by the name of the option or argument."""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """All commands of a group, at any depth."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def wrong(parameter: click.Parameter) -> list[str]:
    """Values that a parameter must not take."""
    kind, name = parameter.type, (parameter.name or "").replace("_", "-")
    name = parameter.opts[0].lstrip("-") if isinstance(parameter, click.Option) else name
    if isinstance(kind, NewFile):
        end = kind.suffixes[0] if kind.suffixes else ""
        return ["missing/new" + end, "folder", "file/new" + end, *(["folder/new.no"] if end else []), ""]
    if isinstance(kind, NewFolder):
        return ["file", "file/new"]
    if isinstance(kind, click.IntRange):
        values = ["many", "", "1.5", "nan", HUGE]
        return values if kind.min is None else [*values, str(kind.min - 1)]
    if isinstance(kind, Finite):
        return ["many", "", "nan", "inf", str((kind.min or 0) - 1)]
    if isinstance(kind, click.Choice):
        return ["something else", ""]
    if isinstance(kind, click.Path) and kind.exists:
        return ["missing", "folder" if not kind.dir_okay else "file" if not kind.file_okay else "missing/too"]
    if kind.name == "id":
        return ["QuadHoovr", "", "envsuite/", "QuadHover-v9"]
    return OF_NAME.get(name, [])


def calls() -> Iterator[tuple[str, str]]:
    """A command and its arguments with one mistake."""
    for name, command in commands(main):
        base = shlex.split(COMMANDS[name]) if name in COMMANDS else None
        if base is None:
            continue
        yield name, shlex.join([*base, "--no-such-option"])
        if not any(parameter.nargs == -1 for parameter in command.params):
            yield name, shlex.join([*base, "one", "argument", "more", "than", "any"])
        for parameter in command.params:
            for value in wrong(parameter):
                if isinstance(parameter, click.Option):
                    yield name, shlex.join([*base, parameter.opts[0], value])
                elif base and command.params[0] is parameter and name != "leaderboard season new":
                    yield name, shlex.join([value, *base[1:]])


ALL = list(dict.fromkeys(calls()))
UNTESTED = {"baselines index", "baselines freeze", "agents serve"}
UNTESTED |= {f"datasets {name}" for name in ("upload", "serve", "lock", "card")}


def test_every_command_has_a_right_call():
    known = {name for name, _ in commands(main)}
    assert set(COMMANDS) <= known
    assert known - set(COMMANDS) <= UNTESTED
    assert len(ALL) >= 200


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with what the mistakes name."""
    place = tmp_path_factory.mktemp("place")
    for folder in ("folder", "runs", "data"):
        (place / folder).mkdir()
    (place / "file").write_text("text")
    (place / "garbage.onnx").write_bytes(bytes(range(256)))
    (place / "garbage.json").write_text("{}")
    (place / "text.onnx").write_text("no network")
    return place


@pytest.mark.parametrize("command", list(COMMANDS), ids=lambda name: name.replace(" ", "-"))
def test_mistakes_are_one_line(command, place, monkeypatch):
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "1000")
    before = left(place)
    found = {}
    for name, arguments in ALL:
        if name == command and (fault := complaint(f"{name} {arguments}")):
            found[arguments] = fault
        after = left(place)
        if after != before:
            found[arguments] = f"left {[str(path.relative_to(place)) for path in after if path not in before]}"
            before = after
    assert not found, "\n".join(f"{command} {arguments}: {fault}" for arguments, fault in found.items())


def left(place: Path) -> list[Path]:
    """What lies there, but for the locks of a store of datasets."""
    return sorted(path for path in place.rglob("*") if ".locks" not in path.parts)


def complaint(line: str) -> str:
    """What is wrong with the answer to a mistake; empty if nothing is."""
    result = CliRunner().invoke(main, shlex.split(line))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"
    if result.exit_code not in (1, 2):
        return f"exit status {result.exit_code}: {result.output[-200:]!r}"
    if "Traceback" in result.output:
        return "a traceback"
    about = ("Usage:", "Try ", "warning:", "verifying ", "episodes")  # the last two are progress
    said = [one for one in result.stderr.splitlines() if one and not one.startswith(about)]
    refused = [one for one in result.stdout.splitlines() if "REFUSED" in one]
    if len(said) + len(refused) != 1:
        return f"{len(said)} lines: {said}"
    return ""


def test_ctrl_c_ends_with_a_sentence(monkeypatch):
    from envsuite.cli import bench

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "with_options", interrupted)
    result = CliRunner().invoke(main, ["bench", "QuadHover"])
    assert result.exit_code == 130
    assert result.stderr.split() == ["stopped", "by", "Ctrl-C"]


def test_folders_that_cannot_be_written_to_are_found_before_the_work(tmp_path):
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("everything can be written to")
    tmp_path.chmod(0o500)
    result = CliRunner().invoke(
        main, ["play", "QuadHover", "--policy", "random", "--record", str(Path(tmp_path, "a.gif"))]
    )
    assert result.exit_code == 2
    assert "cannot be written to" in result.output

"""`envsuite datasets`: what each command says, and what it refuses."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cards import datasets_folder, locked
from envsuite.cli import main
from envsuite.data import load, load_recipe, recipe_ids, recipes, tiers
from envsuite.data import lock as data_lock
from envsuite.data.card import card
from envsuite.data.recipes import counterparts

SMALL = "quad-hover/mixed-small-v0"
MIXED = "quad-hover/mixed-v0"


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVSUITE_DATASETS", str(tmp_path / "store"))
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    monkeypatch.delenv("ENVSUITE_REMOTES", raising=False)
    return tmp_path / "store"


def run(*arguments: object):
    return CliRunner().invoke(main, ["datasets", *map(str, arguments)])


def succeed(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code != 0
    assert isinstance(result.exception, SystemExit), result.exception  # a message, no traceback
    return result.output


@pytest.fixture
def small(root):
    succeed("generate", MIXED, "--small")
    return load(SMALL)


def test_every_command_has_help():
    text = succeed("--help")
    commands = (
        "list show generate verify download upload serve convert stats card lock diff merge split subsample mix relabel"
    )
    for command in commands.split():
        assert re.search(rf"^  {command} ", text, re.MULTILINE)
        assert succeed(command, "--help").startswith("Usage")


def test_list_and_show(small):
    rows = json.loads(succeed("list", "--json"))
    assert {row["id"] for row in rows} == {*recipe_ids(), SMALL}
    (mine,) = [row for row in rows if row["id"] == SMALL]
    assert (mine["where"], mine["steps"], mine["hash"]) == (["here"], len(small), small.manifest.hash)
    assert SMALL in succeed("list", "--local")
    assert MIXED not in succeed("list", "--local")
    assert json.loads(succeed("show", SMALL, "--json"))["hash"] == small.manifest.hash
    assert "recipe; not on this machine" in succeed("show", MIXED)
    assert "20,000 steps may be played afterwards; evaluated after 0, 5,000, 10,000, 15,000 and all" in succeed(
        "show", MIXED
    )
    assert "did you mean" in fail("show", "quad-hover/mixd-v0")


def test_names_of_published_datasets_show_what_stands_for_them():
    known = counterparts()
    # 14 of D4RL's maze2d, 8 of Minari's pointmaze, OGBench's point and ant mazes, D4RL's ant mazes, bodies of both,
    # LMRL-Gym's maze and navigation (of two kinds each), Wordle, chess and its endgames;
    # five of NeoRL-2's tasks and three tiers of NeoRL's plant
    assert len(known) == 14 + 8 + 8 + 11 + 6 + 4 * 5 + 3 * 3 + 5 + 2 + 5 + 3 + 2
    for asked in ("D4RL/maze2d-umaze-v1", "maze2d-UMAZE-v1"):
        told = succeed("show", asked)
        assert told.startswith("D4RL/maze2d-umaze-v1 is not ours; what stands for it here is maze-legacy-umaze/control")
        assert re.search("^  equal: .*^  differs: random numbers", told, re.DOTALL | re.MULTILINE)
        assert "legacy high             161.86 (published constant of D4RL)" in told
    told = json.loads(succeed("show", "OGBench/pointmaze-giant-stitch-v0", "--json"))
    assert told["id"] == "maze-ogbench-giant/stitch-v0"
    assert told["stands_for"]["name"] == "OGBench/pointmaze-giant-stitch-v0"
    for wrong in ("D4RL/maze2d-umaze", "D4RL/maze2d-umaze-v3"):
        assert "did you mean 'D4RL/maze2d-umaze-v1' or " in fail("show", wrong)


OWN = """schema = 1
id = "mine/own-v1"
title = "mine"
summary = ""
tier = "mixed"
env_id = "envsuite/QuadHover-v0"
behaviour = "{behaviour}"
first_seed = 400_000_000
episodes = 3
small = {{ episodes = 1 }}
policies = [
    {{ policy = "random" }},
    {{ policy = "expert", noise = {{ kind = "gaussian", scale = 0.5 }} }},
    {{ policy = "expert" }},
]
licence = ""
citation = ""
"""


def test_generate_says_what_it_made_and_takes_files(small, tmp_path):
    text = OWN.format(behaviour=envsuite.card("QuadHover").behaviour)
    path = tmp_path / "own.toml"
    path.write_text(text)
    made = json.loads(succeed("generate", path, "--json", "--workers", 2))
    assert made["steps"] == load("mine/own-v1").lengths.sum()
    np.testing.assert_array_equal(load("mine/own-v1").columns["actions"], small.columns["actions"][: made["steps"]])
    path.write_text(f'hash = "{load_recipe(MIXED).hash}"\n{text}')
    assert "expected" in fail("generate", path, "--force")  # the hash is that of another one
    assert json.loads(succeed("show", "mine/own-v1", "--json"))["hash"] == made["hash"]
    assert "there is no recipe for nothing-v0" in fail("generate", "nothing-v0")


def test_generate_takes_any_number_of_episodes(small):
    assert "quad-hover/mixed-4-v0" in succeed("generate", MIXED, "--episodes", 4)
    data = load("quad-hover/mixed-4-v0")
    assert data.episodes_count == 4
    np.testing.assert_array_equal(data.columns["actions"], small.columns["actions"][: len(data)])
    assert f"envsuite datasets generate {MIXED} --episodes 4" in card(data)
    assert "is right" in succeed("verify", "quad-hover/mixed-4-v0", "--replay", 1)
    assert "--episodes" in fail("generate", MIXED, "--episodes", 0)
    assert "give one of them" in fail("generate", MIXED, "--episodes", 4, "--small")
    assert "kept for evaluation" in " ".join(fail("generate", MIXED, "--episodes", 2_000_000_000).split())


def test_lock_records_what_is_missing_and_nothing_else(tmp_path, monkeypatch):
    copy = shutil.copytree(datasets_folder(), tmp_path / "datasets")
    for module in (import_module("envsuite.cards"), tiers, data_lock, recipes):
        monkeypatch.setattr(module, "datasets_folder", lambda: copy)
    path = copy / "quadcopters" / "lock.json"
    whole = json.loads(path.read_text())
    name = "quad-hover/small-v0"
    path.write_text(json.dumps({key: value for key, value in whole.items() if key != name}))
    locked.cache_clear()
    try:
        assert load_recipe(name).hash == ""
        assert name in succeed("lock", "quadcopters")
        told = json.loads(path.read_text())
        assert told.keys() == whole.keys()
        new, old = told.pop(name), whole.pop(name)
        assert told == whole
        assert load_recipe(name).hash == old["hash"]
        for key in ("env_id", "behaviour", "hash", "small", "episodes", "steps", "bytes", "terminated", "truncated"):
            assert new[key] == old[key]
        assert new["columns"] == old["columns"]
        assert new["table"].keys() == old["table"].keys()
        for row, numbers in new["table"].items():  # published with one decimal
            np.testing.assert_allclose(numbers, old["table"][row], atol=0.051)
        assert succeed("lock", name) == ""
        assert "neither a dataset with a recipe nor a family" in fail("lock", "nothing")
    finally:
        locked.cache_clear()


def test_verify_ends_with_1_where_something_is_wrong(small):
    assert "is right" in succeed("verify", SMALL, "--replay", 1)
    assert json.loads(succeed("verify", SMALL, "--json"))["replayed"] is True
    folder = Path(os.environ["ENVSUITE_DATASETS"], SMALL, small.manifest.folder)
    content = bytearray((folder / "rewards.npy").read_bytes())
    content[-1] ^= 1
    (folder / "rewards.npy").write_bytes(content)
    result = run("verify", SMALL, "--replay", 1, "--json")
    assert result.exit_code == 1
    faults = json.loads(result.stdout)["faults"]
    assert faults[0].startswith("hash: rewards: ")
    last = f"replay: rewards of episode 11, step {int(small.lengths[-1]) - 1}"
    assert faults[1].startswith(last)


def test_download_without_a_remote_offers_to_generate():
    text = fail("download", MIXED)
    assert "no remote is known" in text
    assert f"envsuite datasets generate {MIXED}" in text
    text = fail("download", MIXED, "--remote", "http://127.0.0.1:9")
    assert "cannot be reached" in text
    assert f"envsuite datasets generate {MIXED}" in text
    assert "generate" not in fail("download", "other/thing-v0", "--remote", "http://127.0.0.1:9")


def test_serve_and_download(small, root, tmp_path):
    repository = str(Path(__file__).parents[2])
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "envsuite.cli", "datasets", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": repository},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background jobs inherit that it is ignored
    )
    try:
        assert server.stdout is not None
        url = re.search(r"http://\S+:\d+", server.stdout.readline())[0]
        here = tmp_path / "here"
        assert small.manifest.hash in succeed("download", SMALL, "--remote", url, "--root", here)
        assert load(SMALL, here, check=True).manifest == small.manifest
        (row,) = [one for one in json.loads(succeed("list", "--remote", url, "--json")) if one["id"] == SMALL]
        assert row["where"] == ["here", url]
        assert "has no other/thing-v0/manifest.json" in fail("download", "other/thing-v0", "--remote", url)
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == 0
        server.stdout.close()


def test_a_dataset_that_is_not_the_recipes_is_refused(small, tmp_path):
    """A mirror that gives other data under the name of a known recipe."""
    succeed("merge", MIXED, SMALL)
    succeed("upload", MIXED, (tmp_path / "public").as_uri())
    text = fail("download", MIXED, "--remote", (tmp_path / "public").as_uri(), "--root", tmp_path / "here")
    assert "expected" in text
    assert not (tmp_path / "here" / MIXED).exists()
    assert "here, other hash" in succeed("list")


def test_upload_to_a_folder(small, tmp_path):
    url = (tmp_path / "public").as_uri()
    succeed("upload", SMALL, url)
    succeed("download", SMALL, "--remote", url, "--root", tmp_path / "here")
    assert load(SMALL, tmp_path / "here", check=True).manifest == small.manifest
    assert "cannot be uploaded to" in fail("upload", SMALL, "http://x/y")
    assert "generate other/thing-v0" in fail("upload", "other/thing-v0", url)


def test_stats_and_card(small, tmp_path):
    assert json.loads(succeed("stats", SMALL, "--json"))["steps"] == len(small)
    assert "normalised (calibrated)" in succeed("stats", SMALL)
    succeed("card", SMALL, "--out", tmp_path / "cards")
    assert {path.suffix for path in (tmp_path / "cards").iterdir()} == {".md", ".png"}


def test_edits(small):
    succeed("merge", "new/twice-v0", SMALL, SMALL)
    assert load("new/twice-v0").manifest.episodes == 24
    succeed("split", SMALL, "--validation", 0.25)
    assert load("quad-hover/mixed-small-validation-v0").manifest.episodes == 3
    succeed("subsample", SMALL, "new/few-v0", "--episodes", 2)
    succeed("subsample", SMALL, "new/best-v0", "--top", 0.25)
    assert load("new/best-v0").returns.min() >= np.sort(small.returns)[-3]
    succeed("mix", "new/mix-v0", f"{SMALL}=0.5", "new/twice-v0=0.5", "--steps", 500)
    succeed("relabel", SMALL, "new/scaled-v0", "--scale", 0.5)
    result = run("diff", SMALL, "new/scaled-v0")
    assert result.exit_code == 1
    assert "column rewards" in result.stdout
    assert "same content" in succeed("diff", SMALL, SMALL)
    for arguments in (
        ("subsample", SMALL, "new/x-v0"),
        ("relabel", SMALL, "new/x-v0"),
        ("relabel", SMALL, "new/x-v0", "--goal", "a,b"),
        ("relabel", SMALL, "new/x-v0", "--goal", "1,2"),
        ("relabel", SMALL, "../x-v0", "--scale", "2"),
        ("mix", "new/x-v0", f"{SMALL}=many", "--steps", 5),
        ("merge", "new/x-v0", "nothing/here-v0"),
        ("convert", SMALL),
        ("convert", SMALL, "--to", "zip"),
        ("convert", "x.npz", "--from", "ogbench"),
        ("convert", "x.npz", "--from", "ogbench", "--id", "a/b-v0"),
        ("convert", "x.zip", "--from", "zip"),
        ("convert", "x/y-v0", "--from", "minari"),
    ):
        assert "Error" in fail(*arguments)


def test_convert(small, tmp_path):
    pytest.importorskip("minari")
    succeed("convert", SMALL, "--to", "minari")
    succeed("convert", SMALL, "--from", "minari", "--id", "back/again-v0")
    assert load("back/again-v0").manifest.hash == small.manifest.hash
    succeed("convert", SMALL, "--to", "zip", "--out", tmp_path / "x.zip")
    succeed("convert", tmp_path / "x.zip", "--from", "zip", "--root", tmp_path / "other")
    assert load(SMALL, tmp_path / "other", check=True).manifest == small.manifest
    succeed("convert", SMALL, "--to", "d4rl", "--out", tmp_path / "x.hdf5")
    succeed("convert", tmp_path / "x.hdf5", "--from", "d4rl", "--id", "d4rl/back-v0")
    assert load("d4rl/back-v0").manifest.columns["rewards"] == small.manifest.columns["rewards"]
    succeed("convert", SMALL, "--to", "ogbench", "--out", tmp_path / "x.npz")
    succeed("convert", tmp_path / "x.npz", "--from", "ogbench", "--id", "ogbench/back-v0", "--env", "x")
    np.testing.assert_array_equal(load("ogbench/back-v0").columns["observations"], small.columns["observations"])


@pytest.mark.parametrize("name", ["msgspec", "filelock"])
def test_missing_libraries_are_named_with_their_extra(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    assert 'pip install "envsuite[datasets]"' in fail("generate", MIXED, "--small")

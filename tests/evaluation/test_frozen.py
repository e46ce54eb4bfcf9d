"""Frozen reference policies: names, digests, and that they still score what they scored."""

import dataclasses
import hashlib
import json
import shutil

import numpy as np
import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cards import baselines_folder
from envsuite.cli import main
from envsuite.evaluation import frozen
from envsuite.evaluation.baselines import find_baseline
from envsuite.evaluation.frozen import FOLDER, find_frozen, freeze, frozen_policies
from envsuite.evaluation.policies import find_policies
from envsuite.evaluation.rollout import one_number, play, policy_maker
from envsuite.scoring import prediction_interval

NAMES = sorted(frozen_policies())
BUDGET = 4_000_000
"""Bytes of all of them together, since they are in every wheel."""


def test_names_are_those_of_published_baselines():
    published = json.loads((baselines_folder() / "published.json").read_text(encoding="utf-8"))
    assert len(NAMES) >= 14
    assert set(NAMES) <= set(published)
    files = {path for path in (baselines_folder() / FOLDER).rglob("*") if path.is_file()}
    policies = frozen_policies().values()
    wanted = {path for one in policies for path in (one.path, one.interface_path)}
    assert files == {baselines_folder() / FOLDER / frozen.INDEX, *wanted}
    assert sum(path.stat().st_size for path in files) < BUDGET


@pytest.mark.parametrize("name", NAMES)
def test_files_are_what_was_published(name):
    policy = frozen_policies()[name]
    policy.check()
    assert policy.behaviour == envsuite.card(policy.env_id).behaviour, "the environment has changed since"
    assert policy.load().interface.env_id == policy.env_id
    low, high = prediction_interval(find_baseline(baselines_folder(), name).published.scores, 1)
    assert low <= policy.score <= high


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_policies_score_what_they_scored(name):
    policy = frozen_policies()[name]
    card = envsuite.card(policy.env_id)
    found = one_number(card, play(card, policy_maker(name), policy.episodes))
    assert found.returns.mean() == pytest.approx(policy.score, rel=1e-12)


def test_short_names_are_found_and_others_are_not():
    assert find_frozen("ppo/QuadHover") is find_frozen("ppo/QuadHover-v0")
    assert find_frozen("ppo/envsuite/QuadHover-v0") is find_frozen("ppo/QuadHover")
    for name in ("ppo", "ppo/", "ppo/Nothing", "sac/QuadHover", "./ppo/QuadHover", "../ppo/QuadHover-v0"):
        assert find_frozen(name) is None


def test_they_play_by_name_everywhere(tmp_path):
    def run(*arguments):
        result = CliRunner().invoke(main, [*map(str, arguments)])
        assert result.exit_code == 0, result.output
        return result.stdout

    given = ("QuadHover", "--policy", "ppo/QuadHover")
    found = json.loads(run("evaluate", *given, "--episodes", 20, "--json"))
    assert found["return"]["value"] > 450
    run("play", *given, "--record", tmp_path / "flight.gif", "--save", tmp_path / "flight.npz")
    run("log", *given, "--out", tmp_path / "flight.csv")
    assert len((tmp_path / "flight.csv").read_text().splitlines()) > 50
    listed = {one["name"]: one["frozen"] for one in json.loads(run("baselines", "list", "--json"))}
    assert sorted(name for name, there in listed.items() if there) == sorted(NAMES)
    [source] = find_policies("ppo/QuadHover")
    assert (source.method, source.env_id, source.train_seed) == ("ppo", "envsuite/QuadHover-v0", 6)
    [named] = find_policies("mine=ppo/QuadHover")
    assert named.method == "mine"


def test_a_network_of_several_environments_lies_there_once(tmp_path):
    """It is referred to by name; when the policy of that name gets another one, who shared it keeps the old."""
    first, second = "bc/maze-point-umaze/expert-v0", "bc/maze-point-large/expert-v0"
    shared = [one for one in frozen_policies().values() if one.network]
    assert shared
    for one in shared:
        assert one.load().interface.env_id == one.env_id != frozen_policies()[one.network].env_id
    digests = [
        hashlib.sha256(one.path.read_bytes()).hexdigest() for one in frozen_policies().values() if not one.network
    ]
    assert len(set(digests)) == len(digests)
    policies = frozen_policies()
    old = {name: dataclasses.replace(policies[name], folder=tmp_path, network="") for name in (first, second)}
    old[second] = dataclasses.replace(old[second], network=first)
    (tmp_path / first).parent.mkdir(parents=True)
    (tmp_path / second).parent.mkdir(parents=True)
    shutil.copy(policies[first].path, tmp_path / f"{first}.onnx")
    made = dataclasses.replace(old[first], sha256={".onnx": "another", ".json": ""})
    found = frozen._bequeathed({second: old[second]}, made, old)
    assert found[second].network == ""
    assert found[second].path.read_bytes() == policies[first].path.read_bytes()


def test_changed_files_do_not_play(tmp_path, monkeypatch):
    copy = tmp_path / "baselines"
    shutil.copytree(baselines_folder() / FOLDER, copy / FOLDER)
    monkeypatch.setattr(frozen, "baselines_folder", lambda: copy)
    frozen_policies.cache_clear()
    try:
        path = copy / FOLDER / "ppo" / "QuadHover-v0.onnx"
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
        for ask in (policy_maker, find_policies):
            with pytest.raises(ValueError, match="it is not the policy ppo/QuadHover-v0"):
                ask("ppo/QuadHover")
        path.unlink()
        with pytest.raises(ValueError, match="is missing"):
            policy_maker("ppo/QuadHover")
        result = CliRunner().invoke(main, ["play", "QuadHover", "--policy", "ppo/QuadHover", "--record", "a.gif"])
        assert result.exit_code == 1
        assert "is missing" in result.output
    finally:
        frozen_policies.cache_clear()


def test_only_what_scores_like_its_baseline_is_frozen(tmp_path):
    for name in ("ppo.py", "ppo.toml", "published.json"):
        shutil.copy(baselines_folder() / name, tmp_path)
    policy = frozen_policies()["ppo/QuadHoverGPD-v0"]
    made = freeze(tmp_path, "ppo/QuadHoverGPD", policy.path, 3, policy.steps)
    assert np.isclose(made.score, policy.score)
    assert frozen_policies(tmp_path)[made.name] == made
    index = json.loads((tmp_path / "published.json").read_text())
    index[made.name]["scores"] = [score + 500 for score in index[made.name]["scores"]]
    (tmp_path / "published.json").write_text(json.dumps(index))
    with pytest.raises(ValueError, match="outside of"):
        freeze(tmp_path, "ppo/QuadHoverGPD", policy.path, 3, policy.steps)
    with pytest.raises(ValueError, match="none of the baselines"):
        freeze(tmp_path, "ppo/Nothing", policy.path, 3, policy.steps)

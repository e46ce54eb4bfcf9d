"""`envsuite baselines`: trains for real, a little."""

import json
import shutil
import statistics
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

import envsuite
from envsuite.cards import baselines_with
from envsuite.cli import main
from envsuite.cli.baselines import _power, _tell
from envsuite.evaluation.baselines import (
    PUBLISHED,
    find_baseline,
    find_baselines,
    published_index,
)
from envsuite.evaluation.reproduction import Reproduction, compare, plan_check
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.evaluation.scripts import new_seeds, training_command

from ..evaluation.test_online import write_run

pytest.importorskip("torch")

COMING = {"crafting", "language_games", "manipulation", "memory", "text_games"}
"""Families of which not all ids have published runs yet."""

BASELINES = Path(envsuite.__file__).resolve().parents[1] / "baselines"
SETTINGS = {"total_steps": 1024, "num_envs": 16, "num_steps": 16, "evaluations": 2, "episodes": 3, "threads": 1}


def run(*arguments: object):
    return CliRunner().invoke(main, ["baselines", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The baselines with quick settings and three published runs."""
    from launch import run as train
    from ppo import PPO, PPOConfig

    folder = tmp_path_factory.mktemp("repository") / "baselines"
    folder.mkdir()
    for path in BASELINES.glob("*.py"):
        shutil.copy(path, folder)
    table = "\n".join(f"{name} = {value}" for name, value in SETTINGS.items())
    (folder / "ppo.toml").write_text(f'["envsuite/QuadHoverGPD-v0"]\nsearch = "none"\n{table}\n')
    (folder / "td3.toml").write_text("")
    for seed in range(3):
        config = PPOConfig(env_id="envsuite/QuadHoverGPD-v0", seed=seed, **SETTINGS)
        train(PPO, config, folder / "records")
    return folder


def test_list_has_the_published_interval(folder):
    text = run("list", "--baselines", folder).stdout
    assert "ppo/QuadHoverGPD-v0  3" in text
    found = json.loads(run("list", "--baselines", folder, "--json").stdout)
    assert [one["name"] for one in found] == ["ppo/QuadHoverGPD-v0"]
    assert found[0]["mean_return"] == pytest.approx(statistics.mean(found[0]["scores"]))
    assert found[0]["low"] < found[0]["mean_return"] < found[0]["high"]


def test_this_repositorys_baselines_have_records():
    found = {one["name"]: one for one in json.loads(run("list", "--baselines", BASELINES, "--json").stdout)}
    assert len(found["ppo/QuadHover-v0"]["seeds"]) >= 10
    for one in envsuite.cards().values():
        if not one.id.startswith("envsuite/"):
            continue  # another test's
        for algorithm in baselines_with(one.id):
            assert any(
                (each["env_id"], each["algorithm"]) == (one.id, algorithm) and len(each["seeds"]) > 1
                for each in found.values()
            )
        without = "planned" if one.family in COMING and not one.trained_on else "n/a"
        assert one.capability("baseline").startswith("yes" if baselines_with(one.id) else without), one.id


def test_index_of_what_was_published_is_in_step_with_the_records():
    told, recorded = (json.loads(text) for text in ((BASELINES / PUBLISHED).read_text(), published_index(BASELINES)))
    assert list(told) == list(recorded), "run `envsuite baselines index`"
    for name, entry in recorded.items():
        for part in ("mean", "low", "high") if len(entry["seeds"]) > 1 else ("mean",):  # one run has no interval
            assert told[name].pop(part) == pytest.approx(entry.pop(part), rel=1e-9), name
        assert told[name] == entry, f"{name}: run `envsuite baselines index`"


def test_without_records_the_index_says_what_was_published(folder, tmp_path):
    bare = shutil.copytree(folder, tmp_path / "bare")
    assert run("index", "--baselines", bare).exit_code == 0
    with_records = run("list", "--baselines", bare, "--json").stdout
    shutil.rmtree(bare / "records")
    assert run("list", "--baselines", bare, "--json").stdout == with_records
    quick = ("--baselines", bare, "--runs", tmp_path / "runs", "--seeds", 1)
    assert "new run lies with 95 % probability" in run("reproduce", "ppo/QuadHoverGPD", *quick).stdout
    for command in (("curve", "ppo/QuadHoverGPD", "--out", tmp_path / "a.png"), ("index",)):
        refused = run(*command, "--baselines", bare)
        assert refused.exit_code == 1
        assert "no run records" in refused.output


def test_training_without_pytorch_names_the_extra(folder, monkeypatch):
    monkeypatch.setattr("envsuite.evaluation.scripts.find_spec", lambda name: None)
    assert 'pip install "envsuite[baselines]"' in run("train", "ppo/QuadHoverGPD", "--baselines", folder).output


def test_offline_baselines_have_the_names_of_datasets(folder, tmp_path):
    table = '["quad-hover-gpd/random-v0"]\nsearch = "none"\ntotal_steps = 100\nhidden = [8]\nepisodes = 2\n'
    elsewhere = shutil.copytree(folder, tmp_path / "elsewhere")
    (elsewhere / "bc.toml").write_text(table)
    (found,) = [one for one in find_baselines(elsewhere) if one.dataset]
    assert (found.name, found.env_id) == ("bc/quad-hover-gpd/random-v0", "envsuite/QuadHoverGPD-v0")
    assert find_baseline(elsewhere, found.name) == found
    command = training_command(elsewhere, "bc", found.env_id, 3, tmp_path, found.dataset)
    assert command[-8:-2] == ["--env-id", found.env_id, "--dataset", found.dataset, "--seed", "3"]
    (elsewhere / "bc.toml").write_text(table.replace("quad-hover-gpd", "nowhere"))
    with pytest.raises(ValueError, match="neither an environment nor a dataset of one"):
        find_baselines(elsewhere)


def test_reproduce_trains_with_a_new_seed_and_judges(folder, tmp_path):
    options = ("--baselines", folder, "--runs", tmp_path / "runs", "--seeds", 1)
    result = run("reproduce", "ppo/QuadHoverGPD", *options, "--json")
    found = json.loads(result.stdout[result.stdout.index("{") :])
    (record,) = find_runs(tmp_path / "runs")
    assert record.seed == found["new"]["seeds"][0]
    assert record.seed not in found["seeds"]
    assert found["new"]["score"] == record.data["results"]["mean_return"]
    scores = found["scores"]
    reach = 4.302652729911275 * statistics.stdev(scores) * (1 / 3 + 1) ** 0.5  # Student's t with 2 degrees of freedom
    middle = statistics.mean(scores)
    assert found["new"]["interval"] == pytest.approx([middle - reach, middle + reach])
    inside = middle - reach <= found["new"]["score"] <= middle + reach
    assert found["new"]["inside"] == inside
    assert result.exit_code == (0 if inside else 1)
    assert found["new"]["changed"] == []
    check = found["new"]["check"]
    assert check["runs"] == len(find_runs(tmp_path / "runs")) == 1
    assert check["loss"] == pytest.approx(0.2 * (middle - envsuite.card("QuadHoverGPD").random.mean))
    assert "1 new run finds a loss of 20 % of what is learned" in result.stderr

    elsewhere = shutil.copytree(folder, tmp_path / "elsewhere")  # as if better scores had been published
    for path in elsewhere.rglob("run.json"):
        data = json.loads(path.read_text())
        data["results"]["mean_return"] += 1e4
        data["config"]["gamma"] = 0.5
        path.write_text(json.dumps(data))
    result = run("reproduce", "ppo/QuadHoverGPD", "--baselines", elsewhere, *options[2:])
    assert result.exit_code == 1
    assert "OUTSIDE" in result.output
    assert "gamma has changed since the published runs: 0.5 then, 0.99 now" in result.output
    assert len(find_runs(tmp_path / "runs")) == 1  # the run that was there is not repeated


def test_reproduce_refuses_what_proves_nothing(folder, tmp_path):
    baseline = find_baseline(folder, "ppo/QuadHoverGPD-v0")
    with pytest.raises(ValueError, match="is one of the published runs"):
        compare(baseline, list(baseline.runs[:1]))
    other = RunRecord(baseline.runs[0].path, {**baseline.runs[0].data, "env_behaviour": "other", "seed": 99})
    with pytest.raises(ValueError, match="cannot be compared"):
        compare(baseline, [other])
    result = run("reproduce", "ppo/QuadHover", "--baselines", folder)
    assert result.exit_code == 1
    assert "none of the baselines ppo/QuadHoverGPD-v0" in result.output
    assert new_seeds(3, {1}, "a") == new_seeds(3, {1}, "a") != new_seeds(3, {1}, "b")


def test_train_passes_settings_on(folder, tmp_path):
    options = ("--baselines", folder, "--runs", tmp_path, "--seed", 5)
    result = run("train", "ppo/QuadHoverGPD", *options, "--", "--total-steps", 256, "--no-normalise")
    assert result.exit_code == 0, result.output
    (record,) = find_runs(tmp_path)
    assert (record.seed, record.steps, record.data["config"]["normalise"]) == (5, 256, False)
    assert run("train", "ppo/Nowhere", *options).exit_code == 2
    assert "none of" in run("train", "sarsa/QuadHoverGPD", *options).output


def test_curve_is_a_picture(folder, tmp_path):
    assert run("curve", "ppo/QuadHoverGPD", "--out", tmp_path / "a.png", "--baselines", folder).exit_code == 0
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (1200, 480)
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 50
    assert run("curve", "ppo/QuadHoverGPD", "--out", tmp_path / "a.txt", "--baselines", folder).exit_code == 2


def test_online_tells_before_after_and_regret(folder, tmp_path):
    for seed, shares in enumerate([(0.1, 0.4, 0.8), (0.3, 0.2, 0.6)]):
        write_run(tmp_path / "runs", seed, shares)
    name = "cal_ql/quad-hover/mixed-v0"
    told = run("online", "--runs", tmp_path / "runs", "--baselines", folder)
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines()[1].split()[:5] == [name, "1,000", "0.20", "0.70", "0.50"]
    found = json.loads(run("online", name, "--runs", tmp_path / "runs", "--json").stdout)
    assert (found[name]["seeds"], found[name]["regret"]) == (2, pytest.approx(0.5))
    (tmp_path / "none").mkdir()
    for arguments, said in (
        (("nothing", "--runs", tmp_path / "runs"), f"'nothing' has no such runs; {name} has"),
        (("--runs", tmp_path / "none"), "holds no finished runs from offline to online"),
        (("--baselines", folder), "there are no run records in"),
    ):
        refused = run("online", *arguments)
        assert refused.exit_code == 1
        assert said in refused.output


def test_runs_of_one_evaluation_have_no_curve(folder, tmp_path):
    copy = tmp_path / "baselines"
    shutil.copytree(folder, copy)
    for file in copy.rglob("metrics.jsonl"):
        file.write_text(file.read_text().splitlines()[-1] + "\n")
    refused = run("curve", "ppo/QuadHoverGPD", "--out", tmp_path / "a.png", "--baselines", copy)
    assert refused.exit_code == 1
    assert "runs of a single evaluation" in refused.output
    assert not (tmp_path / "a.png").exists()


def test_a_check_asks_for_as_many_runs_as_find_a_loss(folder):
    baseline = find_baseline(BASELINES, "ppo/QuadTrackLissajous-v0")
    check = plan_check(baseline)
    assert (check.runs, check.needed) == (5, 9)
    assert check.power < 0.8 <= plan_check(baseline, check.needed).power
    assert plan_check(baseline, share=0.5).runs == 1
    wide = find_baseline(BASELINES, "bc10/quad-hover/mixed-v0")
    assert plan_check(wide).needed is None
    assert plan_check(wide, 1000).power < 0.8
    told = _power(plan_check(wide))
    assert "5 new runs find a loss of 20 %" in told
    assert "no number of new runs" in told
    assert "ask for --seeds 9" in _power(check)
    assert _power(plan_check(baseline, 9)).endswith("with probability 0.81")


def test_what_is_inside_after_a_loss_too_says_little(capsys):
    baseline = find_baseline(BASELINES, "bc10/quad-hover/mixed-v0")
    scores = list(baseline.published.scores[:1])
    _tell(Reproduction(baseline, [0], scores, (-1e9, 1e9), [], plan_check(baseline, 1)))
    assert "says little" in capsys.readouterr().out

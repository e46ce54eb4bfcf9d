"""What honest submissions get."""

import hashlib
import json
import math
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy.stats import norm

import envsuite
from envsuite.agents.onnx import Action, Interface, mlp, save
from envsuite.agents.onnx.wire import field
from envsuite.core.world import make_world
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.results import read_results
from envsuite.evaluation.rollout import play, policy_maker
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import build_submission, read_meta
from envsuite.submissions.info import Submission, slug_of, to_toml
from envsuite.submissions.ledger import Ledger, enter
from envsuite.submissions.record import Verification, load_all, z_limit
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.rerun import z_score
from envsuite.submissions.season import Season, commitment, hidden_seeds, open_season

from .helpers import FOLDER, META, NOW, SECRET, change_results, write_track


def test_levels_are_reached_in_order(bench, folder):
    for level in (0, 1, 2):
        found = bench.verify(folder, level)
        assert found.level == level
        assert {run.level for run in found.runs} == {level}
        assert found.next_level == ""
    apart = [run.task for run in found.runs if abs(run.hidden.z) > 3]  # so few episodes may be
    assert [flag.split(",")[0] for flag in found.flags] == apart
    assert found.level_name == "re-run"
    assert [(run.task, run.train_seed) for run in found.runs] == [("hover", 0), ("hover", 1), ("pair", 0), ("pair", 1)]


def test_scores_are_those_of_the_episodes(bench, folder):
    found = bench.verify(folder, 1)
    for run, result in zip(found.runs, read_results(folder), strict=True):
        task = bench.track.task(run.task)
        assert run.score == pytest.approx(np.mean(result.returns), rel=1e-12)
        assert run.standard_error == pytest.approx(np.std(result.returns, ddof=1) / math.sqrt(len(result.returns)))
        assert run.normalised == pytest.approx((run.score - task.low.mean) / (task.high.mean - task.low.mean))
        assert run.steps == sum(result.lengths)


def test_hidden_scores_are_those_of_the_policy_on_the_hidden_seeds(bench, folder):
    found = bench.verify(folder, 2)
    assert found.digest == hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
    digest = found.seed_digest
    run = found.runs[-1]
    task = bench.track.task(run.task)
    seeds = [
        int.from_bytes(hashlib.sha256(bytes.fromhex(SECRET + digest) + b"pair" + i.to_bytes(8, "big")).digest(), "big")
        >> (256 - 63)
        for i in range(task.episodes)
    ]
    played = play(task.card, policy_maker(str(folder / run.policy)), task.episodes, seeds=seeds)
    assert run.hidden.score == played.returns.mean()
    spread = played.returns.std(ddof=1) / math.sqrt(task.episodes)
    assert run.hidden.standard_error == pytest.approx(spread)
    assert run.hidden.z == pytest.approx((run.score - run.hidden.score) / math.hypot(spread, run.standard_error))
    assert run.published == run.hidden.score
    assert set(found.guards) >= {"limits", "audit hook"}


def test_seeds_differ_between_secrets_submissions_and_tasks_and_fit_63_bits():
    base = hidden_seeds(bytes.fromhex(SECRET), "ab" * 32, "hover", 50)
    assert base.dtype == np.int64
    assert (base >= 0).all()
    assert len(set(base.tolist())) == 50
    for other in (
        hidden_seeds(bytes(32), "ab" * 32, "hover", 50),
        hidden_seeds(bytes.fromhex(SECRET), "ac" * 32, "hover", 50),
        hidden_seeds(bytes.fromhex(SECRET), "ab" * 32, "pair", 50),
    ):
        assert not set(other.tolist()) & set(base.tolist())
    np.testing.assert_array_equal(hidden_seeds(bytes.fromhex(SECRET), "ab" * 32, "hover", 9), base[:9])


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((10, 3, 10, 4), 0.0), ((20, 3, 10, 4), 2.0), ((0, 3, 10, 4), -2.0), ((1, 0, 0, 0), 1e9), ((1, 0, 1, 0), 0.0)],
)
def test_z_score(numbers, expected):
    assert z_score(*numbers) == expected


def test_large_z_is_flagged(bench, folder, monkeypatch):
    monkeypatch.setattr("envsuite.submissions.rerun.z_score", lambda *numbers: -3.5)
    flags = bench.verify(folder, 2).flags
    assert len(flags) == 4
    assert "hover, train seed 0" in flags[0]
    assert "3.5 standard errors apart" in flags[0]


@pytest.mark.parametrize("tests", [1, 4, 190])
def test_flags_are_as_rare_among_many_runs_as_for_one(tests):
    limit = z_limit(tests)
    assert tests * norm.sf(limit) == pytest.approx(norm.sf(3.0))
    assert limit >= 3.0 or tests == 1


@pytest.mark.parametrize("name", ["random", "expert"])
def test_built_in_policies_reach_level_2_without_a_file(bench, tmp_path, name):
    bench.season.save(tmp_path / "seasons")
    made = build_submission([name], bench.track_file, name, tmp_path / "submissions")
    found = bench.verify(made, 2)
    assert (found.level, found.policies, found.guards) == (2, name, [])
    assert ("the policy sees the simulator's state, not only observations" in found.flags) == (name == "expert")
    assert all(run.train_seed is None for run in found.runs)


def test_without_networks_or_logs_the_level_stays_lower(bench, folder, tmp_path):
    for which in range(4):
        change_results(folder, lambda result: {"policy": None, "policy_sha256": None}, which)
    for path in (folder / "policy").rglob("*.*"):
        path.unlink()
    from envsuite.submissions.build import seal

    text = (folder / "submission.toml").read_text()
    parameters = Submission.from_toml(text).parameters
    (folder / "submission.toml").write_text(text.replace(f"parameters = {parameters}", "parameters = 0"))
    seal(folder)
    found = bench.verify(folder, 2)
    assert (found.level, found.next_level) == (1, "4 of 4 runs have no ONNX policy")
    for which in range(4):
        change_results(folder, lambda result: {"actions": None}, which)
    for path in (folder / "actions").iterdir():
        path.unlink()
    seal(folder)
    found = bench.verify(folder, 2)
    assert (found.level, found.next_level) == (0, "4 of 4 runs have no recorded actions")


def test_records_survive_the_disk(bench, folder):
    found = bench.verify(folder, 2)
    path = found.save(folder.parents[2])
    assert path == folder.parents[2] / "verified" / "probes" / f"{FOLDER}.json"
    assert Verification.load(path) == found
    assert load_all(folder.parents[2]) == [found]
    assert load_all(folder.parents[2], "others") == []
    path.write_text(path.read_text().replace('"level": 2', '"level": "2"', 1))
    with pytest.raises(ValueError, match="level"):
        Verification.load(path)


def test_a_copied_policy_is_pointed_out(bench, folder):
    board = folder.parents[2]
    bench.verify(folder, 1).save(board)
    other = build_submission(
        [bench.runs], bench.track_file, "Other", board / "submissions", meta={**META, "slug": "other"}
    )
    assert bench.verify(other, 1).flags == [f"4 of its policies are also those of probes/{FOLDER}"]


def test_a_copied_policy_is_pointed_out_in_another_file(bench, folder):
    board = folder.parents[2]
    first = bench.verify(folder, 1)
    first.save(board)
    other = build_submission(
        [bench.runs], bench.track_file, "Other", board / "submissions", meta={**META, "slug": "other"}
    )
    for which, result in enumerate(read_results(other)):
        graph = (other / result.policy).read_bytes() + field(6, b"Free text.")  # ModelProto.doc_string
        (other / result.policy).write_bytes(graph)
        change_results(other, lambda _, graph=graph: {"policy_sha256": hashlib.sha256(graph).hexdigest()}, which)
    found = bench.verify(other, 1)
    assert found.flags == [f"4 of its policies are also those of probes/{FOLDER}"]
    assert [run.network for run in found.runs] == [run.network for run in first.runs]


def test_building_twice_gives_the_same_files(bench, tmp_path):
    again = build_submission(
        [bench.runs], bench.track_file, "Probe", tmp_path, meta={**META, "slug": "probe"}, workers=1
    )
    mine, theirs = (
        [line for line in (one / "SHA256SUMS").read_text().splitlines() if "results" not in line]
        for one in (again, bench.submission)
    )
    assert mine == theirs  # results hold the seconds that evaluation took


def test_builds_from_evaluations(bench, tmp_path):
    from envsuite.evaluation.executors import SerialExecutor, run_jobs
    from envsuite.evaluation.jobs import make_jobs, merge
    from envsuite.evaluation.policies import find_policies

    policies = [*find_policies(f"mine={bench.runs}"), *find_policies("random")]
    jobs = make_jobs(bench.track, str(bench.track_file), policies)
    assert run_jobs(jobs, SerialExecutor(tmp_path / "out"), tmp_path / "out") == {}
    merge(jobs, tmp_path / "out")
    with pytest.raises(ValueError, match=r"holds evaluations of \['mine', 'random'\]"):
        build_submission([tmp_path / "out"], bench.track_file, "Probe", tmp_path / "new", meta=META)
    made = build_submission([tmp_path / "out" / "mine"], bench.track_file, "Probe", tmp_path / "new", meta=META)
    assert bench.verify(made, 1).level == 1
    with pytest.raises(ValueError, match="exists already"):
        build_submission([tmp_path / "out" / "mine"], bench.track_file, "Probe", tmp_path / "new", meta=META)


def test_wrong_metadata_is_told_before_anything_is_played(bench, tmp_path):
    played: list[str] = []
    with pytest.raises(ValueError, match="family"):
        build_submission(
            ["random"],
            bench.track_file,
            "Probe",
            tmp_path,
            meta={**META, "family": "learned"},
            progress=played.append,
        )
    assert not played


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"train_seeds": [1]}, "follows from the results"),
        ({"family": "magic"}, "family"),
        ({"statements": {"multiple_attempts": True}}, "by its own statement"),
        ({"slug": "../../etc"}, "slug"),
        ({"paper": "javascript:alert(1)"}, "expected an https address"),
    ],
)
def test_wrong_descriptions_leave_nothing_behind(bench, tmp_path, meta, message):
    with pytest.raises(ValueError, match=message):
        build_submission([bench.runs], bench.track_file, "Probe", tmp_path / "out", meta={**META, **meta})
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def test_meta_files_are_strict(tmp_path):
    (tmp_path / "meta.toml").write_text('authors = ["A"]\nreadme = "text"\n')
    assert read_meta(tmp_path / "meta.toml") == {"authors": ["A"], "readme": "text"}
    for text, message in (("parameters = 3", "unknown field 'parameters'"), ("=", "is not TOML")):
        (tmp_path / "meta.toml").write_text(text)
        with pytest.raises(ValueError, match=message):
            read_meta(tmp_path / "meta.toml")


def test_descriptions_survive_the_disk():
    made = Submission(
        "t", 1, 'Größe "π" \\ 🚁', "a-b", "2026-11-01", "offline", ["Ä", "B"], "1", [3, 1], {"a-b": 5, "c": 6}
    )
    assert Submission.from_toml(made.to_toml()) == made
    assert to_toml({"a": "x\x7fy"}) == 'a = "x\\u007fy"\n'


def test_slugs_are_plain():
    assert slug_of("PPO (größer) + LSTM") == "ppo-großer-lstm".replace("ß", "")
    with pytest.raises(ValueError, match="no letters"):
        slug_of("漢字")


def test_trainings_that_come_to_the_same_choices_are_flagged(bench, tmp_path):
    """Numbers are never the same by chance; the best way through a maze is one."""
    card = envsuite.card("EndlessTMazeFixed1x5")
    size = int(np.prod(make_world(card.world, **card.options).observation.shape))
    track = write_track(tmp_path / "tracks", {"maze": (card.id, 4)})
    for seed in (0, 1):
        run = RunFolder(tmp_path / "runs", card.id, "ppo", {"seed": seed}, seed, card.behaviour)
        run.log(1000, mean_return=0.0)
        weights = np.random.default_rng(seed).normal(size=(3, size)) * 1e-3
        save(run.path / "policy.onnx", mlp([weights], [np.eye(3)[1]]), Interface(card.id, Action("argmax")))
        run.finish("finished")
    made = build_submission([tmp_path / "runs"], track, "Probe", tmp_path / "submissions", meta={**META, "slug": "p"})
    bench.season.save(tmp_path / "seasons")
    for level in (0, 1, 2):
        flag = bench.verify(made, level, track=load_track(track)).flags[0]
        assert flag.startswith("maze: the runs with train seeds 0 and 1 made the same choices (one of 1 such pairs)")


def test_seasons_commit_to_their_secret(tmp_path):
    season = Season("autumn", "2026-09-01", "2026-11-30", commitment(SECRET))
    season.save(tmp_path)
    assert Season.load(tmp_path / "autumn.toml") == season
    assert season.key(SECRET) == bytes.fromhex(SECRET)
    with pytest.raises(ValueError, match="its secret is needed"):
        season.key()
    for wrong in ("5f" * 32, "abc"):
        with pytest.raises(ValueError, match="not the one that season autumn committed to"):
            season.key(wrong)
    (tmp_path / "autumn.toml").write_text((tmp_path / "autumn.toml").read_text().replace('secret = ""', 'secret = "x"'))
    with pytest.raises(ValueError, match="secret is 'x', expected what was committed to"):
        Season.load(tmp_path / "autumn.toml")
    with pytest.raises(ValueError, match="there is no season 'winter'"):
        Season.load(tmp_path / "winter.toml")


def test_the_open_season_is_found(tmp_path):
    Season("a", "2026-01-01", "2026-06-30", commitment(SECRET)).save(tmp_path)
    Season("b", "2026-07-01", "2026-12-31T12:00:00Z", commitment(SECRET)).save(tmp_path)
    assert open_season(tmp_path, datetime(2026, 6, 30, 23, 59, 59, tzinfo=UTC)).name == "a"
    assert open_season(tmp_path, datetime(2026, 7, 1, tzinfo=UTC)).name == "b"
    for closed in (datetime(2026, 12, 31, 12, tzinfo=UTC), datetime(2025, 12, 31, 23, 59, 59, tzinfo=UTC)):
        with pytest.raises(ValueError, match="0 seasons"):
            open_season(tmp_path, closed)


def test_ledgers_count_submissions_not_verifications(bench, folder):
    board = folder.parents[2]
    for _ in range(3):
        assert bench.verify(folder, 2).ledger_entry == 0

    def add(method, digest, folder):
        place = {"track": "probes", "method": method, "digest": digest * 32, "folder": folder}
        return enter(bench.season, board, **place, now=NOW)[0]

    assert add("PROBE ", "00", "second") == 1
    with pytest.raises(RefusedError, match="2 are allowed"):
        add("probe", "11", "third")
    assert add("another", "11", "other") == 2
    lines = (board / "seasons" / "autumn.ledger.jsonl").read_text().splitlines()
    assert [json.loads(line)["folder"] for line in lines] == [FOLDER, "second", "other"]
    assert [entry.folder for entry in Ledger(bench.season, board).entries] == [FOLDER, "second", "other"]


def test_settings_must_be_complete(bench, folder):
    with pytest.raises(ValueError, match="level 2 needs a season"):
        bench.verify(folder, 2, season=None)
    with pytest.raises(ValueError, match="level is 3"):
        bench.verify(folder, 3)
    with pytest.raises(ValueError, match="its secret is needed"):
        bench.verify(folder, 2, secret=None)
    assert not (folder.parents[2] / "seasons" / "autumn.ledger.jsonl").exists()

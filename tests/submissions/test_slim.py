"""Submissions without the logs that their policies make again."""

import dataclasses

import numpy as np
import pytest
from click.testing import CliRunner

from envsuite.cli import main
from envsuite.core.files import write_atomic
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.results import read_results
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import build_submission, seal
from envsuite.submissions.intake import take_in
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.slim import make_small

from .helpers import META, change_log, change_results, write_runs, write_track


def runs_of(found):
    """What was verified, without clocks."""
    return [
        dataclasses.replace(run, hidden=run.hidden and dataclasses.replace(run.hidden, seconds=0.0))
        for run in found.runs
    ]


def logs(folder):
    return sorted(path.name for path in (folder / "actions").glob("*.npz"))


def test_nothing_changes_but_the_size(bench, folder):
    before = bench.verify(folder, 2)
    sums = (folder / "SHA256SUMS").read_bytes()
    names = logs(folder)
    result = CliRunner().invoke(main, ["leaderboard", "slim", str(folder), "--track", str(bench.track_file)])
    assert result.exit_code == 0, result.output
    assert f"{len(names)} logs removed" in result.output
    assert not (folder / "actions").exists()
    assert (folder / "SHA256SUMS").read_bytes() == sums
    after = bench.verify(folder, 2)
    assert (after.digest, after.level, after.flags) == (before.digest, 2, before.flags)
    assert runs_of(after) == runs_of(before)
    assert bench.verify(folder, 0).level == 0
    assert make_small(folder, bench.track).removed == []


def test_a_policy_of_several_tasks_is_stored_once(tmp_path, monkeypatch):
    """Those of other digests have to be there."""
    made = tmp_path / "20261101_probe"
    for task in ("one", "two"):
        (made / "policy" / task).mkdir(parents=True)
    for name in ("submission.toml", "results.jsonl", "README.md"):
        write_atomic(made / name, "text\n")
    for task in ("one", "two"):
        write_atomic(made / "policy" / task / "0.onnx", "network\n")
    seal(made)
    (made / "policy" / "two" / "0.onnx").unlink()
    with take_in(made) as intake:
        assert (intake.root / "policy" / "two" / "0.onnx").read_text() == "network\n"
        assert not intake.absent
    stored = [path.stat().st_size for path in made.rglob("*") if path.is_file()]
    for limit, most in (("MAX_FILES", len(stored)), ("MAX_TOTAL", sum(stored))):
        with monkeypatch.context() as small:
            small.setattr(f"envsuite.submissions.intake.{limit}", most)
            with pytest.raises(RefusedError, match=r"policy/two/0\.onnx is one file too many"), take_in(made):
                pass
    write_atomic(made / "policy" / "one" / "0.onnx", "another\n")
    with pytest.raises(RefusedError, match=r"policy/one/0\.onnx has SHA-256"), take_in(made):
        pass


def test_repeated_policies_go_and_what_was_verified_stays(bench, tmp_path):
    tasks = {"hover": ("envsuite/QuadHoverGPD-v0", 4), "again": ("envsuite/QuadHoverGPD-v0", 3)}
    track = write_track(tmp_path / "tracks", tasks)
    runs = write_runs(tmp_path / "runs", tasks={"hover": tasks["hover"]})
    made = build_submission([runs], track, "Probe", tmp_path / "submissions", meta={**META, "slug": "p"})
    bench.season.save(tmp_path / "seasons")
    before = bench.verify(made, 1, track=load_track(track))
    found = make_small(made, load_track(track))
    assert sum(name.endswith(".onnx") for name in found.repeated) == 2  # of two seeds on two tasks
    after = bench.verify(made, 1, track=load_track(track))
    assert (after.digest, after.flags, runs_of(after)) == (before.digest, before.flags, runs_of(before))


def test_logs_that_the_policy_does_not_make_stay(bench, folder):
    path = folder / read_results(folder)[0].actions
    change_log(folder, lambda arrays: arrays["actions"].__setitem__(0, 0.5))
    found = make_small(folder, bench.track)
    assert found.kept == [f"actions/{path.name}"]
    assert logs(folder) == [path.name]


def test_an_absent_log_of_other_actions_is_flagged_and_of_other_returns_refused(bench, folder):
    path = folder / read_results(folder)[0].actions
    content = path.read_bytes()
    change_log(folder, lambda arrays: arrays["actions"].__setitem__(0, 0.5))
    path.unlink()
    (flag,) = bench.verify(folder, 1).flags
    assert flag.startswith("1 action logs, made again, have other bytes than SHA256SUMS says")
    assert path.name in flag
    path.write_bytes(content)
    change_results(folder, lambda result: {"returns": [result.returns[1], result.returns[0], *result.returns[2:]]})
    path.unlink()
    with pytest.raises(RefusedError, match=r"episode 0: returns is .* the replay gives"):
        bench.verify(folder, 1)


def test_an_absent_log_without_a_policy_is_refused(bench, folder):
    result = read_results(folder)[0]
    change_results(folder, lambda result: {"policy": None, "policy_sha256": None})
    for suffix in (".onnx", ".json"):
        (folder / result.policy).with_suffix(suffix).unlink()
    seal(folder)
    (folder / result.actions).unlink()
    with pytest.raises(RefusedError, match="is in SHA256SUMS and missing, and no policy can make it again"):
        bench.verify(folder, 0)


@pytest.mark.parametrize("name", ["random", "expert"])
def test_players_of_the_registry_make_theirs_again(bench, tmp_path, name):
    from envsuite.submissions.build import build_submission

    made = build_submission([name], bench.track_file, name, tmp_path / "submissions")
    before = bench.verify(made, 1)
    assert len(make_small(made, bench.track).removed) == len(bench.track.tasks)
    after = bench.verify(made, 1)
    assert (runs_of(after), after.digest) == (runs_of(before), before.digest)


def test_the_site_plays_absent_logs_again(bench, folder):
    from envsuite.submissions.site.writer import _log

    score = bench.verify(folder, 1).runs[0]
    stored = EpisodeLog.load(folder / score.actions)
    make_small(folder, bench.track)
    with take_in(folder) as intake:
        again = _log(intake, bench.track, score)
    np.testing.assert_array_equal(again.actions, stored.actions)
    np.testing.assert_array_equal(again.digests, stored.digests)

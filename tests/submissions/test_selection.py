"""Submissions to tracks where a policy is chosen among given ones."""

import hashlib
from pathlib import Path

import pytest

import envsuite
from envsuite.agents.onnx import save
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.results import read_results
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import build_submission
from envsuite.submissions.refusal import RefusedError

from .helpers import META, network, write_track

HOVER, MIXED = "envsuite/QuadHover-v0", "quad-hover/mixed-v0"


@pytest.fixture
def choices(tmp_path):
    """Two policies to choose from."""
    paths = [tmp_path / f"choice-{k}.onnx" for k in range(2)]
    for k, path in enumerate(paths):
        save(path, *network(HOVER, k))
    return paths


@pytest.fixture
def track(tmp_path, choices):
    path = write_track(tmp_path / "tracks", {"hover": (HOVER, 3)})
    digests = [hashlib.sha256(one.read_bytes()).hexdigest() for one in choices]
    more = f'dataset = "{MIXED}"\nchoices = {digests}\n'.replace("'", '"')
    path.write_text(path.read_text().replace("training_steps", f"{more}training_steps", 1))
    return path


def write_run(runs: Path, seed: int, chosen: Path) -> None:
    config = {"dataset": MIXED, "seed": seed}
    run = RunFolder(runs, HOVER, "selection", config, seed, envsuite.card(HOVER).behaviour)
    run.log(1000, mean_return=0.0)
    for suffix in (".onnx", ".json"):
        (run.path / f"policy{suffix}").write_bytes(chosen.with_suffix(suffix).read_bytes())
    run.finish("finished")


def test_several_runs_may_choose_the_same(bench, tmp_path, track, choices):
    """Elsewhere they would be one run given twice."""
    for seed in (0, 1):
        write_run(tmp_path / "runs", seed, choices[1])
    made = build_submission([tmp_path / "runs"], track, "Probe", tmp_path / "submissions", meta={**META, "slug": "p"})
    assert len({one.policy_sha256 for one in read_results(made)}) == 1
    bench.season.save(tmp_path / "seasons")
    found = bench.verify(made, 2, track=load_track(track))
    assert found.level == 2


def test_other_policies_are_refused(tmp_path, track):
    other = tmp_path / "other.onnx"
    save(other, *network(HOVER, 7))
    write_run(tmp_path / "runs", 0, other)
    with pytest.raises(RefusedError, match="is none of the 2 to choose from"):
        build_submission([tmp_path / "runs"], track, "Probe", tmp_path / "submissions", meta={**META, "slug": "p"})
    with pytest.raises(RefusedError, match="no policy, expected one of the 2 to choose from"):
        build_submission(["expert"], track, "expert", tmp_path / "submissions", meta={**META, "slug": "e"})


@pytest.mark.parametrize(("old", "new"), [(f'dataset = "{MIXED}"\n', ""), ('choices = ["', 'choices = ["short", "')])
def test_choices_are_digests_and_belong_to_a_dataset(track, old, new):
    track.write_text(track.read_text().replace(old, new, 1))
    with pytest.raises(ValueError, match=r"choices is .*, expected none, or with a dataset two digests"):
        load_track(track)

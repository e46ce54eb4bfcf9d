"""Jobs: known by what they depend on, done once wherever they run, and never lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.evaluation import jobs as jobs_module
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.executors import JobError, ProcessExecutor, SerialExecutor, pool, run_jobs
from envsuite.evaluation.executors.slurm import write_array
from envsuite.evaluation.job_lists import read_jobs, write_jobs
from envsuite.evaluation.jobs import derived_seed, make_jobs, merge, run_job
from envsuite.evaluation.policies import PolicySource, find_policies
from envsuite.evaluation.results import read_results
from envsuite.evaluation.tracks import load_track
from tests.processes import processes


def small_jobs(track_file, *policies, **changes):
    path = track_file(**changes)
    sources = [one for text in policies or ("random", "expert") for one in find_policies(text)]
    return make_jobs(load_track(path), str(path), sources)


def outcome(folder: Path) -> dict[str, bytes]:
    """Everything that an evaluation leaves, without the times that it took."""
    found = {}
    for path in sorted(folder.glob("*/actions/*.npz")):
        found[str(path.relative_to(folder))] = path.read_bytes()
    for path in sorted(folder.glob("*/results.jsonl")):
        lines = [replace(result, wall_seconds=0.0).to_json() for result in read_results(path)]
        found[str(path.relative_to(folder))] = "\n".join(lines).encode()
    return found


@pytest.fixture
def expected(track_file, tmp_path):
    """What the serial executor leaves."""
    jobs = small_jobs(track_file)
    assert run_jobs(jobs, SerialExecutor(tmp_path / "serial"), tmp_path / "serial") == {}
    merge(jobs, tmp_path / "serial")
    return outcome(tmp_path / "serial")


def test_derived_seeds_are_the_first_63_bits_of_sha256():
    import hashlib

    digest = hashlib.sha256(b'["sweep", {"rate": 0.1}, 3]').hexdigest()
    assert derived_seed("sweep", {"rate": 0.1}, 3) == int(digest[:16], 16) >> 1
    seeds = {derived_seed("sweep", {}, k) for k in range(1000)}
    assert len(seeds) == 1000
    assert max(seeds) < 2**63


def test_keys_say_what_a_result_depends_on(track_file):
    (job, *others) = small_jobs(track_file)
    assert len({one.key for one in (job, *others)}) == 4
    for change in (
        {"track_digest": "x"},
        {"task": "x"},
        {"policy_digest": "x"},
        {"train_seed": 1},
        {"first_seed": 1},
        {"episodes": 1},
        {"suite_version": "x"},
    ):
        assert replace(job, **change).key != job.key
    assert replace(job, track="/elsewhere/small.toml", policy="/elsewhere").key == job.key


def test_serial_results_are_the_protocols(track_file, tmp_path):
    jobs = small_jobs(track_file)
    told = []
    assert run_jobs(jobs, SerialExecutor(tmp_path / "out"), tmp_path / "out", told.append) == {}
    assert told == jobs
    methods = merge(jobs, tmp_path / "out")
    assert [result.task for result in methods["expert"]] == ["hover", "climb"]
    for method, results in methods.items():
        assert read_results(tmp_path / "out" / method) == results
        for result in results:
            log = EpisodeLog.load(tmp_path / "out" / method / result.actions)
            np.testing.assert_array_equal(log.lengths, result.lengths)
            np.testing.assert_array_equal(log.seeds, 10**9 + np.arange(6))
            assert log.options == result.options | dict(log.options)
            total = [log.rewards[a:b].sum(dtype=float) for a, b in zip(log.offsets, log.offsets[1:], strict=False)]
            np.testing.assert_allclose(result.returns, total, rtol=1e-12)
            assert result.mean_return == result.score == np.mean(result.returns)
            assert result.normalised == (result.score + 100.0) / 600.0
            assert result.suite_version == envsuite.__version__
    success = methods["expert"][0].metrics["is_success"]
    assert set(success) <= {0.0, 1.0}


def test_other_metrics_and_less_is_better(track_file, tmp_path):
    jobs = small_jobs(track_file, "expert", metric="distance", direction="minimize", low=2.0, high=0.5)
    run_jobs(jobs, SerialExecutor(tmp_path / "out"), tmp_path / "out")
    for result in merge(jobs, tmp_path / "out")["expert"]:
        assert result.score == pytest.approx(np.mean(result.metrics["distance"]), rel=1e-6)
        assert result.normalised == pytest.approx((2.0 - result.score) / 1.5)
    jobs = small_jobs(track_file, "random", metric="beauty")
    failed = run_jobs(jobs, SerialExecutor(tmp_path / "other"), tmp_path / "other")
    assert "has no metric 'beauty'" in str(failed["random/hover-random"])
    assert merge(jobs, tmp_path / "other") == {}


@pytest.mark.parametrize("workers", [1, 3])
def test_pool_gives_the_same_bits(track_file, tmp_path, expected, workers):
    jobs = small_jobs(track_file)
    told = []
    executor = ProcessExecutor(tmp_path / "pool", workers)
    assert run_jobs(jobs[::-1], executor, tmp_path / "pool", told.append) == {}
    assert {job.key for job in told} == {job.key for job in jobs}
    merge(jobs, tmp_path / "pool")
    assert outcome(tmp_path / "pool") == expected


def test_finished_jobs_are_not_done_again(track_file, tmp_path, expected, monkeypatch):
    jobs = small_jobs(track_file)
    for job in jobs[:3]:
        run_job(job, tmp_path / "out")
    stamps = {job.key: (job.shard(tmp_path / "out") / "result.json").stat().st_mtime_ns for job in jobs[:3]}
    assert merge(jobs, tmp_path / "out").keys() == {"random"}
    ran = []
    original = jobs_module.evaluate_task
    monkeypatch.setattr(jobs_module, "evaluate_task", lambda *a, **k: ran.append(a[0].name) or original(*a, **k))
    assert run_jobs(jobs, SerialExecutor(tmp_path / "out"), tmp_path / "out") == {}
    assert ran == ["climb"]
    for job in jobs[:3]:
        assert (job.shard(tmp_path / "out") / "result.json").stat().st_mtime_ns == stamps[job.key]
    for _ in range(2):
        merge(jobs, tmp_path / "out")
        assert outcome(tmp_path / "out") == expected


def test_going_back_to_an_older_version_brings_its_own_files_back(track_file, tmp_path):
    old = small_jobs(track_file, "expert")
    run_jobs(old, SerialExecutor(tmp_path / "out"), tmp_path / "out")
    merge(old, tmp_path / "out")
    before = outcome(tmp_path / "out")
    new = small_jobs(track_file, "expert", episodes=4)
    run_jobs(new, SerialExecutor(tmp_path / "out"), tmp_path / "out")
    merge(new, tmp_path / "out")
    assert [one.episodes for one in read_results(tmp_path / "out" / "expert")] == [4, 4]
    assert len(EpisodeLog.load(tmp_path / "out/expert/actions/hover-expert.npz").seeds) == 4
    old = small_jobs(track_file, "expert")
    merge(old, tmp_path / "out")
    assert outcome(tmp_path / "out") == before


def test_changed_tracks_policies_and_versions_are_refused(track_file, tmp_path):
    (job, *_) = small_jobs(track_file, "random")
    track_file(episodes=7)
    with pytest.raises(ValueError, match="has changed since hover-random was made"):
        run_job(job, tmp_path / "out")
    with pytest.raises(ValueError, match="made for envsuite 9"):
        run_job(replace(job, suite_version="9"), tmp_path / "out")
    (tmp_path / "policy.onnx").write_bytes(b"other")
    track_file()
    with pytest.raises(ValueError, match=r"policy .* has changed"):
        run_job(replace(job, policy=str(tmp_path / "policy.onnx")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_must_be_file_names_and_apart(track_file, tmp_path):
    path = track_file()
    track = load_track(path)
    for method in ("../up", "a/b", "", ".hidden"):
        with pytest.raises(ValueError, match="method's name"):
            make_jobs(track, str(path), [PolicySource(method, "random", "random")])
    with pytest.raises(ValueError, match="are both hover-random of random"):
        make_jobs(track, str(path), find_policies("random") * 2 + [PolicySource("random", "expert", "expert")])
    with pytest.raises(ValueError, match="is not in the track small"):
        make_jobs(track, str(path), [PolicySource("x", "x", "x", "envsuite/Other-v0")])


def test_policies_are_tried_where_something_is_held_out_from_their_training():
    track = load_track("industrial")

    def tasks(*ids):
        policies = [PolicySource("ppo", env_id, env_id, f"envsuite/{env_id}-v0", 0) for env_id in ids]
        return {job.task: job.policy for job in make_jobs(track, "industrial", policies)}

    assert tasks("DMSD") == {"dmsd": "DMSD", "dmsd-shift": "DMSD"}
    assert tasks("DMSDShift") == {"dmsd-shift": "DMSDShift"}
    assert tasks("DMSD", "DMSDShift") == {"dmsd": "DMSD", "dmsd-shift": "DMSDShift"}


def test_policies_that_play_nothing_are_named():
    track = load_track("manipulation-ml10")
    policies = [PolicySource("ppo", name, name, f"envsuite/{name}-v0", 0) for name in ("MetaML10", "MetaML10HeldOut")]
    with pytest.warns(UserWarning, match="MetaML10 is left out: ppo has policies of the tasks' own ids"):
        (job,) = make_jobs(track, "manipulation-ml10", policies)
    assert job.policy == "MetaML10HeldOut"


def begin_and_wait(job, folder):
    """The real job, but the first attempt says that it began and then waits to be killed."""
    begun = Path(folder, "begun")
    if job.task == "climb" and not begun.exists():
        begun.write_text(str(os.getpid()))
        time.sleep(60)
    return run_job(job, folder)


def die(job, folder):
    """A job that no worker survives."""
    with Path(folder, "attempts").open("a") as file:
        file.write(f"{job.name}\n")
    if job.task == "climb":
        os.kill(os.getpid(), signal.SIGKILL)
    return run_job(job, folder)


def wait_for(path: Path) -> str:
    end = time.monotonic() + 60
    while not (path.is_file() and path.read_text()):
        assert time.monotonic() < end, f"{path} did not appear"
        time.sleep(0.01)
    return path.read_text()


@pytest.mark.parametrize("workers", [1, 2])
def test_pool_survives_the_death_of_a_worker(track_file, tmp_path, expected, monkeypatch, workers):
    folder = tmp_path / "out"
    folder.mkdir()
    jobs = small_jobs(track_file)
    monkeypatch.setattr(pool, "run_job", begin_and_wait)
    killer = threading.Thread(target=lambda: os.kill(int(wait_for(folder / "begun")), signal.SIGKILL))
    killer.start()
    told = []
    assert run_jobs(jobs, ProcessExecutor(folder, workers), folder, told.append) == {}
    killer.join()
    assert sorted(job.key for job in told) == sorted(job.key for job in jobs), "every job is counted once"
    merge(jobs, folder)
    assert outcome(folder) == expected
    assert len(list(folder.glob("*/shards/*/result.json"))) == len(jobs)


def test_pool_gives_up_on_a_job_that_kills_its_workers(track_file, tmp_path, monkeypatch):
    folder = tmp_path / "out"
    folder.mkdir()
    jobs = small_jobs(track_file, "random")
    monkeypatch.setattr(pool, "run_job", die)
    failed = run_jobs(jobs, ProcessExecutor(folder, 2), folder)
    assert list(failed) == ["random/climb-random"]
    assert isinstance(failed["random/climb-random"], JobError)
    assert "died 3 times" in str(failed["random/climb-random"])
    attempts = (folder / "attempts").read_text().split()
    assert sorted(attempts) == ["climb-random"] * 3 + ["hover-random"]
    assert [job.done(folder) for job in jobs] == [True, False]


def test_workers_have_one_thread_and_the_parent_keeps_its_own(track_file, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    monkeypatch.setattr(pool, "run_job", report_threads)
    executor = ProcessExecutor(tmp_path, 1)
    try:
        (job, *_) = small_jobs(track_file)
        assert json.loads(executor.submit(job).result()) == {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    finally:
        executor.close()
    assert os.environ["OMP_NUM_THREADS"] == "5"
    assert "MKL_NUM_THREADS" not in os.environ


def report_threads(job, folder):
    return json.dumps({name: os.environ.get(name) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")})


def test_killing_the_whole_evaluation_loses_nothing_that_is_finished(track_file, tmp_path, expected):
    folder = tmp_path / "out"
    script = tmp_path / "main.py"
    script.write_text(f"""
import sys
from pathlib import Path
from tests.evaluation import test_executors
from envsuite.evaluation.executors import ProcessExecutor, pool, run_jobs
from envsuite.evaluation.job_lists import read_jobs

if __name__ == "__main__":
    pool.run_job = test_executors.begin_and_wait
    folder = Path({str(folder)!r})
    run_jobs(read_jobs(folder.parent / "jobs.jsonl"), ProcessExecutor(folder, 1), folder)
""")
    folder.mkdir()
    jobs = small_jobs(track_file)
    write_jobs(tmp_path / "jobs.jsonl", jobs)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen([sys.executable, str(script)], env=environment)
    worker = int(wait_for(folder / "begun"))
    process.kill()
    process.wait()
    end = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() and "Z" not in Path(f"/proc/{worker}/stat").read_text().split()[2]:
        assert time.monotonic() < end, "the worker outlives its parent"
        time.sleep(0.05)
    done = [job.done(folder) for job in jobs]
    assert done == [True, False, False, False]
    stamp = (jobs[0].shard(folder) / "result.json").stat().st_mtime_ns
    assert run_jobs(jobs, SerialExecutor(folder), folder) == {}
    assert (jobs[0].shard(folder) / "result.json").stat().st_mtime_ns == stamp
    merge(jobs, folder)
    assert outcome(folder) == expected


def test_slurm_elements_do_the_jobs(track_file, tmp_path, expected):
    folder = tmp_path / "a folder"
    jobs = small_jobs(track_file)
    run_job(jobs[0], folder)
    script = write_array(jobs, folder, workers=5)
    text = script.read_text()
    assert "#SBATCH --array=0-2%5\n" in text
    assert "export OPENBLAS_NUM_THREADS=1\n" in text
    assert [job.key for job in read_jobs(folder / "jobs.jsonl")] == [job.key for job in jobs[1:]]
    environment = {**os.environ, "PYTHONPATH": str(Path(envsuite.__file__).parents[1])}
    for index in (2, 0, 0, 1):
        environment["SLURM_ARRAY_TASK_ID"] = str(index)
        done = subprocess.run(["bash", str(script)], env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    merge(jobs, folder)
    assert outcome(folder) == expected
    with pytest.raises(ValueError, match="all jobs are done already"):
        write_array(jobs, folder)
    environment["SLURM_ARRAY_TASK_ID"] = "3"
    done = subprocess.run(["bash", str(script)], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "index is 3, expected less than 3" in done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_job_lists_are_read_strictly(tmp_path):
    (tmp_path / "jobs.jsonl").write_text('{"track": 3}\n')
    with pytest.raises(ValueError, match=r"jobs\.jsonl line 1"):
        read_jobs(tmp_path / "jobs.jsonl")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_ray_survives_the_death_of_a_worker(track_file, tmp_path):
    pytest.importorskip("ray")
    from envsuite.evaluation.executors.ray import RayExecutor

    folder = tmp_path / "out"
    jobs = small_jobs(track_file, "expert", episodes=3000)
    killed = []

    def kill() -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end and not killed:
            pid = next(iter(processes(lambda words: words.startswith(b"ray::run_job"), os.getpid())), None)
            begun = [job for job in jobs if job.shard(folder).is_dir() and not job.done(folder)]
            if pid and begun:
                os.kill(pid, signal.SIGKILL)
                killed.append((pid, [job.name for job in begun]))
            time.sleep(0.005)

    killer = threading.Thread(target=kill)
    killer.start()
    told = []
    assert run_jobs(jobs, RayExecutor(folder, 1), folder, told.append) == {}
    killer.join()
    assert killed
    assert sorted(job.key for job in told) == sorted(job.key for job in jobs)
    merge(jobs, folder)
    run_jobs(jobs, SerialExecutor(tmp_path / "serial"), tmp_path / "serial")
    merge(jobs, tmp_path / "serial")
    assert outcome(folder) == outcome(tmp_path / "serial")

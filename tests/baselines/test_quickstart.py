"""What people see of a training, and how scripts end early."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("torch")

from progress import Progress, sentences

from envsuite.cards import baselines_folder


def heed() -> None:
    """Let Ctrl-C reach a program, also where the tests run in the background, whose programs ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def report(out, times_and_steps):
    now = [0.0]
    progress = Progress(1000, out, clock=lambda: now[0])
    for at, steps in times_and_steps:
        now[0] = at
        progress(steps)
    progress.close()
    return out.getvalue()


def test_estimates_leave_out_what_comes_before_the_first_report():
    # 60 seconds of compiling, then 10 steps a second
    text = report(io.StringIO(), [(60.0, 100), (61.0, 110), (70.0, 200), (71.0, 210), (80.0, 300)])
    assert text.splitlines() == [
        "training: 110 of 1,000 steps (11 %), 61 s, about 89 s to go",
        "training: 200 of 1,000 steps (20 %), 70 s, about 80 s to go",
        "training: 300 of 1,000 steps (30 %), 80 s, about 70 s to go",
    ]


def test_without_a_terminal_lines_come_every_five_seconds():
    lines = report(io.StringIO(), [(k / 10, k) for k in range(1, 301)]).splitlines()
    assert len(lines) == 6
    assert "\r" not in "".join(lines)


def test_a_terminal_has_one_line_that_is_written_again():
    text = report(Terminal(), [(k / 10, k) for k in range(1, 1001)])
    assert text.count("\n") == 1
    assert text.endswith("training: 1,000 of 1,000 steps (100 %), 100 s\n")


def test_nothing_is_estimated_from_one_report():
    assert Progress(1000, io.StringIO()).line(100, time.monotonic()).endswith(" s")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "\nstopped by Ctrl-C: it goes on\n"),
        (ValueError("rate is -1"), 1, "error: rate is -1\n"),
        (FloatingPointError("loss is nan"), 1, "error: loss is nan\n"),
    ],
)
def test_scripts_end_with_a_sentence(error, status, said, capsys):
    with pytest.raises(SystemExit) as ended, sentences("it goes on"):
        raise error
    assert ended.value.code == status
    assert capsys.readouterr().err == said


def test_unknown_environments_and_settings_of_scripts_are_one_line(tmp_path):
    script = baselines_folder() / "ppo.py"
    for arguments in (["--env-id", "QuadHoovr"], ["--env-id", "QuadHover", "--runs", str(tmp_path), "--num-envs", "0"]):
        done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode in (1, 2)
        assert "Traceback" not in done.stderr
        assert "rror: " in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_ctrl_c_ends_the_quickstart_with_a_sentence(tmp_path):
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, str(baselines_folder() / "quickstart.py"), "--runs", str(tmp_path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": heed}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as quickstart:
        lines = []
        while not lines or "2/4 Training" not in lines[-1]:
            lines.append(quickstart.stdout.readline())
        assert quickstart.stderr.readline()  # a line of progress
        quickstart.send_signal(signal.SIGINT)
        _, error = quickstart.communicate(timeout=60)
    assert quickstart.returncode == 130
    assert "stopped by Ctrl-C: nothing is lost" in error.splitlines()[-1]
    assert "Traceback" not in error
    assert "1/4 Compiling" in lines[0]

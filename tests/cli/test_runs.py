"""`envsuite runs`: what people and programs see of run folders."""

import csv
import html.parser
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import envsuite
from envsuite.cli import main
from envsuite.evaluation.records import RunFolder

HOVER, CLIMB = "envsuite/QuadHover-v0", "envsuite/QuadHoverGPD-v0"
ATTACK = '<script src="http://example.com/x.js">alert("1")</script>'


def run(*arguments: object):
    return CliRunner().invoke(main, ["runs", *map(str, arguments)])


def succeed(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def make(root, algorithm, seed, scores, env_id=HOVER, status="finished", **config) -> Path:
    folder = RunFolder(root, env_id, algorithm, config, seed, envsuite.card(env_id).behaviour)
    for step, score in scores:
        folder.log(step, mean_return=score, loss=1.0)
    folder.finish(status, mean_return=scores[-1][1])
    return folder.path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("made")
    for seed in range(6):
        make(root, "ppo", seed, [(100, 10.0 + seed), (200, 500.0 + 10 * seed)])
        make(root, "ppo", seed, [(100, 20.0 + seed), (200, 400.0 + seed)], CLIMB)
        make(root, "sac", seed, [(50, 0.0), (200, 300.0 + 10 * seed)])
        make(root, "sac", seed, [(50, 0.0), (200, 350.0 - seed)], CLIMB)
    return root


@pytest.fixture
def root(made, tmp_path):
    return shutil.copytree(made, tmp_path / "runs")


def test_list_filters(root):
    assert succeed("list", root).count("\n") == 25
    assert succeed("list", root, "--env", "QuadHover", "--algo", "ppo").count(HOVER) >= 6
    found = json.loads(succeed("list", root, "--env", HOVER, "--algo", "sac", "--json"))
    assert [one["seed"] for one in found] == list(range(6))
    assert {one["algorithm"] for one in found} == {"sac"}
    assert json.loads(succeed("list", root, "--status", "running", "--json")) == []
    assert json.loads(succeed("list", f"{root}/*/*Hover-v0/sac", "--json")) == found
    result = run("list", root / "none")
    assert result.exit_code == 1
    assert "is no folder, and nothing matches" in result.output


def test_show_tells_what_was_run_and_what_changed_since(root, tmp_path):
    path = make(tmp_path / "one", "ppo", 7, [(100, 1.5)], rate=0.125)
    text = succeed("show", path)
    for part in (HOVER, "training seed 7: finished", "rate  0.125", "files changed since the end of the run: none"):
        assert part in text
    (path / "metrics.jsonl").write_text("{}\n")
    assert "metrics.jsonl" in succeed("show", path).splitlines()[-1]
    assert json.loads(succeed("show", path, "--json"))["changed_files"] == ["metrics.jsonl"]
    assert run("show", tmp_path).exit_code == 1


def test_compare_gives_difference_interval_and_p_value(root):
    arguments = ("compare", f"{root}/*/*/ppo", f"{root}/*/*/sac")
    found = json.loads(succeed(*arguments, "--json"))
    assert (found["a"], found["b"]) == ("ppo", "sac")
    hover, climb, both = found["comparisons"]
    assert hover["difference"]["value"] == pytest.approx(200.0)
    assert climb["difference"]["value"] == pytest.approx(55.0)
    for one in (hover, climb):
        # labels of 6 and 6 runs: 924 ways, of which the observed one and its mirror are the most extreme
        assert one["p_value"] == pytest.approx(2 / 924)
        assert one["difference"]["low"] < one["difference"]["value"] < one["difference"]["high"]
    low, high = (envsuite.card(CLIMB).random.mean, envsuite.card(CLIMB).expert.mean)
    assert both["difference"]["value"] > 55.0 / (high - low) * 0.5
    assert "all, normalised (IQM)" in succeed(*arguments)
    paired = json.loads(succeed(*arguments, "--paired", "--env", "QuadHover", "--json"))["comparisons"]
    assert paired[0]["difference"]["value"] == pytest.approx(200.0)
    assert paired[0]["p_value"] == pytest.approx(2 / 64)


def test_compare_refuses_what_says_nothing(root, tmp_path):
    make(tmp_path / "one", "ppo", 0, [(100, 1.0)])
    result = run("compare", root, tmp_path / "one")
    assert "holds runs of several algorithms, ['ppo', 'sac']" in result.output
    result = run("compare", f"a={tmp_path}/one", f"b={root}/*/*/sac")
    assert "only one of the two has runs on envsuite/QuadHoverGPD-v0" in result.output
    result = run("compare", f"a={tmp_path}/one", f"b={root}/*/*/sac", "--env", "QuadHover")
    assert result.exit_code == 1
    assert "a single run" in result.output
    result = run("compare", f"{root}/*/*/ppo", f"{root}/*/*/sac", "--metric", "beauty")
    assert result.exit_code == 1
    assert "no 'beauty'" in result.output
    make(tmp_path / "two", "sac", 9, [(100, 1.0)])
    make(tmp_path / "two", "sac", 8, [(100, 1.0)])
    result = run("compare", f"{root}/*/*/ppo", tmp_path / "two", "--env", "QuadHover", "--paired")
    assert "different training seeds" in result.output


def test_unfinished_runs_are_not_left_out_silently(root, tmp_path):
    make(root, "ppo", 6, [(100, 5.0)], status="failed: out of memory")
    arguments = ("export", root, "--algo", "ppo", "--env", "QuadHover", "--out", tmp_path / "table.csv")
    result = run(*arguments)
    assert result.exit_code == 1
    assert "status is 'failed: out of memory'; say unfinished=skip or keep" in result.output
    assert not (tmp_path / "table.csv").exists()
    succeed(*arguments, "--unfinished", "skip")
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 13
    succeed(*arguments, "--unfinished", "keep")
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 14


def test_reports_take_what_was_stopped_with_a_warning(root, tmp_path):
    for seed, status in ((6, "running"), (7, "stopped by SIGTERM")):
        make(root, "ppo", seed, [(100, 5.0)], status=status)
    report = ("report", root, "--no-render", "--out", tmp_path / "report.html")
    result = run(*report)
    assert result.exit_code == 0, result.output
    assert result.stderr.count("its score is that of its last evaluation") == 2
    page = (tmp_path / "report.html").read_text()
    assert "stopped by SIGTERM" in page
    assert "running" in page
    assert run(*report, "--unfinished", "refuse").exit_code == 1


def test_two_runs_of_one_seed_and_other_behaviour_are_refused(root, tmp_path):
    make(root, "ppo", 0, [(100, 5.0)], rate=3)
    result = run("export", root, "--out", tmp_path / "table.csv")
    assert result.exit_code == 1
    assert "are both ppo on envsuite/QuadHover-v0 with training seed 0" in result.output
    folder = RunFolder(tmp_path / "old", HOVER, "sac", {}, 9, "0123456789abcdef")
    folder.log(1, mean_return=1.0)
    folder.finish("finished")
    result = run("export", f"new={root}/*/*/sac", f"old={tmp_path}/old", "--out", tmp_path / "table.csv")
    assert "with 0123456789abcdef: their scores cannot be compared" in result.output


def test_export_writes_every_score_exactly(root, tmp_path):
    make(tmp_path / "more", "td3", 3, [(7, 1 / 3)])
    succeed("export", root, f"other={tmp_path}/more", "--out", tmp_path / "table.csv")
    with (tmp_path / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 49
    assert rows[-1] == {"method": "other", "task": HOVER, "seed": "3", "step": "7", "score": repr(1 / 3)}
    pyarrow = pytest.importorskip("pyarrow.parquet")
    succeed("export", root, f"other={tmp_path}/more", "--out", tmp_path / "table.parquet")
    table = pyarrow.read_table(tmp_path / "table.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in table] == rows
    assert run("export", root, "--out", tmp_path / "table.txt").exit_code == 2


class Page(html.parser.HTMLParser):
    """Collects what a browser would load, and the text."""

    def __init__(self):
        super().__init__()
        self.tags, self.links, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "data", "srcset", "action")]

    def handle_data(self, data):
        self.words.append(data)


def test_report_is_one_file_that_runs_nothing_and_asks_for_nothing(root, tmp_path):
    one = make(tmp_path / "evil", ATTACK.replace("/", "|"), 0, [(100, 1.0)])
    data = json.loads((one / "run.json").read_text()) | {"git": {"commit": ATTACK, "dirty": True}, "started": ATTACK}
    (one / "run.json").write_text(json.dumps(data))
    (one / "replay.png").write_bytes(b"<svg onload=alert(1)>")
    frame = np.zeros((4, 4, 3), np.uint8)
    target = next((root / HOVER / "ppo").iterdir())
    Image.fromarray(frame).save(target / "replay.png")
    out = tmp_path / "report.html"
    succeed("report", root, f"{tmp_path}/evil", "--out", out, "--title", ATTACK)
    text = out.read_text()
    page = Page()
    page.feed(text)
    assert "script" not in page.tags
    assert page.links
    assert all(link.startswith(("data:image/svg+xml;base64,", "data:image/png;base64,")) for link in page.links)
    assert sum(link.startswith("data:image/png") for link in page.links) == 1, "only what is a picture is shown"
    assert "default-src 'none'" in text
    assert text.count("alert(") == text.count("alert(&quot;"), "every text is escaped"
    words = " ".join(page.words)
    for part in (ATTACK, "525", "[", "All environments, normalised", "none from a single run"):
        assert part in words
    assert re.search(r"ppo\s+525\s+\[5[01]\d\.?\d*, 5[34]\d\.?\d*\]\s+6", " ".join(words.split()))


def test_report_renders_a_replay_of_the_policy(tmp_path):
    path = make(tmp_path / "runs", "ppo", 0, [(100, 1.0), (200, 2.0)])
    write_policy(path)
    succeed("report", tmp_path / "runs", "--out", tmp_path / "report.html")
    assert "data:image/gif;base64," in (tmp_path / "report.html").read_text()
    succeed("report", tmp_path / "runs", "--out", tmp_path / "report.html", "--no-render")
    assert "data:image/gif" not in (tmp_path / "report.html").read_text()


def write_policy(path: Path) -> None:
    """A linear policy that never moves the motors from half their range."""
    from envsuite.agents.onnx import Action, Interface, mlp, save

    world_inputs, outputs = 146, 4
    model = mlp([np.zeros((outputs, world_inputs), np.float32)], [np.full(outputs, 0.1, np.float32)])
    save(path / "policy.onnx", model, Interface(HOVER, Action("clip", (-1.0,) * 4, (1.0,) * 4)))


def test_report_in_a_browser(root, tmp_path):
    browser = Path("/usr/bin/chromium")
    if not browser.exists():
        pytest.skip("no browser")
    out = tmp_path / "report.html"
    succeed("report", root, "--out", out, "--title", ATTACK)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    done = subprocess.run([browser, *flags, f"file://{out}"], capture_output=True, text=True, check=True, timeout=120)
    assert "<script" not in done.stdout
    assert done.stdout.count("<img") == 4

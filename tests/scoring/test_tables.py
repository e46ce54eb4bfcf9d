"""Tables of every form; names of methods may hold anything."""

import html.parser
import re

import numpy as np
import pytest

from envsuite.scoring import compare_all, comparison_table, estimate, estimate_table, mean, median, ranking_table, table
from tests.scoring.golden import X

HOSTILE = r"""<script>alert("1")</script> 50%_of $x$ & {a}\b ~^ |*c*| `d` # [e](f)"""
SCORES = {name: np.random.default_rng(k).normal(k, 0.2, (6, 3)) for k, name in enumerate(("low", HOSTILE, "high"))}


class Reader(html.parser.HTMLParser):
    """Collects tags and text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_text_is_aligned():
    lines = table(["method", "x"], [["a", 1], ["longer", 22.5]]).splitlines()
    assert lines == ["method     x", "------------", "a          1", "longer  22.5"]


def test_html_holds_names_as_text_only():
    found = Reader(table(["method", HOSTILE], [[HOSTILE, 1]], "html"))
    assert set(found.tags) == {"table", "thead", "tbody", "tr", "th", "td"}
    assert found.texts.count(" ".join(HOSTILE.split())) == 2


def test_markdown_cells_stay_cells():
    lines = table(["method", "x"], [[HOSTILE, 1], ["a\nb", 2]], "markdown").splitlines()
    assert len(lines) == 4
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "<script" not in lines[2]
    assert lines[1] == "| --- | ---: |"


def test_latex_escapes_its_signs():
    lines = table(["method", "x"], [[HOSTILE, "[1, 2]"], ["*", 2]], "latex").splitlines()
    assert lines[0] == r"\begin{tabular}{lr}"
    row = lines[4]
    assert r"50\%\_of \$x\$ \& \{a\}\textbackslash{}b \textasciitilde{}\textasciicircum{}" in row
    assert row.endswith(r"& {}[1, 2] \\")
    assert lines[5] == r"{}* & 2 \\"
    assert len(re.findall(r"(?<!\\)&", row)) == 1


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_estimates_come_with_intervals_and_numbers_of_runs(form):
    metrics = {"mean": mean, "median": median}
    found = estimate_table(
        {name: {key: estimate(each, metric, resamples=200) for key, metric in metrics.items()}
         for name, each in SCORES.items()}, form
    )  # fmt: skip
    assert found.count("N=6 runs, M=3 tasks") == 3
    assert found.count(", ") >= 6


def test_comparisons():
    found = compare_all(SCORES, resamples=200)
    pairs, ranks = comparison_table(found).splitlines(), ranking_table(found).splitlines()
    assert len(pairs) == 2 + 3
    assert [line.split()[-3:-1] for line in ranks[2:3]] == [["1", f"{found.values['high']:.3f}"]]
    assert ranks[2].startswith("high")
    assert pairs[2].endswith("yes")


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: table(["a"], [["b", "c"]]), "2 cells"),
        (lambda: table(["a"], [], "pdf"), "'pdf'"),
        (lambda: estimate_table({}), "no estimates"),
        (
            lambda: estimate_table({"a": {"x": estimate(X, resamples=1)}, "b": {"y": estimate(X, resamples=1)}}),
            "'b' has the metrics",
        ),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()

"""The table of published scores beside ours."""

from types import SimpleNamespace

import pytest

from envsuite.data import load_recipe

from ..scripts import loaded


@pytest.fixture
def published():
    return loaded("docs/_ext/published.py")


def baseline(dataset, scores, algorithm="td3_bc", **last):
    runs = [
        SimpleNamespace(
            metrics=lambda s=s: [{"normalised_legacy": -9.0}, {"normalised_legacy": s} | last],
            steps=500,
            dataset=dataset,
        )
        for s in scores
    ]
    return SimpleNamespace(dataset=dataset, algorithm=algorithm, runs=runs)


def test_a_line_has_the_last_scores_of_all_runs(published):
    found = [
        baseline("dmsd/neorl2-v0", [10.0, 20.0, 60.0]),
        baseline("dmsd/neorl2-v0", [1.0]),
        baseline("other", [1.0, 2.0]),
        baseline("dmsd/neorl2-v0", [90.0, 91.0], "cal_ql", regret=0.1),  # has played on
    ]
    lines = published.table(found).splitlines()
    assert lines[3:] == ["| dmsd | td3_bc | 60.0 ± 0.8 | 30.0 ± 26.5 | 500 | 3 |"]
    assert lines[2].startswith("| dmsd | the data | 56.64 | 56.6 |")


def test_our_data_are_scored_by_the_published_constants(published):
    """The lock's mean score is the return's place between the anchors that the recipe calls legacy."""
    from envsuite.cards import locked

    for task in published.DATA:
        recipe, table = load_recipe(f"{task}/neorl2-v0"), locked()[f"{task}/neorl2-v0"]["table"]
        low, high = recipe.anchors["legacy"].low.mean, recipe.anchors["legacy"].high.mean
        expected = 100 * (table["return"][1] - low) / (high - low)
        assert table["normalised (legacy)"][1] == pytest.approx(expected, abs=0.01), task

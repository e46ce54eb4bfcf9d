"""What the build writes, without a browser."""

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from envsuite.scoring import rating_against
from envsuite.submissions.record import load_all
from envsuite.submissions.site import build
from envsuite.submissions.site.board import make_board
from tests.submissions.site.conftest import HOSTILE


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src", "data-source"):
                self.found.append((tag, value))
            if name == "id":
                self.names.add(value)


def pages(site: Path) -> dict[Path, Links]:
    found = {}
    for path in site.rglob("*.html"):
        found[path] = Links()
        found[path].feed(path.read_text())
    return found


def test_every_link_leads_to_a_file_of_the_site(site):
    parsed = pages(site)
    assert len(parsed) == 1 + 1 + 1 + 5 + 2  # index, normalisation, the track, its methods, its tasks
    for page, links in parsed.items():
        for tag, link in links.found:
            if link.startswith(("data:", "https://")):
                assert tag in ("a", "link")  # nothing is loaded from elsewhere
                continue
            target, _, anchor = link.partition("#")
            place = (page.parent / target).resolve() if target else page
            assert place.is_file(), (page, link)
            assert not anchor or anchor in (*parsed[place].names, "content")


def test_figures_refer_to_nothing_outside(site):
    for path in site.rglob("*.svg"):
        text = re.sub(
            r'(xmlns(:\w+)?|rdf:\w+)="[^"]*"|<!DOCTYPE[^>]*>|<metadata>.*?</metadata>', "", path.read_text(), flags=re.S
        )
        assert "http" not in text
        assert "<script" not in text


def test_texts_of_strangers_are_text(site):
    pages = [path.read_text() for path in site.rglob("*.html")]
    assert any("&lt;script&gt;window.injected=1" in page for page in pages)
    assert not any("<script>window" in page or "<img src=x" in page for page in pages)
    assert not any(">49<" in page for page in pages)  # templates in texts are not evaluated
    assert HOSTILE not in "".join(pages)


def test_scores_come_from_hidden_seeds_and_what_proves_no_policy_stands_below_without_a_rank(leaderboard, track):
    board = make_board(track, load_all(leaderboard))
    assert [row.name for row in board.rows] == ["Expert", "Good", "Harmless", "Better", "Boaster"]
    assert {row.name: row.rank for row in board.rows} == {
        "Expert": None, "Good": 1, "Harmless": 2, "Better": None, "Boaster": None
    }  # fmt: skip
    assert board.comparisons.methods == ("Good", "Harmless")
    assert board.leading.name == "Good"  # references lead nothing
    assert [row.name for row in board.references] == ["Expert"]
    assert [row.name for row in board.methods] == ["Good", "Harmless", "Better", "Boaster"]
    assert len(board.improvements()) == 3
    good = next(row for row in board.rows if row.name == "Good")
    assert good.total.low < good.total.value < good.total.high
    assert good.total.runs == 6
    assert good.total.value == pytest.approx(0.9, abs=0.06)


def test_data_is_json_without_special_numbers(site, track):
    table = json.loads((site / "data" / "quadcopters.json").read_text(), parse_constant=pytest.fail)
    assert [row["method"] for row in table["rows"]][-1] == "Boaster"
    assert table["digest"] == track.digest


def test_a_build_replaces_the_old_one_and_nothing_else(leaderboard, track, tmp_path):
    names = ("index.html", "figures/quadcopters-quad-hover.svg", "data/quadcopters.json")
    place = tmp_path / "site"
    build(leaderboard, place, [track])
    first = [(place / name).read_text() for name in names]
    (place / "stale.html").write_text("old")
    build(leaderboard, place, [track])
    assert not (place / "stale.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert [(place / name).read_text() for name in names] == first  # the same records give the same bytes


def test_a_folder_with_other_things_is_left_alone(leaderboard, track, tmp_path):
    (tmp_path / "thesis.tex").write_text("years")
    with pytest.raises(ValueError, match="holds files that no build wrote"):
        build(leaderboard, tmp_path, [track])
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_submission_that_changed_since_is_refused(leaderboard, track, tmp_path):
    import shutil

    copy = tmp_path / "leaderboard"
    shutil.copytree(leaderboard, copy)
    sums = next((copy / "submissions").rglob("*_good")) / "README.md"
    sums.write_text("other words\n")
    with pytest.raises(ValueError, match=r"README.md"):
        build(copy, tmp_path / "site", [track])
    assert not (tmp_path / "site").exists()


def test_nothing_leads_that_was_not_re_run(leaderboard, track):
    board = make_board(track, [one for one in load_all(leaderboard) if one.level < 2])
    assert [row.name for row in board.rows] == ["Better", "Boaster"]
    assert {row.rank for row in board.rows} == {None}
    assert board.leading is None


def test_tasks_of_one_dataset_are_parts_of_one_run(leaderboard, track, tmp_path):
    """Their steps count once, and their pages name the dataset."""
    tasks = tuple(dataclasses.replace(task, dataset="some/data-v0") for task in track.tasks)
    for one, runs in ((track, len(track.tasks)), (dataclasses.replace(track, tasks=tasks), 1)):
        board = make_board(one, load_all(leaderboard))
        (row,) = [row for row in board.rows if row.name == "Good"]
        assert board.steps(row) == runs * 1_000_000
    chosen = dataclasses.replace(tasks[0], choices=("0" * 64, "1" * 64))
    site = build(tmp_path / "empty", tmp_path / "site", [dataclasses.replace(track, tasks=(chosen, *tasks[1:]))]).parent
    page = (site / "quadcopters" / f"task-{chosen.name}.html").read_text()
    assert "begin with the dataset <code>some/data-v0</code> and choose one of 2 given policies." in page


def test_policies_entered_again_stand_once_with_the_later_season(leaderboard, track, tmp_path):
    import shutil

    copy = tmp_path / "leaderboard"
    shutil.copytree(leaderboard, copy)
    (good,) = (record for record in load_all(copy) if record.info.slug == "good")
    good.path(copy).unlink()
    dataclasses.replace(good, season="spring").save(copy)
    later = dataclasses.replace(good.info, slug="again")
    shutil.copytree(copy / "submissions" / track.name / good.folder, copy / "submissions" / track.name / later.folder)
    dataclasses.replace(good, season="summer", info=later, folder=later.folder).save(copy)
    site = build(copy, tmp_path / "site", [track]).parent
    rows = json.loads((site / "data" / "quadcopters.json").read_text())["rows"]
    assert [row["folder"] for row in rows if row["method"] == "Good"] == [good.folder]  # of one day: by name
    page = (site / "quadcopters.html").read_text()
    assert "Earlier seasons" in page
    assert "Good, season summer" in page
    stranger = dataclasses.replace(later, authors=["Somebody Else"])
    dataclasses.replace(good, season="summer", info=stranger, folder=later.folder).save(copy)
    site = build(copy, tmp_path / "site", [track]).parent
    rows = json.loads((site / "data" / "quadcopters.json").read_text())["rows"]
    assert sorted(row["folder"] for row in rows if "Good" in row["method"]) == sorted([good.folder, later.folder])


def test_no_submission_yet(track, tmp_path):
    index = build(tmp_path / "empty", tmp_path / "site", [track])
    assert "nobody yet" in index.read_text()


def test_opponents_with_ratings_rate_who_meets_them(leaderboard, track, tmp_path):
    import shutil

    copy = tmp_path / "leaderboard"
    shutil.copytree(leaderboard, copy)
    rated = dataclasses.replace(
        track, tasks=tuple(dataclasses.replace(task, rating=1000.0 + 400 * k) for k, task in enumerate(track.tasks))
    )
    for record in load_all(copy):
        dataclasses.replace(record, track_digest=rated.digest).save(copy)
    site = build(copy, tmp_path / "site", [rated]).parent
    rows = {row["method"]: row for row in json.loads((site / "data" / "quadcopters.json").read_text())["rows"]}
    page = (site / "quadcopters.html").read_text()
    for task in rated.tasks:  # each in a game of its own
        runs = [run["normalised"] for run in rows["Good"]["runs"] if run["task"] == task.name]
        good, games = rows["Good"]["ratings"][task.env_id], task.episodes
        share = sum(runs) / len(runs)
        expected = rating_against((games * share + 0.5) / (games + 1), [task.rating])  # a game was half won
        assert good["value"] == pytest.approx(expected)
        assert good["low"] < good["value"] < good["high"]
        assert good["value"] > rows["Harmless"]["ratings"][task.env_id]["value"]
        assert f">Rating, {task.env_id.split('/')[1]}</th>" in page
        assert f"{good['value']:,.0f}" in page
    assert "against an opponent of rating 1,400" in page


def test_tasks_link_to_the_documentation_and_to_papers(leaderboard, track, tmp_path):
    page = (
        build(leaderboard, tmp_path / "site", [track], docs="https://example.org/docs/").parent
    ) / "quadcopters.html"
    text = page.read_text()
    assert "https://example.org/docs/environments/QuadHover-v0.html" in text
    assert 'href="https://arxiv.org/abs/2103.02142"' in text
    references = text[text.index("<h2>References</h2>") : text.index("<h2>By task</h2>")]
    assert "Expert" in references
    assert "Good" not in references


def test_a_site_of_some_tracks_leaves_the_others_out(leaderboard, track, tmp_path):
    import shutil

    copy = tmp_path / "leaderboard"
    shutil.copytree(leaderboard, copy)
    (good,) = (record for record in load_all(copy) if record.info.slug == "good")
    dataclasses.replace(good, track="mazes-goals").save(copy)
    text = build(copy, tmp_path / "site", [track]).read_text()
    assert "mazes-goals" not in text
    dataclasses.replace(good, track="nowhere").save(copy)
    with pytest.raises(ValueError, match="unknown tracks \\['nowhere'\\]"):
        build(copy, tmp_path / "other", [track])

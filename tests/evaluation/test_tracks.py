"""Tracks: read strictly, and in agreement with the cards."""

import dataclasses
import math

import numpy as np
import pytest

import envsuite
from envsuite.cards import tracks_folder, tracks_with
from envsuite.core.world import make_world
from envsuite.evaluation.tracks import load_track, tracks
from envsuite.scoring import Estimate

TASKS = [(track, task.name) for track in tracks() for task in load_track(track).tasks]


@pytest.mark.parametrize("track", tracks())
def test_cards_know_their_tracks(track):
    for env_id in {task.env_id for task in load_track(track).tasks}:
        assert envsuite.card(env_id).capability("track") == "yes"
        assert not envsuite.card(env_id).unranked or load_track(track).rated or load_track(track).metric != "return"
        assert track in tracks_with(env_id)
    assert tracks_with("envsuite/Nothing-v0") == ()


@pytest.mark.parametrize(("track", "name"), TASKS)
def test_tasks_agree_with_cards(track, name):
    task = load_track(track).task(name)
    card = envsuite.card(task.env_id)
    assert task.behaviour == card.behaviour
    assert task.first_seed >= 10**9
    if task.rating is not None:  # won or lost against an opponent of its own: no anchors of the card
        assert (task.low.mean, task.high.mean) == task.return_bounds
        return
    if load_track(track).metric != "return":  # cards hold returns; tests of the family measure these
        return
    if task.choices:  # from chance to the best of them, see test_selection.py
        return
    if task.options.get("split") == "evaluation":  # anchors are measured on what is held out
        return
    for anchor, score in zip((task.low, task.high), card.scale, strict=True):
        stated = (anchor.mean, anchor.standard_error, anchor.episodes, anchor.policy)
        assert stated == (score.mean, score.standard_error, score.episodes, score.policy)


def test_files_lie_where_they_are_looked_for():
    assert {path.stem for path in tracks_folder().glob("*.toml")} == set(tracks())
    for name in tracks():
        assert load_track(name) == load_track(tracks_folder() / f"{name}.toml")


def test_reads_every_key(track_file):
    track = load_track(track_file())
    hover, climb = track.tasks
    assert (track.name, track.metric, track.deterministic, track.season_commitment) == ("small", "return", True, "")
    assert hover.return_bounds == (-math.inf, 1000.0)
    assert climb.return_bounds == (-math.inf, math.inf)
    assert climb.card.options["physics"] == "dyn"
    assert climb.card.id == "envsuite/QuadHoverGPD-v0"
    assert hover.high.standard_error == 8.0
    assert track.digest == load_track(track_file()).digest
    assert track.digest != load_track(track_file(episodes=7)).digest


def test_anchors_are_0_and_1_also_where_less_is_better(track_file):
    task = load_track(track_file()).tasks[0]
    np.testing.assert_allclose(task.normalise(np.array([-100.0, 500.0, 200.0])), [0, 1, 0.5])
    costs = load_track(track_file(direction="minimize", metric="distance", low=4.0, high=1.0)).tasks[0]
    np.testing.assert_allclose(costs.normalise(np.array([4.0, 1.0, 2.5, 7.0])), [0, 1, 0.5, -1])


WRONG = {
    "schema = 1": ("schema = 2", "schema is 2, expected 1"),
    'name = "small"': ('name = "large"', "name is 'large'"),
    "version = 1": ("version = 0", "version is 0"),
    'title = "Small"': ("title = 3", r"Expected `str`, got `int` - at `\$.title`"),
    'summary = "For tests."': ("", "missing required field `summary`"),
    'metric = "return"': ('metrics = "return"', "unknown key 'metrics', expected one of schema, name"),
    'direction = "maximize"': ('direction = "up"', r"'up' - at `\$.direction`"),
    'name = "climb"': ('name = "hover"', "tasks.name is 'hover'"),
    'name = "hover"': ('name = "../x"', "tasks.name is '../x'"),
    "QuadHoverGPD-v0": ("QuadHoverGPD-v9", "task 'climb': env_id is 'envsuite/QuadHoverGPD-v9'"),
    "episodes = 6": ("episodes = 0", "task 'hover': episodes is 0"),
    "first_seed = 1_000_000_000": ("first_seed = -1", "first_seed is -1"),
    "training_steps = 1000": ("training_steps = 0", "training_steps is 0"),
    "standard_error = 2.0": ("error = 2.0", r"tasks\[0\]: low: unknown key 'error'"),
    "mean = -100.0": ("mean = 700.0", "low, high is"),
    "mean = 500.0": ("mean = nan", "low, high is"),
    "[-inf, 1000]": ("[1000, -inf]", "return_bounds is"),
    "[-inf, 1000] ": ("[1000]", "return_bounds"),
    'behaviour = "': ('behaviour = "0', "task 'hover': behaviour is '0"),
    "version = 1  ": ("accepts = ['envsuite/Nothing-v0']\nversion = 1", r"accepts is \('envsuite/Nothing-v0',\)"),
    "version = 1 ": ("season_commitment = 'ab'\nversion = 1", "season_commitment is 'ab'"),
    "[-inf, 1000]\n": ("[-inf, 1000]\nrating = 1200", r"tasks.rating is \[1200.0, None\]"),
    "[[tasks]]": ("[[task", "is not TOML"),
}


@pytest.mark.parametrize("old", WRONG)
def test_what_is_wrong_is_named(track_file, old):
    path = track_file()
    new, message = WRONG[old]
    text = path.read_text()
    assert old.strip() in text
    path.write_text(text.replace(old.strip(), new, 1))
    with pytest.raises(ValueError, match=message):
        load_track(path)


def test_opponents_have_ratings_and_so_has_who_meets_them(track_file):
    path = track_file(low=-1.0, high=1.0)
    text = path.read_text().replace("[-inf, 1000]", "[-1, 1]\nrating = 1200")
    path.write_text(text + "return_bounds = [-1, 1]\nrating = 1400\n")
    track = load_track(path)
    assert [task.rating for task in track.tasks] == [1200, 1400]
    assert track.digest != dataclasses.replace(track, tasks=(track.tasks[0], track.tasks[0])).digest
    for task in track.tasks:  # each in a game of its own, whose ratings say nothing of the other's
        assert track.ladders[task.env_id] == (task,)
        assert track.rate(task.env_id, Estimate(0.5, 0.25, 1.0, 5, 1)).value == pytest.approx(task.rating)
    same = dataclasses.replace(track.tasks[1], env_id=track.tasks[0].env_id)
    track = dataclasses.replace(track, tasks=(track.tasks[0], same))
    half = track.rate(same.env_id, Estimate(0.5, 0.25, 1.0, 5, 2))
    assert half.value == pytest.approx(1300)
    assert half.low < 1300 < half.high < math.inf
    assert half.runs == 5
    path.write_text(text.replace("[-1, 1]", "[-1, 2]") + "return_bounds = [-1, 1]\nrating = 1400\n")
    with pytest.raises(ValueError, match=r"rating is 1200\.0, expected a number, with anchors at the return_bounds"):
        load_track(path)
    assert track.rated
    assert not load_track("quadcopters").rated
    assert load_track("quadcopters").ladders == {}
    assert list(load_track("fighting-ladder").ladders) == ["envsuite/Duel-v0"]


def test_unknown_tracks_name_the_nearest():
    with pytest.raises(ValueError, match="there is no track 'quadcoptres'; did you mean 'quadcopters'"):
        load_track("quadcoptres")
    with pytest.raises(ValueError, match="has no task 'x'"):
        load_track("quadcopters").task("x")


TRIED = [card for card in envsuite.cards().values() if card.trained_on]


@pytest.mark.parametrize("card", TRIED, ids=lambda card: card.id)
def test_policies_fit_where_they_are_tried(card):
    learned = envsuite.card(card.trained_on)
    here, there = (make_world(one.world, **one.options) for one in (card, learned))
    assert here.observation.shape == there.observation.shape
    assert type(here.action) is type(there.action)
    assert here.action.shape == there.action.shape
    assert not learned.trained_on
    assert card.capability("baseline") in ("yes", f"n/a: policies learn on {learned.id}")

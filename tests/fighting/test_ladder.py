"""The frozen opponents: what they are, that nobody can change them, and that fights against them go on identically."""

import dataclasses
import shutil

import numpy as np
import pytest

import envsuite
from envsuite.agents import onnx
from envsuite.core.batch import Batch, state_bytes
from envsuite.core.companions import Players, companion
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.replay import replayed
from envsuite.evaluation.rollout import play, policy_maker
from envsuite.evaluation.tracks import load_track
from envsuite.fighting import ladder
from envsuite.fighting.kernel import DuelWorld
from tests.fighting.common import luck_inputs


def begun(number, **options):
    batch = Batch(DuelWorld(character="random", **options), number, num_threads=1)
    batch.seed(range(number))
    batch.reset()
    return batch


def test_the_track_has_every_rung_and_stronger_ones_are_rated_higher():
    track = load_track("fighting-ladder")
    named = [task.options["opponent"] for task in track.tasks if "opponent" in task.options]
    assert named == list(ladder.rungs())
    ratings = [task.rating for task in track.tasks]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("name", ladder.rungs())
def test_every_rung_fights(name):
    batch, rows = begun(4, opponent=name), luck_inputs(np.random.default_rng(1), 60, 4)[:, :, 0]
    for row in rows:
        batch.step(row)
    dealt = batch.states["fighters"]["dealt"]
    assert dealt[:, 1].sum() > dealt[:, 0].sum(), "wild inputs are no match"


def test_fights_against_networks_that_draw_go_on_from_any_moment():
    name = ladder.rungs()[-1]
    assert not ladder.rung(name)[1].remembers
    number, rows = 6, luck_inputs(np.random.default_rng(2), 80, 6)[:, :, 0]
    whole = begun(number, opponent=[name, "arden", ladder.rungs()[0]])
    for row in rows[:30]:
        whole.step(row)
    middle, seen = state_bytes(whole.states).copy(), []
    for row in rows[30:]:
        whole.step(row)
        seen.append(state_bytes(whole.states).copy())
    for kept in (range(number), [4, 1]):  # as a whole, and in another batch of other instances
        again = begun(len(kept), opponent=[name, "arden", ladder.rungs()[0]])
        state_bytes(again.states)[:] = middle[list(kept)]
        for row, expected in zip(rows[30:], seen, strict=True):
            again.step(row[list(kept)])
            assert np.array_equal(state_bytes(again.states), expected[list(kept)])


def test_records_of_fights_against_rungs_replay_to_the_bit(tmp_path):
    card = envsuite.card("Duel")
    card = dataclasses.replace(card, options={"opponent": ladder.rungs()[-1], "character": "random"})
    played = play(card, policy_maker("random"), 5, record=True)
    played.log.save(tmp_path / "fights.npz")
    departure, episodes = replayed(EpisodeLog.load(tmp_path / "fights.npz"), card)
    assert departure is None
    assert (episodes.returns < 0).sum() >= 4


def test_files_that_were_changed_are_no_rungs(tmp_path, monkeypatch):
    copy = tmp_path / "rungs"
    shutil.copytree(ladder.FOLDER, copy)
    monkeypatch.setattr(ladder, "FOLDER", copy)
    first, last = ladder.rungs()[0], ladder.rungs()[-1]
    shutil.copy(copy / f"{last}.onnx", copy / f"{first}.onnx")
    onnx.load(copy / f"{first}.onnx")
    with pytest.raises(ValueError, match=f"{first}.onnx has the digest .* not the opponent that was rated"):
        DuelWorld(opponent=first)
    ladder.rung(last)


def test_collectors_are_computer_players_and_rungs():
    world = DuelWorld()
    player = companion(world, Players).collector("level-3")
    player.reset(np.ones(2, np.bool_), np.arange(2))
    assert player.act(np.zeros((2, 202), np.float32), begun(2).states).shape == (2, 2)
    assert companion(world, Players).collector("rung-2").interface.random
    with pytest.raises(ValueError, match="collector is 'level-9', expected one of level-1"):
        companion(world, Players).collector("level-9")


def test_unknown_opponents_are_told_of_the_ladder():
    with pytest.raises(ValueError, match=r"'rung-99', expected one of arden.*rung-1"):
        DuelWorld(opponent="rung-99")
    with pytest.raises(ValueError, match="rung is 'x', expected one of rung-1"):
        ladder.rung("x")

"""Games in a browser: keys and clicks in, frames out."""

import json

import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Controls, Pictures, companion
from envsuite.evaluation.game import Game


def started(name: str, seed: int = 0) -> Game:
    game = Game(envsuite.card(name))
    game.begin(seed)
    return game


def test_a_world_in_real_time_goes_on_by_itself_and_by_held_keys():
    idle, right = started("MazePointUmaze"), started("MazePointUmaze")
    right.press({"right"})
    for _ in range(10):
        assert idle.tick()
        assert right.tick()
    assert idle.steps == right.steps == 40  # four steps a frame at a hundred a second
    moved = right._batch.states["position"][0] - idle._batch.states["position"][0]
    assert moved[0] > 0.05
    assert json.loads(json.dumps(right.frame()))["step"] == 40


def test_a_stroke_between_two_frames_counts():
    short, none = started("MazePointUmaze"), started("MazePointUmaze")
    short.press({"up"})
    short.press(set())
    short.tick()
    none.tick()
    assert not np.array_equal(short._batch.states["position"], none._batch.states["position"])


def test_a_game_of_turns_waits_for_the_person_and_answers():
    game = started("MOConnect4")
    assert game.waits
    assert not game.tick()
    game.press({"x"})
    assert not game.tick()  # no key of this game
    game.press({"3"})
    assert game.tick()
    assert game._batch.states["board"][0, -1, 3] == 1
    assert game.tick()  # the computer player's turn
    assert (game._batch.states["board"] == 2).sum() == 1
    assert not game.tick()
    game.click((0.5 / 7, 0.4))
    assert game.tick()
    assert game._batch.states["board"][0, :, 0].max() == 1


def test_moves_that_are_not_allowed_are_left_out():
    game = started("MOConnect4")
    game._batch.states["filled"][0, 3] = 6
    game._output.observations[0, 0, game._mask.start + 3] = 0
    game.press({"3"})
    assert not game.tick()
    assert not game.done


def test_frames_name_each_colour_once():
    game = started("MOConnect4")
    first = game.frame()
    assert first["colors"]
    assert game.frame()["colors"] == []
    kinds = {shape[0] for shape in first["shapes"]}
    assert kinds == {"rectangle", "circle", "text"}


def test_clicks_on_boards_mean_the_square_that_is_drawn_there():
    game = started("MOSameGame")
    controls, size = companion(game.world, Controls), companion(game.world, Pictures).size
    state = game._batch.states[0]
    assert controls.click((0.01, 0.01), set(), state) == 0
    assert controls.click((0.99, 390 / size[1]), set(), state) == 99
    assert controls.click((0.5, 0.99), set(), state) is None


def test_clicks_that_mean_nothing_do_nothing():
    game = started("MOSameGame")
    game.click((0.5, 0.99))
    assert not game.tick()
    assert game.steps == 0


def test_a_move_may_take_two_clicks():
    game = started("Chess")
    size = companion(game.world, Pictures).size
    side = (size[1] * 0.88) / 8
    places = [(0.045 * size[1] + (size[0] - 0.045 * size[1] - 8 * side) / 2 + 4.5 * side, y * side) for y in (6.5, 4.5)]
    for place, expected in zip(places, (False, True), strict=True):
        game.click((place[0] / size[0], place[1] / size[1]))
        assert game.tick() is expected
    assert game._batch.states["game"]["position"]["squares"][0, 0x34] == 1, "a pawn stands on e4"


def test_worlds_without_keys_say_so(monkeypatch):
    monkeypatch.setattr(Controls, "keys", lambda self: {})
    with pytest.raises(ValueError, match="MORouteChoice-v0 has no keys"):
        Game(envsuite.card("MORouteChoice"))

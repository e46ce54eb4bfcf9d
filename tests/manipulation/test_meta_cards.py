"""Ids, data and pictures of Meta-World's tasks."""

import numpy as np

import envsuite
from envsuite.core.companions import Pictures, companion
from envsuite.data import load_recipe, recipe_ids
from envsuite.manipulation.meta.tasks import NAMES
from tests.manipulation.play import begun

CARDS = {card.options["task"]: card for card in envsuite.cards().values() if card.world.endswith(":MetaWorld")}
MT10 = (
    "reach",
    "push",
    "pick-place",
    "door-open",
    "drawer-open",
    "drawer-close",
    "button-press-topdown",
    "peg-insert-side",
    "window-open",
    "window-close",
)


def test_every_task_has_an_id():
    assert sorted(CARDS) == sorted(NAMES)
    assert CARDS["button-press-topdown"].id == "envsuite/MetaButtonPressTopdown-v0"


def test_reference_players_score_far_above_random_ones():
    for card in CARDS.values():
        assert card.expert.mean > card.random.mean + 1500, card.id
        assert 0 <= card.random.mean
        assert card.expert.mean < 10 * card.horizon


def test_data_are_of_the_tasks_of_mt10():
    recipes = [load_recipe(name) for name in recipe_ids()]
    found = {one.env_id for one in recipes if one.env_id.startswith("envsuite/Meta")}
    assert found == {CARDS[task].id for task in MT10}


def test_holes_in_the_table_are_seen():
    def colour(task: str) -> np.ndarray:
        """What is seen from above at x = 0, y = 0.84 m."""
        batch = begun(task)
        pictures = companion(batch.world, Pictures)
        pictures.view = "above"
        frame = pictures.draw(batch.states[0], (160, 160)).astype(int)
        camera = pictures.camera(batch.states[0], (160, 160))
        x, y = camera.flatten(camera.view(np.array([[0.0, 0.84, 0.0]])))[0]
        return frame[int(y), int(x)]

    assert (colour("hand-insert") < colour("pick-place") - 40).all()

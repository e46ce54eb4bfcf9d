"""Ids, data and pictures of Meta-World's tasks."""

import numpy as np

import envsuite
from envsuite.cards import locked
from envsuite.core.companions import Pictures, companion
from envsuite.data import load_recipe, recipe_ids
from envsuite.evaluation.tracks import load_track
from envsuite.manipulation.meta.playing import alike
from envsuite.manipulation.meta.tasks import NAMES
from tests.manipulation.play import begun

CARDS = {card.options["task"]: card for card in envsuite.cards().values() if card.world.endswith(":MetaWorld")}


def test_every_task_has_an_id():
    assert sorted(CARDS) == sorted(NAMES)
    assert CARDS["button-press-topdown"].id == "envsuite/MetaButtonPressTopdown-v0"


def test_reference_players_score_far_above_random_ones():
    for card in CARDS.values():
        assert card.expert.mean > card.random.mean + 1500, card.id
        assert card.random.mean >= 0
        assert card.expert.mean < 10 * card.horizon


def test_the_track_holds_every_ranked_task():
    held = {task.env_id for task in load_track("manipulation-single").tasks}
    assert held == {card.id for card in CARDS.values() if not card.unranked}


def test_every_task_has_data_and_scenes_of_several_tasks_have_play():
    tiers: dict[str, set[str]] = {}
    for recipe in map(load_recipe, recipe_ids()):
        tiers.setdefault(recipe.env_id, set()).add(recipe.tier)
    usual = {"random", "noisy-expert", "expert"}
    for task, card in CARDS.items():
        assert tiers[card.id] == usual | {"replay"} | ({"play"} if len(alike(task)) > 1 else set())
    for name, card in envsuite.cards().items():
        if card.world.endswith(":MetaSuiteWorld"):
            assert tiers.get(name) == (None if card.options.get("split") == "test" else usual)


def test_data_lie_between_random_and_expert_play():
    """In the mean of the tasks: random, replay, noisy, expert."""
    found: dict[str, list[float]] = {}
    for name, one in locked().items():
        if one["env_id"] in {card.id for card in CARDS.values()}:
            tier = name.partition("/")[2].removesuffix("-v0")
            found.setdefault(tier, []).append(one["table"]["normalised (calibrated)"][1])
    means = [float(np.mean(found[tier])) for tier in ("random", "replay", "noisy-expert", "expert")]
    assert means == sorted(means)
    assert abs(means[0]) < 3
    assert 10 < means[1] < 75
    assert abs(means[3] - 100) < 3


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

"""Tasks in words: sentences, what stands there, and skills that answers name."""

import re

import gymnasium
import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.manipulation.meta.scenery import STANDING, standing
from envsuite.manipulation.meta.tasks import NAMES, TASKS
from envsuite.manipulation.meta.wordings import COUNT, WORDINGS
from envsuite.manipulation.suites.world import MetaSuiteWorld
from tests.manipulation.play import begun, played

SAID = {
    "reach": [("move to the goal", 120)],
    "push": [("carry the puck to the goal", 250)],
    "pick-place": [("carry the puck to the goal", 250)],
    "drawer-open": [("move above the drawer", 80), ("move to the drawer", 60), ("pull back", 60)],
    "button-press-topdown": [("close the fingers", 5), ("move above the button", 100), ("push down", 100)],
    "push-back": [("carry the block to the goal", 250)],
    "window-open": [("move to the handle", 150), ("push right", 100)],
    "disassemble": [("grasp the nut", 150), ("move up", 100)],
    "box-close": [("grasp the lid", 150), ("move up", 30), ("carry the lid to the goal", 150)],
    "shelf-place": [("grasp the block", 150), ("move up", 35), ("carry the block to the goal", 150)],
    "coffee-pull": [("carry the mug to the goal", 250)],
    "basketball": [("grasp the ball", 150), ("move up", 40), ("carry the ball to the goal", 150)],
}
"""Skills, and for how many steps each is repeated; in every episode the same."""


def _answered(batch: Batch, text: str) -> np.ndarray:
    found = [companion(batch.world, Words).parse(text, state) for state in batch.states]
    assert not any(isinstance(one, Refusal) for one in found), found
    return np.array(found)


def _parsed(text: str, task: str = "pick-place", **options):
    batch = begun(task, **options)
    return companion(batch.world, Words).parse(text, batch.states[0])


@pytest.mark.parametrize("task", SAID)
def test_skills_alone_solve_tasks(task):
    """Words alone: no place, no number that depends on the episode."""
    batch = begun(task, 4)
    for text, steps in SAID[task]:
        for _ in range(steps):
            actions = _answered(batch, text)
            assert batch.world.action.space().contains(actions[0])
            batch.step(actions)
    assert batch.last.info["success_once"].all()


def test_a_conversation_with_the_gymnasium_environment_reaches_the_goal():
    """An agent that reads the goal from the description and answers with its numbers."""
    env = gymnasium.make("envsuite/MetaReach-v0").unwrapped
    env.reset(seed=3)
    place = re.search(r"The goal is at \(([^)]*)\)", env.describe())
    assert place
    info = {}
    for _ in range(120):
        *_, info = env.step(env.parse(f"I go there. Move to [{place.group(1)}]."))
    assert info["success"]
    env.close()


def test_what_a_skill_does_depends_on_the_state_alone():
    """Asked again in another order by another reader, the same records give the same actions."""
    batch, states, actions = begun("pick-place"), [], []
    for _ in range(120):
        states.append(batch.states[0].copy())
        actions.append(_answered(batch, "grasp the puck")[0])
        batch.step(actions[-1][None])
    reader = companion(begun("pick-place").world, Words)
    for k in np.random.default_rng(0).permutation(120):
        np.testing.assert_array_equal(reader.parse("grasp the puck", states[k]), actions[k])
    grip = np.array(actions)[:, 3]
    assert set(grip) == {-1.0, 1.0}, "open on the way, closed there"
    assert (np.diff(grip) >= 0).all()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("[0.5, -1, 0, 1]", (0.5, -1, 0, 1)),
        ("push down", (0, 0, -1, 1)),
        ("Move away.", (0, 1, 0, 0)),
        ("pull back", (0, -1, 0, 0)),
        ("Open the fingers", (0, 0, 0, -1)),
        ("release the puck", (0, 0, 0, -1)),
        ("I  close\nTHE fingers", (0, 0, 0, 1)),
        ("First I thought of it. Push left! Yes: push left", (-1, 0, 0, 1)),
        ("move to [100, 60, 15]", (1, None, None, 0)),
        ("go to (0, 60, 100)", (None, None, 1, 0)),
    ],
)
def test_skills_are_translated_into_actions(text, action):
    found = _parsed(text)
    assert isinstance(found, np.ndarray), found
    assert found.dtype == np.float32
    for value, wanted in zip(found, action, strict=True):
        assert wanted is None or value == wanted


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", RefusalKind.EMPTY, "the answer is empty"),
        ("hello", RefusalKind.UNREADABLE, "or with one skill: move to PLACE"),
        ("[1, 2, 3]", RefusalKind.WRONG_COUNT, "3 numbers found; give 4"),
        ("[0, 0, 2, 0]", RefusalKind.OUT_OF_RANGE, r"2 is outside \[-1, 1\]"),
        ("move to [1, 2]", RefusalKind.WRONG_COUNT, "2 numbers found; a place has 3"),
        ("move to [1, 2, 101]", RefusalKind.OUT_OF_RANGE, r"101 is outside \[-100, 100\] cm"),
        ("move to [1, 2, 1e999]", RefusalKind.OUT_OF_RANGE, "inf is outside"),
        ("grasp the moon", RefusalKind.UNKNOWN_NAME, "'moon' is none of: puck"),
        ("grasp the goal", RefusalKind.UNKNOWN_NAME, "'goal' is none of: puck"),
        ("move to the shelf", RefusalKind.UNKNOWN_NAME, "'shelf' is none of: puck, goal"),
        ("carry the puck to it", RefusalKind.UNKNOWN_NAME, "'it' is none of: puck, goal"),
        ("grasp the puck, then push down", RefusalKind.AMBIGUOUS, r"2 skills found \(grasp the puck, push down\)"),
        ("push down [0, 0, -1, 1]", RefusalKind.AMBIGUOUS, "'push down' and other numbers in brackets"),
    ],
)
def test_what_is_no_action_is_refused_by_kind(text, kind, message):
    found = _parsed(text)
    assert isinstance(found, Refusal)
    assert found.kind == kind
    assert re.search(message, found.reason), found.reason


def test_a_hidden_goal_is_not_given_away():
    found = _parsed("move to the goal", goal_observable=False)
    assert isinstance(found, Refusal)
    assert found.kind == RefusalKind.ILLEGAL
    for task, furniture in (("shelf-place", "shelf"), ("soccer", "net"), ("peg-insert-side", "box")):
        shown, hidden = begun(task), begun(task, goal_observable=False)
        assert f"{furniture} stands at" in standing(shown.world, shown.states[0])
        assert standing(hidden.world, hidden.states[0]) == ""


def test_every_task_has_four_sentences_of_its_own():
    assert set(WORDINGS) == set(NAMES)
    said = [sentence.lower() for sentences in WORDINGS.values() for sentence in sentences]
    assert len(said) == COUNT * len(NAMES) == len(set(said)), "no sentence is said twice"
    assert all(sentence.endswith(".") and sentence[0].isupper() for one in WORDINGS.values() for sentence in one)


def test_the_option_chooses_the_sentence():
    for number in range(1, COUNT + 1):
        batch = begun("push", wording=number)
        assert WORDINGS["push"][number - 1] in companion(batch.world, Words).describe(batch.states[0])
    plain, drawn = begun("push", 40), begun("push", 40, wording=0)
    np.testing.assert_array_equal(plain.last.observations, drawn.last.observations)
    words = companion(drawn.world, Words)
    assert {words.wording(state) for state in drawn.states} == set(WORDINGS["push"])
    again = begun("push", 40, wording=0)
    assert [words.wording(one) for one in again.states] == [words.wording(one) for one in drawn.states]
    with pytest.raises(ValueError, match="wording is 5"):
        begun("push", wording=5)


def test_suites_pass_words_on():
    batch = Batch(MetaSuiteWorld(tasks=("push", "reach"), wording=2), 2, num_threads=1, horizon=500)
    batch.seed([0, 1])
    batch.reset()
    words = companion(batch.world, Words)
    for state, task in zip(batch.states, ("push", "reach"), strict=True):
        assert WORDINGS[task][1] in words.describe(state)
    for _ in range(120):
        batch.step(_answered(batch, "move to the goal"))
    assert batch.last.info["success"].tolist() == [False, True]


def test_furniture_is_told_by_scene():
    assert set(STANDING) <= {task.scene.name for task in TASKS.values()}
    for task in NAMES:
        for options in ({}, {"compat": "metaworld"}):
            batch = begun(task, **options)
            words = companion(batch.world, Words)
            assert words.noun()
            told = standing(batch.world, batch.states[0])
            assert bool(told) == (TASKS[task].scene.name in STANDING)
            assert "{" not in words.describe(batch.states[0])


@pytest.mark.parametrize(
    ("task", "pattern", "axis"),
    [
        ("drawer-open", r"the drawer is ([\d.]+) cm open", 1),
        ("window-open", r"it is ([\d.]+) cm open", 0),
        ("handle-press", r"its handle is ([\d.]+) cm below", 2),
        ("button-press", r"its button is pressed in by ([\d.]+) cm", 1),
    ],
)
def test_how_far_joints_are_is_how_far_the_observed_point_went(task, pattern, axis):
    """The oracle: the observed point, which is fixed to the moving part."""
    before, after = begun(task), played(task, 1, 200)
    told = []
    for batch in (before, after):
        found = re.search(pattern, standing(batch.world, batch.states[0]))
        assert found
        told.append(float(found.group(1)))
    way = 100 * abs(after.last.observations[0, 4 + axis] - before.last.observations[0, 4 + axis])
    assert way > 2
    assert abs(told[1] - told[0]) == pytest.approx(way, abs=0.11)


def test_the_door_is_told_by_its_angle():
    """The oracle: the handle's way around the hinge, at (-0.185, -0.1) m of the frame."""
    before, after = begun("door-open"), played("door-open", 1, 200)
    found = re.search(r"it is open by (\d+) degrees", standing(after.world, after.states[0]))
    assert found
    hinge = before.states[0]["drawn"][0][:2] + np.array((-0.185, -0.1))
    one, two = (batch.last.observations[0, 4:6] - hinge for batch in (before, after))
    angle = np.degrees(np.arctan2(one[0] * two[1] - one[1] * two[0], one @ two))
    assert -angle > 30
    assert int(found.group(1)) == pytest.approx(-angle, abs=1)


def test_walls_and_holes_are_told_in_centimetres():
    wall, hole = begun("push-wall"), begun("sweep-into")
    assert "A wall stands across the table at y = 75 cm, from x = -2 to 22 cm, 12 cm high." in standing(
        wall.world, wall.states[0]
    )
    assert "a hole from x = -8 to 8 cm and y = 76 to 92 cm." in standing(hole.world, hole.states[0])

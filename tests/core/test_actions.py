"""What is accepted as an action, and what is said of the rest."""

import numpy as np
import pytest

from envsuite.core.actions import ActionChecker
from envsuite.core.layout import Block, Choice, Choices, Vector

VECTOR = Vector((Block("thrust", 1, 0.0, 2.0, "N"), Block("rates", 2, -1.0, 1.0, "rad/s")))


def test_accepts_whatever_becomes_the_right_array():
    check = ActionChecker(VECTOR, (), "refuse")
    np.testing.assert_array_equal(check([1, 0, -1]), np.array([1, 0, -1], np.float32))
    np.testing.assert_array_equal(check(np.array([0.5, 0.25, 1.0])), np.array([0.5, 0.25, 1.0], np.float32))
    assert check([1, 0, -1]).dtype == np.float32


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
@pytest.mark.parametrize("mode", ["clip", "refuse", "pass"])
def test_refuses_what_is_not_finite(value, mode):
    check = ActionChecker(VECTOR, (2,), mode)
    actions = np.zeros((2, 3))
    actions[1, 2] = value
    with pytest.raises(ValueError, match=r"\(1, 2\).*expected a value in \[-1.0, 1.0\]"):
        check(actions)


def test_clips_each_element_to_its_own_bounds():
    check = ActionChecker(VECTOR, (), "clip")
    np.testing.assert_array_equal(check([-1, -3, 3]), np.array([0, -1, 1], np.float32))


def test_passes_on_what_is_out_of_range():
    check = ActionChecker(VECTOR, (), "pass")
    np.testing.assert_array_equal(check([-1, -3, 3]), np.array([-1, -3, 3], np.float32))


def test_refusal_names_value_place_and_bounds():
    check = ActionChecker(VECTOR, (4,), "refuse")
    actions = np.zeros((4, 3))
    actions[3, 0] = 2.5
    with pytest.raises(ValueError, match=r"action 2\.5 at index \(3, 0\) is invalid, expected a value in \[0.0, 2.0\]"):
        check(actions)


@pytest.mark.parametrize("shape", [(3,), (4, 2), (4, 3, 1), ()])
def test_refuses_other_shapes(shape):
    with pytest.raises(ValueError, match=r"expected \(4, 3\)"):
        ActionChecker(VECTOR, (4,), "clip")(np.zeros(shape))


@pytest.mark.parametrize("bad", ["up", np.zeros(3, complex), np.zeros(3, bool), [None, None, None]])
def test_refuses_what_is_no_number(bad):
    with pytest.raises((TypeError, ValueError)):
        ActionChecker(VECTOR, (), "clip")(bad)


def test_discrete_actions_are_integers_in_range():
    check = ActionChecker(Choice(("left", "right")), (), "clip")
    assert check(1) == 1
    assert check(np.int32(0)) == 0
    with pytest.raises(ValueError, match=r"action 2 is invalid, expected a value in \[0, 1\]"):
        check(2)
    with pytest.raises(TypeError, match="integers"):
        check(0.5)
    with pytest.raises(TypeError, match="integers"):
        check(True)


def test_each_choice_has_its_own_range():
    layout = Choices((("move", ("stay", "left", "right")), ("fire", ("no", "yes"))))
    check = ActionChecker(layout, (2,), "refuse")
    np.testing.assert_array_equal(check([[2, 1], [0, 0]]), [[2, 1], [0, 0]])
    with pytest.raises(ValueError, match=r"action 2 at index \(1, 1\)"):
        check([[2, 1], [0, 2]])

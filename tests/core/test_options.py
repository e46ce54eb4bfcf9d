"""Options that worlds have in common are said once, in the class above."""

import inspect
from typing import Annotated, Any, Literal, get_type_hints

import pytest

from envsuite import card
from envsuite.cli.facts import facts
from envsuite.core import Between, World
from envsuite.core.world import make_world


class Common(World):
    """What both worlds share."""

    def __init__(self, *, size: Annotated[int, Between(2, 5)] = 3, mode: Literal["calm", "wild"] = "calm"):
        self.size, self.mode = size, mode


class Narrow(Common):
    """A world with another default, and an option of its own."""

    def __init__(self, *, size: Annotated[int, Between(2, 9)] = 4, fast: bool = False, **options: Any):
        super().__init__(size=size, **options)
        self.fast = fast


HERE = f"{__name__}:Narrow"


def test_options_of_the_class_above_are_options():
    parameters = inspect.signature(Narrow).parameters
    assert list(parameters) == ["size", "fast", "mode"]
    assert [one.default for one in parameters.values()] == [4, False, "calm"]
    hints = get_type_hints(Narrow.__init__, include_extras=True)
    assert hints["mode"] == Literal["calm", "wild"]
    assert hints["size"].__metadata__ == (Between(2, 9),)
    made = Narrow(mode="wild", fast=True)
    assert (made.size, made.mode, made.fast) == (4, "wild", True)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"mode": "mad"}, ValueError, "mode is 'mad', expected one of 'calm', 'wild'"),
        ({"size": 7}, ValueError, "size is 7, expected a whole number from 2 to 5"),  # both classes hold to theirs
        ({"size": 10}, ValueError, "size is 10, expected a whole number from 2 to 9"),
        ({"fast": 1}, ValueError, "fast is 1, expected True or False"),
        ({"speed": 1}, TypeError, "Narrow has no option 'speed'; its options are ['fast', 'mode', 'size']"),
    ],
)
def test_both_constructors_hold_to_their_annotations(options, kind, words):
    with pytest.raises(kind) as caught:
        make_world(HERE, **options)
    assert str(caught.value) == words


def test_facts_tell_what_inherited_options_may_be():
    told = facts(card("Duel"))
    assert told["options_allowed"]["stages"] == "a whole number from 1 to 12"
    assert told["options_allowed"]["frame_skip"] == "a whole number from 1 to 60"
    assert told["options_known"]["frame_skip"] == "4"

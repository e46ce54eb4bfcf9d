"""Words in and out, pictures, keys."""

import json

import numpy as np
import pytest

from envsuite.agents.human import HumanPolicy
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.fighting.kernel import DuelVersusWorld, DuelWorld
from envsuite.fighting.language import legal_macros
from envsuite.fighting.params import DIRECTION_NAMES, MACRO_NAMES
from tests.fighting.common import Bout, luck_inputs


def test_descriptions_are_short_and_true():
    bout = Bout("juno", "esker", gap=60)
    longest = 0
    for row in luck_inputs(np.random.default_rng(0), 800, 1):
        bout.batch.step(row, bout.batch.done)
        for agent in range(2):
            told = json.loads(companion(bout.world, Words).describe(bout.state, agent))
            longest = max(longest, len(companion(bout.world, Words).describe(bout.state, agent)))
            assert told["you"]["hp"] == bout.fighter(agent)["hp"]
            assert told["distance"] == abs(int(bout.fighter(0)["x"]) - int(bout.fighter(1)["x"])) // 256
            assert len(told["events"]) <= 5
    assert longest < 1100


def test_macro_descriptions_list_what_is_possible():
    world = DuelWorld(actions="macro24", frame_skip=30, character="esker")
    batch = Batch(world, 1, num_threads=1)
    batch.seed([0])
    batch.reset()
    legal = legal_macros(batch.states[0], world.params[0], 0)
    possible = {name for name, yes in zip(MACRO_NAMES, legal, strict=True) if yes}
    assert not possible & {"super", "ex_special", "special_236", "special_623"}
    text = companion(world, Words).describe(batch.states[0])
    assert len(text) <= 900
    assert "jab(4,38)" in text
    assert "super" not in text
    batch.states["fighters"]["meter"][0, 0] = 3000
    batch.states["fighters"]["charge_back"][0, 0] = 40
    legal = legal_macros(batch.states[0], world.params[0], 0)
    possible = {name for name, yes in zip(MACRO_NAMES, legal, strict=True) if yes}
    assert possible >= {"super", "special_236", "special_214", "ex_special"}
    assert "special_623" not in possible


def test_threats_and_advantage():
    bout = Bout(gap=40)
    bout.perform(2)
    told = json.loads(companion(bout.world, Words).describe(bout.state, 1))
    assert told["threats"] == ["5HP in 8, reach 60, mid"]
    while not bout.fighter(0)["hit"]:
        bout.step()
    mine, theirs = (
        json.loads(companion(bout.world, Words).describe(bout.state, k))["you_act_earlier_by"] for k in range(2)
    )
    assert mine == -theirs == 0
    assert json.loads(companion(bout.world, Words).describe(bout.state, 1))["events"] == ["1 ago, you: hurt 83"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("direction: forward, button: MP", [5, 2]),
        ('{"direction": "down_back", "button": "none"}', [0, 0]),
        ("direction neutral button throw", [4, 7]),
        ("", RefusalKind.EMPTY),
        ("forward", RefusalKind.WRONG_COUNT),
        ('{"direction": "forward", "button": ', RefusalKind.WRONG_COUNT),
        ("direction: sideways, button: MP", RefusalKind.UNKNOWN_NAME),
    ],
)
def test_reading_pairs(text, wanted):
    read = companion(DuelWorld(), Words).parse(text, Bout().state)
    if isinstance(wanted, RefusalKind):
        assert isinstance(read, Refusal)
        assert read.kind == wanted
    else:
        assert read.tolist() == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("sweep", MACRO_NAMES.index("sweep")),
        ('I will {"action": "jump_in"}', MACRO_NAMES.index("jump_in")),
        ("sweep, then throw", RefusalKind.AMBIGUOUS),
        ("24", RefusalKind.OUT_OF_RANGE),
        ("super", RefusalKind.ILLEGAL),
        ("ex_special", RefusalKind.ILLEGAL),
        ("{sweep}", RefusalKind.UNREADABLE),
    ],
)
def test_reading_macros(text, wanted):
    read = companion(DuelWorld(actions="macro24"), Words).parse(text, Bout().state)
    assert (read.kind if isinstance(read, Refusal) else read) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dash_forward, sweep", ["dash_forward", "sweep", None]),
        ('{"actions": ["jab", "jab", "special_214"]}', ["jab", "jab", "special_214"]),
        ('{"first": "poke", "second": "none"}', ["poke", None, None]),
        ("", RefusalKind.EMPTY),
        ("jab, jab, jab, jab", RefusalKind.WRONG_COUNT),
        ("jab, fly", RefusalKind.UNKNOWN_NAME),
        ("super, jab", RefusalKind.ILLEGAL),
        ("jab, super", ["jab", "super", None]),
    ],
)
def test_reading_queues(text, wanted):
    read = companion(DuelWorld(actions="queue"), Words).parse(text, Bout().state)
    if isinstance(wanted, RefusalKind):
        assert isinstance(read, Refusal)
        assert read.kind == wanted
    else:
        assert read.tolist() == [24 if name is None else MACRO_NAMES.index(name) for name in wanted]


def test_keys_of_one_and_two_people():
    world = DuelVersusWorld()
    batch = Batch(world, 1, num_threads=1)
    batch.seed([0])
    output = batch.reset()
    held = {"d", "f", "left", "o"}
    both = HumanPolicy(world, lambda: held, people=2)
    both.reset(np.ones(1, bool), np.zeros(1, int))
    actions = both.act(output.observations, batch.states)
    forward, back = DIRECTION_NAMES.index("forward"), DIRECTION_NAMES.index("back")
    assert actions.tolist() == [[[forward, 1], [back, 3]]]
    alone = companion(DuelWorld(actions="buttons"), Controls).keys()
    assert alone["w", "d", "u"].tolist() == [1, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    assert alone["left", "k"].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 1, 0]
    named = companion(DuelWorld(actions="macro24"), Controls).keys()
    assert named["2",] == MACRO_NAMES.index("special_623")
    with pytest.raises(ValueError, match="not 2"):
        HumanPolicy(DuelWorld(), lambda: held, people=2)


def test_pictures_show_boxes_on_demand():
    bout = Bout(gap=40)
    bout.perform(2)
    bout.wait(8)
    plain = companion(bout.world, Pictures).draw(bout.state, (384, 224))
    companion(bout.world, Pictures).view = "boxes"
    boxed = companion(bout.world, Pictures).draw(bout.state, (384, 224))
    assert plain.shape == boxed.shape == (224, 384, 3)
    assert (plain != boxed).any()
    companion(bout.world, Pictures).view = "fixed"
    assert companion(bout.world, Pictures).draw(bout.state, (84, 84)).std() > 10
    before = plain.copy()
    bout.set(0, x=bout.fighter(0)["x"] - 40 * 256)
    assert (companion(bout.world, Pictures).draw(bout.state, (384, 224)) != before).any()

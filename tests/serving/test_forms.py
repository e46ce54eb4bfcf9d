import json
import math

import numpy as np
import pytest
from gymnasium import spaces

import envsuite
from envsuite.core.world import make_world
from envsuite.serving.forms import array, plain, schemas, space_form, space_of
from envsuite.serving.protocol import encode


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_keep_all_their_bits(dtype):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2 ** (8 * np.dtype(dtype).itemsize), 20_000, dtype=np.uint64)
    numbers = bits.astype(f"u{np.dtype(dtype).itemsize}").view(dtype)
    numbers = np.concatenate([numbers[~np.isnan(numbers)], np.array([0.0, -0.0, np.inf, -np.inf], dtype)])
    back = array(json.loads(encode(plain(numbers))), dtype)
    assert back.tobytes() == numbers.tobytes()
    assert math.isnan(array(json.loads(encode(plain(np.array([[np.nan, 1]], dtype)))), dtype)[0, 0])


def test_integers_and_flags_come_back():
    for one in (np.arange(-3, 3, dtype=np.int8), np.array([[True, False]]), np.array([2**63 - 1])):
        back = array(json.loads(encode(plain(one))), one.dtype)
        assert back.dtype == one.dtype
        assert np.array_equal(back, one)


def test_spaces_come_back():
    wide = spaces.Box(np.float32([-np.inf, 0.1]), np.float32([np.inf, 0.3]))
    for one in (wide, spaces.Discrete(5), spaces.MultiDiscrete([2, 3]), spaces.Box(0, 2, (3, 2), np.int8)):
        assert space_of(json.loads(encode(space_form(one)))) == one


def test_every_schema_is_one_and_fits_the_actions():
    jsonschema = pytest.importorskip("jsonschema")
    for card in envsuite.cards().values():
        if not card.playable or len(card.options.get("network", "")) or card.agents > 100:
            continue
        world = make_world(card.world, **card.options)
        found = schemas(card, world)
        for one in found.values():
            jsonschema.Draft202012Validator.check_schema(one)
        space = world.action.space()
        space.seed(0)
        action = plain(np.asarray(space.sample()))
        given = dict.fromkeys(world.agents, action) if world.agents else action
        jsonschema.validate({"action": given}, found["action"])
        for bad in ({}, {"action": given, "text": "x"}, {"action": "x"}, {"other": 1, "action": given}):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(bad, found["action"])

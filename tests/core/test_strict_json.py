"""JSON of strangers is read strictly."""

import json

import pytest

from envsuite.core.strict_json import loads


@pytest.mark.parametrize("value", [{"a": [1, 2.5, None, True], "b": {"a": "ä"}}, [], "x", 3])
def test_reads_what_json_writes(value):
    assert loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 1}', "the key 'a' stands there twice"),
        ('{"x": [{"b": 1, "c": 2, "b": 3}]}', "the key 'b' stands there twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("{", "Expecting"),
        ("9" * 5000, "digits"),
    ],
    ids=range(8),
)
def test_refuses_with_value_errors(text, message):
    with pytest.raises(ValueError, match=message):
        loads(text)

"""Words: what a text says, what can be wrong with it, and how that is counted."""

import json
import re
from importlib.resources import files

import numpy as np
import pytest

from envsuite.core.companions import Words, companion
from envsuite.core.jit import records
from envsuite.tower_defense.kernel import BulwarkWorld, commands
from envsuite.tower_defense.language import TextFault
from envsuite.tower_defense.params import WAIT
from envsuite.tower_defense.ratings import Decision, Validity, decision_of
from envsuite.tower_defense.state import site_names
from tests.tower_defense.common import batch_of, randomly

GOOD = '{"X": -1.9, "Y": 1.2, "Action": 0}'


def parsed(text, actions="xyc", level=1):
    world = BulwarkWorld(level=level, actions=actions)
    return companion(world, Words).parse(text, batch_of(1, level=level).states[0])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("  ", 25),
        ("I cannot decide.", 20),
        ('{"X": 1, "Y": 1, "Action":', 20),
        (GOOD + GOOD, 26),
        ('{"X": 1, "Y": 1}', 21),
        ('{"X": 1, "Y": 1, "Action": 6, "Why": "I wait"}', 21),
        ('{"X": "1", "Y": 1, "Action": 99}', 22),
        ('{"X": true, "Y": 1, "Action": 1}', 22),
        ('{"X": NaN, "Y": 1, "Action": 1}', 22),
        ('{"X": 1, "Y": 1, "Action": 1.5}', 22),
        ('{"X": 9, "Y": 1, "Action": 12}', 23),
        ('{"X": 9, "Y": 1, "Action": -1}', 23),
        ('{"X": 3.01, "Y": 1, "Action": 9}', 24),
        ('{"X": 0, "Y": -4, "Action": 9}', 24),
    ],
)
@pytest.mark.parametrize("actions", ["xyc", "grid", "site"])
def test_faults_in_their_order(text, code, actions):
    fault = parsed(text, actions)
    assert isinstance(fault, TextFault)
    assert fault.code == code
    assert str(code) in fault.reason


def test_one_answer_in_every_encoding():
    said = f"The site near the bend. {GOOD}"
    assert np.allclose(parsed(said), [-1.9 / 3, 0.4, -11 / 12])
    assert parsed(said, "grid").tolist() == [4, 16, 0]
    assert site_names()[parsed(said, "site")] == "build_ballista_S0"
    assert parsed('{"action": "blaze"}', "site") == 313
    fault = parsed('{"X": 0, "Y": 2.9, "Action": 1}', "site")
    assert fault.code == 6, "no site there: the site encoding has no such command"


def test_commands_survive_the_way_through_words():
    """Places of commands, written to two decimals, lead back to the same command."""
    batch = batch_of(6, level="multi")
    for _ in randomly(batch, 80, np.random.default_rng(1)):
        pass
    params = records(batch.world.params)
    for state, mask in zip(batch.states, batch.last.info["action_mask"], strict=True):
        for number in np.flatnonzero(mask):
            kind, _, x, y = commands.of_number(params[int(state["level"])], number)
            text = json.dumps({"X": round(x / 1024, 2), "Y": round(y / 1024, 2), "Action": int(kind)})
            again = commands.of_number(params[int(state["level"])], companion(batch.world, Words).parse(text, state))
            assert again[0] == kind
            assert max(abs(again[2] - x), abs(again[3] - y)) <= 30


def test_description_hides_what_the_fog_hides():
    batch = batch_of(30, level=5)
    hidden = 0
    for _ in randomly(batch, 120, np.random.default_rng(3)):
        pass
    for state in batch.states:
        now = json.loads(companion(batch.world, Words).describe(state))["now"]
        shown = {enemy["id"] for enemy in now["enemies"]}
        for enemy in state["enemies"]:
            if enemy["alive"]:
                assert (f"E{int(enemy['id'])}" in shown) == (enemy["hidden"] == 0)
                hidden += int(enemy["hidden"])
        built = {f"S{k}" for k, site in enumerate(state["sites"]) if site["type"] >= 0}
        assert set(now["towers"]) == built
        assert now["gold"] == state["gold"]
    assert hidden > 0


def test_counting_by_hand():
    """Two invalid commands, one of them repeated, one broken text, two waits, one idle look at a range."""
    wait, broken = Decision(WAIT), Decision(WAIT, 20)
    bad, look = Decision(0, 2, (5, 5)), Decision(5, 0, (5, 5))
    good = Decision(0, 0, (5, 5), effective=True)
    counted = Validity.of_episode([bad, wait, bad, broken, look, good, wait, Decision(3, 4, (1, 1))])
    assert (counted.decisions, counted.attempts, counted.valid, counted.effective) == (8, 6, 2, 1)
    assert counted.repeated == 1
    assert counted.rate == 2 / 6
    assert counted.format_error_rate == 1 / 8
    assert counted.wait_share == 2 / 8
    assert counted.codes == {0: 4, 2: 2, 4: 1, 20: 1}
    # as the original counts: reset + bad + bad + look + good; the last is never seen, the broken text waits
    assert (counted.original_total, counted.original_invalid) == (5, 2)
    twice = Validity.pooled([counted, counted])
    assert twice.rate == counted.rate
    assert twice.codes[2] == 4


def test_counts_of_the_record_agree():
    batch = batch_of(1, level=2)
    luck, made = np.random.default_rng(4), []
    for _ in range(60):
        batch.step(luck.integers(0, 315, 1))
        made.append(decision_of(batch.states[0]))
    counted = Validity.of_episode(made)
    info = batch.last.info[0]
    assert info["decisions"] == 60
    assert {code: n for code, n in enumerate(info["faults"].tolist()) if n} == dict(counted.codes)
    assert info["waits"] == 60 - counted.attempts
    assert counted.rate < 0.7


def test_schema_and_grammar_say_what_is_understood():
    """Both files, read here by hand, against the parser."""
    folder = files("envsuite.tower_defense.language")
    schema = json.loads(folder.joinpath("answer.schema.json").read_text(encoding="utf-8"))
    assert schema["required"] == ["X", "Y", "Action"] == list(schema["properties"])
    assert not schema["additionalProperties"]
    good = {"X": 0, "Y": 0, "Action": 6}
    for name, kind in schema["properties"].items():
        for value in (kind["minimum"], kind["maximum"]):
            assert not isinstance(parsed(json.dumps({**good, name: value})), TextFault), value
        outside = parsed(json.dumps({**good, name: kind["maximum"] + 1}))
        assert outside.code == (23 if name == "Action" else 24)
    rules = dict(
        line.split(" ::= ", 1)
        for line in folder.joinpath("answer.gbnf").read_text(encoding="utf-8").splitlines()
        if "::=" in line
    )
    parts = {name: _pattern(rules[name], {}) for name in ("coordinate", "command")}
    whole = re.compile(_pattern(rules["root"], parts))
    for x, y, command in ((-3, 3, 11), (2.99, -0.01, 0), (0, -2.5, 9), (1.9, 1, 10)):
        text = f'{{"X": {x}, "Y": {y}, "Action": {command}}}'
        assert whole.fullmatch(text), text
        assert not isinstance(parsed(text), TextFault)
    for text in ('{"X": 3.1, "Y": 0, "Action": 6}', '{"X": 0, "Y": 0, "Action": 12}', '{"X": 0, "Action": 6}', "wait"):
        assert not whole.fullmatch(text), text
        assert isinstance(parsed(text), TextFault)


def _pattern(rule: str, names: dict[str, str]) -> str:
    """A rule without recursion as a regular expression."""
    pattern = ""
    for token in re.findall(r'"(?:\\.|[^"\\])*"[?*]?|\[[^\]]*\][?*]?|[()|?]|[a-z]+', rule):
        if token.startswith('"'):
            text = re.escape(json.loads(token.rstrip("?*")))
            pattern += f"(?:{text}){token[-1]}" if token[-1] in "?*" else text
        elif token.isalpha():
            pattern += f"(?:{names[token]})"
        else:
            pattern += token
    return pattern

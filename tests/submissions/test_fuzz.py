"""Mutated descriptions, results and lists of digests are read or refused with ValueError, never anything else."""

import json

import numpy as np
import pytest

from envsuite.agents.onnx import Action, Interface, State
from envsuite.evaluation.results import Result
from envsuite.submissions.info import Submission
from envsuite.submissions.intake import read_sums

TOKENS = [
    *("1e999", "nan", "inf", "-1", "true", "[]", "{}", '""', "10" * 300, "9" * 5000, "[1,[2]]", "'x'", "1979-05-27"),
    *("0x10", '"\\ud800"', '"\\u0000"', '"\x7f"', "[[a]]", "a.b=1", "null", '"' + "x" * 3000 + '"', "\u202e"),
]

TOML = Submission("t", 1, "m", "s", "2026-11-01", "offline", ["a"], "1", [1], {"a": 3}).to_toml()
JSON = Interface("e", Action("clip", (0.0,), (1.0,)), states=(State("a", "b", (3,)),)).to_json()
SUMS = f"{'0' * 64}  README.md\n{'1' * 64}  actions/a-1.npz\n"
RESULT = Result(
    "a", "b", {}, "c", 1, 2, True, 3, 2, 0.5, [0.0, 1.0], [3, 4], [True, False], {"m": [0.0, None]}, 0.5, 0.1, 1.0,
    None, None, None, "1",
)  # fmt: skip


def mutated(text: str, generator) -> str:
    for _ in range(int(generator.integers(1, 4))):
        place = int(generator.integers(len(text)))
        token = TOKENS[int(generator.integers(len(TOKENS)))]
        match generator.integers(4):
            case 0:
                text = text[:place] + chr(int(generator.integers(1, 300))) + text[place + 1 :]
            case 1:
                text = text[:place] + text[place + int(generator.integers(1, 6)) :]
            case 2:
                text = text[:place] + token + text[place:]
            case _:
                lines = text.split("\n")
                line = int(generator.integers(len(lines)))
                for sign, end in (("=", ""), (":", ",")):
                    if sign in lines[line]:
                        lines[line] = f"{lines[line].split(sign)[0]}{sign} {token}{end}"
                text = "\n".join(lines)
    return text


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (Submission.from_toml, TOML),
        (Interface.from_json, JSON),
        (lambda text: Result.from_json(text.replace("\n", " ")), json.dumps(json.loads(RESULT.to_json()), indent=0)),
        (read_sums, SUMS),
    ],
    ids=["submission.toml", "policy.json", "results.jsonl", "SHA256SUMS"],
)
def test_mutations_are_read_or_refused(read, text):
    generator = np.random.default_rng(13)
    read(text)
    refused = 0
    for _ in range(1_500):
        try:
            read(mutated(text, generator))
        except ValueError:
            refused += 1
    assert 500 < refused < 1_500

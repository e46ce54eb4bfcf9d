"""What strangers' files may take of the verifier's memory."""

import sys

import pytest

from envsuite.submissions import memory
from envsuite.submissions.build import seal
from envsuite.submissions.memory import limited
from envsuite.submissions.refusal import RefusedError

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is Linux's")


def test_more_memory_than_allowed_is_a_refusal_and_the_limit_ends_with_the_context():
    with pytest.raises(RefusedError, match="reading it takes more than 100,000,000 bytes"), limited(100_000_000):
        bytearray(200_000_000)
    assert len(bytearray(200_000_000)) == 200_000_000


def test_limits_within_limits_stay():
    with pytest.raises(RefusedError), limited(100_000_000), limited(1 << 40):
        bytearray(200_000_000)


def test_results_that_grow_when_they_are_read_are_refused(bench, folder, monkeypatch):
    monkeypatch.setattr(memory, "READING", 200_000_000)
    # a gigabyte of lists: a process that has freed much memory before takes that first
    (folder / "results.jsonl").write_text("[" + "[]," * 15_000_000 + "[]]\n")
    seal(folder)
    with pytest.raises(RefusedError) as caught:
        bench.verify(folder, 0)
    assert caught.value.kind == "memory"

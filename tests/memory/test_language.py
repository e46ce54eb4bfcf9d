"""Memory tasks through the language-agent runner: the memory of a model is its conversation."""

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

from envsuite.cli import main
from envsuite.testing.chat import ChatServer, last_prompt


def told(body: dict[str, Any]) -> str:
    """All that a request says, in order."""
    contents = [one["content"] for one in body["messages"]]
    return "\n".join(one if isinstance(one, str) else one[0]["text"] for one in contents)


def reader(body: dict[str, Any]) -> str:
    """Walks on to the fifth cell, and turns as the last sign in the conversation said; left if it holds none."""
    signs = re.findall(r"A sign says: turn (left|right)", told(body))
    at_end = "You are 5 cells" in last_prompt(body)
    return f"Action: {(signs or ['left'])[-1] if at_end else 'forward'}"


@pytest.mark.parametrize(("history", "least", "most"), [("8", 1.0, 1.0), ("0", 0.0, 0.6)])
def test_a_reader_with_its_conversation_passes_all_corridors(tmp_path, monkeypatch, history, least, most):
    """And one without guesses: three corridors need luck."""
    monkeypatch.setenv("TEST_KEY", "sk-test-0123456789abcdef")
    with ChatServer(reader) as server:
        head = ("agents", "run", "--env", "EndlessTMazeFixed3x5", "--model", "reader", "--base-url", server.url)
        rest = ("--key-variable", "TEST_KEY", "--out", tmp_path, "--episodes", 20, "--history", history, "--json")
        result = CliRunner().invoke(main, [str(one) for one in (*head, *rest)])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert least <= found["estimates"]["is_success"]["value"] <= most
    assert found["first_valid"] == found["turns"]

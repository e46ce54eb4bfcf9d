"""From a model's answer to the text that a world parses."""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from envsuite.agents.chat.completion import Completion
from envsuite.core.language import RefusalKind

FORM_OF_TEXT = (
    'Think as long as you need, then end with one line that begins with "Action:" and holds the action alone.'
)
FORM_OF_JSON = 'Answer with a JSON object of two texts: "thought", your reasoning, and "action", the action alone.'

SCHEMA: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "action",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"thought": {"type": "string"}, "action": {"type": "string"}},
            "required": ["thought", "action"],
            "additionalProperties": False,
        },
    },
}
"""The ``response_format`` of structured answers."""

_MARK = re.compile(r"^[\s*#>_`]*action[\s*_`]*:[\s*_`]*", re.IGNORECASE | re.MULTILINE)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.IGNORECASE | re.DOTALL)
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.IGNORECASE | re.DOTALL)


class Fault(StrEnum):
    """Ways in which an answer holds no action at all; worlds know further ones, see `RefusalKind`."""

    REFUSED = "refused"
    CUT_OFF = "cut_off"
    NOT_JSON = "not_json"
    NO_ACTION = "no_action"


INVALID = tuple(str(kind) for kind in (*Fault, *RefusalKind))
"""All kinds of invalid answers, as logs and reports name them."""


@dataclass(frozen=True)
class Invalid:
    """Why an answer is no action.

    Attributes:
        kind: one of `INVALID`.
        reason: one sentence that says how to do better.
        code: the world's own number for it; 0 for none.
    """

    kind: str
    reason: str
    code: int = 0


def action_text(completion: Completion, structured: bool) -> str | Invalid:
    """The part of an answer that should be an action.

    Args:
        completion: the answer.
        structured: it should be a JSON object; else free text, of which what follows the last line that begins with
            ``Action:`` counts, or, without such a line, all but reasoning in ``<think>`` marks.

    Returns:
        The text, or why there is none.
    """
    if completion.refused:
        return Invalid(Fault.REFUSED, "the answer declines to act")
    if completion.cut:
        return Invalid(Fault.CUT_OFF, "the answer was cut off at its length limit; answer more briefly")
    text = _THOUGHT.sub("", completion.text)
    if structured:
        return _from_json(text)
    marks = list(_MARK.finditer(text))
    return text[marks[-1].end() :].strip().strip("*`").strip() if marks else text.strip()


def _from_json(text: str) -> str | Invalid:
    if not text.strip():
        return ""
    fenced = _FENCE.findall(text)
    try:
        data = json.loads(fenced[-1] if fenced else text)
    except (ValueError, RecursionError):
        return Invalid(Fault.NOT_JSON, "the answer is not one JSON object")
    if not isinstance(data, dict):
        return Invalid(Fault.NOT_JSON, "the answer is JSON, but not an object")
    action = data.get("action")
    if isinstance(action, str):
        return action
    if action is None or isinstance(action, bool):
        return Invalid(Fault.NO_ACTION, 'the object has no "action"')
    return json.dumps(action)

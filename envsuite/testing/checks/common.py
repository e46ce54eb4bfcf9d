"""What the checks share."""

import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass

from envsuite.cards import EnvCard

STEPS = 1000
"""Steps of the long comparisons."""


def steps_for(card: EnvCard) -> int:
    """Steps of the long comparisons: fewer where each is one of many agents, or an engine's."""
    return max(4, min(STEPS, 8 * STEPS // card.agents) // (4 if card.engine else 1))


def traced(card: EnvCard) -> tuple[int, int]:
    """Steps of comparisons of front ends, and a length limit by which episodes end several times within."""
    steps = max(4, steps_for(card) // 4)
    limit = max(1, steps // 4)
    return steps, min(card.horizon or limit, limit)


class NotApplicable(Exception):  # noqa: N818  (not an error)
    """A check that has nothing to look at, for a stated reason."""


@dataclass(frozen=True)
class Outcome:
    """Result of one check: ``"ok"``, ``"failed"`` or ``"n/a"``, with the reason."""

    check: str
    result: str
    detail: str = ""


@contextmanager
def strict():
    """Warnings as errors, and windows without a screen."""
    previous = os.environ.get("SDL_VIDEODRIVER")
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        if previous is None:
            del os.environ["SDL_VIDEODRIVER"]
        else:
            os.environ["SDL_VIDEODRIVER"] = previous


def only_several(card: EnvCard) -> None:
    """Raise `NotApplicable` for environments of a single agent."""
    if card.agents == 1:
        raise NotApplicable("single agent")


def ended(step) -> bool:
    """Whether a Gymnasium step ended the episode."""
    return bool(step[2] or step[3])

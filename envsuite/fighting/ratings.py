"""How a fight is judged: what a player asks for, what becomes of its attacks, and whom it fought."""

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from envsuite.core import Referee
from envsuite.fighting.params import LEVELS, MACRO_NAMES

_SUMS = ("decisions", "repeated", "hits", "blocked", "whiffs", "interrupted", "dealt", "taken", "idle", "frames")


@dataclass
class FightAudit:
    """Counts over one or more fights; add them with `+`.

    Attributes:
        codes: answers by the world's codes of errors; fights have none.
        asked: what was asked for, by how often: macros, or whole actions of encodings without macros.
        decisions: valid ones.
        repeated: that were the same as the one before.
        hits: attacks that hit.
        blocked: attacks that were blocked.
        whiffs: attacks that met nothing.
        interrupted: attacks that a blow ended before they met.
        dealt: damage.
        taken: damage.
        idle: frames in which the fighter stood and did nothing.
        frames: all frames.
    """

    codes: Counter = field(default_factory=Counter)
    asked: Counter = field(default_factory=Counter)
    decisions: int = 0
    repeated: int = 0
    hits: int = 0
    blocked: int = 0
    whiffs: int = 0
    interrupted: int = 0
    dealt: int = 0
    taken: int = 0
    idle: int = 0
    frames: int = 0

    def __add__(self, other: "FightAudit") -> "FightAudit":
        sums = {name: getattr(self, name) + getattr(other, name) for name in _SUMS}
        return FightAudit(self.codes + other.codes, self.asked + other.asked, **sums)

    @property
    def entropy(self) -> float:
        """Of what was asked for, bits; 0 for one thing only."""
        total = self.asked.total()
        return sum(count / total * math.log2(total / count) for count in self.asked.values()) if total else 0.0

    def numbers(self) -> dict[str, float]:
        """Entropy and shares by name; shares of nothing are 0."""
        attacks = self.hits + self.blocked + self.whiffs + self.interrupted
        return {
            "entropy": self.entropy,
            "repeats": _share(self.repeated, self.decisions),
            "attacks_hit": _share(self.hits, attacks),
            "attacks_blocked": _share(self.blocked, attacks),
            "attacks_whiffed": _share(self.whiffs, attacks),
            "attacks_interrupted": _share(self.interrupted, attacks),
            "damage_share": _share(self.dealt, self.dealt + self.taken),
            "inactive": _share(self.idle, self.frames),
        }

    def label(self, code: int) -> str:
        """What a code means."""
        return f"error {code}"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


class FightAuditor:
    """Watches the first fighter of one episode.

    Args:
        form: its encoding of actions.
    """

    def __init__(self, form: str):
        self._form = form
        self._audit = FightAudit()
        self._before: tuple[int, ...] | None = None

    def note(self, state, action, faults, acted: bool) -> None:
        """See `envsuite.agents.audit.Auditor`."""
        audit = self._audit
        if not acted:
            self._before = None
            return
        chosen = tuple(int(k) for k in np.reshape(action, -1))
        audit.decisions += 1
        audit.repeated += chosen == self._before
        self._before = chosen
        audit.asked.update([k for k in chosen if k < len(MACRO_NAMES)] if self._form == "queue" else [chosen])

    def result(self, state) -> FightAudit:
        """See `envsuite.agents.audit.Auditor`."""
        audit, own, other = self._audit, state["fighters"][0], state["fighters"][1]
        for name in ("hits", "blocked", "whiffs", "interrupted", "dealt"):
            setattr(audit, name, int(own[name]))
        audit.taken, audit.idle, audit.frames = int(other["dealt"]), int(own["idle_frames"]), int(state["frames"])
        return audit


class FightReferee(Referee):
    """Judges both kinds of fights."""

    def auditor(self):
        """What is asked for, and what becomes of it."""
        return FightAuditor(self.world.form)


class DuelVersusReferee(FightReferee):
    """One player's gain is the other's loss."""

    zero_sum = True


class DuelReferee(FightReferee):
    """Play against computer players, who have ratings."""

    def opponent(self, metrics):
        """A computer player by its level; policies have no names that hold from one fight to the next."""
        level = int(metrics["other_level"])
        return (f"level {level}", (float(metrics["won"]) + 1) / 2) if 0 < level <= LEVELS else None

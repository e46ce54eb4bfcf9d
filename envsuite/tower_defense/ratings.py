"""How play is judged: how many commands were valid, counted over decisions, text that is no command included.

TowerMind reports a valid action rate. As its code has it (`Validity.original`), the first observation counts as a
command, the last command never does, and a text that is no command passes for waiting and leaves the count.
`Validity.rate` counts every attempt.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from envsuite.core import Referee
from envsuite.tower_defense.params import ERRORS, WAIT

FIRST_TEXT_FAULT = 20
"""Error codes from here on are `envsuite.tower_defense.language.TEXT_FAULTS`; the others are errors of commands."""

NEARBY = 3
"""Decisions within which the same error of the same command counts as repeated."""


@dataclass(frozen=True)
class Decision:
    """What came of one decision.

    Attributes:
        command: number of the command; `WAIT` where the text was none.
        error: 0, an error of the command, or a text fault.
        place: what it was aimed at, to tell commands apart.
        effective: it changed the future.
    """

    command: int
    error: int = 0
    place: tuple[int, ...] = ()
    effective: bool = False

    @property
    def attempt(self) -> bool:
        """Whether something was tried: all but waiting on purpose."""
        return self.command != WAIT or self.error != 0


@dataclass
class Validity:
    """Counts over the decisions of one or more episodes; add them with `+`.

    Attributes:
        decisions: all of them.
        attempts: those that were not waiting on purpose.
        valid: attempts without an error.
        effective: attempts that changed the future.
        repeated: attempts that repeat a command that had the same error within the last three decisions.
        codes: decisions by error code.
        original_total: commands as TowerMind counts them.
        original_invalid: those with an error, as TowerMind counts them.
    """

    decisions: int = 0
    attempts: int = 0
    valid: int = 0
    effective: int = 0
    repeated: int = 0
    codes: Counter = field(default_factory=Counter)
    original_total: int = 0
    original_invalid: int = 0

    @classmethod
    def of_episode(cls, decisions: Sequence[Decision]) -> "Validity":
        """Count the decisions of one episode, in order."""
        counted = cls(decisions=len(decisions), codes=Counter(one.error for one in decisions))
        for k, one in enumerate(decisions):
            counted.attempts += one.attempt
            counted.valid += one.attempt and one.error == 0
            counted.effective += one.attempt and one.effective
            counted.repeated += one.error != 0 and any(
                _same(one, before) for before in decisions[max(0, k - NEARBY) : k]
            )
        counted.original_total = 1  # the first observation
        for one in decisions[:-1]:
            if one.command != WAIT:
                counted.original_total += 1
                counted.original_invalid += 0 < one.error < FIRST_TEXT_FAULT
        return counted

    @classmethod
    def pooled(cls, parts: Iterable["Validity"]) -> "Validity":
        """Counts of several episodes together."""
        return sum(parts, cls())

    def __add__(self, other: "Validity") -> "Validity":
        names = ("decisions", "attempts", "valid", "effective", "repeated", "original_total", "original_invalid")
        numbers = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Validity(codes=self.codes + other.codes, **numbers)

    @property
    def rate(self) -> float:
        """Valid attempts of all attempts; 1 where nothing was tried."""
        return self.valid / self.attempts if self.attempts else 1.0

    @property
    def original(self) -> float:
        """The valid action rate as TowerMind's code has it."""
        return 1 - self.original_invalid / self.original_total if self.original_total else 1.0

    @property
    def format_error_rate(self) -> float:
        """Decisions whose text was no command."""
        faults = sum(count for code, count in self.codes.items() if code >= FIRST_TEXT_FAULT)
        return faults / self.decisions if self.decisions else 0.0

    @property
    def wait_share(self) -> float:
        """Decisions to wait."""
        return 1 - self.attempts / self.decisions if self.decisions else 0.0

    @property
    def repeat_rate(self) -> float:
        """Attempts that repeat a mistake."""
        return self.repeated / self.attempts if self.attempts else 0.0

    @property
    def effective_rate(self) -> float:
        """Attempts that changed the future."""
        return self.effective / self.attempts if self.attempts else 0.0

    def numbers(self) -> dict[str, float]:
        """All rates by name."""
        return {
            "valid_actions": self.rate,
            "valid_actions_original": self.original,
            "format_errors": self.format_error_rate,
            "waits_share": self.wait_share,
            "repeated_mistakes": self.repeat_rate,
            "effective_actions": self.effective_rate,
        }

    def label(self, code: int) -> str:
        """What a code means."""
        from envsuite.tower_defense.language import TEXT_FAULTS

        return f"error {code}: {TEXT_FAULTS.get(code) or ERRORS.get(code, 'unknown')}"


_CODES = {"refused": 25, "empty": 25, "not_json": 20, "no_action": 21, "cut_off": 27}
"""Codes of answers in which no text for the world was found, by kind."""


class BulwarkAuditor:
    """Counts the answers of one episode.

    A decision that ends without a valid answer counts by its answers alone: what is played instead is not the player's.
    """

    def __init__(self):
        self._decisions: list[Decision] = []

    def note(self, state, action, faults, acted: bool) -> None:
        """See `envsuite.agents.audit.Auditor`."""
        for fault in faults:
            self._decisions.append(Decision(WAIT, fault.code or _CODES.get(fault.kind, FIRST_TEXT_FAULT)))
        if acted:
            self._decisions.append(decision_of(state))

    def result(self, state) -> Validity:
        """See `envsuite.agents.audit.Auditor`."""
        return Validity.of_episode(self._decisions)


def _same(one: Decision, before: Decision) -> bool:
    return (one.command, one.error, one.place) == (before.command, before.error, before.place)


def decision_of(state) -> Decision:
    """The last decision that a record of the game reports."""
    last = state["last"]
    place = (int(last["x"]), int(last["y"]))
    return Decision(int(last["command"]), int(last["error"]), place, bool(last["effective"]))


class TowerReferee(Referee):
    """Scores compare whatever the forms of actions, senses and words, and the pace of decisions."""

    comparable = frozenset({"actions", "bins", "senses", "words", "decision_ticks"})


class BulwarkReferee(TowerReferee):
    """Counts how many commands are valid."""

    def auditor(self):
        """See `Validity`."""
        return BulwarkAuditor()


class BulwarkVersusReferee(TowerReferee):
    """One side's gain is the other's loss; counts of one player's commands would say nothing of two."""

    zero_sum = True

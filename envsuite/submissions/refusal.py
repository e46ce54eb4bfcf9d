"""Why a submission is turned down."""

from typing import Literal

Kind = Literal[
    "files",
    "schema",
    "arithmetic",
    "plausibility",
    "duplicate",
    "replay",
    "policy",
    "output",
    "time",
    "memory",
    "crash",
    "signature",
    "season",
]


class RefusedError(ValueError):
    """A submission, or its policy, is turned down.

    Attributes:
        kind: what is wrong: its files, their schema, arithmetic, plausibility, things given twice, a replay that
            departs, a policy that is not allowed, its output, its time, its memory, its end, the signature, or the
            rules of the season.
        reason: for people; names the file and the value.
    """

    def __init__(self, kind: Kind, reason: str):
        # strangers' names stand in reasons, and reasons on terminals
        self.reason = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in reason)
        self.kind: Kind = kind
        super().__init__(f"{kind}: {self.reason}")

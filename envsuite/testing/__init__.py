"""The public conformance kit: run it on your own environments.

`CHECKS` maps a name to a function of one `envsuite.cards.EnvCard` that raises `AssertionError` with an explanation, or
`NotApplicable`; `run_checks` runs them all.
"""

from envsuite.testing.checks import CHECKS, NotApplicable, Outcome, run_checks

__all__ = ["CHECKS", "NotApplicable", "Outcome", "run_checks"]

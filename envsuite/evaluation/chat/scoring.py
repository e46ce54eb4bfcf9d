"""Scores from records alone: every answer is read again, every step is played again, nobody is asked."""

import asyncio
import functools
import math
import operator
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envsuite.agents.chat.answers import INVALID
from envsuite.agents.chat.completion import Completion
from envsuite.cards import EnvCard
from envsuite.core.companions import Referee, companion
from envsuite.core.world import make_world
from envsuite.evaluation.chat.episode import Outcome, play_episode
from envsuite.evaluation.chat.journal import Journal, Place, Spent, completion_of, recorded
from envsuite.evaluation.chat.settings import Record
from envsuite.scoring import Estimate, episode_interval, proportion_interval


class _EndOfRecordError(Exception):
    """The record has no further answer."""


@dataclass
class Scores:
    """What a record is worth.

    Attributes:
        record: the folder.
        outcomes: of the episodes with an end, by seed.
        open: seeds of episodes that were asked for and have no end.
        spent: calls and tokens, of open episodes too.
        failures: calls without an answer, by kind.
        seconds: (answers,) from request to answer, sorted.
        models: names that the endpoint gave itself, with the numbers of answers.
    """

    record: Record
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    open: list[int] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)
    failures: Counter[str] = field(default_factory=Counter)
    seconds: np.ndarray = field(default_factory=lambda: np.zeros(0))
    models: Counter[str] = field(default_factory=Counter)

    @property
    def whole(self) -> bool:
        """Whether all episodes have their end. Means over some of them favour short episodes."""
        return not self.open

    @property
    def cost(self) -> float | None:
        """Money spent; None without a price, or where the endpoint did not count all tokens."""
        price = self.record.price
        return None if price is None or self.spent.uncounted else price.cost(self.spent.usage)

    def returns(self) -> np.ndarray:
        """(episodes, [objectives]) float64, in the order of seeds."""
        return np.stack([one.returns for one in self.outcomes.values()])

    def invalid(self) -> dict[str, int]:
        """Numbers of invalid answers in finished episodes, all kinds."""
        total = sum((one.invalid for one in self.outcomes.values()), Counter())
        return {kind: total[kind] for kind in INVALID}

    def _audit(self) -> Any:
        audits = [one.audit for one in self.outcomes.values() if one.audit is not None]
        return functools.reduce(operator.add, audits) if audits else None

    def pooled(self) -> dict[str, float]:
        """What the world judges of all finished episodes' answers together; empty where it judges nothing."""
        audit = self._audit()
        return audit.numbers() if audit else {}

    def codes(self) -> dict[str, int]:
        """Answers by the world's own codes of errors, with what they mean."""
        audit = self._audit()
        return {audit.label(code): count for code, count in sorted(audit.codes.items()) if code} if audit else {}

    def count(self, name: str) -> int:
        """Sum of one of the counts of `Outcome` over finished episodes."""
        return sum(getattr(one, name) for one in self.outcomes.values())

    def estimates(self) -> dict[str, Estimate]:
        """Means with 95 % intervals over episodes; empty where no episode has its end.

        Returns:
            ``return`` (one for each objective, where there are several), ``normalised`` where the environment has
            anchors and the default options, ``length``, and every scalar metric.
        """
        if not self.outcomes:
            return {}
        card, returns = self.record.settings.card(), self.returns()
        found: dict[str, Estimate] = {}
        if returns.ndim > 1:
            names = card.objectives or tuple(map(str, range(returns.shape[1])))
            found |= {f"return: {name}": episode_interval(returns[:, k]) for k, name in enumerate(names)}
        else:
            found["return"] = episode_interval(returns)
            if card.scale and comparable(card):
                zero, one = (score.mean for score in card.scale)
                found["normalised"] = episode_interval((returns - zero) / (one - zero))
        outcomes = list(self.outcomes.values())
        found["length"] = episode_interval(np.array([one.length for one in outcomes]))
        for name in outcomes[0].metrics:
            values = np.stack([one.metrics[name] for one in outcomes])
            if values.ndim > 1:
                continue
            flag = values.dtype == np.bool_
            found[name] = proportion_interval(int(values.sum()), len(values)) if flag else episode_interval(values)
        return found

    @property
    def latency(self) -> list[float] | None:
        """Seconds of an answer, the median and what 95 % stay within; None where no answer was timed."""
        return np.quantile(self.seconds, [0.5, 0.95]).tolist() if self.seconds.size else None

    @property
    def tokens_per_second(self) -> float | None:
        """Tokens of answers for each second of the world's clock; None where it has none, or tokens are not counted."""
        time = sum(one.seconds for one in self.outcomes.values())
        known = self.whole and not self.spent.uncounted and time > 0
        return self.spent.usage.completion / time if known else None

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        settings, usage = self.record.settings, self.spent.usage
        estimates = {name: {"value": e.value, "low": e.low, "high": e.high} for name, e in self.estimates().items()}
        return {
            "id": settings.env_id,
            "model": settings.model,
            "others": [model for model, _ in settings.others],
            "models": dict(self.models),
            "behaviour": settings.behaviour,
            "episodes": len(self.outcomes),
            "open": list(self.open),
            "first_seed": settings.first_seed,
            "estimates": {
                name: {key: value if math.isfinite(value) else None for key, value in numbers.items()}
                for name, numbers in estimates.items()
            },
            "returns": {str(seed): one.returns.tolist() for seed, one in self.outcomes.items()},
            "agent_returns": {str(seed): one.agent_returns.tolist() for seed, one in self.outcomes.items()},
            "turns": self.count("turns"),
            "first_valid": self.count("first_valid"),
            "fallbacks": self.count("fallbacks"),
            "answers": self.count("answers"),
            "invalid": self.invalid(),
            "pooled": self.pooled(),
            "codes": self.codes(),
            "calls": self.spent.calls,
            "failures": dict(self.failures),
            "tokens": {name: getattr(usage, name) for name in usage.__dataclass_fields__},
            "answers_without_token_count": self.spent.uncounted,
            "cost": self.cost,
            "currency": self.record.price.currency if self.record.price else None,
            "latency": self.latency,
            "tokens_per_second": self.tokens_per_second,
        }


def comparable(card: EnvCard) -> bool:
    """Whether the options are those of the anchors, but for some that leave scores comparable."""
    import envsuite

    usual = envsuite.card(card.id).options
    free = companion(make_world(card.world, **card.options), Referee).comparable
    return all(name in free or card.options.get(name) == usual.get(name) for name in {*card.options, *usual})


def score(record: Record) -> Scores:
    """Score a record: play its answers again and compare every step, reward and final state with what was written.

    Args:
        record: of conversations; nothing in it is changed.

    Raises:
        ValueError: the record departs from what its answers lead to; the message names the first place. Or the
            environment behaves otherwise than at the time of the record.
    """
    card, found, seconds = record.settings.card(), Scores(record), []
    for seed in record.seeds:
        journal = Journal(record.journal(seed))
        found.spent.add_journal(journal)
        found.failures.update(event["kind"] for event in journal.failures)
        for event in journal.answers.values():
            completion = completion_of(event)
            seconds.append(completion.seconds)
            found.models[completion.model] += 1
        outcome = _replayed(record, card, seed, journal)
        if outcome is None:
            found.open.append(seed)
        else:
            found.outcomes[seed] = outcome
    found.seconds = np.sort(np.array(seconds, np.float64))
    return found


def _replayed(record: Record, card: Any, seed: int, journal: Journal) -> Outcome | None:
    """What the answers of an episode lead to; None where they do not lead to its end."""
    used: set[Place] = set()

    async def ask(place: Place, messages: list[dict[str, Any]], prompt: str, picture: Any) -> Completion:
        known = recorded(journal, place, messages)
        if known is None:
            raise _EndOfRecordError
        used.add(place)
        return known

    try:
        outcome = asyncio.run(play_episode(card, record.settings, seed, ask, journal))
    except _EndOfRecordError:
        if journal.end is not None:
            raise ValueError(f"{journal.path}: an end is recorded, but the answers do not lead there") from None
        return None
    if unused := sorted(set(journal.answers) - used):
        raise ValueError(f"{journal.path}: {len(unused)} answers belong to no step, the first to {unused[0]}")
    return outcome

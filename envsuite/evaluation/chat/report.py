"""Records of language agents as text and as one self-contained HTML page."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import envsuite
from envsuite.evaluation.chat.scoring import Scores
from envsuite.evaluation.report import escaped, page, scrolled
from envsuite.scoring import Estimate, table

_SHARES = (
    ("first_valid", "valid at the first answer", "turns"),
    ("fallbacks", "without a valid answer", "turns"),
)


def as_text(scores: Scores) -> str:
    """All numbers of a record in lines.

    Args:
        scores: from `envsuite.evaluation.chat.scoring.score`.
    """
    settings = scores.record.settings
    lines = [
        f"{settings.env_id}, {' against '.join(settings.models)}, {len(scores.outcomes)} episodes, "
        f"seeds from {settings.first_seed}; estimate [95 % interval over episodes]"
    ]
    rows = [*((name, _interval(one)) for name, one in scores.estimates().items()), *_facts(scores)]
    width = max(len(name) for name, _ in rows) + 2
    lines += [f"  {name:<{width}}{value}" for name, value in rows]
    if warning := _warning(scores):
        lines.append(warning)
    return "\n".join(lines)


def as_page(records: Sequence[Scores], title: str = "Language agents") -> str:
    """Several records side by side.

    Args:
        records: see `as_text`.
        title: heading.

    Returns:
        HTML that asks for nothing from outside.
    """
    when = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    parts = [
        f"<h1>{escaped(title)}</h1>",
        f'<p class="note">Brackets: 95 % intervals over episodes. All scores were computed again from the recorded '
        f"answers. envsuite {escaped(envsuite.__version__)}, {when}.</p>",
    ]
    for env_id in dict.fromkeys(one.record.settings.env_id for one in records):
        here = [one for one in records if one.record.settings.env_id == env_id]
        parts += [f"<h2>{escaped(env_id)}</h2>", *_scores(here), *_validity(here), *_costs(here)]
        parts += [f'<p class="note">{escaped(warning)}</p>' for one in here if (warning := _warning(one))]
    return page(title, parts)


def _scores(here: list[Scores]) -> list[str]:
    found = [one.estimates() for one in here]
    names = list(dict.fromkeys(name for one in found for name in one))
    rows = [
        (_name(scores), len(scores.outcomes), *(_interval(one[name]) if name in one else "" for name in names))
        for scores, one in zip(here, found, strict=True)
    ]
    rows += _anchors(here[0], names)
    return ["<h3>Scores</h3>", scrolled(table(("model", "episodes", *names), rows, "html"))]


def _anchors(one: Scores, names: list[str]) -> list[tuple[Any, ...]]:
    """Rows of the players by whom scores are normalised."""
    card = one.record.settings.card()
    rows = []
    for share, score in zip(("0", "1"), card.scale or (), strict=False):
        if "normalised" in names:
            known = {"return": f"{score.mean:.4g} (± {score.standard_error:.2g})", "normalised": share}
            rows.append((score.policy, score.episodes, *(known.get(name, "") for name in names)))
    return rows


def _validity(here: list[Scores]) -> list[str]:
    kinds = [kind for kind in here[0].invalid() if any(one.invalid()[kind] for one in here)]
    header = ("model", "turns", *(label for _, label, _ in _SHARES), "answers", *kinds)
    rows = []
    for one in here:
        shares = [_share(one.count(name), one.count(over)) for name, _, over in _SHARES]
        counts = [_share(one.invalid()[kind], one.count("answers")) for kind in kinds]
        rows.append((_name(one), f"{one.count('turns'):,}", *shares, f"{one.count('answers'):,}", *counts))
    parts = ["<h3>Invalid answers by kind</h3>", scrolled(table(header, rows, "html"))]
    pooled, codes = [one.pooled() for one in here], [one.codes() for one in here]
    for title, columns, form in (("All answers together", pooled, "{:.4g}"), ("By the world's codes", codes, "{:,}")):
        names = list(dict.fromkeys(name for column in columns for name in column))
        if names:
            cells = [[form.format(column[name]) if name in column else "" for name in names] for column in columns]
            lines = [(_name(one), *row) for one, row in zip(here, cells, strict=True)]
            parts += [f"<h3>{escaped(title)}</h3>", scrolled(table(("model", *names), lines, "html"))]
    return parts


def _costs(here: list[Scores]) -> list[str]:
    rows = []
    for one in here:
        usage = one.spent.usage
        latency = [f"{value:.2f}" for value in one.latency or ()] or ["", ""]
        counts = (one.spent.calls, one.spent.failed, usage.prompt, usage.cached, usage.completion, usage.reasoning)
        pace = "" if one.tokens_per_second is None else f"{one.tokens_per_second:.4g}"
        rows.append((_name(one), *(f"{count:,}" for count in counts), _cost(one), *latency, pace))
    header = ("model", "calls", "failed", "tokens in", "cached", "tokens out", "reasoning", "cost")
    timed = ("median s", "95 % s", "tokens out a second of game")
    return ["<h3>Calls</h3>", scrolled(table((*header, *timed), rows, "html"))]


def _facts(scores: Scores) -> list[tuple[str, str]]:
    usage = scores.spent.usage
    facts = [(label, f"{_share(scores.count(name), scores.count(over))} of turns") for name, label, over in _SHARES]
    facts += [
        (f"invalid: {kind}", f"{_share(count, scores.count('answers'))} of answers")
        for kind, count in scores.invalid().items()
        if count
    ]
    facts += [(f"all answers: {name}", f"{value:.4g}") for name, value in scores.pooled().items()]
    facts += [(label, f"{count:,}") for label, count in scores.codes().items()]
    facts.append(("calls", f"{scores.spent.calls:,}, {scores.spent.failed:,} without an answer"))
    facts += [(f"failed: {kind}", f"{count:,}") for kind, count in sorted(scores.failures.items())]
    facts.append(("tokens in", f"{usage.prompt:,}, {usage.cached:,} of them cached"))
    facts.append(("tokens out", f"{usage.completion:,}, {usage.reasoning:,} of them reasoning"))
    if scores.latency is not None:
        facts.append(("seconds an answer", "{:.2f}, 95 % within {:.2f}".format(*scores.latency)))
    if scores.tokens_per_second is not None:
        facts.append(("tokens out a second of game", f"{scores.tokens_per_second:.4g}"))
    return [*facts, ("cost", _cost(scores))]


def _warning(scores: Scores) -> str:
    notes = []
    if not scores.whole:
        done, all_ = len(scores.outcomes), scores.record.episodes
        notes.append(
            f"{_name(scores)}: only {done} of {all_} episodes have their end; means over them favour short episodes. "
            "Give the same `run` command again to go on."
        )
    if scores.spent.uncounted:
        notes.append(f"{scores.spent.uncounted} answers came without a count of tokens: tokens and cost are unknown.")
    return " ".join(notes)


def _name(scores: Scores) -> str:
    """The model or models, and the options that are not the environment's own."""
    settings = scores.record.settings
    usual = envsuite.card(settings.env_id).options
    options = [f"{key}={value}" for key, value in sorted(settings.options.items()) if usual.get(key) != value]
    options += ["realtime"] if settings.clock == "realtime" else []
    models = " against ".join(settings.models)
    return f"{models} ({', '.join(options)})" if options else models


def _cost(scores: Scores) -> str:
    if scores.record.price is None:
        return "unknown: no prices given"
    if scores.cost is None:
        return "unknown: tokens not counted"
    return f"{scores.cost:.6g} {scores.record.price.currency}"


def _share(count: int, total: int) -> str:
    return f"{count:,} ({100 * count / total:.1f} %)" if total else "0"


def _interval(found: Estimate) -> str:
    return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"

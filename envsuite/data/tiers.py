"""Tiers by rule: the recipes that every environment has by its card, and how families differ from that."""

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from envsuite.cards import EnvCard, datasets_folder

DEFAULTS: dict[str, Any] = {
    "tiers": ["random", "mixed", "expert"],
    "episodes": 200,
    "small": 3,
    "licence": "CC0-1.0",
    "citation": "{source}",
    "tier": {
        "random": {
            "title": "{name}: uniformly random",
            "summary": "Every action is drawn uniformly, among the legal ones where the world has a mask.",
            "first_seed": 100_000_000,
            "policies": [{"policy": "random"}],
        },
        "mixed": {
            "title": "{name}: random and expert episodes",
            "summary": "Half of the episodes each by the random policy and by the reference policy; the column of "
            "policies tells which.",
            "first_seed": 400_000_000,
            "policies": [{"policy": "random"}, {"policy": "expert"}],
        },
        "expert": {
            "title": "{name}: the {expert}",
            "summary": "The reference policy ({expert}), which sees the true state.",
            "first_seed": 500_000_000,
            "policies": [{"policy": "expert"}],
        },
    },
}
"""What a family's rules are added to: names of tiers, keys of all recipes, and under ``tier`` keys of single ones.

``small`` is the number of episodes of the small form. In texts ``{name}`` is the environment's name, ``{expert}`` its
reference policy, ``{Expert}`` the same at the beginning of a sentence, ``{source}`` the card's source, ``{lower}`` the
name in small letters. Names of counterparts are such texts too."""

_TEXTS = ("title", "summary", "citation")


def tier_ids(card: EnvCard) -> dict[str, str]:
    """Ids of an environment's datasets by rule, and their tiers; none where it has no anchor scores."""
    if not (card.random and card.expert) or "dataset" in card.not_applicable:
        return {}
    return {f"{slug(card)}/{tier}-v{_version(card)}": tier for tier in _rules_of(card)["tiers"]}


def tier_recipe(card: EnvCard, tier: str) -> dict[str, Any]:
    """One recipe by rule, as a table such as files hold, without what only generation can tell.

    Args:
        card: of the environment, with anchor scores.
        tier: one of the values of `tier_ids`.

    Raises:
        ValueError: a rule names a tier that nothing describes, or a text with an unknown name in braces.
    """
    rules = _rules_of(card)
    tiers, _ = rules.pop("tier"), rules.pop("tiers")
    if tier not in tiers:
        raise ValueError(f"{card.family}: the rules describe no tier {tier!r}, only {', '.join(sorted(tiers))}")
    found = _add(rules, tiers[tier])
    player = card.expert.policy if card.expert else ""
    words = {"name": _name(card), "lower": _name(card).lower(), "source": card.source}
    words |= {"expert": player, "Expert": player[:1].upper() + player[1:]}
    for key in _TEXTS:
        found[key] = _filled(found[key], words, f"{card.family}: {key} of {tier}")
    published = [
        {**one, "name": _filled(one["name"], words, f"{card.family}: a counterpart of {tier}")}
        for one in found.get("counterparts", [])
    ]
    anchors = {"low": dataclasses.asdict(card.random), "high": dataclasses.asdict(card.expert)}  # ty: ignore
    return {
        **found,
        "schema": 1,
        "id": f"{slug(card)}/{tier}-v{_version(card)}",
        "tier": tier,
        "env_id": card.id,
        "behaviour": card.behaviour,
        "small": {"episodes": found["small"]},
        "anchors": {"calibrated": anchors, **found.get("anchors", {})},
        "counterparts": published,
    }


def _filled(text: str, words: Mapping[str, str], where: str) -> str:
    try:
        return text.format_map(words)
    except KeyError as error:
        raise ValueError(f"{where} names {error}, expected one of {sorted(words)}") from None


def slug(card: EnvCard) -> str:
    """The name in small letters, its words parted by hyphens: ``quad-hover-gpd`` of QuadHoverGPD."""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", _name(card)).lower()


def _name(card: EnvCard) -> str:
    return card.id.split("/")[-1].rpartition("-v")[0]


def _version(card: EnvCard) -> str:
    return card.id.rpartition("-v")[2]


def _rules_of(card: EnvCard) -> dict[str, Any]:
    """The defaults, and on them one after another the family's rules for the environment."""
    found = _add({}, DEFAULTS)
    for rule in _family_rules(datasets_folder() / card.family / "rules.toml"):
        if any(fnmatchcase(_name(card), pattern) for pattern in rule.get("envs", ["*"])):
            found = _add(found, {key: value for key, value in rule.items() if key != "envs"})
    return found


@lru_cache
def _family_rules(path: Path) -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads(path.read_text(encoding="utf-8"))["rule"]) if path.is_file() else ()


def _add(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of both, the new value first, tables added up likewise; a size in steps replaces one in episodes."""
    sizes = {"episodes", "transitions"}
    found = {key: value for key, value in old.items() if key not in sizes or not sizes & new.keys()}
    for key, value in new.items():
        found[key] = _add(found.get(key, {}), value) if isinstance(value, Mapping) else value
    return found

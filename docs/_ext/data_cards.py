"""The datasets on the pages of environments, and the table of all of them, from recipes and locks: no data are made."""

import json
from pathlib import Path

from gallery import title

import envsuite
from envsuite.cards import EnvCard, datasets_with, locked
from envsuite.data import Recipe, load_recipe
from envsuite.data.card import returns_lines, table

HOW = """`envsuite datasets generate ID` makes a dataset on your machine, bit for bit as described here, and
`envsuite.data.load("ID")` opens it. [Datasets](../datasets.md) explains tiers and columns. Normalised returns are 0 for
random play and 100 for the reference player.
"""


def data_cards(card: EnvCard) -> list[str]:
    """The section of an environment's page about its datasets; nothing where there are none."""
    names = sorted(datasets_with(card.id), key=lambda name: load_recipe(name).first_seed)
    if not names:
        return []
    parts = ["## Datasets\n", HOW, lines(table(HEADER, [row(name) for name in names]))]
    groups: dict[str, list[str]] = {}
    for name in names:
        parts += [f"### {name}\n", one_card(load_recipe(name))]
        groups.setdefault(json.dumps(locked()[name]["columns"]), []).append(name)
    for group in groups.values():
        columns = locked()[group[0]]["columns"].items()
        rows = [[f"`{name}`", f"`{kind}`", " × ".join(map(str, ["rows", *shape]))] for name, (kind, *shape) in columns]
        parts += [f"### Columns{'' if len(groups) == 1 else ' of ' + ', '.join(group)}\n"]
        parts += [lines(table(["column", "type", "shape"], rows))]
    return parts


HEADER = ["dataset", "tier", "episodes", "steps", "size", "return, mean ± std", "normalised", "hash"]


def row(name: str, page: str = "") -> list[str]:
    """A dataset in a line, with a link to its card on a page."""
    found, recipe = locked()[name], load_recipe(name)
    returns = next(one for label, one in found["table"].items() if label in ("return", "return 0"))
    score = found["table"].get("normalised (calibrated)")
    return [
        f"[{name}]({page}#{name.replace('/', '')})",
        recipe.tier,
        f"{found['episodes']:,}",
        f"{found['steps']:,}",
        f"{found['bytes'] / 1e6:,.1f} MB",
        f"{returns[1]:,.1f} ± {returns[2]:,.1f}",
        f"{score[1]:,.1f}" if score else "",
        f"`{found['hash'][:12]}`",
    ]


def one_card(recipe: Recipe) -> str:
    """What a dataset is, how it is generated, and what came out."""
    found = locked()[recipe.id]
    total = sum(one.weight for one in recipe.policies)
    size = f"{recipe.transitions:,} steps" if recipe.transitions else f"{recipe.episodes:,} episodes"
    versions = ", ".join(f"{name} {one}" for name, one in sorted(found["versions"].items()))
    facts = [
        ("played by", "; ".join(f"{one.label} ({one.weight / total:.0%})" for one in recipe.policies)),
        ("seeds", f"from {recipe.first_seed:,} on, until there are {size}"),
        ("options", f"`{json.dumps(recipe.options)}`" if recipe.options else ""),
        ("length limit", f"{recipe.horizon:,} steps" if recipe.horizon else ""),
        ("ends", f"{found['terminated']:,} terminated, {found['truncated']:,} truncated"),
        ("takes the place of", "; ".join(f"`{one.name}` (equal: {one.equal})" for one in recipe.counterparts)),
        ("hash", f"`{found['hash']}`"),
        ("behaviour", f"`{found['behaviour']}`"),
        ("licence", recipe.licence),
        ("cite", recipe.citation),
        ("made with", versions),
    ]
    parts = [recipe.title + ".", "", recipe.summary, "", *table(["", ""], [list(one) for one in facts if one[1]])]
    return lines([*parts, "", *returns_lines(found["table"])])


def overview(source: Path) -> str:
    """The page with the table of all datasets."""
    parts = ["# All datasets\n", HOW.replace("\n", " ") + "Returns of several objectives are those of the first.\n"]
    families: dict[str, list[list[str]]] = {}
    for name, found in locked().items():
        page = f"{found['env_id'].split('/')[-1]}.md"
        families.setdefault(envsuite.card(found["env_id"]).family, []).append(row(name, page))
    for family, rows in families.items():
        parts += [f"## {title(family, source)}\n", lines(table(HEADER, rows))]
    return "\n".join(parts)


def lines(parts: list[str]) -> str:
    """A block of text."""
    return "\n".join(parts) + "\n"

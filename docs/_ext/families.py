"""Sphinx extension: the page that maps which world has which files and companions of its own."""

from pathlib import Path

from environments import table
from gallery import slug, title

import envsuite
from envsuite.core.companions import Controls, Logs, Pictures, Players, Referee, Words, companion_class
from envsuite.core.declare import declarations
from envsuite.core.world import world_class

KINDS = (Pictures, Words, Controls, Players, Logs, Referee)
RECORDS = ("Params", "State", "Info")


def rows(family: str) -> list[tuple[str, ...]]:
    """A row for each world of a family: its ids, its file, and what it has of its own."""
    found: dict[str, list[str]] = {}
    for card in envsuite.cards().values():
        if card.family == family and card.world:
            found.setdefault(card.world, []).append(slug(card))
    lines = []
    for path, ids in sorted(found.items()):
        world = world_class(path)
        own = [companion_class(world, kind) for kind in KINDS]
        cells = [
            "" if one is kind else f"`{one.__module__.split('.')[-1]}`" for one, kind in zip(own, KINDS, strict=True)
        ]
        declared = declarations(world)
        records = ", ".join(name for name in RECORDS if name in declared)
        first = f"[{ids[0]}](environments/{ids[0]}.md)" + (f" and {len(ids) - 1} more" if len(ids) > 1 else "")
        lines.append((first, f"`{path.split(':')[0].removeprefix('envsuite.')}`", records, *cells))
    return lines


def page(source: Path) -> str:
    """The page."""
    parts = [
        "# Families and files\n",
        "For those who read or change the code: the tables say where the rules of each world (the simulator behind an "
        "environment) are, which records it declares, and which file holds its companions (pictures, words, controls, "
        "players, logs, referee). An empty cell means the default of `envsuite.core.companions`. "
        "[](adding-a-world.md) says what belongs into which file.\n",
    ]
    header = ("world", "rules in", "declared", *(kind.__name__ for kind in KINDS))
    for family in sorted({card.family for card in envsuite.cards().values()}):
        parts += [f"## {title(family, source)}\n", table(header, rows(family))]
    return "\n".join(parts)


def generate(app) -> None:
    """Write it."""
    (Path(app.srcdir) / "families.md").write_text(page(Path(app.srcdir)), encoding="utf-8")


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}

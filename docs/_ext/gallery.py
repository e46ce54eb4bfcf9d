"""Sphinx extension: moving pictures of all environments, on the page of each family and on one page together."""

from html import escape
from pathlib import Path

import envsuite
from envsuite.cards import EnvCard


def slug(card: EnvCard) -> str:
    """File name of a card's page."""
    return card.id.split("/")[-1]


def families() -> dict[str, list[EnvCard]]:
    """Cards by family."""
    found: dict[str, list[EnvCard]] = {}
    for card in envsuite.cards().values():
        found.setdefault(card.family, []).append(card)
    return dict(sorted(found.items()))


def guide(family: str) -> str:
    """Name of a family's page."""
    return family.replace("_", "-")


def title(family: str, source: Path) -> str:
    """What a family's page calls itself, up to the first colon."""
    first = (source / f"{guide(family)}.md").read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ").partition(":")[0]


def gallery(cards: list[EnvCard], root: str) -> str:
    """Moving pictures with names and summaries, each a link; a still one for who wants no motion.

    Args:
        cards: of the environments.
        root: from the page to the documentation's root, such as ``"../"``.
    """
    tiles = []
    for card in cards:
        name = slug(card)
        page, picture = f"{root}environments/{name}.html", f"{root}_static/gallery/{name}.webp"
        tiles.append(
            f'<a class="tile" href="{page}"><img loading="lazy" src="{picture}" alt="{name} is played">'
            f"<b>{name}</b><span>{escape(card.summary)}</span></a>"
        )
    return '```{raw} html\n<div class="gallery">\n' + "\n".join(tiles) + "\n</div>\n```\n"


def insert(app, name: str, source: list[str]) -> None:
    """Put the gallery of a family, and its pages into the navigation, below the first paragraph of its page."""
    for family, cards in families().items():
        if name == guide(family):
            heading, lead, rest = source[0].split("\n\n", 2)
            pages = "\n".join(f"environments/{slug(card)}" for card in cards)
            toc = f"```{{toctree}}\n:hidden:\n\n{pages}\n```\n"
            source[0] = f"{heading}\n\n{lead}\n\n{gallery(cards, '')}\n{toc}\n{rest}"


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("source-read", insert)
    app.add_css_file("gallery.css")
    return {"parallel_read_safe": True}

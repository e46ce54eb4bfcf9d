"""Sphinx extension: writes a page for every environment from its card, its world and its README."""

import importlib
import inspect
from pathlib import Path

from data_cards import data_cards, overview
from docutils import nodes
from gallery import families, gallery, guide, slug, title
from pictures import draw_all

import envsuite
from envsuite.cards import CAPABILITIES, EnvCard
from envsuite.cli.facts import facts
from envsuite.core.world import make_world
from envsuite.rigid.tables import scene_tables

COLUMNS = ("elements", "name", "low", "high", "unit", "meaning")
CAN = (
    "The columns are: one instance through Gymnasium or PettingZoo (*single*), batches, pictures and texts to observe, "
    "[snapshots](../conventions.md#snapshots), [replays](../conventions.md#replays), a reference player (*expert*), "
    "[datasets](../datasets.md), [baselines](../baselines.md) with published runs, and "
    "[tracks](../evaluation.md#a-track) of the leaderboard.\n"
)
"""What the columns of the matrix mean."""


def table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def page(card: EnvCard) -> str:
    """The page of one environment."""
    found = facts(card)
    parts = [
        f"# {slug(card)}\n",
        f"{card.summary}\n",
        f"![{card.id}]({slug(card)}.webp)\n",
        f"```python\n{usage(card)}\n```\n",
        table(
            ("", ""),
            [
                ("id", f"`{card.id}`"),
                ("source", card.source),
                ("agents", card.agents),
                ("steps an episode", card.horizon or "no limit"),
                ("tags", ", ".join(card.tags)),
                ("[behaviour hash](../conventions.md#behaviour)", f"`{card.behaviour}`"),
            ],
        ),
    ]
    for name in ("observation", "action"):
        rows = [tuple(block[column] for column in COLUMNS) for block in found[name]["blocks"]]
        parts += [f"## {name.capitalize()}\n", f"{found[name]['space']}, for each agent.\n", table(COLUMNS, rows)]
    parts += [
        "## Info\n",
        f"`info` holds {', '.join(f'`{name}`' for name in found['info']) or 'nothing'}.\n",
        "## Options\n",
        "Options are keyword arguments of `gymnasium.make` and envsuite's own functions. This class explains them:\n",
        described(card),
        table(
            ("option", "default", "allowed"),
            [(f"`{k}`", f"`{v}`", found["options_allowed"].get(k, "")) for k, v in found["options_known"].items()],
        ),
        *declared(found["declared"]),
        *bodies(card),
        "## Anchor scores\n",
        "A return is [normalised](../evaluation.md#what-0-and-1-mean) to 0 at "
        f"{'the second' if card.floor else 'the first'} of these scores and to 1 at the last.\n"
        if card.scale
        else "",
        table(
            ("policy", "mean return", "standard error", "episodes"),
            [
                (score.policy, f"{score.mean:.4g}", f"{score.standard_error:.2g}", score.episodes)
                for score in (card.random, card.floor, card.expert)
                if score
            ],
        ),
        f"Not ranked by return: {card.unranked}\n" if card.unranked else "",
        f"Policies learn on [`{card.trained_on}`]({slug(envsuite.card(card.trained_on))}.md), and are tried here.\n"
        if card.trained_on
        else "",
        *data_cards(card),
        "## Capabilities\n",
        CAN,
        table(CAPABILITIES, [tuple(card.capability(name) for name in CAPABILITIES)]),
        "## Rules and sources\n",
        rules(card),
    ]
    return "\n".join(parts)


def declared(tables: dict[str, list[dict[str, str]]]) -> list[str]:
    """The tables of constants, state and metrics."""
    titles = {"Params": "Constants", "State": "State", "Info": "Metrics"}
    parts = []
    for name, rows in tables.items():
        used = [column for column in rows[0] if any(row[column] for row in rows)]
        parts += [f"## {titles[name]}\n", table(tuple(used), [tuple(row[column] for column in used) for row in rows])]
    return parts


def bodies(card: EnvCard) -> list[str]:
    """The tables of a scene of rigid bodies, if the world has one."""
    made = getattr(make_world(card.world, **card.options), "compiled", None)
    if made is None:
        return []
    said = "Scene of [rigid bodies](../rigid-bodies.md#a-scene): kilograms, metres, radians, seconds.\n"
    return ["## Bodies\n", said, scene_tables(made.scene)]


def described(card: EnvCard) -> str:
    """The docstrings of the world's class, and of those above to which it passes options on, which explain options."""
    module, _, name = card.world.partition(":")
    shown = []
    for one in getattr(importlib.import_module(module), name).__mro__:
        init = getattr(vars(one).get("__init__"), "__wrapped__", None)
        if not shown or init is not None:
            shown.append(f".. autoclass:: {one.__module__}.{one.__qualname__}\n   :noindex:\n\n")
        if init is not None and not any(p.kind is p.VAR_KEYWORD for p in inspect.signature(init).parameters.values()):
            break
    return f"```{{eval-rst}}\n{''.join(shown)}```\n"


def usage(card: EnvCard) -> str:
    """How to make it."""
    if card.agents == 1:
        return f'import gymnasium\nimport envsuite\n\nenv = gymnasium.make("{card.id}")'
    return f'import envsuite\n\nenv = envsuite.parallel_env("{card.id}")'


def rules(card: EnvCard) -> str:
    """The world's README, its headings one level down."""
    folder = Path(envsuite.__file__).parent.joinpath(*card.world.split(":")[0].split(".")[1:-1])
    if not (folder / "README.md").is_file():  # a world in one file says them in its docstring
        return (importlib.import_module(card.world.split(":")[0]).__doc__ or "") + "\n"
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    body = lines[1:] if lines[0].startswith("# ") else lines
    text = "\n".join("#" + line if line.startswith("#") else line for line in body) + "\n"
    for other in envsuite.cards().values():
        text = text.replace(f"(../{other.world.split('.')[-2]}/README.md)", f"({slug(other)}.md)")
    return text


def index(source: Path) -> str:
    """Everything that there is, by family, and what can be done with it."""
    parts = [
        "# All environments\n",
        f"There are {len(envsuite.cards())} environments. The pictures show the reference player of each; a click "
        "leads to its page with rules, spaces, options and scores.\n",
    ]
    for family, cards in families().items():
        parts += [f"## [{title(family, source)}](../{guide(family)}.md)\n", gallery(cards, "../")]
    rows = [
        (f"[{slug(card)}]({slug(card)}.md)", *(card.capability(name) for name in CAPABILITIES))
        for card in envsuite.cards().values()
    ]
    return "\n".join([*parts, "## What each can do\n", CAN, table(("environment", *CAPABILITIES), rows)])


def quiet(app, doctree) -> None:
    """Keep data cards and scenes out of the search, where they would bury everything else."""
    for section in doctree.findall(nodes.section):
        if section[0].astext() in ("Datasets", "Bodies"):
            section["classes"].append("no-search")


def generate(app) -> None:
    """Write all pages."""
    folder = Path(app.srcdir) / "environments"
    folder.mkdir(exist_ok=True)
    draw_all(folder)
    for card in envsuite.cards().values():
        (folder / f"{slug(card)}.md").write_text(page(card), encoding="utf-8")
    (folder / "index.md").write_text(index(Path(app.srcdir)), encoding="utf-8")
    (folder / "datasets.md").write_text(overview(Path(app.srcdir)), encoding="utf-8")


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    app.connect("doctree-read", quiet)
    return {"parallel_read_safe": True}

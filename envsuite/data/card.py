"""Data cards: a page for people about a dataset, with its numbers and two pictures, made from the data alone."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.data.dataset import Dataset
from envsuite.data.recipes import recipe_ids
from envsuite.data.statistics import returns_table, statistics
from envsuite.evaluation.tracks import Anchor

_POINTS = 20_000
"""Observations in the coverage picture, at most."""


def write_card(data: Dataset, folder: str | Path, *, figures: bool = True) -> Path:
    """Write the card of a dataset.

    Args:
        data: whole.
        folder: gets ``NAME.md`` and, with figures, ``NAME.png``.
        figures: draw the returns' histogram and the coverage (needs matplotlib).

    Returns:
        The page.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = data.manifest.id.replace("/", "-")
    picture = f"{name}.png" if figures else None
    if picture:
        write_atomic(folder / picture, figure(data))
    page = folder / f"{name}.md"
    write_atomic(page, card(data, picture))
    return page


def card(data: Dataset, picture: str | None = None) -> str:
    """The text of a card, Markdown.

    Args:
        data: whole.
        picture: file name of its figure; None without one.
    """
    manifest, about, found = data.manifest, data.manifest.about, statistics(data)
    lines = [f"# {manifest.id}", "", about.title, "", about.summary, ""]
    options = f", options `{json.dumps(manifest.source.options)}`" if manifest.source.options else ""
    behaviour = f", behaviour `{manifest.source.behaviour}`" if manifest.source.behaviour else ""
    facts = [
        ("environment", f"`{manifest.source.id}`{options}{behaviour}"),
        ("observations", manifest.source.observation),
        ("tier", about.tier),
        ("episodes, steps", f"{found['episodes']:,}, {found['steps']:,}"),
        ("size", f"{found['bytes'] / 1e6:,.1f} MB"),
        ("ends", f"{found['terminated']:,} terminated, {found['truncated']:,} truncated"),
        ("hash", f"`{manifest.hash}`"),
        ("licence", about.licence),
        ("cite", about.citation),
    ]
    lines += table(["", ""], [list(fact) for fact in facts if fact[1]])
    if picture:
        lines += ["", f"![Histogram of returns, and coverage of observations]({picture})"]
    lines += ["", "## Returns and lengths", "", *returns_lines(returns_table(found))]
    if about.anchors:
        lines += ["", "## Anchors", "", "Normalised return: 0 is the low anchor, 100 the high one.", ""]
        rows = [
            [name, side, _mean(one), f"{one.episodes:,}" if one.episodes else "", one.policy]
            for name, pair in about.anchors.items()
            for side, one in (("low", pair.low), ("high", pair.high))
        ]
        lines += table(["anchors", "", "return ± standard error", "episodes", "policy"], rows)
    lines += ["", "## Columns", "", *table(["column", "type", "shape", "hash"], _columns(data))]
    if "recipe" in about.origin:
        lines += ["", "## Make it", "", "```", f"envsuite datasets generate {_form(manifest.id)}", "```"]
    elif about.origin:
        origin = {key: value for key, value in about.origin.items() if key != "minari"}
        lines += ["", "## Origin", "", "```json", json.dumps(origin, indent=1, sort_keys=True), "```"]
    versions = ", ".join(f"{name} {one}" for name, one in sorted(about.versions.items()))
    lines += ["", f"Made by {versions}."] if versions else []
    return "\n".join(lines) + "\n"


def _form(name: str) -> str:
    """The recipe of a dataset, and the option for its size."""
    found = re.fullmatch(r"(.*)-(small|\d+)-(v\d+)", name)
    if found is None or name in recipe_ids():
        return name
    size = "--small" if found[2] == "small" else f"--episodes {found[2]}"
    return f"{found[1]}-{found[3]} {size}"


def _mean(score: Anchor) -> str:
    """A published constant has no standard error."""
    return f"{score.mean:.3f} ± {score.standard_error:.3f}" if score.episodes else f"{score.mean:.3f}"


_HEADER = ["", "episodes", "mean", "std", "min", "5 %", "25 %", "50 %", "75 %", "95 %", "max"]


def returns_lines(rows: dict[str, list[float]]) -> list[str]:
    """The table of returns and lengths, Markdown.

    Args:
        rows: see `envsuite.data.statistics.returns_table`.
    """
    cells = [[name, f"{count:,}", *(f"{one:,.1f}" for one in numbers)] for name, (count, *numbers) in rows.items()]
    return table(_HEADER, cells)


def _columns(data: Dataset) -> list[list[str]]:
    return [
        [f"`{name}`", f"`{one.dtype}`", " × ".join(f"{size:,}" for size in one.shape), f"`{one.hash[:16]}`"]
        for name, one in sorted(data.manifest.columns.items())
    ]


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """The lines of a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def figure(data: Dataset) -> bytes:
    """The histogram of returns, and where observations lie, as a PNG.

    Coverage is that of the first two numbers of the observation's block ``position``, where it has one; else that of
    the two principal axes of standardised observations, those of largest variance. Counts of steps in hexagons, on a
    logarithmic scale.

    Args:
        data: what to draw.

    Raises:
        ModuleNotFoundError: matplotlib is missing.
    """
    import io

    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    drawing = Figure(figsize=(9, 3.6), layout="constrained", dpi=80)  # small files: there are hundreds of cards
    FigureCanvasAgg(drawing)
    left, right = drawing.subplots(1, 2)
    returns = data.returns if data.returns.ndim == 1 else data.returns[:, 0]
    players = data.columns.get("policies")
    labels = data.manifest.policies or ["all episodes"]
    groups = [returns if players is None else returns[players[data.chosen] == k] for k in range(len(labels))]
    drawn = [(label, group) for label, group in zip(labels, groups, strict=True) if len(group)]
    left.hist([group for _, group in drawn], bins=40, stacked=True, label=[label for label, _ in drawn])
    left.set(xlabel="return of an episode", ylabel="episodes", title="Returns")
    left.legend(fontsize=7)
    right.set(title="Coverage")
    points, axes = _plane(data)
    if points is None:
        right.text(0.5, 0.5, "observations are no vectors", ha="center", va="center", transform=right.transAxes)
    else:
        hexagons = right.hexbin(points[:, 0], points[:, 1], gridsize=45, bins="log", mincnt=1, cmap="viridis")
        drawing.colorbar(hexagons, ax=right, label="steps")
        right.set(xlabel=axes[0], ylabel=axes[1], aspect="equal" if axes[0].startswith("position") else "auto")
    file, small = io.BytesIO(), io.BytesIO()
    drawing.savefig(file, format="png", metadata={"Software": None})
    Image.open(file).convert("RGB").quantize(32).save(small, format="png", optimize=True)
    return small.getvalue()


def _plane(data: Dataset) -> tuple[np.ndarray | None, tuple[str, str]]:
    """Points in the plane that stand for observations, and what the axes are; None for observations without numbers."""
    names = [name for name in data.columns if name.partition(".")[0] == "observations"]
    names = [name for name in names if data.columns[name].dtype.kind in "fi"]
    rng = np.random.Generator(np.random.Philox(0))
    rows = data.rows(np.sort(rng.permutation(len(data))[:_POINTS]))[0]
    parts = [data.columns[name][rows].reshape(len(rows), -1).astype(np.float64) for name in names]
    points = np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))
    if (at := _position(data)) is not None:
        return points[:, at : at + 2], ("position, 1st axis (m)", "2nd axis (m)")
    spread = points.std(axis=0)
    points = (points[:, spread > 0] - points[:, spread > 0].mean(axis=0)) / spread[spread > 0]
    if points.shape[1] < 2 or len(points) < 2:
        return None, ("", "")
    values, axes = np.linalg.eigh(points.T @ points / len(points))
    shares = values[::-1][:2] / values.sum()
    labels = f"1st axis ({shares[0]:.0%} of variance)", f"2nd axis ({shares[1]:.0%})"
    return points @ axes[:, ::-1][:, :2], labels


def _position(data: Dataset) -> int | None:
    """Where the place of a single agent lies in its observation, in metres."""
    source = data.manifest.source
    card = envsuite.cards().get(source.id)
    if card is None or data.manifest.agents or source.observation != "state":
        return None
    layout: Any = make_world(card.world, **{**card.options, **source.options}).observation
    found = [
        one for one in getattr(layout, "blocks", ()) if one.name == "position" and one.size >= 2 and one.unit == "m"
    ]
    return layout.offset("position") if found else None

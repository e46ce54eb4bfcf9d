"""Sphinx extension: pictures, wave tables and files of the tower-defense levels."""

from pathlib import Path

from environments import table
from PIL import Image

from envsuite.tower_defense.levels import benchmark
from envsuite.tower_defense.levels.level import Level
from envsuite.tower_defense.levels.procedural import PRESETS, make
from envsuite.tower_defense.levels.viewer import HEADER, picture, summary, waves


def section(title: str, name: str, level: Level, folder: Path) -> str:
    """Picture and tables of one level."""
    Image.fromarray(picture(level)).save(folder / f"level-{name}.png")
    parts = [f"### {title}\n", f"{summary(level)}.\n", f"![{title}](_generated/level-{name}.png)\n"]
    return "\n".join([*parts, table(HEADER, waves(level))])


def generate(app) -> None:
    """Write what the page includes."""
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    parts = [section(f"Level {k}: {benchmark(k).name}", str(k), benchmark(k), folder) for k in range(1, 6)]
    for name, difficulty in PRESETS.items():
        parts.append(section(f"Made at random, {name}", name, make(0, difficulty).level, folder))
    (folder / "levels.md").write_text("\n".join(parts), encoding="utf-8")


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}

"""An episode as one page that needs no other file: every step, and what is to be known at it."""

import json
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.film import DRAW
from envsuite.submissions.site.replays import animation


def write_viewer(path: str | Path, log: EpisodeLog, episode: int, card: EnvCard) -> None:
    """Write the page, through a temporary name.

    Args:
        path: an HTML file; an existing one is replaced.
        log: recorded episodes, already verified.
        episode: which of them.
        card: its environment, with the options of the log.
    """
    film = json.dumps(animation(log, episode, card, every_step=True), separators=(",", ":"), allow_nan=False)
    assets = files("envsuite.submissions.site") / "assets"
    loader = PackageLoader("envsuite.submissions.site")
    template = Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("viewer.html")
    page = template.render(
        card=card,
        seed=int(log.seeds[episode]),
        options=log.options,
        style=(assets / "style.css").read_text("utf-8"),
        script=DRAW.read_text("utf-8") + (assets / "player.js").read_text("utf-8"),
        film=film.replace("<", "\\u003c"),  # nothing in a film can end its script
        suite_version=envsuite.__version__,
    )
    write_atomic(Path(path), page.encode())

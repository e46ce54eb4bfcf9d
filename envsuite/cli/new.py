"""`envsuite new`: a world to start from."""

import keyword
import os
import re
import tempfile
from pathlib import Path

import click

import envsuite
from envsuite.cards import is_installed
from envsuite.cli.kinds import NewFolder
from envsuite.cli.messages import library_errors

_TEMPLATE = Path(__file__).parent / "template"


@click.command()
@click.argument("place", metavar="FAMILY/WORLD")
@click.option(
    "--into",
    type=NewFolder(),
    help="Package folder of your own to write into; needed unless envsuite is a repository's.",
)
def new(place: str, into: Path | None) -> None:
    """Write a new world that works, with its test: a pole on a cart, to be turned into your own."""
    family, _, world = place.partition("/")
    for name in (family, world):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
            raise click.BadParameter(
                f"{place!r} is not of the form family/world with lower-case names", param_hint="FAMILY/WORLD"
            )
    own = Path(envsuite.__file__).parent
    if into is None and is_installed():
        raise click.UsageError(f"envsuite is installed in {own}, where nothing of yours belongs: say --into FOLDER")
    root = own if into is None else into
    target = root / family / world
    if target.exists():
        raise click.ClickException(f"{target} exists already; nothing was written")
    title = "".join(part.capitalize() for part in world.split("_"))
    if any(card.id == f"envsuite/{title}-v0" for card in envsuite.cards().values()):
        raise click.ClickException(f"the id envsuite/{title}-v0 is taken; choose another name for the world")
    package = "envsuite" if into is None else into.resolve().name
    tokens = {
        "envsuite.toy_family": f"{package}.{family}",
        "toy_family": family,
        "toy_world": world,
        "ToyWorld": title,
    }
    with library_errors():
        _write(target, tokens)
    click.echo(f"wrote {target}")
    if into is None:
        click.echo(f"try: envsuite check {title}   and: pytest {target}")
        return
    click.echo(f"""\
To have {title} known to `envsuite list`, `envsuite check` and gymnasium.make, install your package with
  [project.entry-points."envsuite.envs"]
  {family}_{world} = "{package}.{family}.{world}.cards:CARDS"
in its pyproject.toml. Its test: pytest {target}""")


def _write(target: Path, tokens: dict[str, str]) -> None:
    """Write the world, and its family's package where there is none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    opening = target.parent / "__init__.py"
    fresh_family = not opening.exists()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as scratch:
        copy = Path(scratch) / target.name
        for source in sorted(_TEMPLATE.rglob("*")):
            if source.suffix in (".py", ".md"):
                path = copy / _renamed(str(source.relative_to(_TEMPLATE)), tokens)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(_renamed(source.read_text(encoding="utf-8"), tokens), encoding="utf-8")
        os.rename(copy, target)
    if fresh_family:
        opening.write_text(f'"""The {target.parent.name.replace("_", " ")} family."""\n', encoding="utf-8")


def _renamed(text: str, tokens: dict[str, str]) -> str:
    for token, name in tokens.items():
        text = text.replace(token, name)
    return text

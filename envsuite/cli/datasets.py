"""`envsuite datasets`: make, check, fetch, serve and describe datasets; `datasets_edit` adds what makes new ones."""

import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import envsuite
from envsuite.cli.common import json_option, print_json, print_table
from envsuite.cli.kinds import SEED, WORKERS, Finite, NewFolder
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.data import Dataset, Recipe

root_option = click.option(
    "--root",
    type=NewFolder(),
    help="Folder of datasets; that of ENVSUITE_DATASETS, or ~/.envsuite/datasets, by default.",
)
remote_option = click.option(
    "--remote",
    "remotes",
    multiple=True,
    metavar="URL",
    help="file:///FOLDER, http(s)://SERVER/PATH or hf://ORGANISATION/NAME; may be repeated, the best first. Those of "
    "ENVSUITE_REMOTES by default.",
)


_NEEDED = ("filelock", "h5py", "minari", "msgspec")


class _Datasets(click.Group):
    """A group whose missing libraries are those of one extra."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if error.name in _NEEDED:
                message = f'{error.name} is not installed: pip install "envsuite[datasets]"'
                raise click.ClickException(message) from error
            raise


@click.group(cls=_Datasets)
def datasets() -> None:
    """Generate, check, fetch, convert and combine datasets.

    An ID is like quad-hover/mixed-v0. Every dataset that has a recipe can be generated here, bit for bit; a download
    only saves time.
    """


@contextmanager
def progress_bar(label: str) -> Generator[Callable[[int, int], None]]:
    """A progress bar on standard error for functions that tell what is done and what there is to do."""
    bar: Any = None

    def told(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = click.progressbar(length=total, label=label, file=sys.stderr).__enter__()
        bar.update(done - bar.pos)

    try:
        yield told
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)


def opened(dataset_id: str, root: Path | None, check: bool = False) -> "Dataset":
    """A dataset of the store, or a message that says how to get it."""
    from envsuite.data import load

    with library_errors():
        return load(dataset_id, root, check=check)


def report(data: "Dataset") -> None:
    """Say what has been made."""
    manifest = data.manifest
    click.echo(
        f"{manifest.id}: {manifest.episodes:,} episodes, {manifest.steps:,} steps, {manifest.nbytes / 1e6:,.1f} MB"
    )
    click.echo(f"hash {manifest.hash}")


@datasets.command("list")
@click.option("--local", "only_local", is_flag=True, help="Only what is on this machine.")
@remote_option
@root_option
@json_option
def list_(only_local: bool, remotes: tuple[str, ...], root: Path | None, as_json: bool) -> None:
    """List datasets: those with a recipe, those on this machine, and those of remotes."""
    from envsuite.data.recipes import load_recipe, recipe_ids
    from envsuite.data.remotes import open_remote, read_index
    from envsuite.data.store import local

    found: dict[str, dict[str, Any]] = {}
    with library_errors():
        for name in {} if only_local else recipe_ids():
            recipe = load_recipe(name)
            found[name] = {"title": recipe.title, "hash": recipe.hash, "where": ["recipe"]}
        for one in local(root):
            entry = found.setdefault(one.id, {"title": one.about.title, "hash": one.hash, "where": []})
            same = entry["hash"] in ("", one.hash)
            entry |= {"steps": one.steps, "bytes": one.nbytes}
            entry["where"].append("here" if same else "here, other hash")
        for url in remotes:
            for name, told in read_index(open_remote(url)).items():
                entry = found.setdefault(name, {**told, "where": []})
                entry["where"].append(url)
    if as_json:
        print_json([{"id": name, **entry} for name, entry in sorted(found.items())])
        return
    rows: list[tuple[str, ...]] = [
        (name, f"{entry['steps']:,}" if "steps" in entry else "", ", ".join(entry["where"]), entry["title"])
        for name, entry in sorted(found.items())
    ]
    print_table(rows, ("id", "steps", "where", "title"))


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@root_option
@json_option
def show(dataset_id: str, root: Path | None, as_json: bool) -> None:
    """Show a dataset's manifest, or its recipe where it is not on this machine.

    The name of a published dataset, such as D4RL/maze2d-umaze-v1, shows what stands for it here.
    """
    import dataclasses

    from envsuite.data import load
    from envsuite.data.recipes import find_counterpart, load_recipe, recipe_ids
    from envsuite.data.store import MANIFEST, default_root
    from envsuite.evaluation.online import OnlineProtocol
    from envsuite.evaluation.records import plain

    with library_errors():
        known, published = recipe_ids(), None
        there = any(
            (folder / MANIFEST).is_file() for folder in (Path(dataset_id), (root or default_root()) / dataset_id)
        )
        if not there and dataset_id not in known:
            published, recipe = find_counterpart(dataset_id)
            dataset_id = recipe.id
        try:
            told: Any = dataclasses.asdict(load(dataset_id, root).manifest)
            what = "on this machine"
        except FileNotFoundError:
            told = dataclasses.asdict(load_recipe(dataset_id))
            what = "recipe; not on this machine"
    if as_json:
        print_json(plain(told if published is None else {**told, "stands_for": dataclasses.asdict(published)}))
        return
    if published:
        click.echo(f"{published.name} is not ours; what stands for it here is {dataset_id}")
        click.echo(f"  equal: {published.equal}\n  differs: {published.differs}\n")
    click.echo(f"{dataset_id} ({what})")
    about = told.get("about", told)
    source = told.get("source") or {"id": told["env_id"], "options": told["options"], "behaviour": told["behaviour"]}
    rows = [("title", about["title"]), ("summary", about["summary"]), ("tier", about["tier"])]
    rows += [("environment", f"{source['id']} {source['options'] or ''}".strip()), ("hash", told["hash"])]
    rows += [(name, f"{told[name]:,}") for name in ("episodes", "steps", "transitions") if told.get(name)]
    for name, pair in about["anchors"].items():
        rows += [
            (f"{name} {side}", f"{one['mean']} ({one['policy']})" if not one["episodes"] else _measured(one))
            for side, one in pair.items()
        ]
    if (card := envsuite.cards().get(source["id"])) and card.horizon:
        *earlier, budget = OnlineProtocol(dataset_id, card.id).schedule
        when = ", ".join(f"{step:,}" for step in earlier)
        rows += [("online", f"{budget:,} steps may be played afterwards; evaluated after {when} and all")]
    rows += [("licence", about["licence"]), ("citation", about["citation"])]
    rows += [(f"  {name}", f"{one['dtype']} {one['shape']}") for name, one in sorted(told.get("columns", {}).items())]
    for name, value in rows:
        if value:
            click.echo(f"  {name:<24}{value}")


def _measured(score: dict[str, Any]) -> str:
    return f"{score['mean']} ± {score['standard_error']} ({score['policy']}, {score['episodes']} episodes)"


def found_recipe(name: str, small: bool, episodes: int | None) -> "Recipe":
    """The recipe of an ID or a file, in the form that is wanted."""
    from envsuite.data import load_recipe

    recipe = load_recipe(name)
    if small and episodes is not None:
        raise ValueError("--small and --episodes are two numbers of episodes: give one of them")
    if episodes is not None:
        return recipe.sized(episodes)
    return recipe.small_form() if small else recipe


@datasets.command()
@click.argument("recipe", metavar="ID|FILE.toml")
@click.option("--small", is_flag=True, help="Only the few episodes that tests use, under an id of their own.")
@click.option("--episodes", type=click.IntRange(1), help="So many, under an id of their own that ends in this number.")
@click.option("--workers", type=WORKERS, default=1, show_default=True, help="Processes.")
@click.option(
    "--executor", type=click.Choice(["serial", "pool", "ray"]), default="pool", show_default=True, help="With workers."
)
@click.option("--force", is_flag=True, help="Even if it is there.")
@root_option
@json_option
def generate(
    recipe: str,
    small: bool,
    episodes: int | None,
    workers: int,
    executor: str,
    force: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Generate a dataset from its recipe; an interrupted generation goes on where it was."""
    from envsuite.data import generate as make
    from envsuite.evaluation.executors import Executor, make_executor

    def runs(folder: Path) -> Executor:
        return make_executor("serial" if executor == "pool" and workers == 1 else executor, folder, workers)

    with library_errors(), progress_bar("generating") as told:
        try:
            data = make(found_recipe(recipe, small, episodes), root, executor=runs, progress=told, force=force)
        except RuntimeError as error:
            raise click.ClickException(str(error)) from error
    if as_json:
        print_json({"id": data.manifest.id, "hash": data.manifest.hash, "steps": data.manifest.steps})
    else:
        report(data)


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@click.option(
    "--replay",
    type=Finite(0, 1),
    default=0.01,
    show_default=True,
    help="Share of the episodes that are played again in the simulator and compared bit for bit.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of the choice of those episodes.")
@root_option
@json_option
def verify(dataset_id: str, replay: float, seed: int, root: Path | None, as_json: bool) -> None:
    """Check a dataset: hashes, flags, ranges, duplicates, seeds, and the simulator. Ends with 1 where a check fails."""
    from envsuite.data import load_recipe, recipe_ids
    from envsuite.data import verify as check
    from envsuite.data.validate import CHECKS, can_replay

    data = opened(dataset_id, root)
    with library_errors():
        faults = check(
            data, replay=replay, seed=seed, progress=lambda name: click.echo(f"checking {name} ...", err=True)
        )
        known = load_recipe(dataset_id).hash if dataset_id in recipe_ids() else ""
    wrong = [str(fault) for fault in faults]
    if known and known != data.manifest.hash:
        wrong.append(f"recipe: the hash is {data.manifest.hash}, the recipe says {known}")
    replayed = bool(replay) and can_replay(data)
    if as_json:
        print_json({"id": dataset_id, "checks": list(CHECKS), "replayed": replayed, "faults": wrong})
    else:
        for line in wrong or [f"{dataset_id} is right" + ("" if replayed else "; nothing could be played again")]:
            click.echo(line)
    if wrong:
        raise SystemExit(1)


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@remote_option
@root_option
def download(dataset_id: str, remotes: tuple[str, ...], root: Path | None) -> None:
    """Fetch a dataset from a remote; a transfer that broke off goes on where it was."""
    from envsuite.data.recipes import load_recipe, recipe_ids
    from envsuite.data.transfer import default_remotes
    from envsuite.data.transfer import download as fetch

    with library_errors():
        recipe = load_recipe(dataset_id) if dataset_id in recipe_ids() else None
    hint = f"\nMake it here instead: envsuite datasets generate {dataset_id}" if recipe else ""
    addresses = list(remotes) or default_remotes()
    if not addresses:
        raise click.ClickException(f"no remote is known: give --remote URL, or set ENVSUITE_REMOTES{hint}")
    try:
        with progress_bar("fetching") as told:
            data = fetch(dataset_id, addresses, root, expected=recipe.hash if recipe else "", progress=told)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{error}{hint}") from error
    report(data)


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@click.argument("url", metavar="URL")
@root_option
def upload(dataset_id: str, url: str, root: Path | None) -> None:
    """Put a dataset into file:///FOLDER (of a web server, for instance) or hf://ORGANISATION/NAME."""
    from envsuite.data.transfer import upload as put

    with library_errors(), progress_bar("uploading") as told:
        put(dataset_id, url, root, progress=told)
    click.echo(f"{dataset_id} is at {url}")


@datasets.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for a free one.")
@root_option
def serve(host: str, port: int, root: Path | None) -> None:
    """Serve the datasets of this machine over HTTP, for `download --remote http://HOST:PORT`."""
    from envsuite.data.serve import make_server

    with library_errors():
        server = make_server(root, host, port)
    click.echo(f"serving at http://{host}:{server.server_address[1]}; end with Ctrl-C")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("ended")
    finally:
        server.server_close()


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@root_option
@json_option
def stats(dataset_id: str, root: Path | None, as_json: bool) -> None:
    """Show returns, lengths and ends; with --json also each dimension of observations and actions."""
    from envsuite.data.statistics import statistics

    data = opened(dataset_id, root)
    found = statistics(data)
    if as_json:
        print_json(found)
        return
    click.echo(f"{dataset_id}: {found['episodes']:,} episodes, {found['steps']:,} steps")
    click.echo(f"  {found['terminated']:,} episodes terminated, {found['truncated']:,} truncated")
    returns = found["returns"] if isinstance(found["returns"], list) else [found["returns"]]
    rows = [("return" if len(returns) == 1 else f"return {k}", one) for k, one in enumerate(returns)]
    rows += [(f"normalised ({name})", one) for name, one in found.get("normalised", {}).items()]
    rows += [("length", found["lengths"])]
    rows += [(f"return, {name}", one["returns"]) for name, one in found.get("policies", {}).items()]
    table: list[tuple[str, ...]] = [
        (
            name,
            *(f"{value:,.2f}" for value in (one["mean"], one["std"], one["min"], one["quantiles"]["0.5"], one["max"])),
        )
        for name, one in rows
    ]
    print_table(table, ("", "mean", "std", "min", "median", "max"))


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@click.option("--out", type=NewFolder(), default=".", show_default=True, help="Folder.")
@click.option("--figures/--no-figures", default=True, help="Draw returns and coverage.")
@root_option
def card(dataset_id: str, out: Path, figures: bool, root: Path | None) -> None:
    """Write a data card: a Markdown page with statistics, a histogram of returns and a picture of the coverage."""
    from envsuite.data.card import write_card

    data = opened(dataset_id, root)
    with library_errors():
        click.echo(f"wrote {write_card(data, out, figures=figures)}")


@datasets.command()
@click.argument("names", metavar="ID|FAMILY", nargs=-1, required=True)
@click.option("--workers", type=WORKERS, default=1, show_default=True, help="Processes.")
@root_option
def lock(names: tuple[str, ...], workers: int, root: Path | None) -> None:
    """Generate what has a recipe and no recorded result, and record it in the lock of its family.

    A FAMILY, such as mazes, stands for all of its datasets. Results that are recorded stay as they are.
    """
    from envsuite import card as card_of
    from envsuite.cards import locked
    from envsuite.data import generate as make
    from envsuite.data import load_recipe, recipe_ids
    from envsuite.data.lock import add_to_lock, entry
    from envsuite.evaluation.executors import ProcessExecutor, SerialExecutor

    with library_errors():
        recipes = {name: load_recipe(name) for name in recipe_ids()}
        if unknown := [one for one in names if one not in recipes and not _of_family(one, recipes.values())]:
            raise click.ClickException(f"{unknown[0]!r} is neither a dataset with a recipe nor a family that has some")
        for name, recipe in recipes.items():
            family = card_of(recipe.env_id).family
            if name in locked() or not {name, family} & set(names):
                continue
            with progress_bar(name) as told:
                runs = SerialExecutor if workers == 1 else lambda folder: ProcessExecutor(folder, workers)
                data = make(recipe, root, executor=runs, progress=told)
            small = make(recipe.small_form(), root)
            add_to_lock(family, name, entry(data, small.manifest.hash))
            report(data)


def _of_family(name: str, recipes: "Iterable[Recipe]") -> bool:
    from envsuite import card as card_of

    return any(card_of(one.env_id).family == name for one in recipes)


@datasets.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@root_option
@json_option
def diff(a: str, b: str, root: Path | None, as_json: bool) -> None:
    """Say in what two datasets differ (IDs or folders). Ends with 1 where they do."""
    from envsuite.data.edit import difference

    lines = difference(opened(a, root), opened(b, root))
    if as_json:
        print_json({"a": a, "b": b, "differences": lines})
    else:
        for line in lines or [f"{a} and {b} have the same content"]:
            click.echo(line)
    if lines:
        raise SystemExit(1)

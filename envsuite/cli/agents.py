"""`envsuite agents`: language models as players."""

import functools
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, json_option, option_option, print_json, print_table, with_options
from envsuite.cli.kinds import COUNT, SEED, WORKERS, Finite, NewFile, NewFolder
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.evaluation.chat.scoring import Scores
    from envsuite.evaluation.chat.settings import Record

_folder = click.Path(path_type=Path, exists=True, file_okay=False)
_file = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.group()
def agents() -> None:
    """Let language models play environments in words, and score what they said."""


class _Window(click.ParamType):
    name = "n|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "all" or isinstance(value, int):
            return value
        if not str(value).isdecimal():
            self.fail(f"{value!r} is neither a number of turns nor 'all'", param, ctx)
        return int(value)


class _Size(click.ParamType):
    name = "wxh"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        sides = str(value).lower().split("x")
        if len(sides) != 2 or not all(side.isdecimal() for side in sides):
            self.fail(f"{value!r} is not of the form WIDTHxHEIGHT, such as 320x240", param, ctx)
        return tuple(map(int, sides))


@agents.command()
@click.option("--env", "card", metavar="ID", type=CARD, required=True, help="The environment.")
@option_option
@click.option("--model", required=True, help="Name of the model at the endpoint.")
@click.option("--base-url", metavar="URL", help="Endpoint up to /chat/completions: https://host/v1.")
@click.option("--program", metavar="COMMAND", help="Instead of an endpoint: reads and writes lines of JSON.")
@click.option("--rival", help="Another model, which plays the second of two agents.")
@click.option("--rival-url", metavar="URL", help="Its endpoint; that of the first model by default.")
@click.option("--rival-program", metavar="COMMAND", help="Instead of an endpoint.")
@click.option("--rival-key-variable", help="Environment variable with its key; that of the first model by default.")
@click.option("--key-variable", default="OPENAI_API_KEY", show_default=True, help="Environment variable with the key.")
@click.option("--no-key", is_flag=True, help="The endpoint needs no key: send none.")
@click.option("--insecure", is_flag=True, help="Let the key travel unencrypted to another machine.")
@click.option("--out", type=NewFolder(), help="Folder of the record.")
@click.option("--episodes", type=COUNT, default=10, show_default=True)
@click.option("--seed", type=SEED, help="Seed of the first episode; evaluation seeds by default.")
@click.option("--prompt", type=_file, help="TOML file with the templates system, turn, retry.")
@click.option("--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="Field of every request; repeat.")
@click.option("--answers", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--history", type=_Window(), default=8, show_default=True, help="Earlier turns shown.")
@click.option("--image", type=_Size(), help="Show a picture of this size in every turn.")
@click.option("--detail", type=click.Choice(["auto", "low", "high"]), default="auto", show_default=True)
@click.option("--picture-only", is_flag=True, help="Describe nothing but the rules: the model sees --image alone.")
@click.option("--retries", type=click.IntRange(0, 1000), default=2, show_default=True, help="A turn, if invalid.")
@click.option("--fallback", type=click.Choice(["random", "repeat", "neutral"]), default="random", show_default=True)
@click.option(
    "--clock",
    type=click.Choice(["paused", "realtime"]),
    default="paused",
    show_default=True,
    help="Whether the world goes on while the model thinks; some can.",
)
@click.option("--concurrency", type=WORKERS, default=4, show_default=True, help="Episodes at once.")
@click.option("--timeout", type=Finite(0, min_open=True), default=120.0, show_default=True, help="s, a call.")
@click.option("--tries", type=click.IntRange(1, 1000), default=6, show_default=True, help="Of a call that fails.")
@click.option("--first-wait", type=Finite(0), default=1.0, show_default=True, help="s, doubled every time.")
@click.option("--longest-wait", type=Finite(0), default=120.0, show_default=True, help="s")
@click.option("--prices", type=_file, help="TOML file with money for a million tokens of each model.")
@click.option("--max-calls", type=COUNT, help="Of the whole record.")
@click.option("--max-tokens", type=click.IntRange(1, 10**15), help="In and out, of the whole record.")
@click.option("--max-cost", type=Finite(0, min_open=True), help="Of the whole record; needs --prices.")
@click.option("--max-seconds", type=Finite(0, min_open=True), help="Wall time of this command.")
@json_option
def run(card: EnvCard, as_json: bool, **given: Any) -> None:
    """Let a model play episodes, and record every message.

    The same command given again goes on where the record ends, after a kill too, and asks nothing twice. The key is
    taken from an environment variable and is written nowhere.
    """
    from envsuite.evaluation.chat.runner import Patience, Runner
    from envsuite.evaluation.chat.scoring import score
    from envsuite.evaluation.chat.settings import Limits

    card = with_options(card, given["options"])
    with library_errors():
        record, endpoints = _set_up(card, given)
        limits = Limits(
            calls=given["max_calls"] or math.inf,
            tokens=given["max_tokens"] or math.inf,
            money=given["max_cost"] or math.inf,
            seconds=given["max_seconds"] or math.inf,
        )
        patience = Patience(given["tries"], given["first_wait"], given["longest_wait"])
        with click.progressbar(length=record.episodes, label="episodes", file=sys.stderr) as bar:
            record = record.write(lambda value: functools.reduce(lambda kept, one: one.hide(kept), endpoints, value))
            runner = Runner(record, endpoints, limits, patience, given["concurrency"], lambda seed: bar.update(1))
            result = runner.run()
        scores = score(record)
    _show(scores, as_json)
    if result.stopped:
        click.echo(f"stopped: {result.stopped}", err=True)
    for seed, reason in result.failed.items():
        click.echo(f"episode {seed} failed: {reason}", err=True)
    click.echo(f"record: {record.path}; this run made {result.asked} calls", err=True)
    if not scores.whole:
        raise SystemExit(1)


def _set_up(card: EnvCard, given: dict[str, Any]) -> "tuple[Record, list[Any]]":
    """The record, and an endpoint for each model."""
    from envsuite.agents.chat.prices import load_price
    from envsuite.agents.chat.prompts import load_prompts
    from envsuite.evaluation.chat.settings import Record, Settings
    from envsuite.evaluation.rollout import EVALUATION_SEED

    parameters = _parameters(given["parameters"])
    if bool(given["base_url"]) == bool(given["program"]):
        raise click.UsageError("give either --base-url or --program")
    seats, rival = [given], given["rival"]
    if rival is not None:
        seats.append(_rival(given))
    elif any(given[name] is not None for name in ("rival_url", "rival_program", "rival_key_variable")):
        raise click.UsageError("--rival names the other model")
    places = [one["base_url"] or f"program: {one['program']}" for one in seats]
    settings = Settings(
        env_id=card.id,
        options=card.options,
        behaviour=card.behaviour,
        model=given["model"],
        base_url=places[0],
        prompts=load_prompts(given["prompt"]),
        parameters=parameters,
        structured=given["answers"] == "json",
        window=None if given["history"] == "all" else given["history"],
        image=given["image"],
        detail=given["detail"],
        retries=given["retries"],
        fallback=given["fallback"],
        clock=given["clock"],
        shown="picture" if given["picture_only"] else "text",
        first_seed=EVALUATION_SEED if given["seed"] is None else given["seed"],
        others=((rival, places[1]),) if rival is not None else (),
    )
    price = load_price(given["prices"], given["model"]) if given["prices"] else None
    names = [given["model"]] if rival is None else [given["model"], "against", rival]
    out = given["out"] or Path("runs", "agents", card.id.rpartition("/")[2], _file_name("-".join(names)))
    return Record(out, settings, given["episodes"], price), [_endpoint(one, parameters) for one in seats]


def _rival(given: dict[str, Any]) -> dict[str, Any]:
    """The options of the second model, in the names of the first one's."""
    if given["rival_url"] and given["rival_program"]:
        raise click.UsageError("give either --rival-url or --rival-program")
    if given["prices"]:
        raise click.UsageError("--prices is of one model: what two cost is not told apart")
    if given["rival"] == given["model"]:
        raise click.UsageError(f"--rival is {given['rival']!r}, the same as --model: without it one model plays both")
    url = given["rival_url"] or (None if given["rival_program"] else given["base_url"])
    program = given["rival_program"] or (None if url else given["program"])
    variable = given["rival_key_variable"] or given["key_variable"]
    return {**given, "model": given["rival"], "base_url": url, "program": program, "key_variable": variable}


def _endpoint(given: dict[str, Any], parameters: dict[str, Any]) -> Any:
    from envsuite.agents.chat.answers import SCHEMA
    from envsuite.agents.chat.client import Endpoint
    from envsuite.agents.chat.secret import read_key

    if not given["base_url"]:
        return _program(given)
    return Endpoint(
        given["base_url"],
        given["model"],
        None if given["no_key"] else read_key(given["key_variable"]),
        parameters,
        SCHEMA if given["answers"] == "json" else None,
        given["timeout"],
        given["insecure"],
    )


def _program(given: dict[str, Any]) -> Any:
    import shlex

    from envsuite.agents.chat.program import Program

    if given["answers"] == "json" or given["parameters"]:
        raise click.UsageError("--answers json and --parameter go into requests to an endpoint; a program gets none")
    try:
        command = tuple(shlex.split(given["program"]))
    except ValueError as error:
        raise click.BadParameter(f"{given['program']!r} cannot be read: {error}", param_hint="--program") from error
    return Program(command, given["model"], given["timeout"])


def _file_name(model: str) -> str:
    """A model's name as one folder."""
    name = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in model).strip(".")
    return name or "model"


def _parameters(given: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE", param_hint="--parameter")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


@agents.command("score")
@click.argument("folder", type=_folder)
@json_option
def score_(folder: Path, as_json: bool) -> None:
    """Play a record's answers again, compare every step with it, and print the scores; nobody is asked."""
    from envsuite.evaluation.chat.scoring import score
    from envsuite.evaluation.chat.settings import Record

    with library_errors():
        scores = score(Record.read(folder))
        _show(scores, as_json)


@agents.command()
@click.argument("folders", type=_folder, nargs=-1, required=True)
@click.option("--out", type=NewFile(".html"), default="agents.html", show_default=True)
def report(folders: tuple[Path, ...], out: Path) -> None:
    """Write records side by side as one HTML page: scores, invalid answers by kind, tokens, cost, latency."""
    from envsuite.core.files import write_atomic
    from envsuite.evaluation.chat.report import as_page
    from envsuite.evaluation.chat.scoring import score
    from envsuite.evaluation.chat.settings import Record

    with library_errors():
        write_atomic(out, as_page([score(Record.read(folder)) for folder in folders]))
    click.echo(f"wrote {out}")


@agents.command("rate")
@click.argument("folders", type=_folder, nargs=-1, required=True)
@click.option("--anchor", default="", help="Who has 1000: a model, or 'level 3'; a computer player by default.")
@json_option
def rate_(folders: tuple[Path, ...], anchor: str, as_json: bool) -> None:
    """Rate models by their games against each other and against computer players, in all these records together."""
    from envsuite.evaluation.chat.rating import games, rate
    from envsuite.evaluation.chat.scoring import score
    from envsuite.evaluation.chat.settings import Record

    with library_errors():
        played = [game for folder in folders for game in games(score(Record.read(folder)))]
        found = rate(played, anchor)
    met = {name: sum(name in (game.first, game.second) for game in played) for name in found}
    if as_json:
        print_json(
            {name: {"value": e.value, "low": e.low, "high": e.high, "games": met[name]} for name, e in found.items()}
        )
        return
    rows: list[tuple[str, ...]] = [
        (name, f"{one.value:.0f} [{one.low:.0f}, {one.high:.0f}]", str(met[name])) for name, one in found.items()
    ]
    print_table(rows, ("player", "rating", "games"))


def _show(scores: "Scores", as_json: bool) -> None:
    from envsuite.evaluation.chat.report import as_text

    if as_json:
        print_json(scores.plain())
    else:
        click.echo(as_text(scores))


@agents.command()
@click.option("--answer", help='What every request is answered, such as "Action: go to [0, 0, 0]".')
@click.option("--player", metavar="MODULE:FUNCTION", help="Instead: a function from the last prompt to its answer.")
@click.option("--port", type=click.IntRange(0, 65535), default=8017, show_default=True, help="0 for a free one.")
def serve(answer: str | None, player: str | None, port: int) -> None:
    """Answer chat requests on this machine with one text, or by a function: to try prompts and records without a model.

    `envsuite.tower_defense.experts.reader:answer` is such a function; it plays the tower-defense levels.
    """
    from envsuite.testing.chat import ChatServer, last_prompt

    if (answer is None) == (player is None):
        raise click.UsageError("give either --answer or --player")
    function = _function(player) if player else None

    with (
        library_errors(),
        ChatServer(lambda body: function(last_prompt(body)) if function else str(answer), port=port) as server,
    ):
        click.echo(f"listening at {server.url}; Ctrl-C ends it")
        server.wait()


def _function(name: str) -> Any:
    import importlib

    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.BadParameter(f"{name!r} is no function: {error}", param_hint="--player") from error
    if not callable(found):
        raise click.BadParameter(f"{name!r} cannot be called", param_hint="--player")
    return found

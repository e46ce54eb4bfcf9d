"""The command line: `envsuite COMMAND`. Each command's module is imported only when it is called."""

import importlib
from typing import Any

import click

import envsuite

_COMMANDS = {
    "list": ("catalog:list_", "List the environments."),
    "info": ("catalog:info", "Show one environment: spaces, options, scores, source."),
    "matrix": ("catalog:matrix", "Show what can be done with which environment."),
    "check": ("check:check", "Run the conformance kit."),
    "warm": ("warm:warm", "Compile environments before they are needed."),
    "bench": ("bench:bench", "Measure steps a second."),
    "play": ("play:play", "Play with the keyboard, or watch and record a policy."),
    "replay": ("replay:replay", "Watch recorded episodes again, frame by frame in a browser if wanted."),
    "evaluate": ("evaluate:evaluate", "Score a policy on the evaluation seeds."),
    "job": ("job:job", "Do one job of a list that was written for SLURM."),
    "log": ("log:log", "Write an episode as a table or a figure."),
    "datasets": ("datasets_edit:datasets", "Generate, check, fetch, convert and combine datasets."),
    "baselines": ("baselines:baselines", "List, train, reproduce and plot the baselines."),
    "runs": ("runs:runs", "List, show, report, compare and export training runs."),
    "agents": ("agents:agents", "Let language models play, and score what they said."),
    "serve": ("serve:serve", "Serve environments over HTTP and WebSocket (OpenEnv), or to an assistant (MCP)."),
    "package": ("serve:package", "Write an environment as a package for OpenEnv or verifiers."),
    "leaderboard": ("leaderboard:leaderboard", "Pack, sign and verify submissions."),
    "envhub": ("envhub:envhub", "Write an environment's files for LeRobot's EnvHub."),
    "text": ("text:text", "Write games of text worlds as files of TextWorld."),
    "new": ("new:new", "Write a new world that works, to start from."),
}

_EXTRAS = {
    "torch": "baselines",
    "matplotlib": "plots",
    "pygame": "play",
    "imageio": "video",
    "imageio_ffmpeg": "video",
    "stable_baselines3": "sb3",
    "confusable_homoglyphs": "leaderboard",
    "filelock": "datasets",
    "h5py": "datasets",
    "minari": "datasets",
    "pybullet": "bullet",
    "scipy": "scoring",
    "ray": "ray",
    "optuna": "sweep",
    "pyarrow": "parquet",
    "msgspec": "leaderboard",
    "httpx": "agents",
    "jinja2": "leaderboard",
    "cryptography": "leaderboard",
    "aiohttp": "serve",
    "websocket": "serve",
    "verifiers": "verifiers",
}


class _Commands(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[cmd_name][0].partition(":")
        return getattr(importlib.import_module(f"envsuite.cli.{module}"), attribute)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nstopped by Ctrl-C", err=True)
            raise click.exceptions.Exit(130) from None
        except ModuleNotFoundError as error:
            if "envsuite[" in str(error):  # the library knows what it wanted the module for
                raise click.ClickException(str(error)) from error
            extra = _EXTRAS.get((error.name or "").split(".")[0])
            if extra is None:
                raise
            raise click.ClickException(f'{error.name} is not installed: pip install "envsuite[{extra}]"') from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(envsuite.__version__, prog_name="envsuite")
def main() -> None:
    """Environments, policies and honest scores for reinforcement learning."""

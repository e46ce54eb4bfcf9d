"""`envsuite log`: an episode as a table and as a figure."""

from pathlib import Path

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, POLICY, option_option, with_options
from envsuite.cli.kinds import SEED, NewFile
from envsuite.cli.messages import library_errors
from envsuite.core.companions import Logs, companion


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option(
    "--policy",
    default="expert",
    show_default=True,
    help=f"{POLICY}.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the episode.")
@click.option("--out", type=NewFile(".csv", ".parquet"), help="FILE.csv or FILE.parquet")
@click.option("--figure", type=NewFile(".png", ".svg", ".pdf"), help="FILE.png, FILE.svg or FILE.pdf")
@option_option
def log(card: EnvCard, policy: str, seed: int, out: Path | None, figure: Path | None, options: tuple[str, ...]) -> None:
    """Write what happens in an episode: positions, attitudes, actions, references, moment by moment."""
    from envsuite.evaluation.rollout import policy_maker
    from envsuite.evaluation.tables import write_table
    from envsuite.evaluation.trajectories import fly

    if out is None and figure is None:
        raise click.UsageError("give --out, --figure, or both")
    card = with_options(card, options)
    with library_errors():
        trajectory = fly(card, policy_maker(policy), seed)
        if out is not None:
            write_table(out, trajectory.columns)
            click.echo(f"wrote {out}: {len(trajectory.columns['time'])} rows")
        if figure is not None:
            drawn = companion(trajectory.world, Logs).figure(trajectory.columns, trajectory.state)
            _save(drawn, figure)
            click.echo(f"wrote {figure}")


def _save(drawn, path: Path) -> None:
    import io

    from envsuite.core.files import write_atomic

    content = io.BytesIO()
    drawn.savefig(content, format=path.suffix[1:], dpi=120)
    write_atomic(path, content.getvalue())

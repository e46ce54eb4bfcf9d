"""What the library has to say, as the command line says it."""

import warnings
from collections.abc import Generator
from contextlib import contextmanager

import click


@contextmanager
def library_errors() -> Generator[None]:
    """Errors of the library become messages without a traceback, and its warnings lines on standard error.

    Raises:
        click.ClickException: the body raised a `ValueError` or an `OSError`.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except (ValueError, OSError) as error:
            raise click.ClickException(str(error)) from error
        finally:
            for message in caught:
                click.echo(f"warning: {message.message}", err=True)

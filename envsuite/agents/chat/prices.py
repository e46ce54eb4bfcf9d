"""What tokens cost, by a table that the user gives."""

import math
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from envsuite.agents.chat.completion import Usage


@dataclass(frozen=True)
class Price:
    """Money for a million tokens.

    Attributes:
        input: of the request.
        output: of the answer.
        cached_input: of the request where the endpoint had them in its cache; None for the same as `input`.
        currency: what the numbers are.
    """

    input: float
    output: float
    cached_input: float | None = None
    currency: str = "USD"

    def __post_init__(self):
        for name in ("input", "output", "cached_input"):
            value = getattr(self, name)
            if value is None and name == "cached_input":
                continue
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or value < 0:
                raise ValueError(f"{name} is {value!r}, expected a price, at least 0")
        if not isinstance(self.currency, str):
            raise ValueError(f"currency is {self.currency!r}, expected a text")

    def cost(self, usage: Usage) -> float:
        """Money for a number of tokens; reasoning counts as part of the answer.

        Args:
            usage: tokens, of one call or of many.
        """
        cached = self.input if self.cached_input is None else self.cached_input
        parts = ((usage.prompt - usage.cached) * self.input, usage.cached * cached, usage.completion * self.output)
        return math.fsum(parts) / 1e6

    def plain(self) -> dict[str, Any]:
        """As JSON holds it; ``Price(**...)`` reads it."""
        return asdict(self)


def load_price(path: Path, model: str) -> Price:
    """A model's price.

    Args:
        path: TOML file with a table ``[models."NAME"]`` for each model: `input`, `output`, and, if need be,
            `cached_input` and `currency`.
        model: its name.

    Raises:
        ValueError: not such a file, or the model is not in it.
        OSError: the file cannot be read.
    """
    try:
        models = tomllib.loads(path.read_text(encoding="utf-8")).get("models", {})
    except ValueError as error:
        raise ValueError(f"{path} is no TOML file: {error}") from None
    if not isinstance(models, dict) or not isinstance(models.get(model), dict):
        raise ValueError(f'{path} has no table [models."{model}"]')
    try:
        return Price(**models[model])
    except (TypeError, ValueError) as error:
        raise ValueError(f'{path}, [models."{model}"]: {error}') from None

"""What comes back from a model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, as the endpoint counts them.

    Attributes:
        prompt: of the request, cached ones included.
        cached: those of the request that the endpoint had in its cache.
        completion: of the answer, reasoning included.
        reasoning: those of the answer that are not shown.
    """

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        names = self.__dataclass_fields__
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True)
class Completion:
    """What the model answered.

    Attributes:
        text: of the message; empty where there is none.
        refused: the model (or a filter of the endpoint) declined to answer.
        cut: the answer reached the length limit before its end.
        usage: None where the endpoint did not say.
        model: name that the endpoint gives itself.
        fingerprint: of the endpoint's configuration, where it tells.
        seconds: from request to answer.
    """

    text: str
    refused: bool = False
    cut: bool = False
    usage: Usage | None = None
    model: str = ""
    fingerprint: str = ""
    seconds: float = 0.0

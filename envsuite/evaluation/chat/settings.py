"""What determines a run of conversations, and the file that keeps it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import envsuite
from envsuite.agents.chat.prices import Price
from envsuite.agents.chat.prompts import Prompts
from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import plain

SCHEMA = 1
CLOCKS = ("paused", "realtime")
"""Whether the world stands still while a model thinks, or goes on."""

LONGEST_THOUGHT = 10.0
"""Seconds of thinking, for one answer, that count at most where the clock runs."""

FALLBACKS = ("random", "repeat", "neutral")
"""What is done when all answers of a turn were invalid: a random action, the agent's last valid one, or the middle of
the action's bounds (the first alternative, for choices)."""


@dataclass(frozen=True)
class Settings:
    """Everything that the course of a conversation depends on, besides the model.

    Attributes:
        env_id: registered id.
        options: of the environment.
        behaviour: the environment's behaviour hash.
        model: name at the endpoint.
        base_url: of the endpoint.
        prompts: templates.
        parameters: further fields of every request.
        structured: answers are JSON objects by a schema, else free text.
        window: earlier turns that are shown; None for all.
        image: (width, height) of a picture shown in every turn; None for none.
        detail: how closely the picture should be looked at: ``"auto"``, ``"low"`` or ``"high"``.
        retries: further answers asked for in a turn after an invalid one.
        fallback: see `FALLBACKS`.
        clock: see `CLOCKS`.
        shown: ``"text"``, with a picture or without; or ``"picture"`` alone, beside rules that stay the same.
        first_seed: of episode 0; episode ``i`` has the seed ``first_seed + i``.
        others: (model, base_url) of the agents from the second on, one each; empty where the model plays all agents.

    Raises:
        ValueError: a number or name out of range.
    """

    env_id: str
    model: str
    base_url: str
    prompts: Prompts
    first_seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    behaviour: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    structured: bool = False
    window: int | None = 8
    image: tuple[int, int] | None = None
    detail: str = "auto"
    retries: int = 2
    fallback: str = "random"
    clock: str = "paused"
    shown: str = "text"
    others: tuple[tuple[str, str], ...] = ()

    def __post_init__(self):
        if self.others and len(self.others) + 1 != envsuite.card(self.env_id).agents:
            raise ValueError(
                f"{1 + len(self.others)} models are given, {self.env_id} has {envsuite.card(self.env_id).agents} agents"
            )
        if self.window is not None and self.window < 0:
            raise ValueError(f"window is {self.window}, expected at least 0, or None for all turns")
        if self.retries < 0:
            raise ValueError(f"retries is {self.retries}, expected at least 0")
        if self.fallback not in FALLBACKS:
            raise ValueError(f"fallback is {self.fallback!r}, expected one of {', '.join(FALLBACKS)}")
        if self.clock not in CLOCKS:
            raise ValueError(f"clock is {self.clock!r}, expected one of {', '.join(CLOCKS)}")
        if self.shown not in ("text", "picture"):
            raise ValueError(f"shown is {self.shown!r}, expected 'text' or 'picture'")
        if self.shown == "picture" and self.image is None:
            raise ValueError("a picture alone is to be shown, but no size of pictures is given")
        if self.image is not None and not all(16 <= side <= 4096 for side in self.image):
            raise ValueError(f"the image is {self.image[0]} x {self.image[1]} pixels, expected 16 to 4096 each")
        if self.detail not in ("auto", "low", "high"):
            raise ValueError(f"detail is {self.detail!r}, expected 'auto', 'low' or 'high'")

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return plain(asdict(self))

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Settings":
        """From `plain`."""
        given = dict(data)
        given["prompts"] = Prompts(**given["prompts"])
        given["image"] = tuple(given["image"]) if given["image"] else None
        given["others"] = tuple(tuple(one) for one in given.get("others", ()))
        return cls(**given)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of agents where each has one."""
        return self.model, *(model for model, _ in self.others)

    def card(self) -> EnvCard:
        """The environment's card, with its options.

        Raises:
            ValueError: unknown here, or it behaves otherwise than at the time of the record.
        """
        try:
            card = envsuite.card(self.env_id)
        except KeyError as error:
            raise ValueError(error.args[0]) from None
        if card.behaviour != self.behaviour:
            raise ValueError(
                f"the record is of {self.env_id} with behaviour {self.behaviour!r}, which now has {card.behaviour!r}"
            )
        return replace(card, options=dict(self.options))


@dataclass(frozen=True)
class Record:
    """A folder of conversations: ``chat.json`` (what was asked for) and ``episodes/SEED.jsonl`` (what was said).

    Attributes:
        path: the folder.
        settings: see `Settings`.
        episodes: how many are asked for.
        price: of the model's tokens, where known.
    """

    path: Path
    settings: Settings
    episodes: int
    price: Price | None = None

    def __post_init__(self):
        if self.episodes < 1:
            raise ValueError(f"episodes is {self.episodes}, expected at least 1")

    @property
    def seeds(self) -> range:
        """Of the episodes."""
        return range(self.settings.first_seed, self.settings.first_seed + self.episodes)

    def journal(self, seed: int) -> Path:
        """The file of an episode."""
        return self.path / "episodes" / f"{seed}.jsonl"

    @classmethod
    def read(cls, path: Path) -> "Record":
        """Open a folder.

        Raises:
            ValueError: it holds no record of conversations, or one that cannot be read.
        """
        file = path / "chat.json"
        if not file.is_file():
            raise ValueError(f"{path} holds no chat.json: it is no record of a language agent")
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            if data["schema"] != SCHEMA:
                raise ValueError(f"schema {data['schema']!r}, expected {SCHEMA}")
            price = Price(**data["price"]) if data["price"] else None
            return cls(path, Settings.read(data["settings"]), data["episodes"], price)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"{file} cannot be read: {type(error).__name__}: {error}") from None

    def write(self, hide: Any) -> "Record":
        """Write ``chat.json``, or go on with the one that is there; more episodes and another price are welcome.

        Args:
            hide: takes the key out of plain data.

        Returns:
            The record, with as many episodes as were ever asked for.

        Raises:
            ValueError: the folder holds a record with other settings; the message names the first.
        """
        mine = hide(self.settings.plain())
        # What is written is what is used: a key that strayed into a prompt is not sent either.
        record = Record(self.path, Settings.read(mine), self.episodes, self.price)
        if (self.path / "chat.json").exists():
            there = Record.read(self.path)
            theirs = there.settings.plain()
            for name, value in mine.items():
                if theirs[name] != value:
                    raise ValueError(
                        f"{self.path} holds a record with another {name} ({theirs[name]!r}, not {value!r}); "
                        "choose another folder, or go on with the same settings"
                    )
            record = Record(self.path, there.settings, max(self.episodes, there.episodes), self.price or there.price)
        (self.path / "episodes").mkdir(parents=True, exist_ok=True)
        data = {
            "schema": SCHEMA,
            "suite_version": envsuite.__version__,
            "settings": mine,
            "episodes": record.episodes,
            "price": record.price.plain() if record.price else None,
        }
        text = json.dumps(data, indent=2, allow_nan=False) + "\n"
        write_atomic(self.path / "chat.json", text)
        return record


@dataclass(frozen=True)
class Limits:
    """What a run may use up. A limit is looked at before every call, so calls already under way may pass it.

    Attributes:
        calls: tries, failed ones included; of the whole record.
        tokens: of requests and answers; of the whole record.
        money: by the price table; of the whole record.
        seconds: of wall time, of this run alone.
    """

    calls: float = math.inf
    tokens: float = math.inf
    money: float = math.inf
    seconds: float = math.inf

    def __post_init__(self):
        for name in self.__dataclass_fields__:
            if not getattr(self, name) > 0:
                raise ValueError(f"the limit of {name} is {getattr(self, name)}, expected more than 0")

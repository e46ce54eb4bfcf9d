"""Cards of the patients."""

from typing import Any

from envsuite.cards import EnvCard

_NEORL = "Gao and others (2025), NeoRL-2, arXiv 2503.19267"
_MODEL = "Xie (2018), simglucose; Dalla Man and others (2007), IEEE Trans. Biomed. Eng. 54"
_TAGS = ("control", "continuous actions", "delay", "external factors", "safety", "offline")


def _card(
    name: str, summary: str, source: str, options: dict[str, Any], tags: tuple[str, ...] = (), **more: Any
) -> EnvCard:
    return EnvCard(
        id=f"envsuite/Simglucose{name}-v0",
        world="envsuite.industrial.glucose.kernel:SimglucoseWorld",
        family="industrial",
        summary=summary,
        source=source,
        horizon=480,
        options=options,
        tags=(*_TAGS, *tags),
        **more,
    )


CARDS = (
    _card(
        "",
        "Give insulin to patients with diabetes of type 1, a day each, and keep them alive.",
        f"{_NEORL}; {_MODEL}",
        {},
    ),
    _card(
        "Shift",
        "Simglucose with fifteen other patients: a test of policies that learned with the first ones.",
        f"{_NEORL}; {_MODEL}",
        {"patients": "test"},
        ("shifted",),
        not_applicable={"dataset": "its patients are kept for tests"},
    ),
    _card(
        "Range",
        "Keep glucose of patients with diabetes of type 1 in range, with meals at any time and a sensor that errs.",
        f"{_MODEL}; Hettiarachchi and others (2024), G2P2C, Artif. Intell. Med. 154",
        {"reward": "range", "mapping": "exponential", "meals": "random", "noise": True},
    ),
)

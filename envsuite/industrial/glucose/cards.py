"""Cards of the patients."""

from typing import Any

from envsuite.cards import EnvCard, Score

_NEORL = "Gao and others (2025), NeoRL-2, arXiv 2503.19267"
_MODEL = "Xie (2018), simglucose; Dalla Man and others (2007), IEEE Trans. Biomed. Eng. 54"
_TAGS = ("control", "continuous actions", "delay", "external factors", "safety", "offline")


_RULE = "giving insulin while the reading is above 130 mg/dL, and none otherwise,"

_MEASURED = {
    "": ((13.5059, 0.1258), (480.0101, 0.0007), "6131bd0b680ffc78"),
    "Shift": ((16.8712, 0.1737), (479.9967, 0.0015), "6e0efa4b12dff2d6"),
    "Range": ((8.4133, 0.0936), (425.1568, 1.3619), "16de4c2c4c319946"),
}
"""Mean return and its standard error of random play and of the reference player; behaviour hash."""


def _card(name: str, summary: str, source: str, options: dict[str, Any], **more: Any) -> EnvCard:
    random, expert, behaviour = _MEASURED[name]
    return EnvCard(
        id=f"envsuite/Simglucose{name}-v0",
        world="envsuite.industrial.glucose.kernel:SimglucoseWorld",
        family="industrial",
        summary=summary,
        source=source,
        horizon=480,
        options=options,
        tags=(*_TAGS, *(("shifted",) if name == "Shift" else ())),
        random=Score(*random, 10_000, "uniformly random"),
        expert=Score(*expert, 2000, "therapist with a plan for each patient"),
        behaviour=behaviour,
        **more,
    )


CARDS = (
    _card(
        "",
        "Give insulin to patients with diabetes of type 1, a day each, and keep them alive.",
        f"{_NEORL}; {_MODEL}",
        {},
        floor=Score(433.5136, 2.6842, 1000, "0.0095 U/min all day"),
        unranked=f"{_RULE} earns as much as the reference",
    ),
    _card(
        "Shift",
        "Simglucose with fifteen other patients: a test of policies that learned with the first ones.",
        f"{_NEORL}; {_MODEL}",
        {"patients": "test"},
        floor=Score(409.6601, 3.9167, 1000, "0.011 U/min all day"),
        unranked=f"{_RULE} goes nine tenths of the way to the reference",
        trained_on="envsuite/Simglucose-v0",
        not_applicable={"dataset": "its patients are kept for tests"},
    ),
    _card(
        "Range",
        "Keep glucose of patients with diabetes of type 1 in range, with meals at any time and a sensor that errs.",
        f"{_MODEL}; Hettiarachchi and others (2024), G2P2C, Artif. Intell. Med. 154",
        {"reward": "range", "mapping": "exponential", "meals": "random", "noise": True},
    ),
)

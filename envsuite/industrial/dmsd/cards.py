"""Cards of the two masses."""

from envsuite.cards import EnvCard

_SOURCE = "Gao and others (2025), NeoRL-2, arXiv 2503.19267"
_TAGS = ("control", "continuous actions", "offline")

CARDS = (
    EnvCard(
        id="envsuite/DMSD-v0",
        world="envsuite.industrial.dmsd.world:DMSDWorld",
        family="industrial",
        summary="Push two masses between springs and dampers to their targets, and hold them there.",
        source=_SOURCE,
        horizon=100,
        tags=_TAGS,
    ),
    EnvCard(
        id="envsuite/DMSDShift-v0",
        world="envsuite.industrial.dmsd.world:DMSDWorld",
        options={"mass": 30.0},
        family="industrial",
        summary="The two masses of DMSD, half as heavy again: a test of policies that learned with the others.",
        source=_SOURCE,
        horizon=100,
        tags=(*_TAGS, "shifted"),
        not_applicable={"dataset": "its dynamics are kept for tests"},
    ),
)

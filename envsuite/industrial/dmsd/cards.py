"""Cards of the two masses."""

from envsuite.cards import EnvCard, Score

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
        random=Score(33.393, 0.708, 10_000, "uniformly random"),
        expert=Score(846.655, 0.725, 2_000, "feed-forward controller"),
        behaviour="a98c76878e0c4ca4",
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
        random=Score(42.607, 0.757, 10_000, "uniformly random"),
        expert=Score(830.616, 0.876, 2_000, "feed-forward controller that knows the mass"),
        behaviour="ca0f10f7e51dc67b",
        trained_on="envsuite/DMSD-v0",
        not_applicable={"dataset": "its dynamics are kept for tests"},
    ),
)

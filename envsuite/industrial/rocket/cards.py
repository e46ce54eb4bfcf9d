"""Cards of the rocket."""

from envsuite.cards import EnvCard, Score

_WORLD = "envsuite.industrial.rocket.kernel:RocketRecoveryWorld"
_SOURCE = "Gao and others (2025), NeoRL-2, arXiv 2503.19267; Gymnasium's LunarLander"
_TAGS = ("control", "continuous actions", "landing", "wind", "costs", "offline")

CARDS = (
    EnvCard(
        id="envsuite/RocketRecovery-v0",
        world=_WORLD,
        family="industrial",
        summary="Land a rocket softly and upright in a wind that changes.",
        source=_SOURCE,
        horizon=500,
        tags=_TAGS,
        random=Score(-178.178, 1.673, 10_000, "uniformly random"),
        expert=Score(225.487, 0.258, 2_000, "landing controller"),
        behaviour="bbffbc3011893c58",
    ),
    EnvCard(
        id="envsuite/RocketRecoveryShift-v0",
        world=_WORLD,
        options={"wind": 12.0},
        family="industrial",
        summary="The rocket in a wind that is a fifth stronger: a test of policies that learned with less.",
        source=_SOURCE,
        horizon=500,
        tags=(*_TAGS, "shifted"),
        random=Score(-186.343, 1.688, 10_000, "uniformly random"),
        expert=Score(222.529, 0.475, 2_000, "landing controller"),
        behaviour="93c431000c1deaf6",
        trained_on="envsuite/RocketRecovery-v0",
        not_applicable={"dataset": "its wind is kept for tests"},
    ),
)

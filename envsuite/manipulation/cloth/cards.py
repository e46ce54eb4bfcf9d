"""Cards of cloth hanging."""

from typing import Any

from envsuite.cards import EnvCard, Score

_SUMMARY = "Four grippers put the hole of the cloth that they hold over a hanger."

_MEASURED = {
    "": ((-185.2704, 0.8007), (-41.3838, 0.2572), "9ae163463ce90078"),
    "Team": ((-741.0817, 3.2028), (-165.5352, 1.0287), "13056b7bacba05a4"),
}
"""Mean return and its standard error of random play and of the reference player; behaviour hash."""


def _card(name: str, **options: Any) -> EnvCard:
    random, expert, behaviour = _MEASURED[name]
    several: dict[str, Any] = {"agents": 4} if options.get("team") else {}
    return EnvCard(
        id=f"envsuite/ClothHanging{name}-v0",
        world="envsuite.manipulation.cloth.kernel:ClothHangingWorld",
        family="manipulation",
        summary=_SUMMARY + (" Each gripper is an agent." if several else ""),
        source="Hoang et al. (2025), HEPi, arXiv 2502.07005",
        horizon=100,
        options=options,
        tags=(
            "manipulation", "continuous actions", "deformable objects", "cloth", "graph observations",
            *(("multi-agent", "cooperative") if several else ()),
        ),
        random=Score(*random, 200, "uniformly random"),
        expert=Score(*expert, 200, "scripted player"),
        behaviour=behaviour,
        **several,
    )  # fmt: skip


CARDS = (_card(""), _card("Team", team=True))

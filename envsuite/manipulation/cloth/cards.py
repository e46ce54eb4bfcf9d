"""Cards of cloth hanging."""

from typing import Any

from envsuite.cards import EnvCard

_SUMMARY = "Four grippers put the hole of the cloth that they hold over a hanger."


def _card(name: str, **options: Any) -> EnvCard:
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
        **several,
    )  # fmt: skip


CARDS = (_card(""), _card("Team", team=True))

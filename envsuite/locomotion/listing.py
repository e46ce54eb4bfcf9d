"""What the cards of this family have in common."""

from typing import Any

from envsuite.cards import EnvCard, Score

_GYMNASIUM = "Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032)"


def gymnasium_card(
    name: str, world: str, summary: str, *, paper: str = "", tags: tuple[str, ...], horizon: int = 1000, **others: Any
) -> EnvCard:
    """The card of one of Gymnasium's tasks.

    Args:
        name: Gymnasium's.
        world: folder of its world.
        summary: what it has to do.
        paper: that Gymnasium names for it.
        tags: the first is ``"locomotion"`` or ``"control"``; others come after those that all have.
        horizon: steps of an episode.
        **others: of `EnvCard`; scores are those of random play (``random``) and of the network (``expert``), each as
            mean and standard error over 1,000 episodes.
    """
    for key, policy in (("random", "uniformly random"), ("expert", "network trained by PPO")):
        others[key] = Score(*others[key], 1000, policy)
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.locomotion.{world}.world:{name}World",
        family="locomotion",
        summary=summary,
        source="; ".join(filter(None, (f"{_GYMNASIUM}, {name}-v5", paper))),
        tags=(tags[0], "continuous actions", "rigid bodies", *tags[1:]),
        horizon=horizon,
        **others,
    )

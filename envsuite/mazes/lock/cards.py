"""The cards of the combination locks, one a length."""

from envsuite.cards import EnvCard, Score

_SOURCE = "Zhou, Sekhari, Song and Sun (2023), Offline Data Enhanced On-Policy Policy Gradient, arXiv 2311.08384"
_RANDOM = (0.05, 0.0005)
"""Mean return and standard error; the same for all: nobody gets through."""
_EXPERT = {5: (0.998, 0.0004), 10: (0.9969, 0.0006), 30: (0.99, 0.001), 50: (0.9826, 0.0013)}
_BEHAVIOUR = {5: "a2aaeaf57ffdb788", 10: "128be830e755258b", 30: "d5fbf1abc828b2e7", 50: "9dd7bd657fc67596"}


def _card(doors: int) -> EnvCard:
    return EnvCard(
        id=f"envsuite/CombinationLock{doors}-v0",
        world="envsuite.mazes.lock.world:LockWorld",
        family="mazes",
        summary=f"Open {doors} doors in a row, each by the one right symbol of ten; one mistake leads to a dead lane.",
        source=_SOURCE,
        horizon=doors,
        options={"doors": doors},
        tags=("exploration", "continuous actions", "sparse reward", "offline to online"),
        random=Score(*_RANDOM, 10_000, "uniformly random"),
        expert=Score(*_EXPERT[doors], 10_000, "knows the combination"),
        behaviour=_BEHAVIOUR[doors],
    )


CARDS = tuple(_card(doors) for doors in _EXPERT)

"""The cards of the memory task of MiniGrid."""

from envsuite.cards import EnvCard
from envsuite.memory.anchors import anchors

_SIZES = {
    "S7": (7, False),
    "S9": (9, False),
    "S11": (11, False),
    "S13": (13, False),
    "S13Random": (13, True),
    "S17Random": (17, True),
}
_ANCHORS: dict[str, tuple[tuple[float, float], ...]] = {
    "S11": ((0.1965, 0.0111), (0.5101, 0.0157), (0.9848, 0.0001)),
    "S13": ((0.2033, 0.0112), (0.5109, 0.0157), (0.9869, 0.0)),
    "S13Random": ((0.2497, 0.0119), (0.6666, 0.0146), (0.9896, 0.0001)),
    "S17Random": ((0.2633, 0.0122), (0.6172, 0.0152), (0.9927, 0.0001)),
    "S7": ((0.1665, 0.0102), (0.8968, 0.0068), (0.9724, 0.0001)),
    "S9": ((0.1913, 0.0109), (0.9157, 0.0067), (0.9803, 0.0001)),
}
_UNRANKED = dict.fromkeys(("S7", "S9"), "from the end of the hallway all three objects are in view at once")
_BEHAVIOUR: dict[str, str] = {
    "S11": "278215ceb76f7a61",
    "S13": "64ca1d59be8adc8a",
    "S13Random": "8b2dc6c3ddc19213",
    "S17Random": "b32343d69447a9fe",
    "S7": "1b3aae27d0835964",
    "S9": "09cce6d515d7d263",
}


def _card(name: str) -> EnvCard:
    size, random_length = _SIZES[name]
    how = ", of a length that changes," if random_length else ""
    scored = anchors(_ANCHORS, name)
    return EnvCard(
        id=f"envsuite/MiniGridMemory{name}-v0",
        world="envsuite.memory.minigrid.world:MiniGridMemoryWorld",
        family="memory",
        summary=f"Look at an object, walk down a hallway{how} and go to the same object ({size} x {size} cells).",
        source="Chevalier-Boisvert et al. (2023), MiniGrid, arXiv 2306.13831",
        horizon=5 * size * size,
        options={"size": size, "random_length": random_length},
        tags=("memory", "discrete actions", "partial observability", "navigation", "one cue"),
        behaviour=_BEHAVIOUR.get(name, ""),
        random=scored.random,
        floor=scored.floor,
        expert=scored.expert,
        unranked=_UNRANKED.get(name, ""),
    )


CARDS = tuple(_card(name) for name in _SIZES)

"""The cards of Endless T-Maze: corridors x lengths x mode, derived by rule."""

from envsuite.cards import EnvCard
from envsuite.memory.anchors import anchors

_SOURCE = "Shchendrigin et al. (2026), Memory Retention Is Not Enough to Master Memory Tasks in RL, arXiv 2601.15086"
_RUNES = ("invert", "cancel", "reset", "repeat")
_KINDS = {
    "Fixed": ({"mode": "fixed"}, "of {} cells"),
    "Uniform": ({"mode": "uniform"}, "of up to {} cells, it is not said how many"),
    "Runes": (
        {"mode": "fixed", "operations": _RUNES},
        "of {} cells whose cues may change the last direction instead of naming one",
    ),
}
_ANCHORS: dict[str, tuple[tuple[float, float], ...]] = {
    "Fixed10x10": ((-0.7907, 0.0228), (-0.073, 0.0439), (10.0, 0.0)),
    "Fixed10x5": ((-0.6637, 0.0248), (-0.008, 0.0428), (10.0, 0.0)),
    "Fixed1x10": ((-0.5473, 0.0298), (-0.062, 0.0316), (1.0, 0.0)),
    "Fixed1x5": ((-0.4632, 0.0295), (0.016, 0.0316), (1.0, 0.0)),
    "Fixed3x10": ((-0.7499, 0.0269), (-0.07, 0.0408), (3.0, 0.0)),
    "Fixed3x5": ((-0.6406, 0.027), (0.014, 0.0418), (3.0, 0.0)),
    "Fixed5x10": ((-0.7874, 0.0234), (-0.084, 0.0418), (5.0, 0.0)),
    "Fixed5x5": ((-0.6619, 0.0252), (-0.007, 0.0423), (5.0, 0.0)),
    "Runes10x5": ((-0.7031, 0.0215), (0.044, 0.0447), (10.0, 0.0)),
    "Runes3x5": ((-0.6821, 0.0242), (0.051, 0.0429), (3.0, 0.0)),
    "Runes5x5": ((-0.7031, 0.0215), (0.059, 0.0458), (5.0, 0.0)),
    "Uniform10x10": ((-0.6662, 0.0237), (-0.5991, 0.0278), (9.5518, 0.0029)),
    "Uniform10x5": ((-0.6367, 0.0253), (-0.3598, 0.0346), (9.8009, 0.0014)),
    "Uniform1x10": ((-0.4209, 0.0302), (-0.3201, 0.0317), (0.9548, 0.0009)),
    "Uniform1x5": ((-0.4712, 0.0289), (-0.2015, 0.0311), (0.9799, 0.0004)),
    "Uniform3x10": ((-0.6478, 0.0257), (-0.5502, 0.0316), (2.8645, 0.0016)),
    "Uniform3x5": ((-0.6069, 0.0284), (-0.3281, 0.0357), (2.9398, 0.0008)),
    "Uniform5x10": ((-0.6636, 0.0242), (-0.5898, 0.0291), (4.7734, 0.0021)),
    "Uniform5x5": ((-0.6346, 0.0257), (-0.3508, 0.0354), (4.8993, 0.001)),
}
"""Mean return and standard error of random, memoryless and remembering players."""
_BEHAVIOUR: dict[str, str] = {
    "Fixed10x10": "1ef9f18e2941e8d5",
    "Fixed10x5": "75d6b83aeb105b7f",
    "Fixed1x10": "d17a4da4dbcd5c58",
    "Fixed1x5": "55582702feff6fe7",
    "Fixed3x10": "1ef9f18e2941e8d5",
    "Fixed3x5": "75d6b83aeb105b7f",
    "Fixed5x10": "1ef9f18e2941e8d5",
    "Fixed5x5": "75d6b83aeb105b7f",
    "Runes10x5": "a229b0730ed60796",
    "Runes3x5": "51078dde7f7296e5",
    "Runes5x5": "a229b0730ed60796",
    "Uniform10x10": "128cdd2bd925a1b5",
    "Uniform10x5": "41d88067aee0dcca",
    "Uniform1x10": "15e0dcb876030726",
    "Uniform1x5": "026600f76198d3a9",
    "Uniform3x10": "128cdd2bd925a1b5",
    "Uniform3x5": "73d9a3fab10e30ee",
    "Uniform5x10": "128cdd2bd925a1b5",
    "Uniform5x5": "41d88067aee0dcca",
}


def _card(kind: str, corridors: int, length: int) -> EnvCard:
    name = f"{kind}{corridors}x{length}"
    options, which = _KINDS[kind]
    return EnvCard(
        id=f"envsuite/EndlessTMaze{name}-v0",
        world="envsuite.memory.tmaze.world:TMazeWorld",
        family="memory",
        summary=f"Turn as the latest cue said at the end of each of {corridors} corridors {which.format(length)}.",
        source=_SOURCE,
        horizon=6 * (length + 1) * corridors,
        options={"corridors": corridors, "length": length, **options},
        tags=("memory", "discrete actions", "partial observability", "rewriting memory"),
        behaviour=_BEHAVIOUR.get(name, ""),
        **anchors(_ANCHORS, name),
    )


CARDS = (
    *(
        _card(kind, corridors, length)
        for kind in ("Fixed", "Uniform")
        for corridors in (1, 3, 5, 10)
        for length in (5, 10)
    ),
    *(_card("Runes", corridors, 5) for corridors in (3, 5, 10)),
)

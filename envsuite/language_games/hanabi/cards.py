"""The cards of Hanabi."""

from envsuite.cards import EnvCard, Score

_WORLD = "envsuite.language_games.hanabi.world:HanabiWorld"
_SOURCE = "Bard et al. (2020), The Hanabi challenge, arXiv 1902.00506; sizes of MARSHAL, arXiv 2510.15414"
_TAGS = ("multi-agent", "text", "discrete actions", "card game", "hidden information", "turns", "cooperative")

CARDS = (
    EnvCard(
        id="envsuite/MiniHanabi-v0",
        world=_WORLD,
        family="language_games",
        summary="Two who see each other's cards alone lay fireworks of two colors and two ranks, with three hints.",
        source=_SOURCE,
        horizon=9,  # one more than there are moves: the game ends by itself
        agents=2,
        tags=_TAGS,
        random=Score(2.8898, 0.0159, 10_000, "uniformly random"),
        expert=Score(6.8600, 0.0101, 10_000, "planner"),
        behaviour="74e8f32e9a6dd1ba",
    ),
    EnvCard(
        id="envsuite/SimpleHanabi-v0",
        world=_WORLD,
        family="language_games",
        summary="Two who see each other's cards alone lay fireworks of three colors and two ranks, with eight hints.",
        source=_SOURCE,
        horizon=14,
        options={"colors": 3, "hand": 5, "information": 8},
        agents=2,
        tags=_TAGS,
        random=Score(3.1654, 0.0173, 10_000, "uniformly random"),
        expert=Score(7.9430, 0.0033, 10_000, "planner"),
        behaviour="1d27e035d7367a49",
    ),
)

"""The cards of negotiation."""

from envsuite.cards import EnvCard, Score

_WORLD = "envsuite.language_games.negotiation.world:NegotiationWorld"
_TAGS = ("multi-agent", "text", "discrete actions", "negotiation", "turns", "zero-sum")
_UNRANKED = "against random players accepting whatever gains earns nearly as much; compare by meetings of its players"

CARDS = (
    EnvCard(
        id="envsuite/NegotiationTwo-v0",
        world=_WORLD,
        family="language_games",
        summary="Trade wood and gold by offers, and gain more than the other, to whom they are worth the opposite.",
        source="SPIRAL, arXiv 2506.24119; rules of TextArena, arXiv 2504.11442",
        horizon=11,  # one more than there are turns: the game ends by itself
        options={"starter": "drawn"},
        agents=2,
        tags=_TAGS,
        random=Score(-0.0016, 0.0020, 10_000, "uniformly random"),
        expert=Score(0.9340, 0.0025, 10_000, "secure"),
        behaviour="2c46ecf8580a6e42",
        unranked=_UNRANKED,
    ),
    EnvCard(
        id="envsuite/NegotiationFive-v0",
        world=_WORLD,
        family="language_games",
        summary="Trade five kinds of goods by offers; what they are worth to the other one can only guess.",
        source="TextArena, arXiv 2504.11442",
        horizon=11,
        options={"kinds": 5, "most": 5, "starter": "drawn"},
        agents=2,
        tags=(*_TAGS, "hidden information"),
        random=Score(-0.0010, 0.0013, 10_000, "uniformly random"),
        expert=Score(0.9329, 0.0025, 10_000, "secure"),
        behaviour="2a508f9c4f5a61a3",
        unranked=_UNRANKED,
    ),
)

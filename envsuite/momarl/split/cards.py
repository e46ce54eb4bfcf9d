"""The cards of the splitting games."""

from envsuite.cards import EnvCard, Score

_WORLD = "envsuite.momarl.split.kernel:SplitWorld"
_TAGS = ("multi-agent", "continuous actions", "social dilemma", "negotiation")

CARDS = (
    EnvCard(
        id="envsuite/NoPressSplit-v0",
        world=_WORLD,
        family="momarl",
        summary="Two agents who know each other's values say, without a word, what they keep of hats, books and balls.",
        source="Advantage Alignment for language models, arXiv 2511.19405",
        horizon=11,  # one more than there are rounds: the game ends by itself
        agents=2,
        tags=_TAGS,
        random=Score(1554.5600, 5.2914, 1000, "uniformly random"),
        expert=Score(2546.4900, 4.4200, 1000, "welfare"),
        behaviour="0d0990340ab14fce",
    ),
    EnvCard(
        id="envsuite/TrustSplitClassic-v0",
        world=_WORLD,
        options={"kinds": 1, "values": "uniform", "open_values": False, "messages": "claims", "quota": 1},
        family="momarl",
        summary="Two agents say what a hat is worth to them, truly or not, then split ten of them, ten times.",
        source="Advantage Alignment for language models, arXiv 2511.19405",
        horizon=31,
        agents=2,
        tags=(*_TAGS, "communication"),
        random=Score(984.6273, 4.6752, 1000, "uniformly random"),
        expert=Score(1378.0600, 4.6099, 1000, "welfare"),
        behaviour="a5c385562137d7dc",
    ),
    EnvCard(
        id="envsuite/DealOrNoDeal-v0",
        world=_WORLD,
        options={
            "values": "deal",
            "rule": "exact",
            "open_values": False,
            "messages": "text",
            "quota": 3,
            "rounds": 1,
        },
        family="momarl",
        summary="Two agents with hidden values talk freely; only proposals that fit bring anything.",
        source="Lewis et al. (2017), Deal or No Deal, EMNLP",
        horizon=8,
        agents=2,
        tags=(*_TAGS, "communication", "free text"),
        random=Score(0.0100, 0.0100, 1000, "uniformly random"),
        expert=Score(15.1210, 0.0706, 1000, "welfare"),
        behaviour="26e4e44c3768cb5f",
    ),
)

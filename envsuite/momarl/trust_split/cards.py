"""The card of Trust-and-Split."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/TrustSplit-v0",
        world="envsuite.momarl.trust_split.kernel:TrustSplitWorld",
        family="momarl",
        summary="Two agents tell each other their hands, truly or not, then split ten coins, ten times.",
        source="Advantage Alignment for language models, arXiv 2511.19405",
        horizon=31,  # one more than ten rounds of two messages and a split have: the game ends by itself
        agents=2,
        tags=("multi-agent", "discrete actions", "social dilemma", "negotiation", "communication", "turns"),
        random=Score(451.8556, 2.4082, 1000, "uniformly random"),
        expert=Score(1000.0000, 0.0000, 1000, "truthful cooperators"),
        behaviour="4f7dfbd8f8333516",
    ),
    EnvCard(
        id="envsuite/TrustSplitTalk-v0",
        world="envsuite.momarl.trust_split.talk:TalkingTrustSplitWorld",
        family="momarl",
        summary="Two agents with different hands talk in free text, then split ten coins, ten times.",
        source="Advantage Alignment for language models, arXiv 2511.19405",
        horizon=31,
        agents=2,
        tags=("multi-agent", "continuous actions", "social dilemma", "negotiation", "communication", "free text"),
        random=Score(428.722, 2.286, 1000, "uniformly random"),
        expert=Score(1000.0, 0.0, 1000, "truthful cooperators"),
        behaviour="a993a59459396c30",
    ),
)

"""The card of Wordle."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/LMRLWordle-v0",
        world="envsuite.text_games.wordle.world:WordleWorld",
        family="text_games",
        summary="Find a hidden word of five letters, one of 431, in six tries.",
        source="Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232",
        horizon=7,  # one more than there are tries: the game ends by itself
        tags=("text", "discrete actions", "word game", "deduction"),
        random=Score(-5.9578, 0.0040, 10_000, "uniformly random"),
        expert=Score(-1.9108, 0.0055, 10_000, "search"),
        behaviour="3a86adcf05ca26f1",
    ),
    EnvCard(
        id="envsuite/LMRLWordleSmall-v0",
        world="envsuite.text_games.wordle.world:WordleWorld",
        family="text_games",
        summary="Find a hidden word of five letters, one of 16, in six tries.",
        source="Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232, with fewer words",
        options={"words": 16},
        horizon=7,
        tags=("text", "discrete actions", "word game", "deduction"),
        random=Score(-4.8021, 0.0198, 10_000, "uniformly random"),
        expert=Score(-1.0565, 0.0043, 10_000, "search"),
        behaviour="04f0833c66e18116",
    ),
)

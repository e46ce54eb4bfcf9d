"""The card of guess my city."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/GuessMyCity-v0",
        world="envsuite.text_games.guess_city.world:GuessMyCityWorld",
        family="text_games",
        summary="Find out which of 99 large cities it is with at most 20 questions, most of them open.",
        source="Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232",
        horizon=21,  # one more than there are questions: the game ends by itself
        tags=("text", "discrete actions", "dialogue", "partially observable"),
        random=Score(-19.3403, 0.0294, 10_000, "uniformly random"),
        expert=Score(-2.4982, 0.0052, 10_000, "greedy player"),
        behaviour="cebcdf2844a32b1f",
    ),
)

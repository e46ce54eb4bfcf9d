"""The card of guess my city."""

from envsuite.cards import EnvCard

CARDS = (
    EnvCard(
        id="envsuite/GuessMyCity-v0",
        world="envsuite.text_games.guess_city.world:GuessMyCityWorld",
        family="text_games",
        summary="Find out which of 99 large cities it is with at most 20 questions, most of them open.",
        source="Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232",
        horizon=21,  # one more than there are questions: the game ends by itself
        tags=("text", "discrete actions", "dialogue", "partially observable"),
    ),
)

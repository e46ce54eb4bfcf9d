"""The card of twenty questions."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/TwentyQuestions-v0",
        world="envsuite.text_games.twenty_questions.world:TwentyQuestionsWorld",
        family="text_games",
        summary="Find out which of 158 things it is with at most 20 questions that are answered with yes or no.",
        source="Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232",
        horizon=21,  # one more than there are questions: the game ends by itself
        tags=("text", "discrete actions", "dialogue", "partially observable"),
        random=Score(-19.9351, 0.0094, 10_000, "uniformly random"),
        expert=Score(-6.7951, 0.0075, 10_000, "greedy player"),
        behaviour="7145aab5a9a860d8",
    ),
)

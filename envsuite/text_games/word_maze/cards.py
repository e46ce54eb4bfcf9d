"""The cards of LMRL-Gym's maze."""

from envsuite.cards import EnvCard, Score

_SOURCE = "Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232"
_HORIZON = 101  # a hundred moves, and the step that finds time over

CARDS = (
    EnvCard(
        id="envsuite/LMRLMaze-v0",
        world="envsuite.text_games.word_maze.world:WordMazeWorld",
        family="text_games",
        summary="Find the goal of a maze by moves in words, told where one is and which walls are around.",
        source=_SOURCE,
        horizon=_HORIZON,
        tags=("text", "discrete actions", "navigation"),
        random=Score(-85.7042, 0.3029, 10_000, "uniformly random"),
        expert=Score(-6.7669, 0.0335, 10_000, "shortest way"),
        behaviour="20f259f2cbb0f5d2",
    ),
    EnvCard(
        id="envsuite/LMRLMazePO-v0",
        world="envsuite.text_games.word_maze.world:WordMazeWorld",
        family="text_games",
        summary="Find the goal of a maze by moves in words, told only which walls are around.",
        source=_SOURCE,
        horizon=_HORIZON,
        options={"observed": "walls"},
        tags=("text", "discrete actions", "navigation", "partial observability", "memory"),
        random=Score(-85.7042, 0.3029, 10_000, "uniformly random"),
        expert=Score(-7.1639, 0.0337, 10_000, "optimal for what is seen"),
        behaviour="6217275201ae9365",
    ),
)

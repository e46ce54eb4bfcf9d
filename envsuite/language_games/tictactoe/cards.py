"""The card of tic-tac-toe."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/TicTacToe-v0",
        world="envsuite.language_games.tictactoe.world:TicTacToeWorld",
        family="language_games",
        summary="Get three in a row before the other does, or stop it from doing so.",
        source="traditional; as in TextArena, arXiv 2504.11442, and OpenSpiel, arXiv 1908.09453",
        horizon=10,  # one more than there are cells: the game ends by itself
        options={"starter": "drawn"},
        agents=2,
        tags=("multi-agent", "text", "discrete actions", "board game", "turns", "zero-sum"),
        random=Score(0.0092, 0.0093, 10_000, "uniformly random"),
        expert=Score(0.9576, 0.0020, 10_000, "best play"),
        behaviour="ca1e5cb577fa0a32",
    ),
)

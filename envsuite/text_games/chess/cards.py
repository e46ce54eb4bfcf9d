"""The cards of chess."""

from envsuite.cards import EnvCard

_SOURCE = "Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232"

CARDS = (
    EnvCard(
        id="envsuite/Chess-v0",
        world="envsuite.text_games.chess.world:ChessWorld",
        family="text_games",
        summary="Play White against a weak chess engine; an illegal move costs 1.",
        source=_SOURCE,
        horizon=400,
        tags=("text", "discrete actions", "board game", "sparse reward"),
    ),
    EnvCard(
        id="envsuite/ChessEndgames-v0",
        world="envsuite.text_games.chess.endgames:ChessEndgamesWorld",
        family="text_games",
        summary="Mate a bare king with queen, rook, both or two rooks, against perfect defence.",
        source=_SOURCE,
        horizon=400,
        tags=("text", "discrete actions", "board game", "sparse reward"),
    ),
)

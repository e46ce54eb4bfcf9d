"""The cards of chess."""

from envsuite.cards import EnvCard, Score

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
        random=Score(-0.9972, 0.0008, 4000, "uniformly random"),
        expert=Score(0.9735, 0.0043, 2000, "alpha-beta search of three moves"),
        behaviour="2afde3d60d50a360",
    ),
    EnvCard(
        id="envsuite/ChessEndgames-v0",
        world="envsuite.text_games.chess.endgames:ChessEndgamesWorld",
        family="text_games",
        summary="Mate a bare king with queen, rook, both or two rooks, against perfect defence.",
        source=_SOURCE,
        horizon=400,
        tags=("text", "discrete actions", "board game", "sparse reward"),
        random=Score(0.0083, 0.0009, 10_000, "uniformly random"),
        expert=Score(1.0, 0.0, 10_000, "tablebase"),
        behaviour="658ed1df9e9b329c",
    ),
)

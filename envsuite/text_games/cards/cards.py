"""The cards of Gym-Cards' tasks."""

from envsuite.cards import EnvCard, Score

_SOURCE = "Zhai et al. (2024), RL4VLM's Gym-Cards, arXiv 2405.10292"

CARDS = (
    EnvCard(
        id="envsuite/NumberLine-v0",
        world="envsuite.text_games.cards.number_line:NumberLineWorld",
        family="text_games",
        summary="Walk along the numbers 0 to 5 to a target; steps that bring no nearer cost 1.",
        source=_SOURCE,
        horizon=10,
        tags=("text", "discrete actions", "navigation"),
        random=Score(-2.4974, 0.0313, 10_000, "uniformly random"),
        expert=Score(1.0, 0.0, 10_000, "shortest way"),
        behaviour="2cc091647ceddba1",
    ),
    EnvCard(
        id="envsuite/EZPoints-v0",
        world="envsuite.text_games.cards.points:EZPointsWorld",
        family="text_games",
        summary="Write a formula of two cards that comes to 12, symbol by symbol.",
        source=_SOURCE,
        horizon=7,  # six symbols, and the step that finds the formula too long
        tags=("text", "discrete actions", "arithmetic", "sparse reward"),
        random=Score(-0.8504, 0.0127, 10_000, "uniformly random"),
        expert=Score(10.0, 0.0, 10_000, "solver"),
        behaviour="d0f21c0484065acf",
    ),
    EnvCard(
        id="envsuite/Points24-v0",
        world="envsuite.text_games.cards.points:Points24World",
        family="text_games",
        summary="Write a formula of four cards that comes to 24, symbol by symbol, or give up where there is none.",
        source=_SOURCE,
        horizon=22,  # twenty-one symbols, and the step that finds the formula too long
        tags=("text", "discrete actions", "arithmetic", "sparse reward"),
        random=Score(-1.0, 0.0, 10_000, "uniformly random"),
        expert=Score(7.03, 0.0488, 10_000, "solver"),
        behaviour="a43104e61c103000",
    ),
    EnvCard(
        id="envsuite/CardsBlackjack-v0",
        world="envsuite.text_games.cards.blackjack:BlackjackWorld",
        family="text_games",
        summary="Blackjack from an infinite deck: draw cards, or stick with those that one has.",
        source=f"{_SOURCE}; Sutton and Barto (2018), example 5.1",
        horizon=21,  # one more than there can be steps: the game ends by itself
        tags=("text", "discrete actions", "chance"),
        random=Score(-0.3996, 0.0089, 10_000, "uniformly random"),
        expert=Score(-0.0375, 0.0095, 10_000, "optimal policy"),
        behaviour="c1cee135d04510a5",
        unranked="drawing up to 16 points, whatever the dealer shows, goes nine tenths of the way to the best policy",
    ),
)

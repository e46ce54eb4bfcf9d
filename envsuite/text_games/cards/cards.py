"""The cards of Gym-Cards' tasks."""

from envsuite.cards import EnvCard

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
    ),
    EnvCard(
        id="envsuite/EZPoints-v0",
        world="envsuite.text_games.cards.points:EZPointsWorld",
        family="text_games",
        summary="Write a formula of two cards that comes to 12, symbol by symbol.",
        source=_SOURCE,
        horizon=7,  # six symbols, and the step that finds the formula too long
        tags=("text", "discrete actions", "arithmetic", "sparse reward"),
    ),
    EnvCard(
        id="envsuite/Points24-v0",
        world="envsuite.text_games.cards.points:Points24World",
        family="text_games",
        summary="Write a formula of four cards that comes to 24, symbol by symbol, or give up where there is none.",
        source=_SOURCE,
        horizon=22,  # twenty-one symbols, and the step that finds the formula too long
        tags=("text", "discrete actions", "arithmetic", "sparse reward"),
    ),
    EnvCard(
        id="envsuite/CardsBlackjack-v0",
        world="envsuite.text_games.cards.blackjack:BlackjackWorld",
        family="text_games",
        summary="Blackjack from an infinite deck: draw cards, or stick with those that one has.",
        source=f"{_SOURCE}; Sutton and Barto (2018), example 5.1",
        horizon=21,  # one more than there can be steps: the game ends by itself
        tags=("text", "discrete actions", "chance"),
    ),
)

"""The card of car dealing."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/CarDealer-v0",
        world="envsuite.text_games.car_dealer.world:CarDealerWorld",
        family="text_games",
        summary="Sell a car for much money to a buyer whose budget, patience and wishes are hidden.",
        source="Abdulhai et al. (2023), LMRL-Gym, arXiv 2311.18232",
        horizon=16,  # one more than there are turns: the buyer decides before
        tags=("text", "discrete actions", "dialogue", "negotiation", "partially observable"),
        random=Score(-0.1002, 0.0078, 10_000, "uniformly random"),
        expert=Score(0.9041, 0.0018, 2000, "optimal seller"),
        behaviour="a253af2713397ff8",
    ),
)

"""Cards of the ids this world serves."""

from envsuite.cards import EnvCard

CARDS = (
    EnvCard(
        id="envsuite/ToyWorld-v0",
        world="envsuite.toy_family.toy_world.world:ToyWorld",
        family="toy_family",
        summary="Balance a pole that is hinged to a cart by pushing the cart left or right.",
        source="Barto, Sutton and Anderson (1983), IEEE Transactions on Systems, Man, and Cybernetics 13(5)",
        horizon=500,
    ),
)

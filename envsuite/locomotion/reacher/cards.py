"""Card of the arm in a plane."""

from envsuite.cards import Score
from envsuite.locomotion.listing import gymnasium_card

CARDS = (
    gymnasium_card(
        "Reacher",
        "reacher",
        "Bring the tip of an arm of two links to a target in a plane, by torques of two joints.",
        tags=("control",),
        horizon=50,
        random=(-42.865, 0.1251),
        expert=(-4.416, 0.0616),
        floor=Score(-9.284, 0.0832, 1000, "best constant action"),
        behaviour="55976220e01cfda2",
    ),
)

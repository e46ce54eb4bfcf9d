"""Cards of the poles on a cart."""

from envsuite.locomotion.listing import gymnasium_card

CARDS = (
    gymnasium_card(
        "InvertedPendulum",
        "pendulums",
        "Keep a pole upright by pushing the cart that it stands on.",
        tags=("control",),
        random=(4.952, 0.1059),
        expert=(1000.0, 0.0),
        behaviour="3790d3438418d643",
    ),
    gymnasium_card(
        "InvertedDoublePendulum",
        "pendulums",
        "Keep two poles, one upon the other, upright by pushing the cart below.",
        tags=("control",),
        random=(47.104, 0.5472),
        expert=(9321.726, 0.0128),
        behaviour="b557b0411e59c924",
    ),
)

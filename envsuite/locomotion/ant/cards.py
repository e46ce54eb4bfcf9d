"""Card of the four-legged body."""

from envsuite.locomotion.listing import gymnasium_card

CARDS = (
    gymnasium_card(
        "Ant",
        "ant",
        "Run forward on four legs without turning over, by torques of eight joints.",
        paper="Schulman et al. (2015), High-Dimensional Continuous Control Using Generalized Advantage Estimation, "
        "arXiv 1506.02438",
        tags=("locomotion", "contacts"),
        random=(-60.952, 3.1304),
        expert=(5859.435, 26.206),
        behaviour="4a52be60d829a155",
    ),
)

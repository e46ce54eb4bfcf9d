"""Cards of the body with arms and legs."""

from functools import partial

from envsuite.locomotion.listing import gymnasium_card

_card = partial(
    gymnasium_card,
    world="humanoid",
    paper="Tassa, Erez and Todorov (2012), Synthesis and Stabilization of Complex Behaviors through Online Trajectory "
    "Optimization",
    tags=("locomotion", "contacts"),
)

CARDS = (
    _card(
        "Humanoid",
        summary="Walk or run forward on two legs without falling, by torques of seventeen joints.",
        random=(113.899, 1.0472),
        expert=(5937.245, 0.8653),
        behaviour="567c29e49aca9bc0",
    ),
    _card(
        "HumanoidStandup",
        summary="Stand up from lying on the back, by torques of seventeen joints.",
        random=(33260.633, 79.944),
        expert=(167247.061, 12.877),
        behaviour="d92e11364e958548",
    ),
)

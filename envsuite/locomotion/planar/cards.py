"""Cards of the runners in a plane, and of the swimmer."""

from envsuite.cards import EnvCard, Score

_TAGS = ("locomotion", "continuous actions", "rigid bodies")
_GYMNASIUM = "Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032), "


def _card(name: str, summary: str, source: str, tags: tuple[str, ...] = (), **anchors) -> EnvCard:
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.locomotion.planar.world:{name}World",
        family="locomotion",
        summary=summary,
        source=_GYMNASIUM + source,
        horizon=1000,
        tags=(*_TAGS, *tags),
        **anchors,
    )


CARDS = (
    _card(
        "Hopper",
        "Hop forward on one leg without falling, by torques of three joints.",
        "Hopper-v5; Erez, Tassa and Todorov (2011), Infinite Horizon Model Predictive Control",
        ("contacts",),
        random=Score(17.473, 0.5613, 1000, "uniformly random"),
        expert=Score(3354.996, 1.9281, 1000, "network trained by PPO"),
        behaviour="de7315e820009b4b",
    ),
    _card(
        "Walker2d",
        "Walk or run forward on two legs in a plane without falling, by torques of six joints.",
        "Walker2d-v5; Erez, Tassa and Todorov (2011), Infinite Horizon Model Predictive Control",
        ("contacts",),
        random=Score(1.683, 0.1973, 1000, "uniformly random"),
        expert=Score(5751.113, 26.5343, 1000, "network trained by PPO"),
        behaviour="671ca5369149e597",
    ),
    _card(
        "HalfCheetah",
        "Run forward as fast as possible on a back leg and a front leg in a plane, by torques of six joints.",
        "HalfCheetah-v5; Wawrzynski (2009), A Cat-Like Robot Real-Time Learning to Run",
        ("contacts",),
        random=Score(-283.662, 2.4397, 1000, "uniformly random"),
        expert=Score(8092.038, 10.1757, 1000, "network trained by PPO"),
        behaviour="09800c42cee0cc78",
    ),
    _card(
        "Swimmer",
        "Swim forward with three rods in a viscous fluid, by torques of two joints.",
        "Swimmer-v5; Coulom (2002), Reinforcement Learning Using Neural Networks",
        ("fluid",),
        random=Score(0.37, 0.3394, 1000, "uniformly random"),
        expert=Score(356.625, 0.0496, 1000, "network trained by PPO"),
        behaviour="c5518c9a9e96b5fb",
    ),
)

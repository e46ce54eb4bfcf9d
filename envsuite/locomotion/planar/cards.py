"""Cards of the runners in a plane, and of the swimmer."""

from envsuite.cards import EnvCard

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
        behaviour="de7315e820009b4b",
    ),
    _card(
        "Walker2d",
        "Walk or run forward on two legs in a plane without falling, by torques of six joints.",
        "Walker2d-v5; Erez, Tassa and Todorov (2011), Infinite Horizon Model Predictive Control",
        ("contacts",),
        behaviour="671ca5369149e597",
    ),
    _card(
        "HalfCheetah",
        "Run forward as fast as possible on a back leg and a front leg in a plane, by torques of six joints.",
        "HalfCheetah-v5; Wawrzynski (2009), A Cat-Like Robot Real-Time Learning to Run",
        ("contacts",),
        behaviour="09800c42cee0cc78",
    ),
    _card(
        "Swimmer",
        "Swim forward with three rods in a viscous fluid, by torques of two joints.",
        "Swimmer-v5; Coulom (2002), Reinforcement Learning Using Neural Networks",
        ("fluid",),
        behaviour="c5518c9a9e96b5fb",
    ),
)

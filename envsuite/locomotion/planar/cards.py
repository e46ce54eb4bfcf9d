"""Cards of the runners in a plane, and of the swimmer."""

from envsuite.locomotion.listing import gymnasium_card

CARDS = (
    gymnasium_card(
        "Hopper",
        "planar",
        "Hop forward on one leg without falling, by torques of three joints.",
        paper="Erez, Tassa and Todorov (2011), Infinite Horizon Model Predictive Control",
        tags=("locomotion", "contacts"),
        random=(17.473, 0.5613),
        expert=(3354.996, 1.9281),
        behaviour="de7315e820009b4b",
    ),
    gymnasium_card(
        "Walker2d",
        "planar",
        "Walk or run forward on two legs in a plane without falling, by torques of six joints.",
        paper="Erez, Tassa and Todorov (2011), Infinite Horizon Model Predictive Control",
        tags=("locomotion", "contacts"),
        random=(1.683, 0.1973),
        expert=(5751.113, 26.5343),
        behaviour="671ca5369149e597",
    ),
    gymnasium_card(
        "HalfCheetah",
        "planar",
        "Run forward as fast as possible on a back leg and a front leg in a plane, by torques of six joints.",
        paper="Wawrzynski (2009), A Cat-Like Robot Real-Time Learning to Run",
        tags=("locomotion", "contacts"),
        random=(-283.662, 2.4397),
        expert=(8092.038, 10.1757),
        behaviour="09800c42cee0cc78",
    ),
    gymnasium_card(
        "Swimmer",
        "planar",
        "Swim forward with three rods in a viscous fluid, by torques of two joints.",
        paper="Coulom (2002), Reinforcement Learning Using Neural Networks",
        tags=("locomotion", "fluid"),
        random=(0.37, 0.3394),
        expert=(356.625, 0.0496),
        behaviour="c5518c9a9e96b5fb",
    ),
)

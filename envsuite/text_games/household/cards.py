"""The cards of household tasks."""

from envsuite.cards import EnvCard, Score

_ALFWORLD = "Shridhar et al. (2021), ALFWorld, arXiv 2010.03768; Shridhar et al. (2020), ALFRED, arXiv 1912.01734"


def _card(name, summary, options, random, expert, behaviour):
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world="envsuite.text_games.household.world:HouseholdWorld",
        family="text_games",
        summary=summary,
        source=_ALFWORLD,
        horizon=50,
        options=options,
        tags=("text", "discrete actions", "procedural", "partially observed", "sparse reward"),
        random=Score(*random, 10_000, "uniformly random"),
        expert=Score(*expert, 2_000, "shortest solution"),
        behaviour=behaviour,
        trained_on="envsuite/Household-v0" if name == "HouseholdUnseen" else "",
    )


CARDS = (
    _card(
        "HouseholdPick",
        "Find a thing in a room and put it into another place.",
        {"task": "pick"},
        (0.0099, 0.001),
        (1.0, 0.0),
        "5d4ad30d214c1eb6",
    ),
    _card(
        "HouseholdLight",
        "Find a thing in a room and look at it by the light of a lamp.",
        {"task": "light"},
        (0.0197, 0.0014),
        (1.0, 0.0),
        "c9e5f67f160ef43f",
    ),
    _card(
        "HouseholdClean",
        "Find a thing, clean it, and put it into another place.",
        {"task": "clean"},
        (0.0003, 0.0002),
        (1.0, 0.0),
        "8c49f8f09f65db50",
    ),
    _card(
        "HouseholdHeat",
        "Find a thing, heat it, and put it into another place.",
        {"task": "heat"},
        (0.0, 0.0),
        (1.0, 0.0),
        "1a31bf2780eda5c0",
    ),
    _card(
        "HouseholdCool",
        "Find a thing, cool it, and put it into another place.",
        {"task": "cool"},
        (0.0, 0.0),
        (1.0, 0.0),
        "031a8ae7cf5ed165",
    ),
    _card(
        "HouseholdPickTwo",
        "Find two things of a kind and put them into the same place.",
        {"task": "two"},
        (0.0001, 0.0001),
        (1.0, 0.0),
        "304c548005931f58",
    ),
    _card(
        "Household",
        "Six kinds of household tasks: fetch a thing, treat it, and put it where it should be.",
        {},
        (0.0075, 0.0009),
        (1.0, 0.0),
        "ddcc5986305104f3",
    ),
    _card(
        "HouseholdLarge",
        "Household tasks in houses of four rooms.",
        {"rooms": 4, "receptacles": 48, "objects": 24},
        (0.0011, 0.0003),
        (1.0, 0.0),
        "71b4f1f61942d022",
    ),
    _card(
        "HouseholdUnseen",
        "Household tasks with goals and rooms that are held out from training.",
        {"split": "unseen"},
        (0.0071, 0.0008),
        (1.0, 0.0),
        "a61901e529b2da29",
    ),
)

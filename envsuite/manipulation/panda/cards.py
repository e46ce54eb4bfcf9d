"""Cards of the arm's six tasks."""

from envsuite.cards import EnvCard, Score

SUMMARIES = {
    "reach": "Take the hand to the goal.",
    "push": "Push the cube to the goal.",
    "slide": "Send the puck sliding to a goal beyond the arm's reach.",
    "pick-and-place": "Take the cube to the goal, on the table or in the air.",
    "stack": "Stack the two cubes at the goal.",
    "flip": "Turn the cube as the goal is turned.",
}
"""What to do in each task."""

SOURCE = (
    "Gallouédec et al. (2021), panda-gym: Open-Source Goal-Conditioned Environments for Robotic Learning, arXiv "
    "2106.13687 (panda-gym 3.0.7)"
)


EPISODES = 100
_MEASURED: dict[str, tuple[tuple[float, float], tuple[float, float] | None, str]] = {
    "reach": ((-44.99, 1.3741), (-1.47, 0.0771), "b30337fab3e60358"),
    "push": ((-49.48, 0.3661), (-16.0, 0.8507), "1af02909afb14424"),
    "slide": ((-50.0, 0.0), (-28.55, 0.8836), "6485b7c9c579f175"),
    "pick-and-place": ((-50.0, 0.0), (-14.03, 0.3555), "37c20e436bf3eb4a"),
    "stack": ((-99.16, 0.84), (-40.18, 1.2819), "3d6c97c4eda9e400"),
    "flip": ((-49.89, 0.092), None, "3d5cb7b6bb7e45f7"),
}
"""Mean return and its standard error over `EPISODES` of random play and of the scripted player; behaviour hash."""

_NO_PLAYER = "no reliable way to topple the cube was found"


def _card(task: str) -> EnvCard:
    random, expert, behaviour = _MEASURED[task]
    return EnvCard(
        id=f"envsuite/Panda{task.title().replace('-', '')}-v0",
        world="envsuite.manipulation.panda.world:PandaWorld",
        family="manipulation",
        summary=SUMMARIES[task],
        source=SOURCE,
        horizon=100 if task == "stack" else 50,
        options={"task": task},
        tags=("manipulation", "panda-gym", "continuous actions", "rigid bodies", "contacts", "goal", "sparse reward"),
        random=Score(*random, EPISODES, "uniformly random"),
        expert=Score(*expert, EPISODES, "scripted player") if expert else None,
        unranked="" if expert else "there is no reference player",
        not_applicable={} if expert else dict.fromkeys(("expert", "dataset"), _NO_PLAYER),
        behaviour=behaviour,
    )


CARDS = tuple(_card(task) for task in SUMMARIES)

"""Cards of the arm's six tasks."""

from envsuite.cards import EnvCard

SUMMARIES = {
    "reach": "Take the hand to the goal.",
    "push": "Push the cube to the goal.",
    "slide": "Send the puck sliding to a goal beyond the arm's reach.",
    "pick-and-place": "Take the cube to the goal, on the table or in the air.",
    "stack": "Stack the two cubes at the goal.",
    "flip": "Turn the cube as the goal is turned.",
}
"""What to do in each task, in the original's words for it."""

SOURCE = (
    "Gallouédec et al. (2021), panda-gym: Open-Source Goal-Conditioned Environments for Robotic Learning, arXiv "
    "2106.13687 (panda-gym 3.0.7)"
)


def _card(task: str) -> EnvCard:
    return EnvCard(
        id=f"envsuite/Panda{''.join(word.capitalize() for word in task.split('-'))}-v0",
        world="envsuite.manipulation.panda.world:PandaWorld",
        family="manipulation",
        summary=SUMMARIES[task],
        source=SOURCE,
        horizon=100 if task == "stack" else 50,
        options={"task": task},
        tags=("manipulation", "panda-gym", "continuous actions", "rigid bodies", "contacts", "goal", "sparse reward"),
    )


CARDS = tuple(_card(task) for task in SUMMARIES)

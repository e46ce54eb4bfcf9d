"""Cards of the four tasks at the workbench."""

from envsuite.cards import EnvCard, Score

SUMMARIES = {
    "peg-insertion": "Grasp the peg and put it into the hole of the block.",
    "drawer": "Open the drawer by its handle.",
    "door": "Open the door of the cabinet by its handle.",
    "wipe": "Wipe all marks off the table by pressing on them with the sponge.",
}
"""What to do in each task."""

SOURCE = (
    "modelled on tasks of robosuite 1.5 (Zhu et al. 2020, arXiv 2009.12293) and ManiSkill 3 (Tao et al. 2024, arXiv "
    "2410.00425), with scenes of our own"
)

HORIZONS = {"peg-insertion": 100, "drawer": 50, "door": 50, "wipe": 100}
"""Steps of an episode."""

EPISODES = 100
_MEASURED: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "peg-insertion": ((3.282, 0.1769), (81.75, 0.273), "ab05b6c420ecb9ff"),
    "drawer": ((6.12, 0.5319), (43.93, 0.0997), "895082558a327c03"),
    "door": ((5.218, 0.3291), (41.48, 0.1416), "e78a21e3371033f4"),
    "wipe": ((13.74, 1.0408), (82.34, 0.3122), "481a5f21b7780f7c"),
}
"""Mean return and its standard error over `EPISODES` of random play and of the scripted player; behaviour hash."""


def _card(task: str) -> EnvCard:
    random, expert, behaviour = _MEASURED[task]
    return EnvCard(
        id=f"envsuite/Panda{task.title().replace('-', '')}-v0",
        world="envsuite.manipulation.workbench.world:WorkbenchWorld",
        family="manipulation",
        summary=SUMMARIES[task],
        source=SOURCE,
        horizon=HORIZONS[task],
        options={"task": task},
        tags=("manipulation", "workbench", "continuous actions", "rigid bodies", "contacts", "dense reward"),
        random=Score(*random, EPISODES, "uniformly random"),
        expert=Score(*expert, EPISODES, "scripted player"),
        behaviour=behaviour,
    )


CARDS = tuple(_card(task) for task in SUMMARIES)

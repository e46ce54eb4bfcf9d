"""Cards of the drone tasks."""

from envsuite.cards import EnvCard, Score

_WORLD = "envsuite.momarl.crazyrl.kernel:CrazyRLWorld"
_SOURCE = "Felten (2023), CrazyRL; MOMAland, arXiv 2407.16312"
_TAGS = ("multi-objective", "multi-agent", "continuous actions", "cooperative", "individual rewards", "drones")

CARDS = (
    EnvCard(
        id="envsuite/MOCatch-v0",
        world=_WORLD,
        options={"task": "catch"},
        family="momarl",
        summary="Four drones close in on a target that flees, and keep away from each other.",
        source=_SOURCE,
        horizon=200,
        agents=4,
        objectives=("approach", "spread"),
        weights=(0.125, 0.125),
        tags=(*_TAGS, "rare chance"),  # the target moves by chance once it is caught
        random=Score(51.4440, 1.9007, 1000, "uniformly random"),
        expert=Score(655.4858, 0.0000, 1000, "spreaders"),
        behaviour="93194e7ed2a47c4b",
    ),
    EnvCard(
        id="envsuite/MOEscort-v0",
        world=_WORLD,
        options={"task": "escort"},
        family="momarl",
        summary="Four drones stay around a target that flies along a line, and keep away from each other.",
        source=_SOURCE,
        horizon=200,
        agents=4,
        objectives=("approach", "spread"),
        weights=(0.125, 0.125),
        tags=(*_TAGS, "deterministic"),
        random=Score(51.4565, 1.9019, 1000, "uniformly random"),
        expert=Score(655.6264, 0.0000, 1000, "spreaders"),
        behaviour="1e70e68d0308fe2a",
    ),
    EnvCard(
        id="envsuite/MOSurround-v0",
        world=_WORLD,
        options={"task": "surround"},
        family="momarl",
        summary="Four drones close in on a target that stands still, and keep away from each other.",
        source=_SOURCE,
        horizon=200,
        agents=4,
        objectives=("approach", "spread"),
        weights=(0.125, 0.125),
        tags=(*_TAGS, "deterministic"),
        random=Score(50.9506, 1.8774, 1000, "uniformly random"),
        expert=Score(655.4402, 0.0000, 1000, "spreaders"),
        behaviour="859c89d9b81c907b",
    ),
)

"""Cards of item gathering."""

from envsuite.cards import EnvCard, Score

_WORLD = "envsuite.momarl.item_gathering.kernel:ItemGatheringWorld"
_SOURCE = "Källström and Heintz (2019), ALA; MOMAland, arXiv 2407.16312"
_OBJECTIVES = ("item_1", "item_2", "item_3")
_TAGS = ("multi-objective", "multi-agent", "discrete actions", "grid")

CARDS = (
    EnvCard(
        id="envsuite/MOItemGathering-v0",
        world=_WORLD,
        family="momarl",
        summary="Two agents on a grid pick up items of three kinds, each for itself, in ten steps.",
        source=_SOURCE,
        horizon=10,
        agents=2,
        objectives=_OBJECTIVES,
        weights=(1.0, 1.0, 1.0),
        tags=(*_TAGS, "individual rewards", "known front", "rare chance"),
        random=Score(0.4160, 0.0251, 1000, "uniformly random"),
        expert=Score(8.0000, 0.0000, 1000, "exact plan"),
        behaviour="d0ab778b3209e5d2",
        datasets=("mo-item-gathering/random-v0", "mo-item-gathering/mixed-v0", "mo-item-gathering/expert-v0"),
    ),
    EnvCard(
        id="envsuite/MOItemGathering7-v0",
        world=_WORLD,
        options={"num_timesteps": 7, "reward_mode": "team"},
        family="momarl",
        summary="Seven steps are too few for all items: the team must choose between kinds (four exact Pareto points).",
        source=_SOURCE,
        horizon=7,
        agents=2,
        objectives=_OBJECTIVES,
        weights=(0.5, 0.5, 0.5),
        tags=(*_TAGS, "team rewards", "known front", "rare chance"),
        random=Score(0.1790, 0.0151, 1000, "uniformly random"),
        expert=Score(6.0000, 0.0000, 1000, "exact plan"),
        behaviour="f1ff1616b2f0d85a",
    ),
    EnvCard(
        id="envsuite/MOItemGatheringDrawn-v0",
        world=_WORLD,
        options={"num_timesteps": 50, "layout": "drawn", "reward_mode": "team"},
        family="momarl",
        summary="The same items and agents anywhere, drawn for every episode, and time for all of them.",
        source=_SOURCE,
        horizon=50,
        agents=2,
        objectives=_OBJECTIVES,
        weights=(0.5, 0.5, 0.5),
        tags=(*_TAGS, "team rewards", "random layouts"),
        random=Score(4.3550, 0.0633, 1000, "uniformly random"),
        expert=Score(8.0000, 0.0000, 1000, "nearest items"),
        behaviour="9cf39736ff03b23a",
    ),
)

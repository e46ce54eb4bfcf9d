"""The cards of questions about relations and of the tasks of decision."""

from typing import Any

from envsuite.cards import EnvCard, Score

SOURCE = "Dong et al. (2019), Neural Logic Machines, arXiv 1904.11694; Li et al. (2024), arXiv 2401.09042"

_QUESTIONS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "FamilyHasFather": (
        "Family",
        {"relation": "has_father"},
        "whether people of a family have a father in it",
        "5415f0f3930714d3",
    ),
    "FamilyHasSister": (
        "Family",
        {"relation": "has_sister"},
        "whether people of a family have a sister",
        "35ecec8d7b7b2bdb",
    ),
    "FamilyIsGrandparent": ("Family", {"relation": "is_grandparent"}, "who is whose grandparent", "290f50f8aaa4e8b1"),
    "FamilyIsUncle": ("Family", {"relation": "is_uncle"}, "who is whose uncle", "fb50904ad286f52e"),
    "FamilyIsMGUncle": ("Family", {"relation": "is_mg_uncle"}, "who is whose maternal great uncle", "c387af553ce0aa3b"),
    "GraphConnectivity4": (
        "Graph",
        {"relation": "connectivity", "k": 4},
        "whether a node is reached from another in at most four steps",
        "6767732303f66fea",
    ),
    "GraphConnectivity6": (
        "Graph",
        {"relation": "connectivity", "k": 6},
        "whether a node is reached from another in at most six steps",
        "c7ed4a27d477e0fd",
    ),
    "GraphOutDegree1": (
        "Graph",
        {"relation": "out_degree", "k": 1},
        "whether a node has exactly one edge",
        "04341a7308c38a2d",
    ),
    "GraphOutDegree2": (
        "Graph",
        {"relation": "out_degree", "k": 2},
        "whether a node has exactly two edges",
        "71d295ca5432b182",
    ),
    "GraphAdjacentToRed": (
        "Graph",
        {"relation": "adjacent_to_red"},
        "whether a node has an edge to a red one",
        "1c849b54c6695711",
    ),
    "GraphPathDistance": (
        "Graph",
        {"relation": "path_distance"},
        "how long shortest paths in a graph are",
        "98370a7e4b72aa1a",
    ),
}
"""By name: world, options, what is asked, behaviour hash."""


def _questions(name: str) -> EnvCard:
    world, options, asked, behaviour = _QUESTIONS[name]
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.text_games.relations.world:{world}World",
        family="text_games",
        summary=f"Ten questions, as many with yes as with no for an answer: {asked}.",
        source=SOURCE,
        horizon=11,  # one more than there are questions: the examination ends by itself
        options=options,
        tags=("text", "discrete actions", "relations", "classification"),
        random=Score(5.0084, 0.0157, 10_000, "uniformly random"),
        expert=Score(10.0, 0.0, 10_000, "exact labels"),
        behaviour=behaviour,
    )


def _decisions(name: str, **given: Any) -> EnvCard:
    held_out = name.endswith("HeldOut")
    return EnvCard(
        id=f"envsuite/{name}-v0",
        family="text_games",
        source=SOURCE,
        not_applicable={"dataset": "its sizes are kept for tests"} if held_out else {},
        **given,
    )


CARDS = (
    *(_questions(name) for name in _QUESTIONS),
    _decisions(
        "RelationSorting",
        world="envsuite.text_games.relations.sorting:SortingWorld",
        summary="Sort ten numbers by swapping two a step.",
        horizon=20,
        tags=("text", "discrete actions", "relations", "sparse reward"),
        random=Score(0.0, 0.0, 10_000, "uniformly random"),
        expert=Score(1.0, 0.0, 10_000, "fewest swaps"),
        behaviour="ca55932ae5537f56",
    ),
    _decisions(
        "RelationSortingHeldOut",
        world="envsuite.text_games.relations.sorting:SortingWorld",
        summary="Sort 11 to 50 numbers by swapping two a step.",
        horizon=100,
        options={"shortest": 11, "longest": 50},
        tags=("text", "discrete actions", "relations", "sparse reward", "varying limit"),
        random=Score(0.0, 0.0, 10_000, "uniformly random"),
        expert=Score(1.0, 0.0, 10_000, "fewest swaps"),
        behaviour="f221fd41386c2358",
    ),
    _decisions(
        "RelationPath",
        world="envsuite.text_games.relations.path:PathWorld",
        summary="Go through a graph of ten nodes to a target one to five steps away, by a shortest path.",
        horizon=6,  # one more than there can be steps: the walk ends by itself
        tags=("text", "discrete actions", "relations", "navigation", "sparse reward"),
        random=Score(0.1281, 0.0033, 10_000, "uniformly random"),
        expert=Score(1.0, 0.0, 10_000, "shortest path"),
        behaviour="ac03b1d4423cbba0",
    ),
    _decisions(
        "RelationPathHeldOut",
        world="envsuite.text_games.relations.path:PathWorld",
        summary="Go through a graph of fifty nodes to a target four steps away, by a shortest path.",
        horizon=5,  # one more than there are steps: the walk ends by itself
        options={"smallest": 50, "largest": 50, "near": 4, "far": 4},
        tags=("text", "discrete actions", "relations", "navigation", "sparse reward"),
        random=Score(0.0008, 0.0003, 10_000, "uniformly random"),
        expert=Score(1.0, 0.0, 10_000, "shortest path"),
        behaviour="d807591783051bf6",
    ),
    _decisions(
        "BlocksWorld",
        world="envsuite.text_games.relations.blocks:BlocksWorld",
        summary="Rebuild towers of three to twelve blocks, one block a step.",
        horizon=48,
        tags=("text", "discrete actions", "relations", "planning", "varying limit"),
        random=Score(-0.2239, 0.0034, 10_000, "uniformly random"),
        expert=Score(0.9287, 0.0004, 10_000, "planner"),
        behaviour="36a1ac19d860d817",
    ),
    _decisions(
        "BlocksWorldHeldOut",
        world="envsuite.text_games.relations.blocks:BlocksWorld",
        summary="Rebuild towers of 13 to 50 blocks, one block a step.",
        horizon=200,
        options={"smallest": 13, "largest": 50},
        tags=("text", "discrete actions", "relations", "planning", "varying limit"),
        random=Score(-1.2645, 0.0142, 1000, "uniformly random"),
        expert=Score(0.603, 0.0052, 1000, "planner"),
        behaviour="7a650b58932594a3",
    ),
)

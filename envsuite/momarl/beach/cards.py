"""Cards of the beach."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOBeach-v0",
        world="envsuite.momarl.beach.kernel:BeachWorld",
        options={"reward_mode": "team"},
        family="momarl",
        summary="A hundred visitors of two types choose sections of a beach: not too crowded, and mixed.",
        source="Mannion et al. (2018), The Knowledge Engineering Review 33; MOMAland, arXiv 2407.16312",
        horizon=2,  # the episode ends by itself after one step
        agents=100,
        objectives=("capacity", "mixture"),
        weights=(0.5 / 100 / 12.881801, 0.5 / 100 / 0.462963),
        tags=("multi-objective", "multi-agent", "discrete actions", "congestion", "team rewards"),
        random=Score(0.6831, 0.0015, 1000, "uniformly random"),
        expert=Score(0.8029, 0.0010, 1000, "planner"),
        behaviour="80fecdcc35839890",
    ),
    EnvCard(
        id="envsuite/MOBeach50-v0",
        world="envsuite.momarl.beach.kernel:BeachWorld",
        options={
            "num_agents": 50,
            "sections": 5,
            "capacity": 3,
            "type_distribution": (0.7, 0.3),
            "position_distribution": (0.0, 0.5, 0.0, 0.5, 0.0),
            "type_counts": "exact",
            "reward_mode": "team",
        },
        family="momarl",
        summary="Fifty visitors, 35 of one type and 15 of the other, are paid for the whole beach.",
        source="Mannion et al. (2018), The Knowledge Engineering Review 33; MOMAland, arXiv 2407.16312",
        horizon=2,  # the episode ends by itself after one step
        agents=50,
        objectives=("capacity", "mixture"),
        weights=(0.5 / 50 / 4.414673, 0.5 / 50 / 0.452381),
        tags=("multi-objective", "multi-agent", "discrete actions", "congestion", "team rewards", "known front"),
        random=Score(0.5806, 0.0014, 1000, "uniformly random"),
        expert=Score(0.9649, 0.0002, 1000, "planner"),
        behaviour="0a786c2cb35be4eb",
    ),
)

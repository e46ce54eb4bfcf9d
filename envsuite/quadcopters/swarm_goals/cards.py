"""Cards of the swarm task, one a scenario."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadSwarmGoals-v0",
        world="envsuite.quadcopters.swarm_goals.kernel:SwarmGoalsWorld",
        options={"scenario": "mix"},
        family="quadcopters",
        summary="Eight drones fly to goals that stand still, jump, swap, grow or flee, and keep clear of each other.",
        source="Huang et al. (2023), QuadSwarm, arXiv 2306.09537",
        horizon=1500,
        agents=8,
        tags=("control", "continuous actions", "multi-agent", "swarm", "collision avoidance"),
        random=Score(-827.651, 3.479, 1000, "uniformly random"),
        expert=Score(45.556, 0.997, 1000, "planner"),
        behaviour="02a2270e2fb9defc",
    ),
    EnvCard(
        id="envsuite/QuadSwarmGoalsColumns-v0",
        world="envsuite.quadcopters.swarm_goals.kernel:SwarmGoalsWorld",
        options={"scenario": "o_mix"},
        family="quadcopters",
        summary="Eight drones fly to goals among columns, and keep clear of these and of each other.",
        source="Huang et al. (2023), QuadSwarm, arXiv 2306.09537",
        horizon=1500,
        agents=8,
        tags=("control", "continuous actions", "multi-agent", "swarm", "collision avoidance", "obstacles"),
        random=Score(-1027.448, 2.806, 1000, "uniformly random"),
        expert=Score(-57.519, 2.722, 1000, "planner"),
        behaviour="7b6821dfb92482a9",
    ),
)

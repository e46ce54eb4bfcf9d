"""Cards of the race."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadGateRaceL0-v0",
        world="envsuite.quadcopters.gate_race.kernel:GateRaceWorld",
        options={"course": "L0"},
        family="quadcopters",
        summary="Race through four gates between poles.",
        source="Course of the LSY drone racing competition (Learning Systems Lab, TU Munich)",
        horizon=3000,
        tags=("control", "continuous actions", "racing", "gate"),
        random=Score(-7.441, 0.067, 1000, "uniformly random"),
        expert=Score(24.207, 0.000, 1000, "planner"),
        behaviour="35ea52f8153694bc",
    ),
    EnvCard(
        id="envsuite/QuadGateRaceL1-v0",
        world="envsuite.quadcopters.gate_race.kernel:GateRaceWorld",
        options={"course": "L1"},
        family="quadcopters",
        summary="Race through four gates between poles, with random mass, inertia and start.",
        source="Course of the LSY drone racing competition (Learning Systems Lab, TU Munich)",
        horizon=3000,
        tags=("control", "continuous actions", "racing", "gate", "domain randomisation"),
    ),
    EnvCard(
        id="envsuite/QuadGateRaceL2-v0",
        world="envsuite.quadcopters.gate_race.kernel:GateRaceWorld",
        options={"course": "L2"},
        family="quadcopters",
        summary="Race through four gates that are not quite where they should be.",
        source="Course of the LSY drone racing competition (Learning Systems Lab, TU Munich)",
        horizon=3000,
        tags=("control", "continuous actions", "racing", "gate", "domain randomisation", "partial observability"),
    ),
    EnvCard(
        id="envsuite/QuadGateRaceL3-v0",
        world="envsuite.quadcopters.gate_race.kernel:GateRaceWorld",
        options={"course": "L3"},
        family="quadcopters",
        summary="Race through four gates on a course that is new every time.",
        source="Course of the LSY drone racing competition (Learning Systems Lab, TU Munich)",
        horizon=3000,
        tags=("control", "continuous actions", "racing", "gate", "procedural", "partial observability"),
    ),
    EnvCard(
        id="envsuite/QuadGateRaceRings-v0",
        world="envsuite.quadcopters.gate_race.kernel:GateRaceWorld",
        options={"course": "rings"},
        family="quadcopters",
        summary="Race through ten rings on a course that is new every time.",
        source="Rings after drone_race of PufferLib (Suarez, 2024, arXiv 2406.12905)",
        horizon=3000,
        tags=("control", "continuous actions", "racing", "procedural"),
    ),
)

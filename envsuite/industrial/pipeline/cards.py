"""The card of the pipeline."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/Pipeline-v0",
        world="envsuite.industrial.pipeline.world:PipelineWorld",
        family="industrial",
        summary="Meet a demand of water at the end of a pipe that shows what the gate does 19 steps later.",
        source="Gao and others (2025), NeoRL-2, arXiv 2503.19267",
        horizon=1000,
        tags=("control", "continuous actions", "delay", "offline"),
        random=Score(-136.541, 4.416, 10_000, "uniformly random"),
        expert=Score(793.445, 3.183, 2_000, "controller that knows the delay"),
        unranked="a proportional controller that knows nothing of the delay comes within 2 % of the reference",
        behaviour="05d3d3773907709c",
    ),
)

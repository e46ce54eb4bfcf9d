"""The card of the pipeline."""

from envsuite.cards import EnvCard

CARDS = (
    EnvCard(
        id="envsuite/Pipeline-v0",
        world="envsuite.industrial.pipeline.world:PipelineWorld",
        family="industrial",
        summary="Meet a demand of water at the end of a pipe that shows what the gate does 19 steps later.",
        source="Gao and others (2025), NeoRL-2, arXiv 2503.19267",
        horizon=1000,
        tags=("control", "continuous actions", "delay", "offline"),
    ),
)

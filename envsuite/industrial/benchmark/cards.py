"""The card of the Industrial Benchmark."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/IndustrialBenchmark-v0",
        world="envsuite.industrial.benchmark.kernel:IndustrialBenchmarkWorld",
        family="industrial",
        summary="Steer velocity, gain and shift of a plant that wears, costs, and answers late.",
        source="Hein and others (2017), A Benchmark Environment Motivated by Industrial Control Problems, "
        "arXiv 1709.09480; Qin and others (2022), NeoRL, arXiv 2102.00714",
        horizon=1000,
        tags=("control", "continuous actions", "delay", "hidden state", "offline"),
        random=Score(-314713.49, 601.20, 10_000, "uniformly random"),
        expert=Score(-170657.46, 11.16, 2_000, "tracker that knows what is hidden"),
        floor=Score(-209400.91, 7.49, 2_000, "zeros"),
        behaviour="6564f2eec12e9401",
    ),
)

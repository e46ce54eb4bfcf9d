"""The card of gem mining."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOGemMining-v0",
        world="envsuite.momarl.gem_mining.kernel:GemMiningWorld",
        family="momarl",
        summary="Twenty villages each send their workers to one mine nearby; mines yield gems of two kinds.",
        source="Bargiacchi et al. (2018), ICML; MOMAland, arXiv 2407.16312",
        horizon=2,  # the episode ends by itself after one step
        agents=20,
        objectives=("gems_0", "gems_1"),
        weights=(0.5 / 20, 0.5 / 20),
        tags=("multi-objective", "multi-agent", "discrete actions", "bandit", "team rewards", "known front"),
        random=Score(3.0410, 0.0326, 1000, "uniformly random"),
        expert=Score(4.1630, 0.0388, 1000, "best joint action"),
        behaviour="f70cdd6940f596aa",
        unranked="one mine for all workers is within the error of the reference",
    ),
)

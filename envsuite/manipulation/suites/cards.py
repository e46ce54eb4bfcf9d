"""Cards of Meta-World's suites."""

from envsuite.cards import EnvCard

_SUITES = {
    "MT1": "One task, reach by default, and its goals.",
    "MT10": "Ten tasks, which the observation names, and their goals.",
    "MT25": "Twenty-five tasks, which the observation names, and their goals.",
    "MT50": "Fifty tasks, which the observation names, and their goals.",
    "ML1": "One task, reach by default, to learn learning on: the goal is not observed.",
    "ML10": "Ten tasks to learn learning on: neither task nor goal is observed.",
    "ML25": "Twenty-five tasks to learn learning on: neither task nor goal is observed.",
    "ML45": "Forty-five tasks to learn learning on: neither task nor goal is observed.",
    "ML1HeldOut": "Goals of one task that ML1 tests on.",
    "ML10HeldOut": "The five tasks that ML10 tests on.",
    "ML25HeldOut": "The four tasks that ML25 tests on.",
    "ML45HeldOut": "The five tasks that ML45 tests on.",
}

SOURCE = (
    "Yu et al. (2019), Meta-World: A Benchmark and Evaluation for Multi-Task and Meta Reinforcement Learning, arXiv "
    "1910.10897; McLean et al. (2025), Meta-World+, arXiv 2505.11289 (metaworld 3.1.1)"
)


def _card(name: str) -> EnvCard:
    suite, held_out, _ = name.partition("HeldOut")
    kind = {"one_hot": suite != "MT1"} if suite.startswith("MT") else {"split": "test" if held_out else "train"}
    return EnvCard(
        id=f"envsuite/Meta{name}-v0",
        world="envsuite.manipulation.suites.world:MetaSuiteWorld",
        family="manipulation",
        summary=_SUITES[name],
        source=SOURCE,
        horizon=500,
        options={"suite": suite, **kind},
        tags=(
            *("manipulation", "Meta-World", "continuous actions", "rigid bodies", "contacts"),
            "multi-task" if suite.startswith("MT") else "meta-learning",
        ),
    )


CARDS = tuple(_card(name) for name in _SUITES)

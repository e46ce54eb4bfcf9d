"""Cards of Meta-World's suites."""

from typing import Any

from envsuite.cards import EnvCard, Score
from envsuite.manipulation.meta.cards import SOURCE

HORIZON, ATTEMPTS = 500, 3

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
    "ML10Trials": "Three attempts in a row at one of ML10's ten tasks; the last action and reward are observed.",
    "ML10TrialsHeldOut": "Three attempts in a row at one of the five tasks that ML10 tests on.",
}


_MEASURED: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "MT1": ((723.9765, 26.9397), (4848.2800, 1.2441), "76a98a308edb2ede"),
    "MT10": ((273.3485, 23.0562), (4008.1457, 60.0312), "e663a0f74ca2e896"),
    "MT25": ((300.3493, 33.1003), (3776.3139, 71.0578), "d5bc8a9ba65ba548"),
    "MT50": ((266.0775, 34.0512), (3982.9484, 58.8024), "6854b92afbc57ac3"),
    "ML1": ((723.9765, 26.9397), (4848.2800, 1.2441), "ddf83f8c03eb8490"),
    "ML10": ((278.8784, 47.6593), (4126.4195, 59.5263), "54da2ad80be97071"),
    "ML25": ((300.3493, 33.1003), (3776.3139, 71.0578), "54da2ad80be97071"),
    "ML45": ((222.4400, 25.1570), (3962.8558, 58.3684), "a9d894590af6b834"),
    "ML1HeldOut": ((714.5235, 23.9706), (4848.7031, 1.4093), "54b72bee27c6e84b"),
    "ML10HeldOut": ((205.6903, 21.0038), (3553.5628, 68.2006), "3fc0a92901c96970"),
    "ML25HeldOut": ((57.9075, 5.3528), (3619.2276, 52.0892), "a6cef53e1bcddab8"),
    "ML45HeldOut": ((283.8581, 20.2284), (4136.5831, 36.8509), "e6f60bc779097496"),
    "ML10Trials": ((716.3242, 90.6049), (12379.2585, 178.5788), "d59134a0e469c016"),
    "ML10TrialsHeldOut": ((586.6664, 55.247), (10660.6885, 204.6017), "8fbfc182b6a96bc5"),
}
"""Mean return and its standard error of random play and of the reference players; behaviour hash."""


def _card(name: str) -> EnvCard:
    random, expert, behaviour = _MEASURED[name]
    episodes = 225 if name == "ML45" else 200  # as many of each task
    rest, held_out, _ = name.partition("HeldOut")
    suite, trials, _ = rest.partition("Trials")
    kind: dict[str, Any] = (
        {"one_hot": suite != "MT1"} if suite.startswith("MT") else {"split": "test" if held_out else "train"}
    )
    if trials:
        kind |= {"history": True, "attempt_steps": HORIZON}
    return EnvCard(
        id=f"envsuite/Meta{name}-v0",
        world="envsuite.manipulation.suites.world:MetaSuiteWorld",
        family="manipulation",
        summary=_SUITES[name],
        source=SOURCE,
        horizon=ATTEMPTS * HORIZON if trials else HORIZON,
        options={"suite": suite, **kind},
        tags=(
            *("manipulation", "Meta-World", "continuous actions", "rigid bodies", "contacts"),
            "multi-task" if suite.startswith("MT") else "meta-learning",
        ),
        random=Score(*random, episodes, "uniformly random"),
        expert=Score(*expert, episodes, "scripted players"),
        behaviour=behaviour,
        trained_on=f"envsuite/Meta{rest}-v0" if held_out else "",
        not_applicable={"dataset": "its goals and tasks are kept for tests"} if held_out else {},
    )


CARDS = tuple(_card(name) for name in _SUITES)

"""The checks of the conformance kit; each takes a card and raises where the environment breaks its promise."""

import functools
from collections.abc import Callable

from envsuite.cards import EnvCard
from envsuite.testing.checks.common import NotApplicable, Outcome
from envsuite.testing.checks.ecosystem import (
    async_spawn,
    gymnasium_api,
    pettingzoo_api,
    pettingzoo_rendering,
    specification,
    stable_baselines_api,
)
from envsuite.testing.checks.objectives import reward_vectors, turns
from envsuite.testing.checks.sameness import (
    cuda_simulator,
    fresh_arrays,
    front_ends_agree,
    interpreted,
    pickling,
    replays,
    seeding,
    snapshots,
)
from envsuite.testing.checks.scores import anchors, behaviour, expert_beats_random, simple_players
from envsuite.testing.checks.senses import bad_actions, observations_in_space, pixel_observations, rendering, text


def _playable(check: Callable[[EnvCard], None]) -> Callable[[EnvCard], None]:
    @functools.wraps(check)
    def checked(card: EnvCard) -> None:
        if not card.playable:
            raise NotApplicable(f"{card.engine} is not installed")
        check(card)

    return checked


CHECKS: dict[str, Callable[[EnvCard], None]] = {
    check.__name__: _playable(check)
    for check in (
        gymnasium_api,
        stable_baselines_api,
        pettingzoo_api,
        pettingzoo_rendering,
        reward_vectors,
        turns,
        seeding,
        front_ends_agree,
        snapshots,
        pickling,
        specification,
        async_spawn,
        rendering,
        pixel_observations,
        observations_in_space,
        bad_actions,
        fresh_arrays,
        text,
        replays,
        expert_beats_random,
        anchors,
        simple_players,
        behaviour,
        interpreted,
        cuda_simulator,
    )
}


def run_checks(card: EnvCard, names: list[str] | None = None) -> list[Outcome]:
    """Run checks on one environment and gather what they say.

    Args:
        card: the environment.
        names: checks to run; all by default.

    Returns:
        One outcome a check; nothing is raised.
    """
    outcomes = []
    for name in names or list(CHECKS):
        try:
            CHECKS[name](card)
            outcomes.append(Outcome(name, "ok"))
        except NotApplicable as reason:
            outcomes.append(Outcome(name, "n/a", str(reason)))
        except Exception as error:  # a broken environment may raise anything
            outcomes.append(Outcome(name, "failed", f"{type(error).__name__}: {error}"))
    return outcomes

"""The conformance kit notices what it is there to notice: broken worlds fail the right checks."""

import dataclasses

import numpy as np
import pytest

import envsuite
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import allocate
from envsuite.quadcopters.hover.experts import HoverPlayers
from envsuite.quadcopters.hover.kernel import HoverWorld, observe
from envsuite.quadcopters.hover.language import HoverWords
from envsuite.quadcopters.hover.render import HoverPictures
from envsuite.testing import CHECKS, NotApplicable, run_checks
from envsuite.testing import behaviour as behaviour_module
from envsuite.testing.behaviour import behaviour_hash

CARD = envsuite.card("QuadHover")


class Changed(HoverWorld):
    """Hovering with a loop of its own."""

    def step_batch(self, *arguments):
        HoverWorld.loops.step(*arguments)

    @property
    def loops(self):
        return dataclasses.replace(HoverWorld.loops, step=self.step_batch)


class Drifting(Changed):
    """Steps depend on how often any instance has been stepped: not a function of seed and actions."""

    calls = 0

    def step_batch(self, states, params, actions, restart, *rest):
        type(self).calls += 1
        super().step_batch(
            states, params, np.asarray(actions) * np.float32(1 - 1e-4 * (self.calls % 97)), restart, *rest
        )


class Escaping(Changed):
    """Observations leave their space."""

    def step_batch(self, states, params, actions, restart, horizon, observations, *rest):
        super().step_batch(states, params, actions, restart, horizon, observations, *rest)
        observations["position"][:, 0] = 1.5


class Forgetful(Changed):
    """Keeps something outside the record, so that snapshots miss it."""

    def __init__(self, **options):
        super().__init__(**options)
        self.hidden = 0

    def step_batch(self, states, params, actions, restart, *rest):
        self.hidden += 1
        super().step_batch(states, params, np.asarray(actions) * np.float32(self.hidden < 30), restart, *rest)


class Seedless(Changed):
    """Ignores the seed."""

    def step_batch(self, states, params, actions, restart, *rest):
        states["rng"]["key"][restart] = 0
        super().step_batch(states, params, actions, restart, *rest)


class Blank(HoverWorld):
    """Draws nothing."""


class BlankPictures(HoverPictures):
    def draw(self, state, size):
        return np.zeros((size[1], size[0], 3), np.uint8)


class Careless(HoverWorld):
    """Accepts any text as an action."""


class CarelessWords(HoverWords):
    def parse(self, text, state, agent=0):
        return np.zeros(4, np.float32)


class Mute(HoverWorld):
    """Refuses every text."""


class MuteWords(HoverWords):
    def parse(self, text, state, agent=0):
        return Refusal(RefusalKind.UNREADABLE, "no")


class Clumsy(HoverWorld):
    """Its expert is no better than chance."""


class ClumsyPlayers(HoverPlayers):
    def expert(self):
        from envsuite.agents.random import RandomPolicy

        class Player(RandomPolicy):
            def __init__(self, action):
                self.action = action

            def reset(self, mask, seeds):
                super().__init__(self.action, (len(mask),))
                super().reset(mask, seeds + 1)

        return Player(self.world.action)


def broken(world: type) -> envsuite.EnvCard:
    """QuadHover's card with another world behind it, registered under an id of its own."""
    import gymnasium

    card = dataclasses.replace(
        CARD, id=f"broken/{world.__name__}-v0", world=f"{__name__}:{world.__name__}", random=None, expert=None
    )
    if card.id not in gymnasium.registry:
        gymnasium.register(
            card.id,
            entry_point=card.single,
            vector_entry_point=card.vector,
            max_episode_steps=card.horizon,
            kwargs={"world": world()},
        )
    return card


@pytest.mark.parametrize(
    ("world", "check"),
    [
        (Drifting, "seeding"),
        (Drifting, "front_ends_agree"),
        (Escaping, "observations_in_space"),
        (Forgetful, "snapshots"),
        (Seedless, "seeding"),
        (Blank, "rendering"),
        (Blank, "pixel_observations"),
        (Careless, "text"),
        (Mute, "text"),
    ],
)
def test_broken_worlds_fail(world, check):
    card = broken(world)
    with pytest.raises(AssertionError):
        CHECKS[check](card)
    CHECKS[check](CARD)


def test_useless_experts_fail(monkeypatch):
    from envsuite.evaluation import rollout

    monkeypatch.setattr(rollout, "make_world", lambda world, **options: Clumsy(**options))
    with pytest.raises(AssertionError, match="expert"):
        CHECKS["expert_beats_random"](dataclasses.replace(CARD, id="broken/Clumsy-v0"))


def test_wrong_anchors_fail():
    wrong = dataclasses.replace(CARD, expert=dataclasses.replace(CARD.expert, mean=CARD.expert.mean + 100))
    with pytest.raises(AssertionError, match="the card says"):
        CHECKS["anchors"](wrong)


def test_changed_behaviour_fails(monkeypatch):
    stronger = HoverWorld()
    stronger.params[0]["vehicle"]["gravity"] *= np.float32(1 + 1e-6)
    monkeypatch.setattr(behaviour_module, "make_world", lambda *_, **__: stronger)
    assert behaviour_hash(CARD) != CARD.behaviour
    with pytest.raises(AssertionError, match="needs a new version"):
        CHECKS["behaviour"](CARD)


def test_outcomes_are_gathered(monkeypatch):
    def fails(card):
        raise AssertionError("no")

    def skips(card):
        raise NotApplicable("why not")

    def crashes(card):
        raise ZeroDivisionError("by zero")

    for name, check in (("fails", fails), ("skips", skips), ("crashes", crashes), ("passes", lambda card: None)):
        monkeypatch.setitem(CHECKS, name, check)
    outcomes = run_checks(CARD, ["fails", "skips", "crashes", "passes"])
    assert [(one.result, one.detail) for one in outcomes] == [
        ("failed", "AssertionError: no"),
        ("n/a", "why not"),
        ("failed", "ZeroDivisionError: by zero"),
        ("ok", ""),
    ]


def test_unknown_capabilities_are_refused():
    with pytest.raises(ValueError, match="unknown capability 'flying'"):
        dataclasses.replace(CARD, not_applicable={"flying": "no wings"})


def test_kernels_can_be_called_by_themselves():
    world = HoverWorld()
    states = allocate(world, 1)
    observations, info = np.zeros(1, world.observation.record), np.zeros(1, world.info_dtype)
    observe(states[0], world.params[0], observations[0], info[0])
    assert np.isfinite(observations.view(np.float32)).all()
    assert observations.view(np.float32).any()

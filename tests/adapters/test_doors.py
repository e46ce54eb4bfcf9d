"""An episode through each door equals the local one, bit for bit."""

from collections.abc import Iterator

import pytest

import envsuite
from envsuite.testing.traces import random_actions
from tests.adapters.doors import DOORS, compare

SAMPLE = {
    "envsuite/QuadHover-v0": 60,
    "envsuite/QuadMultiHover-v0": 40,
    "envsuite/Bulwark-L1-v0": 320,
    "envsuite/CoinGame-v0": 60,
    "envsuite/MOConnect4-v0": 60,
}
"""Environments of all kinds of spaces, agents and ends, and after how many steps some have ended."""

HEAVY = ("torchrl", "ray.rllib")


def cases() -> Iterator:
    for env_id, card in envsuite.cards().items():
        for name, door in DOORS.items():
            fast = env_id in SAMPLE and door.needs not in HEAVY
            yield pytest.param(env_id, name, marks=() if fast else (pytest.mark.slow,), id=f"{card.id}-{name}")


@pytest.mark.filterwarnings("ignore")  # of other packages
@pytest.mark.parametrize(("env_id", "name"), [*cases()])
def test_an_episode_through_a_door_is_the_local_one(env_id, name):
    card, door = envsuite.card(env_id), DOORS[name]
    if not card.playable:
        pytest.skip(f"{card.engine} is not installed")
    if not door.fits(card):
        pytest.skip("not for this environment")
    if door.needs:
        pytest.importorskip(door.needs, exc_type=ImportError)
    many = card.agents > 20
    steps = SAMPLE.get(env_id, 4 if many else 60)
    seed = 0 if name == "puffer" else 7
    expected = compare(name, card, random_actions(card, steps, 2 if many else 3), seed)
    if env_id in SAMPLE:
        assert (expected.terminated | expected.truncated).any()


@pytest.mark.parametrize("name", ["sb3", "puffer", "lerobot"])
def test_rewards_of_several_objectives_are_refused_by_doors_for_one(name):
    if DOORS[name].needs:
        pytest.importorskip(DOORS[name].needs)
    card = envsuite.card("MOConnect4")
    with pytest.raises(ValueError, match="has 9 objectives, expected a scalar reward"):
        DOORS[name].play(card, random_actions(card, 1, 2), 0)

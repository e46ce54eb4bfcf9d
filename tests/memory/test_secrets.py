"""What is seen is all that is shown: where observations are equal, so are pictures and texts."""

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import random_policy

NAMES = (
    *("EndlessTMazeFixed3x5", "EndlessTMazeRunes3x5", "ColorCubesMedium", "ColorCubesExtreme"),
    *("MemoryLength10", "PassiveTMaze10", "ActiveTMaze10", "PassiveVisualMatch60", "MemoryCards5", "Numpad", "Ballet2"),
    *("MiniGridMemoryS7", "MortarMayhem", "MortarMayhemAct", "EndlessMortarMayhem", "MysteryPath"),
    *("EndlessMysteryPath", "PopRepeatFirstEasy", "PopAutoencodeEasy", "PopConcentrationEasy", "PopHigherLowerEasy"),
    *("PopBattleshipEasy", "PopMineSweeperEasy", "PopMultiarmedBanditEasy"),
)


@pytest.mark.parametrize("name", NAMES)
def test_equal_observations_have_equal_pictures_and_texts(name):
    card, slots = envsuite.card(name), 6
    world = make_world(card.world, **card.options)
    batch, draws = Batch(world, slots, num_threads=1), np.random.default_rng(0)
    players = companion(world, Players).expert(), random_policy(world, slots)
    pictures, words = companion(world, Pictures), companion(world, Words)
    batch.seed(range(slots))
    observations = batch.reset().observations
    for player in players:
        player.reset(np.ones(slots, np.bool_), np.arange(slots, dtype=np.uint64))
    shown, again = {}, 0
    for _ in range(60):
        for state, seen in zip(batch.states, observations, strict=True):
            if state["clock"]["done"]:
                continue
            now = (pictures.draw(state, (160, 120)).tobytes(), words.describe(state).partition("\n")[0])
            before = shown.setdefault(seen.tobytes(), now)
            again += before is not now
            assert before == now, before[1]
        known, blind = (player.act(observations, batch.states) for player in players)
        wanders = draws.random(slots) < 0.3
        observations = batch.step(np.where(wanders.reshape(-1, *[1] * (known.ndim - 1)), blind, known)).observations
    assert again > 5, "too few observations came twice"

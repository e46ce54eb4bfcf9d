"""What the tests of this family share."""

import numpy as np

from envsuite.core.batch import Batch, Output
from envsuite.language_games.kuhn.world import KuhnPokerWorld
from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.liars_dice.world import LiarsDiceWorld
from envsuite.language_games.nim.world import NimWorld
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.tictactoe.world import TicTacToeWorld

WORLDS = (TicTacToeWorld, KuhnPokerWorld, LeducPokerWorld, NimWorld, PigWorld, LiarsDiceWorld)
UNFOLDED = tuple(world for world in WORLDS if world is not PigWorld)


def played(batch: Batch, *moves: str) -> Output:
    """The output of the last of some moves by name."""
    for move in moves:
        action = batch.world.action.names.index(move)
        output = batch.step(np.full((batch.num_envs, 2), action))
    return output


def at_random(batch: Batch, draw: np.random.Generator) -> np.ndarray:
    """A legal move in each slot where the game goes on, for both agents."""
    masks = batch.last.info["action_mask"].sum(axis=1)
    moves = [draw.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
    return np.repeat(np.array(moves)[:, np.newaxis], 2, axis=1)

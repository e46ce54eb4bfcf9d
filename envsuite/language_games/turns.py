"""What all games of this family are made of: two players in turn, and chance that may come between their moves.

A game is a few kernels on one record: `begin` empties the table, `fall` takes the outcome of a chance event, `legal`
tells the moves and `play` makes one. Where chance is to decide, the record's field ``chance`` holds the number of
equally likely outcomes. In play they are drawn; with the parameter ``draws`` at 0 they are told as actions, which is
how `envsuite.language_games.solving.tree` unfolds a whole game.
"""

from typing import Literal

import numpy as np

from envsuite.core import Block, Record, Reward, StateRecord, Vector, World, field, kernel, rng

STARTERS = ("first", "second", "drawn")


class TurnParams(Record):
    """What the kernels of every game know."""

    starter = field(type=np.uint8, meaning="who begins: 0 the first agent, 1 the second, 2 is drawn")
    draws = field(1, type=np.uint8, meaning="whether chance is drawn; else it is told as an action of the first agent")


class PlainParams(Record):
    """The same for games without options of their own; no record may be the beginning of another."""

    draws = field(1, type=np.uint8, meaning="see `TurnParams`")
    starter = field(type=np.uint8, meaning="see `TurnParams`")


class TurnState(StateRecord):
    """What every game keeps."""

    starter = field(type=np.uint8, meaning="the agent that began")
    current_player = field(type=np.uint8, meaning="the agent to move")
    chance = field(type=np.int16, meaning="equally likely outcomes of the chance event that is due, 0 for none")
    over = field(type=np.uint8, meaning="whether the game has ended")
    gain = field(type=np.float32, meaning="of the first agent in this step")
    total = field(type=np.float32, meaning="of the first agent in this game")


class Info(Record):
    """The metrics of a game of two."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move")
    moves = field(type=np.float32, meaning="made by both")
    won = field(type=np.float32, meaning="1 won, 0 undecided or drawn, -1 lost")


@kernel
def open_game(s, p):
    """Nothing is won yet, and somebody begins."""
    s.over, s.chance, s.gain, s.total = 0, 0, 0, 0
    s.starter = rng.integers(s.rng, rng.RESET, 2) if p.starter == 2 else p.starter
    s.current_player = s.starter


@kernel
def moves_now(s, player):
    """Whether it is this player's turn."""
    return s.over == 0 and s.chance == 0 and s.current_player == player


@kernel
def sign(player):
    """Of the first agent's gain when a player wins: 1 or -1."""
    return np.float32(1) - np.float32(2) * np.float32(player)


@kernel
def end(s, winner, stake):
    """The game is over: the winner, an agent's index, gets the stake from the other."""
    s.over = 1
    s.gain = sign(winner) * np.float32(stake)


@kernel
def pay(s, rewards):
    """Write what a step has brought to both."""
    s.total += s.gain
    rewards[0], rewards[1] = s.gain, -s.gain


@kernel
def metrics(s, player, info):
    """Write one player's metrics."""
    lead = sign(player) * s.total
    info.moves = s.clock.step
    info.won = (lead > 0) * 1 - (lead < 0) * 1


def turn_layout(blocks: tuple[Block, ...], choices: int, dtype: type = np.int8) -> Vector:
    """What a player knows: the game's own blocks, who began, whose turn it is, and the legal moves.

    Args:
        blocks: of the game.
        choices: number of actions.
        dtype: of the elements.
    """
    common = (
        Block("first", 1, 0, 1, "", "1 for who began"),
        Block("to_move", 1, 0, 1, "", "1 if it is one's turn"),
        Block("action_mask", choices, 0, 1, "", "1 for a legal move; none if it is not one's turn"),
    )
    return Vector((*blocks, *common), dtype=dtype)


class TurnWorld(World):
    """A game of two players in turn, of which one gains what the other loses.

    Args:
        starter: the agent that begins: ``"first"``, ``"second"``, or ``"drawn"`` with equal chances in each game.
    """

    agents = ("player_0", "player_1")
    stake: float = 1.0
    """The most that a player can lose in a step."""

    def __init__(self, *, starter: Literal["first", "second", "drawn"] = "first"):
        self.starter = starter
        self.reward = Reward(low=np.array(-self.stake), high=np.array(self.stake))

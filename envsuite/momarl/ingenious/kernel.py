"""The rules of Ingenious on one record, the batch loops, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, kernel, rng
from envsuite.momarl.ingenious.params import COLORS, MOST_POINTS, Params, corners, neighbours, places, tiles
from envsuite.momarl.ingenious.state import Info, State, action_layout, observation_layout
from envsuite.momarl.world import named


@kernel
def draw(s, p, tile):
    """Take a tile from the bag, each as likely; none where it is empty."""
    total = 0
    for k in range(len(p.stock)):
        total += np.int64(s.bag[k])
    tile[0], tile[1] = 0, 0
    if total == 0:
        return
    left = rng.integers(s.rng, rng.DYNAMICS, total)
    for k in range(len(p.stock)):
        left -= np.int64(s.bag[k])
        if left < 0:
            s.bag[k] -= 1
            tile[0], tile[1] = p.kind[k, 0], p.kind[k, 1]
            return


@kernel
def reset(s, p):
    """Coloured corners, a full bag, full racks."""
    for k in range(len(s.board)):
        s.board[k] = 0
    for k in range(6):
        s.board[p.corner[k]] = k + 1
    for k in range(len(p.stock)):
        s.bag[k] = p.stock[k]
    for n in range(s.rack.shape[0]):
        s.placed[n] = 0
        for k in range(s.score.shape[1]):
            s.score[n, k] = 0
        for k in range(s.rack.shape[1]):
            draw(s, p, s.rack[n, k])
    s.used, s.current_player = 0, 0


@kernel
def free(s, p, k):
    """Whether a tile may be laid at place k: on empty cells, and the first time at a corner of one's own."""
    a, b = p.place[k, 0], p.place[k, 1]
    if s.board[a] != 0 or s.board[b] != 0:
        return False
    return s.placed[s.current_player] != 0 or ((p.touch[a] | p.touch[b]) & ~np.int64(s.used)) != 0


@kernel
def any_place(s, p):
    """Whether the current player may lay a tile anywhere."""
    k = 0
    while k < len(p.place) and not free(s, p, k):
        k += 1
    return k < len(p.place)


@kernel
def run(s, p, cell, way, color):
    """Points of one half of a tile: cells of its colour in rows from it, but for the direction of the other half."""
    found = 0
    for direction in range(6):
        if direction != way:
            at = p.near[cell, direction]
            while at >= 0 and s.board[at] == color:
                found += 1
                at = p.near[at, direction]
    return found


@kernel
def credit(s, p, player, color, points):
    """Add points up to the most there are; whether a bonus turn is due."""
    old = np.int64(s.score[player, color])
    s.score[player, color] = min(old + points, np.int64(p.most))
    return old < p.most and old + points >= p.most


@kernel
def credit_as_momaland(s, p, player, first, second, one, two):
    """The same as in MOMAland 0.2.0: points go beyond the most, and are cut where they did not begin at it."""
    most = np.int64(p.most)
    possible, other_possible = s.score[player, first] != most, s.score[player, second] != most
    s.score[player, first] += np.int16(one)
    s.score[player, second] += np.int16(two)
    bonus = False
    if s.score[player, first] > most and possible:
        bonus, s.score[player, first] = True, most
    if s.score[player, second] > most and other_possible:
        bonus, s.score[player, second] = True, most
    return bonus


@kernel
def lay(s, p, player, place, slot):
    """Lay a tile, count its points, close up the rack; whether a bonus turn is due."""
    rack = s.rack[player]
    a, b, way = np.int64(p.place[place, 0]), np.int64(p.place[place, 1]), np.int64(p.place[place, 2])
    first, second = rack[slot, 0], rack[slot, 1]
    if s.placed[player] == 0:
        mine = (p.touch[a] | p.touch[b]) & ~np.int64(s.used)
        s.used |= np.uint8(mine & -mine)  # one corner, should it lie at two
        s.placed[player] = 1
    for k in range(slot, rack.shape[0] - 1):
        rack[k, 0], rack[k, 1] = rack[k + 1, 0], rack[k + 1, 1]
    rack[rack.shape[0] - 1, 0], rack[rack.shape[0] - 1, 1] = 0, 0
    s.board[a], s.board[b] = first, second
    one, two = run(s, p, a, way, first), run(s, p, b, (way + 3) % 6, second)
    c, d = np.int64(first) - 1, np.int64(second) - 1
    if p.compat:
        return credit_as_momaland(s, p, player, c, d, one, two)
    bonus = credit(s, p, player, c, one)
    return credit(s, p, player, d, two) or bonus


@kernel
def refill(s, p, player):
    """Draw tiles; exchange them all if none has a colour of which the player has fewest points."""
    rack, least, left = s.rack[player], np.int16(32767), 0
    for k in range(rack.shape[0]):
        if rack[k, 0] == 0:
            draw(s, p, rack[k])
    for k in range(s.score.shape[1]):
        least = min(least, s.score[player, k])
    for k in range(rack.shape[0]):
        if rack[k, 0] != 0 and (s.score[player, rack[k, 0] - 1] == least or s.score[player, rack[k, 1] - 1] == least):
            return
    for k in range(len(p.stock)):
        left += np.int64(s.bag[k])
    if left < rack.shape[0]:
        return
    for k in range(rack.shape[0]):
        draw(s, p, s.spare[k])
    for k in range(rack.shape[0]):
        for kind in range(len(p.stock)):
            if p.kind[kind, 0] == rack[k, 0] and p.kind[kind, 1] == rack[k, 1]:
                s.bag[kind] += 1
        rack[k, 0], rack[k, 1] = s.spare[k, 0], s.spare[k, 1]


@kernel
def step(s, p, actions, rewards):
    """The current player's turn; a move that is not legal is a lost turn. Whether the game is over."""
    players, colors = s.score.shape
    size, player = s.rack.shape[1], np.int64(s.current_player)
    place, slot = actions[player] // size, actions[player] % size
    bonus = False
    if s.rack[player, slot, 0] != 0 and free(s, p, place):
        for k in range(colors):
            rewards[player, k] = -np.float32(s.score[player, k])
        bonus = lay(s, p, player, place, slot)
        for k in range(colors):
            rewards[player, k] += np.float32(s.score[player, k])
            for n in range(players):
                if n != player and (n - player) % p.teams == 0:
                    s.score[n, k], rewards[n, k] = s.score[player, k], rewards[player, k]
        if s.rack[player, 0, 0] == 0:  # all tiles laid
            return True
        if p.compat or not bonus:
            refill(s, p, player)
    if not bonus:
        s.current_player = (player + 1) % players
    if s.rack[s.current_player, 0, 0] == 0:
        return True
    return not any_place(s, p)


@kernel
def observe(s, p, o, info):
    """Write what the players see, and the metrics."""
    for n in range(len(s.placed)):
        o[n].to_move = s.current_player == n
        for k in range(len(s.board)):
            o[n].board[k] = s.board[k]
        observe_players(s, p, o[n], n)
        mark(s, p, n, o[n].action_mask, info[n].action_mask)
        points, lowest = 0, 32767
        for k in range(s.score.shape[1]):
            points += np.int64(s.score[n, k])
            lowest = min(lowest, np.int64(s.score[n, k]))
        info[n].points, info[n].lowest = points, lowest


@kernel
def observe_players(s, p, o, n):
    """Write racks and points: one's own, then those of the next players in turn."""
    players, colors = s.score.shape
    size = 2 * s.rack.shape[1]
    for m in range(players):
        rack, score = s.rack[(n + m) % players], s.score[(n + m) % players]
        for k in range(size):
            half = rack[k // 2, k % 2] if m == 0 or p.open else 0
            if m == 0:
                o.rack[k] = half
            else:
                o.other_racks[(m - 1) * size + k] = half
        for k in range(colors):
            if m == 0:
                o.score[k] = min(np.int64(score[k]), 127)
            else:
                o.other_scores[(m - 1) * colors + k] = min(np.int64(score[k]), 127)


@kernel
def mark(s, p, n, seen, told):
    """Write a player's legal moves, into what it sees and into the metrics."""
    size = s.rack.shape[1]
    for k in range(len(seen)):
        seen[k], told[k] = 0, 0
    if s.current_player == n:
        for k in range(len(p.place)):
            if free(s, p, k):
                for slot in range(size):
                    legal = s.rack[n, slot, 0] != 0
                    seen[k * size + slot], told[k * size + slot] = legal, legal


class IngeniousWorld(World):
    """Players lay tiles of two colours on a hexagonal board by turns; each colour's points are an objective.

    Args:
        num_agents: players.
        rack_size: tiles that a player holds.
        num_colors: no fewer than there are players.
        board_size: cells on an edge, 3 to 10; 0 for four more than there are players.
        reward_mode: ``"competitive"``: each has its own points; ``"collaborative"``: all share them; ``"two_teams"``:
            every other player does.
        fully_obs: all see all racks.
        compat: ``"momaland-0.2"``: racks are refilled before a bonus turn, which is due only beyond the most points of
            a colour, and points go beyond them and back.

    Raises:
        ValueError: options do not go with each other.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        num_agents: Annotated[int, Between(2, 6)] = 2,
        rack_size: Annotated[int, Between(2, 6)] = 6,
        num_colors: Annotated[int, Between(2, len(COLORS))] = 6,
        board_size: Annotated[int, Between(0, 10)] = 0,
        reward_mode: Literal["competitive", "collaborative", "two_teams"] = "competitive",
        fully_obs: bool = False,
        compat: Literal["momaland-0.2"] | None = None,
    ):
        if num_colors < num_agents:
            raise ValueError(f"num_colors is {num_colors}, expected no fewer than there are players, {num_agents}")
        if board_size in (1, 2):
            raise ValueError(f"board_size is {board_size}, expected 0 or a whole number from 3 to 10")
        if reward_mode == "two_teams" and num_agents % 2:
            raise ValueError(f"num_agents is {num_agents}, expected an even number for reward_mode 'two_teams'")
        side = self.side = board_size or num_agents + 4
        near, kinds = neighbours(side), tiles(num_colors, side)
        place = places(near)
        sharing, teams = {
            "competitive": (1, num_agents),
            "collaborative": (num_agents, 1),
            "two_teams": (num_agents // 2, 2),
        }[reward_mode]
        self.params = Params.make(
            sizes={"cells": len(near), "places": len(place), "kinds": len(kinds)},
            near=near,
            place=place,
            corner=corners(side),
            kind=[kind[:2] for kind in kinds],
            stock=[kind[2] for kind in kinds],
            most=MOST_POINTS * sharing,
            teams=teams,
            open=fully_obs,
            compat=compat is not None,
        )
        for k, corner in enumerate(corners(side)):
            self.params[0]["touch"][[one for one in near[corner] if one >= 0]] |= 1 << k
        self.zero_sum = reward_mode != "collaborative"
        self.agents = named("agent", num_agents)
        most = MOST_POINTS * sharing
        lowest = -float(most) if compat else 0.0
        self.reward = Reward(COLORS[:num_colors], np.full(num_colors, lowest), np.full(num_colors, float(most)))
        self.action = action_layout(side, near, rack_size)
        choices = len(self.action.names)
        self.state_dtype = State.dtype(
            cells=len(near), kinds=len(kinds), players=num_agents, rack=rack_size, colors=num_colors
        )
        self.info_dtype = Info.dtype(np.float32, choices=choices)
        self.observation = observation_layout(
            len(near), choices, num_agents, rack_size, num_colors, 127 if compat else most
        )

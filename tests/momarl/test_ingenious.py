"""Ingenious against a plain reference in cube coordinates, its limits and its ends."""

import itertools

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.momarl.ingenious.kernel import IngeniousWorld
from envsuite.momarl.ingenious.params import board_cells, corners, tiles

from ..batches import begun, played

WAYS = [np.array(way) for way in ((1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0), (0, 1, -1))]


class Reference:
    """The board as a dictionary from cube coordinates to colours."""

    def __init__(self, world, state):
        self.cells = [(q, r, -q - r) for q, r in board_cells(world.side)]
        self.board = dict(zip(self.cells, state["board"].tolist(), strict=True))
        self.size = state["rack"].shape[1]
        pairs = [(a, way) for a in self.cells for way in range(6) if self.beside(a, way) in self.board]
        self.actions = [(a, self.beside(a, way), slot) for a, way in pairs for slot in range(self.size)]

    @staticmethod
    def beside(cell, way):
        return tuple((np.array(cell) + WAYS[way]).tolist())

    def points(self, cell, other, color):
        """Cells of the colour in unbroken lines, but for the line through the other half."""
        found = 0
        for way in range(6):
            for steps in itertools.count(1):
                at = tuple((np.array(cell) + steps * WAYS[way]).tolist())
                if (steps == 1 and at == other) or self.board.get(at, 0) != color:
                    break
                found += 1
        return found

    def legal(self, rack, corner_cells=None):
        """Indices of legal actions; those at some corners alone where they are given."""
        return [
            k
            for k, (a, b, slot) in enumerate(self.actions)
            if not self.board[a]
            and not self.board[b]
            and rack[slot][0]
            and (corner_cells is None or any(max(abs(np.subtract(c, x))) == 1 for c in corner_cells for x in (a, b)))
        ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_agents": 3, "rack_size": 3, "num_colors": 3, "board_size": 7, "fully_obs": True},
        {"num_agents": 4, "board_size": 5, "reward_mode": "two_teams"},
        {"reward_mode": "collaborative"},
    ],
)
def test_follows_a_plain_reference(options):
    """Masks, points, turns, racks and the bag, to the end of the game."""
    world = IngeniousWorld(**options)
    batch, random = begun(world, seed=4), np.random.default_rng(1)
    state, players = batch.states[0], len(world.agents)
    reference, turn, output = Reference(world, state), 0, None
    free_corners = [(q, r, -q - r) for q, r in (board_cells(world.side)[k] for k in corners(world.side))]
    mode = options.get("reward_mode", "competitive")
    most = {"competitive": 18, "two_teams": 18 * players // 2, "collaborative": 18 * players}[mode]
    share = {"competitive": players, "two_teams": 2, "collaborative": 1}[mode]
    total = sum(count for *_, count in tiles(len(world.reward.objectives), world.side))
    bonuses = 0
    state["score"][:] = most - 4  # so that limits are reached
    while not batch.done[0]:
        masks = batch.last.info["action_mask"][0]
        rack, score = state["rack"][turn].copy(), state["score"][turn].copy()
        legal = reference.legal(rack, None if state["placed"][turn] else free_corners)
        assert np.flatnonzero(masks[turn]).tolist() == legal
        assert not np.delete(masks, turn, axis=0).any()
        choice = int(random.choice(legal))
        a, b, slot = reference.actions[choice]
        if not state["placed"][turn]:
            near = [c for c in free_corners if any(max(abs(np.subtract(c, x))) == 1 for x in (a, b))]
            free_corners.remove(near[0])
        first, second = rack[slot].tolist()
        reference.board[a], reference.board[b] = first, second
        gains = np.zeros(len(world.reward.objectives))
        gains[first - 1] += reference.points(a, b, first)
        gains[second - 1] += reference.points(b, a, second)
        output = played(batch, [choice] * players)
        expected = np.minimum(score + gains, most) - score
        for n in range(players):
            np.testing.assert_array_equal(output.rewards[0, n], expected if (n - turn) % share == 0 else 0 * expected)
        assert state["board"].tolist() == [reference.board[cell] for cell in reference.cells]
        bonus = bool(((score < most) & (score + gains >= most)).any())
        bonuses += bonus
        held = (state["rack"][:, :, 0] > 0).sum()
        assert 2 * (held + state["bag"].sum()) + (state["board"] > 0).sum() - 6 == 2 * total
        if bonus and not batch.done[0]:
            assert state["rack"][turn].tolist() == [*np.delete(rack, slot, axis=0).tolist(), [0, 0]]
        turn = turn if bonus else (turn + 1) % players
        assert batch.done[0] or state["current_player"] == turn
    assert output.terminated.all()
    assert not reference.legal(state["rack"][turn]) or not state["rack"][:, 0, 0].all()
    assert bonuses


def test_numbers_of_the_default_game():
    world = IngeniousWorld()
    assert len(world.action.names) == 2880
    assert len(set(world.action.names)) == 2880
    assert world.params[0]["stock"].sum() == 120
    assert len(board_cells(6)) == 91
    for colors in range(2, 6):
        counts = [count for *_, count in tiles(colors, 6)]
        assert len(counts) == colors * (colors + 1) // 2
        assert sum(counts) == 120
    assert sum(count for *_, count in tiles(6, 9)) == 240


def test_racks_without_the_colour_with_fewest_points_are_exchanged():
    world = IngeniousWorld()
    batch = begun(world, seed=0)
    state = batch.states[0]
    state["score"][0] = [3, 0, 3, 3, 3, 3]
    state["rack"][0] = [[1, 1], [1, 3], [3, 3], [4, 4], [5, 5], [6, 6]]
    state["bag"][:] = 0
    kinds = world.params[0]["kind"].tolist()
    state["bag"][kinds.index([5, 6])] = 20
    state["placed"][:] = 1
    place = next(k for k, (a, b, _) in enumerate(world.params[0]["place"]) if not state["board"][[a, b]].any())
    played(batch, [6 * place] * 2)
    assert state["rack"][0].tolist() == [[5, 6]] * 6
    assert state["bag"][kinds.index([5, 6])] == 20 - 7 + 1  # one to refill, six to exchange, one of them back
    assert state["bag"][kinds.index([1, 3])] == 1
    assert state["bag"].sum() == 19


def bonus_game(compat):
    """The first player is to lay a double red beside a line of reds, with 16 points in red."""
    world = IngeniousWorld(compat=compat)
    batch = begun(world, seed=0)
    state, place = batch.states[0], world.params[0]["place"]
    cells = board_cells(6)
    row = [cells.index((0, r)) for r in range(-4, 5)]
    state["board"][row[:2]] = 1
    state["rack"][0, 0] = (1, 1)
    state["placed"][:] = 1
    where = [k for k, (a, b, _) in enumerate(place) if a == row[2] and b == row[3]]
    return batch, state, where[0] * 6


def test_the_most_points():
    """Two in the line, from the first half alone: 16 and 2 are 18, a bonus turn with five tiles."""
    batch, state, action = bonus_game(None)
    state["score"][0, 0] = 16
    output = played(batch, [action] * 2)
    assert output.rewards[0, 0].tolist() == [2, 0, 0, 0, 0, 0]
    assert state["current_player"] == 0
    assert (state["rack"][0, :, 0] > 0).sum() == 5


def test_beyond_the_most_points():
    batch, state, action = bonus_game(None)
    state["score"][0, 0] = 17
    assert played(batch, [action] * 2).rewards[0, 0, 0] == 1
    assert state["current_player"] == 0
    batch, state, action = bonus_game(None)
    state["score"][0, 0] = 18
    assert played(batch, [action] * 2).rewards[0, 0, 0] == 0
    assert state["current_player"] == 1


@pytest.mark.parametrize(("before", "reward", "player"), [(16, 2, 1), (17, 1, 0), (18, 2, 1), (20, -2, 0)])
def test_as_momaland_counts(before, reward, player):
    """Exactly 18 is no bonus; 18 grows to 20; 20 falls back to 18 with a bonus."""
    batch, state, action = bonus_game("momaland-0.2")
    state["score"][0, 0] = before
    assert played(batch, [action] * 2).rewards[0, 0, 0] == reward
    assert state["current_player"] == player
    assert (state["rack"][0, :, 0] > 0).sum() == 6


def test_what_is_not_legal_is_a_lost_turn():
    batch = begun(IngeniousWorld(), seed=1)
    state = batch.states[0]
    before = state["board"].copy()
    illegal = int(np.flatnonzero(batch.last.info["action_mask"][0, 0] == 0)[0])
    output = played(batch, [illegal] * 2)
    assert not output.rewards.any()
    np.testing.assert_array_equal(state["board"], before)
    assert state["current_player"] == 1


def test_who_lays_all_tiles_ends_the_game():
    batch, state, action = bonus_game(None)
    state["rack"][0, 1:] = 0
    state["bag"][:] = 0
    assert played(batch, [action] * 2).terminated.all()


def test_options_are_checked():
    with pytest.raises(ValueError, match="num_colors is 2"):
        IngeniousWorld(num_agents=3, num_colors=2)
    with pytest.raises(ValueError, match="expected an even number"):
        IngeniousWorld(num_agents=3, reward_mode="two_teams")


@pytest.mark.parametrize(
    ("text", "why"), [("", "empty"), ("z", "no move"), ("a1-e-9", "no place"), ("f5-e-0", "corner")]
)
def test_refusals(text, why):
    world = IngeniousWorld()
    state = Batch(world, 1, num_threads=1)
    state.seed([0])
    state.reset()
    assert why in companion(world, Words).parse(text, state.states[0], 0).reason

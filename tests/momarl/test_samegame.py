"""SameGame against a plain reference, and its ends."""

import numpy as np
import pytest

from envsuite.momarl.samegame.world import SameGameWorld

from ..batches import begun, played


def removed(board, i, j):
    """Board without the group of a tile, and the group's size, from the rules."""
    group, edge = {(i, j)}, [(i, j)]
    while edge:
        a, b = edge.pop()
        for near in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
            inside = 0 <= near[0] < board.shape[0] and 0 <= near[1] < board.shape[1]
            if inside and near not in group and board[near] == board[i, j]:
                group.add(near)
                edge.append(near)
    columns = []
    for b in range(board.shape[1]):
        kept = [board[a, b] for a in range(board.shape[0]) if board[a, b] and (a, b) not in group]
        if kept:
            columns.append([0] * (board.shape[0] - len(kept)) + kept)
    columns += [[0] * board.shape[0]] * (board.shape[1] - len(columns))
    return np.array(columns).T, len(group)


@pytest.mark.parametrize("rules", ["square", "classic"])
def test_follows_a_plain_reference(rules):
    """On a board that is not square, to the end of the game, by turns."""
    world = SameGameWorld(width=7, height=4, num_colors=3, num_agents=3, rules=rules)
    batch, random = begun(world, seed=2), np.random.default_rng(0)
    board, turn, output = batch.states[0]["board"].copy(), 0, None
    while not batch.done[0]:
        mask = batch.last.info["action_mask"][0]
        assert not mask[np.arange(3) != turn].any()
        choice = int(random.choice(np.flatnonzero(mask[turn])))
        color = board[choice // 7, choice % 7] - 1
        board, size = removed(board, choice // 7, choice % 7)
        output = played(batch, [choice] * 3)
        expected = np.zeros((3, 3))
        expected[turn, color] = size**2 if rules == "square" else (size - 2) ** 2 + 1000 * (board.sum() == 0)
        np.testing.assert_array_equal(output.rewards[0], expected)
        np.testing.assert_array_equal(batch.states[0]["board"], board)
        turn = (turn + 1) % 3
    same = [(board[:-1] == board[1:]) & (board[1:] > 0), (board[:, :-1] == board[:, 1:]) & (board[:, 1:] > 0)]
    assert not any(one.any() for one in same)


def test_a_tile_alone_is_a_lost_turn():
    batch = begun(SameGameWorld(width=7, height=4, num_colors=3, num_agents=3), seed=2)
    alone = np.flatnonzero(batch.last.info["action_mask"][0, 0] == 0)[0]
    before = batch.states[0]["board"].copy()
    output = played(batch, [alone] * 3)
    np.testing.assert_array_equal(batch.states[0]["board"], before)
    assert batch.states[0]["current_player"] == 1
    assert not output.rewards.any()


def test_teams_share():
    batch = begun(SameGameWorld(width=7, height=4, num_colors=3, num_agents=3, team_rewards=True), seed=2)
    choice = np.flatnonzero(batch.last.info["action_mask"][0, 0])[0]
    rewards = played(batch, [choice] * 3).rewards[0]
    assert rewards.max() >= 4
    assert (rewards == rewards[0]).all()

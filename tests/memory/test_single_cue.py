"""Tasks with one thing to remember, against closed forms and their rules told once more here."""

import itertools

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.language import Refusal
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.memory.single_cue.ballet import BEATS, DANCES, FIGURES, PLACES, BalletWorld
from envsuite.memory.single_cue.memory_cards import MemoryCardsWorld
from envsuite.memory.single_cue.memory_length import MemoryLengthWorld
from envsuite.memory.single_cue.numpad import NEXT, WALKS, NumpadWorld
from envsuite.memory.single_cue.passive_tmaze import PassiveTMazeWorld
from envsuite.memory.single_cue.visual_match import VisualMatchWorld


def begun(world, slots: int) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def forgetful(world, slots):
    """The player without memory."""
    return companion(world, Players).collector("memoryless")


def near(sample: np.ndarray, expected: float) -> bool:
    """Whether a mean lies within four standard errors of what is expected."""
    return abs(sample.mean() - expected) <= 4 * sample.std(ddof=1) / len(sample) ** 0.5 + 1e-6


ONE = ("MemoryLength10", "MemoryLength30", "MemoryLength100x3", "PassiveTMaze10", "PassiveTMaze100", "ActiveTMaze10")


@pytest.mark.parametrize("name", [*ONE, "Ballet2", "Ballet4", "Ballet8"])
def test_perfect_memory_earns_one(name):
    """Always."""
    assert (play(envsuite.card(f"envsuite/{name}-v0"), expert_policy, 500).returns == 1).all()


@pytest.mark.parametrize(
    ("name", "chance"), [("PassiveTMaze10", 1 / 2), ("Ballet2", 1 / 2), ("Ballet4", 1 / 4), ("Ballet8", 1 / 8)]
)
def test_without_memory_it_is_chance(name, chance):
    """Half the goals, one of the dancers."""
    assert near(play(envsuite.card(f"envsuite/{name}-v0"), forgetful, 2000).returns, chance)


def test_memory_length_shows_bits_and_question_once():
    """Time runs down from 1 in steps of 1 / L."""
    batch = begun(MemoryLengthWorld(length=5, bits=3), 40)
    first = batch.states["context"].copy()
    seen = [batch.step(np.zeros(40, np.int64)) for _ in range(5)]
    for k, output in enumerate(seen[:4]):
        assert np.allclose(output.observations[:, 0], 1 - (k + 1) / 5)
        assert (output.observations[:, 2:] == 0).all()
        assert (output.rewards == 0).all()
        assert (output.observations[:, 1] == (batch.states["query"] if k == 3 else 0)).all()
    right = first[np.arange(40), batch.states["query"]] == 0
    assert (seen[4].rewards == np.where(right, 1, -1)).all()
    assert seen[4].terminated.all()


def test_passive_maze_by_hand():
    """Two steps back cost as long as one lags behind; the last step pays."""
    batch = begun(PassiveTMazeWorld(length=4), 1)
    batch.states["goal"] = 1
    rewards = [float(batch.step(np.array([move])).rewards[0]) for move in (0, 2, 0, 0, 1)]
    assert np.allclose(rewards, [0, -0.25, -0.25, -0.25, 0])
    batch = begun(PassiveTMazeWorld(length=4), 1)
    batch.states["goal"] = -1
    outputs = [batch.step(np.array([move])) for move in (0, 0, 0, 0, 3)]
    assert [float(one.rewards[0]) for one in outputs] == [0, 0, 0, 0, 1]
    assert outputs[-1].terminated[0]
    assert [one.observations[0, 0] for one in outputs] == [0, 0, 0, 1, 1]
    assert not np.any([one.observations[0, 1] for one in outputs])


def test_active_maze_shows_the_cue_behind_the_start():
    """And nowhere else."""
    batch = begun(PassiveTMazeWorld(length=4, active=True), 20)
    cues = [batch.step(np.full(20, move)).observations[:, 1].copy() for move in (2, 0, 0)]
    assert (cues[0] == batch.states["goal"]).all()
    assert not np.any(cues[1:])


def expected_misses(pairs: int, games: int = 4000) -> tuple[float, float]:
    """Mean misses of a perfect memory and their standard error, played with sets and dictionaries."""
    draws, misses = np.random.default_rng(1), []
    for _ in range(games):
        value = draws.permutation(np.repeat(np.arange(pairs), 2))
        left, known, no, count = set(range(2 * pairs)), {}, set(), 0
        while left:
            shown = int(draws.choice(sorted(left)))
            known[shown] = value[shown]
            partner = [k for k in left if k != shown and known.get(k) == value[shown]]
            unseen = [k for k in sorted(left) if k not in known and (value[shown], k) not in no]
            guess = partner[0] if partner else unseen[0]
            if value[guess] == value[shown]:
                left -= {guess, shown}
            else:
                no.add((value[shown], guess))
                count += 1
        misses.append(count)
    return float(np.mean(misses)), float(np.std(misses) / games**0.5)


@pytest.mark.parametrize("pairs", [2, 5])
def test_perfect_memory_of_cards_misses_as_often_as_the_reference(pairs):
    """It tries the first unseen card, since what a card is not helps for the others that are asked."""
    card = envsuite.card("envsuite/MemoryCards5-v0")
    mean, error = expected_misses(pairs)
    world = MemoryCardsWorld(pairs=pairs)
    batch, player = begun(world, 4000), companion(world, Players).expert()
    player.reset(np.ones(4000, bool), np.arange(4000))
    returns = np.zeros(4000)
    for _ in range(card.horizon):
        alive = batch.states["clock"]["done"] == 0
        returns += np.where(alive, batch.step(player.act(None, batch.states)).rewards, 0)
    assert abs(-returns.mean() - mean) < 4 * (error**2 + returns.var() / 4000) ** 0.5


def test_cards_by_hand():
    """The partner removes both; the card itself, a removed one or another one is wrong."""
    batch = begun(MemoryCardsWorld(pairs=3, rewards="bonus"), 1)
    state = batch.states[0]
    state["value"], state["shown"] = [0, 1, 2, 0, 1, 2], 1
    assert batch.step(np.array([1])).rewards[0] == 0
    state["shown"] = 1
    output = batch.step(np.array([4]))
    assert output.rewards[0] == 1
    assert state["removed"].tolist() == [0, 1, 0, 0, 1, 0]
    assert output.info["pairs"][0] == 1
    state["shown"] = 0
    assert batch.step(np.array([4])).rewards[0] == 0
    words = companion(batch.world, Words)
    assert words.parse("I name card 3.", state) == 2
    assert isinstance(words.parse("card 7", state), Refusal)
    assert isinstance(words.parse("card 1 or 2", state), Refusal)
    assert words.parse("[4] since card 3 is A", state) == 3
    assert words.parse("-3", state).reason == "the card is -3, expected 1 to 6"


def test_walks_of_the_pad():
    """Self-avoiding walks of four cells, counted by brute force."""
    neighbours = {tile: {int(k) for k in NEXT[tile]} - {tile} for tile in range(9)}
    found = {
        walk
        for walk in itertools.permutations(range(9), 4)
        if all(b in neighbours[a] for a, b in itertools.pairwise(walk))
    }
    assert {tuple(walk) for walk in WALKS.tolist()} == found
    assert {len(one) for one in neighbours.values()} == {2, 3, 4}


def test_the_pad_by_hand():
    """Lights, rewards for new tiles only, and the next round."""
    batch = begun(NumpadWorld(), 1)
    state = batch.states[0]
    state["sequence"] = WALKS.tolist().index([0, 1, 2, 5])
    state["ball"] = 3
    moves = {"up": 0, "right": 1, "down": 2, "left": 3}
    path = ["up", "right", "down", "up", "left", "right", "left", "up"]
    rewards = [float(batch.step(np.array([moves[one]])).rewards[0]) for one in path]
    # 0 and 1 light up, 4 switches off, 1 is wrong, then 0 and 1 again without reward, 0 is wrong, up goes nowhere
    assert rewards == [1, 1, 0, 0, 0, 0, 0, 0]
    assert state["lit"] == 0
    rewards = [float(batch.step(np.array([moves[one]])).rewards[0]) for one in ("down", "up", "right", "right", "down")]
    assert rewards == [0, 0, 0, 1, 1]
    assert (state["completed"], state["lit"], state["most"]) == (1, 0, 0)


def test_dances_differ_and_return_home():
    """Each dance is another one after two beats at the latest, and all stay beside home."""
    assert FIGURES.shape == (len(DANCES), BEATS, 2)
    assert len({tuple(one.ravel()) for one in FIGURES[:, :3]}) == len(DANCES)
    assert np.abs(FIGURES).max() == 1


def test_a_ballet_step_by_step():
    """Turns, pauses, the question, and no walking before it."""
    world = BalletWorld(dancers=2, delay=3)
    batch = begun(world, 10)
    state, at = batch.states, world.observation.offset
    for t in range(1, 2 * (BEATS + 3) + 1):
        seen = batch.step(np.zeros(10, np.int64)).observations
        who, beat = divmod(t, BEATS + 3)
        dancing = seen[:, at("dancing") : at("dancing") + 8]
        if who < 2 and beat < BEATS:
            assert (dancing.argmax(axis=1) == state["place"][:, who]).all()
            assert (seen[:, at("down")] == FIGURES[state["dance"][:, who], beat, 0]).all()
            assert (seen[:, at("right")] == FIGURES[state["dance"][:, who], beat, 1]).all()
        else:
            assert not dancing.any()
        asked = seen[:, at("asked") : at("asked") + 8]
        assert (asked.any(axis=1) == (who == 2)).all()
        assert (state["column"] == 4).all()
    batch.step(np.zeros(10, np.int64))
    assert (state["column"] == 5).all()
    assert {tuple(one) for one in PLACES.tolist()} == set(itertools.product((1, 4, 7), repeat=2)) - {(4, 4)}


SQUARES = {
    False: ["...........", "....###....", "....# #....", "....###....", *["..........."] * 3],
    True: ["..#######..", "..#     #..", "..#     #..", "..##   ##..", "..#     #..", "..#     #..", "..#######.."],
}
ORCHARD = ["###########", *["#         #"] * 5, "###########"]
DOORS = ["###########", "# 0  1  2 #", "#         #", "#         #", "####   ####", "...#   #...", "...#####..."]
PAINT = {
    "#": (0.1,) * 3,
    "a": (0.55, 0.7, 0),
    "@": (0.898, 0.584, 0.43),
    "0": (1, 0, 0),
    "1": (0, 1, 0),
    "2": (0, 0, 1),
}


class Told:
    """The rules of visual matching on maps of characters."""

    def __init__(self, active, delay, state):
        self.rooms = [[list(row) for row in room] for room in (SQUARES[active], ORCHARD, DOORS)]
        self.rooms[0][state["patch"][0]][state["patch"][1]] = str(state["target"])
        for row, column in np.argwhere(state["eaten"] == -1):
            self.rooms[1][row][column] = "a"
        self.place, self.color, self.ends = (int(state["row"]), int(state["column"])), str(state["target"]), (15, delay)
        self.time, self.room, self.eaten = 0, 0, {}

    def step(self, action):
        """The reward."""
        self.time += 1
        cells, reward = self.rooms[self.room], 0.0
        row, column = np.add(self.place, ((-1, 0), (1, 0), (0, -1), (0, 1))[action])
        if cells[row][column] in (" ", ".", "a") or (self.room == 2 and cells[row][column] != "#"):
            self.place = int(row), int(column)
        here = cells[self.place[0]][self.place[1]]
        if here == "a":
            cells[self.place[0]][self.place[1]], self.eaten[self.place], reward = " ", self.time, 1.0
        elif here in "012":
            reward = 5.0 * (here == self.color)
            cells[1] = list(ORCHARD[1])
        for (row, column), when in [*self.eaten.items()]:
            if self.time == when + 21:
                cells[row][column] = "a"
                del self.eaten[row, column]
        if self.room < 2 and self.time == self.ends[self.room]:
            self.room, self.time, self.place = self.room + 1, 0, (5, 5)
        return reward

    def seen(self):
        """Colours of 5 x 5 cells."""
        cells, found = self.rooms[self.room], []
        for row, column in itertools.product(*(range(here - 2, here + 3) for here in self.place)):
            cell = cells[row][column] if 0 <= row < 7 and 0 <= column < 11 else "."
            if (row, column) == self.place and cell not in "012":
                cell = "@"
            found.append(PAINT.get(cell, (0.8,) * 3))
        return np.array(found).ravel()


@pytest.mark.parametrize("active", [False, True])
def test_visual_match_by_hand(active):
    """Half random walks, half the player's moves: every observation and reward."""
    world, slots = VisualMatchWorld(active=active, delay=50), 60
    batch = begun(world, slots)
    told = [Told(active, 50, state) for state in batch.states.copy()]
    player, rng = companion(world, Players).expert(), np.random.default_rng(0)
    player.reset(np.ones(slots, bool), np.arange(slots, dtype=np.uint64))
    doors = 0
    for t in range(80):
        walk = player.act(np.zeros((slots, 75)), batch.states)
        actions = np.where(np.arange(slots) % 2 == 0, walk, rng.integers(4, size=slots))
        output = batch.step(actions)
        expected = [one.step(action) for one, action in zip(told, actions, strict=True)]
        assert (output.rewards == expected).all()
        assert (output.terminated == (t == 79)).all()
        doors += expected.count(5.0)
        if t < 79:
            assert np.allclose(output.observations, [one.seen() for one in told], atol=1e-6)
    assert doors >= slots // 2


def test_visual_match_is_a_third_without_the_colour():
    """Both players eat the same; the colour and its place are equally likely everywhere."""
    card = envsuite.card("envsuite/PassiveVisualMatch60-v0")
    perfect, without = (play(card, player, 2000) for player in (expert_policy, forgetful))
    assert perfect.metrics["is_success"].all()
    assert near(without.metrics["is_success"], 1 / 3)
    assert (perfect.metrics["apples"] == without.metrics["apples"]).all()
    assert (perfect.returns == perfect.metrics["apples"] + 5).all()
    states = begun(VisualMatchWorld(active=True), 2600).states
    places, counts = np.unique(states["patch"], axis=0, return_counts=True)
    assert len(places) == 26
    assert (abs(counts - 100) < 40).all()
    assert ((states["eaten"] == -1).sum((1, 2)) == 10).all()
    assert near(states["eaten"][:, 1, 1] == -1, 10 / 22)


def test_pictures_and_words_of_visual_match_show_what_is_observed():
    """Not where in the orchard the agent is, nor the time: two places that look alike are told and drawn alike."""
    world = VisualMatchWorld()
    states = begun(world, 2).states.copy()
    states["eaten"], states["row"], states["column"], states["clock"]["step"] = -2, 3, (4, 5), (20, 30)
    words, pictures = companion(world, Words), companion(world, Pictures)
    assert words.describe(states[0]) == words.describe(states[1])
    pictures.view = "seen"
    assert (pictures.draw(states[0], pictures.size) == pictures.draw(states[1], pictures.size)).all()
    pictures.view = "all"
    assert (pictures.draw(states[0], pictures.size) != pictures.draw(states[1], pictures.size)).any()


@pytest.mark.parametrize(
    ("text", "move"),
    [
        *(("up left.", 5), ("**up left**", 5), ("left, up", 5), ("upper-left", 5), ("to the lower right!", 1)),
        *(("up", 6), ("I go to the top.", 6), ("bottom", 2), ("Right", 0), ("3", 3)),
    ],
)
def test_moves_of_the_ballet_are_read(text, move):
    assert companion(BalletWorld(), Words).parse(text, begun(BalletWorld(), 1).states[0]) == move


@pytest.mark.parametrize(("text", "hint"), [("left or right", "several"), ("north", "up left"), ("", "empty")])
def test_other_answers_in_the_ballet_are_refused(text, hint):
    assert hint in companion(BalletWorld(), Words).parse(text, begun(BalletWorld(), 1).states[0]).reason

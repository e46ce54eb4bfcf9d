"""What is seen, drawn and said; the score, subgoals and the planner."""

from collections import Counter

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import observe
from envsuite.crafting.crafter.goals import chain, practice, subgoals
from envsuite.crafting.crafter.score import crafter_score, success_rates
from envsuite.crafting.crafter.state import BLOCKS, MOBS
from envsuite.crafting.crafter.things import (
    ACHIEVEMENTS,
    ACTIONS,
    COAL,
    DIAMOND,
    IRON,
    MATERIALS,
    PLANT,
    PLAYER,
    RIPE,
    TREE,
    ZOMBIE,
)
from envsuite.crafting.crafter.world import CrafterCoopWorld, CrafterWorld


@pytest.fixture(scope="module")
def batch():
    made = Batch(CrafterWorld(), 8, num_threads=1)
    made.seed(range(8))
    made.reset()
    for _ in range(30):
        made.step(np.random.default_rng(0).integers(1, 6, 8))
    return made


def kinds(state):
    """The map of kinds, rows first, by NumPy."""
    grid = np.where(state["beings"] != 0, state["beings"], state["terrain"])
    for thing in state["things"][: state["count"]]:
        if thing["kind"] == PLANT and thing["timer"] > 300:
            grid[thing["x"], thing["y"]] = RIPE
    return grid.T


def test_views_are_cut_from_the_map(batch):
    for state in batch.states:
        state["players"][0]["x"], state["players"][0]["y"] = 2, 61
        me = state["players"][0]
        seen = observe(batch.world, state)
        padded = np.pad(kinds(state), 8)
        view = padded[me["y"] + 8 - 3 : me["y"] + 8 + 4, me["x"] + 8 - 4 : me["x"] + 8 + 5]
        np.testing.assert_array_equal(seen[:63].reshape(7, 9), view)
        np.testing.assert_array_equal(seen[63:79], me["inventory"])
        assert seen[79:83].argmax() == me["facing"]
        assert seen[83] == round(100 * float(state["daylight"]))


def test_whole_and_symbolic_views_tell_the_same():
    whole, symbolic = CrafterWorld(observed="whole"), CrafterWorld(observed="symbolic")
    made = Batch(whole, 3, num_threads=1)
    made.seed(range(3))
    made.reset()
    assert symbolic.observation.shape == (1345,)  # of Craftax-Classic
    for state in made.states:
        state["things"][0]["kind"], state["things"][0]["x"], state["things"][0]["y"] = ZOMBIE, 33, 32
        state["beings"][33, 32] = ZOMBIE
        seen = observe(whole, state)
        np.testing.assert_array_equal(seen[:4096].reshape(64, 64), kinds(state))
        assert seen[4096:4098].tolist() == [32, 32]
        marks = observe(symbolic, state)[: 63 * 21].reshape(7, 9, 21)
        assert (marks[..., :17].sum(axis=2) == 1).all()
        assert marks[3, 5, 17 + MOBS.index("zombie")] == 1
        for j, i in np.ndindex(7, 9):
            material = state["terrain"][32 + i - 4, 32 + j - 3]
            assert marks[j, i, BLOCKS.index(MATERIALS[material - 1])] == 1


def test_drawing_changes_nothing_and_nights_are_dark(batch):
    pictures = companion(batch.world, Pictures)
    state = batch.states[0]
    state["players"][0]["x"], state["players"][0]["y"] = 30, 30
    before = state.tobytes()
    out = np.zeros((8, 64, 64, 3), np.uint8)
    for light, brightest in ((1.0, 255), (0.0, 130)):
        batch.states["daylight"] = light
        pictures.draw_many(batch.states, "pixels", out)
        assert out[:, :49].max() <= brightest
        assert out[:, :49].max() > brightest / 2
    batch.states["daylight"] = state["daylight"]
    again = np.zeros_like(out)
    pictures.draw_many(batch.states, "pixels", again)
    np.testing.assert_array_equal(out, again)
    np.testing.assert_array_equal(pictures.draw(state, (64, 64)), out[0])
    pictures.view = "world"
    assert pictures.draw(state, (576, 576)).shape == (576, 576, 3)
    pictures.view = "player"
    state["daylight"] = np.frombuffer(before, batch.states.dtype)[0]["daylight"]
    assert state.tobytes() == before


def test_each_of_several_players_has_a_picture_of_its_own():
    world = CrafterCoopWorld(agents=3)
    made = Batch(world, 2, num_threads=1)
    made.seed(range(2))
    made.reset()
    seen = made.pixels("pixels")
    assert seen.shape == (2, 3, 64, 64, 3)
    assert (seen[:, 0] != seen[:, 1]).any()
    assert companion(world, Pictures).draw(made.states[0], (576, 576)).shape == (576, 576, 3)
    assert PLAYER in observe(world, made.states[0])[0, :63].tolist()
    assert "2 other players, nearest 1 left" in companion(world, Words).describe(made.states[0], 1)


@pytest.mark.parametrize("size", [(1, 1), (5, 5), (9, 4), (4, 64), (20, 32)])
def test_small_pictures_are_parts_of_those_of_a_pixel_a_cell(size):
    world = CrafterCoopWorld(agents=8)
    made = Batch(world, 1, num_threads=1)
    made.seed([0])
    made.reset()
    pictures = companion(world, Pictures)
    width, height = size
    whole = pictures.draw_for(made.states[0], (max(9, width), max(9, height)), 3)
    np.testing.assert_array_equal(pictures.draw_for(made.states[0], size, 3), whole[:height, :width])
    assert pictures.draw(made.states[0], size).shape == (height, width, 3)


def test_amounts_are_drawn_where_they_fit(batch):
    pictures, state = companion(batch.world, Pictures), batch.states[0]
    for side, fit in ((9, False), (36, False), (45, True), (64, True)):
        drawn = pictures.draw(state, (side, side))[side * 7 // 9 :]
        assert (drawn == 255).all(axis=2).any() == fit


def test_descriptions_tell_what_is_near(batch):
    words, state = companion(batch.world, Words), batch.states[1].copy()
    state["terrain"][:], state["beings"][:], state["count"] = 2, 0, 0
    me = state["players"][0]
    me["x"], me["y"], me["facing"] = 32, 32, 1
    state["beings"][32, 32] = PLAYER
    state["terrain"][33, 32], state["terrain"][30, 31], state["daylight"] = 6, 1, 0.1
    me["inventory"][:] = [9, 8, 7, 6, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    me["achievements"][:] = 0
    me["achievements"][ACHIEVEMENTS.index("collect_wood")] = 2
    said = words.describe(state)
    assert "It is night. You look right; in front of you is a tree." in said
    assert "water (1 cell), nearest 2 left and 1 up" in said
    assert "health 9, food 8, drink 7, energy 6" in said
    assert "You carry 2 wood, a wood pickaxe." in said
    assert "Achievements, 1 of 22: collect wood." in said
    assert "asleep" not in said
    me["sleeping"] = 1
    assert "You are asleep: whatever you answer, you sleep on until you are rested or hurt." in words.describe(state)
    me["inventory"][3] = 9
    assert "You are rested: your next answer is carried out, and you wake up." in words.describe(state)
    me["inventory"][0] = 0
    assert words.describe(state).startswith("You are dead.")


def test_instructions_tell_what_pays_and_what_costs():
    costs = {"stone_sword": {"wood_pickaxe": 1}}
    for world, told in (
        (CrafterWorld(config={"costs": costs}), "stone sword 1 wood pickaxe at a table"),
        (CrafterWorld(), "achievements pays 1 the first time, each point of health a tenth. You move"),
        (
            CrafterCoopWorld(agents=3),
            "each point of health a tenth. There are 2 other players; nobody can hurt another",
        ),
        (CrafterCoopWorld(), "achievements pays each player 1 the first time"),
        (CrafterCoopWorld(shared=True), "in a step is divided equally among those who live. There is another player;"),
    ):
        made = Batch(world, 1, num_threads=1)
        made.seed([0])
        made.reset()
        assert told in companion(world, Words).instructions(made.states[0])


@pytest.mark.parametrize(
    ("text", "action"),
    [
        *((name, name) for name in ACTIONS),
        *((name.replace("_", " "), name) for name in ACTIONS),
        ("I see a tree. Action: do", "do"),
        ("I see a tree. do", "do"),
        ("I see a tree in front of me.\ndo", "do"),
        ("I could go left.\ndo", "do"),
        ("Answer: do", "do"),
        ("My action is do", "do"),
        ("**do**", "do"),
        ("Action: **do**", "do"),
        ("[do]", "do"),
        ("- do", "do"),
        ("Action: do\nbecause the tree is near", "do"),
        ("Action: sleep? No. Action: do", "do"),
        ('{"action": "do", "why": "the best action is sleep"}', "do"),
        ('{"action": 5}', "do"),
        ("Action: 5", "do"),
        ("5.", "do"),
        ("Tree ahead.\n5", "do"),
        ("7", "place_stone"),
        ("Action:\n```\nmove_left\n```", "move_left"),
        ("move\\_left", "move_left"),
        ("The tree is up: move_left", "move_left"),
        ('{"thoughts": "left is lava, up is safe", "action": "move_up"}', "move_up"),
        ("Left", "move_left"),
        ("go west", "move_left"),
        ("I move one cell up.", "move_up"),
        ("I can't go left so I go up", "move_up"),
        ("go up because left is lava", "move_up"),
        ("chop the tree", "do"),
        ("chop down the tree", "do"),
        ("cut down the tree", "do"),
        ("break down the stone", "do"),
        ("pick up the sapling", "do"),
        ("harvest the plant", "do"),
        ("eat the ripe plant", "do"),
        ("The plant is ripe. Eat it.", "do"),
        ("kill the zombie", "do"),
        ("get water", "do"),
        ("mine the rest of the stone", "do"),
        ("use the wood pickaxe to mine the stone", "do"),
        ("attack with my stone sword", "do"),
        ("I am too hungry to sleep, so eat the cow", "do"),
        ("It is too early to sleep. I will attack the zombie.", "do"),
        ("I should not sleep now; collect wood", "do"),
        ("Don't sleep, drink water", "do"),
        ("drink instead of sleep", "do"),
        ("go to sleep", "sleep"),
        ("I'm tired so I want to sleep", "sleep"),
        ("The best action is to sleep.", "sleep"),
        ("make a wooden pickaxe", "make_wood_pickaxe"),
        ("use the crafting table to craft a wood pickaxe", "make_wood_pickaxe"),
        ("craft iron sword", "make_iron_sword"),
        ("build a table", "place_table"),
        ("make a crafting table", "place_table"),
        ("set up a table", "place_table"),
        ("put down a table", "place_table"),
        ("make a furnace", "place_furnace"),
        ("I will plant the sapling here", "place_plant"),
        ("do nothing", "noop"),
        ("no-op", "noop"),
        ("wait", "noop"),
    ],
)
def test_answers_are_read(batch, text, action):
    assert companion(batch.world, Words).parse(text, batch.states[0]) == ACTIONS.index(action)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        ("dance", RefusalKind.UNKNOWN_NAME),
        ("I do not know.", RefusalKind.UNKNOWN_NAME),
        ("...", RefusalKind.EMPTY),
        ("wake up", RefusalKind.UNKNOWN_NAME),
        ("lie down", RefusalKind.UNKNOWN_NAME),
        ("fill up with water", RefusalKind.UNKNOWN_NAME),
        ("water the plant", RefusalKind.UNKNOWN_NAME),
        ("get a wood pickaxe", RefusalKind.UNKNOWN_NAME),
        ("don't sleep or rest", RefusalKind.UNKNOWN_NAME),
        ("I should not move_left", RefusalKind.UNKNOWN_NAME),
        ("Action: -1", RefusalKind.UNKNOWN_NAME),
        ("5.5", RefusalKind.UNKNOWN_NAME),
        ("left or right", RefusalKind.AMBIGUOUS),
        ("move left, then do", RefusalKind.AMBIGUOUS),
        ("do, move_left", RefusalKind.AMBIGUOUS),
        ("place_stone then do", RefusalKind.AMBIGUOUS),
        ("I must eat, drink, sleep", RefusalKind.AMBIGUOUS),
        ("17", RefusalKind.OUT_OF_RANGE),
    ],
)
def test_other_answers_are_refused(batch, text, kind):
    refusal = companion(batch.world, Words).parse(text, batch.states[0])
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind


def test_the_score_is_that_of_published_rates():
    # success rates of random play in the published run logs, and the score that is published for them
    rates = dict.fromkeys(ACHIEVEMENTS, 0.0)
    rates |= {"collect_drink": 0.0932, "collect_sapling": 0.5019, "collect_stone": 0.0001, "collect_wood": 0.2438}
    rates |= {"defeat_skeleton": 0.0002, "defeat_zombie": 0.0014, "eat_cow": 0.0038, "eat_plant": 0.0001}
    rates |= {"make_wood_pickaxe": 0.0032, "make_wood_sword": 0.0032, "place_plant": 0.4461, "place_stone": 0.0001}
    rates |= {"place_table": 0.0436, "wake_up": 0.9360}
    assert crafter_score(rates) == pytest.approx(1.550, abs=0.013)
    assert crafter_score(np.ones(22)) == pytest.approx(100)
    assert crafter_score(np.zeros(22)) == 0
    assert success_rates(np.eye(22, dtype=int))["wake_up"] == pytest.approx(1 / 22)
    for wrong in (np.ones(21), np.full(22, 2.0), {"fly": 1.0}):
        with pytest.raises(ValueError, match="success"):
            crafter_score(wrong)


def test_subgoals_come_after_what_they_need():
    found = subgoals(CrafterWorld().params)
    assert sorted(one.name for one in found) == sorted(ACHIEVEMENTS)
    known = set()
    for one in found:
        assert set(one.after) <= known
        known.add(one.name)
    by_name = {one.name: one for one in found}
    assert by_name["collect_diamond"].after == ("make_iron_pickaxe",)
    assert set(by_name["make_iron_sword"].near) == {"table", "furnace"}


@pytest.mark.parametrize(
    ("config", "goal", "after"),
    [
        ({"start": {"iron_pickaxe": 1}}, "collect_diamond", ()),
        ({"start": {"wood": 2}}, "place_table", ()),
        ({"start": {"wood": 2}}, "make_wood_pickaxe", ("place_table", "collect_wood")),
        ({"start": {"wood": 3}}, "make_wood_pickaxe", ("place_table",)),
        ({"start": {"wood": 3, "wood_pickaxe": 1}}, "make_stone_pickaxe", ("collect_stone", "place_table")),
        ({"start": {"wood_sword": 1}, "costs": {"table": {"wood_sword": 1}}}, "place_table", ()),
        ({"start": {"drink": 3}, "costs": {"plant": {"drink": 5}}}, "place_plant", ("collect_drink",)),
        ({"start": {"food": 3}, "costs": {"plant": {"food": 5}}}, "place_plant", ()),
    ],
)
def test_prerequisites_depend_on_costs_and_what_one_begins_with(config, goal, after):
    found = {one.name: one for one in subgoals(CrafterWorld(config=config).params)}
    assert found[goal].after == after


@pytest.mark.parametrize(
    ("costs", "waiting"),
    [
        ({"wood_pickaxe": {"wood_pickaxe": 1}}, "make_wood_pickaxe"),
        ({"wood_pickaxe": {"wood_sword": 1}, "wood_sword": {"wood_pickaxe": 1}}, "make_wood_pickaxe, make_wood_sword"),
        ({"table": {"stone": 1}}, "collect_stone, make_wood_pickaxe, place_table"),
        ({"stone_pickaxe": {"iron": 1}}, "collect_iron, make_stone_pickaxe"),
    ],
)
def test_achievements_that_wait_for_each_other_are_refused(costs, waiting):
    with pytest.raises(ValueError, match=f"that have to come before themselves: {waiting}$"):
        subgoals(CrafterWorld(config={"costs": costs}).params)


def test_a_chain_is_all_that_comes_before():
    goals = subgoals(CrafterWorld().params)
    names = [one.name for one in chain(goals, "collect_diamond")]
    assert names[-1] == "collect_diamond"
    assert {*names} == {
        *("collect_wood", "place_table", "make_wood_pickaxe", "collect_stone", "make_stone_pickaxe"),
        *("collect_coal", "place_furnace", "collect_iron", "make_iron_pickaxe", "collect_diamond"),
    }
    for k, one in enumerate(chain(goals, "make_iron_sword")):
        assert {*one.after} <= {name.name for name in chain(goals, "make_iron_sword")[:k]}
    assert [one.name for one in chain(goals, "wake_up")] == ["wake_up"]
    with pytest.raises(ValueError, match="goal is 'fly', expected one of "):
        chain(goals, "fly")


def test_what_practice_gives_is_enough():
    """Whoever has what is given reaches the goal with the remaining links, by what they use up and make."""
    goals = subgoals(CrafterWorld().params)
    for goal in goals:
        links = chain(goals, goal.name)
        for own in range(1, len(links) + 1):
            config = practice(goals, goal.name, own)
            CrafterWorld(config=config)  # which refuses what cannot be
            start = config.get("start", {})
            gained = {one.name.partition("_")[2] for one in links[-own:] if one.name.startswith(("collect", "make"))}
            used = Counter()
            for place in {place for one in links[-own:] for place in one.after if place.startswith("place")}:
                if place not in {one.name for one in links[-own:]}:
                    used += Counter(next(one.items for one in goals if one.name == place))
            for one in links[-own:]:
                for item, amount in one.items.items():
                    tool = item.endswith(("pickaxe", "sword"))
                    used[item] = max(used[item], amount) if tool else used[item] + amount
            assert all(start.get(item, 0) >= amount or item in gained for item, amount in used.items()), (goal, own)
            assert {*start} - {"energy"} <= {*used}
            if own == len(links) and goal.name != "wake_up":
                assert not start
    assert practice(goals, "make_stone_sword", 1) == {"start": {"wood": 3, "stone": 1}}
    assert practice(goals, "eat_plant", 1)["start"] == {"sapling": 1}
    dear = subgoals(CrafterWorld(config={"costs": {"table": {"wood": 9}}}).params)
    with pytest.raises(ValueError, match="'make_wood_sword' with own 1 gives 10 wood, and one carries 9 at most"):
        practice(dear, "make_wood_sword", 1)
    with pytest.raises(ValueError, match="own is 0, expected at least 1"):
        practice(goals, "wake_up", 0)


@pytest.mark.parametrize(
    ("goal", "kind"),
    [("collect_diamond", DIAMOND), ("collect_iron", IRON), ("collect_coal", COAL), ("collect_wood", TREE)],
)
def test_the_target_of_practice_is_common(goal, kind):
    found = []
    for config in (None, practice(subgoals(CrafterWorld().params), goal, 1)):
        made = Batch(CrafterWorld(config=config), 64, num_threads=1)
        made.seed(range(64))
        made.reset()
        found.append((made.states["terrain"] == kind).mean())
    assert found[1] > 2 * found[0]


def test_the_planner_gets_far():
    world = CrafterWorld()
    made, player = Batch(world, 16, num_threads=1), companion(world, Players).expert()
    made.seed(range(16))
    made.reset()
    best = np.zeros(16)
    for _ in range(400):
        made.step(player.act(None, made.states))
        best = np.maximum(best, made.states["players"][:, 0]["unlocked"])
    assert np.median(best) >= 15

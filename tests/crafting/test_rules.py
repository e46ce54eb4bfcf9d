"""The rules, on worlds laid out by hand."""

import itertools

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.crafting.crafter.params import CLASSIC
from envsuite.crafting.crafter.table import add
from envsuite.crafting.crafter.things import (
    ACHIEVEMENTS,
    ACTIONS,
    ARROW,
    COW,
    FURNACE,
    GRASS,
    ITEMS,
    LAVA,
    MATERIALS,
    PATH,
    PLANT,
    PLAYER,
    SAND,
    SKELETON,
    STONE,
    TABLE,
    WATER,
    ZOMBIE,
)
from envsuite.crafting.crafter.world import CrafterCoopWorld, CrafterWorld

WORLDS = {}


def world(**options):
    key = repr(sorted(options.items()))
    if key not in WORLDS:
        WORLDS[key] = CrafterWorld(**options)
    return WORLDS[key]


class Field:
    """A meadow with one player in its middle, and nobody else; only what is put there."""

    def __init__(self, count=1, **options):
        self.batch = Batch(world(**options), count, num_threads=1)
        self.batch.seed(range(count))
        self.batch.reset()
        for state in self.batch.states:
            state["terrain"], state["beings"], state["count"] = GRASS, 0, 0
            state["things"]["kind"], state["chunk_count"] = 0, 0
            state["beings"][32, 32] = PLAYER

    @property
    def state(self):
        return self.batch.states[0]

    @property
    def me(self):
        return self.state["players"][0]

    def put(self, kind, x, y, side=0, **values):
        add(self.state, self.batch.world.params[0], kind, x, y, side)
        thing = self.state["things"][self.state["count"] - 1]
        for name, value in values.items():
            thing[name] = value
        return thing

    def have(self, **items):
        for name, amount in items.items():
            self.me["inventory"][ITEMS.index(name)] = amount

    def own(self, name):
        return int(self.me["inventory"][ITEMS.index(name)])

    def done(self, name):
        return int(self.me["achievements"][ACHIEVEMENTS.index(name)])

    def act(self, *names):
        for name in names:
            self.batch.states["chunk_count"] = 0  # nobody comes and nobody goes
            self.out = self.batch.step(np.array([ACTIONS.index(name)] * self.batch.num_envs))
        return float(self.out.rewards[0])


TOOL = {"stone": "wood_pickaxe", "coal": "wood_pickaxe", "iron": "stone_pickaxe", "diamond": "iron_pickaxe"}
GIVES = {"tree": "wood", "water": "drink", **{name: name for name in TOOL}}


@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("tool", ["", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe"])
def test_collecting(material, tool):
    field = Field(config={"farming": {"sapling_chance": 0.0}})
    field.have(**({tool: 1} if tool else {}), drink=5)
    field.state["terrain"][32, 33] = MATERIALS.index(material) + 1
    reward = field.act("do")
    item = GIVES.get(material)
    got = item is not None and (material not in TOOL or tool == TOOL[material])
    after = {"tree": GRASS, "water": WATER}.get(material, PATH) if got else MATERIALS.index(material) + 1
    assert field.state["terrain"][32, 33] == after
    if item:
        assert field.own(item) == (5 if item == "drink" else 0) + got
        assert field.done(f"collect_{item}") == got
    assert reward == (1.0 if got else 0.0)


def test_saplings_come_with_a_tenth():
    field = Field(1000)
    field.act("do")
    found = field.batch.states["players"][:, 0]["inventory"][:, ITEMS.index("sapling")]
    assert abs(found.mean() - 0.1) < 4 * np.sqrt(0.09 / 1000)


COSTS = {"stone": {"stone": 1}, "table": {"wood": 2}, "furnace": {"stone": 4}, "plant": {"sapling": 1}}
ON = {
    "stone": {"grass", "sand", "path", "water", "lava"},
    "table": {"grass", "sand", "path"},
    "furnace": {"grass", "sand", "path"},
    "plant": {"grass"},
}


@pytest.mark.parametrize(("what", "material"), [*itertools.product(COSTS, MATERIALS)])
def test_placing(what, material):
    for enough in (True, False):
        field = Field()
        field.have(**{item: n - (not enough) for item, n in COSTS[what].items()})
        field.state["terrain"][32, 33] = MATERIALS.index(material) + 1
        reward = field.act(f"place_{what}")
        placed = enough and material in ON[what]
        assert field.done(f"place_{what}") == placed
        assert reward == (1.0 if placed else 0.0)
        assert all(field.own(item) == (0 if placed else n - (not enough)) for item, n in COSTS[what].items())
        if what == "plant":
            assert (field.state["beings"][32, 33] == PLANT) == placed
        elif placed:
            assert field.state["terrain"][32, 33] == MATERIALS.index(what) + 1


def test_nothing_is_placed_where_somebody_stands():
    field = Field()
    field.put(COW, 32, 33)
    field.have(stone=5)
    field.batch.states["players"]["facing"] = 3
    field.act("place_stone")
    assert field.own("stone") in (4, 5)  # the cow acts after the player
    assert field.done("place_stone") == 0


MADE = {
    "wood_pickaxe": {"wood": 1},
    "stone_pickaxe": {"wood": 1, "stone": 1},
    "iron_pickaxe": {"wood": 1, "coal": 1, "iron": 1},
}
MADE |= {name.replace("pickaxe", "sword"): cost for name, cost in MADE.items()}


@pytest.mark.parametrize("tool", MADE)
@pytest.mark.parametrize("near", [(), (TABLE,), (FURNACE,), (TABLE, FURNACE)])
def test_making(tool, near):
    for enough in (True, False):
        field = Field()
        for k, material in enumerate(near):
            field.state["terrain"][31 + 2 * k, 31] = material
        field.have(**{item: n if enough else 0 for item, n in MADE[tool].items()})
        field.act(f"make_{tool}")
        wanted = {TABLE, FURNACE} if tool.startswith("iron") else {TABLE}
        made = enough and wanted <= set(near)
        assert field.own(tool) == made == field.done(f"make_{tool}")
        assert all(field.own(item) == (0 if made or not enough else n) for item, n in MADE[tool].items())


def test_classic_recipes_differ():
    field = Field(rules="craftax-classic")
    field.have(stone=1)
    field.act("place_furnace")
    assert field.done("place_furnace") == 1
    assert field.batch.world.params[0]["farming"]["ripe_after"] == CLASSIC["farming"]["ripe_after"] == 599


@pytest.mark.parametrize("compat", [None, "crafter-1.8.3"])
def test_crafting_at_the_border(compat):
    field = Field(compat=compat)
    field.state["beings"][32, 32], field.state["beings"][0, 5] = 0, PLAYER
    field.me["x"], field.me["y"] = 0, 5
    field.state["terrain"][1, 5] = TABLE
    field.have(wood=1)
    field.act("make_wood_pickaxe")
    assert field.own("wood_pickaxe") == (compat is None)


@pytest.mark.parametrize(("compat", "paid"), [(None, 2.0), ("crafter-1.8.3", 1.0)])
def test_two_achievements_in_a_step(compat, paid):
    field = Field(compat=compat)
    field.me["sleeping"] = 1  # and energy is full: it wakes, and then acts
    field.have(stone=1)
    assert field.act("place_stone") == paid
    assert field.done("wake_up") == field.done("place_stone") == 1


@pytest.mark.parametrize(("compat", "health"), [(None, 9), ("crafter-1.8.3", 7)])
def test_the_slain_strike_no_more(compat, health):
    field = Field(compat=compat)
    field.put(ZOMBIE, 32, 33)
    field.have(iron_sword=1)
    field.act("do")
    assert field.done("defeat_zombie") == 1
    assert field.own("health") == health
    assert field.state["count"] == 0


@pytest.mark.parametrize(("compat", "health"), [(None, 0), ("crafter-1.8.3", 1)])
def test_lava_kills(compat, health):
    field = Field(compat=compat)
    field.me["recover"] = 25.0  # health is about to rise
    field.state["terrain"][32, 33] = LAVA
    reward = field.act("move_down")
    assert field.own("health") == health
    assert bool(field.out.terminated[0]) == (health == 0)
    assert reward == pytest.approx(-0.1 * (9 - health))
    assert float(field.out.info["discount"][0]) == (health > 0)


def test_bodies_follow_their_counters():
    field = Field()
    bodies = []
    for _ in range(200):
        field.act("noop")
        bodies.append([field.own(name) for name in ("food", "drink", "energy")])
    for k, period in enumerate((26, 21, 31)):
        falls = np.flatnonzero(np.diff([9] + [one[k] for one in bodies])) + 1
        assert falls.tolist() == list(range(period, 201, period))


def test_want_takes_health_and_plenty_gives_it():
    field = Field()
    field.have(food=0, health=5)
    field.act(*["noop"] * 15)
    assert field.own("health") == 5
    assert field.act("noop") == pytest.approx(-0.1)
    field.have(food=9)
    field.act(*["noop"] * 25)
    assert field.own("health") == 4
    assert field.act("noop") == pytest.approx(0.1)


def test_sleep_restores_energy_and_ends_with_it():
    field = Field()
    field.act("sleep")
    assert field.me["sleeping"] == 0  # nobody sleeps who is not tired
    field.have(energy=7)
    field.me["fatigue"] = 0.0
    field.act("sleep", *["move_left"] * 21)
    assert field.me["sleeping"] == 1
    assert (field.own("energy"), field.me["x"]) == (9, 32)  # 11 steps each, and all actions are sleep
    assert field.act("move_left") == 1.0
    assert (field.me["sleeping"], field.me["x"], field.done("wake_up")) == (0, 31, 1)


def test_pain_wakes_without_the_achievement():
    field = Field()
    field.have(energy=3)
    field.put(ZOMBIE, 32, 33)
    field.state["terrain"][31:34, 31:35] = STONE
    field.act("sleep")
    assert field.own("health") == 2  # seven to a sleeper
    field.act("noop")
    assert (field.me["sleeping"], field.done("wake_up")) == (0, 0)


@pytest.mark.parametrize(("sword", "damage"), [("", 1), ("wood_sword", 2), ("stone_sword", 3), ("iron_sword", 5)])
def test_damage_by_the_best_sword(sword, damage):
    for kind, health in ((ZOMBIE, 5), (SKELETON, 3), (COW, 3)):
        field = Field()
        field.state["terrain"][:] = STONE  # nobody moves
        field.put(kind, 32, 33)
        field.have(**({sword: 1} if sword else {}), food=2)
        field.act("do")
        killed = damage >= health
        deed = {ZOMBIE: "defeat_zombie", SKELETON: "defeat_skeleton", COW: "eat_cow"}[kind]
        assert field.done(deed) == killed
        if not killed:
            assert field.state["things"][0]["health"] == health - damage
        elif kind == COW:
            assert field.own("food") == 8


def test_zombies_strike_every_six_steps():
    field = Field()
    field.put(ZOMBIE, 32, 33)
    field.state["terrain"][:] = STONE
    healths = []
    for _ in range(14):
        field.act("noop")
        healths.append(field.own("health"))
    assert healths == [7] * 6 + [5] * 6 + [3] * 2


def test_arrows_fly_hit_and_break_tables():
    field = Field()
    field.put(ARROW, 28, 32, 1)
    field.act(*["noop"] * 3)
    assert (field.state["things"][0]["x"], field.own("health")) == (31, 9)
    field.act("noop")
    assert (field.state["count"], field.own("health")) == (0, 7)
    field.state["terrain"][30, 30], field.state["terrain"][29, 30] = TABLE, WATER
    field.put(ARROW, 28, 30, 1)
    field.act("noop", "noop")
    assert field.state["terrain"][30, 30] == PATH
    assert field.state["count"] == 0


def test_plants_ripen_feed_and_are_trampled():
    field = Field()
    field.have(sapling=1, food=3)
    field.act("place_plant")
    for _ in range(300):
        field.have(food=3, drink=9, health=9)
        field.act("noop")
    assert field.state["things"][0]["timer"] == 300
    field.act("do")
    assert field.done("eat_plant") == 0
    field.me["hunger"], field.state["things"][0]["timer"] = 0.0, 301
    field.have(food=3)
    assert field.act("do") == 1.0
    assert (field.own("food"), field.done("eat_plant"), field.state["things"][0]["timer"]) == (7, 1, 1)
    field.state["terrain"][31, 33] = STONE
    field.put(COW, 31, 33)
    field.state["terrain"][30:33, 34], field.state["terrain"][30, 33], field.state["terrain"][31, 32] = 3, 3, 3
    field.act("noop")
    assert PLANT not in field.state["things"][: field.state["count"]]["kind"]


def test_the_far_sleep():
    field = Field()
    field.put(PLANT, 32, 49)
    field.put(PLANT, 32, 50)
    field.act(*["noop"] * 10)
    assert field.state["things"]["timer"][:2].tolist() == [10, 0]  # 17 and 18 steps away


def test_daylight_follows_its_formula():
    field = Field()
    for step in range(1, 400):
        field.have(health=9)
        field.act("noop")
        progress = (step / 300) % 1 + 0.3
        assert field.state["daylight"] == pytest.approx(1 - abs(np.cos(np.pi * progress)) ** 3, abs=1e-12)
        field.have(food=9, drink=9)


def test_a_full_record_takes_nothing_more_and_says_so():
    field = Field()
    field.state["count"] = len(field.state["things"])
    field.state["things"]["kind"], field.state["things"]["health"] = PLANT, 1
    field.state["things"]["x"], field.state["things"]["y"] = 0, 0
    field.have(sapling=1)
    field.act("place_plant")
    assert (field.own("sapling"), field.done("place_plant")) == (1, 0)
    assert int(field.out.info["crowded"][0]) == 1


def test_creatures_come_to_dark_grass_and_go_by_day():
    batch = Batch(world(), 60, num_threads=1, horizon=10_000)
    batch.seed(range(60))
    batch.reset()
    counts = []
    for _step in range(300):
        states = batch.states
        states["players"]["inventory"][:, 0, :4] = 9
        batch.step(np.zeros(60, np.int64))
        counts.append((states["things"]["kind"] == ZOMBIE).sum() / 60)
    assert max(counts[180:240]) > 2 * min(counts[30:90])


def test_players_may_share_what_they_earn():
    """The sum is that of own rewards, in equal parts to those who lived until the step."""
    batches = [Batch(CrafterCoopWorld(agents=3, shared=shared), 40, num_threads=1) for shared in (False, True)]
    for batch in batches:
        batch.seed(range(40))
        batch.reset()
    draw, ended, paid = np.random.default_rng(3), 0, 0.0
    for _step in range(400):
        living = batches[0].states["players"]["alive"].copy()
        actions = draw.integers(len(ACTIONS), size=(40, 3))
        own, shared = (batch.step(actions) for batch in batches)
        total = (own.rewards * living).sum(1, keepdims=True)
        assert shared.rewards == pytest.approx(living * total / living.sum(1, keepdims=True).clip(1), abs=1e-6)
        assert np.array_equal(own.observations, shared.observations)
        ended, paid = ended + own.terminated.sum(), paid + abs(total).sum()
    assert ended > 20
    assert paid > 100


def test_two_players_have_bodies_of_their_own():
    batch = Batch(CrafterCoopWorld(), 1, num_threads=1)
    batch.seed([0])
    batch.reset()
    state = batch.states[0]
    first, second = state["players"]
    assert (first["x"], second["x"]) == (32, 33)
    state["terrain"][30:37, 30:37] = SAND
    state["things"]["kind"], state["count"] = 0, 0
    state["beings"][:] = 0
    state["beings"][32:34, 32] = PLAYER
    first["facing"] = 1
    out = batch.step(np.array([[ACTIONS.index("do"), ACTIONS.index("move_left")]]))
    assert second["inventory"][0] == 9  # nobody hits players
    assert (first["x"], second["x"]) == (32, 33)  # and nobody walks through them
    state["terrain"][33, 33] = LAVA
    out = batch.step(np.array([[0, ACTIONS.index("move_down")]]))
    assert out.terminated.tolist() == [[False, True]]
    assert out.rewards[0].tolist() == pytest.approx([0.0, -0.9])
    assert state["beings"][33, 33] == 0
    out = batch.step(np.array([[ACTIONS.index("move_right"), 0]]))
    assert out.rewards[0, 1] == 0
    assert first["x"] == 33

"""A step of Craftax-Classic: the player, the creatures, who comes, plants, the body (its game_logic.py)."""

from envsuite.core import kernel
from envsuite.crafting.crafter import player
from envsuite.crafting.crafter.chunks import daylight
from envsuite.crafting.crafter.classic.creatures import act_all, all_come, grow, lay_arrows, lift_arrows
from envsuite.crafting.crafter.classic.worlds import SIDE, draw_world
from envsuite.crafting.crafter.table import clear, close_ranks, inside, leave
from envsuite.crafting.crafter.things import (
    ACROSS,
    ALONG,
    ARROW,
    DO,
    ENERGY,
    HEALTH,
    LAVA,
    MAKE_WOOD_PICKAXE,
    MOST,
    MOVE_DOWN,
    MOVE_LEFT,
    PLACE_PLANT,
    PLACE_STONE,
    SLEEP,
    UP,
)


@kernel
def reset(s, p, w):
    """Draw a world around the player."""
    clear(s)
    player.begin(s, p, 0, SIDE // 2, SIDE // 2)
    s.players[0].facing = UP
    s.terminated[0] = s.truncated[0] = 0
    draw_world(s, w)
    s.daylight = daylight(p, 0)


@kernel
def step(s, p, action):
    """One step; its reward and whether the player died."""
    me = s.players[0]
    lift_arrows(s)
    if me.sleeping:
        action = 0
    act(s, p, me, action)
    act_all(s, p)
    close_ranks(s)
    all_come(s, p)
    grow(s)
    if action == SLEEP and me.inventory[ENERGY] < MOST:
        me.sleeping = 1
    if me.sleeping and me.inventory[ENERGY] >= MOST:
        me.sleeping = 0
        me.achievements[player.WAKE_UP] += 1
    player.live(p, me)
    for item in range(me.inventory.shape[0]):
        me.inventory[item] = max(0, min(me.inventory[item], MOST))
    if s.terrain[me.x, me.y] == LAVA:
        me.inventory[HEALTH] = 0
    lay_arrows(s)
    s.daylight = daylight(p, s.clock.step)
    return player.reward(me, p), me.inventory[HEALTH] <= 0


@kernel
def act(s, p, me, action):
    """What the player does; who is slain is gone at once."""
    if MOVE_LEFT <= action <= MOVE_DOWN:
        player.walk(s, me, action - MOVE_LEFT)
    elif action == DO:
        player.use(s, p, me)
        for i in range(s.count):
            if s.things[i].health <= 0 and s.things[i].kind < ARROW:
                leave(s, i)
        close_ranks(s)
    elif PLACE_STONE <= action <= PLACE_PLANT:
        place(s, p, me, action - PLACE_STONE)
    elif action >= MAKE_WOOD_PICKAXE:
        player.make(s, p, me, action - PLACE_STONE)


@kernel
def place(s, p, me, what):
    """As in Crafter; tables and furnaces may also be put onto lava."""
    x, y = me.x + ACROSS[me.facing], me.y + ALONG[me.facing]
    if what in (1, 2) and inside(s, x, y) and s.terrain[x, y] == LAVA and s.beings[x, y] == 0:
        if player.affords(p, me, what):
            s.terrain[x, y] = player.LAYS[what]
            player.pay(p, me, what)
        return
    player.place(s, p, me, what)

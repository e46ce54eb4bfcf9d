"""Pictures of a player's view, pixel by pixel in compiled code; they change nothing in the record."""

import numpy as np

from envsuite.core import kernel
from envsuite.core.rng import philox
from envsuite.crafting.crafter.observe import kind_at
from envsuite.crafting.crafter.table import inside, player_at, thing_at
from envsuite.crafting.crafter.textures import ARROWS, CREATURES, FIRST_ITEM, OTHER, PLANTS, SELF
from envsuite.crafting.crafter.things import ARROW, COW, PLANT, PLAYER, RIPE, VIEW

GRAIN = np.uint64(16)
"""Number of the random stream of night's noise, beyond those that rules draw from."""


@kernel
def stamp(out, top, left, texture, solid):
    """Put a texture onto a picture."""
    unit = texture.shape[0]
    for j in range(unit):
        for i in range(unit):
            cover = np.int32(texture[j, i, 3])
            if solid or cover == 255:
                for c in range(3):
                    out[top + j, left + i, c] = texture[j, i, c]
            elif cover > 0:
                for c in range(3):
                    mixed = cover * np.int32(texture[j, i, c]) + (255 - cover) * np.int32(out[top + j, left + i, c])
                    out[top + j, left + i, c] = np.uint8(mixed // 255)


@kernel
def figure_at(s, p, k, x, y):
    """Number of the texture of who stands on a cell; 0 for nobody."""
    kind = kind_at(s, p, x, y)
    if kind == PLAYER:
        n = player_at(s, x, y)
        you = s.players[n]
        return (SELF if n == k else OTHER) + (4 if you.sleeping else you.facing)
    if kind == ARROW:
        return ARROWS + s.things[thing_at(s, x, y)].facing
    if COW <= kind < ARROW:
        return CREATURES + (kind - COW)
    return PLANTS + (kind - PLANT) if kind in (PLANT, RIPE) else 0


@kernel
def paint_cells(s, p, k, textures, out, top, left, first_x, first_y, columns, rows):
    """Draw some cells of the world and who stands there."""
    unit = textures.shape[1]
    for j in range(rows):
        for i in range(columns):
            x, y = first_x + i, first_y + j
            ground = s.terrain[x, y] if inside(s, x, y) else 0
            stamp(out, top + j * unit, left + i * unit, textures[ground], True)
            if ground != 0 and s.beings[x, y] != 0:
                stamp(out, top + j * unit, left + i * unit, textures[figure_at(s, p, k, x, y)], False)


@kernel
def darken(s, shade, out, top, left):
    """Night over a part of a picture, as the original: grain towards the edges, little colour, blue.

    With light l, d = 1 - l, and a share m of grain g, a colour c of brightness b becomes
    (l + d (1 - m) / 5) c + 3/10 d (1 - m) b + d (m g + tint) / 2. Integers stand for 65,536ths.
    """
    height, width = shade.shape
    light = np.int32(65536.0 * s.daylight)
    dark = np.int32(65536) - light
    grain = np.int32(512.0 * max(0.0, 0.5 - s.daylight))
    blue, green = dark * np.int32(32), dark * np.int32(8)
    k0, k1 = np.uint64(s.rng.key[0]), np.uint64(s.rng.key[1])
    episode, moment = np.uint64(s.rng.episode), np.uint64(s.clock.step) + np.uint64(1)
    w0, w1, w2, w3 = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    own, grey, speck = light + dark // np.int32(5), dark // np.int32(10) * np.int32(3), np.int32(0)
    for j in range(height):
        for i in range(width):
            if grain > 0:
                if i % 16 == 0:
                    w0, w1, w2, w3 = philox(np.uint64(j * width + i), GRAIN, episode, moment, k0, k1)
                byte = np.int32(np.int64(w0 & np.uint64(255)))
                w0 >>= np.uint64(8)
                if i % 4 == 3:
                    w0, w1, w2 = w1, w2, w3
                covered = (grain * np.int32(shade[j, i])) >> 8  # 256ths
                clear = (dark * (np.int32(256) - covered)) >> 8
                own, grey = light + clear // np.int32(5), clear // np.int32(10) * np.int32(3)
                speck = ((dark * covered) >> 8) // np.int32(2) * (np.int32(32) + ((byte * np.int32(95)) >> 8))
            r = np.int32(out[top + j, left + i, 0])
            g = np.int32(out[top + j, left + i, 1])
            b = np.int32(out[top + j, left + i, 2])
            common = grey * ((np.int32(77) * r + np.int32(150) * g + np.int32(29) * b) >> 8) + speck
            out[top + j, left + i, 0] = np.uint8((own * r + common) >> 16)
            out[top + j, left + i, 1] = np.uint8((own * g + common + green) >> 16)
            out[top + j, left + i, 2] = np.uint8((own * b + common + blue) >> 16)


@kernel
def close_eyes(out, top, left, height, width):
    """What a sleeper sees: grey and dark."""
    for j in range(top, top + height):
        for i in range(left, left + width):
            grey = 299 * np.int32(out[j, i, 0]) + 587 * np.int32(out[j, i, 1]) + 114 * np.int32(out[j, i, 2])
            out[j, i, 0] = out[j, i, 1] = np.uint8(grey // 2000)
            out[j, i, 2] = np.uint8(grey // 2000 + 8)


@kernel
def paint_items(me, textures, numerals, out, top, left):
    """Draw what a player has, nine items in a row, each with its amount where that fits into a cell."""
    unit = textures.shape[1]
    scale = max(1, unit // 12)
    for item in range(me.inventory.shape[0]):
        amount = me.inventory[item]
        if amount < 1:
            continue
        y, x = top + item // VIEW[0] * unit, left + item % VIEW[0] * unit
        stamp(out, y, x, textures[FIRST_ITEM + item], False)
        if unit < 5 * scale:
            continue
        y, x = y + unit - 5 * scale, x + unit - 3 * scale
        for j in range(5 * scale):
            for i in range(3 * scale):
                if numerals[amount, j // scale, i // scale]:
                    for c in range(3):
                        out[y + j, x + i, c] = 255


@kernel
def paint_view(s, p, k, textures, numerals, shade, out):
    """Draw what a player sees: 9 x 7 cells around it, and below them what it has.

    Args:
        s: record of the world.
        p: parameters.
        k: index of the player.
        textures: of `envsuite.crafting.crafter.textures.atlas`, of a ninth of the picture's shorter side.
        numerals: `envsuite.crafting.crafter.textures.digits`.
        shade: of `envsuite.crafting.crafter.textures.vignette`, for the cells in view.
        out: uint8 (height, width, 3), at least 9 unit a side, written.
    """
    me, unit = s.players[k], textures.shape[1]
    columns, rows = VIEW
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            for c in range(3):
                out[j, i, c] = 0
    top, left = (out.shape[0] - 9 * unit) // 2, (out.shape[1] - columns * unit) // 2
    paint_cells(s, p, k, textures, out, top, left, me.x - columns // 2, me.y - rows // 2, columns, rows)
    if s.daylight < 1.0:
        darken(s, shade, out, top, left)
    if me.sleeping:
        close_eyes(out, top, left, rows * unit, columns * unit)
    paint_items(me, textures, numerals, out, top + rows * unit, left)


@kernel
def paint_batch(states, params, textures, numerals, shade, out):
    """`paint_view` of all players of many instances, uint8 (n, agents, height, width, 3)."""
    p = params[0]
    for n in range(states.shape[0]):
        for k in range(out.shape[1]):
            paint_view(states[n], p, k, textures, numerals, shade, out[n, k])


@kernel
def paint_world(s, p, textures, out):
    """Draw the whole world in its middle, in full light."""
    unit = textures.shape[1]
    columns, rows = s.terrain.shape
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            for c in range(3):
                out[j, i, c] = 24
    top, left = (out.shape[0] - rows * unit) // 2, (out.shape[1] - columns * unit) // 2
    paint_cells(s, p, 0, textures, out, top, left, 0, 0, columns, rows)

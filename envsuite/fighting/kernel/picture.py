"""What is to be seen, as a list of shapes: from one player's side, now or some frames ago; and pictures of it."""

from envsuite.core import kernel
from envsuite.core.raster import POLYGON, paint
from envsuite.fighting.figures import (
    BLUE,
    GOLD,
    GREEN,
    INK,
    RED,
    SHADE,
    TRIM,
    WHITE,
)
from envsuite.fighting.kernel.contact import height_of
from envsuite.fighting.kernel.posture import figure
from envsuite.fighting.kernel.senses import look_at
from envsuite.fighting.kernel.sheet import GROUND, HEIGHT, WIDTH, disc, framed, next_shape, screen, set_corner
from envsuite.fighting.params import (
    ATTACK,
    BLOCK_CROUCH,
    BLOCK_STAND,
    FRAMES,
    LOOKS,
    METER,
    MINE_HALF,
    MINE_HIGH,
    SHOT_HALF,
    SHOT_HIGH,
    SHOT_LOW,
    SHOTS,
    SUPER_COST,
    UNIT,
)

LADDER_BACK = 4  # frames between the instants of a picture that has three
# Lit segments of the digits 0 to 9: top, upper left, upper right, middle, lower left, lower right, bottom.
_SEGMENTS = (119, 36, 93, 109, 46, 107, 123, 37, 127, 111)


@kernel
def _spark(sheet, look, other, m):
    """Where a strike has met: yellow for a hit, blue for a block, white otherwise."""
    if look.state != ATTACK or look.stop == 0 or look.phase < 2 or m.x1 == 0:
        return
    x = look.x / UNIT + look.facing * 0.8 * m.x1
    y = look.y / UNIT + 0.5 * (m.y0 + m.y1)
    if other.state == BLOCK_STAND or other.state == BLOCK_CROUCH:
        disc(sheet, x, y, 9.0, (120, 190, 255), 200)
    elif other.state == ATTACK:
        disc(sheet, x, y, 9.0, WHITE, 200)
    else:
        disc(sheet, x, y, 9.0, (255, 220, 90), 200)
    disc(sheet, x, y, 4.0, WHITE, 255)


@kernel
def _projectile(sheet, shot, character):
    x, trim = shot.x / UNIT, TRIM[character]
    if shot.mine != 0:
        disc(sheet, x, 6.0, 10.0, INK, 255)
        disc(sheet, x, 6.0, 8.5, trim, 255)
        disc(sheet, x, 9.0, 3.0, RED, 255)
        return
    middle = 0.5 * (SHOT_LOW + SHOT_HIGH)
    way = 1.0 if shot.speed > 0 else -1.0
    tail = next_shape(sheet, POLYGON, trim[0], trim[1], trim[2], 140)
    tail.corners = 3
    set_corner(tail, 0, x - way * 26.0, middle)
    set_corner(tail, 1, x, middle + 9.0)
    set_corner(tail, 2, x, middle - 9.0)
    disc(sheet, x, middle, 11.0, WHITE, 255)
    disc(sheet, x, middle, 8.5, trim, 255)


@kernel
def _projectiles(sheet, look, character, boxes):
    """A fighter's projectiles, with their boxes or without."""
    for k in range(SHOTS):
        if look.shots[k].on != 0:
            _projectile(sheet, look.shots[k], character)
            if boxes:
                _shot_box(sheet, look.shots[k])


@kernel
def _boxes(sheet, look, ch, met):
    """Body (white where nothing can meet it), hit box (gold once it has met), projectiles' boxes."""
    x, y = look.x / UNIT, look.y / UNIT
    body = WHITE if look.safe != 0 else BLUE
    framed(sheet, x - ch.half, y, x + ch.half, y + height_of(look), body)
    m = ch.moves[look.move]
    if look.phase == 2 and m.x1 != 0:
        near, far = x + look.facing * m.x0, x + look.facing * m.x1
        framed(sheet, min(near, far), y + m.y0, max(near, far), y + m.y1, GOLD if met else RED)


@kernel
def _shot_box(sheet, shot):
    x, wide = shot.x / UNIT, MINE_HALF if shot.mine != 0 else SHOT_HALF
    low, high = (0, MINE_HIGH) if shot.mine != 0 else (SHOT_LOW, SHOT_HIGH)
    framed(sheet, x - wide, low, x + wide, high, RED)


@kernel
def _bar(sheet, own, top, high, share, color):
    """A bar that empties towards the edge of the sheet; one's own is on the left."""
    left, right = (12.0, 168.0) if own else (216.0, 372.0)
    screen(sheet, left, top, right, top + high, SHADE, 255)
    long = (right - left) * min(max(share, 0.0), 1.0)
    if long > 0.0:
        if own:
            screen(sheet, right - long, top, right, top + high, color, 255)
        else:
            screen(sheet, left, top, left + long, top + high, color, 255)


@kernel
def _bars(sheet, look, wins, own):
    _bar(sheet, own, 8.0, 9.0, look.hp / 1000, GREEN if look.hp >= 250 else RED)
    _bar(sheet, own, 208.0, 7.0, look.meter / METER, GOLD if look.meter >= SUPER_COST else BLUE)
    for k in range(wins):
        x = 164.0 - 12.0 * k if own else 220.0 + 12.0 * k
        disc(sheet, x, GROUND - 24.0, 4.0, GOLD, 255)


@kernel
def _seconds(sheet, left):
    """Whole seconds of the round in two digits, between the bars of health."""
    number = min(left // FRAMES, 99)
    for k in range(2):
        digit = number // 10 if k == 0 else number % 10
        x, lit = 170.0 if k == 0 else 199.0, _SEGMENTS[digit]  # apart even in 84 pixels
        for segment in range(7):
            if (lit >> segment) & 1 == 0:
                continue
            if segment == 0 or segment == 3 or segment == 6:
                top = 5.0 + 9.0 * (segment // 3)
                screen(sheet, x, top, x + 15.0, top + 4.0, INK, 255)
            else:
                side = x if segment == 1 or segment == 4 else x + 11.0
                top = 5.0 if segment < 3 else 14.0
                screen(sheet, side, top, side + 4.0, top + 13.0, INK, 255)


@kernel
def compose(sheet, s, p, agent, back, late, live, boxes):
    """List the shapes of a picture, without the scenery.

    Args:
        sheet: record of type `Sheet`, written.
        s: the fight.
        p: its parameters.
        agent: whose fighter is marked blue and has its bars on the left.
        back: frames ago.
        late: frames more until the other fighter, and projectiles, are seen; with `back` no more than are remembered.
        live: show fighters as the record has them, not as they were seen at the end of the frame.
        boxes: show bodies, hit boxes and projectiles' boxes.
    """
    sheet.number = 0
    now, then = (s.frames - back) % LOOKS, (s.frames - min(back + late, LOOKS - 1)) % LOOKS
    if live:
        for i in range(2):
            look_at(s.fighters[i], p.characters[s.fighters[i].character], sheet.looks[i])
    for turn in range(2):  # who attacks is drawn in front
        front = 1 if s.fighters[1].looks[now].state == ATTACK else 0
        i = 1 - front if turn == 0 else front
        f = s.fighters[i]
        look = sheet.looks[i] if live else f.looks[now if i == agent else then]
        ex = f.ex != 0 and back == 0 and (i == agent or late == 0)
        figure(sheet, look, p.characters[f.character], f.character, i == agent, ex)
    for i in range(2):
        f, o = s.fighters[i], s.fighters[1 - i]
        ch = p.characters[f.character]
        look = sheet.looks[i] if live else f.looks[now if i == agent else then]
        other = sheet.looks[1 - i] if live else o.looks[then if i == agent else now]
        shots = sheet.looks[i] if live else f.looks[then]
        _spark(sheet, look, other, ch.moves[look.move])
        _projectiles(sheet, shots, f.character, boxes)
        if boxes:
            _boxes(sheet, look, ch, f.hit != 0 and back == 0 and late == 0)
        _bars(sheet, look, f.wins, i == agent)
    _seconds(sheet, s.left + back)


@kernel
def draw_batch(states, params, sheets, scenery, agents, three, boxes, out, words):
    """Draw what players see.

    Args:
        states: (n,) fights.
        params: their parameters.
        sheets: (1,) of type `Sheet`, room to work in.
        scenery: uint64 (words,), the bytes of the empty stage, by eight.
        agents: players of each fight who see.
        three: draw three instants, the oldest first, one in each channel.
        boxes: see `compose`.
        out: uint8 (n, agents, height, width, channels), written.
        words: uint64 (n, agents, words), the same memory.
    """
    p, sheet = params[0], sheets[0]
    across, down = out.shape[3] / WIDTH, out.shape[2] / HEIGHT
    for i in range(states.shape[0]):
        for j in range(agents):
            for k in range(len(scenery)):
                words[i, j, k] = scenery[k]
            for k in range(3 if three else 1):
                back = LADDER_BACK * (2 - k) if three else 0
                compose(sheet, states[i], p, j, back, p.sight_delay, False, boxes)
                paint(out[i, j], k, 1 if three else out.shape[4], sheet.shapes, sheet.number, across, down)

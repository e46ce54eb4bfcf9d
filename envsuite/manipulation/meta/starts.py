"""How an episode of Meta-World begins: places are drawn, everything is put there, and looked at."""

from envsuite.core import kernel, rng
from envsuite.manipulation.meta.early import begin as begin_early
from envsuite.manipulation.meta.kernel import press
from envsuite.manipulation.meta.params import EARLY
from envsuite.manipulation.meta.senses import gaze
from envsuite.manipulation.meta.shaping import flat, point, scaled
from envsuite.manipulation.meta.sheets import COORDINATES, LEVEL_GOAL, MOCAP, PUTS, SECOND, SEEN
from envsuite.manipulation.meta.state import SIGHT
from envsuite.manipulation.meta.variation import vary
from envsuite.rigid.integrate import forward
from envsuite.rigid.integrate import step as advance

ARM_DOFS = 9  # joints of the original's arm and fingers; those after them are put to rest in each episode
SETTLING = 50  # steps in which the original's arm settles before an episode


@kernel
def draw(s, p):
    """Draw the episode's places, again where they are too near to each other."""
    sheet = p.sheet
    while True:
        for i in range(2):
            for k in range(3):
                s.drawn[i, k] = rng.uniform(s.rng, rng.RESET, sheet.low[i, k], sheet.high[i, k])
        if flat(point(s.drawn[0]), point(s.drawn[1])) >= sheet.apart:
            return


@kernel
def locate(s, place, out):
    """Write where a place is."""
    for k in range(3):
        told = s.sight[4 + k] if place.source == SEEN else s.drawn[1 if place.source == SECOND else 0, k]
        out[k] = place.share[k] * told + place.offset[k]


@kernel
def _put(s, p, what):
    """Put furniture, or the object, where the episode has it."""
    for i in range(PUTS):
        put = p.sheet.puts[i]
        if put.what == what:
            if what == MOCAP:
                locate(s, put.place, s.body.mocap_pos[put.number])
            else:
                locate(s, put.place, s.body.qpos[put.number : put.number + 3])


@kernel
def arrange(s, p):
    """Put the hand, the furniture and the object where the episode has them."""
    body = s.body
    for k in range(3):
        body.mocap_pos[0, k] = p.sheet.hand[k]
        body.qpos[k] = p.sheet.hand[k]
    _put(s, p, MOCAP)
    _put(s, p, COORDINATES)


@kernel
def begin(s, p, w):
    """Look at everything for the first time, as the last pass has it."""
    k, sheet = s.look, p.sheet
    for i in range(3):
        k.obj2[i] = k.mark3[i] = 0.0
    for i in range(SIGHT):
        s.sight[i] = 0.0
    k.angle, k.grip, k.touched = 0.0, 0.0, False
    gaze(s, p, w)
    locate(s, sheet.goal, k.goal)
    locate(s, sheet.start, k.obj0)
    locate(s, sheet.mark2, k.mark2)
    if sheet.tracked < 0:
        locate(s, sheet.mark, k.mark)
    for i in range(3):
        k.tcp0[i], k.hand0[i] = k.tcp[i], sheet.hand[i]
    k.begun = scaled(point(sheet.head), point(k.goal), 1.0, 2.0, 2.0)
    if p.reward == EARLY:
        k.begun = begin_early(sheet.task, k)
    for i in range(SIGHT):
        s.before[i] = s.sight[i]
    s.success = s.success_once = False


@kernel
def place(s, p, w):
    """Put everything to the places that are drawn, look at it."""
    s.body = p.start
    arrange(s, p)
    forward(p.model, s.body, w)
    begin(s, p, w)


@kernel
def reset(s, p, w):
    """Draw places, put everything there, look at it."""
    draw(s, p)
    place(s, p, w)


@kernel
def reset_varied(s, p, w):
    """As `reset`; masses, friction and damping are drawn first."""
    s.body = p.start
    vary(s, p)
    draw(s, p)
    arrange(s, p)
    forward(p.model, s.body, w)
    begin(s, p, w)


@kernel
def put_down(s, p):
    """Put the object, or a joint of the furniture, where the episode has it, at rest."""
    body, sheet, rests = s.body, p.sheet, p.sheet.moved == ARM_DOFS
    for i in range(PUTS):
        if sheet.puts[i].what == COORDINATES:
            place = body.qpos[sheet.puts[i].number : sheet.puts[i].number + 3]
            height, rests = place[2], True
            _put(s, p, COORDINATES)
            if sheet.level != 0:
                place[2] = height
            if sheet.upright != 0:
                turn = body.qpos[sheet.puts[i].number + 3 : sheet.puts[i].number + 7]
                turn[0], turn[1], turn[2], turn[3] = 1.0, 0.0, 0.0, 0.0
    if sheet.moved >= 0:
        body.qpos[sheet.moved] = sheet.moved_to
    if rests:
        for i in range(ARM_DOFS, min(ARM_DOFS + 6, p.model.nv)):
            body.qvel[i] = 0.0


@kernel
def reset_with_arm(s, p, w):
    """As `reset`; the arm settles before the object is put down, as in the original."""
    s.body = p.start
    body, sheet, k = s.body, p.sheet, s.look
    draw(s, p)
    for i in range(3):
        body.mocap_pos[0, i] = sheet.hand[i]
    _put(s, p, MOCAP)
    press(s, -1.0)
    for _ in range(SETTLING * p.frame_skip):
        advance(p.model, body, w)
    gaze(s, p, w)
    tcp, mark = point(k.tcp), point(k.mark)
    put_down(s, p)
    if sheet.early == 0:
        forward(p.model, body, w)
    begin(s, p, w)
    k.tcp0[0], k.tcp0[1], k.tcp0[2] = tcp
    if sheet.tracked >= 0 and p.reward != EARLY:
        k.begun = scaled(mark, point(k.goal), 1.0, 2.0, 2.0)
    if sheet.level == LEVEL_GOAL:
        k.goal[2] = k.obj0[2]

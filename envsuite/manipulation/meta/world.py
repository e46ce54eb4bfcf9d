"""Meta-World's fifty tasks (McLean et al. 2025, metaworld 3.1.1): rules on one record, and the world."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import Between, Block, Record, Vector, field, kernel, rng
from envsuite.core.jit import records
from envsuite.manipulation.meta.choosing import one_of
from envsuite.manipulation.meta.early import begin, pay_early
from envsuite.manipulation.meta.look import Look
from envsuite.manipulation.meta.original import as_original
from envsuite.manipulation.meta.places import BY_TIPS, RADII, reward_of
from envsuite.manipulation.meta.scenes import sawyer
from envsuite.manipulation.meta.scenes.parts import SIZE
from envsuite.manipulation.meta.shaping import apart, flat, point, scaled
from envsuite.manipulation.meta.sheets import (
    COORDINATES,
    LEVEL_GOAL,
    MOCAP,
    PUTS,
    SCIPY,
    SECOND,
    SEEN,
    UNTURNED,
    WXYZ,
    XYZW,
    Sheet,
    sheet_of,
)
from envsuite.manipulation.meta.tasks import NAMES, TASKS, Task
from envsuite.manipulation.meta.variation import (
    TOLD,
    MetaRandom,
    Variation,
    draw_variant,
    sized,
    tell_variation,
    vary,
)
from envsuite.manipulation.meta.wordings import COUNT
from envsuite.rigid import Compiled, compile_scene, initial
from envsuite.rigid.integrate import forward
from envsuite.rigid.integrate import step as advance
from envsuite.rigid.sampler import chosen_ranges, with_privileged
from envsuite.rigid.spatial import rotate
from envsuite.rigid.world import Bodies, BodiesWorld, BodyState, loops_of

STEP = 0.01  # m, of the hand's place in one step at a full action
SUBSTEPS = 5
ARM_DOFS = 9  # joints of the original's arm and fingers; those after them are put to rest in each episode
SETTLING = 50  # steps in which the original's arm settles before an episode
SIGHT = 18  # numbers seen at one moment
GOAL = slice(2 * SIGHT, 2 * SIGHT + 3)
"""Where the goal stands in an observation."""

HAND_LOW, HAND_HIGH = (-0.525, 0.348, -0.0525), (0.525, 1.025, 0.7)
"""Bounds of the observed hand, m."""

pay = one_of("meta_pay", [task.reward for task in TASKS.values()])
"""Kernel (task, look) that returns reward and success."""

REWARDS = ("v2", "v1", "sparse")
"""Names of the rewards; kernels know them by their places."""
_EARLY, _SPARSE = 1, 2

RewardName = Literal["v2", "v1", "sparse"]


class Params(Bodies):
    """The bodies, and the task."""

    sheet = field(type=Sheet)
    goal_hidden = field(type=np.uint8, meaning="whether zeros are observed in the goal's place")
    variation = field(type=Variation, meaning="how sizes, masses, friction, damping and the camera vary")
    reward = field(type=np.int32, meaning="0 v2, 1 v1, 2 success")


class State(BodyState):
    """One instance."""

    look = field(type=Look, meaning="what rewards are told")
    drawn = field(unit="m", shape=(2, 3), meaning="places drawn for this episode")
    sight = field(shape=SIGHT, meaning="what is observed of this moment")
    before = field(shape=SIGHT, meaning="and of the step before")
    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")


class _Varied(Record):
    """What was drawn; it stands first, since no record may be the beginning of another."""

    level = field(type=np.int32, meaning="the episode's variant")
    friction = field(meaning="drawn factor")
    damping = field(meaning="drawn factor")


class VariedState(_Varied, State):
    """One instance of a task that varies."""


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    object_to_goal = field(type=np.float64, unit="m", meaning="distance of the observed object from the goal")
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


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
def _arrange(s, p):
    """Put the hand, the furniture and the object where the episode has them."""
    body = s.body
    for k in range(3):
        body.mocap_pos[0, k] = p.sheet.hand[k]
        body.qpos[k] = p.sheet.hand[k]
    _put(s, p, MOCAP)
    _put(s, p, COORDINATES)


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
def see(p, w, site, out):
    """Write where a site is."""
    b = p.model.site_bodyid[site]
    x, y, z = rotate(w.xmat[b], p.model.site_pos[site])
    out[0], out[1], out[2] = w.xpos[b, 0] + x, w.xpos[b, 1] + y, w.xpos[b, 2] + z


@kernel
def _turn(p, w, site, order, out):
    """Write the orientation of a site's body as the task observes it."""
    q, sign = w.xquat[p.model.site_bodyid[site]], 1.0
    if order == SCIPY:
        largest = 0.0
        for k in range(4):
            if abs(q[k]) > largest:
                largest, sign = abs(q[k]), 1.0 if q[k] > 0 else -1.0
    for k in range(4):
        if order in (XYZW, SCIPY):
            out[k] = sign * q[(k + 1) % 4]
        else:
            out[k] = q[k] if order == WXYZ else 1.0 if order == UNTURNED and k == 0 else 0.0


@kernel
def _pads_touch(p, w):
    """Whether both pads press what the reward asks about."""
    sheet, right, left = p.sheet, False, False
    for c in range(w.ncon):
        row, pair = w.con_row[c], w.con_pair[c]
        if row >= 0 and w.efc_force[row] > 0.0:
            one, two = p.model.pair_geom1[pair], p.model.pair_geom2[pair]
            if sheet.held in (one, two):
                right = right or sheet.pads[0] in (one, two)
                left = left or sheet.pads[1] in (one, two)
    return right and left


@kernel
def _gaze(s, p, w):
    """Take from the last pass what is observed and what the reward is told."""
    k, sheet, sight = s.look, p.sheet, s.sight
    see(p, w, sheet.fingers[0], k.right)  # tips first: pads take their place
    see(p, w, sheet.fingers[2], k.left)
    hand, right, left = sheet.bodies[0], sheet.bodies[1], sheet.bodies[2]
    span = min(max(apart(point(w.xpos[right]), point(w.xpos[left])) / 0.1, 0.0), 1.0)
    for i in range(3):
        k.tcp[i] = 0.5 * (k.right[i] + k.left[i])
        k.hand[i] = min(max(w.xpos[hand, i], HAND_LOW[i]), HAND_HIGH[i])
        sight[i] = k.hand[i]
    k.opening = sight[3] = span
    see(p, w, sheet.fingers[1], k.right)
    see(p, w, sheet.fingers[3], k.left)
    see(p, w, sheet.site, k.obj)
    _turn(p, w, sheet.site, sheet.quat, k.quat)
    if sheet.site2 >= 0:
        see(p, w, sheet.site2, k.obj2)
        _turn(p, w, sheet.site2, sheet.quat2, sight[14:18])
    for i in range(3):
        sight[4 + i], sight[11 + i] = k.obj[i], k.obj2[i]
    for i in range(4):
        sight[7 + i] = k.quat[i]
    if sheet.tracked >= 0:
        see(p, w, sheet.tracked, k.mark)
    if sheet.tracked3 >= 0:
        see(p, w, sheet.tracked3, k.mark3)
    if sheet.joint >= 0:
        k.angle = s.body.qpos[sheet.joint]
    if sheet.held >= 0:
        k.touched = _pads_touch(p, w)


@kernel
def reset(s, p, w):
    """Draw places, put everything there, look at it."""
    draw(s, p)
    place(s, p, w)


@kernel
def place(s, p, w):
    """Put everything to the places that are drawn, look at it."""
    s.body = p.start
    _arrange(s, p)
    forward(p.model, s.body, w)
    _begin(s, p, w)


@kernel
def _begin(s, p, w):
    """Look at everything for the first time, as the last pass has it."""
    k, sheet = s.look, p.sheet
    for i in range(3):
        k.obj2[i] = k.mark3[i] = 0.0
    for i in range(SIGHT):
        s.sight[i] = 0.0
    k.angle, k.grip, k.touched = 0.0, 0.0, False
    _gaze(s, p, w)
    locate(s, sheet.goal, k.goal)
    locate(s, sheet.start, k.obj0)
    locate(s, sheet.mark2, k.mark2)
    if sheet.tracked < 0:
        locate(s, sheet.mark, k.mark)
    for i in range(3):
        k.tcp0[i], k.hand0[i] = k.tcp[i], sheet.hand[i]
    k.begun = scaled(point(sheet.head), point(k.goal), 1.0, 2.0, 2.0)
    if p.reward == _EARLY:
        k.begun = begin(sheet.task, k)
    for i in range(SIGHT):
        s.before[i] = s.sight[i]
    s.success = s.success_once = False


@kernel
def step(s, p, w, action):
    """Move the place that the hand is held to, let the fingers press, and look; only the horizon ends an episode."""
    for i in range(3):
        _send(s, p, i, STEP * action[i])
    _press(s, np.float64(action[3]))
    for _ in range(p.frame_skip):
        advance(p.model, s.body, w)
    return _judged(s, p, w)


@kernel
def _send(s, p, axis, way):
    """Move the place that the hand is held to along an axis, in m."""
    sheet, place = p.sheet, s.body.mocap_pos[0]
    place[axis] = min(max(place[axis] + way, sheet.reach_low[axis]), sheet.reach_high[axis])


@kernel
def _press(s, grip):
    """Let the fingers press."""
    s.look.grip = grip
    s.body.ctrl[0], s.body.ctrl[1] = grip, -grip


@kernel
def _judged(s, p, w):
    """Look at what became of a step: reward, and that nothing ends."""
    sheet, k = p.sheet, s.look
    for i in range(SIGHT):
        s.before[i] = s.sight[i]
    _gaze(s, p, w)
    if sheet.late != 0 and s.clock.step == 1 and p.reward != _EARLY:
        k.begun = apart(point(k.obj), point(k.goal))
    reward, done = pay(sheet.task, k)
    if p.reward == _EARLY:
        see(p, w, sheet.fingers[2], k.left)
        reward = pay_early(sheet.task, k)
    elif p.reward == _SPARSE:
        reward = 1.0 if done else 0.0
    s.success = done
    s.success_once = s.success_once or done
    return reward, False


@kernel
def _put_down(s, p):
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
    _press(s, -1.0)
    for _ in range(SETTLING * p.frame_skip):
        advance(p.model, body, w)
    _gaze(s, p, w)
    tcp, mark = point(k.tcp), point(k.mark)
    _put_down(s, p)
    if sheet.early == 0:
        forward(p.model, body, w)
    _begin(s, p, w)
    k.tcp0[0], k.tcp0[1], k.tcp0[2] = tcp
    if sheet.tracked >= 0 and p.reward != _EARLY:
        k.begun = scaled(mark, point(k.goal), 1.0, 2.0, 2.0)
    if sheet.level == LEVEL_GOAL:
        k.goal[2] = k.obj0[2]


@kernel
def step_with_arm(s, p, w, action):
    """As `step`; what is seen is as it is after the last step of physics, not before it."""
    for i in range(3):
        _send(s, p, i, np.float64(np.float32(STEP) * np.float32(action[i])))
    _press(s, np.float64(action[3]))
    for _ in range(p.frame_skip):
        advance(p.model, s.body, w)
    forward(p.model, s.body, w)
    return _judged(s, p, w)


@kernel
def observe(s, p, observation):
    """This moment, the one before, the goal."""
    for i in range(SIGHT):
        observation[i], observation[SIGHT + i] = s.sight[i], s.before[i]
    for i in range(3):
        observation[2 * SIGHT + i] = 0.0 if p.goal_hidden != 0 else s.look.goal[i]


@kernel
def measure(s, info):
    """Write the metrics."""
    info.success, info.success_once = s.success, s.success_once
    info.object_to_goal = apart(point(s.look.obj), point(s.look.goal))
    info.overflow = s.body.overflow


def _moment(when: str) -> tuple[Block, ...]:
    return (
        Block(f"hand{when}", 3, HAND_LOW, HAND_HIGH, "m"),
        Block(f"fingers{when}", 1, -1, 1, meaning="1 is open"),
        Block(f"object{when}", 3, -np.inf, np.inf, "m"),
        Block(f"object's turn{when}", 4, -np.inf, np.inf, meaning="quaternion"),
        Block(f"second object{when}", 3, -np.inf, np.inf, "m"),
        Block(f"second object's turn{when}", 4, -np.inf, np.inf, meaning="quaternion"),
    )


@kernel
def reset_varied(s, p, w):
    """As `reset`; masses, friction and damping are drawn first."""
    s.body = p.start
    vary(s, p)
    draw(s, p)
    _arrange(s, p)
    forward(p.model, s.body, w)
    _begin(s, p, w)


@kernel
def measure_varied(s, p, info):
    """As `measure`, with what was drawn."""
    measure(s, info)
    tell_variation(s, p, info)


VARIED = loops_of(SIZE, reset_varied, step, observe, measure=measure_varied, draw_level=draw_variant)
WITH_ARM = loops_of(sawyer.SIZE, reset_with_arm, step_with_arm, observe, measure=measure)


def _complete(params: np.void, number: int, task: Task, compiled: Compiled, *, moved: bool = True) -> None:
    """Write what a task asks for.

    Args:
        params: record of `Params` with everything else.
        number: of the task.
        task: the task.
        compiled: its scene.
        moved: whether joints begin where the task has them, rather than after the arm has settled.
    """
    params["sheet"] = sheet_of(task, number, compiled)
    for joint, value in task.starts.items() if moved else ():
        params["start"]["qpos"][compiled.qposadr[joint]] = value


class MetaWorld(BodiesWorld):
    """A task of Meta-World: a hand with two fingers on a table.

    Args:
        task: its name.
        goal_observable: whether the goal is observed; zeros stand in its place otherwise, as in meta-learning suites.
        reward: ``"v2"``, from 0 to 10; ``"v1"``, that of the original's first version, see
            `envsuite.manipulation.meta.early`; ``"sparse"``, 1 in every step of success and else 0. Success stays as
            it is.
        compat: ``"metaworld"`` simulates the original's arm, furniture and starts, with what is wrong there (see
            README.md); None for the mended scenes without the arm.
        dynamics: ``"fixed"``; ``"training"`` draws sizes, masses, friction, damping and the place of the camera in
            every episode; ``"held_out"`` draws them from other ranges.
        ranges: (low, high), or (lowest, low, high, highest), by name, instead of those of `variation.MetaRandom`;
            training draws between low and high, held-out dynamics are beyond them.
        variants: where dynamics vary, how many sizes and cameras there are, of which each episode draws one.
        wording: which of the task's sentences agents are told, from 1; 0 for one that the seed chooses, and the next in
            each further episode.

    Raises:
        ValueError: an unknown range, or one that is none; dynamics that vary with ``compat``.
    """

    size = SIZE
    info_dtype = Info.dtype()
    loops = loops_of(SIZE, reset, step, observe, measure=measure)
    action = Vector(
        (
            *(Block(f"d{one}", 1, -1, 1, "cm", "of the hand's place") for one in "xyz"),
            Block("grip", 1, -1, 1, meaning="1 closes"),
        ),
        out_of_range="clip",
    )

    def __init__(
        self,
        *,
        task: Literal[NAMES] = "reach",  # ty: ignore[invalid-type-form]
        goal_observable: bool = True,
        reward: RewardName = "v2",
        compat: Literal["metaworld"] | None = None,
        dynamics: Literal["fixed", "training", "held_out"] = "fixed",
        ranges: Mapping[str, Sequence[float]] | None = None,
        variants: Annotated[int, Between(1, 1024)] = 32,
        wording: Annotated[int, Between(0, COUNT)] = 1,
    ):
        if compat and dynamics != "fixed":
            raise ValueError(f"dynamics is {dynamics!r}, expected 'fixed' where compat is {compat!r}")
        self.task, self.wording, chosen = task, wording, TASKS[task]
        if compat == "metaworld":
            chosen, self.size, self.loops = as_original(task), sawyer.SIZE, WITH_ARM
        action = self.action
        values: dict[str, Any] = {
            "frame_skip": SUBSTEPS,
            "goal_hidden": not goal_observable,
            "reward": REWARDS.index(reward),
        }
        self.set_up(chosen.scene, Params, State if dynamics == "fixed" else VariedState, **values)
        self.action = action
        if dynamics == "fixed":
            chosen_ranges(dynamics, ranges, MetaRandom.fields, {})
            _complete(self.params[0], NAMES.index(task), chosen, self.compiled, moved=compat is None)
        else:
            self.loops, self.info_dtype = VARIED, with_privileged(self.info_dtype, len(TOLD))
            made = [
                self._variant(one, variation=record, **values)
                for one, record in sized(task, dynamics, ranges, variants)
            ]
            self.params = records(np.concatenate(made))
        goal = Block("goal", 3, -np.inf, np.inf, "m")
        self.observation = Vector((*_moment(""), *_moment(" before"), goal), dtype=np.float64)

    def _variant(self, task: Task, **values: Any) -> np.ndarray:
        """The constants of a task of another size."""
        compiled = compile_scene(task.scene, size=SIZE)
        made = Params.make(sizes=compiled.sizes, model=compiled.model[0], start=initial(compiled)[0], **values)
        _complete(made[0], NAMES.index(self.task), task, compiled)
        return made

    def constants(self, state: np.void) -> np.void:
        """The constants that an instance's episode has.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return self.params[int(state["level"]) if len(self.params) > 1 else 0]

    def model_of(self, state: np.void) -> np.ndarray:
        """See `BodiesWorld.model_of`."""
        return records(np.array([self.constants(state)["model"]]))

    def _check_goals(self) -> None:
        if self.task not in RADII:
            raise ValueError(f"task is {self.task!r}, whose goal is no place; expected one of {', '.join(RADII)}")
        if (name := REWARDS[self.params[0]["reward"]]) != "sparse":
            raise ValueError(f"reward is {name!r}, expected 'sparse' for goals that change")
        if self.params[0]["goal_hidden"]:
            raise ValueError("goal_observable is False, expected True for goals that change")

    @property
    def goal_parts(self) -> dict[str, slice]:
        """Where the parts of a dictionary stand, see `envsuite.core.goals`.

        Raises:
            ValueError: the goal is no place, or is hidden, or rewards are not sparse.
        """
        self._check_goals()
        reached = slice(0, 3) if self.task in BY_TIPS else slice(4, 7)
        return {"observation": slice(0, 2 * SIGHT), "achieved_goal": reached, "desired_goal": GOAL}

    def achieved(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Where the object is, or in tasks of reaching the tips, which no observation holds; (..., 3), m.

        Args:
            observations: (..., 39).
            states: (...) records of the same moment.
        """
        return np.array(states["look"]["tcp"]) if self.task in BY_TIPS else observations[..., 4:7].copy()

    def compute_reward(self, achieved_goal, desired_goal, info=None) -> np.ndarray:
        """Sparse rewards of places for goals, for hindsight relabelling.

        Args:
            achieved_goal: m, (..., 3).
            desired_goal: m, (..., 3).
            info: not used.

        Returns:
            float64 (...).

        Raises:
            ValueError: see `goal_parts`; or places of another shape.
        """
        self._check_goals()
        return reward_of(achieved_goal, desired_goal, RADII[self.task])

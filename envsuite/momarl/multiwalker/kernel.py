"""The rules of multiwalker around the engine's step, the loops, and the world."""

import hashlib
from collections import OrderedDict
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import Between, Loops, Reward, World, kernel, rng
from envsuite.core.clock import begin_episode, tick
from envsuite.core.loops import reset_loop
from envsuite.momarl.multiwalker.engine import Engine, load_box2d
from envsuite.momarl.multiwalker.params import (
    CARRIERS,
    FACTOR,
    GAP,
    GOAL,
    LEG_LENGTH,
    LEG_TOP,
    LEVEL,
    PACKAGE,
    PAD,
    PUSH,
    SCALE,
    SPREAD,
    STEP,
    Params,
)
from envsuite.momarl.multiwalker.senses import observe
from envsuite.momarl.multiwalker.state import ACTION, OBSERVATION, PARTS, Info, State
from envsuite.momarl.world import named


@kernel
def reset(s, p):
    """Draw the ground and the first pushes; put everybody in place."""
    count, slope, height = len(s.fallen), 0.0, LEVEL
    for k in range(len(s.ground)):
        slope = 0.8 * slope + 0.01 * np.sign(LEVEL - height)
        if k > PAD:
            slope += rng.uniform(s.rng, rng.RESET, -1.0, 1.0) / SCALE
        height += slope
        s.ground[k] = height
    for k in range(s.actions.shape[0]):
        for n in range(count):
            for j in range(4):
                s.actions[k, n, j] = 0.0
    s.trace, s.dropped = 0, 0
    for n in range(count):
        s.push[n] = rng.uniform(s.rng, rng.RESET, -PUSH, PUSH)
        s.fallen[n], s.gone[n], s.terminated[n] = 0, 0, 0
        s.touch[n, 0], s.touch[n, 1] = 0, 0
        x, y = STEP * PAD / 2 + GAP * n * STEP, LEVEL + 2 * LEG_LENGTH
        put(s.body[PARTS * n], x, y, 0.0)
        for k in range(4):
            put(s.body[PARTS * n + 1 + k], x, y - LEG_TOP - LEG_LENGTH * (k % 2 + 0.5), SPREAD if k > 1 else -SPREAD)
    s.start = STEP * PAD / 2 + GAP * STEP * (count - 1) / 2
    put(s.body[PARTS * count], s.start, LEVEL + 3 * LEG_LENGTH, 0.0)
    s.place, s.tilt = s.body[PARTS * count, 0], 0.0


@kernel
def put(body, x, y, angle):
    """A body that does not move yet."""
    body[0], body[1], body[2] = x, y, angle
    for k in range(3, 6):
        body[k] = 0.0


@kernel
def _fine(p):
    """What a walker that falls pays: its own, and what losing costs too where the others go on."""
    return p.fall + (0.0 if p.terminate_on_fall != 0 else p.terminate)


@kernel
def _fallen(s, p):
    """Whether anybody lies, and the sum of what is to be paid for it in this step."""
    anybody, penalties = False, 0.0
    for n in range(len(s.fallen)):
        anybody = anybody or s.fallen[n] != 0
        if s.fallen[n] != 0 and (s.terminated[n] == 0 or p.compat != 0):
            penalties += _fine(p)
    return anybody, penalties


@kernel
def settle(s, p, horizon, rewards, terminated, truncated):
    """Rewards and ends after the engine's step."""
    count = len(s.fallen)
    box = s.body[PARTS * count]
    x, tilt = np.float64(box[0]), np.float64(box[2])
    carried, tipped = p.forward * FACTOR * (x - s.place), -abs(tilt - s.tilt)
    s.place, s.tilt = x, tilt
    any_fallen, penalties = _fallen(s, p)
    lost = (p.terminate_on_fall != 0 and any_fallen) or s.dropped != 0 or x < 0.0
    over = lost or x > p.goal
    late = s.clock.step >= p.cycles or (horizon > 0 and np.int64(s.clock.step) >= horizon)
    every = True
    for n in range(count):
        own = penalties / count
        if p.shared == 0:
            own = _fine(p) if s.fallen[n] != 0 else 0.0
        own += p.terminate if lost else 0.0
        if s.terminated[n] != 0:
            rewards[n, 0], rewards[n, 1], truncated[n] = 0.0, 0.0, False
        else:
            rewards[n, 0], rewards[n, 1] = carried + own, tipped + own
            s.terminated[n] = over or s.fallen[n] != 0
            truncated[n] = late
        terminated[n] = s.terminated[n] != 0
        every = every and (terminated[n] or truncated[n])
        if s.fallen[n] != 0 and p.remove_on_fall != 0:
            s.gone[n] = 1
    s.clock.done = every


@kernel
def judge_batch(states, params, restart, horizon, observations, rewards, terminated, truncated, info, start, stop):
    """What follows the engine's step in every instance of [start, stop), or a new episode where `restart` is set."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        if restart[i]:
            begin_episode(s.clock, s.rng)
            reset(s, p)
            for n in range(rewards.shape[1]):
                rewards[i, n, 0], rewards[i, n, 1] = 0.0, 0.0
                terminated[i, n], truncated[i, n] = False, False
            observe(s, p, observations[i], info[i])
        else:
            tick(s.clock)
            observe(s, p, observations[i], info[i])
            settle(s, p, horizon, rewards[i], terminated[i], truncated[i])


RESET = reset_loop(reset, observe)
"""Engines are made by the first step."""


class MultiwalkerWorld(World):
    """Walkers with two legs carry a package that lies on all of them, on Box2D.

    Engines are kept beside the records, found by what has happened to a record; where there is none, as after a
    snapshot is restored, one is made and repeats the episode's actions, which takes as long as they took.

    Args:
        n_walkers: how many.
        position_noise: standard deviation of places of others in observations, package lengths.
        angle_noise: likewise of the package's angle, rad.
        forward_reward: factor of the first objective.
        terminate_reward: of all, in both objectives, where the package or (see `terminate_on_fall`) a walker falls.
        fall_reward: of a walker that falls, in both objectives.
        shared_reward: all get the mean of what each would get alone.
        terminate_on_fall: the episode ends for all when a walker falls; else for this one only, which also pays
            `terminate_reward`.
        remove_on_fall: walkers that have fallen are taken away.
        terrain_length: points of the ground.
        max_cycles: steps after which an episode is cut off.
        compat: ``"momaland-0.2"``: walkers that have fallen pay again in every step, and a lower leg that touches two
            things touches none once it leaves one.

    Raises:
        ModuleNotFoundError: Box2D is not installed.
        ValueError: the ground is too short for so many walkers.
    """

    info_dtype = Info.dtype(np.float32)
    action, observation = ACTION, OBSERVATION
    reward = Reward(("progress", "stability"))

    def __init__(
        self,
        *,
        n_walkers: Annotated[int, Between(1, 20)] = 3,
        position_noise: Annotated[float, Between(0, 10)] = 1e-3,
        angle_noise: Annotated[float, Between(0, 10)] = 1e-3,
        forward_reward: Annotated[float, Between(0, 1e3)] = 1.0,
        terminate_reward: Annotated[float, Between(-1e4, 0)] = -100.0,
        fall_reward: Annotated[float, Between(-1e4, 0)] = -10.0,
        shared_reward: bool = True,
        terminate_on_fall: bool = True,
        remove_on_fall: bool = True,
        terrain_length: Annotated[int, Between(1, 10_000)] = 200,
        max_cycles: Annotated[int, Between(1, 5000)] = 500,
        compat: Literal["momaland-0.2"] | None = None,
    ):
        load_box2d()  # so that it is missed here, not in the first step
        least = PAD + GAP * n_walkers + GOAL
        if terrain_length < least:
            raise ValueError(f"terrain_length is {terrain_length}, expected a whole number from {least} to 10000")
        self.params = Params.make(
            position_noise=position_noise,
            angle_noise=angle_noise,
            forward=forward_reward,
            terminate=terminate_reward,
            fall=fall_reward,
            package=PACKAGE[0] * n_walkers / CARRIERS,
            goal=(terrain_length - GOAL) * STEP,
            cycles=max_cycles,
            shared=shared_reward,
            terminate_on_fall=terminate_on_fall,
            remove_on_fall=remove_on_fall,
            compat=compat is not None,
        )
        self.agents = named("walker", n_walkers)
        self.state_dtype = State.dtype(
            ground=terrain_length, walkers=n_walkers, cycles=max_cycles, bodies=PARTS * n_walkers + 1
        )
        self._engines: OrderedDict[int, list[Engine]] = OrderedDict()  # equal records have one each

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engines": OrderedDict()}

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """A step is the engine's."""
        return Loops(RESET, self._step_batch)

    def _step_batch(
        self, states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
    ) -> None:
        """One step of the instances in [start, stop) by the engine; where `restart` is set, a new episode instead."""
        for i in range(start, stop):
            if restart[i]:
                self._taken(states[i])
            else:
                self._advance(states[i], actions[i])
        spare = sum(map(len, self._engines.values())) - max(16, 2 * len(states))
        while spare > 0:  # of records that nobody steps any more
            spare -= len(self._engines.popitem(last=False)[1])
        judge_batch(states, params, restart, horizon, observations, rewards, terminated, truncated, info, start, stop)

    def _advance(self, s, actions: np.ndarray) -> None:
        """The engine's part of a step."""
        now = int(s["clock"]["step"])
        engine = self._taken(s) if now else None
        if engine is None:
            p = self.params[0]
            engine = Engine(s["ground"], s["push"], remove=bool(p["remove_on_fall"]), latch=bool(p["compat"]))
            for row in s["actions"][:now]:
                engine.step(row)
        row = s["actions"][now]
        row[:] = actions
        if now and s["terminated"].any():  # their motors stay as they are
            row[s["terminated"] != 0] = s["actions"][now - 1][s["terminated"] != 0]
        engine.step(row)
        engine.read(s)
        past = s["trace"].tobytes() if now else s["ground"].tobytes() + s["push"].tobytes()
        trace = int.from_bytes(hashlib.blake2b(past + row.tobytes(), digest_size=8).digest(), "little")
        s["trace"] = trace
        self._engines.setdefault(trace, []).append(engine)

    def _taken(self, s) -> Engine | None:
        """An engine in the state of a record, no longer kept; None where there is none."""
        kept = self._engines.get(int(s["trace"]))
        if kept is None:
            return None
        engine = kept.pop()
        if not kept:
            del self._engines[int(s["trace"])]
        return engine

    def close(self) -> None:
        """Free the engines; the next step makes new ones."""
        self._engines.clear()

"""Small tasks whose best returns are known, in plain NumPy: nothing is compiled for them."""

import functools

import gymnasium
import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.clock import CLOCK
from envsuite.core.companions import Pictures, Players, Words
from envsuite.core.layout import Block, Choice, Choices, Vector
from envsuite.core.loops import Loops
from envsuite.core.rng import STREAM
from envsuite.core.world import Reward, World
from envsuite.manipulation.graphs import GraphLayout, Nodes
from envsuite.registry import register

BITS = np.uint64(0x9E3779B97F4A7C15)


def uniform(s: np.ndarray, purpose: int, size: int) -> np.ndarray:
    """(n, size) numbers in [0, 1) that depend on each record's key, episode and step (SplitMix64)."""
    key = s["rng"]["key"].astype(np.uint64)
    place = s["rng"]["episode"].astype(np.uint64) * np.uint64(100_003) + s["clock"]["step"] + np.uint64(purpose << 40)
    z = (
        (key[:, :1] << np.uint64(32))
        + key[:, 1:]
        + (place[:, None] * np.uint64(64) + np.arange(size, dtype=np.uint64)) * BITS
    )
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return (z ^ (z >> np.uint64(31))) / 2.0**64


class Small(World):
    """A task of array operations: `begin`, `move` and `look` are given the records of some instances."""

    fields: tuple = ()
    info_fields: tuple = (("mark", np.float32),)

    def __init__(self):
        own = (("clock", CLOCK), ("rng", STREAM), *self.fields)
        self.state_dtype = np.dtype(list(own), align=True)
        self.info_dtype = np.dtype(list(self.info_fields), align=True)
        self.params = np.zeros(1, np.dtype([("none", np.float64)]))

    def begin(self, s):
        raise NotImplementedError

    def move(self, s, actions):
        raise NotImplementedError

    def look(self, s, observations, info):
        raise NotImplementedError

    def _restart(self, states, where):
        s = states[where]
        s["clock"]["step"] = 0
        s["clock"]["done"] = 0
        s["rng"]["episode"] += 1
        self.begin(s)
        states[where] = s

    @property
    def loops(self):
        return Loops(self._reset, self._step)

    def _reset(self, states, params, mask, observations, info, start, stop):
        where = np.flatnonzero(mask[start:stop]) + start
        self._restart(states, where)
        seen, told = observations[where], np.zeros_like(info[where])
        self.look(states[where], seen, told)
        observations[where], info[where] = seen, told

    def _step(
        self, states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
    ):
        part = slice(start, stop)
        with np.errstate(all="ignore"):
            s = states[part]
            s["clock"]["step"] += 1
            rewards[part], ended = self.move(s, actions[part])
        late = (s["clock"]["step"] >= horizon) if horizon else np.zeros(len(s), np.bool_)
        wide = (slice(None),) + (np.newaxis,) * (terminated.ndim - 1)
        terminated[part], truncated[part] = ended[wide], late[wide]
        s["clock"]["done"] = ended | late
        where = np.flatnonzero(restart[part]) + start
        if len(where):
            self._restart(states, where)
            rewards[where], terminated[where], truncated[where] = 0.0, False, False
        info[part] = np.zeros((), self.info_dtype)
        self.look(states[part], observations[part], info[part])

    def shade(self, state):
        return state["clock"]["step"] % 2


class SmallPictures(Pictures):
    def draw(self, state, size):
        frame = np.zeros((size[1], size[0], 3), np.uint8)
        frame[:, : size[0] // 2] = 255 * np.uint8(self.world.shade(state))
        return frame


class SmallWords(Words):
    def describe(self, state, agent=0):
        return f"{state} {self.instructions(state, agent)}"


class Pole(Small):
    """Gymnasium's CartPole-v1."""

    fields = (("x", np.float64, (4,)),)
    observation = Vector((Block("state", 4, -1e3, 1e3),))
    action = Choice(("left", "right"))

    def begin(self, s):
        s["x"] = uniform(s, 0, 4) * 0.1 - 0.05

    def move(self, s, actions):
        x, v, a, w = s["x"].T
        force = np.where(actions == 1, 10.0, -10.0)
        sine, cosine = np.sin(a), np.cos(a)
        push = (force + 0.05 * np.square(w) * sine) / 1.1
        spin = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * np.square(cosine) / 1.1))
        go = push - 0.05 * spin * cosine / 1.1
        s["x"] = np.stack([x + 0.02 * v, v + 0.02 * go, a + 0.02 * w, w + 0.02 * spin], 1)
        return 1.0, (np.abs(s["x"][:, 0]) > 2.4) | (np.abs(s["x"][:, 2]) > 12 * 2 * np.pi / 360)

    def look(self, s, observations, info):
        observations[:] = s["x"]


class Pendulum(Small):
    """Gymnasium's Pendulum-v1."""

    fields = (("x", np.float64, (2,)),)
    observation = Vector((Block("direction", 2, -1, 1), Block("speed", 1, -8, 8)))
    action = Vector((Block("torque", 1, -2, 2),))

    def begin(self, s):
        s["x"] = (uniform(s, 0, 2) * 2 - 1) * [np.pi, 1.0]

    def move(self, s, actions):
        angle, speed = s["x"].T
        torque = actions[:, 0].astype(np.float64)
        wrapped = (angle + np.pi) % (2 * np.pi) - np.pi
        cost = wrapped**2 + 0.1 * speed**2 + 0.001 * torque**2
        speed = np.clip(speed + (15.0 * np.sin(angle) + 3.0 * torque) * 0.05, -8, 8)
        s["x"] = np.stack([angle + speed * 0.05, speed], 1)
        return -cost, np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        angle, speed = s["x"].T
        observations[:] = np.stack([np.cos(angle), np.sin(angle), speed], 1)


class Glider(Small):
    """A mass on a line to be brought to rest at 0, by pushes in [-1, 1]; the cost is its squared distance and speed."""

    fields = (("x", np.float64, (2,)),)
    observation = Vector((Block("state", 2, -10, 10),))
    action = Vector((Block("push", 1, -1, 1),))

    def begin(self, s):
        s["x"] = uniform(s, 0, 2) * 2 - 1

    def move(self, s, actions):
        place, speed = s["x"].T
        speed = np.clip(speed + 0.2 * actions[:, 0], -3, 3)
        s["x"] = np.stack([np.clip(place + 0.2 * speed, -5, 5), speed], 1)
        return -(s["x"][:, 0] ** 2) - 0.1 * speed**2, np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:] = s["x"]


class GliderPlayers(Players):
    def expert(self):
        return Feedback(lambda seen: -(seen @ np.array([[1.5], [2.0]])))


class Reach(Small):
    """A point in the plane to be brought to a place that it is told; 1 at the place, where it ends. 30 steps."""

    fields = (("place", np.float64, (2,)), ("goal", np.float64, (2,)))
    info_fields = (("is_success", np.bool_), ("task", np.int64))
    observation = Vector((Block("position", 2, -2, 2), Block("desired goal", 2, -2, 2)))
    action = Vector((Block("push", 2, -1, 1),))
    least = 0.0

    def begin(self, s):
        s["place"], s["goal"] = uniform(s, 0, 2) * 2 - 1, uniform(s, 1, 2) * 2 - 1

    def move(self, s, actions):
        s["place"] = np.clip(s["place"] + 0.2 * actions, -2, 2)
        reached = np.linalg.norm(s["place"] - s["goal"], axis=1) < 0.2
        return self.least + reached, reached

    def look(self, s, observations, info):
        observations[:] = np.concatenate([s["place"], s["goal"]], 1)
        info["is_success"] = np.linalg.norm(s["place"] - s["goal"], axis=1) < 0.2
        info["task"] = s["goal"][:, 0] > 0

    graph = GraphLayout({"object": Nodes("desired goal"), "actuator": Nodes("position")}, (), axes=2)
    goal_parts = {"observation": slice(0, 2), "achieved_goal": slice(0, 2), "desired_goal": slice(2, 4)}

    def compute_reward(self, achieved_goal, desired_goal, info=None):
        return self.least + (np.linalg.norm(achieved_goal - desired_goal, axis=-1) < 0.2)


class CostlyReach(Reach):
    """The same; each step costs 1 but for the one that reaches the place."""

    least = -1.0


class Hinted(Reach):
    """The same with a hint between place and goal, which an option leaves out; another one changes it."""

    def __init__(self, hint: bool = True, far: float = 2.0):
        super().__init__()
        blocks = Block("position", 2, -2, 2), Block("hint", 1, -far, far), Block("desired goal", 2, -2, 2)
        self._hint = hint
        self.observation = Vector(blocks if hint else (blocks[0], blocks[2]))

    def look(self, s, observations, info):
        hint = np.ones((len(s), int(self._hint)))
        observations[:] = np.concatenate([s["place"], hint, s["goal"]], 1)
        info["is_success"] = np.linalg.norm(s["place"] - s["goal"], axis=1) < 0.2
        info["task"] = s["goal"][:, 0] > 0


class ReachPlayers(Players):
    def expert(self):
        return Feedback(lambda seen: 5 * (seen[:, 2:] - seen[:, :2]))


class Feedback:
    """A reference policy: a function of the observation, clipped to [-1, 1]."""

    def __init__(self, law):
        self._law = law

    def reset(self, mask, seeds):
        pass

    def act(self, observations, states):
        return np.clip(self._law(observations), -1, 1).astype(np.float32)


class Locks(Small):
    """Two choices at once; the wanted pair is shown, and one alternative of the first is forbidden each step.

    The wanted alternative is sometimes the forbidden one: then the one after it is right. 8 steps, best return 8.
    Whoever chooses what is forbidden gets -10.
    """

    fields = (("wanted", np.int64, (2,)), ("forbidden", np.int64), ("illegal", np.int64))
    info_fields = (("action_mask", np.bool_, (5,)), ("illegal", np.float32))
    observation = Vector((Block("first", 3, 0, 1), Block("second", 2, 0, 1), Block("action_mask", 5, 0, 1)))
    action = Choices((("first", ("a", "b", "c")), ("second", ("d", "e"))))

    def begin(self, s):
        s["illegal"] = 0
        self._ask(s)

    def _ask(self, s):
        drawn = uniform(s, 0, 3)
        s["wanted"] = (drawn[:, :2] * [3, 2]).astype(np.int64)
        s["forbidden"] = (drawn[:, 2] * 3).astype(np.int64)

    def move(self, s, actions):
        right = (s["wanted"][:, 0] + (s["wanted"][:, 0] == s["forbidden"])) % 3
        illegal = actions[:, 0] == s["forbidden"]
        s["illegal"] += illegal
        reward = ((actions[:, 0] == right) & (actions[:, 1] == s["wanted"][:, 1])) - 10.0 * illegal
        self._ask(s)
        return reward, np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        rows = np.arange(len(s))
        mask = np.ones((len(s), 5), np.bool_)
        mask[rows, s["forbidden"]] = False
        observations[:] = 0.0
        observations[rows, s["wanted"][:, 0]] = 1.0
        observations[rows, 3 + s["wanted"][:, 1]] = 1.0
        observations[:, 5:] = mask
        info["action_mask"] = mask
        info["illegal"] = s["illegal"]


class LocksPlayers(Players):
    def expert(self):
        return Locksmith()


class Locksmith:
    """Does what is right in `Locks`, by its state."""

    def reset(self, mask, seeds):
        pass

    def act(self, observations, states):
        wanted = states["wanted"]
        first = (wanted[:, 0] + (wanted[:, 0] == states["forbidden"])) % 3
        return np.stack([first, wanted[:, 1]], 1)


class Recall(Small):
    """A cue is seen at the first of 5 steps; the choice at the last must be the same. Without memory: 0 on average."""

    fields = (("cue", np.int64),)
    observation = Vector((Block("cue", 1, -1, 1), Block("last", 1, 0, 1)))
    action = Choice(("minus", "plus"))

    def begin(self, s):
        s["cue"] = uniform(s, 0, 1)[:, 0] < 0.5

    def move(self, s, actions):
        last = s["clock"]["step"] == 5
        return np.where(last, np.where(actions == s["cue"], 1.0, -1.0), 0.0), last

    def look(self, s, observations, info):
        observations[:, 0] = np.where(s["clock"]["step"] == 0, 2.0 * s["cue"] - 1.0, 0.0)
        observations[:, 1] = s["clock"]["step"] == 4


class Errand(Small):
    """One of three colours is named, and two or three commands are possible: fetch that colour. 6 steps, best return 6.

    Who chooses at random gets 2.5.
    """

    fields = (("wanted", np.int64), ("order", np.int64, (3,)), ("count", np.int64))
    info_fields = (("action_mask", np.bool_, (3,)),)
    observation = Vector((Block("action_mask", 3, 0, 1),))
    action = Choice(("first", "second", "third"))

    def begin(self, s):
        drawn = uniform(s, 0, 5)
        s["order"] = drawn[:, :3].argsort(1)
        s["count"] = 2 + (drawn[:, 3] < 0.5)
        s["wanted"] = s["order"][np.arange(len(s)), (drawn[:, 4] * s["count"]).astype(np.int64)]

    def move(self, s, actions):
        right = s["order"][np.arange(len(s)), actions] == s["wanted"]
        self.begin(s)
        return right * 1.0, np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        info["action_mask"] = np.arange(3) < s["count"][:, None]
        observations[:] = info["action_mask"]


COLOURS = ("red", "green", "blue")


class ErrandWords(SmallWords):
    vocabulary = ("", "somebody", "wants", "fetch", *COLOURS)
    token_length = 4
    command_shape = (3, 2)

    def describe(self, state, agent=0):
        return f"Somebody wants {COLOURS[state['wanted']]}. {self.instructions(state, agent)}"

    def answers(self, state, agent=0):
        return [COLOURS[k] for k in state["order"][: state["count"]]]

    def parse(self, text, state, agent=0):
        return self.answers(state).index(text)

    def write_tokens(self, states, out):
        out[:] = 0
        out[:, :3] = np.stack([np.full(len(states), 1), np.full(len(states), 2), 4 + states["wanted"]], 1)
        if out.shape[1] > 4:
            listed = np.arange(3) < states["count"][:, None]
            out[:, 4::2], out[:, 5::2] = 3 * listed, (4 + states["order"]) * listed


class Look(Small):
    """An image of 10 x 10 bytes with a bright left or right half; choose that half, 4 times."""

    fields = (("side", np.int64),)
    observation = Vector((Block("pixels", 100, 0, 255),), np.uint8, (10, 10, 1))
    action = Choice(("left", "right"))

    def begin(self, s):
        s["side"] = uniform(s, 0, 1)[:, 0] < 0.5

    def move(self, s, actions):
        reward = np.where(actions == s["side"], 1.0, 0.0)
        s["side"] = uniform(s, 0, 1)[:, 0] < 0.5
        return reward, np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:] = 0
        observations[s["side"] == 0, :, :5] = 200
        observations[s["side"] == 1, :, 5:] = 200

    def shade(self, state):
        return state["side"]


class Guess(Small):
    """Two players; each sees a number of 3 and names one. Reward: own hits minus the other's. Best against random: 2/3
    a step, over 6 steps."""

    fields = (("shown", np.int64, (2,)),)
    observation = Vector((Block("shown", 3, 0, 1),))
    action = Choice(("a", "b", "c"))
    agents = ("left", "right")

    def begin(self, s):
        s["shown"] = (uniform(s, 0, 2) * 3).astype(np.int64)

    def move(self, s, actions):
        hit = (actions == s["shown"]).astype(np.float64)
        self.begin(s)
        return hit - hit[:, ::-1], np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:] = s["shown"][:, :, None] == np.arange(3)


class Throw(Small):
    """Two players show rock, paper or scissors at once. Rock beats scissors with probability 0.9, these paper with
    0.7, that rock with 0.6; the other one wins else."""

    payoff = np.array([[0.0, -0.2, 0.8], [0.2, 0.0, -0.4], [-0.8, 0.4, 0.0]])  # equilibrium (2, 4, 1) / 7
    observation = Vector((Block("one", 1, 0, 1),))
    action = Choice(("rock", "paper", "scissors"))
    agents = ("left", "right")

    def begin(self, s):
        pass

    def move(self, s, actions):
        odds = (1 + self.payoff[actions[:, 0], actions[:, 1]]) / 2
        won = np.where(uniform(s, 0, 1)[:, 0] < odds, 1.0, -1.0)
        return np.stack([won, -won], 1), np.ones(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:], info["mark"] = 1.0, 0.0


class Trade(Small):
    """Two agents, two objectives; choice 0 gives (1, 0), choice 1 (0, 1), choice 2 (0.6, 0.6) to the chooser."""

    observation = Vector((Block("one", 2, 0, 1),))
    action = Choice(("first", "second", "both"))
    agents = ("left", "right")
    reward = Reward(("gold", "time"))
    gains = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6]])

    def begin(self, s):
        pass

    def move(self, s, actions):
        return self.gains[actions], np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:] = 1.0


class Parity(Small):
    """Two agents see who is first (1, 0) or second; only if they choose differently, by it, do both get 1. 4 steps."""

    fields = (("flip", np.int64),)
    observation = Vector((Block("me", 2, 0, 1),))
    action = Choice(("a", "b"))
    agents = ("left", "right")

    def begin(self, s):
        s["flip"] = uniform(s, 0, 1)[:, 0] < 0.5

    def move(self, s, actions):
        good = (actions[:, 0] == 0) & (actions[:, 1] == 1)
        return np.repeat(good[:, None].astype(np.float64), 2, 1), np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:, 0], observations[:, 1] = (1, 0), (0, 1)


class ParityPlayers(Players):
    def expert(self):
        return InOrder()


class InOrder:
    """What `Parity` wants."""

    def reset(self, mask, seeds):
        pass

    def act(self, observations, states):
        return np.tile([0, 1], (len(states), 1))


class Steer(Small):
    """Two agents see a number and get one less for each unit that their own lies from it. 4 steps."""

    fields = (("goal", np.float64),)
    observation = Vector((Block("goal", 1, -1, 1),))
    action = Vector((Block("number", 1, -1, 1),))
    agents = ("left", "right")

    def begin(self, s):
        s["goal"] = 2 * uniform(s, 0, 1)[:, 0] - 1

    def move(self, s, actions):
        return -np.abs(actions[:, :, 0] - s["goal"][:, None]), np.zeros(len(s), np.bool_)

    def look(self, s, observations, info):
        observations[:, :, 0] = s["goal"][:, None]


HORIZONS = {
    **{"Pole": 500, "Pendulum": 200, "Glider": 50, "Locks": 8, "Recall": 5, "Look": 4, "Errand": 6},
    **dict.fromkeys(("Reach", "CostlyReach", "Hinted"), 30),
    **{"Guess": 6, "Throw": 2, "Trade": 3, "Parity": 4, "Steer": 4},
}


@functools.cache
def small(name: str, horizon: int = 0) -> str:
    """Register a task, with another time limit if wanted; its id."""
    world = globals()[name]
    env_id = f"small/{name}{horizon or ''}-v0"
    if env_id not in gymnasium.registry:
        where = f"{__name__}:{name}" if __name__ != "__main__" else name
        register(
            EnvCard(
                id=env_id,
                world=where,
                family="small",
                summary=world.__doc__ or "",
                source="tests",
                horizon=horizon or HORIZONS[name],
                agents=max(1, len(world.agents)),
                objectives=world.reward.objectives,
            )
        )
    return env_id

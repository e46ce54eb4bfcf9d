"""Sellers: the best one that knows the rules but not the buyer, and simple ones."""

import numpy as np

from envsuite.core import rng
from envsuite.core.companions import Players
from envsuite.core.jit import records
from envsuite.text_games.car_dealer.catalogue import FEATURES, PRICES, STEP
from envsuite.text_games.car_dealer.planning import Plan, Wish, prior
from envsuite.text_games.car_dealer.rules import ACCEPT, ASK_FEATURE, NEEDS, REJECT, THREATEN, msrp
from envsuite.text_games.car_dealer.world import ASK_BUDGET, ASK_NEEDS, HEADS, OFFER, TALK

HEAD_COUNT = len(HEADS)


class OptimalSeller:
    """Asks for the needs, and then offers what `Plan` finds best for the buyers that go with all replies.

    It plays from observations alone. It remembers what it has offered: where something else was done in its place, and
    no buyer goes with the replies any more, it begins anew with all who could still be there.

    Args:
        world: the simulator.
    """

    def __init__(self, world):
        self._mode, self._record = int(world.params[0]["mode"]), world.observation.record
        self._talks: list[_Talk | None] = []

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the buyers."""
        if len(self._talks) != len(mask):
            self._talks = [None] * len(mask)
        for k in np.flatnonzero(mask):
            self._talks[k] = None

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Turns, (n, heads)."""
        seen = np.ascontiguousarray(observations, np.float32).view(self._record).reshape(-1)
        return np.stack([self._turn(k, one) for k, one in enumerate(seen)])

    def _turn(self, k: int, one: np.void) -> np.ndarray:
        action, turn, reply = np.zeros(HEAD_COUNT, np.int64), int(one["turn"]), int(one["reply"].argmax())
        if turn and reply in (ACCEPT, REJECT):
            return action
        if turn == 0:
            self._talks[k] = None
        talk = self._talks[k]
        if talk is None:
            if turn == 0 or reply != NEEDS:
                action[0] = ASK_NEEDS
                return action
            talk = self._talks[k] = _Talk(one, self._mode)
        elif turn > talk.turn:
            talk.listen(reply, one)
        return offer(*talk.speak(turn))


class _Talk:
    """A plan and who is still possible.

    Args:
        one: the observation after the needs were told.
        mode: of reward.
    """

    def __init__(self, one: np.void, mode: int):
        wish = Wish(
            int(one["brand"].argmax()), int(one["kind"].argmax()), _bits(one["wanted"]), int(one["tone"].argmax())
        )
        hidden, weights = prior(wish.personality)
        self._plan, self._everybody = Plan(wish, hidden, weights, mode), np.arange(len(hidden))
        self._members, self._heard, self.turn = self._everybody, _bits(one["mentioned"]), int(one["turn"])
        self._offer: tuple[int, ...] | None = None

    def listen(self, reply: int, one: np.void) -> None:
        """Strike out who would have replied otherwise."""
        turn, amount = int(one["turn"]), _dollars(one["reply_amount"])
        if self._offer is not None:
            if reply == ASK_FEATURE:
                amount = int(np.flatnonzero((one["wanted"] > 0) & (one["mentioned"] == 0))[0])
            codes = self._plan.codes(self._offer, self._members, turn, self._heard)
            self._members = self._members[codes == reply * 1_000_000 + amount]
        self._heard = _bits(one["mentioned"])
        if not len(self._members):
            self._members = self._everybody[self._plan.hidden[:, 3] > turn]

    def speak(self, turn: int) -> tuple[int, ...]:
        """The best offer."""
        self._offer = self._plan.search(self._members, turn, self._heard)[1]
        self.turn = turn
        return self._offer


def _bits(flags: np.ndarray) -> int:
    return sum(1 << k for k in range(len(FEATURES)) if flags[k] > 0)


def _dollars(amount: np.float32) -> int:
    """An amount in an observation, of which buyers name hundreds and sellers steps."""
    return round(float(amount) * 1000) * 100


def offer(brand: int, kind: int, features: int, price: int) -> np.ndarray:
    """An offer as an action.

    Args:
        brand: index.
        kind: index.
        features: bits.
        price: dollars.
    """
    action = np.zeros(HEAD_COUNT, np.int64)
    action[:4] = OFFER, brand, kind, price // STEP
    action[5:] = [features >> k & 1 for k in range(HEAD_COUNT - 5)]
    return action


class SimpleSeller:
    """Asks for needs, then offers the wanted car at a share of its list price that changes from turn to turn.

    Args:
        world: the simulator.
        first: share of the list price at first.
        less: by how much it falls each turn.
        least: the lowest one.
        chance: draw the share anew each turn, from the lowest to the first.
        features: share of turns in which it talks about the wanted features instead.
    """

    def __init__(
        self, world, first: float, less: float = 0.0, least: float = 0.0, *, chance: bool = False, talk: float = 0.0
    ):
        self._first, self._less, self._least, self._chance, self._talk = first, less, least, chance, talk
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin the streams."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Turns, (n, heads)."""
        actions = np.zeros((len(states), HEAD_COUNT), np.int64)
        for k, one in enumerate(states):
            turn = int(one["turn"])
            if turn == 0:
                actions[k, 0] = ASK_NEEDS
                continue
            brand, kind, features = int(one["brand"]), int(one["kind"]), int(one["told_features"])
            share = max(self._least, self._first - self._less * (turn - 1))
            if self._chance:
                share = rng.uniform(self._streams[k], rng.AGENT, self._least, self._first)
            steps = min(int(share * int(msrp(brand, kind, features)) / STEP), PRICES)
            actions[k] = offer(brand, kind, features, max(1, steps) * STEP)
            if self._talk and rng.uniform(self._streams[k], rng.AGENT, 0.0, 1.0) < self._talk:
                actions[k, 0], actions[k, 3] = TALK, 0
        return actions


class TakingSeller:
    """Asks for the needs, insists on a price, and takes what the buyer names who is about to leave.

    Args:
        world: the simulator.
        share: of the list price of the wanted car, on which it insists.
        budget: asks for the budget as well, and does not ask for more than it.
    """

    def __init__(self, world, share: float, *, budget: bool = False):
        self._share, self._budget = share, budget

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Turns, (n, heads)."""
        actions = np.zeros((len(states), HEAD_COUNT), np.int64)
        for k, one in enumerate(states):
            turn = int(one["turn"])
            if turn < 1 + self._budget:
                actions[k, 0] = ASK_BUDGET if turn else ASK_NEEDS
                continue
            brand, kind, features = int(one["brand"]), int(one["kind"]), int(one["told_features"])
            price = int(self._share * int(msrp(brand, kind, features)))
            if self._budget and one["told_budget"]:
                price = min(price, int(one["budget"]))
            act, named = one["replies"][turn - 1].tolist()
            if act == THREATEN and named:
                price = min(price, named)
            actions[k] = offer(brand, kind, features, min(max(price // STEP, 1), PRICES) * STEP)
        return actions


COLLECTORS = {
    "fixed": lambda world: SimpleSeller(world, 1.0, least=1.0),
    "discounts": lambda world: SimpleSeller(world, 1.0, 0.05, 0.6),
    "largest-discount": lambda world: SimpleSeller(world, 0.5, least=0.5),
    "haphazard": lambda world: SimpleSeller(world, 1.1, least=0.6, chance=True),
    "talker": lambda world: SimpleSeller(world, 1.0, 0.03, 0.7, talk=0.5),
    "honest": lambda world: TakingSeller(world, 1.0, budget=True),
    "insister": lambda world: TakingSeller(world, 4.0),
}
"""Simple sellers: the list price; less each turn; half of the list price; a random price; much talk about features;
the list price or the budget, and in the end what the buyer names; far too much, and in the end what the buyer names."""


class CarDealerPlayers(Players):
    """The optimal seller, and simple ones."""

    def expert(self):
        """Reasons about the buyer; see `OptimalSeller`."""
        return OptimalSeller(self.world)

    def collector(self, name):
        """One of `COLLECTORS`."""
        return COLLECTORS[name](self.world) if name in COLLECTORS else super().collector(name)

"""Sellers: one that knows the rules and reasons about the buyer, and simple ones."""

import numpy as np

from envsuite.core import kernel, rng
from envsuite.core.companions import Players
from envsuite.core.jit import records
from envsuite.text_games.car_dealer.catalogue import (
    BRANDS,
    BUDGETS,
    DISCOUNTS,
    IMPATIENT,
    IMPATIENT_PATIENCE,
    PATIENCE,
    PRICES,
    STEP,
    STRATEGIES,
    TOUGHNESS,
    TYPES,
)
from envsuite.text_games.car_dealer.world import (
    ASK_BUDGET,
    ASK_NEEDS,
    DISCOUNTED,
    HEADS,
    OFFER,
    VALUES,
    concession,
    converse,
    msrp,
    outcome,
    reservation,
)

HEAD_COUNT = len(HEADS)
LONGEST_PATIENCE = 14
CARS = 2 * len(BRANDS) * len(TYPES)
"""Cars that the planner thinks of: every brand and type with the wanted features, and without any."""
CANDIDATES = 16
"""Prices of each car that it thinks of in a turn."""


@kernel
def suppose(s, budget, value, strategy, patience):
    """Write what is hidden into a record."""
    s.budget, s.value, s.strategy, s.patience = BUDGETS[budget], value, strategy, patience


@kernel
def car(number, wanted):
    """Brand, type and features of one of `CARS`."""
    pairs = len(BRANDS) * len(TYPES)
    features = np.int64(wanted) if number < pairs else 0
    return number % pairs // len(TYPES), number % len(TYPES), features


@kernel
def sale_price(s, number):
    """The highest price of a car that the buyer accepts in the end, dollars; 0 where it is none."""
    brand, kind, features = car(number, s.wanted)
    most = reservation(s, brand, kind, features)
    if s.strategy == DISCOUNTS:
        most = min(most, DISCOUNTED * np.float64(msrp(brand, kind, features)))
    return min(np.int64((most + 1e-4) // STEP), PRICES) * STEP


@kernel
def reward_of(s, p, number, price):
    """The reward of a sale."""
    brand, kind, features = car(number, s.wanted)
    s.price, s.listed = price, msrp(brand, kind, features)
    found = outcome(s, p)
    s.price, s.listed = 0, 0
    return found


@kernel
def best_end(s, p):
    """The reward of the best end for a seller who knows the buyer, and the car of it; -1 for the end without a sale.

    Cars with the wanted features alone are looked at: features that nobody wants cost and bring nothing.
    """
    best, chosen = outcome(s, p), -1
    for number in range(CARS):
        price = sale_price(s, number)
        found = reward_of(s, p, number, price)
        if price > 0 and found > best:
            best, chosen = found, number
    return best, chosen


@kernel(arrays=True)
def prior(personality):
    """How likely hidden values are: (budgets, values, strategies, patience from 0 on)."""
    found = np.zeros((len(BUDGETS), VALUES, len(STRATEGIES), LONGEST_PATIENCE + 1))
    for strategy in range(len(STRATEGIES)):
        least, most = PATIENCE[personality, 0], PATIENCE[personality, 1]
        if strategy == IMPATIENT:
            least, most = IMPATIENT_PATIENCE[0], IMPATIENT_PATIENCE[1]
        for patience in range(least, most + 1):
            for budget in range(len(BUDGETS)):
                for value in range(VALUES):
                    found[budget, value, strategy, patience] = 1.0 / (most - least + 1)
    return found


@kernel(arrays=True)
def believe(weights, before, scratch, action, reply, amount):
    """Strike out what would have made the buyer reply otherwise."""
    for budget in range(weights.shape[0]):
        for value in range(weights.shape[1]):
            for strategy in range(weights.shape[2]):
                for patience in range(weights.shape[3]):
                    if weights[budget, value, strategy, patience] > 0.0:
                        scratch[0] = before[0]
                        suppose(scratch[0], budget, value, strategy, patience)
                        other, dollars = converse(scratch[0], action)
                        if other != reply or dollars != amount:
                            weights[budget, value, strategy, patience] = 0.0


@kernel(arrays=True)
def plan(weights, state, scratch, p):
    """The car and the price with the best prospects: the reward where it is accepted now, the best end where not."""
    count = 0
    for k in range(weights.size):
        count += weights.flat[k] > 0.0
    hidden = np.zeros((count, 4), np.int64)
    weight, later = np.zeros(count), np.zeros(count)
    wanted_cars = np.zeros(CARS, np.bool_)
    k = 0
    scratch[0] = state[0]
    s = scratch[0]
    for budget in range(weights.shape[0]):
        for value in range(weights.shape[1]):
            for strategy in range(weights.shape[2]):
                for patience in range(weights.shape[3]):
                    if weights[budget, value, strategy, patience] > 0.0:
                        hidden[k, 0], hidden[k, 1], hidden[k, 2], hidden[k, 3] = budget, value, strategy, patience
                        weight[k] = weights[budget, value, strategy, patience]
                        suppose(s, budget, value, strategy, patience)
                        end, chosen = best_end(s, p)
                        if chosen >= 0:
                            wanted_cars[chosen] = True
                        later[k] = end if s.turn + 1 < patience else outcome(s, p)
                        k += 1
    # a price that nobody pays is the way to wait, or to part without a sale
    best, best_price = 0.0, PRICES * STEP
    best_car = np.int64(s.brand) * len(TYPES) + np.int64(s.kind)
    for k in range(count):
        best += weight[k] * later[k]
    limits = np.zeros(count, np.int64)
    for number in range(CARS):
        if not wanted_cars[number]:
            continue
        for k in range(count):
            suppose(s, hidden[k, 0], hidden[k, 1], hidden[k, 2], hidden[k, 3])
            share = concession(s.turn + 2, s.patience, TOUGHNESS[s.personality])
            brand, kind, features = car(number, s.wanted)
            most = reservation(s, brand, kind, features) * share
            if s.strategy == DISCOUNTS:
                most = min(most, DISCOUNTED * np.float64(msrp(brand, kind, features)))
            limits[k] = min(np.int64((most + 1e-4) // STEP), PRICES)
        ordered = np.sort(limits)
        for j in range(CANDIDATES + 1):
            # the last one is a price that nobody accepts, to see what is said to it
            price = (ordered[(count - 1) * j // (CANDIDATES - 1)] if j < CANDIDATES else ordered[count - 1] + 1) * STEP
            value_now = 0.0
            for k in range(count):
                if limits[k] * STEP >= price:
                    suppose(s, hidden[k, 0], hidden[k, 1], hidden[k, 2], hidden[k, 3])
                    value_now += weight[k] * reward_of(s, p, number, price)
                else:
                    value_now += weight[k] * later[k]
            if price > 0 and price <= PRICES * STEP and value_now > best + 1e-9:
                best, best_car, best_price = value_now, number, price
    return best_car, best_price


class PlanningSeller:
    """Asks for needs and budget, then offers what has the best prospects by all that the buyer has said so far.

    It knows the rules and the distribution of buyers, but not the buyer. Of every buyer that is still possible it knows
    what the best end would be, and weighs that against what a price brings at once (hindsight optimisation). It asks
    for nothing
    that the buyer of a personality never tells.

    Args:
        world: the simulator.
    """

    def __init__(self, world):
        self._params = world.params
        self._dtype = world.state_dtype
        self._scratch = records(np.zeros(1, self._dtype))
        self._weights: list[np.ndarray | None] = []
        self._before = records(np.zeros(0, self._dtype))
        self._actions = np.zeros((0, HEAD_COUNT), np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the buyers."""
        if len(self._weights) != len(mask):
            self._weights = [None] * len(mask)
            self._before = records(np.zeros(len(mask), self._dtype))
            self._actions = np.zeros((len(mask), HEAD_COUNT), np.int64)
        for k in np.flatnonzero(mask):
            self._weights[k] = None

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Turns, (n, heads)."""
        actions = np.zeros((len(states), HEAD_COUNT), np.int64)
        for k in range(len(states)):
            one = records(states[k : k + 1].copy())
            if not one["clock"]["done"][0]:
                actions[k] = self._turn(k, one)
            self._before[k], self._actions[k] = one[0], actions[k]
        return actions

    def _turn(self, k: int, one: np.ndarray) -> np.ndarray:
        action = np.zeros(HEAD_COUNT, np.int64)
        turn, personality = int(one["turn"][0]), int(one["personality"][0])
        if turn == 0:
            self._weights[k] = None
            action[0] = ASK_NEEDS
            return action
        weights = self._weights[k]
        if weights is None:
            weights = self._weights[k] = prior(personality)
        reply, amount = one["replies"][0, turn - 1]
        believe(weights, self._before[k : k + 1], self._scratch, self._actions[k], int(reply), int(amount))
        if turn == 1 and TOUGHNESS[personality] <= 1.5:
            action[0] = ASK_BUDGET
            return action
        number, price = plan(weights, one, self._scratch, self._params[0])
        return offer(*(int(part) for part in car(number, int(one["wanted"][0]))), price)


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
                actions[k, 0], actions[k, 3] = 3, 0
        return actions


COLLECTORS = {
    "fixed": lambda world: SimpleSeller(world, 1.0, least=1.0),
    "discounts": lambda world: SimpleSeller(world, 1.0, 0.05, 0.6),
    "largest-discount": lambda world: SimpleSeller(world, 0.5, least=0.5),
    "haphazard": lambda world: SimpleSeller(world, 1.1, least=0.6, chance=True),
    "talker": lambda world: SimpleSeller(world, 1.0, 0.03, 0.7, talk=0.5),
}
"""Simple sellers: the list price; less each turn; half of the list price; a random price; much talk about features."""


class CarDealerPlayers(Players):
    """The planning seller, and simple ones."""

    def expert(self):
        """Reasons about the buyer; see `PlanningSeller`."""
        return PlanningSeller(self.world)

    def collector(self, name):
        """One of `COLLECTORS`."""
        return COLLECTORS[name](self.world) if name in COLLECTORS else super().collector(name)

"""The best seller who knows the rules but not the buyer: dynamic programming over what the buyer can still be."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from envsuite.core import kernel
from envsuite.text_games.car_dealer.catalogue import (
    BRANDS,
    BUDGETS,
    DISCOUNTS,
    FEATURES,
    IMPATIENT,
    IMPATIENT_PATIENCE,
    PATIENCE,
    PRICES,
    SEEKS,
    STEP,
    STRATEGIES,
    TOUGHNESS,
    TYPES,
)
from envsuite.text_games.car_dealer.rules import (
    ACCEPT,
    ASK_FEATURE,
    DISCOUNTED,
    REJECT,
    VALUES,
    bargain,
    bits,
    concession,
    earned,
    forgone,
    heard_enough,
    impatient,
    missing_feature,
    msrp,
    worth,
)

DEAREST = PRICES * STEP
"""A price that nobody pays, dollars: offers of it only ask what the buyer would pay."""
SAME = 1e-9
"""Returns that differ by less count as equal."""


class Wish(NamedTuple):
    """What a seller knows of a buyer who has told the needs.

    Attributes:
        brand: wanted, index.
        kind: wanted type, index.
        wanted: features, bits.
        personality: index.
    """

    brand: int
    kind: int
    wanted: int
    personality: int


@kernel
def shared(brand, kind, features, wish):
    """Wanted features that a car has, and how many of brand and type are not the wanted ones."""
    return bits(features & wish[2]), np.int64(brand != wish[0]) + np.int64(kind != wish[1])


@kernel
def most_for(car, wish, budget, value):
    """Reservation price and list price of a car, dollars."""
    matched, missed = shared(car[0], car[1], car[2], wish)
    listed = msrp(car[0], car[1], car[2])
    return min(np.float64(budget), listed * worth(value, matched, missed)), listed


@kernel
def answer(offer, one, wish, mentioned, turn):
    """The reply of a buyer to an offer: act, and dollars or the index of a feature.

    Args:
        offer: brand, type, features as bits, price in dollars.
        one: of the buyer: budget in dollars, value, strategy, patience.
        wish: see `Wish`.
        mentioned: features that the seller has mentioned before, bits.
        turn: of the seller, this one counted.
    """
    mentioned |= offer[2]
    if one[2] == SEEKS and not heard_enough(wish[2], mentioned):
        return impatient(ASK_FEATURE, missing_feature(wish[2], mentioned), turn, one[3])
    most, listed = most_for(offer, wish, one[0], one[1])
    reply, amount = bargain(offer[3], most, listed, one[2], turn, one[3], TOUGHNESS[wish[3]])
    if reply == ACCEPT:
        return reply, amount
    return impatient(reply, amount, turn, one[3])


@kernel
def limit(car, one, wish, turn):
    """The highest price of a car that a buyer who has heard enough accepts in a turn, dollars."""
    most, listed = most_for(car, wish, one[0], one[1])
    most *= concession(turn + 1, one[3], TOUGHNESS[wish[3]])
    if one[2] == DISCOUNTS:
        most = min(most, DISCOUNTED * listed)
    return min(np.int64((most + 1e-4) // STEP), PRICES) * STEP


@kernel
def best_ends(cars, hidden, wish, mode, found, best):
    """For each buyer the best end that a seller can bring about who knows everything.

    Args:
        cars: (c, 4), brand, type, features as bits, and room for a price.
        hidden: (m, 4), see `answer`.
        wish: see `Wish`.
        mode: of reward.
        found: (m,), filled with rewards.
        best: (m, 4), filled with offers; of `DEAREST` where no sale is best.
    """
    wished = msrp(wish[0], wish[1], wish[2])
    for j in range(hidden.shape[0]):
        found[j] = forgone(mode, hidden[j, 0], wished)
        best[j, 0], best[j, 1], best[j, 2], best[j, 3] = wish[0], wish[1], wish[2], DEAREST
    for k in range(cars.shape[0]):
        matched, missed = shared(cars[k, 0], cars[k, 1], cars[k, 2], wish)
        listed = msrp(cars[k, 0], cars[k, 1], cars[k, 2])
        for j in range(hidden.shape[0]):
            most = min(np.float64(hidden[j, 0]), listed * worth(hidden[j, 1], matched, missed))
            if hidden[j, 2] == DISCOUNTS:
                most = min(most, DISCOUNTED * listed)
            price = min(np.int64((most + 1e-4) // STEP), PRICES) * STEP
            reward = earned(mode, price, hidden[j, 0], listed)
            if price > 0 and reward > found[j] + SAME:
                found[j] = reward
                best[j, 0], best[j, 1], best[j, 2], best[j, 3] = cars[k, 0], cars[k, 1], cars[k, 2], price


@kernel
def replies(offer, hidden, wish, mentioned, turn, codes):
    """The replies of buyers to an offer as numbers, equal where replies are; 0 for a sale and -1 for an end without.

    Args:
        offer: see `answer`.
        hidden: (m, 4), likewise.
        wish: likewise.
        mentioned: likewise.
        turn: likewise.
        codes: (m,), filled.
    """
    for j in range(hidden.shape[0]):
        act, amount = answer(offer, hidden[j], wish, mentioned, turn)
        codes[j] = 0 if act == ACCEPT else (-1 if act == REJECT else act * 1_000_000 + amount)


@kernel(arrays=True)
def survey(offers, hidden, kin, known, wish, mentioned, turn, mode, bound, mixed):
    """What offers can bring at most, and how well the replies tell buyers of different best ends apart.

    Args:
        offers: (c, 4), see `answer`.
        hidden: (m, 4), likewise.
        kin: (m,), equal for buyers of the same best end.
        known: (m, 3), of each buyer the weight, the reward of the best end and that of no sale.
        wish: see `answer`.
        mentioned: likewise.
        turn: likewise.
        mode: of reward.
        bound: (c,), filled: sales at once, and the best ends of all who stay.
        mixed: (c,), filled: weight of buyers whose reply buyers of another best end give as well.
    """
    count = hidden.shape[0]
    codes = np.zeros(count, np.int64)
    for k in range(offers.shape[0]):
        replies(offers[k], hidden, wish, mentioned, turn, codes)
        bound[k], mixed[k] = 0.0, 0.0
        listed = msrp(offers[k, 0], offers[k, 1], offers[k, 2])
        for j in range(count):
            reward = known[j, 1]
            if codes[j] == 0:
                reward = earned(mode, offers[k, 3], hidden[j, 0], listed)
            elif codes[j] < 0:
                reward = known[j, 2]
            bound[k] += known[j, 0] * reward
        order = np.argsort(codes)
        first = 0
        while first < count:
            last, differ, weight = first, False, 0.0
            while last < count and codes[order[last]] == codes[order[first]]:
                differ |= kin[order[last]] != kin[order[first]]
                weight += known[order[last], 0]
                last += 1
            if differ and codes[order[first]] > 0:
                mixed[k] += weight
            first = last


@kernel
def limits(cars, hidden, wish, turn, found):
    """`limit` for each car and buyer, (c, m)."""
    for k in range(cars.shape[0]):
        for j in range(hidden.shape[0]):
            found[k, j] = limit(cars[k], hidden[j], wish, turn)


@lru_cache(maxsize=1)
def all_cars() -> np.ndarray:
    """Every car that there is, int64 (13 x 6 x 256, 4): brand, type, features as bits, and no price. Read-only."""
    grid = np.indices((len(BRANDS), len(TYPES), 1 << len(FEATURES))).reshape(3, -1).T
    found = np.hstack([grid, np.zeros((len(grid), 1), np.int64)]).astype(np.int64)
    found.flags.writeable = False
    return found


def prior(personality: int, budget: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Buyers of a personality, and how likely each is.

    Args:
        personality: index.
        budget: dollars; 0 where it is not known.

    Returns:
        int64 (m, 4): budget in dollars, value, strategy, patience; and float64 (m,), which sum up to 1.
    """
    found, weights = [], []
    budgets = [budget] if budget else BUDGETS.tolist()
    for strategy in range(len(STRATEGIES)):
        least, most = IMPATIENT_PATIENCE if strategy == IMPATIENT else PATIENCE[personality].tolist()
        for patience in range(least, most + 1):
            found += [(one, value, strategy, patience) for one in budgets for value in range(VALUES)]
            weights += [1.0 / (len(STRATEGIES) * (most - least + 1) * len(budgets) * VALUES)] * len(budgets) * VALUES
    return np.array(found, np.int64), np.array(weights)


class Plan:
    """Buyers that a seller thinks possible, and the search for what to offer them.

    The state of the search is the set of buyers that go with all replies, the turn, and the features mentioned: the
    rules are deterministic once the buyer is drawn, so this is all of the belief. Each offer divides the set by the
    replies. No set is worth more than the mean of its buyers' best ends, and a search ends where this is reached.

    Args:
        wish: what is known.
        hidden: (m, 4), see `prior`.
        weights: (m,), likewise.
        mode: of reward.
        cars: (c, 4), those that are on sale; all by default.
        asking: (k, 4), offers that are made to learn from the reply; `probes` by default.
        width: offers of a turn that are looked at more closely, the most promising ones; 0 for all, and then the
            search is exact.
        crowd: best ends up to which prices that some buyers accept at once are thought of, too; 0 for any number.
    """

    def __init__(
        self,
        wish: Wish,
        hidden: np.ndarray,
        weights: np.ndarray,
        mode: int = 0,
        *,
        cars: np.ndarray | None = None,
        asking: np.ndarray | None = None,
        width: int = 4,
        crowd: int = 12,
    ):
        self.hidden, self.weights, self._mode = hidden, weights, mode
        self._wish = np.array(wish, np.int64)
        self._width, self._crowd = width or 1 << 30, crowd or 1 << 30
        cars = all_cars() if cars is None else cars
        self._asking = probes(wish.wanted) if asking is None else asking
        # patience changes no best end, and of strategies the wish for discounts alone does
        short = hidden.copy()
        short[:, 2], short[:, 3] = np.where(hidden[:, 2] == DISCOUNTS, DISCOUNTS, IMPATIENT), 0
        kinds, place = np.unique(short, axis=0, return_inverse=True)
        ends, offers = np.zeros(len(kinds)), np.zeros((len(kinds), 4), np.int64)
        best_ends(_distinct(cars, self._wish), kinds, self._wish, mode, ends, offers)
        self._best, kin = np.unique(offers, axis=0, return_inverse=True)
        self.kin = kin.reshape(-1)[place.reshape(-1)]
        wished = int(msrp(wish.brand, wish.kind, wish.wanted))
        lost = [float(forgone(mode, int(one), wished)) for one in hidden[:, 0]]
        self.known = np.stack([weights, ends[place.reshape(-1)], lost], axis=1)

    @property
    def bound(self) -> float:
        """What a seller gets on average who knows the buyer."""
        return float(self.known[:, 0] @ self.known[:, 1])

    def codes(self, offer, members: np.ndarray, turn: int, mentioned: int) -> np.ndarray:
        """See `replies`; ``turn`` counts this one."""
        found = np.zeros(len(members), np.int64)
        replies(np.array(offer, np.int64), self.hidden[members], self._wish, mentioned, turn, found)
        return found

    def search(self, members: np.ndarray, turn: int, mentioned: int) -> tuple[float, tuple[int, ...]]:
        """The best offer.

        Args:
            members: indices of buyers that are possible.
            turn: turns of the seller so far.
            mentioned: features so far, bits.

        Returns:
            Expected reward times the weight of the members, and the offer, see `answer`.
        """
        turn += 1
        ceiling = float(self.known[members, 0] @ self.known[members, 1])
        end = self._settled(members, mentioned)
        if end is not None:
            return ceiling, end
        best, chosen = -np.inf, self._asking[0]
        for offers in self._offers(members, turn):
            for k, bound in self._promising(offers, members, turn, mentioned):
                if bound <= best + SAME:
                    break
                value = bound + self._later(offers[k], members, turn, mentioned)
                if value > best + SAME:
                    best, chosen = value, offers[k]
                if best >= ceiling - SAME:
                    return best, tuple(chosen.tolist())
        return best, tuple(chosen.tolist())

    def _promising(
        self, offers: np.ndarray, members: np.ndarray, turn: int, mentioned: int
    ) -> Iterator[tuple[int, float]]:
        """Places of the offers that are looked at more closely, best first, and what they bring at most."""
        bound, mixed = np.zeros(len(offers)), np.zeros(len(offers))
        hidden, kin, known = self.hidden[members], self.kin[members], self.known[members]
        survey(offers, hidden, kin, known, self._wish, mentioned, turn, self._mode, bound, mixed)
        # rounded, so that sums in another order change no choice
        for k in np.lexsort((mixed.round(9), -bound.round(9)))[: self._width].tolist():
            yield k, float(bound[k])

    def _later(self, offer: np.ndarray, members: np.ndarray, turn: int, mentioned: int) -> float:
        """By how much the buyers who stay are worth less than their best ends; not positive."""
        codes, missed = self.codes(offer, members, turn, mentioned), 0.0
        heard = mentioned | int(offer[2])
        order = np.argsort(codes, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
            if codes[group[0]] > 0:
                one = members[group]
                missed += self.search(one, turn, heard)[0] - float(self.known[one, 0] @ self.known[one, 1])
        return missed

    def _settled(self, members: np.ndarray, mentioned: int) -> tuple[int, ...] | None:
        """The offer that brings about the best end of all members, made again and again; None for none."""
        kin = self.kin[members]
        if len(kin) > 1 and (kin != kin[0]).any():
            return None
        end = self._best[kin[0]]
        heard = heard_enough(int(self._wish[2]), mentioned | int(end[2]))
        waits = end[3] == DEAREST
        return tuple(end.tolist()) if heard or waits or (self.hidden[members, 2] != SEEKS).all() else None

    def _offers(self, members: np.ndarray, turn: int) -> Iterator[np.ndarray]:
        """Offers that are thought of, (c, 4): first those that only ask, then all."""
        yield self._asking
        ends = self._best[np.unique(self.kin[members])]
        if len(ends) <= self._crowd:
            cars = np.unique(np.vstack([self._asking, ends]) * [1, 1, 1, 0], axis=0)
            prices = np.zeros((len(cars), len(members)), np.int64)
            limits(cars, self.hidden[members], self._wish, turn, prices)
            selling = np.repeat(cars, len(members), axis=0)
            selling[:, 3] = prices.reshape(-1)
            asking = cars + np.array([0, 0, 0, DEAREST])
            yield np.vstack([asking, np.unique(selling[selling[:, 3] > 0], axis=0)])


def _distinct(cars: np.ndarray, wish: np.ndarray) -> np.ndarray:
    """One car of each list price and fit."""
    matched = np.bitwise_count(cars[:, 2] & wish[2])
    missed = (cars[:, :2] != wish[:2]).sum(axis=1)
    listed = _list_prices()[cars[:, 0], cars[:, 1], cars[:, 2]]
    rows = np.stack([listed, matched, missed], axis=1)
    return cars[np.sort(np.unique(rows, axis=0, return_index=True)[1])]


@lru_cache(maxsize=1)
def _list_prices() -> np.ndarray:
    """Of `all_cars`, (13, 6, 256)."""
    prices = [int(msrp(*one)) for one in all_cars()[:, :3].tolist()]
    return np.array(prices).reshape(len(BRANDS), len(TYPES), -1)


def probes(wanted: int) -> np.ndarray:
    """Offers that only ask what the buyer would pay, for cheap and dear cars: budgets bind for dear ones alone.

    Args:
        wanted: features that all of these cars have, bits, so that the buyer hears of them.

    Returns:
        int64 (26, 4): a sedan and a luxury car of each brand.
    """
    cars = all_cars()
    kinds = [TYPES.index("luxury"), TYPES.index("sedan")]
    return cars[(cars[:, 2] == wanted) & np.isin(cars[:, 1], kinds)] + np.array([0, 0, 0, DEAREST])

"""Cars and their list prices, and the kinds of buyers."""

import numpy as np

RULES = 1
"""Version of the buyer; to be raised when an answer changes."""
VERSION = f"car-dealer-rules-{RULES}"
"""The same in words."""

BRANDS = tuple(
    [
        "Volkswagen",
        "Lexus",
        "Ford",
        "Mazda",
        "Hyundai",
        "Toyota",
        "Mercedes-Benz",
        "BMW",
        "Audi",
        "Subaru",
        "Honda",
        "Porsche",
        "Tesla",
    ]
)
TYPES = ("luxury", "sedan", "convertible", "truck", "electric", "SUV")
FEATURES = (
    "backup camera",
    "navigation system",
    "heated seats",
    "leather seats",
    "third-row seating",
    "blind spot monitoring",
    "sunroof",
    "Apple CarPlay",
)
BASE = np.array([24, 42, 27, 25, 22, 25, 48, 46, 44, 25, 25, 80, 45], np.int64) * 1000
"""List price of a sedan of each brand without extras, dollars: of the order of new cars in the United States in
2023."""
PERCENT = np.array([160, 100, 135, 140, 130, 125], np.int64)
"""What a type costs, in percent of the sedan of its brand."""
EXTRA = np.array([400, 900, 600, 1500, 1200, 700, 1100, 300], np.int64)
"""What a feature costs, dollars."""
BUDGETS = np.array([10_000, 30_000, 50_000, 70_000, 90_000], np.int64)
"""Dollars, equally likely, as in the original."""

PERSONALITIES = tuple(
    [
        "abusive",
        "angry",
        "insulting",
        "polite",
        "respectful",
        "rude",
        "sarcastic",
        "talkative",
        "toxic",
        "uncommunicative",
    ]
)
PATIENCE = np.array([[4, 6], [4, 7], [5, 8], [9, 14], [9, 14], [5, 8], [6, 10], [10, 14], [4, 6], [6, 10]], np.int64)
"""Fewest and most turns of the seller that a buyer of each personality stays for."""
TOUGHNESS = np.array([2.0, 2.0, 2.0, 0.5, 0.5, 2.0, 1.0, 1.0, 2.0, 1.0])
"""Exponent of a buyer's concessions: 0.5 gives way early, 2 late."""
STRATEGIES = ("discounts", "features", "impatient")
DISCOUNTS, SEEKS, IMPATIENT = range(3)
IMPATIENT_PATIENCE = (4, 6)

STEP = 500
"""Prices are whole multiples of it, dollars."""
PRICES = 320
"""The highest price, in steps; the dearest car has a list price of 134,700 dollars."""


def list_price(brand: int, kind: int, features: int) -> int:
    """The list price (MSRP) of a car, dollars.

    Args:
        brand: index into `BRANDS`.
        kind: index into `TYPES`.
        features: bits, the first feature the lowest.
    """
    extras = sum(int(EXTRA[k]) for k in range(len(FEATURES)) if features >> k & 1)
    return int(BASE[brand]) * int(PERCENT[kind]) // 100 + extras

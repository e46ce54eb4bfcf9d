"""What is known of the 99 cities and their countries: two tables, and the values of each question for each city."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).parent
_COUNTRY = [
    "name",
    "demonyms",
    "continent",
    "region",
    "language",
    "script",
    "currency",
    "religion",
    "ruler",
    "neighbours",
    "side",
    "dish",
    "sport",
    "festival",
    "government",
    "people",
    "area",
    "commonwealth",
    "nuclear",
    "world cup",
    "union",
    "coast",
]
_CITY = [
    "name",
    "country",
    "latitude",
    "longitude",
    "water",
    "metres",
    "climate",
    "millions",
    "era",
    "capital",
    "mountains",
    "metro",
    "olympics",
    "place",
    "kind",
    "landmark",
    "industry",
    "former",
    "sea",
    "island",
    "cup",
    "expo",
    "aliases",
]
ERAS = {"ancient": "in ancient times", "medieval": "in the Middle Ages"}
CLIMATES = {"A": "tropical", "B": "dry", "C": "mild", "D": "cold in winter"}
DISHES = (
    ("rice", ("rice",)),
    ("noodles, pasta or dumplings", ("noodle", "pasta", "dumpling")),
    ("maize or bread", ("maize", "bread", "pasties", "semolina", "pancake")),
    ("fish", ("fish", "carp", "prawn")),
    ("beans or vegetables", ("bean", "cabbage", "beetroot", "potatoes")),
)
MEAT = "meat"
FESTIVALS = (
    ("a feast of Islam", ("Ramadan",)),
    (
        "a feast of Christianity",
        ("Lent", "Easter", "Christmas", "holy", "saint", "black statue", "cross", "day of the dead"),
    ),
    ("a new year", ("new year", "New Year")),
    ("a national day", ("independence", "fatherland", "confederation", "national day", "mass games")),
)
ARTS = "a feast of the seasons or of the arts"
MONEY = ("peso", "dollar", "rupee", "pound", "euro", "franc", "yuan")
OWN = "a currency that no other of these countries has"
LANDMARKS = (
    ("a house of worship", ("temple", "mosque or church", "monastery")),
    ("a palace or a fortress", ("palace", "fortress")),
    ("a tower", ("tower", "clock tower", "wheel")),
    ("a monument or a tomb", ("monument", "tomb", "statue", "gate", "arena")),
    ("a museum or another public building", ("museum", "library", "opera house", "public building", "space centre")),
    ("a piece of nature", ("mountain", "beach", "lake", "garden", "park", "spring")),
)
STREETS = "a place in its streets"
INDUSTRIES = (
    ("services", ("services", "education")),
    ("finance", ("finance",)),
    ("government", ("government",)),
    ("trade and ships", ("port trade", "trade", "trade fairs", "shipbuilding", "fishing")),
    ("textiles and leather", ("textiles", "fashion", "jute", "leather")),
    ("visitors", ("tourism", "pilgrimage")),
    ("oil and mining", ("oil", "mining", "coal")),
    ("films and software", ("film", "software")),
    ("crops and drinks", ("farming", "sugar", "cocoa", "palm oil", "beer")),
)
GOVERNMENTS = {
    "republic": "a republic",
    "monarchy": "a monarchy",
    "one party": "a state of one party",
    "other": "another form of government",
}
SEAS = {
    "Pacific": "the Pacific Ocean",
    "Atlantic": "the Atlantic Ocean",
    "Indian": "the Indian Ocean",
    "Mediterranean": "the Mediterranean or the Black Sea",
    "none": "no sea",
}
"""Oceans with their parts."""
MACHINES = "machines and other goods"
"""What answers are made of: coarse enough that none of them gives the country away, as the original's rules want."""
ALSO = {
    "USA": ("United States", "America", "US"),
    "UK": ("United Kingdom", "England", "Britain", "Great Britain"),
    "Congo": ("Democratic Republic of the Congo", "DRC"),
    "Ivory Coast": ("Cote d'Ivoire", "Cote d'Ivorie"),
    "Myanmar": ("Burma",),
    "Ethiopia": ("Ethopia",),
}
"""Further names of countries."""


@dataclass(frozen=True)
class City:
    """A city.

    Attributes:
        name: the usual one.
        names: all of them.
        country: its name.
        taboo: words that give the city away: its names, those of its country and its people.
        landmark: what it is known for.
        facts: value of each question, by its name.
    """

    name: str
    names: tuple[str, ...]
    country: str
    taboo: tuple[str, ...]
    landmark: str
    facts: dict[str, str]


def _rows(file: str, columns: list[str]) -> list[dict[str, str]]:
    lines = (line for line in (HERE / file).read_text("utf-8").splitlines() if line and not line.startswith("#"))
    return [dict(zip(columns, (cell.strip() for cell in line.split("|")), strict=True)) for line in lines]


def _class_of(value: float, bounds: tuple[tuple[float, str], ...], last: str) -> str:
    return next((name for bound, name in bounds if value < bound), last)


def _group(text: str, groups: tuple[tuple[str, tuple[str, ...]], ...], other: str, *, whole: bool = False) -> str:
    """The first group of which a word stands in a text, or is the text."""
    return next(
        (name for name, words in groups if any(text == word if whole else word in text for word in words)), other
    )


def _places(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _facts(city: dict[str, str], country: dict[str, str]) -> dict[str, str]:
    latitude, longitude, metres = (float(city[name]) for name in ("latitude", "longitude", "metres"))
    era = ERAS.get(city["era"], f"in the {city['era']}")
    zone = _class_of(abs(latitude), ((23.5, "in the tropics"), (35, "in the subtropics")), "in the temperate zone")
    bands = (
        (-60, "west of 60 degrees west"),
        (0, "between 60 degrees west and the prime meridian"),
        (60, "between the prime meridian and 60 degrees east"),
        (100, "between 60 and 100 degrees east"),
    )
    return {
        **{name: country[name] for name in ("continent", "region", "language", "script", "religion", "ruler")},
        **{name: country[name] for name in ("side", "sport")},
        "currency": country["currency"] if country["currency"] in MONEY else OWN,
        "dish": _group(country["dish"], DISHES, MEAT),
        "festival": _group(country["festival"], FESTIVALS, ARTS),
        "neighbours": _class_of(
            int(country["neighbours"]), ((1, "none"), (3, "one or two"), (6, "three to five")), "six or more"
        ),
        "hemisphere": "northern" if latitude > 0 else "southern",
        "latitude": zone,
        "longitude": _class_of(longitude, bands, "east of 100 degrees east"),
        "capital": city["capital"],
        "water": {
            "sea": "by the sea",
            "river": "on a large river",
            "lake": "on a lake",
            "inland": "away from large waters",
        }[city["water"]],
        "elevation": _class_of(
            metres,
            ((100, "less than 100 metres"), (700, "100 to 700 metres"), (1500, "700 to 1500 metres")),
            "more than 1500 metres",
        ),
        "mountains": city["mountains"],
        "climate": CLIMATES[city["climate"]],
        "population": _class_of(
            float(city["millions"]),
            (
                (1, "less than one million"),
                (3, "one to three millions"),
                (6, "three to six millions"),
                (10, "six to ten millions"),
            ),
            "more than ten millions",
        ),
        "founded": era,
        "metro": city["metro"],
        "olympics": city["olympics"],
        "rank": _class_of(
            int(city["place"]),
            ((2, "the largest"), (4, "the second or third largest"), (10, "one of the ten largest")),
            "none of the ten largest",
        ),
        "landmark kind": _group(city["kind"], LANDMARKS, STREETS, whole=True),
        "industry": _group(city["industry"], INDUSTRIES, MACHINES, whole=True),
        "former name": city["former"],
        "government": GOVERNMENTS[country["government"]],
        "people": _class_of(
            float(country["people"]),
            (
                (15, "fewer than 15 millions"),
                (43, "15 to 43 millions"),
                (75, "43 to 75 millions"),
                (155, "75 to 155 millions"),
            ),
            "more than 155 millions",
        ),
        "area": _class_of(
            float(country["area"]),
            (
                (200, "less than 200,000 square kilometres"),
                (700, "200,000 to 700,000 square kilometres"),
                (2500, "700,000 to 2.5 million square kilometres"),
            ),
            "more than 2.5 million square kilometres",
        ),
        "commonwealth": country["commonwealth"],
        "nuclear weapons": country["nuclear"],
        "world cup": country["world cup"],
        "european union": country["union"],
        "coast": country["coast"],
        "sea": SEAS[city["sea"]],
        "island": city["island"],
        "football cup": city["cup"],
        "world expo": city["expo"],
    }


@lru_cache(maxsize=1)
def cities() -> tuple[City, ...]:
    """The cities, in the order of their file."""
    countries = {row["name"]: row for row in _rows("countries.txt", _COUNTRY)}
    found = []
    for row in _rows("cities.txt", _CITY):
        country = countries[row["country"]]
        names = (row["name"], *_places(row["aliases"]))
        taboo = (*names, country["name"], *ALSO.get(country["name"], ()), *_places(country["demonyms"]))
        found.append(City(row["name"], names, country["name"], taboo, row["landmark"], _facts(row, country)))
    return tuple(found)

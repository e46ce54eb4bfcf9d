"""A player that knows the game from its description alone: proof that the words are enough.

It reads the JSON of `envsuite.tower_defense.language.describe` and answers with ``{"X", "Y", "Action"}``, by rules like
those of the scripted player S3. As a program it is a model for language agents::

    envsuite agents run --env Bulwark-L1 --model reader --program "python -m envsuite.tower_defense.experts.reader"
"""

import json
import math
import sys
from itertools import pairwise
from typing import Any

from envsuite.tower_defense.params import BLAZE, HERO, REINFORCE, UPGRADE, WAIT

_PATTERN = ("ballista", "mortar", "ballista", "barracks", "ballista", "mortar", "ballista", "mortar", "ballista")
_KINDS = {"ballista": 0, "mortar": 1, "barracks": 2}
_WORTH = 0.8  # units of path in range from which a site is built on
_CALL_AT, _DEFEND_AT = 0.45, 0.25  # shares of the path that the foremost enemy has left
_CROWD, _CROWD_HEALTH, _FIRE = 3, 600, 0.35
_REACH = 0.55  # units within which the hero fights
_EDGE = 2.99


def answer(text: str) -> str:
    """The answer to a prompt that holds a description.

    Args:
        text: whatever it says before or after, the last object with ``"now"`` and ``"static"`` counts.
    """
    said = _last_description(text)
    if said is None:
        return "I was told nothing of the game."
    kind, x, y = _choose(said["now"], said["static"])
    x, y = (min(max(value, -_EDGE), _EDGE) for value in (x, y))
    return f'Action: {{"X": {x:.2f}, "Y": {y:.2f}, "Action": {kind}}}'


def _last_description(text: str) -> dict[str, Any] | None:
    decoder, found, at = json.JSONDecoder(), None, text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            found = value if isinstance(value, dict) and {"now", "static"} <= set(value) else found
        at = text.find("{", end)
    return found


def _choose(now: dict[str, Any], static: dict[str, Any]) -> tuple[int, float, float]:
    """The next command and its place."""
    hero, foes = now["hero"], now["enemies"]
    lives = hero["seconds_dead"] == 0
    ground = [one for one in foes if not one["flies"]]
    burning = _near(now["fires"], hero) > 0
    if lives and _near(ground, hero) >= _CROWD and hero["health"] > _CROWD_HEALTH and not burning:
        return BLAZE, 0, 0
    lengths = {name: _length(path) for name, path in static["paths"].items()}
    left = {one["id"]: one["way_left"] / lengths[one["path"]] for one in foes}
    if ground and now["seconds_to_reinforcements"] == 0:
        first = min(ground, key=lambda one: left[one["id"]])
        if left[first["id"]] <= _CALL_AT:
            return REINFORCE, first["x"], first["y"]
    invested = _invest(now, static)
    if invested:
        return invested
    if not lives:
        return WAIT, 0, 0
    if foes:
        first = min(foes, key=lambda one: left[one["id"]])
        if left[first["id"]] <= _DEFEND_AT:
            return _send(hero, (first["x"], first["y"]))
    coin = now["coin"]
    if coin and hero["going_to"] != [coin["x"], coin["y"]]:
        return HERO, coin["x"], coin["y"]
    return WAIT, 0, 0


def _near(things: list[dict[str, Any]], hero: dict[str, Any]) -> int:
    """How many things a fire at the hero would reach."""
    return sum(math.dist((hero["x"], hero["y"]), (one["x"], one["y"])) <= _FIRE for one in things)


def _invest(now: dict[str, Any], static: dict[str, Any]) -> tuple[int, float, float] | None:
    """Build on the best free site that is worth it; upgrade when all are taken."""
    sites, towers = static["sites"], now["towers"]
    order = sorted(sites, key=lambda name: -sites[name]["path_in_range"])
    useful = [name for name in order if sites[name]["path_in_range"] > _WORTH]
    for rank, name in enumerate(useful):
        if name not in towers:
            kind = _PATTERN[rank % len(_PATTERN)]
            good = now["gold"] >= static["towers"][kind]["price"]
            return (_KINDS[kind], sites[name]["x"], sites[name]["y"]) if good else None
    for name in useful:
        if towers[name]["level"] < static["top_level"]:
            good = now["gold"] >= static["towers"][towers[name]["type"]]["upgrade"]
            return (UPGRADE, sites[name]["x"], sites[name]["y"]) if good else None
    return None


def _send(hero: dict[str, Any], place: tuple[float, float]) -> tuple[int, float, float]:
    """Send the hero near a place, or let it stand where it can fight."""
    if math.dist((hero["x"], hero["y"]), place) > _REACH:
        return HERO, *place
    return (HERO, hero["x"], hero["y"]) if hero["going_to"] else (WAIT, 0, 0)


def _length(path: list[list[float]]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(path))


def main() -> None:
    """Answer lines of JSON, see `envsuite.agents.chat.program.Program`."""
    for line in sys.stdin:
        content = json.loads(line)["messages"][-1]["content"]
        text = content if isinstance(content, str) else content[0]["text"]
        sys.stdout.write(json.dumps({"text": answer(text)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

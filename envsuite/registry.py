"""Finds every environment's card and registers it with Gymnasium and PettingZoo.

There is no central list: the package is walked for ``cards.py`` files, and other packages announce theirs through the
entry-point group ``envsuite.envs`` (each entry names a tuple of `EnvCard`).
"""

import difflib
import importlib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from envsuite.cards import EnvCard

ENTRY_POINTS = "envsuite.envs"


@lru_cache(maxsize=1)
def cards() -> dict[str, EnvCard]:
    """Every known environment by id, sorted.

    Raises:
        ValueError: two cards share an id.
    """
    found: dict[str, EnvCard] = {}
    for card in (*_own_cards(), *_announced_cards()):
        if card.id in found:
            raise ValueError(f"two cards have the id {card.id!r}: {found[card.id].world} and {card.world}")
        found[card.id] = card
    return dict(sorted(found.items()))


def card(env_id: str) -> EnvCard:
    """The card of an environment, which declares its options, scores and source.

    Args:
        env_id: ``"envsuite/QuadHover-v0"`` or, in short, ``"QuadHover"``; the namespace and the version may be left out
            where that is unambiguous.

    Raises:
        KeyError: unknown id; the message names the nearest one.
        TypeError: an id that is no text.
    """
    known = cards()
    if not isinstance(env_id, str):
        raise TypeError(f"env_id is {env_id!r}, expected a text such as 'envsuite/QuadHover-v0'")
    if env_id in known:
        return known[env_id]
    short = [name for name in known if _short(name) == env_id or name.split("/")[-1] == env_id]
    if len(short) == 1:
        return known[short[0]]
    lowered = {_short(name).lower(): name for name in known}
    near = difflib.get_close_matches(_short(env_id).lower(), lowered, n=1, cutoff=0.3)
    hint = lowered[near[0]] if near else None
    suggestion = f"; did you mean {hint!r}?" if hint else "; `envsuite list` shows all"
    raise KeyError(f"unknown environment {env_id!r}{suggestion}")


def successor(env_id: str) -> str:
    """The newest version of an environment if that makes an id deprecated; empty if the id is not deprecated.

    Args:
        env_id: full id.
    """
    name, _, version = env_id.rpartition("-v")
    newer = [int(one.rpartition("-v")[2]) for one in cards() if one.rpartition("-v")[0] == name]
    return f"{name}-v{max(newer)}" if newer and max(newer) > int(version) else ""


def _short(env_id: str) -> str:
    return env_id.split("/")[-1].rsplit("-v", 1)[0]


def _own_cards() -> Iterator[EnvCard]:
    for family in files("envsuite").iterdir():
        if not family.is_dir() or family.name in ("core", "cli", "testing") or family.name.startswith(("_", ".")):
            continue
        yield from _cards_in(family, f"envsuite.{family.name}")
        for world in family.iterdir():
            if world.is_dir() and not world.name.startswith(("_", ".")):
                yield from _cards_in(world, f"envsuite.{family.name}.{world.name}")


def _cards_in(folder, package: str) -> Iterator[EnvCard]:
    if folder.joinpath("cards.py").is_file():
        yield from importlib.import_module(f"{package}.cards").CARDS


def _announced_cards() -> Iterator[EnvCard]:
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        yield from entry.load()


def register(env: EnvCard) -> None:
    """Make an environment known: to `card`, to Gymnasium and, with several agents, to PettingZoo.

    Packages announce theirs by an entry point; this is for worlds of a notebook or a test.

    Args:
        env: its card.

    Raises:
        ValueError: another environment has its id.
    """
    known = cards()
    if env.id not in known:
        known[env.id] = env
        _register(env)
    elif known[env.id] != env:
        raise ValueError(f"two cards have the id {env.id!r}: {known[env.id].world} and {env.world}")


def register_all() -> None:
    """Register every card that was found: with Gymnasium, and worlds of several agents with PettingZoo as well."""
    for env in cards().values():
        _register(env)


def _register(env: EnvCard) -> None:
    import gymnasium
    import pettingzoo

    gymnasium.register(
        env.id,
        entry_point=env.single,
        vector_entry_point=env.vector,
        max_episode_steps=env.horizon,
        kwargs=env.kwargs,
        disable_env_checker=bool(env.objectives),  # Gymnasium's knows scalar rewards only, as MO-Gymnasium notes
    )
    if env.agents > 1:
        for api, entry_point in (("parallel", env.parallel), ("aec", env.aec)):
            pettingzoo.register(api, env.id, entry_point=entry_point, max_cycles=env.horizon, kwargs=env.kwargs)

"""A small recipe, for tests."""

import dataclasses

import pytest

from envsuite.data import load_recipe
from envsuite.data.recipes import Small

MIXED = "quad-hover/mixed-v0"


def recipe(name=MIXED, **changes):
    """A recipe of which a few episodes are made."""
    small = dataclasses.replace(load_recipe(name), small=Small(6, ""))
    return dataclasses.replace(small.small_form(), **changes)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Six episodes of three policies."""
    from envsuite.data import generate

    return generate(recipe(), tmp_path_factory.mktemp("store"))

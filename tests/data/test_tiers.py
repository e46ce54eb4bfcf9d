"""Tiers by rule, and the locks that say what they came out as."""

import dataclasses
import json
import re

import pytest

import envsuite
from envsuite.cards import EnvCard, datasets_folder, datasets_with, locked
from envsuite.data import load_recipe, recipe_ids
from envsuite.data.lock import entry, lock_file, write_lock
from envsuite.data.tiers import slug, tier_ids, tier_recipe

OWN = EnvCard(
    id="mine/TwoPoleCart2D-v3",
    world="mine.cart.kernel:Cart",
    family="mine",
    summary="",
    source="a paper",
    horizon=100,
    random=envsuite.card("QuadHover").random,
    expert=envsuite.card("QuadHover").expert,
    behaviour="0123456789abcdef",
)


def test_every_dataset_is_locked_by_its_family():
    locks = {path.parent.name: json.loads(path.read_text()) for path in datasets_folder().glob("*/lock.json")}
    assert sum(map(len, locks.values())) == len(locked()) == len(recipe_ids())
    assert set(locked()) == set(recipe_ids())
    hashes = [one[key] for one in locked().values() for key in ("hash", "small")]
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in hashes)
    for family, entries in locks.items():
        for name, one in entries.items():
            recipe = load_recipe(name)
            card = envsuite.card(recipe.env_id)
            assert (card.family, card.id, card.behaviour) == (family, one["env_id"], one["behaviour"])
            assert (recipe.hash, recipe.small.hash) == (one["hash"], one["small"])
            assert name in datasets_with(card.id)
            count = one["episodes"] if recipe.transitions is None else one["steps"]
            assert count >= (recipe.transitions or recipe.episodes)
            assert {"length", "return"} <= {row.split(" ")[0] for row in one["table"]}
            assert all(len(row) == 10 for row in one["table"].values())


def test_files_are_named_after_their_datasets_and_rules_do_not_double_them():
    by_rule = [name for card in envsuite.cards().values() for name in tier_ids(card)]
    files = [path for path in datasets_folder().glob("*/*.toml") if path.name != "rules.toml"]
    special = [name for name in recipe_ids() if name not in by_rule]
    assert sorted(path.stem for path in files) == sorted(name.replace("/", "-") for name in special)
    assert len(by_rule) == len(set(by_rule))


def test_every_environment_has_tiers_by_its_card():
    ids = tier_ids(OWN)
    assert ids == {f"two-pole-cart2-d/{tier}-v3": tier for tier in ("random", "mixed", "expert")}
    found = tier_recipe(OWN, "expert")
    assert found["title"] == f"TwoPoleCart2D: the {OWN.expert.policy}"
    assert (found["citation"], found["behaviour"]) == ("a paper", OWN.behaviour)
    assert found["anchors"] == {
        "calibrated": {"low": dataclasses.asdict(OWN.random), "high": dataclasses.asdict(OWN.expert)}
    }
    assert tier_ids(dataclasses.replace(OWN, random=None)) == {}
    assert tier_ids(dataclasses.replace(OWN, not_applicable={"dataset": "no reward"})) == {}
    with pytest.raises(ValueError, match="describe no tier 'medium', only expert, mixed, random"):
        tier_recipe(OWN, "medium")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("QuadHoverGPD", "quad-hover-gpd"), ("MOBeach50", "mo-beach50"), ("Bulwark-L1", "bulwark-l1"), ("Duel", "duel")],
)
def test_names_become_words(name, wanted):
    assert slug(dataclasses.replace(OWN, id=f"envsuite/{name}-v0")) == wanted


def test_rules_add_up(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rules.toml").write_text(
        """
        [[rule]]
        transitions = 500
        anchors.legacy.low = { mean = 1.0, standard_error = 0.0 }
        tier.random.summary = "{Expert} has gone home"
        [[rule]]
        envs = ["Other*"]
        transitions = 7
        [[rule]]
        envs = ["Two*"]
        tiers = ["random", "few"]
        anchors.legacy.low.mean = 2.0
        tier.few = { title = "", summary = "{nobody}", episodes = 3 }
        tier.random.options = { gravity = 1.6 }
        """
    )
    monkeypatch.setattr("envsuite.data.tiers.datasets_folder", lambda: tmp_path)
    assert list(tier_ids(OWN).values()) == ["random", "few"]
    found = tier_recipe(OWN, "random")
    assert found["transitions"] == 500
    assert "episodes" not in found
    assert found["anchors"]["legacy"] == {"low": {"mean": 2.0, "standard_error": 0.0}}
    assert found["options"] == {"gravity": 1.6}
    assert found["summary"].startswith(OWN.expert.policy[0].upper())
    with pytest.raises(ValueError, match="summary of few names 'nobody', expected one of"):
        tier_recipe(OWN, "few")


def test_locks_keep_what_pages_show(tmp_path, monkeypatch, made):
    monkeypatch.setattr("envsuite.data.lock.datasets_folder", lambda: tmp_path)
    found = entry(made, "ab")
    write_lock("mine", {"b/x-v0": found, "a/x-v0": found})
    text = lock_file("mine").read_text()
    assert json.loads(text) == {"a/x-v0": found, "b/x-v0": found}
    assert list(json.loads(text)) == ["a/x-v0", "b/x-v0"]
    assert (found["episodes"], found["steps"], found["small"]) == (made.episodes_count, len(made), "ab")
    assert found["table"]["return"][0] == made.episodes_count
    assert found["table"]["return"][1] == pytest.approx(made.returns.mean(), rel=1e-5)
    assert found["columns"]["rewards"] == ["<f4"]

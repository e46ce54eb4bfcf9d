"""Names of methods: one form, and which of them are one for readers."""

import unicodedata

import pytest

from envsuite.submissions.build import build_submission
from envsuite.submissions.names import _UNSEEN, alike, check_name, check_text, spelling
from envsuite.submissions.refusal import RefusedError

from .helpers import META


@pytest.mark.parametrize(
    "other",
    [
        *(
            "ppo",
            "P-P O",
            "PPO",
            "\u03a1\u03a1\u039f",
            "\u0420\u0420\u041e",
            "\u03c1\u03c1\u03bf",
            "P\u0308PO",
            "\uff30\uff30\uff2f",
            "\U0001d40f\U0001d40fO",
            "P\u3164PO",
        ),
        *("PP\u034fO", "P\u200bPO", "PP0", "\u13e2\u13e2O", "P\u0337P\u0337O\u0337", "\u24c5\u24c5\u24c4"),
    ],
    ids=ascii,
)
def test_spellings_that_look_alike_are_one(other):
    assert alike("PPO", other)
    assert alike(other, "PPO")
    assert alike(other, other)


@pytest.mark.parametrize(
    "pair",
    [("PPO", "PPO2"), ("SAC", "SAG"), ("DQN", "DON"), ("TD(λ)", "TD(γ)"), ("A2C", "A3C"), ("漢", "字"), ("n", "h")],
)
def test_names_that_readers_tell_apart_are_two(pair):
    assert not alike(*pair)


def test_case_and_capitals_that_look_like_small_letters():
    assert alike("PPOI", "ppoi")
    assert alike("PPOI", "PPOl")
    assert alike("PPO1", "PPOl")
    assert alike("momarl", "rnornarl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\uff30\uff30\uff2f", "expected 'PPO'"),
        (" PPO", "expected 'PPO'"),
        ("P  PO", "expected 'P PO'"),
        ("Gro\u0308ße", "expected 'Gr\\\\xf6\\\\xdfe'"),
        ("!?", "at least one letter or digit"),
        ("🚁", "at least one letter or digit"),
        ("", "at least one letter or digit"),
    ],
)
def test_a_name_has_one_form(text, message):
    with pytest.raises(ValueError, match=message):
        check_name("method", text)


@pytest.mark.parametrize("text", ["PPO", "TD(λ)", "Größe 2", "π-PPO", "强化学习", "R2D2 + LSTM"])
def test_names_of_all_alphabets_are_fine(text):
    check_name("method", text)
    check_text("method", text, 80)


@pytest.mark.parametrize(
    "sign",
    ["\u3164", "\u2800", "\u034f", "\ufe0f", "\u115f", "\u00a0", "\u2003", "\u0378", "\ue000", "\u200d", "\U000e0041"],
    ids=ascii,
)
def test_signs_that_are_not_seen_or_not_assigned_are_refused(sign):
    with pytest.raises(ValueError, match=f"method holds the sign U\\+{ord(sign):04X}"):
        check_text("method", f"P{sign}PO", 80)


def test_no_sign_of_a_letter_that_is_seen_is_refused():
    seen = [chr(code) for code in range(0x3000) if unicodedata.category(chr(code)) in ("Lu", "Ll", "Sm", "So")]
    assert [sign for sign in seen if _UNSEEN.match(sign)] == ["\u2800"]


def test_spelling_ignores_what_readers_do_not_read():
    assert spelling("Soft-PPO") == spelling("soft ppo")
    assert spelling("PPO") != spelling("\u0420\u0420\u041e")


@pytest.mark.parametrize("name", ["\u0420robe", "Pr0be", "Pr\u022fbe"])
def test_a_name_that_looks_like_anothers_is_refused(bench, folder, name):
    board = folder.parents[2]
    bench.verify(folder, 1).save(board)
    meta = {**META, "slug": "other"}
    other = build_submission([bench.runs], bench.track_file, name, board / "submissions", meta=meta)
    with pytest.raises(RefusedError, match="which looks like 'Probe' of 20261101_probe"):
        bench.verify(other, 0)


def test_the_same_name_is_not_refused(bench, folder):
    board = folder.parents[2]
    bench.verify(folder, 1).save(board)
    meta = {**META, "slug": "other"}
    other = build_submission([bench.runs], bench.track_file, "probe", board / "submissions", meta=meta)
    assert bench.verify(other, 0).level == 0

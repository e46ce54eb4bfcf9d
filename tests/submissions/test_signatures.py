"""Keys and signatures; forged ones are in the red team."""

import stat

import pytest

from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.signatures import make_key, sign


def test_signed_submissions_name_their_key(bench, folder):
    board = folder.parents[2]
    public = make_key("team-1", board / "private.pem", board / "keys")
    assert public == board / "keys" / "team-1.pub"
    assert stat.S_IMODE((board / "private.pem").stat().st_mode) == 0o600
    assert b"PRIVATE" not in public.read_bytes()
    sign(folder, "team-1", board / "private.pem")
    found = bench.verify(folder, 1)
    assert found.signed_by == "team-1"
    unsigned = (folder / "submission.sig").read_bytes()
    sign(folder, "team-1", board / "private.pem")
    assert (folder / "submission.sig").read_bytes() == unsigned  # Ed25519 is deterministic


def test_a_key_has_one_id(bench, folder):
    board = folder.parents[2]
    public = make_key("team", board / "private.pem", board / "keys")
    (board / "keys" / "team-2.pub").write_bytes(public.read_bytes())
    sign(folder, "team-2", board / "private.pem")
    with pytest.raises(RefusedError, match="the key 'team-2' is also 'team'"):
        bench.verify(folder, 0)


def test_keys_are_not_overwritten_and_ids_are_plain(tmp_path):
    make_key("a", tmp_path / "private.pem", tmp_path / "keys")
    with pytest.raises(ValueError, match="exists already"):
        make_key("b", tmp_path / "private.pem", tmp_path / "keys")
    for wrong in ("", "A", "../a", "a/b", "a" * 80):
        with pytest.raises(ValueError, match="the key's id"):
            make_key(wrong, tmp_path / "other.pem", tmp_path / "keys")


def test_other_files_are_no_keys(bench, folder, tmp_path):
    (tmp_path / "x.pem").write_text("nonsense")
    with pytest.raises(ValueError, match="is no private key"):
        sign(folder, "a", tmp_path / "x.pem")
    make_key("a", tmp_path / "private.pem", tmp_path / "keys")
    with pytest.raises(ValueError, match="is no submission"):
        sign(tmp_path, "a", tmp_path / "private.pem")

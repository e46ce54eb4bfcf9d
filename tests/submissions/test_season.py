"""Who enters a season, when, how often, on which seeds, and what the ledger notices."""

import dataclasses
import hashlib
import multiprocessing
from datetime import timedelta
from pathlib import Path

import pytest

from envsuite.agents.onnx import Action, Interface
from envsuite.agents.onnx.decode import decode
from envsuite.agents.onnx.digest import network_digest
from envsuite.agents.onnx.encode import encode
from envsuite.agents.onnx.model import Model, Node
from envsuite.agents.onnx.wire import field
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import seal
from envsuite.submissions.ledger import Ledger, enter
from envsuite.submissions.record import load_all
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.retrained import new_seeds
from envsuite.submissions.season import NOTHING, Season, commitment
from envsuite.submissions.signatures import make_key, sign

from .helpers import NOW, SECRET, change_text, network

FORM = "expected a date YYYY-MM-DD or a time YYYY-MM-DDTHH:MM:SSZ"


def ledger_of(folder: Path) -> Path:
    return folder.parents[2] / "seasons" / "autumn.ledger.jsonl"


def revealed(bench, folder: Path) -> Season:
    """The season after its end, as `envsuite leaderboard season reveal` leaves it."""
    last = Ledger(bench.season, folder.parents[2]).last
    return dataclasses.replace(bench.season, secret=SECRET, last_entry=last)


def add(bench, board: Path, method: str, number: int, folder="", **changes) -> int:
    digest, folder = f"{number:064x}", folder or f"entry{number}"
    given = {"track": "probes", "method": method, "digest": digest, "folder": folder, "now": NOW, **changes}
    return enter(bench.season, board, **given)[0]


@pytest.mark.parametrize("days", [-300, 120])
def test_nothing_enters_before_a_season_opens_or_after_it_has_closed(bench, folder, days):
    with pytest.raises(RefusedError, match=r"opens at 2026-01-01 00:00:00 UTC|closed at 2027-01-01 00:00:00 UTC"):
        bench.verify(folder, 2, now=NOW + timedelta(days=days))
    assert not ledger_of(folder).exists()


def test_nothing_new_enters_once_the_secret_is_public_not_even_before_the_end(bench, folder):
    with pytest.raises(RefusedError, match="the secret of season autumn is public: nothing new may enter it"):
        bench.verify(folder, 2, season=revealed(bench, folder), secret=None)


def test_a_former_version_of_a_track_is_replayed_but_enters_nothing_new(bench, folder, tmp_path, monkeypatch):
    tracks = tmp_path / "tracks"
    (tracks / "former").mkdir(parents=True)
    text = bench.track_file.read_text()
    (tracks / "former" / f"{bench.track.name}-1.toml").write_text(text)
    (tracks / f"{bench.track.name}.toml").write_text(text.replace("version = 1", "version = 2"))
    monkeypatch.setattr("envsuite.evaluation.tracks.tracks_folder", lambda: tracks)
    assert load_track(bench.track.name).version == 2
    assert bench.verify(folder, 1, track=None).track_digest == bench.track.digest
    with pytest.raises(RefusedError, match=f"version 1 of the track {bench.track.name} is over"):
        bench.verify(folder, 2, track=None)
    with pytest.raises(ValueError, match="has version 2 and no version 3"):
        load_track(bench.track.name, 3)


def test_what_entered_is_verified_again_by_anybody_at_any_time(bench, folder):
    before = bench.verify(folder, 2)
    before.save(folder.parents[2])
    season = revealed(bench, folder)
    after = bench.verify(folder, 2, season=season, secret=None, now=NOW + timedelta(days=900))
    assert (after.seed_digest, after.ledger_entry, after.ledger_line) == (before.seed_digest, 0, before.ledger_line)
    assert [run.hidden.score for run in after.runs] == [run.hidden.score for run in before.runs]
    other = folder.with_name("20261101_other")
    folder.rename(other)
    change_text(other, "submission.toml", ('slug = "probe"', 'slug = "other"'))
    with pytest.raises(RefusedError, match="nothing new may enter it"):
        bench.verify(other, 2, season=season, secret=None, now=NOW + timedelta(days=900))


def test_a_line_added_after_the_end_shows(bench, folder):
    board = folder.parents[2]
    add(bench, board, "Early", 1)
    season = revealed(bench, folder)
    assert len(Ledger(season, board).entries) == 1
    add(bench, board, "Late", 2)
    with pytest.raises(RefusedError, match="does not end with the line with which the season autumn ended"):
        Ledger(season, board)


def test_a_line_of_another_time_shows(bench, folder):
    add(bench, folder.parents[2], "Early", 1)
    short = dataclasses.replace(bench.season, opens="2026-10-02")
    with pytest.raises(RefusedError, match="line 0 is of 2026-10-01 12:00:00, when the season was not open"):
        Ledger(short, folder.parents[2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"opens": "2026-13-01"}, f"opens is '2026-13-01', {FORM}"),
        ({"opens": "yesterday"}, f"opens is 'yesterday', {FORM}"),
        ({"opens": "2026-01-01T00:00:00"}, FORM),
        ({"closes": "2025-12-30"}, "after opens"),
        ({"opens": "2026-01-01T10:00:00Z", "closes": "2026-01-01T10:00:00Z"}, "after opens"),
        ({"schema": 3}, "schema is 3"),
        ({"secret": SECRET}, "last_entry is '', expected 64 hexadecimal digits exactly with the secret"),
        ({"last_entry": NOTHING}, "exactly with the secret"),
        ({"methods_per_key": 0}, "methods_per_key is 0"),
    ],
)
def test_what_is_no_season_is_refused(tmp_path, change, message):
    season = Season("autumn", "2026-01-01", "2026-12-31", commitment(SECRET))
    path = dataclasses.replace(season, **change).save(tmp_path)
    with pytest.raises(ValueError, match=message):
        Season.load(path)


def test_seasons_last_to_the_second(bench):
    season = dataclasses.replace(bench.season, opens="2026-10-01T12:00:00Z", closes="2026-10-01T12:30:00Z")
    late, early = "closed at 2026-10-01 12:30:00 UTC", "opens at 2026-10-01 12:00:00 UTC"
    for seconds, said in ((-1, early), (0, ""), (1799, ""), (1800, late)):
        assert said in season.why_closed(NOW + timedelta(seconds=seconds))
        assert bool(said) == bool(season.why_closed(NOW + timedelta(seconds=seconds)))


# --- the digest that seeds follow from -----------------------------------------------------------------------------


def test_seeds_follow_from_what_is_scored_alone(bench, folder):
    first = bench.verify(folder, 2)
    (folder / "README.md").write_text("# Other words\n")
    change_text(
        folder, "submission.toml", ("Networks with", "Nets with"), ('"A. Author"', '"Z. Author"'), ('"Probe"', '"Elf"')
    )
    second = bench.verify(folder, 2)
    assert second.digest != first.digest
    assert second.seed_digest == first.seed_digest
    assert [run.hidden.score for run in second.runs] == [run.hidden.score for run in first.runs]
    assert second.ledger_entry == 1  # another method's name: a try of its own, on the same seeds


def test_training_seeds_of_level_3_cannot_be_chosen_by_free_text(bench, folder):
    first = bench.verify(folder, 2)
    (folder / "README.md").write_text("# Other words\n")
    seal(folder)
    assert new_seeds(bench.verify(folder, 2), 5) == new_seeds(first, 5)


def test_the_founding_season_keeps_its_rule(bench, folder):
    season = dataclasses.replace(bench.season, schema=1)
    season.save(folder.parents[2] / "seasons")
    found = bench.verify(folder, 2, season=season)
    assert found.seed_digest == found.digest


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "".join(f"{line}\n" for line in reversed(text.splitlines())),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "\x0b", 1),
    ],
    ids=["order", "line ends", "no last line end", "another line end"],
)
def test_a_list_of_digests_has_one_form(bench, folder, change):
    path = folder / "SHA256SUMS"
    path.write_bytes(change(path.read_text()).encode())
    with pytest.raises(RefusedError, match="SHA256SUMS is not in its one form"):
        bench.verify(folder, 0)


def two_layers(interface_names=("observation", "action")) -> tuple[Model, Interface]:
    model, interface = network("envsuite/QuadHoverGPD-v0", 3)
    return model, dataclasses.replace(interface, observation=interface_names[0], output=interface_names[1])


def renamed(model: Model, rename) -> Model:
    nodes = tuple(
        dataclasses.replace(
            node,
            inputs=tuple(rename(name) if name else "" for name in node.inputs),
            outputs=tuple(rename(name) if name else "" for name in node.outputs),
        )
        for node in model.nodes
    )
    constants = {rename(name): value for name, value in reversed(model.constants.items())}
    ports = [
        tuple(dataclasses.replace(port, name=rename(port.name)) for port in side)
        for side in (model.inputs, model.outputs)
    ]
    return Model(nodes, constants, *ports, model.opset)


def test_a_networks_digest_is_that_of_its_operations():
    model, interface = two_layers()
    digest = network_digest(model, interface)
    assert len(digest) == 64
    other = renamed(model, lambda name: f"x_{name}")
    outside = dataclasses.replace(interface, observation="x_observation", output="x_action", env_id="envsuite/Other-v0")
    assert network_digest(other, outside) == digest
    name = next(iter(model.constants))
    unused = dataclasses.replace(
        model,
        nodes=(*model.nodes, Node("Abs", (name,), ("nobody",))),
        constants={**model.constants, "spare": model.constants[name]},
    )
    assert network_digest(unused, interface) == digest
    written = encode(model)
    assert network_digest(decode(written), interface) == digest
    documented = written + field(6, b"Free text, for another digest.")  # ModelProto.doc_string
    assert network_digest(decode(documented), interface) == digest


def test_a_networks_digest_sees_every_weight_and_setting():
    model, interface = two_layers()
    digests = [network_digest(model, interface)]
    for name, value in model.constants.items():
        changed = value.copy()
        changed.reshape(-1).view("u1")[0] ^= 1
        digests.append(
            network_digest(dataclasses.replace(model, constants={**model.constants, name: changed}), interface)
        )
    digests.append(network_digest(dataclasses.replace(model, opset=18), interface))
    digests.append(network_digest(model, dataclasses.replace(interface, action=Action("clip", (-0.5,), (0.5,)))))
    last = dataclasses.replace(model.nodes[0], attributes={**model.nodes[0].attributes, "alpha": 2.0})
    digests.append(network_digest(dataclasses.replace(model, nodes=(last, *model.nodes[1:])), interface))
    assert len(set(digests)) == len(digests)


def test_settings_that_are_not_used_make_no_difference():
    model, _ = two_layers()
    kinds = [Interface("e", Action("none", temperature=one)) for one in (1.0, 2.0)]
    assert len({network_digest(model, one) for one in kinds}) == 1
    kinds = [Interface("e", Action("sample", temperature=one)) for one in (1.0, 2.0)]
    assert len({network_digest(model, one) for one in kinds}) == 2


# --- tries ----------------------------------------------------------------------------------------------------------


def test_other_spellings_have_no_new_tries(bench, folder):
    board = folder.parents[2]
    add(bench, board, "Soft PPO", 1)
    add(bench, board, "soft-ppo", 2)
    for number, name in enumerate(("SOFTPPO!", "S\u043eft P\u0420O", "S\u0308oft PPO", "\U0001d412oft PPO"), 3):
        with pytest.raises(RefusedError, match="has been evaluated 2 times"):
            add(bench, board, name, number)


def test_strangers_do_not_use_up_the_tries_of_who_signs(bench, folder):
    board = folder.parents[2]
    for number in (1, 2):
        add(bench, board, "PPO", number)
    for number in (3, 4):
        add(bench, board, "PPO", number, signed_by="stranger")
    assert [add(bench, board, "PPO", number, signed_by="team") for number in (5, 6)] == [4, 5]
    for owner in ("", "stranger", "team"):
        with pytest.raises(RefusedError, match="PPO has been evaluated 2 times"):
            add(bench, board, "PPO", 7, signed_by=owner)


def test_a_key_has_a_number_of_methods(bench, folder):
    board = folder.parents[2]
    for number, name in enumerate(("A2C", "PPO", "SAC", "ppo")):
        add(bench, board, name, number, signed_by="team")
    with pytest.raises(RefusedError, match="the key team has entered 3 methods on track probes"):
        add(bench, board, "TD3", 9, signed_by="team")
    assert add(bench, board, "SAC", 10, signed_by="team") == 4
    assert add(bench, board, "TD3", 11, track="others", signed_by="team") == 5


def test_the_key_of_a_signature_is_that_of_the_ledger(bench, folder):
    pytest.importorskip("cryptography")
    board = folder.parents[2]
    make_key("team", board / "private.pem", board / "keys")
    sign(folder, "team", board / "private.pem")
    bench.verify(folder, 2)
    assert [entry.signed_by for entry in Ledger(bench.season, board).entries] == ["team"]


# --- the ledger -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("12:00:00", "12:00:01"), "line 0 has changed since 20261101_probe was verified"),
        (lambda text: "", "lacks line 0, from which 20261101_probe was verified"),
    ],
)
def test_an_edited_last_line_and_an_emptied_file_show(bench, folder, change, message):
    bench.verify(folder, 2).save(folder.parents[2])
    path = ledger_of(folder)
    path.write_text(change(path.read_text()))
    with pytest.raises(RefusedError, match=message):
        bench.verify(folder, 2)


def test_records_hold_the_digest_of_their_line(bench, folder):
    found = bench.verify(folder, 2)
    found.save(folder.parents[2])
    line = ledger_of(folder).read_text().splitlines()[0]
    assert found.ledger_line == hashlib.sha256(line.encode()).hexdigest()
    assert load_all(folder.parents[2])[0].ledger_line == found.ledger_line


def _write(season: Season, board: Path, start: int) -> None:
    for number in range(start, start + 10):
        place = {"track": "probes", "method": f"m{number}", "digest": f"{number:064x}", "folder": f"f{number}"}
        enter(season, board, **place, now=NOW)


def test_several_may_write_at_once_and_no_line_is_lost(bench, folder):
    board = folder.parents[2]
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(bench.season, board, start)) for start in range(0, 40, 10)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    folders = {entry.folder for entry in Ledger(bench.season, board).entries}
    assert folders == {f"f{number}" for number in range(40)}

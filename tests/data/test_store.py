"""The store: what is written is read, what is damaged is refused, and the old version outlives every failure."""

import contextlib
import dataclasses
import errno
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from envsuite.data import load
from envsuite.data.columns import Column, ColumnWriter, file_name, hash_array, hash_file, open_column
from envsuite.data.manifest import Manifest, Source
from envsuite.data.spaces import leaves, space_from_json, space_to_json
from envsuite.data.store import MANIFEST, delete, local, locked, write_dataset

BOX = {"type": "Box", "dtype": "float32", "shape": [2], "low": "-inf", "high": "inf"}


def columns(episodes=3, length=4, fill=0.0):
    steps = episodes * length
    truncated = np.zeros(steps, np.bool_)
    truncated[length - 1 :: length] = True
    return {
        "observations": np.arange(2 * steps, dtype=np.float32).reshape(steps, 2) + np.float32(fill),
        "actions": np.zeros(steps, np.int64),
        "rewards": np.ones(steps, np.float32),
        "terminated": np.zeros(steps, np.bool_),
        "truncated": truncated,
        "offsets": np.arange(episodes + 1) * length,
        "seeds": np.arange(episodes),
        "final_observations": np.full((episodes, 2), -1, np.float32),
    }


def manifest(dataset_id="test/some-v0", **changes):
    discrete = {"type": "Discrete", "n": 3, "start": 0, "dtype": "int64"}
    whole = Manifest(1, dataset_id, "", Source("nobody/Nothing-v0"), BOX, discrete, 3, 12, {})
    return dataclasses.replace(whole, **changes)


def write(root, content=None, pieces=None, **arguments):
    content = content or columns()
    specs = {name: (array.dtype, array.shape) for name, array in content.items()}
    return write_dataset(manifest(), specs, pieces or [content], root, **arguments)


def test_hash_of_a_column_is_blake2b_of_type_shape_and_bytes(tmp_path):
    array = np.arange(6, dtype=np.float32).reshape(3, 2)
    expected = hashlib.blake2b(b"<f4 3,2\n" + array.tobytes(), digest_size=32).hexdigest()
    assert hash_array(array) == expected
    for cuts in ([1, 2], [], [3]):
        path = tmp_path / f"{len(cuts)}{cuts[:1]}.npy"
        writer = ColumnWriter(path, array.dtype, array.shape)
        for piece in np.split(array, cuts):
            writer.append(piece)
        column = writer.finish()
        writer.close()
        assert column == Column("<f4", (3, 2), expected)
        np.testing.assert_array_equal(np.load(path, allow_pickle=False), array)
        np.testing.assert_array_equal(open_column(path, column), array)
        assert hash_file(path, column) == expected
    assert hash_array(array.astype(">f4")) == expected  # stored little-endian
    assert hash_array(array.reshape(2, 3)) != expected
    assert hash_array(array.view(np.int32)) != expected


def test_hash_of_a_dataset_is_of_its_columns_and_their_meaning(tmp_path):
    first = write(tmp_path / "a")
    cut = [{name: array[:5] for name, array in columns().items()}, {n: a[5:] for n, a in columns().items()}]
    assert write(tmp_path / "b", pieces=cut).hash == first.hash
    assert write(tmp_path / "c", columns(fill=1e-3)).hash != first.hash
    whole = load("test/some-v0", tmp_path / "a").manifest
    about = dataclasses.replace(whole.about, title="another")
    assert dataclasses.replace(whole, about=about, id="other/name-v3").content_hash() == first.hash
    for change in ({"source": Source("x/Y-v0")}, {"action_space": BOX}, {"agents": ["a"]}, {"policies": ["random"]}):
        assert dataclasses.replace(whole, **change).content_hash() != first.hash


def test_what_is_written_is_read(tmp_path):
    content = columns()
    told = write(tmp_path, content)
    data = load("test/some-v0", tmp_path, check=True)
    assert data.manifest == told
    assert [one.id for one in local(tmp_path)] == ["test/some-v0"]
    for name, array in content.items():
        np.testing.assert_array_equal(data.columns[name], array)
        assert not data.columns[name].flags.writeable
        assert data.columns[name].dtype == array.dtype
    delete("test/some-v0", tmp_path)
    assert local(tmp_path) == []
    with pytest.raises(FileNotFoundError, match="envsuite datasets generate test/some-v0"):
        load("test/some-v0", tmp_path)


@pytest.mark.parametrize(
    "name", ["../escape-v0", "/abs-v0", "a/../../b-v0", "a-v0/..", "no-version", "a//b-v0", "", "x/.-v0"]
)
def test_ids_that_are_paths_elsewhere_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match="no id of a dataset"):
        load(name, tmp_path)


def test_damage_is_found(tmp_path):
    told = write(tmp_path)
    folder = tmp_path / "test/some-v0"
    path = folder / told.folder / file_name("rewards")
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    with pytest.raises(ValueError, match="is not the column"):
        load("test/some-v0", tmp_path)
    path.write_bytes(good[:-1] + b"\x01")
    load("test/some-v0", tmp_path)
    with pytest.raises(ValueError, match=r"rewards\.npy is damaged"):
        load("test/some-v0", tmp_path, check=True)
    path.write_bytes(good.replace(b"'fortran_order': False", b"'fortran_order': True ", 1))
    with pytest.raises(ValueError, match="is not the column"):
        load("test/some-v0", tmp_path)
    path.unlink()
    with pytest.raises(ValueError, match="is missing"):
        load("test/some-v0", tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(schema=2), "schema is 2"),
        (lambda m: m.update(steps=13), "its hash"),
        (lambda m: m.update(extra=1), "unknown key 'extra'"),
        (lambda m: m["columns"]["rewards"].update(extra=1), "unknown key 'extra'"),
        (lambda m: m["columns"].update({"../../x": m["columns"]["rewards"]}), "its hash"),
        (lambda m: m.pop("hash"), "hash"),
        (lambda m: m.update(id="../x-v0"), "no id of a dataset"),
    ],
)
def test_manifests_that_contradict_themselves_are_refused(tmp_path, change, message):
    write(tmp_path)
    path = tmp_path / "test/some-v0" / MANIFEST
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=message):
        load("test/some-v0", tmp_path)


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("../x", Column("<f4", (12,), "0" * 64), "is not made of letters"),
        ("infos.x", Column("|O", (12,), "0" * 64), "type '|O'"),
        ("infos.x", Column("<f4", (2**60,), "0" * 64), "no shape of a column"),
        ("infos.x", Column("<f4", (-1,), "0" * 64), "no shape of a column"),
        ("infos.x", Column("<f4", (12,), "/etc/passwd"), "hash"),
        ("infos.x", Column("<f4", (11,), "0" * 64), "has 11 rows, expected 12"),
        ("other", Column("<f4", (12,), "0" * 64), "not the name of a column"),
        ("rewards", Column("<f4", (12, 2), "0" * 64), "rewards have shape"),
        ("actions", Column("<f4", (12,), "0" * 64), "its space has"),
        ("terminated", Column("<f4", (12,), "0" * 64), "not bool"),
    ],
)
def test_a_resealed_manifest_is_still_checked(tmp_path, name, column, message):
    told = write(tmp_path)
    bad = dataclasses.replace(told, columns={**told.columns, name: column})
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        bad.sealed()


def test_offsets_may_not_lead_out(tmp_path):
    for wrong in ([0, 4, 4, 12], [0, 4, 20, 12], [1, 4, 8, 12], [0, 8, 4, 12]):
        write(tmp_path, columns() | {"offsets": np.array(wrong)})
        with pytest.raises(ValueError, match="offsets do not rise"):
            load("test/some-v0", tmp_path)


def test_failed_writes_leave_the_old_version(tmp_path):
    old = write(tmp_path)
    new = columns(fill=5)
    with pytest.raises(ValueError, match="rows written, expected 12"):
        write(tmp_path, new, [{name: array[:2] for name, array in new.items()}])
    with pytest.raises(ValueError, match="expected abc"):
        write(tmp_path, new, expected="abc")
    with pytest.raises(ValueError, match="rows are float64"):
        write(tmp_path, new, [new | {"rewards": new["rewards"].astype(np.float64)}])

    def dies():
        yield {"rewards": new["rewards"][:3]}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, new, dies())
    assert load("test/some-v0", tmp_path, check=True).manifest == old
    assert {path.name for path in (tmp_path / "test/some-v0").iterdir()} == {MANIFEST, old.folder}
    assert write(tmp_path, new).hash != old.hash
    assert len(list((tmp_path / "test/some-v0").iterdir())) == 2


FULL_DISK = """
import resource, signal, sys
sys.path.insert(0, {here!r})
from tests.data.test_store import columns, write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (150, 150))
try:
    write({root!r}, columns(fill=5))
except OSError as error:
    print("refused", error.errno)
"""


def test_a_full_disk_leaves_the_old_version(tmp_path):
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    old = write(tmp_path)
    here = str(Path(__file__).parents[2])
    code = FULL_DISK.format(here=here, root=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=here, check=False)
    assert done.stdout.startswith("refused"), done.stderr
    assert load("test/some-v0", tmp_path, check=True).manifest == old
    assert {path.name for path in (tmp_path / "test/some-v0").iterdir()} == {MANIFEST, old.folder}


def test_columns_are_on_the_disk_before_the_manifest_names_them(tmp_path, monkeypatch):
    synced = []

    def sync(number):
        synced.append(Path(os.readlink(f"/proc/self/fd/{number}")).name)

    def commit(folder, partial, whole):
        assert sorted(synced) == sorted(file_name(name) for name in whole.columns)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr("envsuite.data.store.commit", commit)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path)

    def fails(number):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="broken"):
        write(tmp_path)
    assert not (tmp_path / "test/some-v0").exists()


def test_what_killed_writers_leave_is_removed(tmp_path):
    write(tmp_path)
    stale = tmp_path / "test/some-v0" / "1234abcd.partial"
    stale.mkdir()
    (stale / "rewards.npy").write_bytes(b"x")
    write(tmp_path, columns(fill=1))
    assert not stale.exists()


def test_writers_take_turns(tmp_path):
    order = []

    def second():
        order.append("waits")
        write(tmp_path, columns(fill=2))
        order.append("written")

    with locked("test/some-v0", tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.3)
        order.append("released")
    thread.join()
    assert order == ["waits", "released", "written"]


def test_readers_of_the_old_version_keep_it(tmp_path):
    write(tmp_path)
    data = load("test/some-v0", tmp_path)
    write(tmp_path, columns(fill=3))
    assert data.columns["observations"][0, 0] == 0
    assert load("test/some-v0", tmp_path).columns["observations"][0, 0] == 3


def test_damaged_columns_are_replaced_by_the_same_version(tmp_path):
    told = write(tmp_path)
    path = tmp_path / "test/some-v0" / told.folder / file_name("rewards")
    path.write_bytes(b"rubbish")
    write(tmp_path)
    load("test/some-v0", tmp_path, check=True)


def test_spaces_survive_json():
    from gymnasium import spaces

    nested = spaces.Dict(
        {
            "box": spaces.Box(np.array([-1, -np.inf], np.float32), np.array([0.1, np.inf], np.float32)),
            "image": spaces.Box(0, 255, (8, 8, 3), np.uint8),
            "choice": spaces.Discrete(5, start=-2),
            "choices": spaces.MultiDiscrete([2, 3], start=[1, 0]),
            "bits": spaces.MultiBinary((2, 2)),
            "pair": spaces.Tuple([spaces.Text(9, charset="abc"), spaces.Dict({"x": spaces.Discrete(2)})]),
        }
    )
    assert space_from_json(json.loads(json.dumps(space_to_json(nested), allow_nan=False))) == nested
    names = list(leaves(nested, "observations"))
    assert names[-2:] == ["observations.pair._index_0", "observations.pair._index_1.x"]
    for rubbish in ({}, {"type": "Box"}, {"type": "Box", "dtype": "O", "shape": [], "low": 0, "high": 1}, [], 3):
        with pytest.raises(ValueError, match=r"no space|cannot be stored"):
            space_from_json(rubbish)
    with pytest.raises(ValueError, match="not a space that datasets hold"):
        space_to_json(spaces.Sequence(spaces.Discrete(2)))


def test_folders_may_be_named_instead_of_ids(tmp_path):
    write(tmp_path)
    shutil.copytree(tmp_path / "test/some-v0", tmp_path / "elsewhere")
    assert load(tmp_path / "elsewhere").manifest.id == "test/some-v0"
    assert os.listdir(tmp_path / "elsewhere")


WEIRD = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    10**40,
    0.5,
    "",
    "x",
    "../x",
    "<f4",
    "|O",
    [],
    [[]],
    {},
    {"type": "Box"},
    [2**40],
]
WEIRD += [[10**30], [-5], "nan", "float99", "\x00", [["a"]], {"type": "Tuple", "spaces": [None]}]


def mutated(value, rng):
    """A copy with one thing changed, somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = sorted(value)[rng.integers(len(value))]
        if rng.random() < 0.1:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: mutated(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.7:
        place = rng.integers(len(value))
        return [mutated(one, rng) if k == place else one for k, one in enumerate(value)]
    return WEIRD[rng.integers(len(WEIRD))]


def test_a_manifest_with_a_key_twice_is_refused():
    with pytest.raises(ValueError, match="x is not JSON: the key 'id' stands there twice"):
        Manifest.from_json('{"id": "a-v0", "id": "b-v0"}', "x")


def test_mutated_manifests_are_refused_in_words(tmp_path):
    """An attacker who seals what he changed: the answer is a ValueError, or a manifest that is right."""
    write(tmp_path)
    plain = json.loads((tmp_path / "test/some-v0" / MANIFEST).read_text())
    rng = np.random.Generator(np.random.Philox(0))
    refused = 0
    for _ in range(1500):
        bad = mutated(plain, rng)
        with contextlib.suppress(Exception):
            parts = {key: one for key, one in bad.items() if key not in ("id", "hash", "about")}
            parts["columns"] = {name: column["hash"] for name, column in parts["columns"].items()}
            text = json.dumps(parts, sort_keys=True)
            bad["hash"] = hashlib.blake2b(text.encode(), digest_size=32).hexdigest()
        try:
            manifest = Manifest.from_json(json.dumps(bad), "x")
        except ValueError:
            refused += 1
        else:
            assert manifest.columns["rewards"].shape == (12,)
    assert 700 < refused < 1500


def test_spaces_too_large_for_memory_are_refused():
    with pytest.raises(ValueError, match="is no space of observations"):
        space_from_json({"type": "Box", "dtype": "float32", "shape": [2**20, 2**20], "low": 0, "high": 1})

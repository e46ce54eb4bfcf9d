"""Logs of episodes: they replay, every tampering is noticed with its place, and hostile files are refused."""

import io
import json
import pickle
import struct
import tracemalloc
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch, digest
from envsuite.core.world import make_world
from envsuite.evaluation import replay as replays
from envsuite.evaluation.episodes import EpisodeLog, state_digests
from envsuite.evaluation.replay import replay, replayed
from envsuite.evaluation.rollout import expert_policy, play, random_policy

CARD = envsuite.card("QuadHover")
GPD = envsuite.card("QuadHoverGPD")
FIRST = {card.family: env_id for env_id, card in reversed(envsuite.cards().items()) if card.playable}
IDS = sorted(FIRST.values())
"""One of each family; the check ``replays`` of the conformance kit is of every world."""


@pytest.fixture(scope="module")
def log():
    return play(GPD, expert_policy, 5, record=True).log


@pytest.fixture(scope="module")
def short():
    return play(CARD, random_policy, 40, record=True).log


def set_at(log, name, index, value):
    array = getattr(log, name).copy()
    array[index] = value
    return replace(log, **{name: array})


def found(log, card=GPD):
    return (one := replay(log, card)) and (one.episode, one.step, one.what)


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("make", [random_policy, expert_policy])
def test_replay_measures_what_was_played(env_id, make):
    card = envsuite.card(env_id)
    if make is expert_policy and not card.expert:
        pytest.skip(f"{env_id} has no reference player")
    played = play(card, make, 6, record=True)
    fault, again = replayed(played.log, card, num_threads=2)
    assert fault is None
    for name in ("seeds", "returns", "lengths", "terminated", "truncated"):
        np.testing.assert_array_equal(getattr(again, name), getattr(played, name))
    assert set(again.metrics) == set(played.metrics)
    for name, values in played.metrics.items():
        np.testing.assert_array_equal(again.metrics[name], values)


def test_log_is_what_one_instance_does_by_itself(log):
    world = make_world(GPD.world, **GPD.options)
    for episode in (0, 3):
        batch = Batch(world, 1, horizon=GPD.horizon)
        batch.seed([int(log.seeds[episode])])
        batch.reset()
        marks = list(log.digests[log.digest_offsets[episode] : log.digest_offsets[episode + 1]])
        rows = range(log.offsets[episode], log.offsets[episode + 1])
        for step, row in enumerate(rows, 1):
            output = batch.step(log.actions[row : row + 1])
            assert output.rewards[0] == log.rewards[row]
            if step % 100 == 0 or row == rows[-1]:
                expected = int.from_bytes(bytes.fromhex(digest(batch.states))[:8], "little")
                assert marks.pop(0) == expected
        assert batch.done[0]
        assert marks == []


def test_digests_ignore_what_lies_between_records():
    world = make_world(CARD.world)
    batch = Batch(world, 6)
    batch.seed(range(6))
    batch.reset()
    each = [int.from_bytes(bytes.fromhex(digest(batch.states[k : k + 1]))[:8], "little") for k in range(6)]
    junk = [np.full(6 * batch.states.itemsize, 255, np.uint8) for _ in range(50)]
    del junk
    np.testing.assert_array_equal(state_digests(batch.states, np.array([4, 1, 5])), [each[k] for k in (4, 1, 5)])


def test_survives_the_disk_and_equal_logs_give_equal_files(log, tmp_path):
    log.save(tmp_path / "one.npz")
    log.save(tmp_path / "two.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.npz", "two.npz"]
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    again = EpisodeLog.load(tmp_path / "one.npz")
    assert replay(again, GPD) is None
    for name in ("seeds", "offsets", "actions", "rewards", "terminated", "truncated", "digests", "digest_offsets"):
        np.testing.assert_array_equal(getattr(again, name), getattr(log, name))
        assert getattr(again, name).dtype == getattr(log, name).dtype


def test_part_is_a_log_of_its_own(log):
    part = log.part(2, 4)
    np.testing.assert_array_equal(part.seeds, log.seeds[2:4])
    np.testing.assert_array_equal(part.actions, log.actions[log.offsets[2] : log.offsets[4]])
    assert replay(part, GPD) is None


@pytest.mark.parametrize("episode", [0, 2, 4])
@pytest.mark.parametrize("step", [0, 150, 241])
def test_notices_a_changed_reward_in_its_last_bit(log, episode, step):
    row = log.offsets[episode] + step
    changed = set_at(log, "rewards", row, np.nextafter(log.rewards[row], np.float32(100)))
    assert found(changed) == (episode, step, "reward")


def test_notices_a_changed_action_at_the_first_thing_that_changes(log):
    row = log.offsets[2] + 50
    changed = set_at(log, "actions", (row, 1), log.actions[row, 1] * np.float32(0.5) + np.float32(0.1))
    episode, step, what = found(changed)
    assert (episode, what) == (2, "reward")
    assert 50 <= step < 60


def test_notices_a_changed_last_action(log):
    last = log.offsets[1] - 1
    changed = set_at(log, "actions", (last, 0), -log.actions[last, 0] + np.float32(0.25))
    assert found(changed)[:2] == (0, 241)


def test_notices_changed_digests_flags_and_seeds(log):
    for mark, step in ((0, 99), (1, 199), (2, 241)):
        index = log.digest_offsets[3] + mark
        assert found(set_at(log, "digests", index, log.digests[index] ^ 1)) == (3, step, "state")
    for name in ("terminated", "truncated"):
        value = not getattr(log, name)[4]
        assert found(set_at(log, name, 4, value)) == (4, 241, name)
    assert found(set_at(log, "seeds", 1, 5))[0] == 1


def test_first_departure_is_that_of_the_lowest_episode(log):
    both = set_at(set_at(log, "rewards", log.offsets[3] + 2, 9), "rewards", log.offsets[1] + 200, 9)
    assert found(both) == (1, 200, "reward")
    text = str(replay(both, GPD))
    assert text.startswith("episode 1 (seed 1000000001), step 200: the reward is ")
    assert text.endswith("recorded was 9.0")


def test_first_departure_is_found_in_later_blocks(short, monkeypatch):
    monkeypatch.setattr(replays, "_BLOCK", 7)
    assert replay(short, CARD) is None
    assert found(set_at(short, "rewards", short.offsets[23] + 4, 9), CARD) == (23, 4, "reward")


@pytest.mark.parametrize("cut", [True, False])
def test_notices_a_cut_or_padded_episode(short, cut):
    # the boundary between two episodes is moved by one step
    episode = next(k for k in range(1, 40) if short.lengths[k] > 2 and short.lengths[k - 1] > 2)
    moved = set_at(short, "offsets", episode, short.offsets[episode] + (-1 if cut else 1))
    length = int(short.lengths[episode - 1])
    assert found(moved, CARD) == (episode - 1, length - 2 if cut else length - 1, "length")
    text = str(replay(moved, CARD))
    assert f"the length is {'longer' if cut else length}, recorded was {length - 1 if cut else length + 1}" in text


@pytest.mark.parametrize("value", [np.nan, np.inf, 1.5, -1.0000001])
def test_actions_that_cannot_have_been_taken_are_departures(log, value):
    assert found(set_at(log, "actions", (log.offsets[2] + 7, 3), value)) == (2, 7, "action")


def test_negative_zero_and_nan_rewards_are_compared_by_bits():
    card = envsuite.card("QuadHoverGPD")
    log = play(card, random_policy, 3, record=True).log
    zeros = np.flatnonzero(log.rewards == 0)
    assert zeros.size, "a crash is not rewarded"
    assert found(set_at(log, "rewards", zeros[0], -0.0), card)[2] == "reward"
    assert found(set_at(log, "rewards", 0, np.nan), card) == (0, 0, "reward")


def test_refuses_another_environment(log):
    for other in (CARD, replace(GPD, options={"physics": "dyn"}), replace(GPD, behaviour="0" * 16)):
        with pytest.raises(ValueError, match="the log's "):
            replay(log, other)
    with pytest.raises(ValueError, match=r"actions are float64 \(T, \(4,\)\), expected float32"):
        replay(replace(log, actions=log.actions.astype(np.float64)), GPD)
    with pytest.raises(ValueError, match="rewards are"):
        replay(replace(log, rewards=log.rewards[:, np.newaxis]), GPD)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("offsets", [0, 242, 484, 726, 968, 1211], "offsets do not rise from 0 to 1210"),
        ("offsets", [0, 484, 242, 726, 968, 1210], "offsets do not rise"),
        ("offsets", [-242, 242, 484, 726, 968, 1210], "offsets do not rise"),
        ("offsets", [0, 0, 484, 726, 968, 1210], "offsets do not rise"),
        ("offsets", [0, 242, 484, 726, 968], r"offsets are int64 \(5,\)"),
        ("seeds", [], "seeds have shape"),
        ("seeds", [1, 2, 3, 4, -5], "seed -5 is negative"),
        ("digest_offsets", [0, 3, 6, 9, 12, 16], "digest_offsets do not rise"),
        ("digest_offsets", [0, 2, 6, 9, 12, 15], "one digest every 100 steps"),
        ("terminated", [True], r"terminated are bool \(1,\)"),
        ("rewards", [1.0], "rewards are"),
        ("interval", 0, "interval is 0"),
        ("options", [], "options is "),
    ],
)
def test_inconsistent_logs_are_refused(log, name, value, message):
    kept = getattr(log, name)
    value = np.array(value, kept.dtype) if isinstance(kept, np.ndarray) else value
    with pytest.raises(ValueError, match=message):
        replace(log, **{name: value})


def npz(log, path, **changes):
    """A file as `save` writes it, with some entries replaced by raw bytes or left out."""
    log.save(path)
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries |= {f"{name}.npy": content for name, content in changes.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            if content is not None:
                archive.writestr(name, content)


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def header(shape, descr="<i8"):
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


HOSTILE = {
    "objects": {"seeds": npy(np.array([{}], dtype=object), allow_pickle=True)},
    "a huge shape": {"seeds": header("(9000000000000000000,)")},
    "a negative shape": {"seeds": header("(-1,)")},
    "a negative shape and much behind it": {"seeds": header("(-1,)") + bytes(8_000_000)},
    "two negative lengths": {"seeds": header("(-2, -3)") + bytes(48)},
    "a later version of heads": {"seeds": b"\x93NUMPY\x02\x00" + struct.pack("<I", 1 << 31) + bytes(100)},
    "a long header": {"header": npy(np.array("{}" + " " * 300_000))},
    "a key twice": {"header": npy(np.array('{"schema": 1, "schema": 1}'))},
    "an overflowing shape": {"actions": header("(4294967296, 4294967296, 4294967296)", "<f4")},
    "fields": {"seeds": npy(np.zeros(5, [("a", "<i8")]))},
    "times": {"seeds": npy(np.zeros(5, "M8[s]"))},
    "code in its header": {"seeds": header("__import__('os').system('false')")},
    "a short entry": {"rewards": npy(np.zeros(1210, np.float32))[:-1]},
    "a long entry": {"rewards": npy(np.zeros(1210, np.float32)) + b"x"},
    "a missing entry": {"rewards": None},
    "an added entry": {"extra": npy(np.zeros(1))},
    "a path": {"../../escape": npy(np.zeros(1))},
    "another schema": {"header": npy(np.array(json.dumps({"schema": 2})))},
    "other keys": {"header": npy(np.array(json.dumps({"schema": 1, "env_id": 3})))},
    "no JSON": {"header": npy(np.array("{"))},
    "deep JSON": {"header": npy(np.array("[" * 100_000))},
    "a number for its header": {"header": npy(np.array(3))},
    "a number for its id": {
        "header": npy(np.array(json.dumps({"schema": 1, "env_id": 3, "options": {}, "behaviour": "", "interval": 1})))
    },
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused(log, tmp_path, case):
    npz(log, tmp_path / "bad.npz", **HOSTILE[case])
    with pytest.raises(ValueError, match="is not a log of episodes"):
        EpisodeLog.load(tmp_path / "bad.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.npz"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bound_are_refused(log, tmp_path, method):
    log.save(tmp_path / "good.npz")
    with zipfile.ZipFile(tmp_path / "good.npz") as old, zipfile.ZipFile(tmp_path / "bad.npz", "w", method) as new:
        for name in old.namelist():
            new.writestr(name, bytes(100_000_000) if name == "rewards.npy" else old.read(name))
    tracemalloc.start()
    with pytest.raises(ValueError, match=f"is packed by method {method}"):
        EpisodeLog.load(tmp_path / "bad.npz")
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_no_more_is_read_than_a_negative_shape_needs(log, tmp_path):
    npz(log, tmp_path / "bad.npz", seeds=header("(-1,)") + bytes(100_000_000))
    tracemalloc.start()
    with pytest.raises(ValueError, match="with a negative length"):
        EpisodeLog.load(tmp_path / "bad.npz")
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_zip_bombs_are_refused_before_they_are_unpacked(log, tmp_path):
    npz(log, tmp_path / "bad.npz", rewards=header("(50000000,)", "<f4") + bytes(200_000_000))
    assert (tmp_path / "bad.npz").stat().st_size < 1_000_000
    with pytest.raises(ValueError, match="unpacks to"):
        EpisodeLog.load(tmp_path / "bad.npz", max_bytes=100_000_000)


@pytest.mark.parametrize("content", [b"", b"not a zip", pickle.dumps([1, 2]), b"PK\x05\x06" + bytes(18)])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a log of episodes"):
        EpisodeLog.load(path)


def test_random_damage_is_refused_or_harmless(log, tmp_path):
    path = tmp_path / "bad.npz"
    log.part(0, 1).save(path)
    content = path.read_bytes()
    generator = np.random.Generator(np.random.Philox(0))
    for _ in range(300):
        damaged = bytearray(content)
        for place in generator.integers(len(content), size=generator.integers(1, 6)):
            damaged[place] = generator.integers(256)
        path.write_bytes(
            bytes(damaged[: generator.integers(1, len(damaged) + 1)] if generator.random() < 0.3 else damaged)
        )
        try:
            EpisodeLog.load(path)
        except ValueError:
            continue


def test_missing_files_are_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        EpisodeLog.load(tmp_path / "none.npz")

"""What an attacker might try: each case changes a good submission, and knows what must be answered.

``python -m tests.submissions.red_team_cases`` tries them all and writes ``docs/red-team.md``.
"""

import contextlib
import dataclasses
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import numpy as np

from envsuite.agents.onnx import Graph
from envsuite.agents.onnx.decode import decode
from envsuite.agents.onnx.encode import encode
from envsuite.agents.onnx.model import Model, Node, Port
from envsuite.agents.onnx.wire import field
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.protocol import evaluate_task
from envsuite.evaluation.results import read_results, write_results
from envsuite.evaluation.rollout import policy_maker
from envsuite.evaluation.tracks import load_track
from envsuite.submissions import jail
from envsuite.submissions.build import seal
from envsuite.submissions.info import Submission
from envsuite.submissions.ledger import enter
from envsuite.submissions.record import RunScore, Verification
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.sandbox import ENVIRONMENT, Sandbox
from envsuite.submissions.season import NOTHING, Season
from envsuite.submissions.signatures import make_key, sign

from .helpers import NOW, SECRET, TASKS, Bench, change_log, change_results, change_text, network, write_track

PAGE = Path(__file__).parents[2] / "docs" / "red-team.md"


@dataclasses.dataclass(frozen=True)
class Case:
    """One attempt.

    Attributes:
        title: what was tried.
        change: does it to a copy of the submission.
        level: at which it is verified.
        kind: of the refusal; ``"accepted"`` where the submission is accepted without harm.
        match: pattern of the answer.
        settings: further settings of the verification.
    """

    title: str
    change: Callable[[Path], object]
    level: int
    kind: str
    match: str
    settings: Callable[[Bench], dict] = lambda bench: {}


CASES: dict[str, list[Case]] = {"Tampering": [], "Hostile files": [], "Hostile networks": [], "The season": []}


def case(group: str, title: str, level: int, kind: str, match: str, settings=lambda bench: {}):
    def declare(change):
        CASES[group].append(Case(title, change, level, kind, match, settings))
        return change

    return declare


def answer(bench: Bench, one: Case, place: Path) -> tuple[str, str]:
    """Try a case: kind and reason of the refusal, or what was accepted."""
    folder = bench.copy(place)
    one.change(folder)
    try:
        found = bench.verify(folder, one.level, **one.settings(bench))
    except RefusedError as error:
        return error.kind, error.reason
    notes = "; ".join([*([found.next_level] if found.next_level else []), *found.flags])
    return "accepted", f"at level {found.level}" + (f": {notes}" if notes else "")


# --- tampering; unless said otherwise the attacker writes SHA256SUMS anew -------------------------------------------


def log_case(title: str, match: str, kind: str = "replay", level: int = 1):
    """A case that changes the arrays of the first action log."""

    def declare(change):
        CASES["Tampering"].append(Case(title, lambda folder: change_log(folder, change), level, kind, match))
        return change

    return declare


@log_case("one bit of one reward", r"hover, train seed 0: episode 1 .*, step 7: the reward is")
def _reward(arrays):
    arrays["rewards"].view(np.uint32)[arrays["offsets"][1] + 7] ^= 1


@log_case("one action", r"episode 2 .*, step 3: the (reward|state) is")
def _action(arrays):
    arrays["actions"][arrays["offsets"][2] + 3, 0] += 0.125


@log_case("one bit of one action, too little to change any state", "acts otherwise than recorded", "policy", 2)
def _action_bit(arrays):
    arrays["actions"].view(np.uint32)[arrays["offsets"][2] + 3, 0] ^= 1


@log_case("an action outside its bounds", "step 0: the action is none that the environment can have taken")
def _outside(arrays):
    arrays["actions"][0, 0] = 1.5


@log_case("an action that is not a number", "step 5: the action is none that the environment can have taken")
def _nan(arrays):
    arrays["actions"][5, 1] = np.nan


@log_case("one digest of the state", r"episode 0 .*, step 99: the state is")
def _digest(arrays):
    arrays["digests"][0] ^= np.uint64(1)


@log_case("digests of the state only every million steps", "has a digest every 1000000 steps, expected 100", "schema")
def _far_apart(arrays):
    header = json.loads(str(arrays["header"])) | {"interval": 1_000_000}
    ends = np.array([end for _, end in itertools.pairwise(arrays["digest_offsets"])]) - 1
    arrays |= {"header": np.array(json.dumps(header, sort_keys=True)), "digests": arrays["digests"][ends]}
    arrays["digest_offsets"] = np.arange(len(ends) + 1)


@log_case("the flag 'truncated' of one episode", "the truncated is True, recorded was False")
def _truncated(arrays):
    arrays["truncated"][1] = False


@log_case("the flag 'terminated' in the log alone", "the terminated of .* are not those of the results", "schema")
def _terminated_log(arrays):
    arrays["terminated"][1] = True


@log_case("the seeds of the log", "the seeds of .* are not those of the results", "schema")
def _seeds(arrays):
    arrays["seeds"] += 1


@log_case("the seeds of two episodes exchanged", "the seeds of .* are not those of the results", "schema")
def _exchanged(arrays):
    arrays["seeds"][[0, 1]] = arrays["seeds"][[1, 0]]


@log_case("offsets that do not rise", "offsets do not rise", "schema")
def _falling(arrays):
    arrays["offsets"][1] = arrays["offsets"][2]


@log_case("the border between two episodes moved by a step", "the lengths of .* are not those", "schema")
def _border(arrays):
    arrays["offsets"][1] -= 1


@log_case("offsets beyond the data", "offsets do not rise from 0 to", "schema")
def _beyond(arrays):
    arrays["offsets"][-1] += 1000


@log_case("the behaviour hash of the log", "the behaviour of .* are not those of the results", "schema")
def _behaviour(arrays):
    header = json.loads(str(arrays["header"]))
    arrays["header"] = np.array(json.dumps({**header, "behaviour": "0" * 16}))


@log_case("another environment in the log", "the env_id of .* are not those of the results", "schema")
def _environment(arrays):
    header = json.loads(str(arrays["header"]))
    arrays["header"] = np.array(json.dumps({**header, "env_id": "envsuite/QuadHover-v0"}))


@case(
    "Tampering", "the last step of every episode left out, everywhere", 1, "plausibility", "241 steps, not terminated"
)
def _cut(folder: Path):
    def change(arrays):
        keep = np.ones(len(arrays["actions"]), bool)
        keep[arrays["offsets"][1:] - 1] = False
        arrays["actions"], arrays["rewards"] = arrays["actions"][keep], arrays["rewards"][keep]
        arrays["offsets"] -= np.arange(len(arrays["offsets"]))

    change_log(folder, change)
    change_results(folder, lambda result: {"lengths": [length - 1 for length in result.lengths]})


@case("Tampering", "'terminated' claimed for an episode that ran out of time", 1, "replay", "the terminated is False")
def _ended(folder: Path):
    change_log(folder, lambda arrays: arrays["terminated"].__setitem__(0, True))
    change_results(folder, lambda result: {"terminated": [True, *result.terminated[1:]]})


@case("Tampering", "an episode left out", 0, "schema", "episodes is 3, expected 4")
def _missing(folder: Path):
    _drop_episode(folder)


def _drop_episode(folder: Path) -> None:
    log_path = folder / read_results(folder)[0].actions
    EpisodeLog.load(log_path).part(0, 3).save(log_path)
    names = ("returns", "lengths", "terminated")
    change_results(
        folder,
        lambda result: {
            "episodes": 3,
            "mean_return": float(np.mean(result.returns[:3])),
            "metrics": {name: values[:3] for name, values in result.metrics.items()},
            **{name: getattr(result, name)[:3] for name in names},
        },
    )


@case("Tampering", "an episode left out of the log alone", 0, "schema", "the seeds of .* are not those of the results")
def _missing_log(folder: Path):
    log_path = folder / read_results(folder)[0].actions
    EpisodeLog.load(log_path).part(0, 3).save(log_path)
    seal(folder)


@case("Tampering", "the best episode given twice", 0, "schema", "episodes is 5, expected 4")
def _extra(folder: Path):
    names = ("returns", "lengths", "terminated")
    change_results(
        folder,
        lambda result: {
            "episodes": 5,
            "metrics": {name: [*values, values[0]] for name, values in result.metrics.items()},
            **{name: [*getattr(result, name), getattr(result, name)[0]] for name in names},
        },
    )


def _raised(result, gain=10.0):
    returns = [value + gain for value in result.returns]
    mean = float(np.mean(returns))
    shift = (mean - result.mean_return) / (471.19 - 16.234)
    return {"returns": returns, "mean_return": mean, "score": mean, "normalised": result.normalised + shift}


@case("Tampering", "higher returns with fitting aggregates", 1, "replay", "episode 0: returns is .*, the replay gives")
def _returns(folder: Path):
    change_results(folder, _raised)


@case("Tampering", "a return beyond what the rules permit", 0, "plausibility", "possible are")
def _impossible(folder: Path):
    change_results(folder, lambda result: _raised(result, 20_000.0))


for _name, _gain in (("mean_return", 1.0), ("score", 1.0), ("normalised", 0.01)):

    @case("Tampering", f"the aggregate {_name} alone", 0, "arithmetic", f"{_name} is .*, its parts give")
    def _aggregate(folder: Path, name=_name, gain=_gain):
        change_results(folder, lambda result: {name: getattr(result, name) + gain})


@case("Tampering", "a metric of one episode", 1, "replay", "episode 0: .* is 0.123, the replay gives")
def _metric(folder: Path):
    def change(result):
        name = next(iter(result.metrics))
        return {"metrics": {**result.metrics, name: [0.123, *result.metrics[name][1:]]}}

    change_results(folder, change)


for _name, _value in (
    ("first_seed", 7),
    ("behaviour", "0" * 16),
    ("options", {"max_episode_steps": 10}),
    ("env_id", "envsuite/QuadHover-v0"),
    ("deterministic", False),
):

    @case("Tampering", f"{_name} in the results", 0, "schema", f"{_name} is .*, expected")
    def _protocol(folder: Path, name=_name, value=_value):
        change_results(folder, lambda result: {name: value})


@case("Tampering", "more training steps than the track allows", 0, "plausibility", "the track allows 10000 steps")
def _budget(folder: Path):
    change_results(folder, lambda result: {"checkpoint": 20_000})
    change_text(folder, "submission.toml", ("hover = 1000", "hover = 20000"))


@case("Tampering", "fewer training steps stated than the results have", 0, "arithmetic", "training_steps are")
def _steps(folder: Path):
    change_text(folder, "submission.toml", ("hover = 1000", "hover = 10"))


@case("Tampering", "another network in place of the one that played", 2, "policy", "acts otherwise than recorded")
def _swapped(folder: Path):
    model, interface = network(TASKS["hover"][0], 99)
    _replace_network(folder, encode(model), interface.to_json())


@case("Tampering", "another network, its digest in the results left", 0, "arithmetic", "policy_sha256 is not that of")
def _swapped_plainly(folder: Path):
    path = folder / read_results(folder)[0].policy
    path.write_bytes(encode(network(TASKS["hover"][0], 99)[0]))
    seal(folder)


@case(
    "Tampering",
    "other bounds of actions in a network's description",
    2,
    "policy",
    "acts otherwise than recorded",
)
def _bounds(folder: Path):
    change_text(folder, "policy/hover/0.json", ("1.0\n", "1e-06\n"))


@case(
    "Tampering",
    "one run given as two training seeds",
    0,
    "duplicate",
    "have the same policy; they are one run given twice",
)
def _twice(folder: Path):
    first, second = (folder / "policy" / "hover" / f"{seed}.onnx" for seed in (0, 1))
    shutil.copyfile(first, second)
    change_results(folder, lambda result: {"policy_sha256": read_results(folder)[0].policy_sha256}, 1)


@case(
    "Tampering", "one run given as two training seeds, with retouched weights", 0, "duplicate", "have the same actions"
)
def _twice_retouched(folder: Path):
    first, second = (read_results(folder)[k] for k in (0, 1))
    shutil.copyfile(folder / first.actions, folder / second.actions)
    names = ("returns", "lengths", "terminated", "metrics", "mean_return", "score", "normalised")
    change_results(folder, lambda result: {name: getattr(first, name) for name in names}, 1)


@case("Tampering", "single episodes given as training runs", 0, "schema", "episodes is 1, expected 4")
def _episodes_as_runs(folder: Path):
    results = read_results(folder)
    first = results[0]
    lines = [
        dataclasses.replace(
            first,
            train_seed=k,
            episodes=1,
            first_seed=first.first_seed + k,
            actions=None,
            policy=None,
            policy_sha256=None,
            metrics={name: values[k : k + 1] for name, values in first.metrics.items()},
            mean_return=first.returns[k],
            score=first.returns[k],
            **{name: getattr(first, name)[k : k + 1] for name in ("returns", "lengths", "terminated")},
        )
        for k in range(2)
    ]
    write_results(folder / "results.jsonl", [*lines, *results[2:]])
    seal(folder)


@case("Tampering", "two lines for one training seed", 0, "duplicate", "2 lines have the train seed 0")
def _same_seed(folder: Path):
    results = read_results(folder)
    write_results(folder / "results.jsonl", [results[0], *results])
    seal(folder)


@case("Tampering", "the worse of two runs left out of one task", 0, "schema", "train seeds differ from train_seeds")
def _best_run(folder: Path):
    results = read_results(folder)
    write_results(folder / "results.jsonl", results[1:])
    seal(folder)


@case("Tampering", "a hard task left out", 0, "schema", "pair: train seeds differ from train_seeds")
def _best_task(folder: Path):
    write_results(folder / "results.jsonl", [result for result in read_results(folder) if result.task == "hover"])
    change_text(folder, "submission.toml", ("pair = 1000\n", ""))


@case("Tampering", "training on evaluation seeds", 0, "plausibility", "seeds from 1000000000 on are for evaluation")
def _evaluation_seed(folder: Path):
    for which in (0, 2):
        change_results(folder, lambda result: {"train_seed": 1_000_000_000}, which)
    change_text(folder, "submission.toml", ("train_seeds = [0, 1]", "train_seeds = [1, 1000000000]"))


@case("Tampering", "repeated episodes, by the authors' own statement", 0, "plausibility", "by its own statement")
def _attempts(folder: Path):
    change_text(folder, "submission.toml", ("multiple_attempts = false", "multiple_attempts = true"))


@case("Tampering", "another number of weights", 0, "arithmetic", "parameters are 1, the largest policy has")
def _weights(folder: Path):
    info = Submission.from_toml((folder / "submission.toml").read_text())
    change_text(folder, "submission.toml", (f"parameters = {info.parameters}", "parameters = 1"))


@case("Tampering", "submission.toml edited, SHA256SUMS left", 0, "files", "submission.toml has SHA-256")
def _edited(folder: Path):
    change_text(folder, "submission.toml", ("Probe", "Prone"), sealed=False)


@case("Tampering", "another track's name", 0, "schema", "track is 'quadcopters', expected 'probes'")
def _track(folder: Path):
    change_text(folder, "submission.toml", ('track = "probes"', 'track = "quadcopters"'))


@case("Tampering", "a submission under another folder's name", 0, "schema", "expected '20261102_other'")
def _renamed(folder: Path):
    change_text(folder, "submission.toml", ('date = "2026-11-01"', 'date = "2026-11-02"'), ('"probe"', '"other"'))


@case("Tampering", "a date in the year 9999", 0, "plausibility", "date is 9999-12-31, which is yet to come")
def _future(folder: Path):
    change_text(folder, "submission.toml", ('date = "2026-11-01"', 'date = "9999-12-31"'))


@case("Tampering", "a date in the year 1", 0, "schema", "date is '0001-01-01', expected a date YYYY-MM-DD from 2026")
def _past(folder: Path):
    change_text(folder, "submission.toml", ('date = "2026-11-01"', 'date = "0001-01-01"'))


@case("Tampering", "the lines of SHA256SUMS in another order", 0, "files", "SHA256SUMS is not in its one form")
def _other_order(folder: Path):
    path = folder / "SHA256SUMS"
    path.write_text("".join(f"{line}\n" for line in reversed(path.read_text().splitlines())))


@case("Tampering", "other line ends in SHA256SUMS", 0, "files", "SHA256SUMS is not in its one form")
def _other_ends(folder: Path):
    path = folder / "SHA256SUMS"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@case("Tampering", "a number in the results that stands there twice", 0, "schema", "the key 'score' stands there twice")
def _twice(folder: Path):
    change_text(folder, "results.jsonl", ('"score": ', '"score": 1e9, "score": '))


@case(
    "Tampering", "edited after signing, SHA256SUMS written anew", 0, "signature", "the signature is not one of 'team'"
)
def _signed(folder: Path):
    make_key("team", folder.parents[2] / "private.pem", folder.parents[2] / "keys")
    sign(folder, "team", folder.parents[2] / "private.pem")
    change_text(folder, "README.md", ("Probe", "Improved"))


@case("Tampering", "a signature by an unknown key", 0, "signature", "the key 'stranger' is unknown")
def _stranger(folder: Path):
    make_key("stranger", folder.parents[2] / "private.pem", folder.parents[2] / "elsewhere")
    sign(folder, "stranger", folder.parents[2] / "private.pem")


@case("Tampering", "one's own key under another's id", 0, "signature", "the signature is not one of 'team'")
def _impostor(folder: Path):
    make_key("team", folder.parents[2] / "team.pem", folder.parents[2] / "keys")
    make_key("team", folder.parents[2] / "own.pem", folder.parents[2] / "elsewhere")
    sign(folder, "team", folder.parents[2] / "own.pem")


@case("Tampering", "a key's id that is a path", 0, "signature", "does not consist of a key's id and a signature")
def _key_path(folder: Path):
    (folder / "submission.sig").write_text("../../../etc/passwd AAAA\n")


@case(
    "Tampering",
    "actions found by search, without a policy",
    2,
    "accepted",
    "at level 1: 4 of 4 runs have no ONNX policy; no network: .*, and it has no rank",
)
def _search(folder: Path):
    _no_networks(folder)


@case(
    "Tampering",
    "the expert's actions with noise, a log for each claimed training seed, without a network",
    1,
    "accepted",
    "at level 1: no network: its actions can have been searched for, and it has no rank",
)
def _noisy_expert(folder: Path):
    track = load_track(write_track(folder.parents[2] / "tracks"))
    for which, old in enumerate(read_results(folder)):
        made, log = evaluate_task(
            track.task(old.task), _noisy(which), train_seed=old.train_seed, checkpoint=old.checkpoint
        )
        log.save(folder / str(old.actions))
        change_results(folder, lambda result, made=made, old=old: vars(made) | {"actions": old.actions}, which)
    _no_networks(folder)


def _noisy(seed: int):
    expert, generator = policy_maker("expert"), np.random.default_rng(seed)

    def maker(world, slots):
        policy = expert(world, slots)
        act = policy.act

        def noisy(observations, states):
            actions = act(observations, states)
            return np.clip(actions + generator.normal(0, 0.01, actions.shape), -1, 1).astype(actions.dtype)

        policy.act = noisy
        return policy

    return maker


def _no_networks(folder: Path) -> None:
    info = Submission.from_toml((folder / "submission.toml").read_text())
    for which in range(4):
        change_results(folder, lambda result: {"policy": None, "policy_sha256": None}, which)
    shutil.rmtree(folder / "policy")
    change_text(folder, "submission.toml", (f"parameters = {info.parameters}", "parameters = 0"))


# --- hostile files --------------------------------------------------------------------------------------------------

PICKLE = b"\x80\x04\x95\x1e\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x02id\x85R."


def _torch_zip() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("archive/data.pkl", PICKLE)
        archive.writestr("archive/data/0", bytes(64))
    return content.getvalue()


def _write(name: str, content: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        seal(folder)

    return change


def _object_array() -> bytes:
    content = io.BytesIO()
    np.savez(content, header=np.array([{"a": 1}], dtype=object))
    return content.getvalue()


def _bomb(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of some hundred kilobytes whose entry unpacks to 288 MB."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        names = ("header", "seeds", "offsets", "actions", "rewards", "terminated", "truncated", "digests")
        for name in names:
            archive.writestr(f"{name}.npy", b"")
        with archive.open("digest_offsets.npy", "w", force_zip64=True) as entry:
            for _ in range(18 if method == zipfile.ZIP_DEFLATED else 2):
                entry.write(bytes(1 << 24))
    return content.getvalue()


def _head_first(head: bytes) -> bytes:
    """An archive whose first array begins like this, and has 64 MB behind it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.npy", head + bytes(64_000_000))
        for name in ("seeds", "offsets", "actions", "rewards", "terminated", "truncated", "digests", "digest_offsets"):
            archive.writestr(f"{name}.npy", b"")
    return content.getvalue()


def _negative() -> bytes:
    text = "{'descr': '<U1', 'fortran_order': False, 'shape': (-1,), }".ljust(117) + "\n"
    return _head_first(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())


def _long_head() -> bytes:
    return _head_first(b"\x93NUMPY\x02\x00" + struct.pack("<I", 1 << 31))


def _metrics() -> bytes:
    return json.dumps({"schema": 1, "metrics": {f"m{k}": [0.0] for k in range(200_000)}}).encode()


def _traversing() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("../../../../tmp/evil.npy", b"x")
    return content.getvalue()


LOG = "actions/hover-0.npz"
for _title, _name, _content, _kind, _match in (
    ("a pickle", "policy.pkl", PICKLE, "files", "policy.pkl is not allowed: such files can run code"),
    ("a pickle named as a network", "policy/hover/0.onnx", PICKLE, "files", "is a pickle"),
    ("a pickle named as an action log", LOG, PICKLE, "files", "is a pickle"),
    ("a PyTorch file", "policy/hover/0.pt", _torch_zip(), "files", "is not allowed: such files can run code"),
    ("a PyTorch file named as a network", "policy/hover/0.onnx", _torch_zip(), "files", "is a zip archive"),
    ("a PyTorch file named as an action log", LOG, _torch_zip(), "schema", "archive/data.pkl"),
    ("an action log of pickled objects", LOG, _object_array(), "schema", "is not a log of episodes"),
    ("an action log that unpacks to 288 MB", LOG, _bomb(), "schema", "unpacks to .* bytes, more than"),
    ("an action log with paths that lead outside", LOG, _traversing(), "schema", r"\.\./\.\./tmp/evil.npy"),
    ("a Python file", "policy/hover/policy.py", b"import os", "files", "is not allowed: such files can run code"),
    ("a program named as a network", "policy/hover/0.onnx", b"\x7fELF\x02\x01\x01", "files", r"is a program \(ELF\)"),
    ("a packed README", "README.md", b"\x1f\x8b\x08\x00", "files", "is packed by gzip"),
    ("a README that is not text", "README.md", b"\xff\xfe\x00", "files", "is not UTF-8 text"),
    ("a file nobody asked for", "index.html", b"<script>", "files", "no file of a submission has that name"),
    ("a hidden file", ".htaccess", b"", "files", "no file of a submission has that name"),
    ("a network that no line of results names", "policy/hover/7.onnx", b"\x08\x08", "files", "belongs to no line"),
    ("an action log packed by bzip2", LOG, _bomb(zipfile.ZIP_BZIP2), "schema", "is packed by method 12, expected"),
    ("an action log packed by LZMA", LOG, _bomb(zipfile.ZIP_LZMA), "schema", "is packed by method 14, expected"),
    ("an action log with a negative shape", LOG, _negative(), "schema", r"has shape \(-1,\), with a negative length"),
    ("an action log with a head of 2 GB", LOG, _long_head(), "schema", r"\.npy version \(2, 0\), expected \(1, 0\)"),
    ("results of 30 million empty lines", "results.jsonl", b"\n" * 30_000_000, "schema", "line 1 is not JSON"),
    ("200,000 metrics", "results.jsonl", _metrics(), "schema", "200000 metrics, expected at most 256"),
    ("deeply nested JSON as results", "results.jsonl", b"[" * 200_000, "schema", "line 1 is not JSON"),
    ("NaN in the results", "results.jsonl", b'{"schema": 1, "score": NaN}', "schema", "NaN is not a number"),
    ("deeply nested TOML", "submission.toml", b"a = " + b"[" * 20_000, "schema", "is not TOML"),
    ("deeply nested JSON beside a network", "policy/hover/0.json", b"[" * 100_000, "policy", "not JSON"),
    ("SHA256SUMS with a path that leads outside", "SHA256SUMS", b"0" * 64 + b"  ../../x\n", "files", "not allowed"),
    ("SHA256SUMS with an absolute path", "SHA256SUMS", b"0" * 64 + b"  /etc/passwd\n", "files", "not allowed"),
):  # fmt: skip
    if _name == "SHA256SUMS":
        CASES["Hostile files"].append(
            Case(_title, lambda folder, c=_content: (folder / "SHA256SUMS").write_bytes(c) and None, 0, _kind, _match)
        )
    else:
        CASES["Hostile files"].append(Case(_title, _write(_name, _content), 0, _kind, _match))


@case("Hostile files", "a symbolic link to /etc/passwd", 0, "files", "README.md is a symbolic link")
def _link(folder: Path):
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("/etc/passwd")


@case("Hostile files", "a symbolic link to a folder", 0, "files", "actions is a symbolic link")
def _folder_link(folder: Path):
    shutil.move(folder / "actions", folder.parents[2] / "actions")
    (folder / "actions").symlink_to(folder.parents[2] / "actions")


@case("Hostile files", "a pipe that never ends", 0, "files", "README.md is no regular file")
def _pipe(folder: Path):
    (folder / "README.md").unlink()
    os.mkfifo(folder / "README.md")


@case("Hostile files", "a file of 31 MB", 0, "files", "allowed are 30000000")
def _large(folder: Path):
    (folder / LOG).write_bytes(b"PK\x03\x04" + bytes(31_000_000))
    seal(folder)


@case("Hostile files", "folders in folders", 0, "files", "nested too deeply")
def _nested(folder: Path):
    (folder / "policy/a/b/c/d").mkdir(parents=True)
    (folder / "policy/a/b/c/d/x").write_text("")


@case("Hostile files", "a missing README", 0, "files", "README.md is missing")
def _no_readme(folder: Path):
    (folder / "README.md").unlink()
    seal(folder)


@case("Hostile files", "results that name a file outside", 0, "schema", "no file of the submission")
def _outside_path(folder: Path):
    change_results(folder, lambda result: {"actions": "../../../../etc/passwd.npz"})


for _title, _old, _new, _match in (
    ("a script in the method's name", '"Probe"', '"<script>alert(1)</script>"', "method holds the sign U.003C"),
    ("a script's address", 'paper = ""', 'paper = "javascript:alert(1)"', "expected an https address"),
    ("an address that ends its attribute", 'code = ""', 'code = "https://a.b/\\"onmouseover=x"', "expected an https"),
    ("a method's name in full-width letters", '"Probe"', '"\uff30robe"', "expected 'Probe'"),
    ("a blank letter in the method's name", '"Probe"', '"Pro\\u3164be"', "method holds the sign U.3164"),
    ("a sign that is not assigned", '"Probe"', '"Pro\\u0378be"', "method holds the sign U.0378"),
    ("a mark in the method's name that NFKC joins", '"Probe"', '"Pro\\u0307be"', "expected 'Pr"),
    ("text that is shown backwards", '"A. Author"', '"A. \\u202Erohtu"', "authors holds the sign U.202E"),
    ("control characters", '"A. Author"', '"A.\\u001b[2J"', "authors holds the sign U.001B"),
    ("a name of 300 letters", '"A. Author"', f'"{"A" * 300}"', "authors has 300 characters"),
    ("a folder's name that leads outside", '"probe"', '"../../x"', "slug is"),
    ("a field of its own", "schema = 1", "schema = 1\nverified = true", "unknown key 'verified'"),
    ("a command instead of a baseline's name", 'baseline = ""', 'baseline = "ppo; rm -rf ~"', "expected the name of a"),
):

    @case("Hostile files", f"{_title} in submission.toml", 0, "schema", _match)
    def _text(folder: Path, old=_old, new=_new):
        change_text(folder, "submission.toml", (old, new))


@case("Hostile files", "a script in README.md (free text: kept as it is, shown escaped)", 0, "accepted", "at level 0")
def _readme_script(folder: Path):
    (folder / "README.md").write_text("<script>alert(1)</script>")
    seal(folder)


# --- hostile networks -----------------------------------------------------------------------------------------------


def _replace_network(folder: Path, graph: bytes, interface: str | None = None) -> None:
    path = folder / "policy/hover/0.onnx"
    path.write_bytes(graph)
    if interface:
        path.with_suffix(".json").write_text(interface)
    change_results(folder, lambda result: {"policy_sha256": hashlib.sha256(graph).hexdigest()})
    info = Submission.from_toml((folder / "submission.toml").read_text())
    with contextlib.suppress(ValueError):
        weights = max(info.parameters, decode(graph).parameters)
        change_text(folder, "submission.toml", (f"parameters = {info.parameters}", f"parameters = {weights}"))


def graph_case(title: str, match: str, kind: str = "policy", level: int = 0, settings=lambda bench: {}):
    """A case that puts another graph in place of the first network; it gets (observation's size, action's size)."""

    def declare(make):
        def change(folder: Path) -> None:
            graph = make(72, 4)
            _replace_network(folder, graph if isinstance(graph, bytes) else encode(graph))

        CASES["Hostile networks"].append(Case(title, change, level, kind, match, settings))
        return make

    return declare


F4 = np.dtype(np.float32)


def _one(op: str, inputs: int, outputs: int, **attributes) -> Model:
    weight = np.zeros((inputs, outputs), F4)
    nodes = (Node(op, ("observation",), ("x",), attributes), Node("MatMul", ("x", "w"), ("action",)))
    return Model(nodes, {"w": weight}, *_ports(inputs, outputs))


def _ports(inputs: int, outputs: int):
    return (Port("observation", F4, ("rows", inputs)),), (Port("action", F4, ("rows", outputs)),)


def _protobuf(inputs: int, outputs: int, *, node: bytes = b"", tensor: bytes = b"", model: bytes = b"") -> bytes:
    """A model with further raw fields in its first node, in a further constant, or in itself."""
    good = encode(_one("Tanh", inputs, outputs))
    extra = (field(1, field(1, "action") + field(2, "z") + field(4, "Tanh") + node) if node else b"") + (
        field(5, tensor) if tensor else b""
    )
    return good + (field(7, extra) if extra else b"") + model if not extra else _merged(inputs, outputs, extra)


def _merged(inputs: int, outputs: int, extra: bytes) -> bytes:
    from envsuite.agents.onnx import wire

    data = memoryview(encode(_one("Tanh", inputs, outputs)))
    out = b""
    for number, _, value in wire.fields(data, wire.Budget()):
        content = value if isinstance(value, int) else bytes(value) + (extra if number == 7 else b"")
        out += field(number, content)
    return out


@graph_case("weights in another file", "constant 'c' lies in another file, which is not allowed")
def _external(inputs, outputs):
    location = field(1, "location") + field(2, "/etc/passwd")
    return _protobuf(
        inputs, outputs, tensor=field(1, 4) + field(2, 1) + field(8, "c") + field(13, location) + field(14, 1)
    )


@graph_case("an operator of another domain", "operator 'Tanh' of domain 'com.evil', expected the default one only")
def _custom(inputs, outputs):
    return _protobuf(inputs, outputs, node=field(7, "com.evil"))


@graph_case("an operator set of another domain", "operator domain 'com.evil'")
def _custom_set(inputs, outputs):
    return _protobuf(inputs, outputs, model=field(8, field(1, "com.evil") + field(2, 1)))


@graph_case("functions", "functions are not allowed")
def _functions(inputs, outputs):
    return _protobuf(inputs, outputs, model=field(25, field(1, "f")))


@graph_case("a loop", "operator 'Loop' is not allowed")
def _loop(inputs, outputs):
    return _one("Loop", inputs, outputs)


@graph_case("a loop with its body", "holds a graph: loops and branches are not allowed")
def _loop_body(inputs, outputs):
    return _protobuf(inputs, outputs, node=field(5, field(1, "body") + field(6, b"") + field(20, 5)))


@graph_case("2,000 graphs in each other", "holds a graph: loops and branches are not allowed")
def _deep(inputs, outputs):
    deep = b""
    for _ in range(2_000):
        deep = field(1, field(5, field(1, "body") + field(6, deep) + field(20, 5)))
    return _protobuf(inputs, outputs, node=field(5, field(1, "body") + field(6, deep) + field(20, 5)))


@graph_case("an operator that draws random numbers", "operator 'RandomUniformLike' is not allowed")
def _random(inputs, outputs):
    return _one("RandomUniformLike", inputs, outputs)


@graph_case("a tensor of 2^80 elements", "has shape")
def _huge(inputs, outputs):
    sizes = field(1, 1 << 40) * 2
    return _protobuf(inputs, outputs, tensor=sizes + field(2, 1) + field(8, "c") + field(9, b"1234"))


@graph_case("a million tiny fields", "more than 200000 fields")
def _fields(inputs, outputs):
    return _protobuf(inputs, outputs, model=field(6, b"") * 1_000_000)


@graph_case("a value that doubles 40 times", "bytes for one row|operations a row")
def _doubling(inputs, outputs):
    nodes = [Node("Concat", ("observation", "observation"), ("v0",), {"axis": 1})]
    nodes += [Node("Concat", (f"v{k}", f"v{k}"), (f"v{k + 1}",), {"axis": 1}) for k in range(40)]
    nodes.append(Node("ReduceMean", ("v40",), ("m",), {"axes": (1,)}))
    nodes.append(Node("MatMul", ("m", "w"), ("action",)))
    return Model(tuple(nodes), {"w": np.zeros((1, outputs), F4)}, *_ports(inputs, outputs))


@graph_case("constants that grow before the first step", "constants need more than")
def _growing(inputs, outputs):
    nodes = [Node("Concat", (f"c{k}",) * 60, (f"c{k + 1}",), {"axis": 0}) for k in range(6)]
    good = _one("Tanh", inputs, outputs)
    return dataclasses.replace(good, nodes=(*nodes, *good.nodes), constants={**good.constants, "c0": np.ones(9, F4)})


def _slow(inputs, outputs, count, width=1000):
    nodes = [Node("MatMul", ("observation", "into"), ("v0",))]
    nodes += [Node("MatMul", (f"v{k}", "w"), (f"v{k + 1}",)) for k in range(count)]
    nodes.append(Node("MatMul", (f"v{count}", "out"), ("action",)))
    constants = {"into": np.zeros((inputs, width), F4), "w": np.zeros((width, width), F4)}
    return Model(tuple(nodes), {**constants, "out": np.zeros((width, outputs), F4)}, *_ports(inputs, outputs))


@graph_case("1.2 thousand million operations a row", "operations a row, expected at most")
def _too_slow(inputs, outputs):
    return _slow(inputs, outputs, 600)


def _own_sandbox(**limits):
    return lambda bench: {"sandbox": lambda: Sandbox(**limits)}


@graph_case(
    "as slow as is allowed, and 0.05 s for an answer", "no answer within 0.05 s", "time", 2, _own_sandbox(seconds=0.05)
)
def _slow_enough(inputs, outputs):
    return _slow(inputs, outputs, 490)


@graph_case(
    "as slow as is allowed, and 1 s of processor time", "processor time", "time", 2, _own_sandbox(processor_seconds=1)
)
def _slow_processor(inputs, outputs):
    return _slow(inputs, outputs, 490)


@graph_case("40 MB of weights, and 20 MB of memory", "more memory", "memory", 0, _own_sandbox(memory=20_000_000))
def _memory(inputs, outputs):
    return _slow(inputs, outputs, 1, 3000)


@graph_case("weights that are not numbers", "a weight is nan or infinite")
def _nan_weight(inputs, outputs):
    good = _one("Tanh", inputs, outputs)
    return dataclasses.replace(good, constants={"w": np.full((inputs, outputs), np.nan, F4)})


@graph_case("infinite weights", "a weight is nan or infinite")
def _inf_weight(inputs, outputs):
    good = _one("Tanh", inputs, outputs)
    return dataclasses.replace(good, constants={"w": np.full((inputs, outputs), np.inf, F4)})


@graph_case("weights so large that the output overflows", "the network's output is not finite", "output", 2)
def _overflow(inputs, outputs):
    graph = Graph((inputs,))
    x = graph.add("Exp", graph.add("Exp", graph.add("Abs", graph.add("Mul", graph.observation, np.array(1e30)))))
    return graph.model(graph.add("MatMul", x, np.ones((inputs, outputs))), (outputs,))


@graph_case("three numbers where four motors wait", "actions are", "output", 2)
def _wrong_shape(inputs, outputs):
    return _one("Tanh", inputs, 3)


@graph_case("one row's action from another row's observation", "rows would be mixed")
def _mixing(inputs, outputs):
    return _one("Softmax", inputs, outputs, axis=0)


@graph_case("a graph that is cut off", "is cut off")
def _cut_off(inputs, outputs):
    return encode(_one("Tanh", inputs, outputs))[:-7]


for _title, _change, _match in (
    ("privileged", {"privileged": True}, "privileged policies are not accepted"),
    ("for another environment", {"env_id": "envsuite/QuadHover-v0"}, "it is for 'envsuite/QuadHover-v0'"),
    ("random without saying so", {"random": True}, "random is True, but the action's kind is clip"),
    (
        "random on a deterministic track",
        {"random": True, "action": {"kind": "sample", "low": [], "high": [], "heads": [], "temperature": 1.0}},
        "it draws random numbers, but the track's policies act deterministically",
    ),
    ("with inputs of its own", {"observation": "state"}, "its description says"),
):

    @case("Hostile networks", f"a description: {_title}", 0, "policy", _match)
    def _description(folder: Path, change=_change):
        path = folder / "policy/hover/0.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
        seal(folder)


# --- the season -----------------------------------------------------------------------------------------------------


def _verified_once(folder: Path) -> Path:
    """Give the ledger two lines, of other submissions, and a verified record of the second; the ledger."""
    for folder_name, digest in (("20261001_someone", "11" * 32), ("20261002_someone", "22" * 32)):
        _enter(folder, "someone", digest, folder_name)
    return _ledger(folder)


def _enter(folder: Path, method: str, digest: str, name: str) -> None:
    board = folder.parents[2]
    season = Season.load(board / "seasons" / "autumn.toml")
    enter(season, board, track="probes", method=method, digest=digest, folder=name, now=NOW)


def _ledger(folder: Path) -> Path:
    return folder.parents[2] / "seasons" / "autumn.ledger.jsonl"


def _known(folder: Path, number: int) -> None:
    """A verified record of a line of the ledger."""
    line = _ledger(folder).read_text().splitlines()[number]
    entry = json.loads(line)
    info = Submission.from_toml((folder / "submission.toml").read_text())
    run = RunScore("hover", 0, 1000, 2, 4, 0.0, 1.0, 0.0, 0.0, 0.0)
    known = Verification(
        "probes", 1, "0" * 64, "return", "maximize", entry["folder"], "33" * 32, info, 2, "", [run], "onnx",
        season="autumn", seed_digest=entry["digest"], ledger_entry=number,
        ledger_line=hashlib.sha256(line.encode()).hexdigest(),
    )  # fmt: skip
    known.save(folder.parents[2])


@case("The season", "a third evaluation of a method that may have two", 2, "season", "has been evaluated 2 times")
def _third(folder: Path):
    _verified_once(folder)
    change_text(folder, "submission.toml", ('"Probe"', '"Some One"'))


@case("The season", "a line of the ledger removed", 2, "season", "line 0 does not follow from the line before it")
def _removed(folder: Path):
    path = _verified_once(folder)
    path.write_text("".join(line + "\n" for line in path.read_text().splitlines()[1:]))


@case("The season", "a line of the ledger edited", 2, "season", "line 1 does not follow from the line before it")
def _edited_line(folder: Path):
    path = _verified_once(folder)
    path.write_text(path.read_text().replace("11111111", "33333333", 1))


@case("The season", "the last line of the ledger removed, its result kept", 2, "season", "lacks line 1, from which")
def _truncated_ledger(folder: Path):
    path = _verified_once(folder)
    _known(folder, 1)
    path.write_text(path.read_text().splitlines()[0] + "\n")


@case("The season", "the last line of the ledger edited, its result kept", 2, "season", "line 1 has changed since")
def _edited_last(folder: Path):
    path = _verified_once(folder)
    _known(folder, 1)
    path.write_text(path.read_text().removesuffix('""}\n') + '"x"}\n')


@case("The season", "the ledger emptied, its results kept", 2, "season", "lacks line 1, from which")
def _emptied(folder: Path):
    path = _verified_once(folder)
    _known(folder, 1)
    path.write_text("")


@case("The season", "a line of the ledger from before the season", 2, "season", "when the season was not open")
def _dated_back(folder: Path):
    path = _verified_once(folder)
    path.write_text(path.read_text().replace('"2026-10-01"', '"2025-10-01"'))


@case(
    "The season", "a submission after the season's end", 2, "season", "closed at .*: nothing new may enter it",
    lambda bench: {"now": bench.season.end},
)  # fmt: skip
def _after_the_end(folder: Path):
    pass


@case(
    "The season", "a submission before the season opens", 2, "season", "opens at .*: nothing may enter it before",
    lambda bench: {"now": bench.season.begin - timedelta(seconds=1)},
)  # fmt: skip
def _before_the_start(folder: Path):
    pass


@case(
    "The season", "a submission chosen with the published secret", 2, "season",
    "the secret of season autumn is public: nothing new may enter it",
    lambda bench: {"season": dataclasses.replace(bench.season, secret=SECRET, last_entry=NOTHING), "secret": None},
)  # fmt: skip
def _public_secret(folder: Path):
    pass


@case(
    "The season", "a line added to the ledger after the secret was published", 2, "season",
    "does not end with the line with which the season autumn ended",
    lambda bench: {"season": dataclasses.replace(bench.season, secret=SECRET, last_entry=NOTHING), "secret": None},
)  # fmt: skip
def _added_late(folder: Path):
    _verified_once(folder)


@case("The season", "a third evaluation under letters that look alike", 2, "season", "has been evaluated 2 times")
def _look_alike(folder: Path):
    _verified_once(folder)
    change_text(folder, "submission.toml", ('"Probe"', '"S\u043eme\u043ene"'))


@case("The season", "a rival's name with a letter of another alphabet", 0, "duplicate", "which looks like 'Probe' of")
def _impostor_name(folder: Path):
    _enter(folder, "Probe", "11" * 32, "20261001_probe")
    _known(folder, 0)
    change_text(folder, "submission.toml", ('"Probe"', '"Pr\u043ebe"'))


@case("The season", "a rival's tries used up in his name, without his key", 2, "accepted", "at level 2")
def _used_up(folder: Path):
    for digest in ("11" * 32, "22" * 32):
        _enter(folder, "Probe", digest, f"20261001_{digest[:2]}")
    make_key("team", folder.parents[2] / "private.pem", folder.parents[2] / "keys")
    sign(folder, "team", folder.parents[2] / "private.pem")


@case("The season", "a ledger that is no ledger", 2, "season", "unknown key 'free'")
def _no_ledger(folder: Path):
    (folder.parents[2] / "seasons" / "autumn.ledger.jsonl").write_text('{"free": true}\n')


# --- what runs inside the sandbox -----------------------------------------------------------------------------------

PROBES = {
    "open a socket": "socket.socket().close()",
    "connect to a server on the same machine": "socket.create_connection(('127.0.0.1', PORT), timeout=2).close()",
    "look up a name": "socket.getaddrinfo('localhost', 80)",
    "read a file": "open('/etc/passwd').read()",
    "write a file": "open('x', 'w').write('x')",
    "list a folder": "os.listdir('/')",
    "start a program": "subprocess.run(['/bin/true'], check=True)",
    "fork": "os.fork() or os._exit(0)",
    "signal another process": "check(ctypes.CDLL(None, use_errno=True).tgkill(VICTIM, VICTIM, 0))",
    "load machine code": "ctypes.CDLL('libanl.so.1')",
    "take 512 MB of memory where 256 are allowed": "bytearray(1 << 29)",
    "replace the program": "os.execv('/bin/true', ['true'])",
}
"""What a network that had taken over its process would try, as Python."""

GUARDS = ("audit hook", "system calls", "network namespace", "limits")


def probe(guards: tuple[str, ...], port: int = 9) -> dict[str, str]:
    """Try all `PROBES` in a process with some of the sandbox's guards; what came of each."""
    lines = [
        "import sys, os, socket, subprocess, ctypes, encodings.idna",
        "import importlib.util",
        "place = importlib.util.spec_from_file_location('jail', sys.argv[1])",
        "jail = importlib.util.module_from_spec(place)",
        "place.loader.exec_module(jail)",
        f"guards = {guards!r}",
        "if 'network namespace' in guards and not jail.own_network(): sys.exit('absent')",
        "if 'limits' in guards and not jail.set_limits(1 << 28, 60): sys.exit('absent')",
        "if 'system calls' in guards and not jail.filter_calls(): sys.exit('absent')",
        "if 'audit hook' in guards: jail.refuse_events()",
        "def say(text): sys.stdout.write(text + chr(10)); sys.stdout.flush()",
        "def check(status):",
        "    if status: raise OSError(ctypes.get_errno(), 'refused')",
    ]
    for code in PROBES.values():
        lines += ["try:", f"    {code.replace('PORT', str(port)).replace('VICTIM', str(os.getpid()))}"]
        lines += ["except BaseException as error: say(type(error).__name__)", "else: say('done')"]
    command = [sys.executable, "-I", "-c", "\n".join(lines), jail.__file__]
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(command, capture_output=True, text=True, cwd=place, env=ENVIRONMENT)
    answers = done.stdout.splitlines()
    if "absent" in done.stderr:
        return dict.fromkeys(PROBES, "guard not to be had here")
    ended = "done" if done.returncode == 0 else f"ended with status {done.returncode}"
    return dict(zip(PROBES, [*answers, ended], strict=False))  # the last one replaces the program


@contextlib.contextmanager
def listener():
    """A server on this machine; its port."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


# --- the page -------------------------------------------------------------------------------------------------------


def row(one: Case, kind: str, reason: str) -> str:
    """A line of the table; digests of files, which depend on the compression library, are left out."""
    shown = re.sub(r"[0-9a-f]{16}\.\.\.", "…", reason).replace("|", "\\|")
    said = f"refused ({kind})" if kind != "accepted" else "accepted"
    return f"| {one.title} | {one.level} | {said}: {_code(shown)} |"


def _code(text: str) -> str:
    return f"`{text[:200]}`" if "`" not in text else text[:200]


def page(bench: Bench) -> str:
    """The whole page, from what is answered now."""
    lines = [
        "# Red team",
        "",
        "This page lists the attacks that were tried against the leaderboard and the server, and the answer to each.",
        "It is written by `python -m tests.submissions.red_team_cases`. The same cases run in",
        "`tests/submissions/test_red_team.py`, which fails when an answer changes. Most rows change a good submission",
        "in one place and verify it at the level stated ([](leaderboard.md#levels)). Unless a row says otherwise, the",
        "attacker has also updated `SHA256SUMS`.",
    ]
    for group, cases in CASES.items():
        lines += ["", f"## {group}", "", "| tried | verified at level | answer |", "| --- | --- | --- |"]
        for one in cases:
            with tempfile.TemporaryDirectory() as place:
                lines.append(row(one, *answer(bench, one, Path(place))))
    lines += ["", "## Inside the sandbox", ""]
    lines += [
        "A network cannot do any of this, since it is a list of operators. The rows show what would happen to a",
        "process that an attacker had taken over, under all guards together and under each alone: the error that it",
        "gets, or *done* where this guard alone does not prevent it.",
        "",
        "| tried | all guards | " + " | ".join(GUARDS) + " |",
        "| --- " * (len(GUARDS) + 2) + "|",
    ]
    with listener() as port:
        columns = [probe(GUARDS, port), *(probe((guard,), port) for guard in GUARDS)]
        lines += [f"| {title} | " + " | ".join(column[title] for column in columns) + " |" for title in PROBES]
    from tests.serving.red_team_cases import section  # needs the extra `serve`

    lines += ["", *section()]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(Path(place))
        try:
            PAGE.write_text(page(bench), encoding="utf-8")
        finally:
            bench.close()


if __name__ == "__main__":
    main()

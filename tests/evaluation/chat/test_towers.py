"""Language agents in the tower-defense levels: words that suffice, valid commands counted, thinking that takes time."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.agents.chat.program import Function, Program
from envsuite.core.batch import Batch, digest
from envsuite.core.world import make_world
from envsuite.evaluation.chat.report import as_page, as_text
from envsuite.evaluation.chat.runner import Runner
from envsuite.evaluation.chat.scoring import score
from envsuite.evaluation.chat.settings import Record
from envsuite.evaluation.rollout import EVALUATION_SEED
from envsuite.testing.chat import ChatServer, Reply, last_prompt
from envsuite.tower_defense.experts import reader
from tests.evaluation.chat.test_runner import QUICK, make_record, play

L1, L3 = "envsuite/Bulwark-L1-v0", "envsuite/Bulwark-L3-v0"
SLOWLY = {"level": 1, "decision_ticks": 40}
WAIT = 'Action: {"X": 0, "Y": 0, "Action": 6}'


def reads(body):
    return reader.answer(last_prompt(body))


def by_hand(path: Path, model, env_id: str = L1, episodes: int = 1, **settings) -> Record:
    record = make_record(path, "local", env_id, episodes, **{"window": 0, "options": SLOWLY, **settings})
    result = Runner(record, model, patience=QUICK).run()
    assert not result.failed, result.failed
    return record


def test_a_player_with_words_alone_defends_nearly_as_well_as_the_script(tmp_path):
    """The whole way through the local server, with a decision every two seconds, and its report."""
    with ChatServer(reads) as server:
        record = make_record(tmp_path, server.url, L1, 3, window=0, options=SLOWLY)
        assert not play(record).failed
    scores = score(record)
    assert scores.returns().mean() > -2
    assert scores.estimates()["normalised"].value > 0.9, "decisions at another pace leave scores comparable"
    pooled = scores.pooled()
    assert pooled["format_errors"] == 0
    assert pooled["valid_actions"] > 0.9
    text, page = as_text(scores), as_page([scores])
    for name in ("valid_actions", "coin_capture", "decoy_spending", "air_gap", "leaks_air"):
        assert name in text
        assert name in page
    assert "scripted player S3" in page, "the anchors stand beside the models"


@pytest.mark.slow
def test_words_are_enough_on_harder_levels(tmp_path):
    with ChatServer(reads) as server:
        record = make_record(tmp_path, server.url, L3, 5, window=0, options={"level": 3, "decision_ticks": 20})
        play(record)
    assert score(record).estimates()["normalised"].value > 0.6


def test_every_answer_is_counted_by_its_code(tmp_path):
    said = iter(
        [
            '{"X": 1, "Y": 1, "Action": 99}',  # 23
            '{"X": -1.9, "Y": 1.2, "Action": 0}',  # builds
            '{"X": -1.9, "Y": 1.2, "Action": 0}',  # 1, occupied
            '{"X": -1.9, "Y": 1.2, "Action": 0}',  # 1 again
            "",  # 25
            '{"X": 1}',  # 21
            '{"X": -1.9, "Y": 1.2, "Action": 5}',  # shows the range: valid, without effect
        ]
    )
    with ChatServer(lambda body: Reply(next(said, WAIT))) as server:
        options = {"level": 1, "decision_ticks": 40, "actions": "xyc"}
        record = make_record(tmp_path, server.url, L1, 1, options=options, retries=0, fallback="neutral")
        play(record)
    scores = score(record)
    codes = {int(label.split()[1].rstrip(":")): count for label, count in scores.codes().items()}
    assert codes == {1: 2, 21: 1, 23: 1, 25: 1}
    (outcome,) = scores.outcomes.values()
    pooled = scores.pooled()
    assert pooled["valid_actions"] == pytest.approx(2 / 7)
    assert pooled["effective_actions"] == pytest.approx(1 / 7)
    assert pooled["repeated_mistakes"] == pytest.approx(1 / 7)
    assert pooled["format_errors"] == pytest.approx(3 / outcome.answers)
    assert pooled["waits_share"] == pytest.approx(1 - 7 / outcome.answers)
    # TowerMind's count: the first observation, then four commands of which two were invalid
    assert pooled["valid_actions_original"] == pytest.approx(1 - 2 / 5)


def test_time_passes_while_the_model_thinks(tmp_path):
    """As many ticks as the recorded seconds say, and every score follows from the record."""
    with ChatServer(lambda body: Reply(WAIT, delay=0.06)) as server:
        record = make_record(tmp_path, server.url, L1, 1, options=SLOWLY, clock="realtime", fallback="neutral")
        play(record)
    (outcome,) = score(record).outcomes.values()
    events = [json.loads(line) for line in record.journal(EVALUATION_SEED).read_text().splitlines()]
    seconds = [event["seconds"] for event in events if event["type"] == "answer"]
    assert outcome.thought == sum(math.ceil(round(20 * one, 9)) for one in seconds)
    assert min(seconds) >= 0.06
    batch = Batch(make_world("envsuite.tower_defense.kernel:BulwarkWorld", **SLOWLY), 1, num_threads=1)
    batch.seed([EVALUATION_SEED])
    batch.reset()
    total = 0.0
    for one in seconds:
        total += float(batch.elapse(math.ceil(round(20 * one, 9))).rewards[0])
        if not batch.done[0]:
            total += float(batch.step(np.zeros(1, np.int64)).rewards[0])
    assert batch.done[0]
    assert total == float(outcome.returns) == -20
    assert events[-1]["state"] == digest(batch.states)


def test_a_changed_latency_is_found_out(tmp_path):
    with ChatServer(lambda body: WAIT) as server:
        record = make_record(tmp_path, server.url, L1, 1, options=SLOWLY, clock="realtime")
        play(record)
    path = record.journal(EVALUATION_SEED)
    head, mark, tail = path.read_text().partition('"seconds": ')
    number, comma, rest = tail.partition("}")
    path.write_text(f"{head}{mark}7.5{comma}{rest}")
    assert float(number) < 7
    with pytest.raises(ValueError, match="thought"):
        score(record)


def test_long_thoughts_are_capped():
    from envsuite.evaluation.chat.settings import LONGEST_THOUGHT

    assert LONGEST_THOUGHT * make_world("envsuite.tower_defense.kernel:BulwarkWorld").loops.tick_rate == 200


def test_worlds_without_a_clock_refuse_to_run_on(tmp_path):
    record = make_record(tmp_path / "a", "local", "envsuite/QuadHover-v0", clock="realtime")
    result = Runner(record, Function(lambda text, png: "x", "m"), patience=QUICK).run()
    assert "no clock" in result.failed[EVALUATION_SEED]
    with pytest.raises(ValueError, match="clock is 'slow'"):
        make_record(tmp_path / "b", "local", L1, clock="slow")


def test_a_picture_alone_comes_with_the_rules(tmp_path):
    seen = []

    def looks(text, png):
        seen.append((text, png))
        return WAIT

    record = by_hand(tmp_path, Function(looks, "eyes"), image=(128, 128), shown="picture")
    text, png = seen[5]
    assert png.startswith(b"\x89PNG")
    assert '"how_to_answer"' in text
    assert '"paths"' in text
    assert '"now"' not in text
    assert score(record).whole
    with pytest.raises(ValueError, match="no size of pictures"):
        make_record(tmp_path / "b", "local", L1, shown="picture")


PLAYER = (sys.executable, "-m", "envsuite.tower_defense.experts.reader")


def test_a_program_plays_by_lines_of_json(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(envsuite.__file__).parents[1]))
    record = by_hand(tmp_path, Program(PLAYER, "reader"), episodes=2)
    scores = score(record)
    assert scores.whole
    assert scores.returns().mean() > -3
    assert dict(scores.models) == {"reader": scores.count("answers")}


ODD = """
import json, sys, time
for k, line in enumerate(sys.stdin):
    assert json.loads(line)["messages"]
    {what}
    print(json.dumps({{"text": "{wait}"}}), flush=True)
"""


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("if k == 1: print('nonsense', flush=True); continue", "malformed"),
        ("if k == 1: print('{}', flush=True); continue", "malformed"),
        ("if k == 1: sys.exit(3)", "connection"),
        ("if k == 1: time.sleep(30)", "timeout"),
        ("if k == 1: print('x' * 9_000_000, flush=True); continue", "overlong"),
    ],
)
def test_faults_of_a_program_are_noted_and_asked_again(tmp_path, what, kind):
    """A fresh process counts from 0, so each fault but broken lines comes once every other answer."""
    script = tmp_path / "model.py"
    script.write_text(ODD.format(what=what, wait="wait"))
    model = Program((sys.executable, str(script)), "odd", timeout=3.0 if kind != "timeout" else 0.7)
    options = {"level": 1, "decision_ticks": 400}
    scores = score(by_hand(tmp_path / "out", model, options=options))
    assert scores.whole
    assert set(scores.failures) == {kind}
    assert scores.invalid() == dict.fromkeys(scores.invalid(), 0)


def test_a_program_that_is_not_there_stops_the_run(tmp_path):
    record = make_record(tmp_path, "local", L1, options=SLOWLY)
    result = Runner(record, Program(("/no/such/program",), "none"), patience=QUICK).run()
    assert "cannot be started" in result.stopped


def test_a_function_that_fails_is_told(tmp_path):
    def fails(text, png):
        raise KeyError("weights")

    record = make_record(tmp_path, "local", L1, options=SLOWLY)
    result = Runner(record, Function(fails, "broken"), patience=QUICK).run()
    assert "KeyError: 'weights'" in result.failed[EVALUATION_SEED]

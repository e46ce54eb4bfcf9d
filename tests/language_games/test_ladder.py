"""The ladder: named players as opponents, rated by exact matches, in episodes that replay to the bit."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Players, companion
from envsuite.core.world import make_world
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.frozen import frozen_policies
from envsuite.evaluation.protocol import evaluate_task
from envsuite.evaluation.replay import replayed
from envsuite.evaluation.rollout import expert_policy, named_player, play, random_policy
from envsuite.evaluation.summary import ALL, summarise
from envsuite.evaluation.tracks import load_track
from envsuite.language_games.solving.matches import all_matches
from envsuite.scoring import bradley_terry

TRACK = load_track("language-ladder")


def exact(env_id):
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    players = companion(world, Players)
    frozen = {name: one.load().probabilities for name, one in frozen_policies().items() if one.env_id == card.id}
    return all_matches(world, {name: players.policy(name) for name in players.policies()} | frozen)


@pytest.mark.parametrize("env_id", list(TRACK.ladders))
def test_opponents_are_all_players_and_networks_of_the_game_with_the_ratings_of_exact_matches(env_id):
    found, tasks = exact(env_id), TRACK.ladders[env_id]
    assert tuple(task.opponent for task in tasks) == found.names
    games = 1000 * found.shares * (1 - np.eye(len(tasks)))
    assert [task.rating for task in tasks] == bradley_terry(games, anchor=0, prior=1.0).round().tolist()


def test_the_opponent_sits_on_the_other_seat():
    """Scores are the exact ones, over both seats, since it is drawn who begins."""
    found = exact("Nim")
    played = play(envsuite.card("Nim"), random_policy, 3000, others=named_player("mcts-100"))
    expected = found.payoffs[0, found.names.index("mcts-100")]
    assert played.returns.mean() == pytest.approx(expected, abs=4 * played.returns.std() / 3000**0.5)
    best = play(envsuite.card("Nim"), expert_policy, 200, others=named_player("rule"))
    assert (best.returns == 1).all()


def test_a_method_gets_a_rating_in_each_game():
    """Uniform play has 1000 by definition, and is rated so when it plays the ladder."""
    tasks = tuple(dataclasses.replace(task, episodes=200) for task in (*TRACK.ladders["envsuite/Nim-v0"],))
    track = dataclasses.replace(TRACK, tasks=tasks)
    results = [evaluate_task(task, random_policy, deterministic=False)[0] for task in tasks]
    total = next(row for row in summarise(track, {"random": results}) if row.task == ALL)
    assert list(total.ratings) == ["envsuite/Nim-v0"]
    rating = total.ratings["envsuite/Nim-v0"]
    assert rating.low - 25 < 1000 < rating.high + 25
    assert rating.low < rating.value < rating.high


@pytest.mark.parametrize("opponent", ["rule", "selfplay"])
def test_records_against_opponents_replay_to_the_bit(tmp_path, opponent):
    task = dataclasses.replace(TRACK.task(f"liars-dice-{opponent}"), episodes=20)
    result, log = evaluate_task(task, random_policy, deterministic=False)
    log.save(tmp_path / "games.npz")
    departure, episodes = replayed(EpisodeLog.load(tmp_path / "games.npz"), task.card)
    assert departure is None
    assert episodes.returns.tolist() == result.returns
    again, _ = evaluate_task(task, random_policy, deterministic=False)
    assert again.returns == result.returns


def test_opponents_that_there_are_not():
    with pytest.raises(ValueError, match="NimWorld has no player 'champion', expected one of uniform, rule"):
        play(envsuite.card("Nim"), random_policy, 1, others=named_player("champion"))
    with pytest.raises(ValueError, match=r"an opponent is given, but .* is no game of rivals"):
        play(envsuite.card("QuadMultiHover"), random_policy, 1, others=named_player("rule"))


def test_tracks_without_opponents_keep_their_digests():
    """A new key of tasks must not make all former verifications those of another track."""
    verified = Path(envsuite.__file__).parents[1] / "leaderboard" / "verified"
    for name in ("fighting-ladder", "quadcopters", "text-household"):
        digests = {json.loads(path.read_text())["track_digest"] for path in (verified / name).glob("*.json")}
        assert load_track(name).digest in digests

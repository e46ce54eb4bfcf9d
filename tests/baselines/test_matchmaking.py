"""Populations: who meets whom, what counts, and games whose equilibria are known."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from contests import Contest, mixed_games  # noqa: E402
from fictitious_selfplay import FictitiousSelfPlay, FictitiousSelfPlayConfig  # noqa: E402
from league import (  # noqa: E402
    MAIN,
    MAIN_EXPLOITER,
    League,
    LeagueConfig,
    of_league_exploiter,
    of_main,
    of_main_exploiter,
)
from matchmaking import History, MatchConfig, WinRates, prioritised  # noqa: E402
from players import POPULATION  # noqa: E402
from psro import PSRO, PSROConfig  # noqa: E402
from selfplay import SelfPlay, SelfPlayConfig  # noqa: E402

import envsuite  # noqa: E402
from envsuite.scoring import exploitability, matrix_values  # noqa: E402

from .worlds import Throw, small  # noqa: E402

WIDE = {"num_envs": 256, "num_steps": 2, "minibatches": 1, "learning_rate": 2e-2}
QUICK = {"evaluations": 1, "threads": 1, "episodes": 64, "learning_rate": 5e-3, "hidden": (8,)}


def shows(agent) -> np.ndarray:
    """A network's probabilities of rock, paper, scissors."""
    with torch.no_grad():
        return torch.softmax(agent.actor(agent.obs_normaliser(torch.ones(1, 1))), 1)[0].double().numpy()


def imitation_loss(members) -> float:
    """Exploitability of a mixture of networks in the game `Throw`."""
    mixed = sum(weight * shows(agent) for agent, weight in members)
    mixed = mixed / mixed.sum()
    return exploitability(*matrix_values((Throw.payoff, -Throw.payoff), (mixed, mixed)))


def fixed(agent, choice: int):
    """Make a network choose one thing."""
    with torch.no_grad():
        agent.actor[-1].weight[:] = 0.0
        agent.actor[-1].bias[:] = 50.0 * torch.nn.functional.one_hot(torch.tensor(choice), 3)
    return agent


def test_weights_of_opponents_are_the_formulas():
    win_rates = torch.tensor([0.0, 0.5, 0.9])
    assert prioritised(win_rates, "hard").tolist() == pytest.approx([1 / 1.26, 0.25 / 1.26, 0.01 / 1.26])
    assert prioritised(win_rates, "even").tolist() == pytest.approx([0.0, 0.25 / 0.34, 0.09 / 0.34])
    assert prioritised(win_rates, "capped").tolist() == pytest.approx([0.5 / 1.1, 0.5 / 1.1, 0.1 / 1.1])
    assert prioritised(torch.ones(4), "hard").tolist() == [0.25] * 4
    with pytest.raises(ValueError, match="kind is 'soft'"):
        prioritised(win_rates, "soft")
    with pytest.raises(ValueError, match="no opponents"):
        prioritised(win_rates[:0], "hard")


def test_learners_of_one_side_have_no_teacher():
    with pytest.raises(ValueError, match="16 agents and 8 rows"):
        SelfPlay(SelfPlayConfig(env_id=small("Throw"), num_envs=8, teach=1.0))


def test_the_main_agent_plays_itself_its_past_and_those_it_loses_to():
    nobody = torch.zeros(0, dtype=torch.int64)
    assert of_main(torch.zeros(0), nobody).tolist() == [1.0]
    makers = torch.tensor([MAIN, MAIN_EXPLOITER, 2])
    calm = of_main(torch.tensor([0.8, 0.5, 0.5]), makers)  # nothing calls for verification
    hard = torch.tensor([0.04, 0.25, 0.25]) / 0.54
    assert calm.tolist() == pytest.approx([0.5, *(0.5 * hard).tolist()])
    troubled = of_main(torch.tensor([0.8, 0.2, 0.5]), makers)
    hard, exploiters = torch.tensor([0.04, 0.64, 0.25]) / 0.93, torch.tensor([0.0, 0.64, 0.25]) / 0.89
    assert troubled.tolist() == pytest.approx([0.35, *(0.5 * hard + 0.15 * exploiters).tolist()])
    forgetful = of_main(torch.tensor([0.6, 0.5, 0.5]), makers)
    hard = torch.tensor([0.16, 0.25, 0.25]) / 0.66
    assert forgetful.tolist() == pytest.approx([0.35, *(0.5 * hard + 0.15 * torch.tensor([1.0, 0, 0])).tolist()])


def test_exploiters_choose_whom_to_exploit():
    makers, win_rates = torch.tensor([MAIN, 2, MAIN]), torch.tensor([0.5, 0.9, 0.2])
    assert of_main_exploiter(torch.tensor(0.2), win_rates, makers).tolist() == [1.0, 0.0, 0.0, 0.0]
    weak = of_main_exploiter(torch.tensor(0.05), win_rates, makers)
    assert weak.tolist() == pytest.approx([0.5, 0.5 * 0.25 / 0.41, 0.0, 0.5 * 0.16 / 0.41])
    assert of_league_exploiter(win_rates).tolist() == pytest.approx([0.0, 0.5 / 1.1, 0.1 / 1.1, 0.5 / 1.1])
    assert of_league_exploiter(win_rates[:0]).tolist() == [1.0]


def test_results_fade():
    win_rates = WinRates(0.5)
    assert win_rates.estimate(3).tolist() == [0.5, 0.5, 0.5]
    win_rates.add(torch.tensor([1, 1, 2]), torch.tensor([1.0, 0.0, 1.0]))
    assert win_rates.estimate(3).tolist() == [0.5, 0.5, 1.0]
    win_rates.add(torch.tensor([1, 2]), torch.tensor([1.0, 0.0]))
    assert win_rates.estimate(3).tolist() == pytest.approx([0.5, (0.5 * 1 + 1) / 2, 0.5 / 1.5])
    win_rates.drop(1)
    assert win_rates.estimate(2).tolist() == pytest.approx([0.5, 0.5 / 1.5])


def test_sides_opponents_and_results():
    """The learner's rows alternate sides, its rewards are its own, and opponents play what their networks say."""
    trainer = SelfPlay(SelfPlayConfig(env_id=small("Guess"), num_envs=4, num_steps=4, latest=0.0, **QUICK))
    rows = trainer.rows
    shown = rows.env.batch.states["shown"].copy()
    assert rows.obs.argmax(1).tolist() == [shown[i, i % 2] for i in range(4)]
    trainer.history.add(trainer.agent)
    fixed(trainer.history.agents[0], 1)
    rows.opponent[:] = 1
    lead = 0
    for k in range(6):
        shown = rows.env.batch.states["shown"].copy()
        step = rows.step(rows.obs.argmax(1, keepdim=True))
        expected = [1.0 - float(shown[i, 1 - i % 2] == 1) for i in range(4)]
        assert step.reward.tolist() == expected, k
        lead = lead + 2 * step.reward  # own and the other's are opposite
    assert rows.win_rates.points[1] == (lead > 0).sum() + 0.5 * (lead == 0).sum()
    assert rows.win_rates.games[1] == 4
    assert rows.opponent.tolist() == [1] * 4, "the present policy is never met at latest = 0"
    for _ in range(2):
        trainer.history.add(trainer.agent)
    rows.opponent[:] = torch.tensor([1, 2, 3, 0])
    rows.drop_oldest()
    assert rows.opponent.tolist() == [1, 1, 2, 0]
    assert len(trainer.history) == 2
    assert rows.win_rates.games.tolist() == [0.0]


def test_one_batch_of_many_opponents():
    """Networks with one choice each: results are those of the table, whoever sits where."""
    trainer = SelfPlay(SelfPlayConfig(env_id=small("Throw"), num_envs=900, num_steps=2, **QUICK))
    history = History(trainer.agent)
    for choice in range(3):
        history.add(fixed(trainer.agent, choice))
    three = history.agents
    trainer.rows.set_opponents([three[0]], history, lambda: torch.tensor([0.0, 1.0, 1.0, 1.0]))
    met, won = [], []
    for _ in range(20):
        met.append(trainer.rows.opponent - 1)
        won.append(trainer.rows.step(torch.zeros(900, 1, dtype=torch.int64)).reward)
    met, won = torch.cat(met), torch.cat(won)
    for choice in range(3):
        mean = won[met == choice].mean()
        assert mean == pytest.approx(Throw.payoff[0, choice], abs=0.04)
    assert trainer.rows.win_rates.estimate(4)[3] == pytest.approx(0.9, abs=0.1)
    pairs = [(three[i], three[j]) for i in range(3) for j in range(3)]
    points = Contest(trainer.config, pairs, 1000, seed=3).points()
    assert points.shape == (9, 1000)
    found = points.mean(dim=1).reshape(3, 3).numpy()
    np.testing.assert_allclose(found, (1 + Throw.payoff) / 2, atol=0.05)
    assert abs(found[0, 1] + found[1, 0] - 1) < 0.06


def test_self_play_learns_to_win_from_both_sides():
    """Naming what one sees beats the random player by 2/3 a step, 4 in 6 steps."""
    config = {"num_envs": 32, "num_steps": 12, "total_steps": 15_000, "pool_every": 3_000, "pool": 3, "hidden": (16,)}
    trainer = SelfPlay(SelfPlayConfig(env_id=small("Guess"), **QUICK | {"episodes": 300} | config))
    _, episodes = trainer.train()
    assert len(trainer.history) == 3
    assert episodes.returns.mean() == pytest.approx(4.0, abs=0.4)
    assert episodes.metrics["win_share"].mean() > 0.95
    for side in (0, 1):
        assert episodes.returns[episodes.seeds % 2 == side].mean() == pytest.approx(4.0, abs=0.5)


def test_fictitious_self_play_converges_on_average():
    config = {"total_steps": 60_000, "admit_every": 1_024, "entropy": 0.1}
    trainer = FictitiousSelfPlay(FictitiousSelfPlayConfig(env_id=small("Throw"), **QUICK | WIDE | config))
    trainer.train()
    members = trainer.strategy()
    assert len(members) == len(trainer.history) - 1 >= 58
    assert sum(weight for _, weight in members) == pytest.approx(1.0)
    assert trainer.weights()[0] == 0
    distances = [imitation_loss(members[:count]) for count in (1, len(members))]
    assert distances[1] < 0.06
    assert distances[1] < 0.5 * distances[0]
    assert distances[1] < 0.5 * imitation_loss(members[-1:]), (
        "the average is nearer to equilibrium than its last member"
    )


def test_psro_completes_its_population():
    config = {"total_steps": 80_000, "round_steps": 8_192, "games": 400, "warm": False}
    trainer = PSRO(PSROConfig(env_id=small("Throw"), **QUICK | WIDE | config))
    trainer.train()
    assert imitation_loss(trainer.strategy()) < 0.05
    assert trainer.gains[0] == pytest.approx(0.2, abs=0.12), "rock against the untrained policy, which is even"
    assert max(trainer.gains[-2:]) < 0.05
    assert trainer.steps < 80_000, "two answers without gain end the run"
    table = trainer.table.numpy()
    assert table + table.T == pytest.approx(np.ones_like(table))
    agents = trainer.history.agents
    exact = np.array([[shows(i) @ Throw.payoff @ shows(j) for j in agents] for i in agents])
    np.testing.assert_allclose(2 * table - 1, exact, atol=0.2)
    assert trainer.weights()[0] == 0
    weights = json.loads(trainer.files()[POPULATION])
    assert sum(weights.values()) == pytest.approx(1.0, abs=1e-2)
    policies = trainer.policies()
    assert {name.removesuffix(".onnx") for name in weights} | {"policy"} == set(policies)
    likeliest = policies[max(weights, key=weights.get).removesuffix(".onnx")].program.model.constants
    for name, values in policies["policy"].program.model.constants.items():
        np.testing.assert_array_equal(values, likeliest[name])


def test_the_last_answer_of_psro_joins_also_if_its_round_is_short():
    config = {"num_envs": 8, "num_steps": 4, "total_steps": 100, "round_steps": 64, "games": 4, "least_gain": -2.0}
    trainer = PSRO(PSROConfig(env_id=small("Throw"), **QUICK | config))
    trainer.train()
    assert trainer.begun == trainer.steps == 128
    assert len(trainer.history) == 3


def test_the_league_exploits_and_begins_anew():
    config = {"num_envs": 32, "num_steps": 4, "total_steps": 8_000, "copy_after": 500, "entropy": 0.01}
    trainer = League(LeagueConfig(env_id=small("Throw"), **QUICK | config))
    learners = trainer.members.learners
    initial = learners[0].initial
    for one in learners:
        assert torch.equal(one.agent.state_dict()["actor.2.weight"], initial["actor.2.weight"])
    trainer.train()
    assert trainer.steps == sum(one.steps for one in learners) >= 8_000
    assert max(one.steps for one in learners) - min(one.steps for one in learners) <= 128
    assert set(trainer.history.makers) == {0, 1, 2, 3}
    exploiter = learners[MAIN_EXPLOITER]
    exploiter.iterate()
    trained = {key: value.clone() for key, value in exploiter.agent.state_dict().items() if key.startswith("actor")}
    assert not torch.equal(trained["actor.2.weight"], initial["actor.2.weight"])
    count = len(trainer.history)
    exploiter.leave_copy()
    copied = trainer.history.agents[count].state_dict()
    assert torch.equal(copied["actor.2.weight"], trained["actor.2.weight"])
    assert torch.equal(exploiter.agent.state_dict()["actor.2.weight"], initial["actor.2.weight"])
    assert exploiter.rows.win_rates.games.sum() == 0
    main = learners[MAIN]
    weights = main.agent.state_dict()["actor.2.weight"].clone()
    main.leave_copy()
    assert torch.equal(main.agent.state_dict()["actor.2.weight"], weights)


def test_a_copy_is_due_when_all_are_beaten_or_time_has_passed():
    config = LeagueConfig(env_id=small("Throw"), num_envs=4, num_steps=4, copy_after=100, **QUICK)
    trainer = League(config)
    main, exploiter = trainer.members.learners[:2]
    main.steps = 99
    assert not main.due()
    main.steps = 100
    trainer.history.add(main.agent)
    assert not main.due()
    main.rows.win_rates.add(torch.tensor([1]), torch.tensor([1.0]))
    assert main.due()
    exploiter.steps = 199
    assert not exploiter.due()
    exploiter.steps = 200
    assert exploiter.due()


def test_mixtures_are_drawn_by_episode():
    trainer = SelfPlay(SelfPlayConfig(env_id=small("Throw"), num_envs=2, num_steps=2, **QUICK))
    from envsuite.evaluation.rollout import onnx_player

    players = [onnx_player(trainer.written(fixed(trainer.agent, choice))) for choice in range(3)]
    card = envsuite.card(small("Throw"))
    rock = [(players[0], 1.0)]
    mixed = [(players[1], 1.0), (players[2], 3.0)]
    found = mixed_games(card, rock, mixed, 2000)
    assert sorted(found.seeds) == list(range(10**9, 10**9 + 2000))
    assert found.returns.mean() == pytest.approx(0.25 * -0.2 + 0.75 * 0.8, abs=0.07)
    again = mixed_games(card, rock, mixed, 2000)
    assert np.array_equal(found.returns, again.returns)
    with pytest.raises(ValueError, match="not all of them 0"):
        mixed_games(card, rock, [(players[1], 0.0)], 10)


def test_games_of_more_or_fewer_than_two_are_refused():
    with pytest.raises(ValueError, match="1 agents, expected 2 players"):
        SelfPlay(SelfPlayConfig(env_id=small("Pole"), num_envs=2, **QUICK))
    with pytest.raises(ValueError, match="2 objectives, expected one reward"):
        SelfPlay(SelfPlayConfig(env_id=small("Trade"), num_envs=2, **QUICK))
    assert MatchConfig(env_id="MOConnect4", game={}).card().options == {}

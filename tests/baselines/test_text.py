"""Learning from text alone: policy files play as the networks do, and what is not read does not matter."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from drrn import DRRN, DRRNConfig  # noqa: E402
from reading import TokenRows  # noqa: E402
from text_ppo import TextPPO, TextPPOConfig  # noqa: E402

from envsuite.core.companions import Words, companion  # noqa: E402
from envsuite.evaluation.rollout import onnx_player  # noqa: E402

from .worlds import small  # noqa: E402

COOKING, COIN = "envsuite/TextCooking-v0", "envsuite/CoinCollectorEasy-v0"
FEW = {"num_envs": 8, "total_steps": 64, "size": 8, "width": 16, "threads": 1, "words": 160, "commands": 48}


def _trainers(env_id: str, **options):
    yield DRRN(DRRNConfig(env_id=env_id, first_steps=16, batch_size=8, **(FEW | options)))
    yield TextPPO(TextPPOConfig(env_id=env_id, num_steps=4, units=16, **(FEW | options)))


def _scores(trainer, memory):
    """Scores of all commands, and the next state."""
    rows = trainer.rows
    if isinstance(trainer, DRRN):
        return trainer.network(rows.obs, rows.mask), memory
    encoded = trainer.agent.encode(rows.obs)
    recalled, memory = trainer.agent.remember(encoded, memory)
    return torch.where(rows.mask, trainer.agent.output(recalled, encoded), -1e8), memory


@pytest.mark.parametrize("env_id", [COOKING, COIN])
def test_policy_files_play_as_the_networks_do(env_id):
    for trainer in _trainers(env_id):
        rows, memory, rng = trainer.rows, torch.zeros(8, 16), np.random.default_rng(0)
        different = 0
        player = onnx_player(trainer.policy())(rows.env.world, 8)
        player.reset(np.ones(8, np.bool_), np.arange(8))
        for _ in range(10):
            with torch.no_grad():
                scores, memory = _scores(trainer, memory)
            actions = player.act(np.empty(0), rows.env.batch.states)
            best = scores.max(1).values
            assert np.allclose(best, scores[torch.arange(8), torch.from_numpy(actions)], atol=1e-5)
            different += np.ptp(best.numpy()) > 1e-4
            rows.step(torch.from_numpy(rng.integers(rows.mask.sum(1).numpy())))
        assert different == 10, "all texts look alike"


def test_rows_are_the_words_of_texts_and_commands():
    rows = TokenRows(DRRNConfig(env_id=COOKING, **FEW))
    words, (count, longest) = companion(rows.env.world, Words), companion(rows.env.world, Words).command_shape
    assert (rows.vocabulary, rows.words, rows.commands, rows.command_words) == (len(words.vocabulary), 160, 48, longest)
    tokens = torch.from_numpy(rows.env.batch.sensed("command_tokens"))
    assert torch.equal(rows.obs[:, :160].int(), tokens[:, :160])
    listed = tokens[:, words.token_length :].unflatten(1, (count, longest))[:, :48]
    assert torch.equal(rows.obs[:, 160:].int(), listed.flatten(1))
    assert torch.equal(rows.mask, listed[:, :, 0] > 0)


def test_how_much_else_is_read_at_once_does_not_matter():
    for trainer in _trainers(COOKING):
        network = trainer.network if isinstance(trainer, DRRN) else trainer.agent
        rows, memory = trainer.rows, torch.zeros(8, 16)
        with torch.no_grad():
            together, _ = _scores(trainer, memory)
            for row in range(8):
                obs = rows.obs[row : row + 1]
                if isinstance(trainer, DRRN):
                    alone = network(obs, rows.mask[row : row + 1])
                else:
                    encoded = network.encode(obs)
                    recalled, _ = network.remember(encoded, memory[:1])
                    alone = network.output(recalled, encoded)
                    alone = torch.where(rows.mask[row : row + 1], alone, -1e8)
                assert torch.allclose(alone, together[row : row + 1], atol=1e-5)


def test_commands_beyond_those_read_are_not_chosen():
    for trainer in _trainers(COOKING, commands=2):
        player = onnx_player(trainer.policy())(trainer.rows.env.world, 8)
        player.reset(np.ones(8, np.bool_), np.arange(8))
        assert trainer.rows.mask.shape == (8, 2)
        assert (player.act(np.empty(0), trainer.rows.env.batch.states) < 2).all()


@pytest.mark.parametrize("maker", [(DRRN, DRRNConfig), (TextPPO, TextPPOConfig)])
def test_worlds_without_listed_commands_are_refused(maker):
    trainer, settings = maker
    with pytest.raises(ValueError, match="obs_type is 'command_tokens', expected one of"):
        trainer(settings(env_id="envsuite/NumberLine-v0"))
    with pytest.raises(ValueError, match=r"hidden is \(8,\), expected .* does not use it"):
        trainer(settings(env_id=COIN, hidden=(8,)))


@pytest.mark.slow
@pytest.mark.parametrize("maker", [(DRRN, DRRNConfig), (TextPPO, TextPPOConfig)])
def test_what_is_told_is_learned(maker):
    trainer, settings = maker
    extra = {"first_steps": 500, "updates": 0.1} if trainer is DRRN else {"num_steps": 6, "width": 32, "units": 16}
    options = {"num_envs": 16, "total_steps": 20_000, "learning_rate": 3e-3, "evaluations": 1, "threads": 1}
    _, episodes = trainer(settings(env_id=small("Errand"), gamma=0.5, **options, **extra)).train()
    assert episodes.returns.mean() > 5.8  # at best 6; at random 2.5


@pytest.mark.slow
@pytest.mark.parametrize("maker", [(DRRN, DRRNConfig), (TextPPO, TextPPOConfig)])
def test_short_chains_are_learned_from_text(maker):
    trainer, settings = maker
    options = {"env_options": {"level": 3}, "words": 64, "commands": 8, "learning_rate": 1e-3, "gamma": 0.9}
    extra = {"num_envs": 16, "first_steps": 1000, "updates": 0.1} if trainer is DRRN else {"entropy": 0.01}
    training = trainer(settings(env_id=COIN, total_steps=100_000, evaluations=1, threads=1, **options, **extra))
    _, episodes = training.train()
    assert episodes.returns.mean() > 0.2  # of a uniformly random player: 0.083

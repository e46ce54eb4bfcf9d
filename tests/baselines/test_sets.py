"""Sets of policies for several objectives, and two agents that credit each other: tasks with known fronts."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from advantage_alignment import AdvantageAlignment, AdvantageAlignmentConfig, aligned  # noqa: E402
from fronts import evaluate_policies, front_numbers, vectors  # noqa: E402
from gpi_ls import GPILS, GPILSConfig  # noqa: E402
from independent_q import IndependentQ, IndependentQConfig  # noqa: E402
from mappo import MAPPO, MAPPOConfig  # noqa: E402
from ols import OLS, OLSConfig  # noqa: E402

import envsuite  # noqa: E402
from envsuite.agents.onnx import load, save  # noqa: E402
from envsuite.core.world import make_world  # noqa: E402

from .worlds import small  # noqa: E402

QUICK = {"evaluations": 1, "threads": 1, "episodes": 8}
FRONT = [[3.0, 0.0], [0.0, 3.0], [1.8, 1.8]]
"""Of an agent of Trade in three steps."""


def front_of(trainer, episodes):
    """Distinct vectors of an agent, and the log's numbers."""
    return np.unique(np.round(vectors(trainer.config.env_id, episodes), 6), axis=0), trainer.summary(episodes)


def test_equally_spaced_weights():
    settings = {"divisions": 4, "num_envs": 20, "num_steps": 12, "hidden": (16,), "total_steps": 6_000}
    trainer = MAPPO(MAPPOConfig(env_id=small("Trade"), **settings, reference=(0.0, 0.0), learning_rate=5e-3, **QUICK))
    _, episodes = trainer.train()
    found, numbers = front_of(trainer, episodes)
    np.testing.assert_allclose(found, sorted(FRONT))
    assert numbers["cardinality"] == 3
    assert numbers["hypervolume"] == pytest.approx(1.8 * 1.8)  # points on the axes add nothing
    with pytest.raises(ValueError, match="expected 0 beside weights"):
        MAPPO(MAPPOConfig(env_id=small("Trade"), divisions=2, weights=((0.5, 0.5),)))


def test_units_change_what_weights_mean():
    """With gold in units of three, choices for half the weight each are (1, 0), (0, 3) and (0.6, 1.8): time wins."""
    settings = {"units": (3.0, 1.0), "num_envs": 8, "num_steps": 12, "hidden": (16,), "total_steps": 3_000}
    trainer = MAPPO(MAPPOConfig(env_id=small("Trade"), **settings, learning_rate=5e-3, **QUICK))
    _, episodes = trainer.train()
    assert vectors(trainer.config.env_id, episodes).tolist() == [[0.0, 3.0]]
    assert episodes.returns.mean() == pytest.approx(3.0)  # half of 6, of both agents
    with pytest.raises(ValueError, match="expected 2 positive numbers"):
        MAPPO(MAPPOConfig(env_id=small("Trade"), units=(1.0,)))


def test_noise_falls_to_its_bound():
    settings = {"divisions": 1, "num_envs": 2, "num_steps": 2, "hidden": (8,), "total_steps": 8, "threads": 1}
    trainer = MAPPO(MAPPOConfig(env_id="MOSurround", **settings, log_std=-1.0, final_log_std=-2.0))
    noise = trainer.agents.actions.log_std
    assert noise.shape[0] == 2
    for steps, bound in ((0, -1.0), (4, -1.5), (8, -2.0)):
        trainer.steps = steps
        trainer.agents.actions.anneal_log_std(-1.0, -2.0, trainer.decayed())
        assert noise.max().item() == pytest.approx(bound)
    trainer.iterate()  # at the end, when the step size is 0
    assert noise.max().item() == pytest.approx(-2.0)


def test_linear_support_finds_the_middle():
    """Two policies a round: the ends first, then where they are worth the same, and what is left."""
    settings = {"rounds": 2, "num_envs": 16, "num_steps": 12, "hidden": (16,), "total_steps": 8_000}
    trainer = OLS(OLSConfig(env_id=small("Trade"), **settings, learning_rate=5e-3, **QUICK))
    _, episodes = trainer.train()
    assert trainer.solved.tolist() == [[0, 1], [1, 0]]
    assert trainer.weights[0].tolist() == pytest.approx([0.5, 0.5])
    found, _ = front_of(trainer, episodes)
    np.testing.assert_allclose(found, sorted(FRONT))
    assert len(trainer.policies()) == 4


def test_linear_support_goes_on_from_a_checkpoint():
    settings = {"rounds": 2, "num_envs": 4, "num_steps": 6, "hidden": (8,), "total_steps": 480, "evaluations": 4}
    config = OLSConfig(env_id=small("Trade"), **settings, threads=1, episodes=4)
    states = []
    first = OLS(config)
    first.train(checkpoint=lambda state: states.append({key: _copied(one) for key, one in state.items()}))
    again = OLS(config)
    again.restore(states[2])
    assert again.round == 1
    again.train()
    for one, other in zip(first.agents.parameters(), again.agents.parameters(), strict=True):
        assert torch.equal(one, other)


def _copied(value):
    import copy

    return copy.deepcopy(value)


def test_independent_tables():
    """Each of nine pairs of agents finds the best choice of its weights."""
    settings = {"divisions": 8, "total_steps": 9 * 600, "learning_rate": 0.2, "gamma": 0.0, "explore": 1.0}
    trainer = IndependentQ(IndependentQConfig(env_id=small("Trade"), explore_decay=0.99, **settings, **QUICK))
    _, episodes = trainer.train()
    found, numbers = front_of(trainer, episodes)
    np.testing.assert_allclose(found, sorted(FRONT))
    assert numbers["gold_8"] == pytest.approx(6.0)
    gains = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6]])
    expected = trainer.weights.double().numpy() @ gains.T
    learned = trainer.values[:, 0].unflatten(0, (9, 2)).numpy()
    np.testing.assert_allclose(learned, np.repeat(expected[:, None], 2, 1), atol=1e-2)


def test_tables_have_states(tmp_path):
    """Agents that see who they are: the state is the first number that they see."""
    settings = {"total_steps": 2_000, "gamma": 0.0, "learning_rate": 0.2, "block": "me"}
    config = IndependentQConfig(env_id=small("Parity"), explore=1.0, explore_decay=0.998, **settings, **QUICK)
    policy, episodes = IndependentQ(config).train()
    assert episodes.returns.mean() == pytest.approx(8.0)
    save(tmp_path / "policy.onnx", policy.program.model, policy.interface)
    player = load(tmp_path)
    player.reset(np.ones(3, np.bool_), np.arange(3))
    assert player.act(np.tile(np.eye(2, dtype=np.float32), (3, 1, 1)), None).tolist() == [[0, 1]] * 3
    with pytest.raises(ValueError, match="expected one of"):
        IndependentQ(IndependentQConfig(env_id=small("Parity"), block="you"))


def test_generalised_policy_improvement_finds_the_front(tmp_path):
    settings = {"rounds": 3, "num_envs": 8, "hidden": (32,), "total_steps": 4_000, "first_steps": 200, "gamma": 1.0}
    trainer = GPILS(
        GPILSConfig(env_id=small("Trade"), **settings, updates=0.5, batch_size=32, learning_rate=3e-3, **QUICK)
    )
    policy, episodes = trainer.train()
    found, _ = front_of(trainer, episodes)
    assert {tuple(one) for one in FRONT} <= {tuple(one) for one in found.tolist()}
    # the file plays what the trainer would
    trainer.now = trainer.support[:1].expand(8, -1)
    joint = trainer.improved(trainer.rows.obs, trainer.now)[0]
    save(tmp_path / "policy.onnx", policy.program.model, policy.interface)
    player = load(tmp_path)
    player.reset(np.ones(1, np.bool_), np.arange(1))
    assert player.act(np.ones((1, 2, 2), np.float32), None).tolist() == [[int(joint) // 3, int(joint) % 3]]


def test_credit_for_the_other():
    """The sums of the formula, written out; a new episode begins with no past."""
    advantage = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    done = torch.zeros(6, 4, dtype=torch.bool)
    done[2] = True
    found = aligned(advantage, done, torch.zeros(4), 0.9, 2.0)
    for row in range(4):
        other = row ^ 1
        for t in range(6):
            begin = 0 if t <= 2 else 3
            past = sum(0.9 ** (t - k) * float(advantage[k, row]) for k in range(begin, t))
            expected = float(advantage[t, row]) + 2.0 * 0.9 * past * float(advantage[t, other])
            assert float(found[t, row]) == pytest.approx(expected, abs=1e-5)


def test_without_credit_agents_are_naive():
    settings = {"num_envs": 4, "num_steps": 8, "sharing": False, "central": False, "threads": 1, "seed": 3}
    plain = MAPPO(MAPPOConfig(env_id=small("Parity"), **settings)).collect()
    naive = AdvantageAlignment(AdvantageAlignmentConfig(env_id=small("Parity"), alignment=0.0, **settings)).collect()
    assert torch.equal(plain["advantage"], naive["advantage"])


@pytest.mark.parametrize(("env_id", "known"), [("MOItemGathering7", True), ("MOItemGatheringDrawn", False)])
def test_a_front_is_known_of_some_games_of_a_world(env_id, known):
    import fronts

    assert (fronts.known_front(env_id) is not None) is known


def test_metrics_of_a_known_front(monkeypatch):
    """A set without the middle point, against the front by hand."""
    config = MAPPOConfig(env_id=small("Trade"), weights=((1.0, 0.0), (0.0, 1.0)), reference=(-1.0, -1.0), **QUICK)
    monkeypatch.setattr("fronts.known_front", lambda env_id: np.array(FRONT))
    settings = {"num_envs": 8, "num_steps": 12, "hidden": (16,), "total_steps": 4_000, "learning_rate": 5e-3}
    for name, value in settings.items():
        setattr(config, name, value)
    trainer = MAPPO(config)
    trainer.train()
    episodes = evaluate_policies(config, zip(trainer.policies().values(), trainer.weights, strict=True))
    numbers = front_numbers(config, episodes)
    assert numbers["hypervolume"] == pytest.approx(4.0 + 4.0 - 1.0)
    assert numbers["hypervolume_share"] == pytest.approx(7.0 / (7.0 + 1.8**2))
    assert numbers["igd_plus"] == pytest.approx(1.8 / 3)
    assert numbers["utility_loss"] == pytest.approx(0.3)


@pytest.mark.parametrize("dtype", [np.int8, np.int16])
def test_policies_see_whole_numbers(tmp_path, dtype):
    """Boards are observations of int8, scores of int16, below 0 too."""
    from envsuite.agents.onnx import Graph, Interface, OnnxPolicy, Program
    from envsuite.agents.onnx.interface import Action

    graph = Graph((2,), dtype)
    model = graph.model(graph.dense(graph.observation, np.array([[1.0, 0.0], [0.0, -1.0]]), np.zeros(2)), (2,))
    made = OnnxPolicy(Program(model), Interface(small("Pole"), Action("argmax")))
    save(tmp_path / "policy.onnx", made.program.model, made.interface)
    player = load(tmp_path)
    player.reset(np.ones(2, np.bool_), np.arange(2))
    assert player.act(np.array([[3, 1], [-2, -5]], dtype), None).tolist() == [0, 1]


def test_policy_files_have_a_type_for_every_observation():
    from envsuite.agents.onnx.model import NUMBERS

    worlds = {card.id: make_world(card.world, **card.options) for card in envsuite.cards().values()}
    assert {name for name, world in worlds.items() if np.dtype(world.observation.dtype) not in NUMBERS} == set()

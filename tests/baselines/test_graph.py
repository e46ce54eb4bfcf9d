"""PPO on graphs: policy files play as the networks do, padding does not matter, and one of them learns."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ppo_graph import NETWORKS, PPOGraph, PPOGraphConfig  # noqa: E402

from envsuite.evaluation.rollout import onnx_player  # noqa: E402

from .worlds import small  # noqa: E402

FEW = {"num_envs": 4, "num_steps": 4, "total_steps": 16, "width": 16, "threads": 1}


def _trainer(env_id: str, network: str, **options) -> PPOGraph:
    trainer = PPOGraph(PPOGraphConfig(env_id=env_id, network=network, **{**FEW, **options}))
    with torch.no_grad():
        actor = trainer.agent.actor.network
        actor.last.weight *= 30.0  # so that actions differ
        if network == "equivariant":
            actor.straight.normal_(0.0, 0.1)  # zeros at first
    return trainer


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize(
    "env_id", ["envsuite/ShapePushing-v0", pytest.param("envsuite/ShapeInsertionTwoTeam-v0", marks=pytest.mark.slow)]
)
def test_policy_files_play_as_the_network_does(env_id, network):
    trainer = _trainer(env_id, network)
    rows, world = trainer.rows, trainer.rows.env.world
    player = onnx_player(trainer.policy())(world, 4)
    player.reset(np.ones(4, np.bool_), np.arange(4))
    seen = rows.obs.numpy().reshape(rows.env.observation_space.shape)
    given = player.act(seen, rows.env.batch.states).reshape(rows.count, -1)
    wanted = trainer.agent.actor(rows.obs).detach().numpy()
    assert np.abs(wanted).max() > 0.01
    assert np.allclose(given, np.clip(wanted, -1, 1), atol=1e-6)


@pytest.mark.parametrize("network", NETWORKS)
def test_nodes_that_there_are_not_do_not_matter(network):
    trainer = _trainer("envsuite/ShapePushing-v0", network, env_options={"outlines": ["triangle"]})
    world, obs = trainer.rows.env.world, trainer.rows.obs.clone()
    before = trainer.agent.actor(obs), trainer.agent.critic(obs)
    for name in ("points", "target points"):
        start = world.observation.offset(name)
        obs[:, start + 9 : start + 36] = 7.0  # a triangle has three points of twelve
    for old, new in zip(before, (trainer.agent.actor(obs), trainer.agent.critic(obs)), strict=True):
        assert torch.allclose(old, new, atol=1e-6)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_order_of_points_does_not_matter(network):
    trainer = _trainer("envsuite/ShapePushing-v0", network, env_options={"outlines": ["plus"]})
    world, obs = trainer.rows.env.world, trainer.rows.obs.clone()
    order = torch.randperm(12, generator=torch.Generator().manual_seed(0))
    before = trainer.agent.actor(obs)
    for name in ("points", "target points"):
        start = world.observation.offset(name)
        obs[:, start : start + 36] = obs[:, start : start + 36].reshape(-1, 12, 3)[:, order].reshape(-1, 36)
    assert torch.allclose(before, trainer.agent.actor(obs), atol=1e-5)


def _turn(array: torch.Tensor, axes: int, angle: float) -> torch.Tensor:
    """Vectors (n, k axes) turned about the vertical."""
    x, y, *rest = array.reshape(len(array), -1, axes).unbind(-1)
    cos, sin = np.cos(angle), np.sin(angle)
    return torch.stack([cos * x - sin * y, sin * x + cos * y, *rest], -1).reshape(array.shape)


@pytest.mark.parametrize("task", ["ShapeInsertionTwo", "RopeClosing"])
def test_a_turned_scene_gets_turned_answers(task):
    trainer = _trainer(f"envsuite/{task}-v0", "equivariant")
    world, obs = trainer.rows.env.world, trainer.rows.obs
    read = {name for nodes in world.graph.nodes.values() for name in (nodes.position, nodes.target, *nodes.vectors)}
    turned = obs.clone()
    for block in world.observation.blocks:
        if block.name in read:
            columns = slice(start := world.observation.offset(block.name), start + block.size)
            turned[:, columns] = _turn(obs[:, columns], world.graph.axes, 0.7)
    answers, others = trainer.agent.actor(obs), trainer.agent.actor(turned)
    assert answers.abs().max() > 0.01
    assert not torch.allclose(answers, others, atol=1e-3)
    assert torch.allclose(_turn(answers, 3, 0.7), others, atol=1e-5)


def test_worlds_without_graphs_are_refused():
    with pytest.raises(ValueError, match="Glider has no graph, expected a world such as that of ShapeSliding"):
        PPOGraph(PPOGraphConfig(env_id=small("Glider"), **FEW))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"network": "gnn"}, r"network is 'gnn', expected one of deepsets, transformer, messages, equivariant"),
        ({"width": 9}, r"width is 9 and heads 2, expected a multiple"),
        ({"normalise": True}, r"normalise is True, expected False: ppo_graph does not use it"),
        ({"network": "transformer", "layers": 0}, r"layers is 0, expected 1 or more"),
        ({"layers": 3}, r"layers is 3, expected 2: they are of the transformer"),
    ],
)
def test_settings_that_cannot_be_meant_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        PPOGraph(PPOGraphConfig(env_id=small("Reach"), **{**FEW, **options}))


@pytest.mark.slow
@pytest.mark.parametrize("network", NETWORKS)
def test_learns_to_bring_a_point_to_a_place(network):
    settings = {"num_envs": 32, "num_steps": 32, "total_steps": 60_000, "learning_rate": 2e-3, "episodes": 50}
    config = PPOGraphConfig(env_id=small("Reach"), network=network, evaluations=1, width=32, threads=1, **settings)
    _, episodes = PPOGraph(config).train()
    assert episodes.metrics["is_success"].mean() > 0.8

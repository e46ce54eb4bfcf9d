"""Observations as graphs, against plain loops."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.world import make_world
from envsuite.manipulation.graphs import graph_of

ROPE = "envsuite.manipulation.rope.closing:RopeClosingWorld"
SHAPING = "envsuite.manipulation.rope.shaping:RopeShapingWorld"
CLOTH = "envsuite.manipulation.cloth.kernel:ClothHangingWorld"


def played(path, count=3, **options):
    world = make_world(path, **options)
    batch = Batch(world, count, horizon=100)
    batch.seed(range(count))
    batch.reset()
    lead = (count, len(world.agents)) if world.agents else (count,)
    actions = np.random.default_rng(0).uniform(-1, 1, (8, *lead, *world.action.shape)).astype(np.float32)
    for row in actions:
        output = batch.step(row)
    return world, batch.states, output.observations


def test_a_rope_is_a_graph_of_points_and_grippers():
    world, states, seen = played(ROPE, shapes="training")
    graph = graph_of(world, seen)
    assert graph.x["object"].shape == (3, 40, 2 + 9)
    assert graph.x["actuator"].shape == (3, 2, 2 + 9)
    for k, s in enumerate(states):
        n = s["points"]
        assert graph.mask["object"][k].sum() == n
        x = graph.x["object"][k]
        assert (x[:n, :2] == (1, 0)).all()
        assert (x[n:] == 0).all()
        assert np.allclose(x[:n, 2:4], s["position"][:n], atol=1e-6)
        assert np.allclose(x[:n, 5:7], s["position"][:n] - s["center"], atol=1e-5)
        assert np.allclose(x[:n, 8:10], s["velocity"][:n], atol=1e-5)
        assert (x[:, [4, 7, 10]] == 0).all()
        assert np.allclose(graph.position["actuator"][k, :, :2], s["position"][[0, n - 1]], atol=1e-6)


def test_points_hear_their_three_nearest_neighbours():
    world, states, seen = played(ROPE, shapes="training")
    graph = graph_of(world, seen)
    index, there = graph.edge_index["object", "to", "object"], graph.edge_mask["object", "to", "object"]
    assert index.shape == (3, 2, 120)
    for k, s in enumerate(states):
        n = s["points"]
        place = s["position"][:n].astype(np.float32)
        for i in range(n):
            far = np.linalg.norm(place - place[i], axis=1)
            far[i] = np.inf
            heard = index[k, 0, (index[k, 1] == i) & there[k]]
            assert len(set(heard)) == 3
            assert i not in heard
            assert np.allclose(np.sort(far[heard]), np.sort(far)[:3], atol=1e-5)
        assert there[k].sum() == 3 * n


def test_other_pairs_are_complete():
    world, states, seen = played(ROPE, shapes="training")
    graph = graph_of(world, seen)
    pairs = graph.edge_index["object", "to", "actuator"]
    assert pairs.shape == (3, 2, 80)
    assert graph.edge_mask["object", "to", "actuator"].sum(axis=1).tolist() == (2 * states["points"]).tolist()
    assert graph.edge_index["actuator", "to", "actuator"][0].T.tolist() == [[1, 0], [0, 1]]
    world, _, seen = played(CLOTH)
    graph = graph_of(world, seen)
    assert graph.x["object"].shape == (3, 10, 11)
    assert graph.edge_index["object", "to", "object"].shape == (3, 2, 90)
    assert graph.edge_index["actuator", "to", "actuator"].shape == (3, 2, 12)
    assert not (
        graph.edge_index["object", "to", "object"][:, 0] == graph.edge_index["object", "to", "object"][:, 1]
    ).any()


def test_a_shape_has_a_target_for_each_point():
    world, states, seen = played(SHAPING)
    graph = graph_of(world, seen)
    s = states[0]
    middle = (s["position"][0] + s["position"][79]) / 2
    assert np.allclose(graph.x["object"][0, :, 5:7], s["position"] - middle - s["target"], atol=1e-5)


def test_batches_without_padding_number_nodes_on():
    world, states, seen = played(ROPE, shapes="training")
    graph = graph_of(world, seen)
    flat = graph.flatten()
    total = int(states["points"].sum())
    assert flat.num_graphs == 3
    assert flat.x_dict["object"].shape == (total, 11)
    assert flat.batch_dict["object"].tolist() == np.repeat(np.arange(3), states["points"]).tolist()
    sends, receives = flat.edge_index_dict["object", "to", "object"]
    assert len(sends) == 3 * total
    assert (flat.batch_dict["object"][sends] == flat.batch_dict["object"][receives]).all()
    kept = graph.edge_mask["object", "to", "object"]
    first = np.concatenate(
        [graph.position["object"][k, graph.edge_index["object", "to", "object"][k, 0, kept[k]]] for k in range(3)]
    )
    assert np.array_equal(flat.pos_dict["object"][sends], first)


def test_members_of_a_team_see_themselves_first():
    world, states, seen = played(CLOTH, team=True)
    graph = graph_of(world, seen)
    assert graph.x["actuator"].shape == (3, 4, 4, 11)
    for k in range(4):
        assert np.allclose(graph.position["actuator"][:, k, 0], states["grippers"][:, k], atol=1e-6)
    assert graph.flatten().num_graphs == 12
    one = graph_of(world, seen[0, 0])
    assert one.x["object"].shape == (10, 11)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="MetaWorld has no graph"):
        graph_of(make_world("envsuite.manipulation.meta.world:MetaWorld"), np.zeros(39))
    world = make_world(ROPE)
    with pytest.raises(ValueError, match=r"\(3,\), expected \(\.\.\., "):
        graph_of(world, np.zeros(3))

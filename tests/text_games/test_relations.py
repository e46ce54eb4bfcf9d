"""Relations against sets of people and searches through graphs; players against exhaustive search."""

import itertools
from collections import deque

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Players, Words, companion
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.text_games.relations import family, graphs
from envsuite.text_games.relations.batches import make_structures
from envsuite.text_games.relations.bits import unpacked
from envsuite.text_games.relations.blocks import BlocksWorld
from envsuite.text_games.relations.path import PathWorld
from envsuite.text_games.relations.sorting import SortingWorld
from envsuite.text_games.relations.world import FamilyWorld, GraphWorld

QUESTIONS = [name for name in (card.id for card in envsuite.cards().values()) if "/Family" in name or "/Graph" in name]
DECISIONS = ["RelationSorting", "RelationPath", "BlocksWorld"]


def begun(world, slots: int = 1, first_seed: int = 0) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(first_seed, first_seed + slots))
    batch.reset()
    return batch


def played(world, policy, slots: int):
    """Returns, lengths and successes of one episode a slot."""
    batch = begun(world, slots)
    policy.reset(np.ones(slots, bool), np.arange(slots))
    returns, lengths, success, over = (
        np.zeros(slots),
        np.zeros(slots, int),
        np.zeros(slots, bool),
        np.zeros(slots, bool),
    )
    while not over.all():
        output = batch.step(policy.act(batch.last.observations, batch.states), np.zeros(slots, bool))
        returns += np.where(over, 0, output.rewards)
        lengths += ~over
        success |= ~over & output.info["success"]
        over |= output.terminated | output.truncated
        batch.states["clock"]["done"] = 0
    return returns, lengths, success


@pytest.mark.parametrize("name", [*QUESTIONS, *DECISIONS])
def test_an_episode_leaves_nothing_behind(name):
    card = envsuite.card(name)
    batch, fresh = (begun(make_world(card.world, **card.options), 32) for _ in range(2))
    policy = random_policy(batch.world, 32)
    policy.reset(np.ones(32, bool), np.arange(32))
    for _ in range(30):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(32))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


# families


def true_pairs(relations: np.ndarray, relation: str) -> set:
    """What a relation is true of, by sets of people, from the four matrices (people, people, 4) alone."""
    fathers, mothers, sons, daughters = (set(map(tuple, np.argwhere(relations[..., k]))) for k in range(4))
    people = range(len(relations))
    parents = {x: {p for c, p in fathers | mothers if c == x} for x in people}
    boys, girls = {c for _, c in sons}, {c for _, c in daughters}
    if relation == "has_father":
        return {c for c, _ in fathers}
    if relation == "has_sister":
        return {x for x in people for y in girls if x != y and parents[x] and parents[x] == parents[y]}
    grandparents = {y: set().union(*(parents[p] for p in parents[y])) for y in people}
    if relation == "is_grandparent":
        return {(x, y) for y in people for x in grandparents[y]}
    if relation == "is_uncle":
        return {(x, y) for y in people for x in boys if parents[x] & grandparents[y] and (y, x) not in fathers}
    mother = dict(mothers)
    women = {y: {mother.get(g) for g in grandparents[y] if g in set(mother.values())} - {None} for y in people}
    return {(x, y) for y in people for x in boys if parents[x] & women[y]}


@pytest.mark.parametrize("relation", family.RELATIONS)
@pytest.mark.parametrize(("smallest", "largest", "count"), [(20, 20, 60), (60, 100, 4)])
def test_labels_of_families_are_what_sets_of_people_say(relation, smallest, largest, count):
    found = make_structures(FamilyWorld(relation=relation, smallest=smallest, largest=largest), count, seed=7)
    total = 0
    for relations, labels in zip(found.relations, found.labels, strict=True):
        expected = true_pairs(relations, relation)
        told = {tuple(one) if len(one) > 1 else one[0] for one in np.argwhere(labels).tolist()}
        assert told == expected
        total += len(expected)
    assert total > 0


def test_families_obey_the_rules_of_the_generator():
    for relations in make_structures(FamilyWorld(relation="is_uncle", smallest=60, largest=60), 40).relations:
        father = {c: f for c, f in np.argwhere(relations[..., 0]).tolist()}
        mother = {c: m for c, m in np.argwhere(relations[..., 1]).tolist()}
        assert father.keys() == mother.keys()
        couples = {(father[c], mother[c]) for c in father}
        assert len({f for f, _ in couples}) == len({m for _, m in couples}) == len(couples), "nobody marries twice"
        sexes = {child: kind for kind in (2, 3) for _, child in np.argwhere(relations[..., kind]).tolist()}
        assert all(sexes.get(f, 2) == 2 for f in father.values())
        assert all(sexes.get(m, 3) == 3 for m in mother.values())
        for f, m in couples:
            near = [{one, father.get(one), mother.get(one)} - {None} for one in (f, m)]
            for a, b in itertools.product(*near):
                kin = a in father and b in father and father[a] == father[b]
                assert not (kin and f in father and m in father), (f, m)


def reference_family(n: int, draw: np.random.Generator) -> np.ndarray:
    """A family as Dong et al. (2019) grow it, with lists and sets; the four matrices."""
    father, mother, sex, single, couples = {}, {}, {}, ([], []), [None]
    for x in draw.permutation(n).tolist():
        sex[x] = int(draw.integers(2))
        parents = couples[draw.integers(len(couples))]
        single[sex[x]].append(x)
        if parents:
            father[x], mother[x] = parents
        if draw.random() < 0.8 and single[0] and single[1]:
            man, woman = (one[draw.integers(len(one))] for one in single)
            ancestors = [[one, father.get(one), mother.get(one)] for one in (man, woman)]
            kin = any(
                a is not None and b is not None and a in father and father.get(a) == father.get(b)
                for a, b in itertools.product(*ancestors)
            )
            if man not in father or woman not in father or not kin:
                couples.append((man, woman))
                single[0].remove(man)
                single[1].remove(woman)
    found = np.zeros((n, n, 4), np.uint8)
    for x, parent in father.items():
        for kind, one in enumerate((parent, mother[x])):
            found[x, one, kind] = found[one, x, 2 + sex[x]] = 1
    return found


@pytest.mark.parametrize("relation", ["has_sister", "is_grandparent", "is_uncle", "is_mg_uncle"])
def test_families_are_as_rich_as_those_of_an_independent_generator(relation):
    draw, count = np.random.default_rng(5), 1500
    theirs = [len(true_pairs(reference_family(20, draw), relation)) for _ in range(count)]
    labels = make_structures(FamilyWorld(relation=relation), 6000, seed=1).labels.astype(int)
    ours = labels.reshape(len(labels), -1).sum(axis=1)
    error = np.hypot(np.std(theirs) / np.sqrt(count), ours.std() / np.sqrt(len(ours)))
    assert abs(np.mean(theirs) - ours.mean()) < 4 * error


# graphs


def distances(edges: np.ndarray, start: int) -> dict[int, int]:
    """Steps to every node that can be reached, by a search from a node."""
    found, queue = {start: 0}, deque([start])
    while queue:
        x = queue.popleft()
        for y in np.flatnonzero(edges[x]).tolist():
            if y not in found:
                found[y] = found[x] + 1
                queue.append(y)
    return found


GRAPHS = [
    {"relation": "connectivity", "k": 4},
    {"relation": "connectivity", "k": 6, "density": 0.15},
    {"relation": "connectivity", "k": 2, "directed": True},
    {"relation": "connectivity", "k": 4, "generator": "dnc", "largest": 50},
    {"relation": "out_degree", "k": 1},
    {"relation": "out_degree", "k": 2, "directed": True},
    {"relation": "adjacent_to_red"},
    {"relation": "adjacent_to_red", "compat": "nlm", "directed": True},
    {"relation": "path_distance"},
    {"relation": "path_distance", "generator": "dnc", "largest": 64},
]


@pytest.mark.parametrize("options", GRAPHS)
def test_labels_of_graphs_are_what_a_search_says(options):
    found = make_structures(GraphWorld(**options), 60, seed=3)
    assert found.labels.any()
    assert not found.labels.all()
    for k in range(60):
        edges, n = found.relations[k, ..., 0], int(found.sizes[k])
        number, red = int(found.numbers[k]), set(np.flatnonzero(found.red[k]).tolist())
        assert not np.diagonal(edges).any()
        assert options.get("directed") or (edges == edges.T).all()
        for x in range(n):
            away, next_to = distances(edges, x), set(np.flatnonzero(edges[x]).tolist())
            if options["relation"] == "out_degree":
                assert found.labels[k, x] == (len(next_to) == options["k"])
            elif options["relation"] == "adjacent_to_red":
                assert found.labels[k, x] == bool(red & (next_to | ({x} if "compat" in options else set())))
            else:
                exact = options["relation"] == "path_distance"
                true = {y for y, d in away.items() if y != x and (d == number if exact else d <= options["k"])}
                assert set(np.flatnonzero(found.labels[k, x]).tolist()) == true
        assert not found.labels[k, n:].any()


def test_random_graphs_have_as_many_edges_as_they_should():
    """Means over the uniform chance: p, and 1 - (1 - p)^2 for edges that either direction makes."""
    for directed, expected in ((True, 0.15), (False, 0.3 - 0.09 / 3)):
        edges = make_structures(GraphWorld(relation="adjacent_to_red", directed=directed), 4000).relations[..., 0]
        shares = edges.sum(axis=(1, 2)) / 90
        assert abs(shares.mean() - expected) < 4 * shares.std() / np.sqrt(4000)
    degrees = make_structures(
        GraphWorld(relation="adjacent_to_red", generator="dnc", directed=True), 2000
    ).relations.sum(axis=2)
    for degree in (1, 2, 3):
        assert abs((degrees == degree).mean() - 1 / 3) < 4 * np.sqrt(2 / 9 / degrees.size)


def test_points_have_edges_to_the_nearest():
    world = GraphWorld(relation="adjacent_to_red", generator="dnc", directed=True, smallest=30, largest=30)
    batch, room = begun(world), records(np.zeros(1, graphs.Room.dtype()))
    graphs.draw_edges(records(batch.states)[0], records(world.params)[0], room[0])
    points = np.stack([room["x"][0, :30], room["y"][0, :30]], axis=1)
    edges = unpacked(batch.states["edges"][0], 30)
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    for x in range(30):
        order = [y for y in np.argsort(away[x]).tolist() if y != x]
        assert set(np.flatnonzero(edges[x]).tolist()) == set(order[: edges[x].sum()])


def test_a_quarter_of_the_nodes_is_red():
    red = make_structures(GraphWorld(relation="adjacent_to_red"), 4000).red
    assert abs(red.mean() - 0.25) < 4 * np.sqrt(0.1875 / red.size)


# questions


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_are_true_half_of_the_time_and_answered_by_what_is_seen(name):
    """The truth by sets and searches, from the observation alone."""
    card = envsuite.card(name)
    world = make_world(card.world, **card.options)
    batch = begun(world, 300)
    size, true = (20, 0) if "Family" in name else (10, 0)
    for _ in range(10):
        seen, truths = batch.last.observations.copy(), batch.states["truth"].copy()
        true += truths.sum()
        blocks = np.split(seen, np.cumsum([block.size for block in world.observation.blocks])[:-1], axis=1)
        for k in range(0, 300, 10):
            x = int(np.flatnonzero(blocks[-3 if "Graph" in name else -2][k])[0])
            others = np.flatnonzero(blocks[-2 if "Graph" in name else -1][k])
            about = (x, int(others[0])) if others.size else x
            if "Family" in name:
                relations = np.stack([one[k].reshape(size, size) for one in blocks[:4]], axis=-1)
                expected = about in true_pairs(relations, world.relation)
            else:
                edges = blocks[0][k].reshape(size, size)
                if world.relation == "connectivity":
                    expected = distances(edges, x).get(about[1], 99) <= card.options["k"]
                elif world.relation == "path_distance":
                    number = int(np.flatnonzero(blocks[4][k])[0]) + 1
                    expected = distances(edges, x).get(about[1]) == number
                elif world.relation == "out_degree":
                    expected = edges[x].sum() == card.options["k"]
                else:
                    expected = bool((edges[x] & blocks[1][k]).any())
            assert truths[k] == expected
        output = batch.step(truths.astype(np.int64))
        assert (output.rewards == 1).all()
    assert output.terminated.all()
    assert output.info["success"].all()
    assert (output.info["accuracy"] == 1).all()
    assert abs(true / 3000 - 0.5) < 4 * np.sqrt(0.25 / 3000)


def test_wrong_answers_count_nothing():
    batch = begun(FamilyWorld(relation="has_sister", questions=2))
    output = batch.step(1 - batch.states["truth"].astype(np.int64))
    assert (output.rewards[0], output.info["correct"][0], output.terminated[0]) == (0, False, False)
    output = batch.step(batch.states["truth"].astype(np.int64))
    assert (output.rewards[0], output.info["accuracy"][0], output.terminated[0]) == (1, 0.5, True)
    assert not output.info["success"][0]


def test_each_question_with_an_answer_is_asked_as_often_as_the_others():
    """Of one tree: true ones and false ones each by the same chance."""
    batch, seen = begun(FamilyWorld(relation="is_grandparent", questions=1000)), {}
    labels = unpacked(batch.states["labels"][0], 20)
    for _ in range(1000):
        pair = (int(batch.states["x"][0]), int(batch.states["y"][0]))
        seen[pair] = seen.get(pair, 0) + 1
        assert labels[pair] == batch.states["truth"][0]
        batch.step(np.zeros(1, np.int64))
    true = [seen.get(tuple(pair), 0) for pair in np.argwhere(labels).tolist()]
    spread = np.sqrt(sum(true) / len(true))
    assert max(abs(one - sum(true) / len(true)) for one in true) < 4.5 * spread
    assert all(x != y for x, y in seen)


@pytest.mark.parametrize("options", [{"relation": "is_uncle"}, {"relation": "connectivity", "k": 4}])
def test_false_pairs_are_near_misses_unless_any_will_do(options):
    """Who stands in the relation to nobody, or to whom nobody does, is asked about only where any pair will do."""
    kind = FamilyWorld if options["relation"] == "is_uncle" else GraphWorld
    for false_pairs in ("near", "any"):
        states = begun(kind(false_pairs=false_pairs, **options), 2000).states
        far = total = 0
        for state in states:
            labels, x, y = unpacked(state["labels"], int(state["n"])), int(state["x"]), int(state["y"])
            if state["truth"] == 0:
                total += 1
                far += not (labels[x].any() and labels[:, y].any())
        assert far == 0 if false_pairs == "near" else far > 0.3 * total


def test_each_near_miss_is_as_likely():
    batch = begun(FamilyWorld(relation="is_grandparent", questions=1000))
    labels, seen = unpacked(batch.states["labels"][0], 20), {}
    for _ in range(1000):
        if batch.states["truth"][0] == 0:
            pair = (int(batch.states["x"][0]), int(batch.states["y"][0]))
            seen[pair] = seen.get(pair, 0) + 1
        batch.step(np.zeros(1, np.int64))
    first, second = labels.any(axis=1), labels.any(axis=0)
    near = {(x, y) for x, y in itertools.permutations(range(20), 2) if first[x] and second[y] and not labels[x, y]}
    assert set(seen) <= near
    mean = sum(seen.values()) / len(near)
    assert max(abs(seen.get(one, 0) - mean) for one in near) < 4.5 * np.sqrt(mean)


def test_shallow_rules_answer_no_better_than_chance():
    """Whether y has a grandparent and x is a son, for uncles; whether both have edges, for connectivity."""
    states = begun(FamilyWorld(relation="is_uncle"), 4000).states
    rows, x, y = np.arange(4000), states["x"], states["y"]
    father, mother = states["father"][rows, y], states["mother"][rows, y]
    old = (father >= 0) & ((states["father"][rows, father] >= 0) | (states["father"][rows, mother] >= 0))
    son = (states["father"][rows, x] >= 0) & (states["male"][rows, x] != 0)
    assert abs(((old & son) == (states["truth"] != 0)).mean() - 0.5) < 0.04
    states = begun(GraphWorld(relation="connectivity", k=4), 4000).states
    edged = [states["edges"][rows, states[one], 0] != 0 for one in ("x", "y")]
    assert abs(((edged[0] & edged[1]) == (states["truth"] != 0)).mean() - 0.5) < 0.04


def test_sizes_are_drawn_from_the_whole_range():
    sizes = begun(FamilyWorld(relation="is_uncle", smallest=10, largest=14), 400).states["n"]
    assert set(sizes.tolist()) == {10, 11, 12, 13, 14}


# sorting


def fewest_swaps(start: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Fewest swaps from an order to every other, by search."""
    found, queue = {start: 0}, deque([start])
    while queue:
        one = queue.popleft()
        for i, j in itertools.combinations(range(len(one)), 2):
            other = list(one)
            other[i], other[j] = other[j], other[i]
            if tuple(other) not in found:
                found[tuple(other)] = found[one] + 1
                queue.append(tuple(other))
    return found


def test_arrays_are_sorted_in_as_few_swaps_as_can_be():
    world, exact = SortingWorld(shortest=5, longest=5), fewest_swaps((0, 1, 2, 3, 4))
    starts = [one for one in exact if exact[one]]
    batch = begun(world, len(starts))
    batch.states["rank"] = starts
    expert = companion(world, Players).expert()
    lengths = np.zeros(len(starts), int)
    for step in range(1, 6):
        output = batch.step(expert.act(batch.last.observations, batch.states), np.zeros(len(starts), bool))
        lengths[(lengths == 0) & output.terminated] = step
        batch.states["clock"]["done"] = 0
        told = [exact[tuple(one)] for one in batch.states["rank"].tolist()]
        assert output.info["swaps_left"].tolist() == told
    assert lengths.tolist() == [exact[one] for one in starts]


def test_arrays_are_uniformly_random_but_not_sorted():
    ranks = begun(SortingWorld(shortest=4, longest=4), 4600).states["rank"].tolist()
    counts = {one: ranks.count([*one]) for one in itertools.permutations(range(4))}
    assert counts.pop((0, 1, 2, 3)) == 0
    assert all(abs(one - 200) < 4.5 * np.sqrt(200) for one in counts.values())
    states = begun(SortingWorld(shortest=3, longest=50), 500).states
    assert all((np.diff(one["number"][: one["count"]]) > 0).all() for one in states)


def test_sorting_has_twice_as_many_steps_as_numbers():
    batch = begun(SortingWorld(shortest=6, longest=8), 100)
    first = batch.states["rank"].copy()
    counts, over = batch.states["count"].copy(), np.zeros(100, int)
    for step in range(1, 17):
        output = batch.step(np.zeros(100, np.int64), np.zeros(100, bool))
        over[(over == 0) & output.truncated] = step
        batch.states["clock"]["done"] = 0
        if step % 2 == 0:
            assert (batch.states["rank"] == first).all(), "two swaps of the same places"
    solved = np.array([[*one[:2][::-1], *one[2:]] for one in first.tolist()])
    ended = (np.where(solved < 0, np.arange(8), solved) == np.arange(8)).all(axis=1)
    assert (over[~ended] == 2 * counts[~ended]).all()


def test_bits_and_ranks_say_the_same():
    bits, index = (begun(SortingWorld(shortest=5, longest=9, observation=one), 50) for one in ("bits", "index"))
    seen, ranks = bits.last.observations, index.last.observations[:, :9].astype(int)
    less = seen[:, 9:90].reshape(50, 9, 9)
    expected = (ranks[:, :, None] < ranks[:, None]) & (ranks >= 0)[:, :, None] & (ranks >= 0)[:, None]
    assert (less == expected).all()
    assert (seen[:, :9] == (ranks >= 0)).all()
    assert (seen[:, 90:] == index.last.observations[:, 9:]).all()
    assert (bits.last.info["action_mask"] == seen[:, 90:]).all()


# paths


@pytest.mark.parametrize("options", [{}, {"directed": True}, {"generator": "er"}, {"smallest": 20, "largest": 50}])
def test_paths_are_as_long_as_a_search_says_and_walked_in_as_many_steps(options):
    world = PathWorld(**options)
    batch = begun(world, 200)
    lefts = batch.states["left"].copy()
    for state in batch.states:
        edges = unpacked(state["edges"], int(state["n"]))[: int(state["n"])]
        assert distances(edges, int(state["start"]))[int(state["target"])] == state["left"]
    assert set(lefts.tolist()) == {1, 2, 3, 4, 5}
    returns, lengths, success = played(world, companion(world, Players).expert(), 200)
    assert (returns == 1).all()
    assert success.all()
    assert (lengths == lefts).all()


def test_walks_end_with_their_steps():
    returns, lengths, success = played(PathWorld(), random_policy(PathWorld(), 3000), 3000)
    assert (returns == success).all()
    lefts = begun(PathWorld(), 3000).states["left"]
    assert (lengths == lefts).all()


def test_nobody_goes_where_no_edge_leads():
    batch = begun(PathWorld(near=3, far=3), 50)
    places = batch.states["place"].copy()
    away = [int(np.flatnonzero(one == 0)[0]) for one in batch.last.info["action_mask"]]
    output = batch.step(np.array(away))
    assert (batch.states["place"] == places).all()
    assert (output.rewards == 0).all()
    assert (output.info["steps_left"] == 2).all()


def test_edges_as_bits_and_as_lists_say_the_same():
    bits, index = (begun(PathWorld(smallest=8, largest=12, observation=one), 40) for one in ("bits", "index"))
    for row, other in zip(bits.last.observations, index.last.observations, strict=True):
        edges = row[:144].reshape(12, 12)
        lists = other[3 : 3 + 132].reshape(12, 11)
        assert [np.flatnonzero(one).tolist() for one in edges] == [one[one >= 0].tolist() for one in lists]
        assert (np.argmax(row[144:156]), np.argmax(row[156:168]), np.argmax(row[168:173]) + 1) == tuple(other[:3])
        assert (row[173:] == other[135:]).all()
        assert (row[173:] == edges[other[0]]).all()


def test_random_walks_reach_their_target_as_often_as_they_should():
    """The chance of each start, exactly by its graph, against play."""
    chances = []
    for state in begun(PathWorld(), 3000, 10**9).states:
        edges = unpacked(state["edges"], 10)
        moves = edges / np.maximum(1, edges.sum(axis=1, keepdims=True))
        moves[int(state["target"])] = 0
        moves[int(state["target"]), int(state["target"])] = 1
        chances.append(np.linalg.matrix_power(moves, int(state["left"]))[int(state["start"]), int(state["target"])])
    rates = play(envsuite.card("RelationPath"), random_policy, 3000).returns
    assert abs(np.mean(chances) - rates.mean()) < 4 * np.sqrt(np.var(chances) + 0.12) / np.sqrt(3000)


# blocks


def all_towers(n: int) -> list[tuple[int, ...]]:
    """All ways that n blocks can stand, as what each stands on; -1 is the ground."""
    found = []
    for below in itertools.product(range(-1, n), repeat=n):
        on = [one for one in below if one >= 0]
        if len(on) != len(set(on)):
            continue
        heights = [0] * n
        for x in range(n):
            at = x
            while at >= 0 and heights[x] <= n:
                heights[x] += 1
                at = below[at]
        if max(heights) <= n:
            found.append(below)
    return found


def moves(below: tuple[int, ...]) -> dict[tuple[int, int], tuple[int, ...]]:
    """What can be moved where, and what then stands on what."""
    n = len(below)
    clear = [x for x in range(n) if x not in below]
    found = {}
    for x in clear:
        for y in (*clear, -1):
            if y not in (x, below[x]):
                found[x, y] = (*below[:x], y, *below[x + 1 :])
    return found


def fewest_moves(goal: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Fewest moves to a goal from everywhere; every move can be taken back."""
    found, queue = {goal: 0}, deque([goal])
    while queue:
        one = queue.popleft()
        for other in moves(one).values():
            if other not in found:
                found[other] = found[one] + 1
                queue.append(other)
    return found


def test_plans_are_nearly_as_short_as_the_shortest():
    """All pairs of towers of four blocks, and some of six."""
    draw = np.random.default_rng(3)
    for n, goals in ((4, all_towers(4)), (6, None)):
        every = all_towers(n)
        goals = goals or [every[k] for k in draw.integers(len(every), size=4)]
        world, planned, fewest, misplaced = BlocksWorld(smallest=n, largest=n), [], [], []
        for goal in goals:
            exact = fewest_moves(goal)
            assert len(exact) == len(every), "every tower can become every other"
            starts = [one for one in every if one != goal]
            batch = begun(world, len(starts))
            batch.states["below"], batch.states["goal"] = starts, [goal] * len(starts)
            batch.step(np.zeros(len(starts), np.int64), np.zeros(len(starts), bool))  # 0 on 0 changes nothing
            assert (batch.states["below"] == starts).all()
            out = batch.last.info["misplaced"].copy()
            lengths, expert = np.zeros(len(starts), int), companion(world, Players).expert()
            for step in range(1, 4 * n):
                batch.states["clock"]["done"] = 0
                output = batch.step(expert.act(batch.last.observations, batch.states), np.zeros(len(starts), bool))
                lengths[(lengths == 0) & output.terminated] = step
            planned += lengths.tolist()
            fewest += [exact[one] for one in starts]
            misplaced += out.tolist()
        planned, fewest, misplaced = map(np.array, (planned, fewest, misplaced))
        assert (planned >= fewest).all()
        assert (planned <= 2 * misplaced).all()
        assert (misplaced <= fewest).all()
        assert (planned - fewest).mean() < 0.05, "moves more than the shortest plan has"


def test_moves_that_can_be_made_are_those_of_the_rules():
    world = BlocksWorld(smallest=2, largest=6)
    batch = begun(world, 200)
    for state, mask in zip(batch.states, batch.last.info["action_mask"], strict=True):
        n = int(state["blocks"])
        allowed = {(int(k) // 7, int(k) % 7) for k in np.flatnonzero(mask)}
        assert {(x, -1 if y == 6 else y) for x, y in allowed} == set(moves(tuple(state["below"][:n].tolist())))
    policy = random_policy(world, 200)
    policy.reset(np.ones(200, bool), np.arange(200))
    for _ in range(10):
        before, action = batch.states["below"].copy(), policy.act(batch.last.observations, batch.states).copy()
        batch.step(action, np.zeros(200, bool))
        batch.states["clock"]["done"] = 0
        for k in range(200):
            n, (x, y) = int(batch.states["blocks"][k]), divmod(int(action[k]), 7)
            after = moves(tuple(before[k, :n].tolist()))[x, -1 if y == 6 else y]
            assert tuple(batch.states["below"][k, :n].tolist()) == after


def test_towers_come_as_often_as_the_generator_says():
    """Each block, in a random order, goes to the ground or onto a clear one by the same chance: exactly, for three."""
    expected: dict[tuple[int, ...], float] = {}
    for order in itertools.permutations(range(3)):
        for second, third in itertools.product(range(2), range(3)):
            below = [-1, -1, -1]
            tops = [order[0]]
            for x, chosen in ((order[1], second), (order[2], third)):
                places = [-1, *tops]
                if chosen >= len(places):
                    break
                below[x] = places[chosen]
                tops = [one for one in tops if one != places[chosen]] + [x]
            else:
                count = 2 if below[order[1]] >= 0 else 3
                expected[tuple(below)] = expected.get(tuple(below), 0) + 1 / 6 / 2 / count
    assert sum(expected.values()) == pytest.approx(1)
    towers = [tuple(one) for one in begun(BlocksWorld(smallest=3, largest=3), 6000).states["below"].tolist()]
    assert set(towers) == set(all_towers(3)) == set(expected)
    for one, chance in expected.items():
        assert abs(towers.count(one) / 6000 - chance) < 4.5 * np.sqrt(chance / 6000), one


def test_blocks_cost_and_pay():
    world = BlocksWorld(smallest=2, largest=2)
    batch = begun(world)
    batch.states["below"][0], batch.states["goal"][0] = (1, -1), (-1, 0)
    assert world.action.names == ("0-on-0", "0-on-1", "0-on-ground", "1-on-0", "1-on-1", "1-on-ground")
    output = batch.step(np.array([3]))  # 0 stands on 1
    assert (batch.states["below"][0].tolist(), output.rewards[0]) == ([1, -1], np.float32(-0.01))
    batch.step(np.array([2]))
    output = batch.step(np.array([3]))
    assert (output.rewards[0], output.terminated[0], output.info["success"][0]) == (np.float32(0.99), True, True)
    batch = begun(BlocksWorld(smallest=3, largest=5), 60)
    for step in range(1, 21):
        output = batch.step(np.zeros(60, np.int64), np.zeros(60, bool))
        batch.states["clock"]["done"] = 0
        assert (output.truncated == (step >= 4 * batch.states["blocks"])).all()


def test_towers_as_bits_and_as_lists_say_the_same():
    bits, index = (begun(BlocksWorld(smallest=2, largest=7, observation=one), 60) for one in ("bits", "index"))
    for row, other in zip(bits.last.observations, index.last.observations, strict=True):
        for part, listed in ((row[:56], other[:7]), (row[56:112], other[7:14])):
            told = [int(np.argmax(one)) if one.any() else -2 for one in part.reshape(7, 8)]
            assert [-1 if one == 7 else one for one in told] == listed.tolist()
        assert (row[112:] == other[14:]).all()


@pytest.mark.parametrize("name", ["RelationSortingHeldOut", "RelationPathHeldOut", "BlocksWorldHeldOut"])
def test_larger_sizes_are_solved_by_the_reference_players(name):
    card = envsuite.card(name)
    found = play(card, expert_policy, 60, first_seed=0)
    assert found.metrics["success"].all()
    assert found.lengths.max() <= card.horizon


# words, keys, options


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("swap 2 and 5", "swap-2-5"),
        ("swap-5-2", "swap-2-5"),
        ("The least is at place 4.\nAction: swap places 1 and 4.", "swap-1-4"),
        ("3, 7", "swap-3-7"),
        ("", RefusalKind.EMPTY),
        ("swap", RefusalKind.UNREADABLE),
        ("swap 2", RefusalKind.WRONG_COUNT),
        ("swap 1 and 2, then swap 3 and 4", RefusalKind.AMBIGUOUS),
        ("swap 2 and 2", RefusalKind.ILLEGAL),
        ("swap 0 and 2", RefusalKind.OUT_OF_RANGE),
        ("swap 1 and 11", RefusalKind.OUT_OF_RANGE),
        ("1 and " + "9" * 5000, RefusalKind.OUT_OF_RANGE),
        ("\x00\u0665 \u0664", RefusalKind.UNREADABLE),
    ],
)
def test_swaps_are_read_from_text(text, expected):
    batch = begun(SortingWorld())
    read_as(batch, text, expected)


def read_as(batch: Batch, text: str, expected: str | RefusalKind) -> None:
    """Hold what is read to a name of an action, or to a kind of refusal."""
    found = companion(batch.world, Words).parse(text, batch.states[0])
    if isinstance(expected, RefusalKind):
        assert isinstance(found, Refusal), found
        assert found.kind == expected
    else:
        assert not isinstance(found, Refusal), found
        assert batch.world.action.names[found] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 on 1", "3-on-1"),
        ("3-on-ground", "3-on-ground"),
        ("Block 1 has to go first. Action: put block 3 onto the ground", "3-on-ground"),
        ("put 3 on top of block 1", "3-on-1"),
        ("", RefusalKind.EMPTY),
        ("3", RefusalKind.UNREADABLE),
        ("3 on 1 and then 2 on 3", RefusalKind.AMBIGUOUS),
        ("0 on 3", RefusalKind.ILLEGAL),
        ("3 on 0", RefusalKind.ILLEGAL),
        ("3 on 3", RefusalKind.ILLEGAL),
        ("1 on ground", RefusalKind.ILLEGAL),
        ("4 on 1", RefusalKind.OUT_OF_RANGE),
        ("9" * 5000 + " on 1", RefusalKind.UNREADABLE),
    ],
)
def test_moves_are_read_from_text(text, expected):
    batch = begun(BlocksWorld(smallest=4, largest=4))
    batch.states["below"][0], batch.states["goal"][0] = (-1, -1, 0, 2), (-1, 0, 1, -1)
    read_as(batch, text, expected)
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "Now: 0 2 3; 1. Wanted: 0 1 2; 3. Steps left: 16." in told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", "3"),
        ("go to node 3", "3"),
        ("From 0 the way leads over 3. Action: 3", "3"),
        ("", RefusalKind.EMPTY),
        ("onwards", RefusalKind.UNREADABLE),
        ("3 or 4", RefusalKind.AMBIGUOUS),
        ("5", RefusalKind.ILLEGAL),
        ("10", RefusalKind.OUT_OF_RANGE),
        ("9" * 5000, RefusalKind.OUT_OF_RANGE),
    ],
)
def test_nodes_are_read_from_text(text, expected):
    batch = begun(PathWorld())
    batch.states["place"], batch.states["edges"][0, :, 0] = 0, [0b11000, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    read_as(batch, text, expected)
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "Each node has edges to 0: 3, 4; 1: none; 2: none; 3: 0; 4: 0; 5: none" in told


def test_families_and_graphs_are_told_child_by_child_and_node_by_node():
    batch = begun(FamilyWorld(relation="is_mg_uncle"))
    words = companion(batch.world, Words)
    state = batch.states[0]
    state["father"], state["mother"], state["male"] = -1, -1, 0
    state["father"][3], state["mother"][3], state["male"][3], state["x"], state["y"] = 7, 9, 1, 3, 5
    told = words.describe(state)
    assert "before the mother. P3 is the son of P7 and P9. The parents of the others" in told
    assert "Question 1: Is P3 a maternal great uncle of P5?" in told
    assert words.parse("Yes, he is.", state) == 1
    assert words.parse("no", state) == 0
    assert isinstance(words.parse("yes and no", state), Refusal)
    batch = begun(GraphWorld(relation="out_degree", k=1))
    assert "exactly 1 edge?" in companion(batch.world, Words).describe(batch.states[0])


def test_clicks_choose_places_nodes_and_blocks():
    path = begun(PathWorld())
    assert companion(path.world, Controls).click((0.5, 0.25), set(), path.states[0]) == 0
    sorting = begun(SortingWorld())
    controls = companion(sorting.world, Controls)
    assert sorting.world.action.names[controls.click((0.17, 0.5), {"5"}, sorting.states[0])] == "swap-2-5"
    assert controls.click((0.17, 0.5), set(), sorting.states[0]) is None
    blocks = begun(BlocksWorld(smallest=4, largest=4))
    blocks.states["below"][0] = (-1, -1, 0, 2)
    controls = companion(blocks.world, Controls)
    names = blocks.world.action.names
    assert names[controls.click((0.05, 0.5), {"1"}, blocks.states[0])] == "1-on-3"
    assert names[controls.click((0.4, 0.5), {"3"}, blocks.states[0])] == "3-on-ground"
    assert controls.click((0.8, 0.5), {"3"}, blocks.states[0]) is None
    assert companion(FamilyWorld(relation="is_uncle"), Controls).keys() == {("n",): 0, ("y",): 1}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FamilyWorld(relation="is_aunt"), "relation is 'is_aunt', expected one of 'has_father'"),
        (
            lambda: FamilyWorld(relation="is_uncle", smallest=30),
            "smallest is 30, expected at most largest, which is 20",
        ),
        (
            lambda: FamilyWorld(relation="is_mg_uncle", smallest=12),
            "smallest is 12, expected at least 16 for is_mg_uncle",
        ),
        (lambda: GraphWorld(relation="out_degree", k=0), "k is 0, expected a whole number from 1 to 10"),
        (lambda: PathWorld(near=4, far=3), "near is 4, expected at most far, which is 3"),
        (lambda: SortingWorld(shortest=12), "shortest is 12, expected at most longest, which is 10"),
        (lambda: BlocksWorld(largest=51), "largest is 51, expected a whole number from 2 to 50"),
        (lambda: make_structures(FamilyWorld(relation="is_uncle"), 0), "count is 0 and seed is 0"),
    ],
)
def test_bad_options_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()

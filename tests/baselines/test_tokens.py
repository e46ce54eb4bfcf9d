"""Texts as tokens, what is said and with which probability, and how it is credited."""

import re

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from archer import ArCHer, ArCHerConfig  # noqa: E402
from dialogues import Dialogues, Talk, Talker, Turns  # noqa: E402
from generation import generate, read_prompts, score_answers, situation  # noqa: E402
from role_advantage import RoleAdvantage, RoleAdvantageConfig  # noqa: E402
from tabulated import profile  # noqa: E402
from token_grpo import TokenGRPO, TokenGRPOConfig, against_group  # noqa: E402
from token_ppo import TokenPPO, TokenPPOConfig  # noqa: E402
from token_trainer import POLICY, load, talker  # noqa: E402
from tokens import END, TASKS, UNKNOWN, Answers, Vocabulary  # noqa: E402
from transformer import Transformer  # noqa: E402

import envsuite  # noqa: E402
from envsuite.core.batch import Batch  # noqa: E402
from envsuite.core.companions import Players, Words, companion  # noqa: E402
from envsuite.core.world import make_world  # noqa: E402
from envsuite.evaluation.rollout import play  # noqa: E402
from envsuite.language_games.kuhn.world import KuhnPokerWorld  # noqa: E402
from envsuite.language_games.solving.matches import all_matches  # noqa: E402
from envsuite.language_games.solving.measure import measure  # noqa: E402
from envsuite.language_games.solving.tree import unfold  # noqa: E402

from .worlds import small  # noqa: E402

SMALL = {"width": 16, "heads": 2, "layers": 2, "threads": 1}
KUHN = {"env_id": "envsuite/KuhnPoker-v0", "num_envs": 64, **SMALL}
VOCABULARY = Vocabulary.load()


def model(seed=0, **sizes):
    torch.manual_seed(seed)
    found = Transformer(VOCABULARY, **{"width": 16, "heads": 2, **sizes})
    with torch.no_grad():
        for one in found.parameters():
            one.add_(torch.randn_like(one) * 0.3)  # far from uniform, so that mistakes show
    return found


def test_texts_come_back_from_their_tokens():
    texts = [
        "Your card is the king.\nIt is your turn. Legal moves: [check], [bet].\n",
        "  two  spaces",
        "x_1 ~ (y-z)",
        "Qwxyz",
    ]
    for text in texts:
        assert VOCABULARY.decode(VOCABULARY.encode(text)) == text
    assert VOCABULARY.encode("é") == (UNKNOWN,)
    assert VOCABULARY.encode(" king") == (VOCABULARY.tokens.index(" king"),)
    assert len(VOCABULARY.encode(" kingly")) == 7, "a word that is not known is spelled"
    assert len(set(VOCABULARY.tokens)) == len(VOCABULARY) < 2000
    assert END not in VOCABULARY.encode("<end>")


@pytest.mark.parametrize("task", TASKS)
def test_tasks_are_said_in_known_words(task):
    card = envsuite.card(task)
    batch = Batch(make_world(card.world, **card.options), 4, num_threads=1, horizon=card.horizon)
    batch.seed(np.arange(4))
    batch.reset()
    words = companion(batch.world, Words)
    for _ in range(3):
        for state in batch.states:
            told = situation(words, state, 0, rules=True)
            tokens = VOCABULARY.encode(told)
            assert UNKNOWN not in tokens
            assert VOCABULARY.decode(tokens) == told
            assert len(tokens) < 1.6 * len(re.findall(r"[A-Za-z]+|[^A-Za-z ]", told)), "hardly a word is spelled"
        batch.step(np.zeros((4, 2) if card.agents > 1 else 4, np.int64))


@pytest.mark.parametrize("task", ["KuhnPoker", "LiarsDice", "LMRLWordle"])
def test_turns_are_whole_episodes(task):
    card = envsuite.card(task)
    rows = Dialogues(TokenPPOConfig(env_id=card.id, num_envs=6), card)
    turns = rows.play(model(), 2)
    assert not turns.refused.any()
    assert {one[-1] for one in turns.said} == {END}
    threads = turns.threads()
    assert sorted(k for thread in threads for k in thread) == list(range(len(turns)))
    assert len(turns.returns) == 6
    # whoever has said something is paid for it, and nobody before
    paid = torch.zeros(6, turns.returns.shape[1])
    paid = paid.index_put((turns.episode, turns.agent), turns.reward, accumulate=True)
    spoke = [(int(turns.episode[thread[0]]), int(turns.agent[thread[0]])) for thread in threads]
    assert len(spoke) == 6 * card.agents
    for episode, agent in spoke:
        assert float(paid[episode, agent]) == pytest.approx(float(turns.returns[episode, agent]), abs=1e-4)
    assert turns.returns.sum(1).abs().max() < 1e-6 or card.agents == 1, "one gains what the other loses"
    assert turns.steps == len(turns), "one turn a step"


def test_answers_are_a_tree():
    tree = Answers([(5, 6), (5, 7), (8,)], END)
    assert (tree.longest, tree.allowed(0), tree.allowed(tree.after(0, 5))) == (3, [5, 8], [6, 7])
    assert tree.path((5, 7, END)) == [[5, 8], [6, 7], [END]]


def test_writing_goes_on_as_if_all_had_been_read():
    one = model()
    prompts = [
        VOCABULARY.encode(text) for text in ("Your card is the king.", "No.", "It is your turn. Legal moves: [bet].")
    ]
    said = VOCABULARY.encode(" check, or bet")
    lengths = torch.tensor([len(prompt) for prompt in prompts])
    table = torch.zeros(3, int(lengths.max()), dtype=torch.int64)
    for k, prompt in enumerate(prompts):
        table[k, : len(prompt)] = torch.tensor(prompt)
    parents = torch.tensor([2, 0, 0, 1])
    with torch.no_grad():
        x, memory = one.begin(table, lengths)
        for k, token in enumerate(said):
            x, memory = one.extend(memory, parents if k == 0 else torch.arange(4), torch.full((4,), token))
        for row, parent in enumerate(parents.tolist()):
            whole = one(torch.tensor([[*prompts[parent], *said]]))[0, -1]
            assert torch.allclose(x[row], whole, atol=1e-5)
        assert torch.allclose(read_prompts(one, prompts)[1], one(torch.tensor([prompts[1]]))[0, -1], atol=1e-5)
    with pytest.raises(ValueError, match="5 tokens, expected at most 4"):
        model(places=4)(torch.ones(1, 5, dtype=torch.int64))
    with pytest.raises(ValueError, match="width is 10"):
        Transformer(VOCABULARY, width=10, heads=4)


LISTED = ("[check]", "[bet]", "[bet all]")


def _questions(count):
    tree = Answers([VOCABULARY.encode(text) for text in LISTED], END)
    texts = ["Your card is the king.", "Your card is the jack."]
    return [VOCABULARY.encode(texts[k % 2]) for k in range(count)], [tree] * count


def test_what_is_drawn_has_the_probability_that_is_told():
    one = model()
    prompts, trees = _questions(20_000)
    said = generate(one, prompts, trees, 8, torch.rand(len(prompts), 8, generator=torch.Generator().manual_seed(0)))
    texts = [VOCABULARY.decode(row) for row in said.tokens.tolist()]
    tokens = [tuple(row[:count]) for row, count in zip(said.tokens.tolist(), said.counts.tolist(), strict=True)]
    with torch.no_grad():
        again = score_answers(one, prompts, tokens, trees)
    assert torch.allclose(again.log_prob[:, : said.log_prob.shape[1]], said.log_prob, atol=1e-5)
    assert torch.allclose(again.x, said.x[:, : again.x.shape[1]], atol=1e-5)
    for prompt in range(2):
        wanted = [(*VOCABULARY.encode(text), END) for text in LISTED]
        shares = score_answers(one, prompts[prompt : prompt + 1] * 3, wanted, trees[:3]).log_prob.sum(1).exp().detach()
        assert float(shares.sum()) == pytest.approx(1, abs=1e-5)
        counted = np.array([texts[prompt::2].count(text) for text in LISTED]) / 10_000
        assert np.abs(counted - shares.numpy()).max() < 4 * 0.5 / 100
        assert counted.min() > 0.01
        (likeliest,) = generate(one, prompts[prompt : prompt + 1], trees[:1], 8, None).tokens.tolist()
        # token by token: [check] against both others first
        first = "[check]" if shares[0] > shares[1:].sum() else LISTED[1 + int(shares[1:].argmax())]
        assert VOCABULARY.decode(likeliest) == first


def test_ends_without_alternative_need_not_be_read():
    one = model()
    wanted = [(*VOCABULARY.encode(text), END) for text in LISTED]
    prompts, trees = _questions(6)
    assert [trees[0].decided(text) for text in wanted] == [2, 3, 3], "[bet] and [bet all] part after the second token"
    assert Answers([VOCABULARY.encode("[bet]")], END).decided(wanted[1]) == 1
    read = []
    one.register_forward_hook(lambda module, inputs, output: read.append(inputs[0].shape))
    whole, short = (score_answers(one, prompts, wanted * 2, trees, whole=whole) for whole in (True, False))
    assert read[0][0] == 6
    assert read[1][0] == 4, "the bets are told apart by a token that is drawn from the same place"
    assert torch.allclose(whole.log_prob, short.log_prob, atol=1e-6)
    assert torch.allclose(whole.entropy, short.entropy, atol=1e-6)
    assert torch.allclose(whole.x[:, :2], short.x[:, :2], atol=1e-6)
    assert not short.x[:, 3:].any()


def test_free_answers_take_any_token_and_end():
    one = model()
    prompts, _ = _questions(4000)
    said = generate(one, prompts, [None] * 4000, 5, torch.rand(4000, 8, generator=torch.Generator().manual_seed(1)))
    assert (said.counts <= 5).all()
    assert len(set(said.tokens[:, 0].tolist())) > 100
    tokens = [tuple(row[:count]) for row, count in zip(said.tokens.tolist(), said.counts.tolist(), strict=True)]
    with torch.no_grad():
        again = score_answers(one, prompts, tokens, [None] * 4000)
    assert torch.allclose(again.log_prob, said.log_prob[:, : again.log_prob.shape[1]], atol=1e-4)
    logs = one.scores(one(torch.tensor([prompts[0]]))[0, -1]).log_softmax(0).detach()
    assert float(again.entropy[0, 0]) == pytest.approx(float(-(logs.exp() * logs).sum()), abs=1e-4)
    ended = torch.tensor([one[-1] == END for one in tokens])
    assert ((said.counts == 5) | ended).all()


def _turns(rewards, counts, threads, roles=None):
    """Turns with given rewards and tokens; threads are (episode, agent) of each."""
    count = len(rewards)
    return Turns(
        prompts=[(k,) for k in range(count)],
        said=[(9,) * tokens for tokens in counts],
        choices=[None] * count,
        log_prob=torch.zeros(count, max(counts)),
        x=torch.zeros(count, max(counts), 16),
        episode=torch.tensor([one for one, _ in threads]),
        agent=torch.tensor([agent for _, agent in threads]),
        role=torch.tensor(roles or [0] * count),
        reward=torch.tensor(rewards),
        refused=torch.zeros(count, dtype=torch.bool),
        returns=torch.zeros(2, 2),
        steps=count,
    )


@pytest.mark.parametrize("credit", ["turn", "token"])
def test_advantages_of_turns_and_tokens_are_those_of_the_definition(credit):
    gamma, lam = 0.9, 0.8
    trainer = TokenPPO(TokenPPOConfig(**KUHN, gamma=gamma, gae_lambda=lam, credit=credit))
    rewards, counts = [1.0, 0.0, -1.0, 2.0], [2, 1, 3, 2]
    turns = _turns(rewards, counts, [(0, 0), (0, 1), (0, 0), (0, 0)])
    values = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
    turns.x[:, :, 0] = values
    with torch.no_grad():
        trainer.value.weight.zero_()
        trainer.value.weight[0, 0] = 1.0
        trainer.value.bias.zero_()
    found = trainer.advantages(turns)
    for thread in ([0, 2, 3], [1]):
        # the decisions of an agent, one after the other, with what each pays and how much the next one counts
        spots = [(k, at) for k in thread for at in range(counts[k] if credit == "token" else 1)]
        last = [at == (counts[k] if credit == "token" else 1) - 1 for k, at in spots]
        paid = [rewards[k] if end else 0.0 for (k, _), end in zip(spots, last, strict=True)]
        discount = [gamma if end else 1.0 for end in last]
        value = [float(values[k, at]) for k, at in spots] + [0.0]
        errors = [paid[i] + discount[i] * value[i + 1] - value[i] for i in range(len(spots))]
        for i, (k, at) in enumerate(spots):
            wanted = sum(np.prod([discount[j] * lam for j in range(i, m)]) * errors[m] for m in range(i, len(spots)))
            assert float(found["target"][k, at]) == pytest.approx(wanted + value[i], abs=1e-5)
    there = found["there"]
    assert int(there.sum()) == (sum(counts) if credit == "token" else 4)
    assert float(found["advantage"][there].mean()) == pytest.approx(0, abs=1e-6)
    raw = (found["target"] - values[:, : there.shape[1]])[there]
    assert torch.allclose(found["advantage"][there], raw - raw.mean(), atol=1e-5)


def test_groups_are_compared_within_themselves():
    values = torch.tensor([1.0, 3.0, 5.0, 7.0, 2.0])
    found = against_group(values, ["a", "a", "b", "b", "c"], scaled=False)
    assert found.tolist() == [-1, 1, -1, 1, 0]
    scaled = against_group(values, ["a", "a", "b", "b", "c"], scaled=True)
    assert scaled.tolist() == pytest.approx([-(0.5**0.5), 0.5**0.5, -(0.5**0.5), 0.5**0.5, 0], abs=1e-5)
    trainer = TokenGRPO(TokenGRPOConfig(**KUHN, group_size=2, turn_weight=0.5))
    turns = _turns([1.0, 0.0, 4.0, -2.0, 3.0], [1] * 5, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 0)])
    turns.prompts[2] = turns.prompts[0]
    found = trainer.advantages(turns)["advantage"].squeeze(1)
    # both episodes paid 4 to the first agent; the second one got 0 and -2; turns 0 and 2 answered the same text
    assert found.tolist() == pytest.approx([0 + 0.5 * 0, 1, 0 + 0.5 * 0, -1, 0])
    assert turns.rewards_to_go(0.5).tolist() == [2.5, 0.0, 4.0, -2.0, 3.0]
    kept = TokenGRPO(TokenGRPOConfig(**KUHN, group_size=2))
    seeds = kept.rows.seeds(2)
    assert (seeds[::2] == seeds[1::2]).all()
    assert len(set(seeds.tolist())) == 32


def test_roles_have_averages_of_their_own():
    threads, roles = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)], [0, 1, 0, 1, 0]
    turns = _turns([1.0, 0.0, 4.0, -2.0, 3.0], [1] * 5, threads, roles)
    made = {
        name: RoleAdvantage(RoleAdvantageConfig(**KUHN, baseline=name, memory=0.5))
        for name in ("role", "shared", "none")
    }
    found = {name: one.advantages(turns)["advantage"].squeeze(1).tolist() for name, one in made.items()}
    # who began got 4 and 4, the others 0 and -2
    assert found["role"] == pytest.approx([0, 1, 0, -1, 0])
    assert found["shared"] == pytest.approx([4 - 1.5, 0 - 1.5, 4 - 1.5, -2 - 1.5, 4 - 1.5])
    assert found["none"] == [4, 0, 4, -2, 4]
    turns.reward[:] = torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0])
    made["role"].advantages(turns)
    assert made["role"].averages.tolist() == [2.0, -0.5]
    late = RoleAdvantage(RoleAdvantageConfig(**KUHN, baseline="none", to_go=True, gamma=0.5))
    turns.reward[:] = torch.tensor([1.0, 0.0, 4.0, -2.0, 3.0])
    assert late.advantages(turns)["advantage"].squeeze(1).tolist() == [2.5, 0, 4, -2, 3]


def test_a_profile_is_what_the_player_plays():
    world, one = KuhnPokerWorld(), model()
    tree = unfold(world)
    config = TokenPPOConfig(**KUHN)
    found = profile(one, world, tree, config)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)))
    assert not found[~tree.legal].any()
    talk = Talk(world, one, "legal", 8, 0, False)
    states, player = tree.records, Talker(talk, sampled=True)
    counts = np.zeros_like(found)
    for k in range(400):
        player.reset(np.ones(len(states), np.bool_), 1000 * k + np.arange(len(states)))
        actions = player.act(np.empty(0), states)
        counts[np.arange(len(states)), actions[np.arange(len(states)), states["current_player"]]] += 1
    assert np.abs(counts / 400 - found).max() < 4 * 0.5 / 20
    assert found.min(where=tree.legal, initial=1) < 0.3, "far from uniform"
    # its policy file plays the same, and is measured so
    trainer = TokenPPO(TokenPPOConfig(**KUHN), one)
    (policy,) = trainer.policies().values()
    assert np.allclose(policy.probabilities(tree.seen), found, atol=1e-5)
    summary = trainer.summary(play(envsuite.card("KuhnPoker"), trainer.player(), 4))
    assert measure(world, policy).exploitability == pytest.approx(summary["exploitability"], abs=1e-5)
    met = all_matches(world, {"mine": policy.probabilities, "uniform": companion(world, Players).policy("uniform")})
    assert met.payoffs[0, 1] == pytest.approx(summary["over_uniform"], abs=1e-5)


def test_a_profile_of_the_likeliest_moves_is_what_the_player_plays():
    world, one = KuhnPokerWorld(), model()
    tree, player = unfold(world), Talker(Talk(world, one, "legal", 8, 0, False), sampled=False)
    trainer = TokenPPO(TokenPPOConfig(**KUHN | {"sampled": False}), one)
    found = profile(one, world, tree, trainer.config)
    player.reset(np.ones(len(found), np.bool_), np.arange(len(found)))
    actions = player.act(np.empty(0), tree.records)
    assert found.argmax(axis=1).tolist() == actions[np.arange(len(found)), tree.records["current_player"]].tolist()
    assert (found.sum(axis=1) == 1).all()
    assert set(found.ravel()) == {0.0, 1.0}
    (policy,) = trainer.policies().values()
    assert np.allclose(policy.probabilities(tree.seen), found, atol=1e-5)


@pytest.mark.parametrize("task", ["KuhnPoker", "TextSimple"])
def test_play_depends_on_the_seed_alone(task):
    card, maker = (
        envsuite.card(task),
        talker(model(places=512), True, decoding="legal", answer_tokens=8, window=1, rules=False),
    )
    whole, parts = (play(card, maker, 12, slots=slots) for slots in (12, 5))
    assert whole.returns.tolist() == parts.returns.tolist()
    assert len({repr(one) for one in whole.metrics.values()}) > 1
    assert (whole.lengths == parts.lengths).all()


def test_earlier_turns_come_first():
    world = make_world(envsuite.card("LMRLMaze").world)
    talk = Talk(world, model(), "legal", 8, 2, False)
    card = envsuite.card("LMRLMaze")
    rows = Dialogues(TokenPPOConfig(env_id=card.id, num_envs=2, window=2), card)
    turns = rows.play(talk.model)
    first, second, third, fourth = (turns.prompts[k] for k in turns.threads()[0][:4])
    texts = [VOCABULARY.decode(one).splitlines() for one in (first, second, third, fourth)]
    assert [len(one) for one in texts] == [1, 3, 5, 5]
    assert texts[1][0] == texts[0][0]
    assert texts[2][:2] == texts[1][:2]
    assert texts[3][0] == texts[2][2], "the oldest turn is gone"
    assert texts[1][1].removeprefix("> move ") in world.action.names
    assert rows.play(talk.model).prompts != turns.prompts, "every batch has its own seeds"


def test_what_is_no_action_is_paid_for_and_replaced():
    card = envsuite.card("KuhnPoker")
    rows = Dialogues(TokenPPOConfig(**KUHN, decoding="free", answer_tokens=2, refusal=-10.0), card)
    turns = rows.play(model())
    assert turns.refused.float().mean() > 0.9, "random tokens seldom name a move"
    lost = turns.reward[turns.refused]
    assert (lost <= -10 + 2).all()
    assert (turns.returns.abs() <= 2).all(), "the game itself does not pay for it"
    assert set(turns.returns.abs().flatten().tolist()) == {1, 2}, "random legal moves are taken instead"


def test_rules_are_left_out_unless_asked_for():
    world = KuhnPokerWorld()
    words, state = companion(world, Words), unfold(world).records[0]
    assert situation(words, state, 0, True) == words.describe(state, 0)
    assert "Kuhn poker" not in situation(words, state, 0, False)
    assert "Your card" in situation(words, state, 0, False)


def test_legal_moves_are_left_out_where_they_are_not_wanted():
    world = KuhnPokerWorld()
    words, state = companion(world, Words), unfold(world).records[0]
    assert "[call]" in situation(words, state, 0, False)
    assert situation(words, state, 0, False, moves=False) == words.situation(state, 0)
    with_rules = situation(words, state, 0, True, moves=False)
    assert with_rules == words.describe(state, 0).rsplit("\n", 1)[0]
    with pytest.raises(ValueError, match="moves is False, expected True"):
        TokenPPO(TokenPPOConfig(env_id=small("Errand"), moves=False, num_envs=4)).iterate()


def test_opponents_take_one_seat_by_turns():
    card = envsuite.card("KuhnPoker")
    rows = Dialogues(TokenPPOConfig(**KUHN, opponent="equilibrium"), card)
    turns = rows.play(model())
    seats = {int(episode): int(agent) for episode, agent in zip(turns.episode, turns.agent, strict=True)}
    assert all(seat == episode % 2 for episode, seat in seats.items())
    # who begins is drawn, so both roles come up in both seats; who began is told in its first prompt
    assert {(int(a), int(r)) for a, r in zip(turns.agent, turns.role, strict=True)} == {
        (a, r) for a in (0, 1) for r in (0, 1)
    }
    for thread in turns.threads():
        first = VOCABULARY.decode(turns.prompts[thread[0]])
        assert int(turns.role[thread[0]]) == ("The other player:" in first)
    with pytest.raises(ValueError, match="no player 'nobody', expected one of"):
        Dialogues(TokenPPOConfig(**KUHN, opponent="nobody"), card)
    with pytest.raises(ValueError, match="no game of rivals"):
        Dialogues(TokenPPOConfig(env_id="envsuite/LMRLMaze-v0", opponent="expert"), envsuite.card("LMRLMaze"))


LEARN = {"num_envs": 64, "total_steps": 6_000, "episodes": 50, "evaluations": 1, "learning_rate": 3e-3, **SMALL}


@pytest.mark.parametrize(
    ("maker", "settings", "more"),
    [
        (TokenPPO, TokenPPOConfig, {}),
        (TokenPPO, TokenPPOConfig, {"credit": "token"}),
        (TokenGRPO, TokenGRPOConfig, {"turn_weight": 1.0}),
        (RoleAdvantage, RoleAdvantageConfig, {"to_go": True}),
        (ArCHer, ArCHerConfig, {"critic_updates": 10, "critic_rate": 3e-3, "critic_width": 16, "critic_batch": 64}),
    ],
)
def test_they_learn_an_errand(maker, settings, more):
    config = settings(env_id=small("Errand"), gamma=0.2, scaled=True, **LEARN | more)
    _, episodes = maker(config).train()
    assert episodes.returns.mean() > 4.5, "at random it is 2.5, at best 6"


def test_self_play_comes_nearer_to_an_equilibrium():
    logged = []
    settings = KUHN | {"num_envs": 256, "learning_rate": 3e-3, "entropy": 0.2, "average": 0.05}
    trainer = RoleAdvantage(RoleAdvantageConfig(**settings, total_steps=30_000, evaluations=2, episodes=10))
    trainer.train(lambda step, episodes, **numbers: logged.append(numbers["exploitability"]))
    assert logged[-1] < 0.2, "uniform play has 0.4583"


def test_a_run_leaves_its_player(tmp_path):
    trainer = TokenPPO(TokenPPOConfig(**KUHN, window=1, rules=True, answer_tokens=9))
    path = tmp_path / POLICY
    path.write_bytes(trainer.files()[POLICY])
    loaded, options = load(path)
    assert options == {"decoding": "legal", "answer_tokens": 9, "window": 1, "rules": True, "moves": True}
    card = envsuite.card("KuhnPoker")
    returns = [play(card, maker, 20).returns.tolist() for maker in (talker(loaded, True, **options), trainer.player())]
    assert returns[0] == returns[1]
    np.savez(path, other=np.zeros(1))
    with pytest.raises(ValueError, match=r"holds \['other'\]"):
        load(path)


@pytest.mark.parametrize(
    ("settings", "changes", "mention"),
    [
        (TokenPPOConfig, {"decoding": "loose"}, "decoding is 'loose', expected one of legal, free"),
        (TokenPPOConfig, {"answer_tokens": 65}, "answer_tokens is 65"),
        (TokenPPOConfig, {"average": 0.0}, r"average is 0\.0"),
        (TokenPPOConfig, {"spread": 0.0}, r"spread is 0\.0, expected a number above 0"),
        (TokenPPOConfig, {"sharpness": -1.0}, r"sharpness is -1\.0"),
        (TokenPPOConfig, {"credit": "word"}, "credit is 'word', expected one of turn, token"),
        (TokenGRPOConfig, {"group_size": 1}, "group_size is 1"),
        (TokenGRPOConfig, {"group_size": 6, "num_envs": 64}, "group_size is 6 and num_envs 64"),
        (RoleAdvantageConfig, {"baseline": "mean"}, "baseline is 'mean', expected one of role, shared, none"),
        (RoleAdvantageConfig, {"memory": 1.0}, r"memory is 1\.0"),
    ],
)
def test_bad_settings_are_named(settings, changes, mention):
    with pytest.raises(ValueError, match=mention):
        settings(**changes)


def test_a_game_with_other_rules_is_measured_as_registered():
    trainer = TokenPPO(TokenPPOConfig(**KUHN, env_options={"rounds": 2}))
    trainer.iterate()
    (policy,) = trainer.policies().values()
    found = trainer.summary(trainer.evaluate())["exploitability"]
    assert measure(KuhnPokerWorld(), policy).exploitability == pytest.approx(found, abs=1e-5)
    with pytest.raises(ValueError, match=r"gamma is 0\.5, expected 1\.0: it is for to_go"):
        RoleAdvantage(RoleAdvantageConfig(**KUHN, gamma=0.5))


def test_worlds_that_list_no_answers_want_free_ones():
    with pytest.raises(ValueError, match="does not list its answers: set decoding to 'free'"):
        TokenPPO(TokenPPOConfig(env_id=small("Glider"), num_envs=2, **SMALL)).iterate()

"""Memories: along a batch they are what they are step by step, and follow their papers' equations; files play alike."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ffm_ppo import FFMPPOConfig  # noqa: E402
from gated_transformer import GatedBlock, GTrXL  # noqa: E402
from gtrxl_ppo import GTrXLPPOConfig  # noqa: E402
from lstm_ppo import LSTMPPOConfig  # noqa: E402
from memories import FFM, GRU, LSTM, MinGRU, Slots, linear_recurrence  # noqa: E402
from mingru_ppo import MinGRUPPOConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402
from slots_ppo import SlotsPPOConfig  # noqa: E402

from .worlds import small  # noqa: E402

MADE = {
    "gru": lambda: GRU(5, 6),
    "lstm": lambda: LSTM(5, 6),
    "mingru": lambda: MinGRU(5, 6),
    "ffm": lambda: FFM(5, 6, 3, 4, 50),
    "slots": lambda: Slots(5, 6, 3, 4),
    "gtrxl": lambda: GTrXL(5, 6, 2, 3, 4),
}
SETTINGS = {
    "gru": (RecurrentPPOConfig, {}),
    "lstm": (LSTMPPOConfig, {}),
    "mingru": (MinGRUPPOConfig, {}),
    "ffm": (FFMPPOConfig, {"traces": 4, "contexts": 2, "horizon": 10}),
    "slots": (SlotsPPOConfig, {"slots": 3, "width": 4}),
    "gtrxl": (GTrXLPPOConfig, {"past": 6, "heads": 2}),
}


def moved(name: str):
    """A memory all of whose parameters matter."""
    torch.manual_seed(1)
    memory = MADE[name]()
    with torch.no_grad():
        for one in memory.parameters():
            one += 0.2 * torch.randn_like(one)
    return memory


@pytest.mark.parametrize("name", MADE)
def test_along_a_batch_as_step_by_step(name):
    memory = moved(name)
    inputs, ends = torch.randn(3, 11, 7, 5), torch.rand(3, 11, 7) < 0.2
    stepped, states = [], [torch.zeros(7, memory.size)]
    for x, end in zip(inputs.flatten(0, 1), ends.flatten(0, 1), strict=True):
        output, state = memory.step(x, states[-1])
        assert output.shape == (7, memory.units)
        assert state.shape == (7, memory.size)
        stepped.append(output)
        states.append(state * ~end.unsqueeze(1))
    for k in range(3):  # each batch begins with the state that the one before has left
        found = memory.unroll(inputs[k], states[11 * k].detach(), ends[k])
        torch.testing.assert_close(found, torch.stack(stepped[11 * k : 11 * k + 11]), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", MADE)
def test_gradients_along_a_batch(name):
    """Those of the parameters, inputs and first state are the same as step by step."""
    memory, x, ends = moved(name), torch.randn(9, 4, 5, requires_grad=True), torch.rand(9, 4) < 0.2
    first = torch.zeros(4, memory.size, requires_grad=True)
    wanted, state = [], first
    for k in range(9):
        output, state = memory.step(x[k], state)
        wanted.append(output)
        state = state * ~ends[k].unsqueeze(1)
    pull, over = torch.randn(9, 4, 6), (x, first, *memory.parameters())
    expected = torch.autograd.grad((torch.stack(wanted) * pull).sum(), over)
    found = torch.autograd.grad((memory.unroll(x, first, ends) * pull).sum(), over)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", [torch.float64, torch.complex128])
def test_gradients_of_the_linear_recurrence(kind):
    torch.manual_seed(0)
    decay, added = (torch.randn(5, 3, 2, dtype=kind, requires_grad=True) for _ in range(2))
    first, ends = torch.randn(3, 2, dtype=kind, requires_grad=True), torch.rand(5, 3) < 0.3
    assert torch.autograd.gradcheck(lambda *given: linear_recurrence(*given, ends), (decay, added, first))


def test_an_episode_knows_nothing_of_the_one_before():
    for name in MADE:
        memory, x, ends = moved(name), torch.randn(8, 3, 5), torch.zeros(8, 3, dtype=torch.bool)
        ends[3] = True
        alone = memory.unroll(x[4:], torch.zeros(3, memory.size), ends[4:])
        torch.testing.assert_close(memory.unroll(x, torch.zeros(3, memory.size), ends)[4:], alone, rtol=1e-5, atol=1e-6)


def test_lstm_is_that_of_pytorch():
    memory, x = moved("lstm"), torch.randn(8, 3, 5)
    other = torch.nn.LSTM(5, 6)
    other.load_state_dict({f"{name}_l0": one for name, one in memory.state_dict().items()})
    found = memory.unroll(x, torch.zeros(3, memory.size), torch.zeros(8, 3, dtype=torch.bool))
    torch.testing.assert_close(found, other(x)[0])


def test_min_gru_follows_its_paper():
    """h = (1 - z) h + z ~h with z = sigmoid(Linear(x)) and ~h = Linear(x), of Feng et al. (2024)."""
    memory, x, h = moved("mingru"), torch.randn(8, 3, 5), torch.zeros(3, 6)
    found = memory.unroll(x, h, torch.zeros(8, 3, dtype=torch.bool))
    for k in range(8):
        z = 1 / (1 + torch.exp(-(x[k] @ memory.gate.weight.T + memory.gate.bias)))
        h = (1 - z) * h + z * (x[k] @ memory.proposal.weight.T + memory.proposal.bias)
        torch.testing.assert_close(found[k], h, rtol=1e-5, atol=1e-6)


def test_ffm_follows_its_paper():
    """S_n = sum over j of gamma^(n - j) x_j in closed form, of Morad et al. (2023)."""
    memory, x = moved("ffm"), torch.randn(8, 2, 5)
    found = memory.unroll(x, torch.zeros(2, memory.size), torch.zeros(8, 2, dtype=torch.bool))
    entered = (memory.entered(x) * memory.enter(x).sigmoid()).detach().numpy().astype(np.complex128)
    decay, frequency = (one.detach().numpy().astype(float) for one in (memory.decay, memory.frequency))
    for n in range(8):
        ago = n - np.arange(n + 1)
        gamma = np.exp(-ago[:, None, None] * (np.abs(decay)[None, :, None] + 1j * frequency[None, None, :]))
        state = np.einsum("jmc,jrm->rcm", gamma, entered[: n + 1]).reshape(2, 12)
        z = memory.read(torch.from_numpy(np.concatenate([state.real, state.imag], 1)).float())
        share = memory.mix(x[n]).sigmoid()
        wanted = memory.norm(z) * share + memory.skip(x[n]) * (1 - share)
        torch.testing.assert_close(found[n], wanted, rtol=1e-4, atol=1e-5)


def test_slots_follow_their_paper():
    """What each slot holds in closed form, sum over j of (1 - a_j) a_(j+1) ... a_n of each entry, and what is read."""
    memory, x = moved("slots"), torch.randn(8, 2, 5)
    found = memory.unroll(x, torch.zeros(2, memory.size), torch.zeros(8, 2, dtype=torch.bool))
    kept = (1 / (1 + (-memory.keep(x).double()).exp())) ** (1 / 8)
    entry = memory.entry(x).double()
    for n in range(8):
        shares = torch.stack([(1 - kept[j]) * kept[j + 1 : n + 1].prod(0) for j in range(n + 1)])
        held = torch.einsum("jrs,jrw->rsw", shares, entry[: n + 1])
        scores = torch.einsum("rsw,rw->rs", held[..., :4], memory.query(x[n]).double()) / 2.0
        read = torch.einsum("rs,rsw->rw", scores.softmax(1), held[..., 4:]).float()
        wanted = memory.skip(x[n]) + memory.told(torch.nn.functional.layer_norm(read, (4,), *memory.norm.parameters()))
        torch.testing.assert_close(found[n], wanted, rtol=1e-4, atol=1e-5)


def test_gated_blocks_follow_their_papers():
    """Attention with relative places (Dai et al. 2019, section 3.3) and gates like a GRU, written out for one row."""
    torch.manual_seed(2)
    block, before, x = GatedBlock(6, 2, 3), torch.randn(1, 3, 6), torch.randn(1, 1, 6)
    with torch.no_grad():
        for bias in (block.content_bias, block.place_bias):
            bias.normal_()
        found = block.along(x, before, torch.ones(1, 1, 1, 4, dtype=torch.bool))[0, 0]
        near = torch.nn.functional.layer_norm(torch.cat([before, x], 1)[0], (6,))
        heads = []
        for h in range(2):
            part, scores = slice(3 * h, 3 * h + 3), []
            q = (block.query.weight @ near[3])[part]
            for j in range(4):
                angle = (3 - j) / 10_000 ** (torch.arange(0, 6, 2) / 6)
                r = (block.place.weight @ torch.cat([angle.sin(), angle.cos()]))[part]
                key = (block.key.weight @ near[j])[part]
                score = q @ key + q @ r + block.content_bias[part] @ key + block.place_bias[part] @ r
                scores.append(score / 3**0.5)
            heads.append(torch.stack(scores).softmax(0) @ (near @ block.value.weight.T)[:, part])

        def gate(one, x, y):
            (wr, wz, wg), (ur, uz), ug = one.result.weight.chunk(3), one.given.weight.chunk(2), one.last.weight
            r, z = (wr @ y + ur @ x).sigmoid(), (wz @ y + uz @ x - 2.0).sigmoid()
            return (1 - z) * x + z * (wg @ y + ug @ (r * x)).tanh()

        middle = gate(block.attended, x[0, 0], block.out(torch.cat(heads)).relu())
        thought = block.narrow(block.wide(torch.nn.functional.layer_norm(middle, (6,))).relu()).relu()
        torch.testing.assert_close(found, gate(block.thought, middle, thought), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", SETTINGS)
def test_policy_files_play_as_the_networks_do(name):
    config, extra = SETTINGS[name]
    some = {"num_envs": 16, "num_steps": 10, "total_steps": 160, "units": 8, "hidden": (12, 12), "threads": 1}
    trainer = RecurrentPPO(config(env_id=small("Recall"), evaluations=1, episodes=4, **some, **extra))
    agent = trainer.agent
    with torch.no_grad():
        agent.actor[-1].weight *= 100.0  # so that actions differ
    policy, state, rng = trainer.policy(), torch.zeros(16, agent.cell.size), np.random.default_rng(0)
    policy.reset(np.ones(16, np.bool_), np.arange(16))
    margins, chosen = [], []
    for k in range(12):
        obs = torch.from_numpy(rng.normal(size=(16, 2)).astype(np.float32))
        if k == 7:  # some begin anew
            again = rng.random(16) < 0.5
            policy.reset(again, np.arange(16))
            state = state * ~torch.from_numpy(again).unsqueeze(1)
        with torch.no_grad():
            encoded = agent.encode(agent.obs_normaliser(obs))
            recalled, state = agent.remember(encoded, state)
            logits = agent.output(recalled, encoded)
        best, actions = logits.max(1).values, torch.from_numpy(policy.act(obs.numpy().copy(), None))
        margins.append((best - logits[torch.arange(16), actions]).max())
        chosen.append(actions)
    assert max(margins) < 1e-4
    assert 0.1 < torch.stack(chosen).float().mean() < 0.9, "all rows choose alike"


@pytest.mark.parametrize(
    "name", ["mingru", *(pytest.param(name, marks=pytest.mark.slow) for name in ("lstm", "ffm", "slots", "gtrxl"))]
)
def test_remembers_the_cue(name):
    """Without memory the mean return is 0."""
    config, extra = SETTINGS[name]
    some = {"num_envs": 32, "num_steps": 10, "total_steps": 24_000, "gamma": 0.9, "hidden": (32,), "units": 16}
    quick = {"evaluations": 1, "threads": 1, "episodes": 64, "learning_rate": 5e-3}
    _, episodes = RecurrentPPO(config(env_id=small("Recall"), **some, **quick, **extra)).train()
    assert episodes.returns.mean() > 0.9


@pytest.mark.parametrize(
    ("config", "changes", "mention"),
    [
        (GTrXLPPOConfig, {"heads": 5}, "units is 64 and heads 5, expected a multiple"),
        (GTrXLPPOConfig, {"past": 0}, "past is 0, expected at least 1"),
        (SlotsPPOConfig, {"slots": 0}, "slots is 0, expected at least 1"),
        (FFMPPOConfig, {"traces": 0}, "traces is 0, expected at least 1"),
    ],
)
def test_settings_that_cannot_be_meant_are_named(config, changes, mention):
    with pytest.raises(ValueError, match=mention):
        config(**changes)

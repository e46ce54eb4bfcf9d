"""A language model of Hugging Face in the small transformer's place: tiny, with random weights."""

import zipfile
from io import BytesIO

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

from causal_lm import CausalLM  # noqa: E402
from generation import generate, score_answers  # noqa: E402
from token_ppo import TokenPPO, TokenPPOConfig  # noqa: E402
from tokens import Answers  # noqa: E402

TEXTS = ("Your card is the king.\n", "No.", "It is your turn: [check] or [bet]?\n")


def tokenizer(**special):
    """Every byte is a token, as in GPT-2 without its merges."""
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    words = {one: k for k, one in enumerate(["<|end|>", *alphabet])}
    found = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=words, merges=[]))
    found.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = tokenizers.decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=found, **special)


def model(kind):
    torch.manual_seed(0)
    if kind == "gpt2":  # places are learned, and the head shares the embedding's weights
        sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 512, "initializer_range": 0.5}
        made = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=260, **sizes))
    else:  # places are rotations
        sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
        config = transformers.LlamaConfig(vocab_size=260, num_key_value_heads=1, initializer_range=0.5, **sizes)
        made = transformers.LlamaForCausalLM(config)
    return CausalLM(made, tokenizer(eos_token="<|end|>"))


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_what_it_says_has_the_probability_that_is_told(kind):
    one = model(kind)
    encode = one.tokenizer.encode
    assert [one.tokenizer.decode(encode(text)) for text in TEXTS] == list(TEXTS)
    assert one.tokenizer.decode([*encode("[bet]"), one.tokenizer.end, 7]) == "[bet]"
    tree = Answers([encode("[check]"), encode("[bet]"), encode("[bet all]")], one.tokenizer.end)
    for choices in ([tree] * 60, [None] * 60):
        prompts = [encode(TEXTS[k % 3]) for k in range(60)]
        luck = torch.rand(60, 12, generator=torch.Generator().manual_seed(0))
        said = generate(one, prompts, choices, 6, luck)
        tokens = [tuple(row[:count]) for row, count in zip(said.tokens.tolist(), said.counts.tolist(), strict=True)]
        with torch.no_grad():
            again = score_answers(one, prompts, tokens, choices)
        width = again.log_prob.shape[1]
        assert torch.allclose(again.log_prob, said.log_prob[:, :width], atol=1e-3)
        assert len(set(tokens)) > 2
    # the same by the model itself, without any of our code
    text = torch.tensor([[*prompts[0], *tokens[0][:-1]]])
    with torch.no_grad():
        logs = one.model(text).logits[0, len(prompts[0]) - 1 :].log_softmax(1)
    wanted = logs[torch.arange(len(tokens[0])), torch.tensor(tokens[0])]
    assert torch.allclose(again.log_prob[0, : len(wanted)], wanted, atol=1e-3)


def test_it_is_trained_and_saved_like_the_small_one(tmp_path):
    one = model("gpt2")
    for part in (one.model, one.tokenizer.inner):
        part.save_pretrained(tmp_path / "model")
    settings = {"env_id": "envsuite/KuhnPoker-v0", "num_envs": 8, "total_steps": 40, "episodes": 2, "evaluations": 1}
    config = TokenPPOConfig(**settings, pretrained=str(tmp_path / "model"), threads=1)
    trainer = TokenPPO(config)
    assert isinstance(trainer.model, CausalLM)
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    for name, value in one.state_dict().items():
        assert torch.equal(before[name], value)
    _, episodes = trainer.train()
    assert np.isfinite(episodes.returns).all()
    assert any(not torch.equal(before[name], value) for name, value in trainer.model.state_dict().items())
    with zipfile.ZipFile(BytesIO(trainer.files()["model.zip"])) as archive:
        archive.extractall(tmp_path / "trained")
    again = CausalLM.load(tmp_path / "trained")
    for name, value in trainer.model.state_dict().items():
        assert torch.equal(again.state_dict()[name], value)
    assert again.tokenizer.encode("[bet]") == one.tokenizer.encode("[bet]")


def test_free_answers_of_a_model_are_read_by_the_world():
    settings = {"env_id": "envsuite/KuhnPoker-v0", "num_envs": 8, "decoding": "free", "answer_tokens": 4, "rules": True}
    numbers = TokenPPO(TokenPPOConfig(**settings, threads=1), model("llama")).iterate()
    assert numbers["refused"] > 0.5, "random bytes seldom name a move"


def test_models_of_half_precision_are_trained_in_single_precision():
    one = CausalLM(model("llama").model.bfloat16(), tokenizer(eos_token="<|end|>"))
    before = one.head.weight.detach().clone()
    assert before.dtype == torch.float32
    TokenPPO(TokenPPOConfig(env_id="envsuite/KuhnPoker-v0", num_envs=8, learning_rate=1e-6, threads=1), one).iterate()
    assert not torch.equal(before, one.head.weight), "so small a step is not rounded away"


def test_models_that_cannot_be_used_are_named(tmp_path):
    with pytest.raises(ValueError, match="expected a folder that holds a model"):
        TokenPPO(TokenPPOConfig(pretrained=str(tmp_path / "nowhere")))
    with pytest.raises(ValueError, match="no end-of-text token"):
        CausalLM(model("gpt2").model, tokenizer())

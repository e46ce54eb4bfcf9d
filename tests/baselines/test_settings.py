"""Every setting of every baseline changes what is trained, or is refused."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import offline  # noqa: E402
from advantage_alignment import AdvantageAlignment, AdvantageAlignmentConfig  # noqa: E402
from bc10 import BC10Config  # noqa: E402
from exploit import ExploitConfig, Exploiter  # noqa: E402
from gpi_ls import GPILS, GPILSConfig  # noqa: E402
from hnpg import HNPG, HNPGConfig  # noqa: E402
from independent_q import IndependentQ, IndependentQConfig  # noqa: E402
from launch import main  # noqa: E402
from mappo import MAPPO, MAPPOConfig  # noqa: E402
from ols import OLS, OLSConfig  # noqa: E402
from players import players  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from residual import Residual, ResidualConfig  # noqa: E402
from rlpd import RLPD, RLPDConfig  # noqa: E402

from . import worlds  # noqa: E402
from .test_checkpoints import ALGORITHMS as PLAYING  # noqa: E402
from .test_offline import ALGORITHMS as OFFLINE  # noqa: E402
from .test_offline import GLIDER, ONLINE  # noqa: E402
from .test_offline import PLAYING as GOING_ON  # noqa: E402
from .worlds import small  # noqa: E402

TINY = {"total_steps": 320, "evaluations": 1, "episodes": 4, "threads": 1, "hidden": (8,), "learning_rate": 0.03}
MATCH = {"num_envs": 4, "num_steps": 10}
MEMORY = {"num_envs": 4, "first_steps": 40, "batch_size": 16, "memory": 60}

GRAPH = {"hidden": (64, 64), "width": 8}
TALK = {"num_envs": 4, "learning_rate": 0.003, "episodes": 40}

#: Maker, settings, task, and settings with which others have something to do.
PLAYED = {
    "ppo": (PPO, PPOConfig, "Locks", MATCH),
    "ppo_numbers": (PPO, PPOConfig, "Glider", MATCH),
    "mappo": (MAPPO, MAPPOConfig, "Parity", MATCH | {"scale_rewards": False}),
    "mappo_numbers": (MAPPO, MAPPOConfig, "Steer", MATCH | {"sharing": False}),
    "mappo_objectives": (MAPPO, MAPPOConfig, "Trade", MATCH),
    "advantage_alignment": (AdvantageAlignment, AdvantageAlignmentConfig, "Parity", MATCH | {"scale_rewards": False}),
    "ols": (OLS, OLSConfig, "Trade", MATCH | {"rounds": 2}),
    "recurrent_ppo": (*PLAYING["recurrent_ppo"][:3], MATCH | {"units": 8, "minibatches": 1}),
    "lstm_ppo": (*PLAYING["lstm_ppo"][:3], MATCH | {"units": 8, "minibatches": 1}),
    "mingru_ppo": (*PLAYING["mingru_ppo"][:3], MATCH | {"units": 8, "minibatches": 1}),
    "slots_ppo": (*PLAYING["slots_ppo"][:3], MATCH | {"units": 8, "minibatches": 1, "slots": 4}),
    "ffm_ppo": (*PLAYING["ffm_ppo"][:3], MATCH | {"units": 8, "minibatches": 1, "traces": 4}),
    "gtrxl_ppo": (*PLAYING["gtrxl_ppo"][:3], MATCH | {"units": 8, "minibatches": 1, "past": 4, "heads": 2}),
    "text_ppo": (*PLAYING["text_ppo"][:3], MATCH | {"hidden": (64, 64), "units": 8, "minibatches": 1, "width": 8}),
    "token_ppo": (*PLAYING["token_ppo"][:3], PLAYING["token_ppo"][3] | TALK),
    "token_grpo": (*PLAYING["token_grpo"][:3], PLAYING["token_grpo"][3] | TALK),
    "role_advantage": (*PLAYING["role_advantage"][:2], "Errand", PLAYING["role_advantage"][3] | TALK),
    "archer": (*PLAYING["archer"][:3], PLAYING["archer"][3] | TALK | {"warm": 1}),
    "ppo_graph": (*PLAYING["ppo_graph"][:3], MATCH | GRAPH),
    "ppo_graph_attention": (*PLAYING["ppo_graph"][:3], MATCH | GRAPH | {"network": "transformer"}),
    "selfplay": (*PLAYING["selfplay"][:3], MATCH | {"pool_every": 40, "pool": 4}),
    "fictitious_selfplay": (*PLAYING["fictitious"][:3], MATCH | {"admit_every": 100}),
    "psro": (*PLAYING["psro"][:3], MATCH | {"round_steps": 120, "games": 4, "least_gain": -2.0}),
    "league": (*PLAYING["league"][:3], MATCH | {"copy_after": 40, "total_steps": 960}),
    "exploiter": (Exploiter, ExploitConfig, "Guess", MATCH),
    "pqn": (*PLAYING["pqn"][:3], MATCH),
    "dqn": (*PLAYING["dqn"][:3], MEMORY | {"target_every": 40, "max_gradient": 0.1}),
    "drrn": (*PLAYING["drrn"][:3], MEMORY | {"hidden": (128, 128), "width": 8, "target_every": 40}),
    "gpi_ls": (GPILS, GPILSConfig, "Trade", MEMORY | {"rounds": 4, "target_every": 40, "max_gradient": 0.1}),
    "independent_q": (IndependentQ, IndependentQConfig, "Parity", {"rate_decay": 0.5}),
    "sac": (*PLAYING["sac"][:3], MEMORY),
    "td3": (*PLAYING["td3"][:3], MEMORY),
    "sac_her": (*PLAYING["sac_her"][:3], MEMORY),
    "td3_her": (*PLAYING["td3_her"][:3], MEMORY),
}  # fmt: skip
LEARNED = {name: (maker, settings, dataset, extra) for name, (maker, settings, dataset, extra) in OFFLINE.items()}
LEARNED["bc10"] = (OFFLINE["bc"][0], BC10Config, GLIDER, {})
LEARNED["cdsa"] = (*OFFLINE["cdsa"][:3], {"base": "bc", "base_settings": {"total_steps": 10, "hidden": (8,)}})
LEARNED["rlpd"] = (RLPD, RLPDConfig, GLIDER, ONLINE | {"memory": 60, "total_steps": 160})
LEARNED |= {
    name: (*GOING_ON[name][:2], GLIDER, GOING_ON[name][2] | {"total_steps": 160})
    for name in ("iql_online", "cal_ql_online")
}
EPISODES = {"total_steps": 400, "num_envs": 4, "hidden": (4,), "critic_hidden": 4, "critic_steps": 2}
LEARNED["hnpg"] = (HNPG, HNPGConfig, GLIDER, EPISODES)
LEARNED["residual"] = (Residual, ResidualConfig, GLIDER, LEARNED["rlpd"][3] | {"clone_updates": 10})

#: Other values than the one there is, for settings that are no plain numbers, or need more than a nudge.
OTHERS = {
    "env_options": {"again": 1}, "game": {"again": 1}, "stages": ({"step": 0, "again": 1},), "privileged": "mark",
    "seed": 7, "hidden": (6,), "gamma": 0.5, "clip": 0.01, "value_clip": 0.01, "target_kl": 1e-9, "max_gradient": 0.01,
    "final_log_std": -2.0, "initial_action": (0.3,), "units": (2.0, 1.0), "reference": (-1.0, -1.0),
    "weights": ((1.0, 0.0),),
    "memory": 30, "pool": 1, "least_gain": 2.0, "autoreset": "NextStep", "support": 0, "restart": 1.0, "block": "me",
    "achieved": "desired goal", "desired": "position", "total_steps": 200,
    "network": "deepsets", "width": 4, "heads": 4, "words": 2, "commands": 2,
    "pretrained": "nowhere", "decoding": "free", "opponent": "nobody", "credit": "token", "baseline": "none",
    "final_entropy": 0.5, "average": 0.01, "share": 0.25,
    "base": "td3_bc", "base_settings": {"total_steps": 20},
}  # fmt: skip

#: What a setting needs to have something to do.
BESIDE = {"final_teach": {"teach": 1.0}, "final_clip": {"clip": 0.01}, "patience": {"least_gain": 2.0},
          "double": {"learning_rate": 0.3}, "final_rate": {"decay": 0.5},
          "answer_tokens": {"decoding": "free"}, "refusal": {"decoding": "free"}}  # fmt: skip

#: Settings that say where to learn from or on what machine; `autoreset` changes no experience, only where resets lie;
#: two are of the games that exploiters are compared in; `kinds` has tests of its own.
NOT_HERE = {"env_id", "dataset", "dataset_hash", "base_hash", "threads", "device", "autoreset", "exploiters",
            "held_out", "kinds"}  # fmt: skip


#: Words for one another.
PAIRS = {"tanh": "relu", "chi-square": "total-variation", "spread": "bellman"}


def other(name, now):
    if name in OTHERS:
        return OTHERS[name]
    if isinstance(now, bool):
        return not now
    if isinstance(now, str):
        return PAIRS.get(now) or {second: first for first, second in PAIRS.items()}[now]
    return 2 * now + 1 if isinstance(now, int) else 0.5 * now + 0.13


def trained(make):
    """All that comes out of a run but times."""
    trainer, logged = make(), []
    trainer.train(lambda step, episodes, **numbers: logged.append((step, episodes.returns.tolist(), numbers)))
    for _, _, numbers in logged:
        del numbers["training_time"]
    return repr((logged, [(policy.program.model, policy.interface) for policy in trainer.policies().values()]))


def ignored(maker, make_config):
    """Settings whose change neither changes the run nor is refused."""
    plain, found = {}, []
    for option in dataclasses.fields(make_config()):
        beside = BESIDE.get(option.name, {})
        beside = {name: value for name, value in beside.items() if hasattr(make_config(), name)}
        key = repr(beside)
        if option.name in NOT_HERE:
            continue
        now = getattr(make_config(**beside), option.name)
        changed = {**beside, option.name: other(option.name, now)}
        try:
            if key not in plain:
                plain[key] = trained(lambda beside=beside: maker(make_config(**beside)))
            if trained(lambda changed=changed: maker(make_config(**changed))) == plain[key]:
                found.append((option.name, now, changed[option.name]))
        except (ValueError, TypeError, AttributeError):  # refused, by us or by the world whose option it is
            continue
    return found


QUICK = ("independent_q", "bc", "dqn")


def names(table):
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in table]


@pytest.mark.parametrize("name", names(PLAYED))
def test_settings_of_what_plays(name):
    maker, settings, task, extra = PLAYED[name]
    if name == "exploiter":
        (opponent,) = players(["random"])
        made = lambda config: Exploiter(config, opponent)  # noqa: E731
    else:
        made = maker
    assert ignored(made, lambda **changes: settings(**{"env_id": small(task), **TINY, **extra, **changes})) == []


@pytest.mark.parametrize("name", names(LEARNED))
def test_settings_of_what_learns_from_data(name, datasets, monkeypatch):
    monkeypatch.setattr(offline, "CHUNK", 10)
    maker, settings, dataset, extra = LEARNED[name]
    known = {option.name for option in dataclasses.fields(settings)}
    given = {name: value for name, value in {**TINY, "total_steps": 40, "batch_size": 16}.items() if name in known}
    given |= extra
    assert ignored(maker, lambda **changes: settings.for_env("", dataset=dataset, **{**given, **changes})) == []


def made(**changes):
    given = {"env_id": small("Parity"), "num_envs": 8, "num_steps": 8, "threads": 1, "hidden": (16,), "minibatches": 1}
    return MAPPO(MAPPOConfig(**given | changes))


def test_mappo_clips_values_as_ppo_does():
    trainer, part = made(value_clip=0.01, learning_rate=0.1, epochs=8), {}
    trainer.losses = lambda given: part.update(given) or MAPPO.losses(trainer, given)
    batch = trainer.collect()
    trainer.update(batch)  # the networks have moved by now
    with torch.no_grad():
        found = MAPPO.losses(trainer, part)["value_loss"]
        value, old, target = trainer.agents.critics(part["critic_inputs"]), part["value"], part["return"]
        near = old + (value - old).clamp(-0.01, 0.01)
        expected = 0.5 * torch.maximum((value - target) ** 2, (near - target) ** 2).mean()
    assert float(found) == pytest.approx(float(expected))
    assert float(found) != pytest.approx(float(0.5 * ((value - target) ** 2).mean()))


def test_mappo_leaves_a_batch_at_the_divergence_asked_for():
    free, bound = (made(learning_rate=0.1, epochs=8, target_kl=kl) for kl in (0.0, 1e-6))
    steps = []
    for trainer in (free, bound):
        losses, calls = trainer.losses, []
        trainer.losses = lambda part, losses=losses, calls=calls: calls.append(0) or losses(part)
        trainer.iterate()
        steps.append(len(calls))
    assert steps == [8, 2]


def test_mappo_narrows_its_range():
    trainer, part = made(clip=0.2, final_clip=0.5, total_steps=1000), {}
    trainer.losses = lambda given: part.update(given) or MAPPO.losses(trainer, given)
    trainer.update(trainer.collect())
    part["log_prob"] = part["log_prob"] - 5.0  # every ratio is far above the range
    part["advantage"] = torch.linspace(-1, 1, part["advantage"].shape[1])[None]
    with torch.no_grad():
        ratio = (
            trainer.agents.actions.distribution(trainer.agents.actors(part["obs"]), None).log_prob(part["action"])
            - part["log_prob"]
        ).exp()
    advantage = part["advantage"] / part["advantage"].square().mean().sqrt()
    for steps, reach in ((0, 0.2), (500, 0.15), (1000, 0.1)):
        trainer.steps = steps
        expected = -torch.minimum(ratio * advantage, (1 + reach) * advantage).mean()
        assert float(MAPPO.losses(trainer, part)["policy_loss"].detach()) == pytest.approx(float(expected), rel=1e-3)


def test_mappo_begins_with_the_given_action():
    trainer = made(env_id=small("Steer"), initial_action=(0.7,), sharing=False)
    with torch.no_grad():
        means = trainer.agents.actors(trainer.groups.split(trainer.rows.obs))
    assert means.flatten().tolist() == pytest.approx([0.7] * 16, abs=0.05)


def test_mappo_learns_from_a_teacher(monkeypatch):
    monkeypatch.setattr(worlds.InOrder, "act", lambda self, observations, states: np.ones((len(states), 2), np.int64))
    settings = {"total_steps": 512, "learning_rate": 1e-2, "evaluations": 1, "episodes": 32}
    scores = [made(teach=teach, **settings).train()[1].returns.mean() for teach in (0.0, 100.0)]
    assert scores == [8.0, 0.0], "this teacher knows the opposite of what is rewarded"
    with pytest.raises(ValueError, match=r"final_teach is 0\.5"):
        made(final_teach=0.5)


@pytest.mark.parametrize(
    ("maker", "settings", "task", "changes", "mention"),
    [
        (PPO, PPOConfig, "Pole", {"initial_action": (0.5,)}, "initial_action is .* that are numbers"),
        (PPO, PPOConfig, "Glider", {"sampled": True}, "sampled is True.* choices"),
        (PPO, PPOConfig, "Pole", {"privileged": "mind"}, "privileged is 'mind', expected one of .*'mark'"),
        (MAPPO, MAPPOConfig, "Parity", {"divisions": 3}, "divisions is 3"),
        (IndependentQ, IndependentQConfig, "Parity", {"num_envs": 5}, "num_envs is 5, expected 0 or 1"),
        (GPILS, GPILSConfig, "Trade", {"double": False}, "double is False, .*gpi_ls"),
    ],
)
def test_settings_without_a_meaning_are_named(maker, settings, task, changes, mention):
    with pytest.raises(ValueError, match=mention):
        maker(settings(env_id=small(task), **changes))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("total_steps", -4), ("num_envs", 0), ("evaluations", 0), ("episodes", -1), ("num_steps", 0), ("epochs", 0),
        ("seed", -1), ("learning_rate", -1.0), ("learning_rate", float("nan")), ("gamma", 1.5), ("clip", float("nan")),
        ("hidden", (8, 0)),
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_meant_are_refused(setting, value):
    with pytest.raises(ValueError, match=f"{setting} is"):
        PPOConfig(**{setting: value})


@pytest.mark.parametrize(
    ("env_id", "said"),
    [
        ("DMSDShift", "envsuite/DMSDShift-v0 is for tests: policies are meant to learn on envsuite/DMSD-v0\n"),
        ("DMSD", ""),
        ("BulwarkProceduralHeldOut", ""),  # its settings train on the other levels
    ],
)
def test_training_on_what_is_held_out_is_told(env_id, said, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["ppo.py", "--env-id", env_id, "--check"])
    main(PPO, PPOConfig)
    assert capsys.readouterr().err == said

"""Learning on a GPU: rows on Numba's simulator are those of the processor, and tensors stay on one device."""

import io

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from advantage_alignment import AdvantageAlignment, AdvantageAlignmentConfig  # noqa: E402
from dqn import DQN, DQNConfig  # noqa: E402
from ffm_ppo import FFMPPOConfig  # noqa: E402
from gpi_ls import GPILS, GPILSConfig  # noqa: E402
from gtrxl_ppo import GTrXLPPOConfig  # noqa: E402
from lstm_ppo import LSTMPPOConfig  # noqa: E402
from mappo import MAPPO, MAPPOConfig  # noqa: E402
from mingru_ppo import MinGRUPPOConfig  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from pqn import PQN, PQNConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402
from sac import SAC, SACConfig  # noqa: E402
from slots_ppo import SlotsPPOConfig  # noqa: E402
from td3 import TD3, TD3Config  # noqa: E402

from envsuite.agents.onnx.encode import encode  # noqa: E402
from envsuite.torch.infos import Field  # noqa: E402

from ..core.simulator import run_on_simulator  # noqa: E402
from .pretended import pretended_gpu  # noqa: E402
from .worlds import small  # noqa: E402

SCRIPT = """
import sys
import numpy as np
import torch
sys.path.insert(0, "baselines")
from rows import Rows
from cuda_rows import CudaRows
from ppo import PPO, PPOConfig

def same(one, two):
    for name, ours, theirs in zip(one._fields, one, two):
        assert (ours is None) == (theirs is None), name
        assert ours is None or (ours.dtype == theirs.dtype and torch.equal(ours, theirs)), name

for env_id, mode in (("QuadHover", "SameStep"), ("QuadHover", "NextStep"), ("QuadMultiHover", "SameStep")):
    options = {"max_episode_steps": 3}
    config = PPOConfig(env_id=f"envsuite/{env_id}-v0", num_envs=3, autoreset=mode, env_options=options, seed=5)
    config.privileged = "privileged" if env_id == "QuadHover" else ""
    rows = [Rows(config), CudaRows(config)]
    drawn = torch.Generator().manual_seed(0)
    ended, compared = 0, set()
    for step in range(8):
        if step == 5:
            moment = rows[1].state_dict()
        actions = torch.rand(rows[0].count, 4, generator=drawn) * 2 - 1
        steps = [one.step(actions) for one in rows]
        same(*steps)
        assert torch.equal(rows[0].obs, rows[1].obs)
        for name, ours in rows[0].infos.items():
            if name in rows[1].infos and not name.startswith("_"):
                assert np.array_equal(ours.reshape(-1), rows[1].infos[name].numpy().reshape(-1)), name
                compared.add(name)
        ended += int(steps[0].done.sum())
    assert ended >= rows[0].count and len(compared) >= 3
    later = CudaRows(config)
    later.load_state_dict(moment)
    drawn = torch.Generator().manual_seed(0)
    actions = [torch.rand(rows[0].count, 4, generator=drawn) * 2 - 1 for _ in range(8)]
    for step in range(5, 8):
        last = later.step(actions[step])
    same(last, steps[1])

for env_id, options in (("MOConnect4", {}), ("Bulwark-L1", {"max_episode_steps": 3})):
    config = PPOConfig(env_id=f"envsuite/{env_id}-v0", num_envs=2, env_options=options, seed=5)
    rows = [Rows(config), CudaRows(config)]
    for step in range(7):
        assert torch.equal(rows[0].mask, rows[1].mask) and not rows[0].mask.all()
        actions = torch.multinomial(rows[0].mask.float() + 1e-9, 1)[:, 0]
        same(*(one.step(actions) for one in rows))

class Simulated(PPO):
    def make_rows(self):
        return CudaRows(self.config)

stages = ({"step": 16, "set_reward_weights": "target"},)
settings = {"num_envs": 4, "num_steps": 4, "total_steps": 32, "evaluations": 1, "episodes": 1, "threads": 1}
config = PPOConfig.for_env("QuadHover", **settings, stages=stages)
trained = []
for make in (PPO, Simulated):
    trained.append(trainer := make(config))
    for _ in range(3):
        trainer.rows.enter_stages(trainer.steps)
        trainer.iterate()
for ours, theirs in zip(*(trainer.agent.parameters() for trainer in trained)):
    assert torch.equal(ours, theirs)
print("done")
"""


def test_rows_on_the_simulator_are_those_of_the_processor():
    run_on_simulator(SCRIPT)


class Shared:
    """An array of the processor that tells of itself as one of a device would."""

    def __init__(self, given: dict):
        self.__cuda_array_interface__ = self.__array_interface__ = given


@pytest.mark.parametrize("shape", [(4,), (2, 3)])
def test_fields_of_records_are_found_in_their_memory(shape):
    kind = np.dtype([("a", np.bool_), ("b", np.float32, (2, 3)), ("c", np.int64), ("mask", np.bool_, (5,))], align=True)
    records = np.zeros(shape, kind)
    for name in kind.names:
        records[name] = np.random.default_rng(0).integers(0, 2, records[name].shape)
        field = Field(Shared({**records.view(np.uint8).__array_interface__, "shape": shape}), kind, name)
        found = np.asarray(Shared(field.__cuda_array_interface__))
        assert found.dtype == records[name].dtype
        np.testing.assert_array_equal(found, records[name])


SOME = {"num_envs": 4, "total_steps": 64, "evaluations": 2, "episodes": 2, "threads": 1}
ROLLED = {"num_steps": 8, "minibatches": 2, "epochs": 2}
DRAWN = {"first_steps": 16, "batch_size": 8, "updates": 0.5, "returns": 2}
SHORT = {"max_episode_steps": 3}


def saved(state: dict) -> io.BytesIO:
    content = io.BytesIO()
    torch.save(state, content)
    content.seek(0)
    return content


@pytest.mark.parametrize(
    ("make", "config", "env_id", "settings"),
    [
        (PPO, PPOConfig, "Glider", ROLLED),
        (PPO, PPOConfig, "Locks", ROLLED),
        (PPO, PPOConfig, "Look", ROLLED | {"target_kl": 0.1}),
        (PPO, PPOConfig, "envsuite/QuadHover-v0", ROLLED | {"privileged": "privileged", "env_options": SHORT}),
        (RecurrentPPO, RecurrentPPOConfig, "Locks", ROLLED),
        (RecurrentPPO, RecurrentPPOConfig, "Recall", ROLLED),
        (RecurrentPPO, LSTMPPOConfig, "Recall", ROLLED),
        (RecurrentPPO, MinGRUPPOConfig, "Recall", ROLLED),
        (RecurrentPPO, FFMPPOConfig, "Recall", ROLLED),
        (RecurrentPPO, SlotsPPOConfig, "Recall", ROLLED),
        (RecurrentPPO, GTrXLPPOConfig, "Recall", ROLLED | {"past": 4}),
        (MAPPO, MAPPOConfig, "Parity", ROLLED | {"central": True, "sharing": False}),
        (MAPPO, MAPPOConfig, "Trade", ROLLED | {"divisions": 1, "reference": (-1.0, -1.0)}),
        (MAPPO, MAPPOConfig, "envsuite/MOConnect4-v0", ROLLED | {"env_options": {"max_episode_steps": 4}}),
        (AdvantageAlignment, AdvantageAlignmentConfig, "Parity", ROLLED),
        (SAC, SACConfig, "Glider", DRAWN),
        (SAC, SACConfig, "envsuite/QuadHover-v0", DRAWN | {"privileged": "privileged", "env_options": SHORT}),
        (TD3, TD3Config, "Glider", DRAWN),
        (DQN, DQNConfig, "Pole", DRAWN | {"target_every": 20, "normalise": True}),
        (DQN, DQNConfig, "envsuite/Bulwark-L1-v0", DRAWN | {"env_options": SHORT}),
        (PQN, PQNConfig, "Recall", ROLLED),
        (PQN, PQNConfig, "envsuite/Bulwark-L1-v0", ROLLED | {"env_options": SHORT}),
    ],
)
def test_whole_runs_keep_their_tensors_on_the_gpu(make, config, env_id, settings):
    env_id = env_id if "/" in env_id else small(env_id)
    with pretended_gpu() as gpu:
        trainer = make(config(env_id=env_id, **SOME | settings))
        moments = []
        policy, _ = trainer.train(checkpoint=lambda state: moments.append(saved(state)))
        later = make(config(env_id=env_id, **SOME | settings))
        later.restore(torch.load(moments[0], weights_only=True))
        later.train()
        kept = [getattr(trainer, name) for name in trainer.kept]
        networks = [one for one in kept if isinstance(one, torch.nn.Module)]
        assert networks
        assert not any(gpu.on_host(one) for network in networks for one in network.state_dict().values())
    assert trainer.steps >= trainer.config.total_steps
    assert encode(later.policy().program.model) == encode(policy.program.model)


def test_the_pretended_gpu_refuses_what_a_real_one_does():
    with pretended_gpu():
        made, given = torch.zeros(3), torch.from_numpy(np.ones(3, np.float32))
        assert (made + given.sum() == 3).all()
        assert (given.numpy() == made.cpu().numpy() + 1).all()
        for wrong in (
            lambda: made + given,
            lambda: made.numpy(),
            lambda: np.asarray(made),
            lambda: torch.stack([made, given]),
        ):
            with pytest.raises(RuntimeError, match="GPU"):
                wrong()


def test_devices_that_are_not_there_are_named():
    with pytest.raises(ValueError, match="device is 'gpu', ppo learns on cpu or cuda"):
        PPO(PPOConfig(device="gpu"))
    with pytest.raises(ValueError, match="device is 'cuda', gpi_ls learns on cpu"):
        GPILS(GPILSConfig(device="cuda"))
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="PyTorch finds no GPU"):
            DQN(DQNConfig(device="cuda"))

"""TD3 of Stable-Baselines3 learns the task, with a critic that sees the true state, as the paper's does."""

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.evaluation.rollout import play
from envsuite.quadcopters.hover.state import PRIVILEGED

ACTOR = 146
# brings every element to the order of one: rates to tens of rad/s, the disturbance to its spread
SCALE = np.ones(ACTOR + PRIVILEGED, np.float32)
SCALE[15:18] = SCALE[ACTOR + 15 : ACTOR + 18] = 0.1
SCALE[ACTOR + 18 : ACTOR + 21], SCALE[ACTOR + 21 : ACTOR + 24] = 50.0, 3e4


class BothViews(gymnasium.Wrapper):
    """The actor's observation, followed by the critic's."""

    def __init__(self, env):
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, SCALE.shape, np.float32)

    def reset(self, **arguments):
        observation, info = self.env.reset(**arguments)
        return np.concatenate([observation, info["privileged"]]) * SCALE, info

    def step(self, action):
        observation, *rest, info = self.env.step(action)
        return np.concatenate([observation, info["privileged"]]) * SCALE, *rest, info


@pytest.mark.slow
def test_td3_settles_nine_of_ten_within_300_thousand_steps():
    td3 = pytest.importorskip("stable_baselines3.td3")
    torch = pytest.importorskip("torch")
    from stable_baselines3.common.noise import NormalActionNoise
    from stable_baselines3.common.policies import ContinuousCritic
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

    class Window(BaseFeaturesExtractor):
        def __init__(self, space, first=0, last=ACTOR):
            super().__init__(space, last - first)
            self.first, self.last = first, last

        def forward(self, observation):
            return observation[:, self.first : self.last]

    class Asymmetric(td3.policies.TD3Policy):
        def make_critic(self, features_extractor=None):
            window = Window(self.observation_space, ACTOR, ACTOR + PRIVILEGED)
            return ContinuousCritic(**self._update_features_extractor(self.critic_kwargs, window)).to(self.device)

    class Player:
        def reset(self, mask, seeds):
            pass

        def act(self, observations, states):
            blind = np.zeros((len(observations), PRIVILEGED), np.float32)
            return model.predict(np.concatenate([observations, blind], axis=1) * SCALE, deterministic=True)[0]

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    model = td3.TD3(
        Asymmetric,
        BothViews(gymnasium.make("envsuite/QuadHover-v0", weights="initial")),
        action_noise=NormalActionNoise(np.zeros(4), np.full(4, 0.1)),
        buffer_size=300_000,
        learning_starts=10_000,
        train_freq=2,
        gradient_steps=1,
        policy_kwargs={
            "features_extractor_class": Window,
            "net_arch": [64, 64],
            "activation_fn": torch.nn.Tanh,
            "optimizer_kwargs": {"weight_decay": 1e-4, "eps": 1e-7},
        },
        seed=0,
        device="cpu",
    )
    settled = 0.0
    while settled < 0.9 and model.num_timesteps < 300_000:
        model.learn(25_000, reset_num_timesteps=False)
        settled = play(envsuite.card("QuadHover"), lambda world, slots: Player(), 100).metrics["is_success"].mean()
    torch.set_num_threads(threads)
    assert settled >= 0.9

"""PPO whose policy reads observations as graphs: DeepSets, a transformer, or message passing, plain or equivariant.

For worlds with an `envsuite.manipulation.graphs.GraphLayout`: nodes of objects and actuators with places and vectors.
The networks are after those that Hoang et al. (2025, arXiv 2502.07005) compare with each other, in plain PyTorch:

- ``deepsets`` (Zaheer et al. 2017): every node alone, their mean, and the actuator;
- ``transformer`` (Vaswani et al. 2017): two layers of attention among all nodes;
- ``messages``: objects hear from near objects (a kernel of their distance), then actuators from objects and from each
  other, as the heterogeneous message passing of that paper but without its equivariance;
- ``equivariant``: the same messages, on numbers that stay as they are when the scene is turned about the vertical and
  vectors that turn, so that answers turn with the scene. The paper reads vectors on a grid of directions; here they are
  read from directions that are learned mixtures of the vectors themselves.

Each actuator's node gives its own part of the action, so that one network serves one player and a team. The critic is a
DeepSets network in all of them. Networks are written once, on the operations of `ops`.

Run ``python baselines/ppo_graph.py --help`` for all settings; those of an environment come from
``baselines/ppo_graph.toml``.
"""

from dataclasses import dataclass
from typing import Any

from distributions import ActionHead
from export import Exporter
from launch import main
from networks import Normaliser
from node_networks import DeepSets, Equivariant, GraphActor, GraphCritic, Messages, NodeReader, Transformer
from ops import FileOps
from ppo import PPO, Agent, PPOConfig
from rows import Rows
from torch import nn

from envsuite.agents.onnx import OnnxPolicy

NETWORKS = ("deepsets", "transformer", "messages", "equivariant")


@dataclass
class PPOGraphConfig(PPOConfig):
    """Settings of PPO on graphs, beside those of `PPOConfig`.

    Attributes:
        network: ``"deepsets"``, ``"transformer"``, ``"messages"`` or ``"equivariant"``.
        width: numbers of a node.
        layers: of the transformer.
        heads: of its attention.
    """

    algorithm = "ppo_graph"

    network: str = "messages"
    width: int = 64
    layers: int = 2
    heads: int = 2
    normalise: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.network not in NETWORKS:
            raise ValueError(f"network is {self.network!r}, expected one of {', '.join(NETWORKS)}")
        if self.heads < 1 or self.width < 1 or self.width % self.heads:
            raise ValueError(f"width is {self.width} and heads {self.heads}, expected a multiple")
        if self.layers < 1:
            raise ValueError(f"layers is {self.layers}, expected 1 or more")


class GraphAgent(Agent):
    """Actor and critic on graphs."""

    def __init__(self, config: PPOGraphConfig, rows: Rows):
        nn.Module.__init__(self)
        self.actions = ActionHead(rows.action_space, config.log_std)
        if self.actions.heads:
            raise ValueError(f"action space {rows.action_space} is not supported, expected numbers")
        self.obs_normaliser = self.critic_normaliser = Normaliser(rows.shape[0], False)
        self.trunk, self.shared = nn.Identity(), False
        reader = NodeReader(rows.env.world)
        outputs = self.actions.outputs // reader.acting
        made = {
            "deepsets": lambda: DeepSets(reader, config.width, outputs),
            "transformer": lambda: Transformer(reader, config.width, outputs, config.layers, config.heads),
            "messages": lambda: Messages(reader, config.width, outputs),
            "equivariant": lambda: Equivariant(reader, config.width, outputs),
        }
        network = made[config.network]()
        network.last.weight.data *= 0.01  # first actions are those of the noise
        network.last.bias.data.zero_()
        self.actor, self.critic = GraphActor(network, reader), GraphCritic(reader, config.width)


class PPOGraph(PPO):
    """One training run; places stay as they are, so nothing is normalised."""

    unused = ("hidden", "activation", "normalise", "privileged", "initial_action", "kinds")

    def __init__(self, config: PPOGraphConfig):
        super().__init__(config)
        if config.network != "transformer":
            self.refuse(("layers", "heads"), "they are of the transformer")

    def make_agent(self) -> Any:
        """The network."""
        return GraphAgent(self.config, self.rows)

    def written(self, agent: Any) -> OnnxPolicy:
        """A network's actor as a policy file."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        flat = exporter.inputs(agent.obs_normaliser)
        return exporter.finish(agent.actor.answer(FileOps(exporter.graph), flat), self.action_kind)


if __name__ == "__main__":
    main(PPOGraph, PPOGraphConfig)

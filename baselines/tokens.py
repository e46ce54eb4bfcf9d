"""Texts as numbers of tokens from a fixed vocabulary, and the answers that are allowed, token by token.

``python baselines/tokens.py`` makes the vocabulary anew, from what the games of `TASKS` say.
"""

import functools
import json
import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("vocabulary.json")
END = 0
"""The token that ends an answer, and fills up shorter rows."""
UNKNOWN = 1
"""Any character that is not in the vocabulary."""
TASKS = (
    *("TicTacToe", "KuhnPoker", "LeducPoker", "Nim", "Pig", "LiarsDice"),
    *("LMRLMaze", "LMRLWordle", "CoinCollectorEasy", "TextSimple", "TextCooking"),
)
_PARTS = re.compile(r" ?[A-Za-z]+| ?[^A-Za-z\s]|\s")


class Vocabulary:
    """Words with the space before them, and single characters for all other words.

    Args:
        tokens: texts; the first two stand for `END` and `UNKNOWN`.
    """

    end = END

    def __init__(self, tokens: Sequence[str]):
        self.tokens = tuple(tokens)
        self._index = {token: k for k, token in enumerate(self.tokens) if k > UNKNOWN}
        self.encode = functools.lru_cache(maxsize=1 << 16)(self._encode)

    @classmethod
    def load(cls, path: Path = FILE) -> "Vocabulary":
        """The vocabulary in a file.

        Args:
            path: JSON list of texts.
        """
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def __len__(self) -> int:
        """Number of tokens."""
        return len(self.tokens)

    def _encode(self, text: str) -> tuple[int, ...]:
        """Numbers of a text's tokens, without an end."""
        found: list[int] = []
        for part in _PARTS.findall(text):
            known = self._index.get(part)
            found += [known] if known is not None else [self._index.get(one, UNKNOWN) for one in part]
        return tuple(found)

    def decode(self, numbers: Iterable[int]) -> str:
        """The text of numbers, up to the first end."""
        found = []
        for number in numbers:
            if number == END:
                break
            found.append(self.tokens[number])
        return "".join(found)


class Answers:
    """The texts that may be said, as a tree of tokens.

    Args:
        texts: numbers of each, without ends.
        end: the token that ends a text.

    Attributes:
        texts: as given.
        longest: tokens of a text at most, its end included.
    """

    def __init__(self, texts: Iterable[Sequence[int]], end: int):
        self.texts = tuple(tuple(text) for text in texts)
        self._children: list[dict[int, int]] = [{}]
        self._decided: dict[tuple[int, ...], int] = {}
        self.longest = 0
        for text in self.texts:
            self.longest = max(self.longest, len(text) + 1)
            node = 0
            for token in (*text, end):
                children = self._children[node]
                if token not in children:
                    children[token] = len(self._children)
                    self._children.append({})
                node = children[token]

    def allowed(self, node: int) -> list[int]:
        """The tokens that may follow at a node; 0 is the beginning."""
        return list(self._children[node])

    def after(self, node: int, token: int) -> int:
        """The node that a token leads to."""
        return self._children[node][token]

    def path(self, text: Iterable[int]) -> list[list[int]]:
        """The tokens that were allowed at each token of a text."""
        found, node = [], 0
        for token in text:
            found.append(self.allowed(node))
            node = self.after(node, token)
        return found

    def decided(self, text: tuple[int, ...]) -> int:
        """How many tokens of a text, its end included, it takes to tell it from all others: at least 1."""
        if text not in self._decided:
            open_ = [k for k, tokens in enumerate(self.path(text)) if len(tokens) > 1]
            self._decided[text] = open_[-1] + 1 if open_ else 1
        return self._decided[text]


def collect(task: str, games: int = 64, steps: int = 24) -> Counter[str]:
    """The words that random play of a task brings up, and those of its answers.

    Args:
        task: name of an environment.
        games: played at once.
        steps: of each.
    """
    import gymnasium
    from generation import situation

    import envsuite
    from envsuite.core.companions import Words, companion

    card = envsuite.card(task)
    env: Any = (envsuite.parallel_vec if card.agents > 1 else gymnasium.make_vec)(card.id, num_envs=games)
    env = getattr(env, "unwrapped", env)
    env.reset(seed=0)
    env.action_space.seed(0)
    words, found = companion(env.world, Words), Counter[str]()
    for _ in range(steps):
        for state in env.batch.states:
            for agent in range(max(1, card.agents)):
                texts = (situation(words, state, agent, rules=True), *words.answers(state, agent))
                found.update(part for text in texts for part in _PARTS.findall(text) if part[-1].isalpha())
        env.step(env.action_space.sample())
    # all words that a task with a vocabulary of its own can use
    found.update({space + word: 2 for word in words.vocabulary if word.isalpha() for space in ("", " ")})
    return found


def main() -> None:
    """Write the vocabulary."""
    from envsuite.core.files import write_atomic

    counted = sum((collect(task) for task in TASKS), Counter[str]())
    singles = [*string.printable[:95], "\n", *(f" {one}" for one in string.printable[:94])]
    words = sorted(word for word, count in counted.items() if count > 1 and word not in singles)
    tokens = ["<end>", "<unknown>", *singles, *words]
    write_atomic(FILE, (json.dumps(tokens, indent=0) + "\n").encode())
    print(f"{len(tokens)} tokens")


if __name__ == "__main__":
    main()

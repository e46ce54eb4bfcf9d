"""A GPU pretended on the processor: which tensors would lie where, and what PyTorch would refuse."""

import contextlib
from collections.abc import Iterator

import pytest
import torch
from rows import Rows, Step
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves
from torch.utils.weak import WeakIdKeyDictionary
from trainer import Trainer


class Pretended(TorchFunctionMode):
    """Tensors made by PyTorch lie on the GPU, its default device; those of NumPy's arrays and copies on the processor.

    Raises:
        RuntimeError: an operation on tensors of both, but for single numbers of the processor; NumPy's view of one on
            the GPU.
    """

    def __init__(self):
        super().__init__()
        self._host = WeakIdKeyDictionary()
        self.paused = False

    def take(self, tensor: torch.Tensor) -> torch.Tensor:
        """Note that a new tensor is the processor's, unless paused."""
        if not self.paused:
            self._host[tensor] = True
        return tensor

    def on_host(self, tensor: torch.Tensor) -> bool:
        """Whether it is the processor's."""
        return tensor in self._host

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.paused:
            return func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        given = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
        host = [self.on_host(one) for one in given]
        wide = {where for one, where in zip(given, host, strict=True) if one.ndim or not where}
        if name == "cpu":
            return self.take(func(*args, **kwargs).clone())
        if name in ("numpy", "__array__") and not all(host):
            raise RuntimeError("NumPy cannot see a tensor on the GPU")
        if len(wide) > 1:
            raise RuntimeError(f"{name} of tensors on the GPU and on the processor")
        found = func(*args, **kwargs)
        if given and all(host):
            for one in tree_leaves(found):
                if isinstance(one, torch.Tensor):
                    self.take(one)
        return found


@contextlib.contextmanager
def pretended_gpu() -> Iterator[Pretended]:
    """Trainers that are made and used here have their rows and their default device on a pretended GPU."""
    mode, from_numpy = Pretended(), torch.from_numpy

    class PretendedRows(Rows):
        """The processor's rows, said to be on the GPU."""

        def __init__(self, config):
            with self._quietly():
                super().__init__(config)

        @contextlib.contextmanager
        def _quietly(self):
            mode.paused = True
            try:
                yield
            finally:
                mode.paused = False

        def step(self, actions: torch.Tensor) -> Step:
            assert not mode.on_host(actions)
            with self._quietly():
                return super().step(actions)

        def state_dict(self):
            with self._quietly():
                return super().state_dict()

        def load_state_dict(self, state):
            with self._quietly():
                super().load_state_dict(state)

    with pytest.MonkeyPatch.context() as patch, mode:
        patch.setattr(torch, "from_numpy", lambda array: mode.take(from_numpy(array)))
        patch.setattr(Trainer, "make_rows", lambda self: PretendedRows(self.config))
        yield mode

"""Work that a GPU does again and again, recorded once as a CUDA graph.

A round of PPO starts thousands of kernels, most of a few microseconds. Python takes longer to start one than the device
to finish it, so that the device would wait most of the time.
"""

from collections.abc import Callable
from typing import Any

import torch


class Graph:
    """Work on a GPU that is recorded at its second call and repeated from then on; the first compiles what it needs.

    Args:
        work: what is done. It may not wait for the device, nor depend on numbers of the processor that change.
        moving: the attributes into which the work puts other tensors or numbers each time, as (object, name). What they
            hold is kept in one place each, and what the work leaves in them is copied there in the end.
        env: the environments, whose kernels go into the recording.
    """

    def __init__(self, work: Callable[[], Any], moving: Callable[[], list[tuple[Any, str]]], env: Any):
        self._work, self._moving, self._env = work, moving, env
        self._calls, self._found = 0, None
        self._graph: Any = None

    def __call__(self) -> Any:
        """What the work returns; of a recording, the same tensors each time."""
        self._calls += 1
        if self._calls == 1:
            return self._work()
        if self._graph is None:
            self._record()
        self._graph.replay()
        return self._found

    def _record(self) -> None:
        from numba import cuda

        held = [(one, name) for one, name in self._moving() if getattr(one, name) is not None]
        places = []
        for one, name in held:
            value = getattr(one, name)
            place = value.clone() if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=torch.float64)
            setattr(one, name, place)
            places.append(place)
        graph = torch.cuda.CUDAGraph()
        # memory that Numba frees meanwhile is no part of the recording
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            self._env.stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
            self._found = self._work()
            for (one, name), place in zip(held, places, strict=True):
                place.copy_(getattr(one, name))
        self._env.stream = 0
        for (one, name), place in zip(held, places, strict=True):
            setattr(one, name, place)
        self._graph = graph

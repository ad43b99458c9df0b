"""Where values leave a graph of TensorFlow 1: what a session gives to whoever had it run."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.recording import journal as j

_EVALUATING = ("framework/ops.py", "framework/tensor.py")
"""Files of `Tensor.eval`."""
_RUNS = 64
"""So many runs of each line are looked at: it fetches the same again and again."""


def install(recorder: Recorder) -> None:
    """Replace `Session.run`. Each tensor that leaves at a line is written once: a training loop runs it for hours."""
    from tensorflow.python.client import session as sessions

    seen: set[tuple[int, int]] = set()
    runs: dict[int, int] = {}

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def run(session: Any, fetches: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(session, fetches, *args, **kwargs)
            if recorder.active:
                try:
                    frame: FrameType | None = sys._getframe(1)
                    while frame is not None and frame.f_code.co_filename.replace("\\", "/").endswith(_EVALUATING):
                        frame = frame.f_back
                    place = recorder.place(frame)
                    runs[place] = runs.get(place, 0) + 1
                    direct = frame is not None and recorder.files[frame.f_code.co_filename]
                    name = "ndarray" + (j.DIRECT if direct else "")
                    for tensor in {*_tensors(fetches, session.graph)} if runs[place] <= _RUNS else ():
                        if (place, tensor) not in seen:
                            seen.add((place, tensor))
                            recorder.journal.add(j.EXIT, name, place, (tensor,))
                except Exception as error:
                    recorder.fail(error)
            return found

        return run

    recorder.patches.replace(sessions.BaseSession, "run", wrap)


def _tensors(fetches: Any, graph: Any) -> Iterator[int]:
    """The tensors in what was fetched; names and variables stand for tensors, operations give nothing."""
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, (list, tuple)):
        for each in fetches:
            yield from _tensors(each, graph)
    else:
        of_graph = isinstance(fetches, str) or hasattr(fetches, "_as_graph_element")
        found = graph.as_graph_element(fetches) if of_graph else fetches
        if type(getattr(found, "_id", None)) is int and hasattr(found, "dtype"):
            yield found._id

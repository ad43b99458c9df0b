"""Finds the user's own call of a loop function of TensorFlow among the frames of a failure."""

from __future__ import annotations

from tensorwhy.adapters.tensorflow.failures.passage import Passage, Step

_PUBLIC = {
    "while_loop": ("ops/while_loop.py", "ops/control_flow_ops.py"),
    "scan": ("ops/functional_ops.py",),
    "foldl": ("ops/functional_ops.py",),
    "foldr": ("ops/functional_ops.py",),
}


def called(way: Passage) -> tuple[str, int, Step] | None:
    """The innermost loop function that the user's code called itself, not through another part of TensorFlow."""
    for index in range(len(way.steps) - 1, -1, -1):
        step = way.steps[index]
        if step.kind != "library":
            continue
        for name, files in _PUBLIC.items():
            if step.name == name and step.file.endswith(files) and not _inner(way, index):
                return name, index, step
    return None


_TRANSPARENT = ("util/deprecation.py", "util/dispatch.py", "util/traceback_utils.py", "autograph/impl/api.py")


def _inner(way: Passage, index: int) -> bool:
    """Whether TensorFlow or Keras itself made this call: a `map_fn`, an RNN layer, another loop."""
    for step in reversed(way.steps[:index]):
        if step.kind != "library":
            return False
        if not step.file.endswith(_TRANSPARENT) and not any(
            step.name.removesuffix("_v2") == name and step.file.endswith(files)
            for name, files in _PUBLIC.items()
            if name == way.steps[index].name
        ):
            return True
    return True

"""Which expressions certainly are datasets of TensorFlow."""

from __future__ import annotations

import ast

from tensorwhy.checks.text.modules import Module
from tensorwhy.source.scopes import Scope, Step

_READERS = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "Dataset")
_DATASETS = ("image_dataset_from_directory", "text_dataset_from_directory", "timeseries_dataset_from_array")


def is_dataset(module: Module, scope: Scope, step: Step, node: ast.expr) -> bool:
    """Whether an expression certainly is a dataset: made by TensorFlow, with methods called on it or not."""
    while True:
        name = module.called(node, scope)
        room, _, last = name.rpartition(".")
        if name:
            return (
                room == "tensorflow.data.Dataset"
                or (room == "tensorflow.data" and last in _READERS)
                or (last == "timeseries_dataset_from_array" and room.startswith("keras"))
                or (last in _DATASETS and room.startswith("keras") and not _in_two(node))
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("as_numpy_iterator", "reduce", "cardinality", "get_single_element"):
                return False
            node = node.func.value
        elif isinstance(node, ast.Name):
            binding = scope.binding(node.id, step)
            if binding is None or binding.value is None:
                return False
            node, scope, step = binding.value, binding.scope, binding.step
        else:
            return False


def _in_two(node: ast.AST) -> bool:
    """Return whether it may be asked for two datasets at once."""
    return isinstance(node, ast.Call) and any(each.arg in ("subset", None) for each in node.keywords)

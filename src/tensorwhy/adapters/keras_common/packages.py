"""Which Keras is this object from, and what is it there?

Up to four Keras packages can live in one process: `keras` (2 or 3), `tf_keras`, and TensorFlow's private
`tensorflow.python.keras`. An object is recognised by the classes it derives from, so that nothing is imported.
"""

from __future__ import annotations

import functools
import sys
from typing import Any, Literal

import msgspec

from tensorwhy.adapters.stack import Frame

Kind = Literal["keras-tensor", "model", "layer", "variable", "optimizer", "callback", "metric", "loss"]

_ROOTS = ("tensorflow.python.keras", "tf_keras", "keras")
# The class that a kind is recognised by. A Model is a Layer too, so the order decides.
_BASES: tuple[tuple[str, Kind], ...] = (
    ("KerasTensor", "keras-tensor"),
    ("Model", "model"),
    ("Layer", "layer"),
    ("KerasVariable", "variable"),
    ("Variable", "variable"),
    ("Optimizer", "optimizer"),
    ("OptimizerV2", "optimizer"),
    ("BaseOptimizer", "optimizer"),
    ("Callback", "callback"),
    ("Metric", "metric"),
    ("Loss", "loss"),
)


class Package(msgspec.Struct, frozen=True):
    """One of the Keras packages in this process, with its major version (the private copy counts as 2)."""

    root: str
    generation: int

    @property
    def title(self) -> str:
        """What people call it."""
        return {"tf_keras": "tf_keras (Keras 2)", "keras": f"Keras {self.generation}"}.get(self.root, self.root)


@functools.lru_cache(maxsize=2048)
def _kinds(cls: type) -> tuple[str, Kind] | None:
    """(root, kind) of a class: the first base, in order of `_BASES`, that a Keras package defines."""
    found: dict[str, str] = {}
    for base in cls.__mro__:
        own = _root(base.__module__)
        if own is not None:
            found.setdefault(base.__name__, own)
    for name, kind in _BASES:
        if name in found:
            return found[name], kind
    return None


def _root(module: str | None) -> str | None:
    """The root name of the Keras package that a module belongs to."""
    for each in _ROOTS:
        if module is not None and (module == each or module.startswith(each + ".")):
            return each
    return None


def is_keras_module(module: str | None) -> bool:
    """Return whether a module name belongs to one of the Keras packages."""
    return _root(module) is not None


def runs(frame: Frame) -> bool:
    """Return whether this is Keras's own code."""
    return is_keras_module(frame.module)


def package_of(thing: object) -> Package | None:
    """The Keras package whose tensor, layer, model, variable, optimizer or callback this is; None for anything else."""
    cls: type = type(thing)
    found = _kinds(cls)
    return package(found[0]) if found is not None else None


def kind_of(thing: object) -> Kind | None:
    """What this is in its Keras package; None when it is no Keras object (a class is none)."""
    cls: type = type(thing)
    found = _kinds(cls)
    return found[1] if found is not None else None


def of_class(cls: type) -> tuple[Package, Kind] | None:
    """The Keras package that a class belongs to, and what its instances are there."""
    found = _kinds(cls)
    return (package(found[0]), found[1]) if found is not None else None


@functools.lru_cache(maxsize=8)
def package(root: str) -> Package:
    """The package under a root name, with the generation that is installed."""
    return Package(root, int(version(root).split(".")[0]) if root == "keras" else 2)


def version(root: str) -> str:
    """The version of an imported package. Lazy loaders import `keras.api...` only, which may lack `__version__`."""
    for name in (root, f"{root}.src.version", f"{root}.src"):
        found = getattr(sys.modules.get(name), "__version__", None)
        if found is not None:
            return str(found)
    import importlib.metadata  # slow to import, and hardly ever needed

    return importlib.metadata.version(root)


def imported(generation: int) -> bool:
    """Return whether a package of this generation has been imported."""
    return any(root in sys.modules and package(root).generation == generation for root in ("keras", "tf_keras"))


def is_keras_tensor(thing: object, generation: int | None = None) -> bool:
    """Return whether this is a symbolic Keras tensor (of that generation)."""
    return kind_of(thing) == "keras-tensor" and generation in (None, generation_of(thing))


def generation_of(thing: object) -> int | None:
    """2 or 3 for a Keras object."""
    found = package_of(thing)
    return found.generation if found is not None else None


def native(layer: object) -> bool:
    """Return whether a layer's class is Keras's own, so that what it accepts is known."""
    return is_keras_module(type(layer).__module__)


def layers_of(model: Any) -> list[Any]:
    """A layer or model, and all layers inside of it, at every depth."""
    flatten = getattr(model, "_flatten_layers", None)
    return [model, *(layer for layer in flatten() if layer is not model)] if flatten is not None else [model]


def sort(thing: object) -> str:
    """What a value is, in the words of an explanation."""
    kind = kind_of(thing)
    if kind is not None:
        return kind.replace("keras-tensor", "symbolic Keras tensor")
    module, name = type(thing).__module__, type(thing).__name__
    if module.startswith("tensorflow.") and name == "EagerTensor":
        return "eager tensor"
    if module.startswith("tensorflow.") and "Variable" in name:
        return "variable"
    if module.startswith("tensorflow.") and name in ("Tensor", "SymbolicTensor"):
        return "graph tensor"
    if module.startswith("tensorflow."):
        return name
    if module == "numpy" and name == "ndarray":
        return "array"
    if isinstance(thing, type):
        return "class"
    if isinstance(thing, (bool, int, float, complex)) or module == "numpy":
        return "number"
    return "function" if callable(thing) else type(thing).__name__

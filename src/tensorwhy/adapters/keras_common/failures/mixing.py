"""Finds out that objects of two Keras packages met, and by which imports each got its name."""

from __future__ import annotations

import ast
import collections
import sys
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, drawing, nodes, packages
from tensorwhy.adapters.keras_common.failures import givens, lookup
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.symbolic import MixedPackages, PackagedObject
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def meetings(live: LiveFailure, generation: int) -> Iterator[MixedPackages]:
    """The innermost Keras call that received an object of another Keras package. Of two generations Keras 3 tells."""
    if generation < 3 and packages.imported(3):
        return
    sources = Sources()
    for stack in live.whole():
        found = met(stack)
        if found is not None:
            index, receiver, stranger = found
            before = stack.caller(index)
            if before is not None and before.location is not None:
                yield fact(receiver, stranger, stack, index, before.location, live, sources)
                return


def met(stack: Stack) -> tuple[int, Any, Any] | None:
    """(frame, receiver, stranger) where objects of two Keras packages met below the innermost user frame."""
    last = stack.innermost_user()
    for index in range(len(stack.frames) - 1, -1 if last is None else last, -1):
        found = _strangers(stack.frames[index])
        if found is not None:
            return index, *found
    return _computed_with(stack, last)


def _computed_with(stack: Stack, last: int | None) -> tuple[int, Any, Any] | None:
    """The layer whose own `call`, the user's, met the symbolic tensor of a Keras that it does not derive from.

    Between the copies of Keras 2 such tensors pass, as far as TensorFlow's functions take them.
    """
    for index in range(-1 if last is None else last, -1, -1):
        call = stack.frames[index]
        found = _strangers(call) if call.function == "__call__" and packages.runs(call) else None
        if found is not None and packages.is_keras_tensor(found[1]):
            own, other = (packages.generation_of(each) for each in found)
            return (index, *found) if own != other else None
    return None


def _strangers(call: Frame) -> tuple[Any, Any] | None:
    """(receiver, stranger) among the arguments of a frame of Keras's own methods."""
    receiver = call.local("self")
    arguments = [value for name, value in call.frame.f_locals.items() if name != "self"]
    if receiver is None and call.function == "error_handler":
        passed = call.local("args")
        if not passed:
            return None
        receiver, arguments = passed[0], [*passed[1:], call.local("kwargs")]
    own = packages.package_of(receiver)
    if own is None:
        return None
    for value in arguments:
        for thing, _ in nodes.flat(value):
            other = packages.package_of(thing)
            if other is not None and other != own:
                return receiver, thing
    return None


def fact(
    receiver: Any, stranger: Any, stack: Stack, at: int, used: Location, live: LiveFailure, sources: Sources
) -> MixedPackages:
    """What met what, each with its maker's line and the import behind it."""
    peers = collections.Counter(packages.package_of(each) for each in creations.live(("layer", "model")))

    def described(thing: Any, fallback: Location | None) -> PackagedObject:
        package = packages.package_of(thing)
        found = bindings.origin(thing, stack.user_frames(at), sources, live.user)
        made = givens.maker(thing) or found.location or _written(thing, stack, at, used, sources) or fallback
        return PackagedObject(
            package=package.title if package is not None else "",
            private=package is not None and package.root.startswith("tensorflow."),
            peers=peers[package],
            kind=packages.sort(thing),
            name=found.name,
            made=made,
            imported=(_import_behind(made, sources) if made is not None else None)
            or _base_behind(type(thing), sources, live),
        )

    one, other = described(receiver, used), described(stranger, None)
    view = None
    if packages.is_keras_tensor(stranger):
        what = f"{type(receiver).__name__} of {one.package}"
        view = drawing.refused([stranger], other.name, what, used, f"of {other.package}")
    return MixedPackages(receiver=one, stranger=other, used=used, lineage=view)


def _written(thing: Any, stack: Stack, at: int, used: Location, sources: Sources) -> Location | None:
    """The call in the failing expression that made the object, where there is one that can have."""
    before, node = stack.caller(at), reading.node_at(used, sources)
    if before is None or node is None:
        return None
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and lookup.value(each.func, before) is type(thing):
            return reading.where(each, used.file, used.function, sources)
    return None


def _import_behind(made: Location, sources: Sources) -> Location | None:
    """The import statement that gave the maker (`layers` in `layers.Dense(3)(x)`) its name."""
    return _import_of(reading.node_at(made, sources), made.file, sources)


def _base_behind(cls: type, sources: Sources, live: LiveFailure) -> Location | None:
    """The import statement that gave a class of the user's its base (`class Attention(Layer)`)."""
    for each in cls.__mro__:
        file = str(getattr(sys.modules.get(each.__module__), "__file__", None) or "")
        tree = sources.tree(file) if file and live.user.owns(file) else None
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.ClassDef) and node.name == each.__name__:
                found = next((place for base in node.bases if (place := _import_of(base, file, sources))), None)
                if found is not None:
                    return found
    return None


def _import_of(node: ast.expr | None, file: str, sources: Sources) -> Location | None:
    """The import statement of this file that the leftmost name of an expression comes from."""
    tree = sources.tree(file)
    while node is not None and not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        else:
            node = None
    if tree is None or node is None:
        return None
    for statement in ast.walk(tree):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                module = getattr(statement, "module", None) or ""
                if (alias.asname or alias.name.split(".")[0]) == node.id and "keras" in f"{module}.{alias.name}":
                    return reading.where(statement, file, "<module>", sources)
        # `layers = tf.keras.layers` names it as an import does.
        elif (
            isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Attribute) and _binds(statement, node)
        ):
            return reading.where(statement, file, "<module>", sources)
    return None


def _binds(statement: ast.Assign, name: ast.Name) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name.id for target in statement.targets)

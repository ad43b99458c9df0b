"""A variable or table that a function of a SavedModel reads, and that the saved object does not lead to.

TensorFlow names a handle. What it belongs to, who keeps that, and where it was made is found here.
"""

from __future__ import annotations

import ast
import gc
import inspect
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.graphs import holders, symbolic
from tensorwhy.model.facts.variables import NotSaved
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_ASKED = ("save", "save_model", "export", "write_out")
_MODULES = ("tf.saved_model", "saved_model", "models", "keras.models", "tf.keras.models")
_SAVING = ("save", "save_and_return_nodes")
_FILE = "saved_model/save.py"
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
_DEEPEST = 8
_MOST = 8

_Chain = tuple[tuple[holders.Step, Any], ...]
What = Literal["variable", "table", "layer", "model", "module", "resource"]


def probe(live: LiveFailure) -> Iterable[NotSaved]:
    """What is to be attached to the saved object, for the first handle that is missing there."""
    way = live.joined()
    refusal = way.first("map_captures_to_created_tensors") or way.first("serialize_concrete_function")
    saving = next((step for _, step in way.find(_SAVING, _FILE) if step.local("obj") is not None), None)
    caller = way.own
    if refusal is None or saving is None or caller is None or caller.location is None or way.below(refusal[0]):
        return ()
    handle, interior, function = _captured(way, *refusal)
    if handle is None:
        return ()
    return (_Saved(live, way, saving, caller.location).without(handle, interior, function),)


def _captured(way: Stack, index: int, step: Frame) -> tuple[Any, Any, Any]:
    """The handle, what stands for it in the graph, and the function with that graph."""
    if step.name == "serialize_concrete_function":
        function, handle = step.local("concrete_function"), step.local("capture")
        pairs = getattr(getattr(function, "graph", None), "captures", ())
        return handle, next((inner for outer, inner in pairs if outer is handle), None), function
    function = step.local("function") or (way.frames[index - 1].local("function") if index else None)
    return step.local("exterior"), step.local("interior"), function


class _Saved:
    def __init__(self, live: LiveFailure, way: Stack, saving: Frame, asked: Location) -> None:
        self.live, self.root, self.signatures = live, saving.local("obj"), saving.local("signatures")
        self.sources = Sources()
        nodes = next(
            (step.local("saveable_view") for step in reversed(way.frames) if step.local("saveable_view")), None
        )
        self.tracked = {id(each) for each in (self.root, *getattr(nodes, "nodes", ()))}
        call = reading.named_call(asked, self.sources, *_ASKED)
        self.asked = call[1] if call is not None else asked
        self.expression, self.archive = _saved_as(call[0]) if call is not None else ("", False)

    def without(self, handle: Any, interior: Any, function: Any) -> NotSaved:
        user = self.live.user
        thing = _owner(handle)
        used = _read(function, interior, user)
        common: dict[str, Any] = {
            "saved_at": self.asked,
            "exported": type(self.root).__name__,
            "expression": self.expression,
            "archive": self.archive,
            "used": reading.exact(used, self.sources),
        }
        if thing is None:
            name, made = self._assigned(used)
            common["used"] = None if made == used else common["used"]
            return NotSaved(what="gone", name=name, made=reading.exact(made, self.sources), **common)
        chains = self._chains(thing)
        chain = next((each for each in chains if self._tracked_in(each) is not None), chains[0] if chains else ())
        attach, position = self._attachable(chain, thing)
        steps = chain[: position + 1]
        made = creations.made(attach) or self._bound(steps) or creations.made(thing)
        return NotSaved(
            what=_what(attach),
            name=self._name(steps),
            owner=self._tracking(steps),
            made=reading.exact(made, self.sources),
            held=_held(steps),
            of_class=bool(steps) and steps[-1][0].kind == "class attribute",
            plain=self._plain(steps),
            **common,
        )

    def _chains(self, thing: Any) -> list[_Chain]:
        text = self.expression or type(self.root).__name__
        words = f"the saved `{type(self.root).__name__}`"
        roots = [(self.root, holders.Step(kind="local", text=text, words=words, name=text))]
        if self.signatures is not None:
            roots.append((self.signatures, holders.Step(kind="local", text="signatures", words="the signatures")))
        frames = [frame for each in self.live.frames for frame in each]
        return holders.chains(thing, frames, self.live.user, _MOST, roots)

    def _tracked_in(self, chain: _Chain) -> int | None:
        """The last step of the way that the saved object leads to."""
        return max((index for index, (_, value) in enumerate(chain) if id(value) in self.tracked), default=None)

    def _attachable(self, chain: _Chain, thing: Any) -> tuple[Any, int]:
        """The first thing on the way that could be an attribute of the saved object."""
        start = self._tracked_in(chain)
        for index, (step, value) in enumerate(chain):
            if index > (start if start is not None else -1) and step.text and _is_trackable(value):
                return value, index
        return thing, len(chain) - 1

    def _name(self, steps: _Chain) -> str:
        """As the user writes it; from an object of Keras's own lists on it begins with `self`."""
        start = self._tracked_in(steps)
        if start is not None and any(step.name.startswith("_") for step, _ in steps[: start + 1]):
            return "self" + "".join(step.text for step, _ in steps[start + 1 :])
        return "".join(step.text for step, _ in _from_name(steps))

    def _tracking(self, steps: _Chain) -> str:
        """The class of the user's own whose object is the last one that TensorFlow looks into."""
        start = self._tracked_in(steps)
        owner = type(self.root if start is None else steps[start][1])
        return owner.__name__ if _owned(owner, self.live.user) else ""

    def _plain(self, steps: _Chain) -> str:
        """The class of the user's own object, which the saved one keeps and does not look into."""
        start = self._tracked_in(steps)
        between = steps[start + 1 : -1] if start is not None else ()
        classes = [type(value) for _, value in between if _owned(type(value), self.live.user)]
        return classes[0].__name__ if classes else ""

    def _bound(self, steps: _Chain) -> Location | None:
        """Where the last name of the way gets its value, when one statement does that."""
        named = next(((i, step) for i, (step, _) in reversed(list(enumerate(steps))) if step.kind != "item"), None)
        if named is None:
            return None
        index, step = named
        file, wanted, scope = step.file, step.name, ""
        if step.kind in ("attribute", "class attribute") and index:
            source = steps[index - 1][1]
            owner = source if isinstance(source, type) else type(source)
            try:
                file = inspect.getsourcefile(owner) or ""
            except (TypeError, OSError):
                return None
            wanted, scope = (step.name, owner.__name__) if isinstance(source, type) else (f"self.{step.name}", "")
        tree = self.sources.tree(file) if file and self.live.user.owns(file) else None
        found = [
            node
            for node in (ast.walk(tree) if tree is not None else ())
            if isinstance(node, ast.stmt) and wanted in reading.targets(node)
        ]
        return reading.where(found[0], file, scope, self.sources) if len(found) == 1 else None

    def _assigned(self, used: Location | None) -> tuple[str, Location | None]:
        """The local variable of a traced function whose method reads what is gone, and where it was bound."""
        for node in reading.nodes_at(used, self.sources) if used is not None else ():
            receiver = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
            if used is not None and isinstance(receiver, ast.Name):
                statement = reading.last_assignment(receiver.id, used, self.sources)
                if statement is not None:
                    return receiver.id, reading.where(statement, used.file, used.function, self.sources)
        names = self.sources.names(used) if used is not None else ()
        return (names[0], used) if len(names) == 1 else ("", None)


def _saved_as(call: ast.Call) -> tuple[str, bool]:
    """How the call that saves names the saved object, and whether that is an archive which tracks by a method."""
    given = reading.argument(call, 0, "obj")
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    if receiver is not None and ast.unparse(receiver) not in _MODULES:
        given = receiver
    text = ast.unparse(given) if isinstance(given, (ast.Name, ast.Attribute)) else ""
    return text, bool(text) and reading.callee(call) == "write_out"


def _owner(handle: Any) -> Any:
    """The variable or table with this handle; None when it is gone."""
    parent = getattr(handle, "_parent_trackable", None)
    if callable(parent):
        return parent()
    for each in gc.get_referrers(handle):  # before 2.12 a handle does not know
        for owner in (each, *(gc.get_referrers(each) if isinstance(each, dict) else ())):
            if _is_trackable(owner) and any(value is handle for value in list(vars(owner).values())):
                return owner
    return None


def _read(function: Any, inner: Any, user: UserCode) -> Location | None:
    """The user's line that uses what a graph was given, in that graph or in a function that it calls."""
    graph = getattr(function, "graph", None)
    for _ in range(_DEEPEST):
        if graph is None or inner is None:
            return None
        operation, position = next(_uses(graph, inner), (None, 0))
        if operation is None:
            return None
        if operation.type not in _CALLS:
            calls = symbolic.user_calls(symbolic.stack_of(operation), user)
            return calls[-1] if calls else None
        name = operation.get_attr("f").name
        graph = symbolic.called_graph(graph, name)
        inputs = getattr(graph, "inputs", ())
        inner = inputs[position] if position < len(inputs) else None
    return None


def _uses(graph: Any, inner: Any) -> Iterator[tuple[Any, int]]:
    for operation in graph.get_operations():
        for position, given in enumerate(operation.inputs):
            if given is inner:
                yield operation, position


def _from_name(steps: _Chain) -> _Chain:
    """The way from the last closure on, as the user writes it there."""
    start = max((index for index, (step, _) in enumerate(steps) if step.kind == "closure"), default=0)
    return steps[start:]


def _held(steps: _Chain) -> str:
    named = [step.words for step, _ in steps if step.kind != "item"]
    inside = bool(steps) and steps[-1][0].kind == "item"
    return (f"a container in {named[-1]}" if inside else named[-1]) if named else ""


def _is_trackable(thing: Any) -> bool:
    names = {base.__name__ for base in type(thing).__mro__}
    holds = isinstance(thing, (list, dict, tuple)) or hasattr(type(thing), "get_concrete_function")
    return ("Trackable" in names or "KerasVariable" in names) and not holds


def _what(thing: Any) -> What:
    kind = packages.kind_of(thing)
    if kind in ("layer", "model", "variable"):
        return kind
    names = {base.__name__ for base in type(thing).__mro__}
    if "BaseResourceVariable" in names:
        return "variable"
    if "LookupInterface" in names:
        return "table"
    return "module" if "Module" in names else "resource"


def _owned(cls: type, user: UserCode) -> bool:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return bool(file and user.owns(file))

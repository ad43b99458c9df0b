"""Gradients that a module defines in a method `backward`, which autograd does not look for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.source.reading import definition

_NAME = "backward"
_OPTIONS = frozenset({"retain_graph", "create_graph", "inputs", "gradient"})
"""What the `backward` of a tensor takes by name."""


class Uncalled(Reader):
    """Reads which methods `backward` of modules no line of the program calls or hands on, once there were steps."""

    def facts(self) -> Iterator[Observed]:
        """One fact for each class."""
        owners = {owner: each for each in self._session.modules.alive() if (owner := self._owner_of(type(each)))}
        if not owners or self._is_called():
            return
        for owner, module in owners.items():
            defined = owner.__dict__[_NAME]
            code = getattr(defined, "__func__", defined).__code__
            tree = self._sources.tree(code.co_filename)
            method = definition(tree, code) if tree is not None else None
            if method is not None and _is_gradient(method):
                made = self._session.modules.created(module, self._sources)
                at = self._sources.place(code.co_filename, method)
                yield say("module-backward", at, {"source": made}, name=owner.__name__)

    def _owner_of(self, kind: type) -> Any:
        """The class of the program's own that alone, of all bases of a module's class, defines the method."""
        having = [each for each in kind.__mro__ if _NAME in each.__dict__]
        defined = having[0].__dict__[_NAME] if len(having) == 1 and self._session.modules.is_own(having[0]) else None
        function = getattr(defined, "__func__", defined)
        return having[0] if isinstance(function, FunctionType) and function.__code__.co_argcount > 1 else None

    def _is_called(self) -> bool:
        """Whether a line may call such a method: it passes what no tensor's takes, or names the method without calling.

        What was recorded as a call of `backward` of a loss is none.
        """
        seen = {(at.file, at.line) for each in self._session.asking.backwards if (at := self._at(each.place))}
        for file in [file for file, own in self._recorder.places.files.items() if own]:
            nodes = self._sources.nodes(file)
            calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
            for node in nodes:
                if isinstance(node, ast.Attribute) and node.attr == _NAME and (file, node.lineno) not in seen:
                    call = calls.get(id(node))
                    if call is None or call.args or any(each.arg not in _OPTIONS for each in call.keywords):
                        return True
        return False


def _is_gradient(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method returns a value, and runs no `backward` of a loss itself."""
    nodes = [*ast.walk(method)]
    returned = [each.value for each in nodes if isinstance(each, ast.Return)]
    runs = any(isinstance(each, ast.Attribute) and each.attr == _NAME for each in nodes)
    return not runs and any(not isinstance(each, (ast.Constant, type(None))) for each in returned)

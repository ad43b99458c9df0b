"""One file as a check sees it: its scopes, and which things of the frameworks its names stand for."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources
from tensorwhy.source.notebooks import Notebook
from tensorwhy.source.scopes import Scope, ScopeNode

_PREFIXES = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.keras.", "keras."),
    ("tf_keras.", "keras."),
)
"""The same thing under several names gets one. That of `tf.compat.v1` is another thing."""


class Module:
    """One file. What is found in it is told by places in `file`, or in the cells of that notebook.

    `scopes` are the module's own, and all functions and classes in it, outer ones first; lambdas are not among them.
    """

    def __init__(
        self, file: str, tree: ast.Module, sources: Sources, data: bytes = b"", notebook: Notebook | None = None
    ) -> None:
        self.file = file
        self.tree = tree
        self.sources = sources
        self.scopes = _scopes(tree)
        self._data = data
        self.notebook = notebook
        self._held: dict[tuple[str, ...], bool] = {}
        self._hidden: dict[tuple[str, Scope], bool] = {}
        self._named: dict[tuple[ast.AST, Scope], str] = {}

    def close(self) -> None:
        """Let go of the scopes, which know each other: nothing collects such cycles while many files are read."""
        for scope in self.scopes:
            vars(scope).clear()

    def holds(self, *words: str) -> bool:
        """Whether one of these words is in the text, in code or not."""
        if words not in self._held:
            self._held[words] = any(word.encode() in self._data for word in words)
        return self._held[words]

    @functools.cached_property
    def _by_node(self) -> dict[ScopeNode, Scope]:
        return {scope.node: scope for scope in self.scopes}

    def scope(self, node: ScopeNode) -> Scope:
        """The scope of a function, a class or the module."""
        return self._by_node[node]

    @functools.cached_property
    def imported(self) -> dict[str, str]:
        """What the names that imports bind stand for, wherever in the file; none that stands for two things."""
        found: dict[str, set[str]] = {}
        for name, dotted in self._imports():
            found.setdefault(name, set()).add(canonical(dotted))
        return {name: every.pop() for name, every in found.items() if len(every) == 1}

    def _imports(self) -> Iterator[tuple[str, str]]:
        for scope in self.scopes:
            for step in scope.steps:
                node = step.statement
                if isinstance(node, ast.Import):
                    for alias in node.names:
                        first = alias.name.partition(".")[0]
                        yield (alias.asname, alias.name) if alias.asname else (first, first)
                elif isinstance(node, ast.ImportFrom):
                    for alias in node.names:
                        module = f"{'.' * node.level}{node.module or ''}"
                        yield alias.asname or alias.name, f"{module}.{alias.name}"

    def named(self, node: ast.AST, scope: Scope) -> str:
        """The full name of what an expression of a scope names, from its import on; empty for anything else.

        `tf.GradientTape` is "tensorflow.GradientTape", `layers.Dense` is "keras.layers.Dense".
        """
        key = node, scope
        if key not in self._named:
            self._named[key] = self._full_name(*key)
        return self._named[key]

    def _full_name(self, node: ast.AST, scope: Scope) -> str:
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imported or self._hides(node.id, scope):
            return ""
        return canonical(".".join([self.imported[node.id], *reversed(parts)]))

    def _hides(self, name: str, scope: Scope) -> bool:
        """Return whether a name that an import binds may be something else in a scope."""
        key = name, scope
        if key not in self._hidden:
            self._hidden[key] = self._is_hidden(*key)
        return self._hidden[key]

    def _is_hidden(self, name: str, scope: Scope) -> bool:
        around: Scope | None = scope
        while around is not None:
            if around is scope or not isinstance(around.node, ast.ClassDef):
                made = [each for each in around.bindings.get(name, []) if not _is_none(each.value)]
                imports = all(isinstance(each.made, (ast.Import, ast.ImportFrom)) for each in made)
                if name in around.parameters or not imports:
                    return True
                if made:
                    return False
            around = around.outer
        return True

    def called(self, node: ast.AST | None, scope: Scope) -> str:
        """The full name of what a call calls; empty for anything that is no call of an imported thing."""
        return self.named(node.func, scope) if isinstance(node, ast.Call) else ""

    def place(self, node: ast.expr | ast.stmt) -> Location:
        """Where a node stands."""
        if self.notebook is not None:
            return self.sources.place(*self.notebook.placed(self.file, node))
        self.sources.adopt(self.file, self.tree)
        return self.sources.place(self.file, node)


def _is_none(value: ast.expr | None) -> bool:
    """As which a module goes that could not be imported: its calls fail whatever they are."""
    return isinstance(value, ast.Constant) and value.value is None


def _scopes(tree: ast.Module) -> list[Scope]:
    found = [Scope(tree, None)]
    for scope in found:
        found += scope.inner
    return found


def canonical(dotted: str) -> str:
    """One name for what the frameworks have under several."""
    for prefix, plain in _PREFIXES:
        if f"{dotted}.".startswith(prefix):
            return (plain + f"{dotted}."[len(prefix) :]).rstrip(".")
    return dotted

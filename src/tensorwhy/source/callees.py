"""Which function of the user's a call runs, as far as names in the source text say so."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence

from tensorwhy.source.files import Sources

Found = tuple[str, ast.FunctionDef]
"""The file of a function, and its definition."""
_REACHED = 30
"""So many files beside one are looked at that it imports, or that those import."""


class Callees:
    """Remembers what it found."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._known: dict[tuple[str, str], Found | None] = {}
        self._assigned: dict[str, dict[str, list[ast.expr]]] = {}
        self._methods: dict[tuple[str, str], Found | None] = {}

    def of(self, file: str, called: ast.expr) -> Found | None:
        """The function that a call runs, where its name says so: `f(...)`, `self.f(...)`, `module.f(...)`."""
        if not isinstance(called, (ast.Name, ast.Attribute)):
            return None
        key = (file, ast.unparse(called))
        if key not in self._known:
            self._known[key] = self._called_function(file, called) or self._called_object(file, key[1])
        return self._known[key]

    def _called_object(self, file: str, name: str) -> Found | None:
        """What runs when an object of this name is called: the `__call__` of the one class of this file that made it.

        `scale = Scaler()`; or a parameter that each call of its function gives such an object, or the same function.
        """
        nodes, given = self.sources.nodes(file), self._given(file, name)
        if not given and name.isidentifier():
            given = list(_handed(nodes, name))
        makers = {
            value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else "" for value in given
        }
        owners = [node for node in nodes if isinstance(node, ast.ClassDef) and {node.name} == makers]
        named = [each for owner in owners for each in owner.body if isinstance(each, ast.FunctionDef)]
        functions = {value.id if isinstance(value, ast.Name) else "" for value in given}
        if not owners and len(functions) == 1 and "" not in functions:
            return self._definition(file, functions.pop())
        return next(((file, each) for each in named if each.name == "__call__"), None)

    def _given(self, file: str, name: str) -> list[ast.expr]:
        """What assignments give to this name or attribute, anywhere in a file."""
        if file not in self._assigned:
            assigned = self._assigned[file] = {}
            for node in self.sources.nodes(file):
                if isinstance(node, ast.Assign):
                    for written in {ast.unparse(target) for target in node.targets}:
                        assigned.setdefault(written, []).append(node.value)
        return self._assigned[file].get(name, [])

    def _called_function(self, file: str, called: ast.Name | ast.Attribute) -> Found | None:
        if isinstance(called, ast.Name):
            return self._definition(file, called.id)
        nodes = self.sources.nodes(file)
        for node in nodes if isinstance(called.value, ast.Name) else ():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    other = os.path.join(os.path.dirname(file), *alias.name.split(".")) + ".py"
                    if ast.unparse(called.value) == (alias.asname or alias.name) and os.path.exists(other):
                        return self._definition(other, called.attr)
        named = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == called.attr]
        return (file, named[0]) if len(named) == 1 else self._method(file, called)

    def _method(self, file: str, called: ast.Attribute) -> Found | None:
        """A method of an object that the file makes of the one class that it imports from a file beside it."""
        nodes, given = self.sources.nodes(file), self._given(file, ast.unparse(called.value))
        makers = {value.func.id for value in given if isinstance(value, ast.Call) and isinstance(value.func, ast.Name)}
        if not len(makers) == len(given) == 1:
            return None
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        for module, alias in ((node.module or "", alias) for node in imports for alias in node.names):
            other = os.path.join(os.path.dirname(file), *module.split(".")) + ".py"
            home = (
                self.sources.tree(other) if (alias.asname or alias.name) in makers and os.path.exists(other) else None
            )
            for each in home.body if home is not None else ():
                if isinstance(each, ast.ClassDef) and each.name == alias.name:
                    own = (n for n in each.body if isinstance(n, ast.FunctionDef) and n.name == called.attr)
                    return next(((other, found) for found in own), None)
        return None

    def _definition(self, file: str, name: str) -> Found | None:
        """A function of this name, defined in the file or imported from a file beside it."""
        for node in self.sources.nodes(file):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return file, node
            if (
                isinstance(node, ast.ImportFrom)
                and node.module
                and any((a.asname or a.name) == name for a in node.names)
            ):
                original = next(a.name for a in node.names if (a.asname or a.name) == name)
                other = os.path.join(os.path.dirname(file), *node.module.split(".")) + ".py"
                if other != file and os.path.exists(other):
                    return self._definition(other, original)
        return None

    def method(self, file: str, name: str) -> Found | None:
        """The one method of this name in the user's files that a file imports, or that those import."""
        key = (file, name)
        if key not in self._methods:
            found = [
                (home, each)
                for home in self._reached(file)
                for node in self.sources.nodes(home)
                if isinstance(node, ast.ClassDef)
                for each in node.body
                if isinstance(each, ast.FunctionDef) and each.name == name
            ]
            self._methods[key] = found[0] if len(found) == 1 else None
        return self._methods[key]

    def _reached(self, file: str) -> list[str]:
        files = [file]
        for each in files:
            for node in self.sources.nodes(each) if len(files) < _REACHED else ():
                if isinstance(node, ast.ImportFrom) and node.module:
                    modules = [node.module]
                elif isinstance(node, ast.Import):
                    modules = [alias.name for alias in node.names]
                else:
                    continue
                folders = dict.fromkeys((os.path.dirname(each), os.path.dirname(file)))
                paths = (os.path.join(folder, *module.split(".")) + ".py" for module in modules for folder in folders)
                files += [path for path in dict.fromkeys(paths) if path not in files and os.path.exists(path)]
        return files


def _handed(nodes: Sequence[ast.AST], name: str) -> Iterator[ast.expr]:
    """What calls give for a parameter of this name, of whatever function in the file has one."""
    for function in nodes:
        names = [each.arg for each in function.args.args] if isinstance(function, ast.FunctionDef) else []
        if name not in names or not isinstance(function, ast.FunctionDef):
            continue
        position = names.index(name) - (names[0] == "self")
        for call in nodes:
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == function.name:
                yield from call.args[position : position + 1]
                yield from (each.value for each in call.keywords if each.arg == name)

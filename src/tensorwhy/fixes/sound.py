"""Would a file with these edits still be a program? What nobody can run is never proposed.

An edit is made from what stands around one place. Whether the names in it mean something where they come to stand, and
still mean the same, is looked up here for all edits at once, in Python's own tables of symbols.
"""

from __future__ import annotations

import builtins
import functools
import symtable
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator

from tensorwhy.fixes import patch
from tensorwhy.model.report import Edit
from tensorwhy.source.files import UNPARSED, Sources

_KNOWN = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__spec__", "__path__", "__class__"}
_ANONYMOUS = ("lambda", "genexpr", "listcomp", "setcomp", "dictcomp")
Scope = tuple[str, ...]


def sound(edits: Iterable[Edit], sources: Sources) -> bool:
    """True if every file can be parsed afterwards, uses no name that it did not have, and hides none that it uses."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    return all(_sound(file, sources.text(file), each) for file, each in by_file.items())


def _sound(file: str, text: str, edits: list[Edit]) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            changed = patch.applied(text, edits)
            compile(changed, file, "exec", dont_inherit=True)
            before, after = _names(text, file), _Names(changed, file)
    except (patch.Conflict, *UNPARSED):
        return False
    lost = after.unbound - before.unbound
    hidden = [name for name, scopes in after.local.items() if scopes & before.outer.get(name, set())]
    return not hidden and (not lost or before.everything)


class _Names:
    """The names of a file: those that nothing binds, and the functions in which one is local, or comes from outside.

    `everything`: a star import may bind any name.
    """

    def __init__(self, text: str, file: str) -> None:
        module = symtable.symtable(text, file, "exec")
        bound = {each.get_name() for each in module.get_symbols() if each.is_assigned() or each.is_imported()}
        bound |= {each.get_name() for each in module.get_symbols() if each.is_namespace()}
        self.everything = "import *" in text
        self.unbound: set[str] = set()
        self.local: dict[str, set[Scope]] = {}
        self.outer: dict[str, set[Scope]] = {}
        for scope, table in _tables(module, ()):
            for symbol in table.get_symbols():
                name = symbol.get_name()
                if symbol.is_declared_global() and symbol.is_assigned():
                    bound.add(name)
                if table is module:
                    if symbol.is_referenced() and name not in bound:
                        self.unbound.add(name)
                elif symbol.is_global():
                    self.unbound |= {name} - bound
                if table.get_name() not in _ANONYMOUS and table.get_type() == "function" and symbol.is_referenced():
                    outside = symbol.is_global() or symbol.is_free()
                    (self.outer if outside else self.local).setdefault(name, set()).add(scope)
        self.unbound -= bound | _KNOWN


_names = functools.lru_cache(maxsize=2)(_Names)
"""Of the file as it is, which all edits are compared with."""


def _tables(table: symtable.SymbolTable, scope: Scope) -> Iterator[tuple[Scope, symtable.SymbolTable]]:
    """All tables, each with the names of those around it and its own; a name that comes again is numbered."""
    yield scope, table
    seen: Counter[str] = Counter()
    for child in table.get_children():
        seen[child.get_name()] += 1
        yield from _tables(child, (*scope, f"{child.get_name()} {seen[child.get_name()]}"))

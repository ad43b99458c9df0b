"""Whether a value can get from one statement to another by names, in the source text of one scope.

Arrays and Python numbers are not recorded, so between the place where a value left the framework and the place where a
value came back there is only the source. This follows names through assignments, in-place updates (`a[i] = ...`,
`a.append(...)`) and loops, without regard to order: it may say yes too often, never no wrongly within one function.
What it finds is therefore called likely.
"""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.source.callees import Callees
from tensorwhy.source.files import Sources
from tensorwhy.source.names import (
    attributes,
    bound,
    loads,
    name_of,
    names_in,
    out_of_turn,
    own_nodes,
    read,
    spread,
    tainted_within,
)

_DEPTH = 3
"""How many calls deep a value is followed into the user's own functions."""
_PLAIN = {"print", "float", "int", "str", "repr", "round", "format", "bool", "len"}
"""Functions that make no tensor of what they are given."""
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


class Dataflow:
    """Answers for pairs of locations; remembers what it read."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._ways: dict[tuple[Location, Location, bool], Location | None] = {}
        self._outs_of: dict[Location, list[tuple[ast.stmt, Location]]] = {}
        self._statements_of: dict[_Scope, list[ast.stmt]] = {}
        self._reached_from: dict[ast.stmt, set[str]] = {}
        self._arrays: dict[str, set[str]] = {}
        self._modules: dict[str, set[str]] = {}
        self._callees = Callees(sources)

    def way_out(self, start: Location, end: Location, leaves: bool = False) -> Location | None:
        """Where a value made by the statement at `start` leaves the framework on its way to the statement at `end`.

        `leaves` says that it was seen to leave at `start`. None when no way by names leads there, or none that leaves.
        """
        if start.file != end.file:
            return None
        key = (start, end, leaves)
        if key not in self._ways:
            self._ways[key] = self._decide(start, end, leaves)
        return self._ways[key]

    def _decide(self, start: Location, end: Location, leaves: bool) -> Location | None:
        first, last = self.sources.statement(start), self.sources.statement(end)
        scope = self._scope(start)
        if first is None or last is None or scope is None or scope is not self._scope(end):
            return None
        taken = self._taken(end, last)
        for statement, place in [(first, start)] if leaves else self._outs(start, first, scope):
            at_once = statement is last and self._comes_back_within(start.file, last, place, end)
            if at_once or taken & self._reached(scope, statement):
                return place
        return None

    def _outs(self, start: Location, first: ast.stmt, scope: _Scope) -> list[tuple[ast.stmt, Location]]:
        """The statements in which what is made at `start` may leave, with the place where each turns it into an array.

        As a tensor the value may pass through any statement. They are the same for whatever comes back later.
        """
        found = self._outs_of.get(start)
        if found is None:
            statements = self._statements(scope)
            tensors = self._reached(scope, first)
            found = []
            for statement in statements:
                if statement is first or read(statement) & tensors:
                    taken = None if statement is first else tensors
                    place = self._exit_in(start.file, statement, taken, 0, start if statement is first else None)
                    if place is not None:
                        found.append((statement, place))
            found.sort(key=lambda pair: (pair[0] is not first, pair[0].lineno))
            self._outs_of[start] = found
        return found

    def _statements(self, scope: _Scope) -> list[ast.stmt]:
        found = self._statements_of.get(scope)
        if found is None:
            found = self._statements_of[scope] = [node for node in ast.walk(scope) if isinstance(node, ast.stmt)]
        return found

    def _reached(self, scope: _Scope, statement: ast.stmt) -> set[str]:
        """The names to which a value gets from what the statement binds."""
        found = self._reached_from.get(statement)
        if found is None:
            found = self._reached_from[statement] = spread(self._statements(scope), bound(statement))
        return found

    def is_kept(self, exit: Location, entry: Location) -> bool:
        """True if what leaves at `exit` is kept in an attribute of `self` that another method takes back at `entry`."""
        first, last = self.sources.statement(exit), self.sources.statement(entry)
        scopes = self._scope(exit), self._scope(entry)
        tree = self.sources.tree(exit.file)
        if exit.file != entry.file or tree is None or first is None or last is None or None in scopes:
            return False
        if not any(
            isinstance(node, ast.ClassDef) and {*scopes} <= {*node.body} for node in self.sources.nodes(exit.file)
        ):
            return False
        makes, takes = (self._statements(scope) for scope in scopes if scope)
        kept = {name for name in spread(makes, bound(first)) if name.startswith("self.")}
        return bool(self._taken(entry, last) & spread(takes, kept))

    def _taken(self, place: Location, statement: ast.stmt) -> frozenset[str]:
        """The names that are read at `place`: of the whole statement where columns are unknown, or turns are taken."""
        if None in (place.column, place.end_column) or out_of_turn(statement):
            return read(statement)
        nodes = (node for node in own_nodes(statement) if isinstance(node, ast.expr))
        return loads(node for node in nodes if _covers(_span(place), _span(self.sources.place(place.file, node))))

    def _comes_back_within(self, file: str, statement: ast.stmt, place: Location, end: Location) -> bool:
        """True if what leaves at `place` is taken at `end`, where both are in one statement: there no name hands it on.

        A later run of the statement gets nothing from the one before, but by a name.
        """
        if out_of_turn(statement):
            return True
        if None not in (place.column, place.end_column, end.column, end.end_column):
            own, whole = self.sources.place(file, statement), _span(end)
            if place.file != file or not _covers(_span(own), _span(place)):
                return True  # it leaves in a function that this statement calls
            return _covers(whole, _span(place))
        arrays = self._numpy_names(file)
        exits = [node for node in own_nodes(statement) if isinstance(node, ast.Call) and _is_exit(node, arrays)]
        takers = [
            node
            for node in own_nodes(statement)
            if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign))
            or (isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _PLAIN))
        ]
        return not exits or any(each in ast.walk(taker) for taker in takers for each in exits if each is not taker)

    def binding(self, start: Location, names: set[str]) -> Location | None:
        """The statement that gives one of `names` (a plain name or last attribute) to what was made at `start`."""
        first, scope = self.sources.statement(start), self._scope(start)
        if first is None or scope is None:
            return None
        statements = self._statements(scope)
        tainted = spread(statements, bound(first))
        for statement in (first, *sorted(statements, key=lambda node: node.lineno)):
            given = {name.rpartition(".")[2] for name in bound(statement)} | attributes(statement)
            if (
                isinstance(statement, ast.Assign)
                and given & names
                and (statement is first or read(statement) & tainted)
            ):
                return self.sources.place(start.file, statement)
        return None

    def called(self, place: Location) -> Location | None:
        """Where the object that is called at `place` was made, when the same function made it: `f = build(); f(x)`."""
        statement, scope = self.sources.statement(place), self._scope(place)
        if statement is None or not isinstance(scope, ast.FunctionDef):
            return None
        names = {
            node.func.id
            for node in own_nodes(statement)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        for each in self._statements(scope):
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and bound(each) & names:
                return self.sources.place(place.file, each)
        return None

    def _exit_in(
        self, file: str, statement: ast.stmt, tainted: set[str] | None, depth: int, made: Location | None = None
    ) -> Location | None:
        """Where this statement, or a function of the user's that it calls, turns a tainted value into an array.

        `tainted` None: every value counts, but what was made at `made` no argument of that call can have taken.
        """
        arrays = self._numpy_names(file)
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Subscript) and name_of(target) in self._made_arrays(file, arrays)
            for target in statement.targets
        ):
            return self.sources.place(file, statement)
        if isinstance(statement, ast.While):
            return self._copied_weights(file, statement, tainted)
        if isinstance(statement, ast.For):
            made_of = self._copied_weights(file, statement, tainted)
            if made_of is not None or tainted is None:
                return made_of
        tainted = tainted_within(statement, tainted)
        in_turn = not out_of_turn(statement)
        calls = [
            node
            for node in own_nodes(statement)
            if isinstance(node, ast.Call)
            and (tainted is None or names_in(node) & tainted)
            and not (made is not None and self._is_over(file, node, made, in_turn))
        ]
        for call in calls:  # what this statement itself does comes before what the functions do that it calls
            if _is_exit(call, arrays) and self._callees.of(file, call.func) is None:
                return self.sources.place(file, _innermost_exit(call, arrays))
        for call in calls:
            inner = self._inside(file, call, tainted, depth)
            if inner is not None:
                return inner
        return None

    def _is_over(self, file: str, call: ast.Call, made: Location, in_turn: bool) -> bool:
        """Return whether a call is over before the one at `made`: as its argument, or as one beside it, before it.

        Without columns: it takes no name. `in_turn`: the statement is evaluated from left to right.
        """
        if made.column is None or made.end_line is None or made.end_column is None:
            modules = self._numpy_names(file)
            taken = [node for node in ast.walk(call) if isinstance(node, (ast.Name, ast.Starred))]
            return all(isinstance(node, ast.Name) and node.id in modules for node in taken)
        place = self.sources.place(file, call)
        start, end = (made.line, made.column), (made.end_line, made.end_column)
        own = (place.line, place.column or 0), (place.end_line or 0, place.end_column or 0)
        return (in_turn and own[1] <= start) or (start <= own[0] and own[1] <= end and own != (start, end))

    def _copied_weights(self, file: str, loop: ast.For | ast.While, tainted: set[str] | None) -> Location | None:
        """A loop over arrays that are copies of weights: `for kernel in model.get_weights():`."""
        for node in own_nodes(loop):
            if isinstance(node, ast.Call) and _is_copy(node) and (tainted is None or names_in(node) & tainted):
                return self.sources.place(file, node)
        return None

    def exit_at(self, place: Location) -> Location | None:
        """Where the statement at `place` itself turns a value into an array or number."""
        statement = self.sources.statement(place)
        return None if statement is None else self._exit_in(place.file, statement, None, _DEPTH)

    def is_returned(self, place: Location) -> bool:
        """Return whether what the statement at `place` makes can get to a `return` of its function, by names.

        What a constructor keeps in the new object is returned with it.
        """
        statement, function = self.sources.statement(place), self.sources.function(place)
        if isinstance(statement, ast.Return):
            return True
        if statement is None or function is None or isinstance(function, ast.Lambda):
            return False
        statements = self._statements(function)
        made = spread(statements, bound(statement))
        if function.name == "__init__" and any(name.startswith("self.") for name in made):
            return True
        return any(isinstance(each, ast.Return) and read(each) & made for each in statements)

    def _inside(self, file: str, call: ast.Call, tainted: set[str] | None, depth: int) -> Location | None:
        """The same, in the body of a called function that is defined in the user's own files."""
        if depth >= _DEPTH:
            return None
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        of_object = isinstance(receiver, ast.Call) if tainted is None else bool(names_in(receiver) & tainted)
        found = self._callees.of(file, call.func)
        if found is None and of_object and isinstance(call.func, ast.Attribute):
            found = self._callees.method(file, call.func.attr)
        if found is None:
            return None
        home, function = found
        names = [argument.arg for argument in function.args.args]
        kept: set[str] = set()
        if names[:1] == ["self"]:
            names = names[1:]
            if of_object:  # any of its attributes may hold the value
                kept = {name for name in names_in(function) if name.startswith("self.")}
        passed = kept | {
            names[index]
            for index, argument in enumerate(call.args)
            if index < len(names) and (tainted is None or names_in(argument) & tainted)
        }
        passed |= {
            each.arg for each in call.keywords if each.arg and (tainted is None or names_in(each.value) & tainted)
        }
        statements = [node for node in self._statements(function) if node is not function]
        inner = spread(statements, passed)
        for statement in statements:
            if read(statement) & inner:
                place = self._exit_in(home, statement, inner, depth + 1)
                if place is not None and _gets_out(statement, statements):
                    return place
        return None

    def _made_arrays(self, file: str, arrays: set[str]) -> set[str]:
        """Names that a call of NumPy is assigned to somewhere in this file: storing into them takes the value out."""
        if file not in self._arrays:
            self._arrays[file] = {
                name_of(target)
                for node in self.sources.nodes(file)
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _is_exit(node.value, arrays)
                for target in node.targets
                if isinstance(target, (ast.Name, ast.Attribute))
            } - {""}
        return self._arrays[file]

    def _numpy_names(self, file: str) -> set[str]:
        """Under which names this file imported NumPy."""
        if file not in self._modules:
            self._modules[file] = {
                alias.asname or alias.name
                for node in self.sources.nodes(file)
                if isinstance(node, ast.Import)
                for alias in node.names
                if alias.name.partition(".")[0] in ("numpy", "math", "scipy")
            }
        return self._modules[file]

    def _scope(self, location: Location) -> _Scope | None:
        function = self.sources.function(location)
        return self.sources.tree(location.file) if function is None or isinstance(function, ast.Lambda) else function


def _gets_out(statement: ast.stmt, body: list[ast.stmt]) -> bool:
    """Return whether what a statement of a function makes can get out of it: not what is only printed or compared."""
    if _hands_out(statement):
        return True
    made = spread(body, bound(statement))
    stored = {name for each in body for name in bound(each) if isinstance(each, (ast.Assign, ast.AnnAssign, ast.For))}
    kept_elsewhere = any(name.startswith("self.") or name not in stored for name in made)
    return kept_elsewhere or any(read(each) & made for each in body if _hands_out(each))


def _hands_out(statement: ast.stmt) -> bool:
    nodes = own_nodes(statement)
    return isinstance(statement, ast.Return) or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes)


def _span(place: Location) -> tuple[int, int, int, int]:
    return place.line, place.column or 0, place.end_line or place.line, place.end_column or 0


def _covers(outer: tuple[int, int, int, int], inner: tuple[int, int, int, int]) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _is_exit(call: ast.Call, arrays: set[str]) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id in ("float", "int")
    if not isinstance(function, ast.Attribute):
        return False
    if _is_copy(call) or function.attr in ("numpy", "item", "tolist", "predict", "predict_on_batch", "eval"):
        return True
    root: ast.expr = function
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in arrays


def _is_copy(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("get_weights", "get_value")


def _innermost_exit(call: ast.Call, arrays: set[str]) -> ast.Call:
    """`x.numpy()` for `np.mean(x.numpy())`: where the value really leaves."""
    for node in ast.walk(call):
        if isinstance(node, ast.Call) and node is not call and _is_exit(node, arrays):
            return _innermost_exit(node, arrays)
    return call

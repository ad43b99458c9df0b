"""Branches that were not taken, and loops that did not run, that use a source: the program had a way for its value, and
did not go it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator

from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources, walked
from tensorwhy.source.reading import where


def untaken_branch(
    sources: Sources,
    executed: Iterable[Location],
    names: set[str],
    results: frozenset[str] = frozenset(),
    later: Callable[[Location], bool] = lambda place: False,
) -> Location | None:
    """The `if` of a branch in which nothing was executed and one of `names` is read.

    `executed` are the lines at which operations ran, in every frame of their call stacks: only functions in which
    something ran are looked at. `names` are plain names or last attributes (`auxiliary` for `self.auxiliary`).
    `results` are names of what was computed from the source: they count in branches that make something of them, and
    not in those that only show it. Nothing is said of an `if` that came `later`.
    """
    lines: dict[str, set[int]] = {}
    for location in executed:
        lines.setdefault(location.file, set()).add(location.line)
    for file, ran in lines.items():
        tree = sources.tree(file)
        for node, after in conditionals(tree, ran) if tree is not None else ():
            for branch, other in ((node.body, node.orelse), (node.orelse, node.body), (after, node.body)):
                wanted = names | results if _makes_something(branch) else names
                if (
                    branch
                    and not did_run(branch, ran)
                    and _read_names(branch) & wanted
                    and not _read_names(other) & wanted
                ):
                    place = where(node, file, "<module>", sources, until=node.test)
                    if not later(place):
                        return place
    return None


def idle_loop(
    sources: Sources, executed: Iterable[Location], names: set[str], opened: Iterable[Location]
) -> Location | None:
    """The head of a loop that reads one of `names`, and in whose body nothing was executed.

    `executed` are lines as for `untaken_branch`, all of them since the recorder was opened at `opened`, one line for
    each frame. Of the functions that opened it only what stands below counts: what is above ran before.
    """
    lines: dict[str, set[int]] = {}
    for location in executed:
        lines.setdefault(location.file, set()).add(location.line)
    above = [(each.file, sources.function(each, lambdas=False), each.line) for each in opened]
    for file, ran in lines.items():
        tree = sources.tree(file)
        for node in _loops(tree) if tree is not None else ():
            if did_run(node.body, ran):
                continue
            head = node.iter if isinstance(node, ast.For) else node.test
            place = where(node, file, "<module>", sources, until=head)
            scope = sources.function(place, lambdas=False) or tree
            around = getattr(scope, "body", [])
            before = any(
                file == other and scope is (inside or tree) and node.lineno < at for other, inside, at in above
            )
            if (
                not before
                and did_run(around, ran)
                and _makes_something(node.body)
                and _read_names([*node.body, head]) & names
            ):
                return place
    return None


@functools.lru_cache(16)
def _loops(tree: ast.AST) -> tuple[ast.For | ast.While, ...]:
    return tuple(node for node in walked(tree) if isinstance(node, (ast.For, ast.While)))


def comes_later(sources: Sources, place: Location, asked: Iterable[Location], opened: Iterable[Location]) -> bool:
    """Return whether a statement stands behind the call that asked, in one of its functions, and runs only after it.

    `asked` and `opened` are the lines, one for each frame, at which the question stands and the recorder was opened. In
    a loop that goes on since then, what stands behind the call may have run before it.
    """
    scope = sources.function(place, lambdas=False)
    here = [each for each in asked if each.file == place.file and _holder(sources, each) is scope]
    begun = [each for each in opened if each.file == place.file and _holder(sources, each) is scope]
    around = scope or sources.tree(place.file)
    if not here or not begun or around is None or place.line <= (here[0].end_line or here[0].line):
        return False
    return not any(
        isinstance(node, (ast.For, ast.While))
        and node.lineno <= here[0].line
        and place.line <= (node.end_lineno or node.lineno)
        and not reading.on_line(node, begun[0].line)
        for node in walked(around)
    )


def _holder(sources: Sources, place: Location) -> object:
    """The function that a frame is in: a line with a lambda on it can be either's."""
    return sources.function(place, lambdas="<lambda>" in place.function)


def conditionals(tree: ast.AST, ran: set[int]) -> Iterator[tuple[ast.If, list[ast.stmt]]]:
    """The `if` statements of functions in which an operation ran, and of the module where one ran.

    With each what follows it in its block, where that runs only if the `if` does not leave the block.
    """
    for node, choices in _with_choices(tree):
        if any(reading.on_line(node, line) for line in ran):
            for block, index, each in choices:
                met = did_run(each.body, ran) or did_run(block[:index], ran)
                yield each, block[index + 1 :] if met and _leaves(each) else []


_Choice = tuple["list[ast.stmt]", int, ast.If]


@functools.lru_cache(16)
def _with_choices(tree: ast.AST) -> tuple[tuple[ast.stmt, tuple[_Choice, ...]], ...]:
    """What holds statements that run, and an `if` among them: the block, its position there, and itself."""
    found = []
    for node in walked(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.For, ast.While, ast.With)):
            choices = tuple(
                (block, index, each)
                for block in _blocks(node)
                for index, each in enumerate(block)
                if isinstance(each, ast.If)
            )
            if choices:
                found.append((node, choices))
    return tuple(found)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements within a node."""
    for inner in ast.walk(node):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(inner, name, None)
            if isinstance(block, list):
                yield block


def _leaves(node: ast.If) -> bool:
    """Return whether the body of an `if` without `else` ends in going somewhere else than to the next statement."""
    return not node.orelse and isinstance(node.body[-1], (ast.Return, ast.Continue, ast.Break))


def did_run(branch: list[ast.stmt], ran: set[int]) -> bool:
    """Return whether an operation ran at a line of these statements."""
    return bool(branch) and any(
        branch[0].lineno <= line <= (branch[-1].end_lineno or branch[-1].lineno) for line in ran
    )


def _makes_something(branch: list[ast.stmt]) -> bool:
    return any(isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)) for each in branch for node in ast.walk(each))


def _read_names(branch: Iterable[ast.AST]) -> frozenset[str]:
    return frozenset().union(*map(_read, branch))


@functools.lru_cache(4096)
def _read(statement: ast.AST) -> frozenset[str]:
    return frozenset(
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(statement)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    )


def names_at(sources: Sources, location: Location | None) -> set[str]:
    """What a thing is called where it is made: the names that the statement binds, or calls a method of."""
    names = set()
    targets: list[ast.expr] = []
    for statement in sources.statements(location) if location is not None else ():
        if isinstance(statement, ast.Assign):
            targets += statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets.append(statement.target)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            function = statement.value.func
            targets.append(function.value if isinstance(function, ast.Attribute) else function)
    for target in targets:
        for node in [*target.elts] if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.Name):
                names.add(node.id)
    return names

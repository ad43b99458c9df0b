"""Edits of the block that a tape records: what it should watch first, and what should run inside."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tensorwhy.fixes import callers, calls, statements
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.files import Sources

_LOOPS = (ast.For, ast.While)


def recorded(
    opened: Location, sources: Sources, *, watch: Sequence[str] = (), inside: Sequence[tuple[Location, Location]] = ()
) -> tuple[Edit, ...]:
    """Let the tape that is opened at `opened` watch these expressions and record these ranges, all or nothing.

    An empty result means that it is no local edit: another scope, a name that is not bound yet, a loop that goes on
    with what was computed before it.
    """
    tape = opening(opened, sources)
    if tape is None:
        return ()
    block, target = tape[0], tape[1].optional_vars
    name = target.id if isinstance(target, ast.Name) else None
    file, outer = opened.file, statements.block_of(opened.file, block, sources)
    indent = statements.indentation(file, block.body[0].lineno, sources)
    if not outer:
        return ()
    top = calls.position(file, block.body[0].lineno, block.body[0].col_offset, sources)
    if watch and (name is None or not all(_bound_before(each, block, opened, sources) for each in watch)):
        return ()
    if top.column > len(indent):  # on the line of the `with`
        text = "".join(f"{name}.watch({each}); " for each in watch)
        return (Edit(file=file, start=top, end=top, replacement=text),) if text and not inside else ()
    sides = _to_be_moved(file, block, inside, sources)
    if sides is None:
        return ()
    edits: list[Edit] = []
    texts = []
    for side in sides:
        moved = statements.move(file, sorted(side, key=lambda each: each.lineno), indent, sources)
        if moved is None:
            return ()
        edits += moved[0]
        texts.append(moved[1])
    watching, (first, last) = "".join(f"{indent}{name}.watch({each})\n" for each in watch), texts
    begin, watched = statements.first_line(file, block.body[0], sources), _behind_watches(block, file, sources)
    if watched == begin:
        watching, first = "", watching + first
    if watching:
        edits.append(statements.insertion(file, begin, watching))
    if first:
        edits.append(statements.insertion(file, watched, first))
    if last:
        edits.append(statements.insertion(file, (block.end_lineno or block.lineno) + 1, last))
    return tuple(edits)


def _to_be_moved(
    file: str, block: ast.With, ranges: Sequence[tuple[Location, Location]], sources: Sources
) -> tuple[list[ast.stmt], list[ast.stmt]] | None:
    """The statements that have to come into the `with` from before it, and from behind it."""
    levels = _levels(file, block, sources)
    before: list[ast.stmt] = []
    after: list[ast.stmt] = []
    for start, end in ranges:
        found = next((each for each in levels if _position(each, start, file, sources) is not None), None)
        if found is None:
            return None
        outer, here = found
        begins, ends = _position(found, start, file, sources), _position(found, end, file, sources)
        if begins is None or ends is None:
            return None
        if begins < here:
            moving = statements.later(outer, begins, here)
        elif found is levels[0]:
            moving = statements.earlier(outer, here + 1, range(begins, ends + 1))
        else:
            moving = None  # behind an outer block: other tapes are over by then
        if not moving or _needed_between(moving, levels, found):
            return None
        side = before if begins < here else after
        side += [statement for statement in moving if statement not in side]
    return before, after


def _levels(file: str, block: ast.With, sources: Sources) -> list[tuple[list[ast.stmt], int]]:
    """The blocks around a `with`, innermost first, while only `with`s and loops lie between; and where it stands."""
    found: list[tuple[list[ast.stmt], int]] = []
    inner: ast.stmt | None = block
    while inner is not None:
        outer = statements.block_of(file, inner, sources)
        found.append((outer, next(index for index, each in enumerate(outer) if each is inner)))
        tree = sources.tree(file)
        inner = next(
            (node for node in ast.walk(tree) if isinstance(node, (ast.With, *_LOOPS)) and node.body is outer),
            None,
        ) if tree is not None else None  # fmt: skip
    return found


def _position(level: tuple[list[ast.stmt], int], place: Location, file: str, sources: Sources) -> int | None:
    """Which statement of a block, outside of the `with` in it, had a place executed."""
    return callers.leading_to(place, file, level[0], level[1], sources)


def _needed_between(
    moving: Sequence[ast.stmt],
    levels: Sequence[tuple[list[ast.stmt], int]],
    outermost: tuple[list[ast.stmt], int],
) -> bool:
    """Return whether what stands in an outer block, before the inner one, uses what would move into that.

    So does a loop that would compute something else each time round.
    """
    names = set().union(*map(statements.bound, moving))
    needed = set().union(*map(statements.read, moving))
    for block, here in levels:
        around = block[here]
        if isinstance(around, _LOOPS) and (statements.bound(around) & (names | needed) or _head(around) & names):
            return True
        if block is outermost[0]:
            return False
        if any(statements.read(each) & names for each in block[:here]):
            return True
    return True


def _head(loop: ast.For | ast.While) -> set[str]:
    """The names that decide how often a loop runs."""
    return statements.read(loop.test if isinstance(loop, ast.While) else loop.iter)


def _behind_watches(block: ast.With, file: str, sources: Sources) -> int:
    """Where the first statement of a block begins, comments included, that does not only tell a tape what to watch."""
    for statement in block.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "watch"):
            return statements.first_line(file, statement, sources)
    return (block.end_lineno or block.lineno) + 1


def opening(opened: Location, sources: Sources) -> tuple[ast.With, ast.withitem] | None:
    """The `with` of the tape, and its item that opens the tape."""
    statement: ast.AST | None = sources.statement(opened)
    if not isinstance(statement, ast.With):  # what it holds may begin on its line
        tree = sources.tree(opened.file)
        found = [node for node in ast.walk(tree) if isinstance(node, ast.With)] if tree is not None else []
        statement = next(
            (node for node in found if opened.line in (node.lineno, *(i.context_expr.lineno for i in node.items))), None
        )
    if not isinstance(statement, ast.With):
        return None
    tapes = [item for item in statement.items if "Tape" in ast.unparse(item.context_expr)] or statement.items
    if len(tapes) > 1:
        tapes = [item for item in tapes if _stands_at(item.context_expr, opened, sources)]
    return (statement, tapes[0]) if len(tapes) == 1 else None


def _stands_at(node: ast.expr, place: Location, sources: Sources) -> bool:
    found = sources.place(place.file, node)
    return (found.line, found.column) == (place.line, place.column)


def _bound_before(expression: str, block: ast.With, opened: Location, sources: Sources) -> bool:
    """Return whether the first name of an expression has its value when the block begins, and keeps it inside."""
    root = expression.partition(".")[0].partition("[")[0]
    if any(root in statements.bound(each) for each in block.body):
        return False
    scope = sources.function(opened) or sources.tree(opened.file)
    if scope is None:
        return False
    bindings = [
        node
        for node in ast.walk(scope)
        if (isinstance(node, ast.Name) and node.id == root and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.arg) and node.arg == root)
    ]
    return not bindings or min(node.lineno for node in bindings) < block.lineno


def resumed(location: Location, last: Location, paused: Location, sources: Sources) -> tuple[Edit, ...]:
    """Take the statements from `location` to `last` out of the block that pauses recording, to stand before it.

    Where nothing would be left in the block, it stands there without its `with`.
    """
    block = sources.statement(paused)
    if not isinstance(block, ast.With) or block.body[0].lineno <= block.lineno:
        return ()
    begins, ends = statements.at(block.body, location), statements.at(block.body, last)
    if begins is None or ends is None:
        return ()
    moving = statements.earlier(block.body, 0, range(begins, ends + 1))
    if not moving:
        return ()
    if len(moving) == len(block.body):
        return statements.opened(paused.file, block, sources) if len(block.items) == 1 else ()
    indent = statements.indentation(paused.file, block.lineno, sources)
    moved = statements.move(paused.file, moving, indent, sources)
    return (
        ()
        if moved is None
        else (
            *moved[0],
            statements.insertion(paused.file, statements.first_line(paused.file, block, sources), moved[1]),
        )
    )

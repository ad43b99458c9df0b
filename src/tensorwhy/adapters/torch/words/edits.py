"""Source edits for what is found in programs that use PyTorch.

Each is empty where the text at the place has another form, or where the file would be no program any more.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from tensorwhy.model.facts.gradient import GradientBreak, NotRecorded
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import last_name, loop_around, node_at, on_line

_OPPOSITE = {ast.Gt: False, ast.GtE: False, ast.Lt: True, ast.LtE: True}
_ALONE = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
_NUMBERS = ("float", "double", "half", "to", "type_as")
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_STEEP = 10
"""How steep a smooth threshold is: the slope of `sigmoid` where the values are about 1."""


def checked(edits: Iterable[Edit | None], sources: Sources) -> tuple[Edit, ...]:
    """Return these edits, if all are there and a program is left."""
    from tensorwhy.fixes.sound import sound  # most runs need no edit

    found = [*edits]
    made = tuple(each for each in found if each is not None)
    return made if len(made) == len(found) and sound(made, sources) else ()


def text_of(node: ast.expr, file: str, sources: Sources) -> str:
    """The source text of an expression."""
    return sources.expression(sources.place(file, node))


def instead(node: ast.expr | ast.stmt | None, file: str, text: str, sources: Sources) -> tuple[Edit, ...]:
    """This text in the place of an expression or a statement."""
    if node is None:
        return ()
    start, end = _span(node, file, sources)
    return checked([Edit(file=file, start=start, end=end, replacement=text)], sources)


def _span(node: ast.expr | ast.stmt, file: str, sources: Sources) -> tuple[Position, Position]:
    at = sources.place(file, node)
    start = Position(line=at.line, column=at.column or 0)
    return start, Position(line=at.end_line or at.line, column=at.end_column or 0)


def within(node: ast.expr, file: str, function: str, sources: Sources) -> tuple[Edit, Edit]:
    """An expression as the argument of a function; it keeps its lines and its comments."""
    start, end = _span(node, file, sources)
    return (
        Edit(file=file, start=start, end=start, replacement=f"{function}("),
        Edit(file=file, start=end, end=end, replacement=")"),
    )


def after(place: Location | None, sources: Sources, *lines: str) -> tuple[Edit, ...]:
    """These lines behind the statement at a place."""
    return _changed(place, sources, lambda tree, statement: tree.after(statement, *lines))


def before(place: Location | None, sources: Sources, *lines: str) -> tuple[Edit, ...]:
    """These lines before the statement at a place."""
    return _changed(place, sources, lambda tree, statement: tree.before(statement, *lines))


def _changed(place: Location | None, sources: Sources, change: Callable[[Any, Any], Edit | None]) -> tuple[Edit, ...]:
    """What becomes of the only statement at a place."""
    from tensorwhy.fixes import syntax

    tree = syntax.tree(place.file, sources) if place is not None else None
    found = tree.statements_at(place) if tree is not None and place is not None else []
    return checked([change(tree, found[0])], sources) if len(found) == 1 else ()


def under(place: Location | None, sources: Sources, head: str) -> tuple[Edit, ...]:
    """The statement at a place inside a `with`."""

    def change(tree: Any, statement: Any) -> Edit | None:
        (first, _), (last, _) = tree.span(statement)
        indent = tree.indentation(statement)
        lines = [sources.line(tree.file, line) for line in range(first, last + 1)]
        if not all(line.startswith(indent) for line in lines) or '"""' in "".join(lines):
            return None
        found: Edit = tree.lines(first, last, [f"{indent}with {head}:", *("    " + line for line in lines)])
        return found

    return _changed(place, sources, change)


def moved_out(fact: GradientBreak, switch: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """The statements that were computed inside the block of a `with`, before it."""
    from tensorwhy.fixes import tape

    if not isinstance(fact, NotRecorded) or fact.location is None or switch is None:
        return ()
    if fact.location.file != switch.file:
        return ()
    return checked(tape.resumed(fact.location, fact.last or fact.location, switch, sources), sources)


def copied(place: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`copy.deepcopy(...)` around the call at a place, and the import that this needs."""
    from tensorwhy.fixes import syntax

    call = call_at(sources, place)
    tree = syntax.tree(place.file, sources) if place is not None else None
    if call is None or tree is None or place is None:
        return ()
    name = tree.spelled("copy.deepcopy") or f"{tree.spelled('copy') or 'copy'}.deepcopy"
    edits: list[Edit | None] = [*within(call, place.file, name, sources)]
    if not tree.spelled("copy.deepcopy") and not tree.spelled("copy"):
        edits.append(tree.importing("import copy"))
    return checked(edits, sources)


def without_arguments(place: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """The call at a place without its arguments."""
    call = call_at(sources, place)
    if call is None or place is None:
        return ()
    return instead(call, place.file, f"{text_of(call.func, place.file, sources)}()", sources)


def unforced(place: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """A result without the call that makes it a leaf: `x` for `x.requires_grad_()` and `Variable(x, ...)`."""
    call = call_at(sources, place)
    if call is None or place is None:
        return ()
    if isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_":
        inner = call.func.value
    elif last_name(call.func) == "Variable" and call.args:
        inner = call.args[0]
    else:
        return ()
    text, statement = text_of(inner, place.file, sources), sources.statement(place)
    removed: tuple[Edit, ...] = ()
    if getattr(statement, "value", None) is call and sources.names(place) in ((), (text,)):
        removed = _changed(place, sources, lambda tree, found: tree.removed(found))
    return removed or instead(call, place.file, text, sources)


def smooth(place: Location | None, sources: Sources) -> tuple[str, tuple[Edit, ...]]:
    """A comparison as a smooth threshold: its text, and the edit where the result is only computed with."""
    node = node_at(place, sources) if place is not None else None
    if place is None or not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in _OPPOSITE:
        return "", ()
    sides = [node.left, node.comparators[0]]
    high, low = reversed(sides) if _OPPOSITE[type(node.ops[0])] else sides
    texts = [text_of(each, place.file, sources) for each in (high, low)]
    texts[1] = texts[1] if isinstance(low, _ALONE) else f"({texts[1]})"
    text = f"torch.sigmoid(({texts[0]} - {texts[1]}) * {_STEEP})"
    return text, instead(node, place.file, text, sources) if _is_made_a_number(node, place.file, sources) else ()


def _is_made_a_number(node: ast.expr, file: str, sources: Sources) -> bool:
    """Return whether a condition is a number at once, as in `(a > b).float()`: then nothing selects with it."""
    return any(
        isinstance(each, ast.Attribute) and each.value is node and each.attr in _NUMBERS for each in sources.nodes(file)
    )


def not_reentrant(place: Location | None, sources: Sources) -> tuple[str, tuple[Edit, ...]]:
    """What to do about a reentrant `checkpoint(...)`: where its arguments say it, or pass on what says it."""
    plain = "pass `use_reentrant=False` to `checkpoint`"
    call = call_at(sources, place)
    if call is None or place is None:
        return plain, ()
    given = next((each.value for each in call.keywords if each.arg == "use_reentrant"), None)
    if isinstance(given, ast.Constant):
        return plain, instead(given, place.file, "False", sources)
    passed = next((ast.unparse(each.value) for each in call.keywords if each.arg is None), "")
    if given is not None:
        return f"give `{ast.unparse(given)}`, which decides `use_reentrant` here, the value False", ()
    if passed:
        told = [value for value in _values_of("use_reentrant", place.file, sources) if value.value is True]
        where = f" on line {told[0].lineno}" if len(told) == 1 else f" in `{passed}`, which this call passes on"
        summary = f"set `use_reentrant` to False{where}"
        return summary, instead(told[0], place.file, "False", sources) if len(told) == 1 else ()
    inner = text_of(call, place.file, sources)
    return plain, instead(call, place.file, f"{inner[:-1].rstrip().removesuffix(',')}, use_reentrant=False)", sources)


def _values_of(key: str, file: str, sources: Sources) -> list[ast.Constant]:
    """The constants that a file gives a key or a keyword."""
    found: list[ast.expr] = []
    for node in sources.nodes(file):
        if isinstance(node, ast.Dict):
            found += [value for name, value in zip(node.keys, node.values) if getattr(name, "value", None) == key]
        elif isinstance(node, ast.keyword) and node.arg == key:
            found.append(node.value)
    return [each for each in found if isinstance(each, ast.Constant)]


def new_tensor(place: Location | None, sources: Sources) -> tuple[str, tuple[Edit, ...]] | None:
    """What to write for a change in place of a name or attribute that the function itself has bound."""
    statement = sources.statement(place) if place is not None else None
    if place is None or statement is None:
        return None
    target: ast.expr | None = statement.target if isinstance(statement, ast.AugAssign) else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    if isinstance(target, ast.Subscript) and _is_own(target.value, place, sources):
        name = text_of(target.value, place.file, sources)
        line = f"{name} = {name}.clone()"
        return f"change a copy: `{line}` before this line", before(place, sources, line)
    if isinstance(statement, ast.AugAssign) and target is not None and _is_own(target, place, sources):
        sign = _SIGNS.get(type(statement.op), "")
        name, value = (text_of(each, place.file, sources) for each in (target, statement.value))
        value = value if isinstance(statement.value, _ALONE) else f"({value})"
        line = f"{name} = {name} {sign} {value}"
        return (f"make a new tensor: `{line}`", instead(statement, place.file, line, sources)) if sign else None
    return None


def _is_own(node: ast.expr, place: Location, sources: Sources) -> bool:
    """Return whether no caller sees what a name stands for: it is no parameter of the function."""
    function = sources.function(place)
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    arguments = function.args if function is not None else None
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if arguments is not None else []
    return node.id not in [each.arg for each in given]


def keeping(made: Location | None, name: str, asked: Location | None, sources: Sources) -> tuple[Location | None, str]:
    """The statement behind which a result is cut that one step hands on to the next, and what it is called there.

    An attribute is cut where it is set. A name is cut where an attribute is set to it, or behind the `backward()` of
    the same function.
    """
    function = sources.function(made) if made is not None else None
    if made is None or not name:
        return None, name
    if "." in name or "[" in name:
        return (None if _within_a_step(made, asked, sources) else made), name
    for node in ast.walk(function) if function is not None else ():
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and node.lineno >= made.line:
            target, value = node.targets[0], node.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = [*zip(target.elts, value.elts)]
            for kept, given in pairs:
                if (
                    isinstance(kept, (ast.Attribute, ast.Subscript))
                    and isinstance(given, ast.Name)
                    and given.id == name
                ):
                    at = sources.place(made.file, node)
                    return (None if _within_a_step(at, asked, sources) else at), ast.unparse(kept)
    same = asked is not None and asked.file == made.file and sources.function(asked) is function
    return (asked if same and asked is not None and asked.line > made.line else None), name


def _within_a_step(place: Location, asked: Location | None, sources: Sources) -> bool:
    """Return whether a loop is around a place that runs within each step: there a cut would end the gradient early."""
    loop = loop_around(place, sources)
    return loop is not None and not (asked is not None and asked.file == place.file and on_line(loop, asked.line))

"""The lines of a loop variable: where it got its value before the loop, and where the loop's body changes it."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import msgspec

from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import failed_node, mapped_calls, signatures
from tensorwhy.model.facts.loops import Shape
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """`literal` is the text of a plain number that the variable began with."""

    name: str
    before: Location | None = None
    changed: Location | None = None
    literal: str = ""


def of_statement(
    statement: Location, name: str, value: Any, sources: Sources, user: UserCode, branch: str = ""
) -> Lines:
    """Of a `for`, `while` or `if` in the user's source. `value` is what the variable holds after it."""
    node = _compound_at(statement, sources)
    earlier = reading.last_assignment(name, statement, sources)
    literal = _number(reading.assigned_value(earlier, name))
    before = reading.place(earlier, statement, sources) if earlier is not None else None
    return Lines(
        name=name,
        before=before,
        changed=_changing(node, name, value, statement, sources, user, branch),
        literal=literal,
    )


def _compound_at(statement: Location, sources: Sources) -> ast.For | ast.While | ast.If | None:
    for node in reading.nodes_at(statement, sources):
        if isinstance(node, (ast.For, ast.While, ast.If)) and node.lineno == statement.line:
            return node
    return None


def _changing(
    node: ast.For | ast.While | ast.If | None,
    name: str,
    value: Any,
    statement: Location,
    sources: Sources,
    user: UserCode,
    branch: str,
) -> Location | None:
    if node is None:
        return None
    body = node.orelse if branch == "else" else node.body
    block = ast.Module(body=list(body), type_ignores=[])
    bound = list(reading.assignments(block, name))
    made = made_at(value, user)
    for line in reversed(made):
        if line.file == statement.file:
            for each in bound:
                if reading.on_line(each, line.line):
                    return reading.place(each, statement, sources)
    return reading.place(bound[-1], statement, sources) if bound else None


def made_at(value: Any, user: UserCode) -> tuple[Location, ...]:
    """The user's lines that made a symbolic tensor, outermost first; through the identities that loops add."""
    operation = getattr(value, "op", None) if not hasattr(value, "numpy") else None
    if operation is None:
        return ()
    for _ in range(5):
        if operation.type != "Identity" or not operation.inputs:
            break
        operation = operation.inputs[0].op
    return failed_node.origin(operation, user).user


def _number(node: ast.expr | None) -> str:
    """The text of a plain number or truth value; empty for anything else."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float)):
        return ast.unparse(node)  # type: ignore[arg-type]
    return ""


def of_call(
    call: ast.Call | None,
    at: Location,
    position: int,
    body: Any,
    value: Any,
    sources: Sources,
    user: UserCode,
    *,
    function: tuple[int, str] = (1, "body"),
    variables: tuple[int, str] = (2, "loop_vars"),
    together: bool = False,
    whole: bool = False,
    path: tuple[Any, ...] = (),
) -> Lines:
    """Of a call such as `tf.while_loop(cond, body, loop_vars)`: the variable at a position of `loop_vars`.

    `together` says that the body takes all variables in its first parameter, as it does for `tf.scan`; `whole` that all
    of them together are meant. `path` are the keys that lead from a variable with a structure of its own to the part
    that is meant.
    """
    given = reading.argument(call, *variables) if call is not None else None
    initial = given if whole else _element(given, position)
    if isinstance(given, ast.Name) and not whole:
        written = reading.assigned_value(reading.last_assignment(given.id, at, sources), given.id)
        initial = _element(written, position) if isinstance(written, (ast.List, ast.Tuple)) else initial
    tree, where = mapped_calls.definition(
        reading.argument(call, *function) if call is not None else None, at, sources, user, body
    )
    outside = ast.unparse(initial) if isinstance(initial, ast.Name) else ""
    one_of_many = together and initial is not given
    name = (_unpacked(tree, position) or outside) if one_of_many else _parameter(tree, position) or outside
    initial = _part(initial, path)
    name = f"{name}{''.join(f'[{key!r}]' for key in path)}" if name else ""
    changed = None
    if tree is not None and where is not None:
        values = reading.returns(tree)
        values = tuple(each for each in values if _may_be(each, value)) if whole and len(values) > 1 else values
        element = values[0] if whole and len(values) == 1 else None
        element = element or _part(_element(values[0], position), path) if len(values) == 1 else None
        if isinstance(element, ast.Name) and not isinstance(tree, ast.Lambda):
            bound = list(reading.assignments(tree, element.id))
            element = bound[-1] if bound else element  # type: ignore[assignment]
        if element is not None:
            changed = reading.place(element, where, sources)
    if changed is None and (made := made_at(value, user)) and made[-1].line != at.line:
        changed = reading.exact(made[-1], sources)
    literal, before = _number(initial), None
    initial = _converted(initial)
    if isinstance(initial, ast.Name):
        earlier = reading.last_assignment(initial.id, at, sources)
        literal = _number(reading.assigned_value(earlier, initial.id))
        before = reading.place(earlier, at, sources) if earlier is not None else None
    elif initial is not None:
        before = reading.place(initial, at, sources)
    return Lines(name=name, before=before, changed=changed, literal=literal)


_AS_IT_IS = ("convert_to_tensor", "constant", "identity")


def _converted(node: ast.expr | None) -> ast.expr | None:
    """The name that is only made a tensor of, as it is."""
    plain = (
        isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and reading.callee(node) in _AS_IT_IS
    )
    return node.args[0] if plain and isinstance(node.args[0], ast.Name) else node  # type: ignore[union-attr]


def _may_be(node: ast.expr, value: Any) -> bool:
    """Return whether a returned expression can have given this structure, as far as it is written out."""
    if not isinstance(node, (ast.List, ast.Tuple)) or any(isinstance(each, ast.Starred) for each in node.elts):
        return True
    return isinstance(value, (list, tuple)) and len(value) == len(node.elts)


def _element(node: ast.expr | None, position: int) -> ast.expr | None:
    if isinstance(node, (ast.List, ast.Tuple)):
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return None
        return node.elts[position] if 0 <= position < len(node.elts) else None
    return node if position == 0 else None


def _part(node: ast.expr | None, path: tuple[Any, ...]) -> ast.expr | None:
    """What a literal of a list, tuple or dictionary has under these keys; None where that cannot be read."""
    for key in path:
        if isinstance(node, ast.Dict):
            constants = [each.value if isinstance(each, ast.Constant) else None for each in node.keys]
            node = node.values[constants.index(key)] if key in constants and None not in constants else None
        else:
            node = _element(node, key) if isinstance(node, (ast.List, ast.Tuple)) and isinstance(key, int) else None
    return node


def _unpacked(tree: ast.AST | None, position: int) -> str:
    """The name that a function gives a part of its first parameter: `total, count = state`."""
    first = _parameter(tree, 0)
    for each in getattr(tree, "body", []) if first and isinstance(tree, ast.FunctionDef) else ():
        target = each.targets[0] if isinstance(each, ast.Assign) and len(each.targets) == 1 else None
        if isinstance(target, ast.Tuple) and isinstance(each.value, ast.Name) and each.value.id == first:
            part = target.elts[position] if position < len(target.elts) else None
            return part.id if isinstance(part, ast.Name) else ""
    return ""


def _parameter(tree: ast.AST | None, position: int) -> str:
    if not isinstance(tree, (ast.FunctionDef, ast.Lambda)):
        return ""
    names = [each.arg for each in (*tree.args.posonlyargs, *tree.args.args)]
    names = names[1:] if names[:1] == ["self"] else names
    return names[position] if 0 <= position < len(names) else ""


def loosened(entry: Shape | None, exit_: Shape | None) -> str:
    """The shape that both have, as source text: `[None, 2]`, or `None` when the ranks differ."""
    if entry is None or exit_ is None or len(entry) != len(exit_):
        return "None"
    common = tuple(one if one == other else None for one, other in zip(entry, exit_, strict=True))
    return signatures.shape_text(common)


def loosened_but_first(name: str, entry: Shape | None, exit_: Shape | None) -> str:
    """The same for a variable of this name, whose first axis keeps the size that it has in each trace: the batch."""
    return with_batch(name, entry, loosened(entry, exit_))


def with_batch(name: str, shape: Shape | None, text: str) -> str:
    """A loosened shape with the size of the first axis read from a variable, where it stays, and others do not."""
    size = shape[0] if shape else None
    kept = size is not None and size > 1 and text.startswith(f"[{size},") and "None" in text
    return text.replace(f"[{size}", f"[{name}.shape[0]", 1) if kept and name.isidentifier() else text


def operands(way: Stack) -> list[Any]:
    """Inputs of the operation that could not be built which must have one dtype, from the innermost library frames."""
    inside: list[Frame] = []
    for step in reversed(way.frames):
        if step.user:
            break
        inside.append(step)
    found: list[Any] = []
    for step, outer in itertools.pairwise(inside):
        if step.name == "apply_op_helper":
            found += _of_one_type(step, outer)
        elif outer.name in ("binary_op_wrapper", "r_binary_op_wrapper"):
            found += [outer.local("x"), outer.local("y")]
    return found


def _of_one_type(step: Frame, maker: Frame) -> list[Any]:
    """The arguments of a generated operation function that its definition ties to one type attribute."""
    definition = step.local("op_def")
    if definition is None:
        from tensorflow.python.framework import op_def_registry

        definition = op_def_registry.get(step.local("op_type_name") or "")
    inputs: dict[str, list[Any]] = {}
    for argument in definition.input_arg if definition is not None else ():
        value = maker.local(argument.name)
        if argument.type_attr and value is not None:
            several = isinstance(value, (list, tuple))
            inputs.setdefault(argument.type_attr, []).extend(value if several else [value])
    return [each for group in inputs.values() if len(group) > 1 for each in group]


def mismatched(initial: Any, entered: Any, operands: list[Any]) -> str:
    """The dtype of the operand that does not go with a loop variable which began as a plain number."""
    if isinstance(initial, bool) or not isinstance(initial, (int, float)):
        return ""
    if not any(_computed_from(each, entered) for each in operands):
        return ""
    own = signatures.dtype_name(entered)
    for each in operands:
        other = signatures.dtype_name(each) if hasattr(each, "dtype") else "float32" if type(each) is float else ""
        if other and other != own:
            return other
    return ""


_STEPS = 50


def _computed_from(operand: Any, entered: Any) -> bool:
    """Return whether an operand is a loop variable, or is computed from it and kept its dtype on the way."""
    waiting, seen = [operand], 0
    while waiting and seen < _STEPS:
        tensor = waiting.pop()
        if tensor is entered:
            return True
        seen += 1
        if not hasattr(tensor, "numpy") and hasattr(tensor, "op") and tensor.dtype == entered.dtype:
            waiting.extend(tensor.op.inputs)
    return False

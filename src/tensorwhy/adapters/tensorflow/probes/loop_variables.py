"""Loop variables of AutoGraph's `for` and `while` that are not the same after an iteration.

TensorFlow checks them while it traces the loop's body once. The frames of those checks hold the variable, its value on
entry and its value after the iteration.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import failed_node, loop_lines, own_values, signatures
from tensorwhy.adapters.tensorflow.failures.loop_lines import Lines
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange, PythonAccumulator
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_AUTOGRAPH = "autograph/operators/control_flow.py"
_LOOPS = ("for_stmt", "while_stmt")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The variable of a traced loop that is not the same after an iteration."""
    way = live.joined()
    fact = _AutographLoop(live, way).fact() or _never_ran(live, way)
    return (fact,) if fact is not None else ()


class _AutographLoop:
    """A Python `for` or `while` that AutoGraph made into a While of the graph."""

    def __init__(self, live: LiveFailure, way: Stack) -> None:
        self.live, self.way, self.sources = live, way, Sources()

    def fact(self) -> Fact | None:
        checked = self.way.first("verify_single_loop_var", _AUTOGRAPH)
        if checked is not None:
            return self._single(*checked)
        checked = self.way.first("verify_tf_loop_vars", _AUTOGRAPH)
        if checked is not None:
            return self._structure(*checked)
        checked = self.way.first("verify_loop_init_vars", _AUTOGRAPH)
        if checked is not None:
            return self._undefined(*checked)
        for index, step in self.way.find(("aug_body", "main_path")):
            if step.local("symbol_names") is not None:
                return self._arithmetic(index, step)
        tried = self.way.first("try_handling_undefineds", _AUTOGRAPH)
        return self._given(*tried) if tried is not None else None

    def _statement(self, index: int) -> tuple[str, Location] | None:
        for position, step in self.way.find(_LOOPS, _AUTOGRAPH):
            if position < index:
                caller = self.way.caller(position)
                if caller is not None and caller.location is not None:
                    return step.name.removesuffix("_stmt"), caller.location
        return None

    def _lines(self, statement: Location, name: str, value: Any) -> Lines:
        return loop_lines.of_statement(statement, name, value, self.sources, self.live.user)

    def _single(self, index: int, step: Frame) -> Fact | None:
        found = self._statement(index)
        if found is None:
            return None
        construct, statement = found
        name, init, entry, exit_ = (step.local(each) for each in ("name", "init", "entry", "exit_"))
        lines = self._lines(statement, name, exit_)
        common: dict[str, Any] = {
            "construct": construct,
            "statement": statement,
            "variable": name,
            "before": lines.before,
            "changed": lines.changed,
        }
        if exit_ is None:
            return LoopStructureChange(problem="none", expected=signatures.describe(entry), **common)
        before, after = signatures.dtype_name(entry), signatures.dtype_name(exit_)
        if before != after:
            return LoopStructureChange(problem="dtype", expected=before, got=after, literal=lines.literal, **common)
        invariant = step.local("shape_invariant")
        shapes = signatures.shape_of(entry if invariant is None else init), signatures.shape_of(exit_)
        initial = invariant is not None and not _within(shapes[0], signatures.shape_of(invariant))
        return LoopShapeChange(
            problem="initial" if initial else "changes",
            entry=shapes[0],
            exit=shapes[1],
            invariant=signatures.shape_of(invariant) if invariant is not None else None,
            declared=invariant is not None,
            declaration=""
            if self._distributed()
            else f"tf.autograph.experimental.set_loop_options(shape_invariants=["
            f"({name}, tf.TensorShape({loop_lines.loosened_but_first(name, *shapes)}))])",
            **common,
        )

    def _distributed(self) -> bool:
        """A loop over a distributed dataset is a reduction of it, which knows of no declared shapes."""
        return self.way.first("tf_distributed_iterable_for_stmt", _AUTOGRAPH) is not None

    def _structure(self, index: int, step: Frame) -> Fact | None:
        found = self._statement(index)
        name, init, exit_ = (step.local(each) for each in ("name", "init", "exit_"))
        if found is None or not isinstance(name, str):
            return None
        construct, statement = found
        lines = self._lines(statement, name, exit_)
        if _grown(init, exit_):
            return PythonAccumulator(
                container=name,
                kind="dict" if isinstance(exit_, dict) else "list",
                problem="grown",
                construct=construct,
                filled=lines.changed,
                created=lines.before,
                loop=statement,
                length=len(exit_),
            )
        return LoopStructureChange(
            construct=construct,
            statement=statement,
            problem="structure",
            variable=name,
            before=lines.before,
            changed=lines.changed,
            expected=signatures.describe(init),
            got=signatures.describe(exit_),
        )

    def _undefined(self, index: int, step: Frame) -> Fact | None:
        found = self._statement(index)
        name, value, after = (step.local(each) for each in ("name", "val", "fi_val"))
        if found is None or not isinstance(name, str):
            return None
        construct, statement = found
        if type(value).__name__ == "UndefinedReturnValue":
            loop = reading.loop_at(statement, self.sources)
            leaves = reading.leaving_returns(loop) if loop is not None else ()
            return LoopStructureChange(
                construct=construct,
                statement=statement,
                problem="return-in-loop",
                changed=reading.place(leaves[0], statement, self.sources) if leaves else None,
                got=signatures.describe(after) if after is not None else "",
            )
        lines = self._lines(statement, name, after)
        return LoopStructureChange(
            construct=construct,
            statement=statement,
            problem="none" if value is None else "undefined",
            variable=name,
            before=lines.before,
            changed=lines.changed,
            got=signatures.describe(after) if after is not None else "",
        )

    def _given(self, index: int, step: Frame) -> Fact | None:
        """To learn what a variable will be that begins as None, the body is tried with None, and hands it on."""
        names, initial, found = step.local("symbol_names"), step.local("init_vars"), self._statement(index)
        inside, last = self.way.below(index), self.way.frames[-1].frame
        arguments = last.f_code.co_varnames[: last.f_code.co_argcount]
        if (
            not inside
            or inside[0].location is None
            or not any(last.f_locals.get(each, 0) is None for each in arguments)
        ):
            return None
        given = {
            argument.id
            for node in reading.nodes_at(inside[0].location, self.sources)
            if isinstance(node, ast.Call)
            for argument in (*node.args, *(each.value for each in node.keywords))
            if isinstance(argument, ast.Name)
        }
        name = next((each for each, value in zip(names, initial, strict=False) if value is None and each in given), "")
        if not name or found is None:
            return None
        construct, statement = found
        return LoopStructureChange(
            construct=construct,
            statement=statement,
            problem="none",
            variable=name,
            before=self._lines(statement, name, None).before,
            changed=reading.exact(inside[0].location, self.sources),
        )

    def _arithmetic(self, index: int, step: Frame) -> Fact | None:
        """`total = 0` before, `total + 0.5` inside: the loop made an integer tensor of the plain number."""
        names, initial, entered = (step.local(each) for each in ("symbol_names", "init_vars", "loop_vars"))
        if not isinstance(names, tuple) or not isinstance(entered, tuple) or not isinstance(initial, tuple):
            return None
        entered = entered[len(entered) - len(names) :]
        operands = loop_lines.operands(self.way)
        for name, init, value in zip(names, initial, entered, strict=False):
            other = loop_lines.mismatched(init, value, operands)
            found = self._statement(index)
            if other and found is not None:
                construct, statement = found
                inside = [each for each in self.way.below(index) if each.location is not None]
                lines = self._lines(statement, name, None)
                loop, failed = reading.loop_at(statement, self.sources), inside[0].location if inside else None
                return LoopStructureChange(
                    construct=construct,
                    statement=statement,
                    problem="dtype" if own_values.of_loop(loop, failed, name) else "operand",
                    variable=name,
                    before=lines.before,
                    changed=reading.exact(inside[-1].location, self.sources) if inside else lines.changed,
                    expected=signatures.dtype_name(value),
                    got=other,
                    literal=lines.literal or repr(init),
                )
        return None


def _within(shape: Any, invariant: Any) -> bool:
    if invariant is None or shape is None:
        return invariant is None
    return len(shape) == len(invariant) and all(
        known is None or known == own for own, known in zip(shape, invariant, strict=True)
    )


def _grown(before: Any, after: Any) -> bool:
    """Return whether a Python container has more in it after one iteration."""
    kinds = (list, dict, tuple)
    return (
        isinstance(before, kinds)
        and isinstance(after, type(before))
        and not hasattr(after, "_fields")
        and len(after) > len(before)
    )


def _never_ran(live: LiveFailure, way: Stack) -> Fact | None:
    """A loop over nothing: AutoGraph asserts that a variable which only the body sets was set."""
    found = failed_node.failed(live.exceptions, way)
    if found is None or found[0].type != "Assert":
        return None
    made = failed_node.origin(found[0], live.user)
    if made.location is None or not made.through("tf_while_stmt", _AUTOGRAPH):
        return None
    sources = Sources()
    loop = reading.loop_at(made.location, sources)
    name = _asserted(found[0])
    changed = None
    if loop is not None and name:
        bound = list(reading.assignments(loop, name))
        changed = reading.place(bound[0], made.location, sources) if bound else None
    return LoopStructureChange(
        construct="while" if type(loop).__name__ == "While" else "for",
        statement=made.location,
        problem="never-ran",
        variable=name,
        changed=changed,
    )


def _asserted(operation: Any) -> str:
    """The variable's name: AutoGraph keeps it only in the text of its assertion."""
    from tensorflow.python.framework import tensor_util

    for each in operation.inputs[1:]:
        value = tensor_util.constant_value(failed_node.through_captures(each))
        text = value.item() if value is not None and value.size == 1 else b""
        if isinstance(text, bytes) and b"initialize " in text:
            return text.decode().rsplit("initialize ", 1)[1].split(",")[0].strip()
    return ""

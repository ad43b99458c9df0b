"""One call of `tf.while_loop`, `tf.scan` or a fold, and how what changed in it is told: name, lines, shapes, dtypes."""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import loop_calls, loop_lines, signatures
from tensorwhy.adapters.tensorflow.failures.loop_lines import Lines
from tensorwhy.adapters.tensorflow.failures.signatures import listed
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_ARGUMENTS = {
    "while_loop": ((1, "body"), (2, "loop_vars")),
    "scan": ((0, "fn"), (2, "initializer")),
    "foldl": ((0, "fn"), (2, "initializer")),
    "foldr": ((0, "fn"), (2, "initializer")),
}


class ChangedLoop:
    """`step` is the call of `construct`, at `index` of `way`; `inside` are the steps below it, `body` its function.

    `call` and `statement` are what the user wrote, as far as its source can be read.
    """

    def __init__(self, live: LiveFailure, way: Stack, construct: str, index: int, step: Frame) -> None:
        self.live, self.way, self.construct, self.index, self.step = live, way, construct, index, step
        self.sources = Sources()
        caller = way.caller(index)
        assert caller is not None
        self.caller = caller.location
        found = reading.named_call(self.caller, self.sources, construct)
        self.call: ast.Call | None = None if found is None else found[0]
        self.statement = self.caller if found is None else found[1]
        self.inside = way.frames[index + 1 :]
        self.body = loop_calls.given(way, index, "body" if construct == "while_loop" else "fn")

    def frame(self, *names: str) -> Frame | None:
        return next((step for step in reversed(self.inside) if step.name in names), None)

    def flat(self, position: int, value: Any) -> Lines:
        """Of one of the tensors that the loop variables consist of."""
        parts = self.parts()
        if not 0 <= position < len(parts):
            return self.lines(position, value)
        index, *path = parts[position][0]
        return self.lines(index, value, tuple(path))

    def parts(self) -> list[tuple[tuple[Any, ...], Any]]:
        """Each tensor or array of the loop variables, with the keys that lead to it; of composites each component."""
        from tensorflow.python.util import nest

        variables = listed(self.step.local("loop_vars" if self.construct == "while_loop" else "initializer")) or []
        found = []
        for path, whole in nest.flatten_with_tuple_paths(variables):
            found += [(path, whole)] * len(nest.flatten(whole, expand_composites=True))
        return found

    def lines(self, position: int, value: Any, path: tuple[Any, ...] = (), whole: bool = False) -> Lines:
        function, variables = _ARGUMENTS[self.construct]
        return loop_lines.of_call(
            self.call,
            self.statement,
            position,
            self.body,
            value,
            self.sources,
            self.live.user,
            function=function,
            variables=variables,
            together=self.construct != "while_loop",
            whole=whole,
            path=path,
        )

    def shape_change(self, position: int, before: Any, after: Any, declared: Any) -> LoopShapeChange:
        lines = self.flat(position, after)
        shapes = signatures.shape_of(before), signatures.shape_of(after)
        return LoopShapeChange(
            construct=self.construct,
            statement=self.statement,
            variable=lines.name,
            entry=shapes[0],
            exit=shapes[1],
            invariant=signatures.shape_of(declared),
            declared=self.step.local("shape_invariants") is not None,
            before=lines.before,
            changed=lines.changed,
            element=self._element(),
            declaration=self._declaration(position, loop_lines.loosened(*shapes)),
        )

    def _element(self) -> int | None:
        """Eagerly the counter of a scan or fold has a value: the element that the function was called with."""
        compute = self.frame("compute")
        counter: Any = compute.local("i") if compute is not None and self.construct != "while_loop" else None
        return int(counter) if isinstance(counter, int) or hasattr(counter, "numpy") else None

    def _declaration(self, position: int, loosened: Any) -> str:
        """What would allow the change: one shape for each loop variable."""
        if self.construct != "while_loop":
            return ""
        given = self.step.local("loop_vars")
        variables = listed(given) or []
        if position >= len(variables) or not all(hasattr(each, "shape") for each in variables):
            return f"shape_invariants=[..., tf.TensorShape({loosened}), ...]"
        names = self._names(len(variables))
        shapes = [signatures.shape_of(each) for each in variables]
        texts = []
        for name, shape in zip(names, shapes, strict=True):
            is_batch = name and shape and (shape[0] or 0) > 1
            texts.append(f"tf.TensorShape({f'{name}.shape' if is_batch else loop_lines.loosened(shape, shape)})")
        texts[position] = f"tf.TensorShape({loop_lines.with_batch(names[position], shapes[position], loosened)})"
        inside = ", ".join(texts)
        if type(given) is tuple:  # TensorFlow wants the same kind of sequence for both
            return f"shape_invariants=({inside}{',' if len(shapes) == 1 else ''})"
        return f"shape_invariants=[{inside}]"

    def _names(self, count: int) -> list[str]:
        """The names of the loop variables outside of the loop, where the call gives names; the sizes of a batch are
        read from these, and not written down."""
        argument = reading.argument(self.call, 2, "loop_vars") if self.call is not None else None
        parts = argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else []
        if len(parts) != count:
            return [""] * count
        return [each.id if isinstance(each, ast.Name) else "" for each in parts]

    def structure_change(self, problem: Any, position: int, value: Any, **fields: Any) -> LoopStructureChange:
        lines = fields.pop("lines", None) or self.lines(position, value)
        return LoopStructureChange(
            construct=self.construct,
            statement=self.statement,
            problem=problem,
            variable=lines.name,
            before=lines.before,
            changed=lines.changed,
            element=self._element(),
            literal=fields.pop("literal", lines.literal),
            **fields,
        )

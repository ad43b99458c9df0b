"""The state of `Dataset.reduce`, which comes out of the function as something else than it went in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import loop_lines, mapped_calls, own_values, signatures
from tensorwhy.adapters.tensorflow.failures.loop_lines import Lines
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopStructureChange
from tensorwhy.model.location import Location
from tensorwhy.recording import reading
from tensorwhy.recording.sources import Sources

_FUNCTION = (1, "reduce_func")
_STATE = (0, "initial_state")
Path = tuple[Any, ...]


def probe(live: LiveFailure) -> Iterable[Fact]:
    """A part of the state whose dtype the function changes, or that it puts a float to."""
    way = live.joined()
    found = way.first("reduce", "data/ops/dataset_ops.py")
    caller = way.caller(found[0]) if found is not None else None
    if found is None or caller is None or caller.location is None:
        return ()
    call = reading.call_at(caller.location, Sources(), "reduce")
    fact = _State(live, way, *found, call, caller.location).fact()
    return (fact,) if fact is not None else ()


class _State:
    def __init__(self, live: LiveFailure, way: Stack, index: int, step: Frame, call: Any, caller: Location) -> None:
        self.live, self.way, self.index, self.step, self.sources = live, way, index, step, Sources()
        self.call: ast.Call | None = None if call is None else call[0]
        self.statement: Location = caller if call is None else call[1]

    def fact(self) -> Fact | None:
        return self._joined() if self.way.below(self.index) else self._returned()

    def _joined(self) -> Fact | None:
        """An operation of the function refuses to join a whole number of the state with something else."""
        helper = self.way.first("wrapper_helper", "data/ops/structured_function.py")
        given = helper[1].local("nested_args") if helper is not None else None
        if not isinstance(given, tuple) or not given:
            return None
        operands, inside = loop_lines.operands(self.way), self.way.below(self.index)
        for path, value in _parts(given[0]):
            whole = signatures.dtype_name(value).startswith("int")
            other = loop_lines.mismatched(0, value, operands) if whole else ""
            if other:
                lines, failed = self._lines(path, None), inside[0].location
                own = own_values.of_function(self._function(), failed, path[0] if path else 0, lines.name)
                problem = "dtype" if own else "operand"
                return self._change(problem, lines, signatures.dtype_name(value), other, failed or lines.changed)
        return None

    def _returned(self) -> Fact | None:
        """TensorFlow compares the dtypes that the function gives with those of the state."""
        types, function = self.step.local("state_types"), self.step.local("wrapped_func")
        given = getattr(function, "output_types", None)
        if types is None or given is None:
            return None
        for (path, before), (_, after) in zip(_parts(types), _parts(given), strict=False):
            if before != after:
                lines = self._lines(path, None)
                return self._change("dtype", lines, before.name, after.name, lines.changed)
        return None

    def _function(self) -> Any:
        written = reading.argument(self.call, *_FUNCTION) if self.call is not None else None
        function = self.step.local("reduce_func")
        return mapped_calls.definition(written, self.statement, self.sources, self.live.user, function)[0]

    def _lines(self, path: Path, value: Any) -> Lines:
        position, path = (path[0], path[1:]) if path and isinstance(path[0], int) else (0, path)
        return loop_lines.of_call(
            self.call,
            self.statement,
            position,
            self.step.local("reduce_func"),
            value,
            self.sources,
            self.live.user,
            function=_FUNCTION,
            variables=_STATE,
            together=True,
            path=path,
        )

    def _change(
        self, problem: Any, lines: Lines, expected: str, got: str, changed: Location | None
    ) -> LoopStructureChange:
        return LoopStructureChange(
            construct="reduce",
            statement=self.statement,
            problem=problem,
            variable=lines.name,
            before=lines.before,
            changed=reading.exact(changed, self.sources),
            expected=expected,
            got=got,
            literal=lines.literal,
        )


def _parts(structure: Any) -> Iterator[tuple[Path, Any]]:
    from tensorflow.python.util import nest

    yield from nest.flatten_with_tuple_paths(structure)

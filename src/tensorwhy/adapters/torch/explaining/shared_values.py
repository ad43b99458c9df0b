"""Parameters that change between two steps because a value read with `.data` or `detach()` shares their memory.

A program that means to change a parameter throws the result of the in-place operation away, or stores it. Here the
result is used as a new value, somewhere else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.torch.operations.rules import STORE
from tensorwhy.adapters.torch.seen import Reader, reference
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import TensorRef
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.answers.calls import call_at

_ARITHMETIC = frozenset({"add_", "sub_", "mul_", "div_", "pow_", "neg_", "exp_", "log_", "sqrt_", "sigmoid_", "tanh_"})
"""What shifts a value each time that it is done. Others put it into bounds, or set it anew."""


class SharedValues(Reader):
    """Reads what was stored in parameters between steps."""

    def facts(self) -> Iterator[Observed]:
        """One fact for each parameter that changes by mistake."""
        shared, told = self._session.recorder.shared, set[int]()
        for number, row in shared.items():
            event = self._session.journal.event(row)
            leaf = event.inputs[0]
            state = self._trained_around(leaf, row)
            if leaf in told or state is None or not self._is_value(event) or not self._is_used(number, leaf, row):
                continue
            told.add(leaf)
            yield self._changed(event, leaf, state)

    def _trained_around(self, leaf: int, row: int) -> State | None:
        """The optimizer that makes steps with a parameter before and after a row."""
        for state in self._session.training.states.values():
            rows = state.step_rows
            if leaf in state.members.values() and rows and rows[0] <= row < rows[-1]:
                return state
        return None

    def _is_value(self, event: Event) -> bool:
        """Whether the program takes the result of an in-place operation as a value."""
        location = self._at(event.place)
        if self._name(event) not in _ARITHMETIC or location is None:
            return False
        statement = self._sources.statement(location)
        if isinstance(statement, ast.Return):
            return not location.function.endswith("_")  # a name like those of in-place operations
        call = call_at(self._sources, location)
        if not isinstance(statement, ast.Assign) or call is None or not isinstance(call.func, ast.Attribute):
            return False
        return ast.unparse(_root(call)) not in map(ast.unparse, statement.targets)

    def _is_used(self, number: int, leaf: int, row: int) -> bool:
        """Whether something was computed of that result, and none of it was stored in the parameter."""
        made = {number}
        used = False
        for event in self._session.journal.events(row):
            if event.kind > j.RECORDED and event.kind != j.EXIT:
                continue
            if not made.intersection(event.inputs):
                continue
            if self._session.journal.names[event.name].startswith(STORE):
                if event.inputs[0] == leaf:
                    return False
                continue
            used = True
            made.update(event.outputs)
        return used

    def _changed(self, event: Event, leaf: int, state: State) -> Observed:
        known = self._session.lineage().rules.variables.get(leaf)
        made = known.created if known is not None else None
        name = (known.name if known is not None else "") or (self._sources.name(made) if made is not None else "")
        what = f"`{name}`" if name else "a parameter"
        chain = self._session.journal.chain(event.place)
        location: Location | None = chain[0].location if chain else None
        operations = [name for name in self._beside(event) if name.endswith("_")]
        said = " and ".join(f"`{name}`" for name in operations)
        source = reference(known, name) if known is not None else TensorRef(kind="variable")
        return say(
            "shares-memory",
            location,
            {"call": chain[1].location if len(chain) > 1 else None, "step": self._at(state.place)},
            [source],
            name=what,
            kind=state.kind,
            operations=said,
            said=f"{said} {'work' if len(operations) > 1 else 'works'}",
            instead=" and ".join(f"`{name.rstrip('_')}`" for name in operations),
        )

    def _beside(self, event: Event) -> dict[str, None]:
        """The operations of the same line that change the same parameter."""
        rows = map(self._session.journal.event, self._session.recorder.shared.values())
        at = self._line(event)
        return dict.fromkeys(
            self._name(each) for each in rows if each.inputs[0] == event.inputs[0] and self._line(each) == at
        )

    def _line(self, event: Event) -> tuple[str, int]:
        location = self._at(event.place)
        return (location.file, location.line) if location is not None else ("", 0)

    def _name(self, event: Event) -> str:
        return self._op(event).removeprefix(STORE)


def _root(call: ast.Call) -> ast.expr:
    """What a chain of calls of methods begins with."""
    found: ast.expr = call
    while isinstance(found, (ast.Call, ast.Attribute)):
        inner = found.func if isinstance(found, ast.Call) else found.value
        if isinstance(found, ast.Attribute) and not isinstance(inner, ast.Call):
            return found.value if found.attr.endswith("_") else found
        found = inner
    return found

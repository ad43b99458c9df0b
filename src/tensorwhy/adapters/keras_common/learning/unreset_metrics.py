"""Metrics of a loop of the program that are read after each pass over a dataset, and never reset.

What is looked at is how far each metric has counted when a loop begins the same dataset again: 0, n, 2n. That it is
read once for each pass, the source says.
"""

from __future__ import annotations

import ast
import math
import sys
import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_COUNT = "count"
_PASSES = 3
_MOST = 64
guarded = Bulkhead()


class _Loop:
    """`counts` has what each counter held at the beginning of a pass, by the id of its variable."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = weakref.ref(dataset)
        self.counts: list[dict[int, float]] = []
        self.counters: dict[int, weakref.ref[Any]] = {}


_LOOPS: dict[tuple[CodeType, int], _Loop] = {}
_TOLD: set[Location] = set()
_WATCHED: list[type] = []


def clear() -> None:
    """Forget what was seen."""
    _LOOPS.clear()
    _TOLD.clear()
    guarded.failure = ""


def watch(user: UserCode) -> Iterator[Callable[[], None]]:
    """Watch where datasets are iterated, once for all generations of Keras; yields what takes the hooks out."""
    from tensorflow.python.data.ops.dataset_ops import DatasetV2

    if _WATCHED:
        return
    _WATCHED.append(DatasetV2)

    def before(self: Any, *args: Any, **kwargs: Any) -> None:
        guarded(_begins, self, locations.caller(user, sys._getframe(1)))

    def after(state: Any, raised: BaseException | None, result: Any) -> None:
        """Nothing to do."""

    yield replaced(DatasetV2, "__iter__", lambda original: around(original, before, after))
    yield clear
    yield _WATCHED.clear


def _begins(dataset: Any, place: tuple[CodeType, int] | None) -> None:
    if place is None:
        return
    row = _LOOPS.get(place)
    if row is None:
        if len(_LOOPS) >= _MOST:
            return
        row = _LOOPS[place] = _Loop(dataset)
        counters = [each for each in creations.alive() if _counts(each)][:_MOST]
        row.counters = {id(each): weakref.ref(each) for each in counters}
    if row.counters and len(row.counts) < _PASSES and row.dataset() is dataset:
        row.counts.append(_now(row))
    elif row.dataset() is not dataset:
        row.counters = {}  # passes over several datasets may belong together


def _counts(thing: Any) -> bool:
    name = str(getattr(thing, "name", "")) if hasattr(thing, "handle") else ""
    return name.partition(":")[0].rpartition("/")[2] == _COUNT and not creations.made_directly(thing)


def _now(row: _Loop) -> dict[int, float]:
    found = {}
    for key, reference in row.counters.items():
        counter = reference()
        value = variable_values.value(counter.handle, counter.dtype) if counter is not None else None
        if value is not None and value.size == 1:
            found[key] = float(value.reshape(()))
    return found


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each loop whose metrics go over all passes."""
    sources = Sources()
    for (code, at), row in _LOOPS.items():
        loop = locations.resolve(code, at)
        counts = row.counts if len(row.counts) >= _PASSES or not row.counters else [*row.counts, _now(row)]
        found: dict[Location, tuple[Location, float]] = {}
        for key, reference in row.counters.items():
            counter = reference()
            made = (
                creations.made(counter) if counter is not None and _grows([each.get(key) for each in counts]) else None
            )
            if made is not None:
                names = {each.rpartition(".")[2] for each in sources.names(made)}
                found.update(dict.fromkeys(_readings(loop, names, sources), (made, counts[1][key])))
        if found and loop not in _TOLD:
            _TOLD.add(loop)
            yield _told(
                loop, dict(sorted(found.items(), key=lambda item: (item[0].line, item[0].column or 0))), sources
            )


def _grows(counts: list[float | None]) -> bool:
    if len(counts) < _PASSES or counts[0] != 0 or not counts[1]:
        return False
    step = counts[1]
    return all(each is not None and math.isclose(each, index * step, rel_tol=1e-6) for index, each in enumerate(counts))


def _readings(loop: Location, names: set[str], sources: Sources) -> Iterator[Location]:
    """Where `result` of a metric with one of these names is called: after a loop, as often as that runs."""
    scope = sources.function(loop) or sources.tree(loop.file)
    loops = [each for each in ast.walk(scope) if isinstance(each, (ast.For, ast.While))] if scope is not None else []
    own = [each for each in loops if isinstance(each, ast.For) and each.iter.lineno <= loop.line <= _end(each.iter)]
    if scope is None or len(own) != 1:
        return
    around_it = [each for each in loops if each is not own[0] and each.lineno <= loop.line <= _end(each)]
    outer = max(around_it, key=lambda each: each.lineno, default=None)
    if outer is None and isinstance(scope, ast.Module):
        return
    inside = set(map(id, ast.walk(own[0])))
    called = [each for each in ast.walk(outer or scope) if isinstance(each, ast.Call) and _metric(each) in names]
    methods = {each.func.attr for each in called if isinstance(each.func, ast.Attribute)}
    if methods & {"reset_state", "reset_states"}:
        return  # on some condition
    for node in called:
        read = isinstance(node.func, ast.Attribute) and node.func.attr == "result"
        if read and id(node) not in inside and node.lineno > loop.line:
            yield sources.place(loop.file, node)


def _metric(call: ast.Call) -> str:
    """The last name of the object whose method is called; empty for a function."""
    return ast.unparse(call.func.value).rpartition(".")[2] if isinstance(call.func, ast.Attribute) else ""


def _end(node: ast.stmt | ast.expr) -> int:
    return node.end_lineno or node.lineno


def _told(loop: Location, found: dict[Location, tuple[Location, float]], sources: Sources) -> Observed:
    first, *others = found
    step = found[first][1]
    names = [*dict.fromkeys(sources.expression(each).partition(".result")[0] or "metric" for each in found)]
    quoted = ", ".join(f"`{each}`" for each in names)
    several = len(names) > 1
    places = {loop: ("each pass begins here", "used")}
    places |= {each: ("and this one", "read") for each in others if each.line != first.line}
    places |= {made: (f"created here: `{sources.name(made) or 'a metric'}`", "made") for made, _ in found.values()}
    return Observed(
        slug="stale-metric",
        message=f"{quoted} {'are' if several else 'is'} not reset between passes over the data: "
        f"{'these results are averages' if several else 'this result is an average'} over all passes so far",
        label="read after each pass",
        location=first,
        related=tuple(Marked.at(at, label, kind) for at, (label, kind) in places.items()),
        severity="warning",
        certainty="likely",
        notes=(f"`{names[0]}` counted {step:g} in the first pass, and stood at {2 * step:g} after the second",),
        fixes=(
            Fix(
                summary="reset at the start of each pass: " + ", ".join(f"`{each}.reset_state()`" for each in names),
                caveat="unless an average over all passes is wanted",
            ),
        ),
    )

"""What was seen of one variable or tensor, as a chain of links in words: where it holds, and where it is broken."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from tensorwhy.diagnosis.operations import written
from tensorwhy.model.inquiry import Asked, Gradient, Norm, Seen, Update
from tensorwhy.model.location import Location
from tensorwhy.model.report import Chain, Link, LinkState, PathStep
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import node_at

_SHOWN = 8
"""So many operations of a path, and norms of a training, are written out."""


def chain(seen: Seen, diagnoses: tuple[str, ...], sources: Sources) -> Chain:
    """The chain of one subject in one gradient question."""
    links = tuple(_links(seen, _operations(seen.gradient.path, sources)))
    states = [link.state for link in links]
    return Chain(
        subject=seen.subject,
        state="broken" if "broken" in states else "holds" if _is_proved(seen) else "unknown",
        links=links,
        asked=seen.asked.at if seen.asked is not None else None,
        path=seen.gradient.path,
        steps=seen.gradient.steps,
        norms=seen.gradient.norms,
        diagnoses=diagnoses,
    )


def _is_proved(seen: Seen) -> bool:
    """True if something was seen that says that all is well: a gradient that arrives, or a value that changes."""
    changed = seen.update is not None and seen.update.changed
    return bool(seen.gradient.arrives or seen.gradient.state == "flows" or changed)


def _operations(path: Sequence[PathStep], sources: Sources) -> list[str]:
    """What the program wrote for each operation; the kernel where one expression ran several, as a layer does."""
    ran = Counter(step.location for step in path)
    found = []
    for step in path:
        at = step.location
        node = node_at(at, sources) if at is not None and at.column is not None and ran[at] == 1 else None
        text = written(node) if node is not None else ""
        if isinstance(node, ast.Call) and "(" in text:  # a method of what another call returned
            text = f".{text.rpartition('.')[2]}()"
        found.append(f"`{text}`" if text else step.op)
    return found


def _links(seen: Seen, operations: Sequence[str]) -> Iterator[Link]:
    state: LinkState
    yield _made(seen)
    asked = seen.asked
    if asked is None:
        yield Link(name="used", state="unknown", text="it is not part of any recorded gradient call")
        if seen.update is not None:
            yield from _updates(seen, seen.update)
        return
    if not seen.requested and seen.subject.kind == "variable" and seen.used is not False:
        text = f"it is not one of the sources of the gradient on this line{_used(seen, asked)}"
        state = "broken" if seen.trainable is not False else "unknown"
        yield Link(name="used", state=state, text=text, location=asked.at)
    if seen.used is False:
        text = f"its value was not used for {asked.target}"
        yield Link(name="used", state="broken", text=text, location=asked.at)
        if not seen.requested:
            return
    elif seen.made_from:
        state = "broken" if seen.lost_from == seen.made_from else "holds"
        which = "all of them" if len(seen.lost_from) > 1 and state == "broken" else _listed(seen.lost_from)
        lost = f"; the gradient of {which} is None" if seen.lost_from else ""
        yield Link(name="used", state=state, text=f"computed from {_listed(seen.made_from)}{lost}")
    yield from _watched(seen, asked)
    if seen.gradient.path:
        yield _path(seen.gradient, asked, operations)
    yield _gradient(seen, seen.gradient, asked)
    if seen.update is not None and seen.requested:
        yield from _updates(seen, seen.update)


def _used(seen: Seen, asked: Asked) -> str:
    return f" (its value was used for {asked.target})" if seen.used else ""


def _made(seen: Seen) -> Link:
    subject = seen.subject
    shape = "" if subject.shape is None else f"({', '.join('?' if n is None else str(n) for n in subject.shape)})"
    kind = "variable" if subject.kind == "variable" else "tensor"
    frozen = ", not trainable" if seen.trainable is False else ""
    layer = f", of layer `{subject.layer}`" if subject.layer else ""
    words = " ".join(filter(None, (kind, subject.dtype, shape)))
    return Link(name="made", state="holds", text=f"{words}{frozen}{layer}", location=subject.location)


def _watched(seen: Seen, asked: Asked) -> Iterator[Link]:
    if seen.watched is None:
        text = f"not known: the steps of {asked.recorder} were not recorded"
        yield Link(name="watched", state="unknown", text=text, location=asked.recorder_at)
    elif seen.watched:
        yield Link(name="watched", state="holds", text=f"{asked.recorder} watches it", location=asked.recorder_at)
    elif seen.gradient.arrives:  # the target itself, or computed by what stands in for it
        return
    else:
        text = f"{asked.recorder} does not watch it"
        yield Link(name="watched", state="broken", text=text, location=asked.recorder_at)


def _path(gradient: Gradient, asked: Asked, operations: Sequence[str]) -> Link:
    steps = gradient.path
    shown = [_step(name, step, before) for name, before, step in zip(operations, (None, *steps), steps)]
    if len(shown) > _SHOWN:
        shown = [*shown[: _SHOWN // 2], f"... {len(shown) - _SHOWN} more ...", *shown[-(_SHOWN // 2) :]]
    broken = next((each for each in zip(operations, steps) if not each[1].connected), None)
    count = f"{len(steps)} operation{'s' if len(steps) > 1 else ''} to {asked.target}"
    text = f"{count}: {' -> '.join(shown)}"
    if broken is not None and gradient.arrives is False:
        where = f"one of {text}" if len(steps) > 1 else f"the only operation to {asked.target}"
        text = f"it stops at {_step(*broken, None)}, {where}"
        return Link(name="path", state="broken", text=text, location=broken[1].location)
    return Link(name="path", state="holds", text=text)


def _step(name: str, step: PathStep, before: PathStep | None) -> str:
    at = step.location
    same = before is not None and before.location is not None and at is not None and _line(before.location) == _line(at)
    return f"{name} (line {at.line})" if at is not None and not same else name


def _line(location: Location) -> tuple[str, int]:
    return location.file, location.line


def _gradient(seen: Seen, gradient: Gradient, asked: Asked) -> Link:
    steps = f"in all {asked.steps} steps" if asked.steps > 1 else "in the one step" if asked.steps else ""
    state: LinkState = "holds"
    if gradient.arrives is False:
        text = "the gradient is None" if seen.requested else "no gradient would arrive: it would be None"
        return Link(name="gradient", state="broken", text=text, location=asked.at)
    if gradient.norms:
        looked = f"in {_counted(len(gradient.norms), 'step')}"
        if all(norm == 0 for norm in gradient.norms):
            state, text = "broken", f"the gradient is exactly zero {looked} that were checked"
        elif any(norm in ("nan", "inf") for norm in gradient.norms):
            state, text = "broken", f"the gradient is not finite: norm {_norms(gradient)}"
        elif None in gradient.norms:
            state, text = "broken", f"the gradient is None in some of the steps: norm {_norms(gradient)}"
        else:
            how = ", in a copy of the compiled step with some rows of its inputs" if asked.traced else ""
            text = f"norm {_norms(gradient)}; checked {looked} of {asked.steps}{how}"
    elif gradient.arrives is None:
        state, text = "unknown", "not known whether a gradient arrives: the step was not recorded"
    elif not seen.requested:
        text = "by the rules of differentiation, a gradient passes through it; its value was not computed"
    elif asked.traced:
        text = f"a gradient arrives {steps}; the step is compiled, so its norm was not observed"
    elif asked.steps:
        text = f"a gradient arrives {steps}; its norm was not checked"
    else:
        text = "by the rules of differentiation, it is not None; nothing was computed"
    return Link(name="gradient", state=state, text=" ".join(text.split()), location=asked.at)


def _norms(gradient: Gradient) -> str:
    """The norms in order of the steps, the middle ones left out where there are many."""
    known = list(zip(gradient.steps, gradient.norms))
    shown = [f"{_number(norm)} (step {step})" for step, norm in known]
    if len(shown) > _SHOWN // 2:
        shown = [*shown[:2], "...", *shown[-2:]]
    text = ", ".join(shown)
    finite = [norm for _, norm in known if isinstance(norm, float)]
    return f"{text}; from {min(finite):.3g} to {max(finite):.3g}" if len(finite) > _SHOWN // 2 else text


def _number(norm: Norm) -> str:
    return "None" if norm is None else norm if isinstance(norm, str) else f"{norm:.3g}"


def _updates(seen: Seen, update: Update) -> Iterator[Link]:
    by = f" by {update.optimizer}" if update.optimizer else ""
    if update.given:
        yield Link(name="update", state="holds", text=f"its gradient was applied{by}", location=update.at)
    elif update.given is False and not update.changed and seen.trainable is not False:
        text = "its gradient was never passed to an optimizer, although others were"
        yield Link(name="update", state="broken", text=text)
    elif update.given is None and not update.changed and seen.gradient.arrives is not False:
        text = "no optimizer applied a gradient in this run" if seen.asked else "updates were not observed"
        yield Link(name="update", state="unknown", text=text)
    if update.changed:
        yield Link(name="value", state="holds", text=f"its value changed within {_counted(update.until, 'step')}")
    elif update.changed is False:
        state: LinkState = "broken" if update.given else "unknown"
        yield Link(name="value", state=state, text=f"its value never changed in {_counted(update.until, 'step')}")
    else:
        yield Link(name="value", state="unknown", text="its value was not compared between two steps")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"`{name}`" for name in names[:_SHOWN]) + more

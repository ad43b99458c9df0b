"""Reads rows of traces: why each was made, and where a program keeps tracing what it could trace once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tensorwhy.model.facts.graph import Retraced
from tensorwhy.model.report import Chain, Link, TensorRef
from tensorwhy.model.tracing import Anew, Argument, Trace, Why

_FEW = 5
"""A function may be traced so often, for modes and sizes that it is meant to have."""
_SHAPES = 8
_LONG, _SHARE = 0.5, 1 / 3
"""Tracing that takes so many seconds, and this part of the time that the calls took, is worth a warning."""
_MOSTLY: dict[Why, int] = {"shape": 2, "function": 2}
"""Of these, a trace that serves more calls than this on average is well spent."""
_SELDOM = 4
_SHOWN = 3


def anew(trace: Trace, earlier: Sequence[Trace]) -> Anew:
    """Say why a trace was made. `earlier` are those of the same code, on the same object, that came before it."""
    if not earlier:
        return Anew(why="first")
    own = [each for each in earlier if each.owner == trace.owner]
    if not own:
        return Anew(why="function")
    differences = [_differences(each.arguments, trace.arguments) for each in reversed(own)]
    nearest = min(differences, key=len)
    if nearest:
        return nearest[0]
    return Anew(why="variables" if any(each.variables for each in own) else "unknown")


def together(traces: Iterable[Trace]) -> Iterator[list[Trace]]:
    """The traces of each function, in their order. Methods of different objects are different functions."""
    alike: dict[object, list[Trace]] = {}
    for trace in traces:
        alike.setdefault((trace.defined or trace.function, trace.function, trace.instance), []).append(trace)
    yield from alike.values()


def causes(traces: Sequence[Trace]) -> list[Anew]:
    """Why each of the traces of one function was made."""
    return [anew(trace, traces[:number]) for number, trace in enumerate(traces)]


def retraced(traces: Iterable[Trace]) -> Iterator[Retraced]:
    """Yield one fact for each function that is traced again and again for the same reason."""
    traces = list(traces)
    yield from _for_new_objects(traces)
    for alike in together(traces):
        whole = [each for each in alike if not (each.failed or each.within)]
        if len(whole) <= _FEW or whole[0].defined is None:
            continue
        found = list(zip(whole, causes(whole), strict=True))
        often = Counter((cause.why, cause.now.name if cause.now else "") for _, cause in found)
        (why, argument), times = max(
            ((key, count) for key, count in often.items() if key[0] in ("value", "object", "shape", "function")),
            key=lambda each: each[1],
            default=(("unknown", ""), 0),
        )
        calls = sum(each.calls for each in whole)
        again = [(trace, cause) for trace, cause in found if cause.why == why and _name(cause) == argument]
        if times < (_SHAPES if why == "shape" else _FEW) or calls > _MOSTLY.get(why, calls) * len(whole):
            continue
        seconds = sum(trace.seconds for trace, _ in again)
        last = again[-1][0]
        elapsed = last.begun + last.seconds - whole[0].begun - whole[0].seconds
        costly = seconds >= _LONG and seconds >= _SHARE * elapsed
        if not costly and calls > _SELDOM * len(whole):
            continue
        first, latest = again[0][1], again[-1][1]
        given = [first.before, *(cause.now for _, cause in again)]
        yield Retraced(
            function=whole[0].function,
            defined=whole[0].defined,
            called=last.called,
            why=why,
            argument=argument,
            values=_shown([_text(each) for each in given if each is not None]),
            kind=latest.now.shown if latest.now is not None and why == "object" else "",
            created=latest.now.created if latest.now is not None else None,
            traces=len(whole),
            calls=calls or len(whole),
            seconds=seconds,
            elapsed=max(elapsed, seconds),
            costly=costly,
        )


def _for_new_objects(traces: Iterable[Trace]) -> Iterator[Retraced]:
    """Functions of a library that are traced in each call, because each call is one of a new object."""
    alike: dict[object, list[Trace]] = {}
    for trace in traces:
        if trace.defined is None and trace.of_made is not None and not (trace.failed or trace.within):
            alike.setdefault((trace.function, trace.called, trace.of_made), []).append(trace)
    for each in alike.values():
        calls, new = sum(trace.calls for trace in each), len({trace.instance for trace in each})
        if new <= _FEW or new < len(each) or calls > _MOSTLY["function"] * len(each) or each[0].called is None:
            continue
        seconds, last = sum(trace.seconds for trace in each), each[-1]
        yield Retraced(
            function=last.function,
            defined=None,
            called=last.called,
            why="function",
            argument="",
            values=(),
            kind="",
            created=last.of_made,
            traces=len(each),
            calls=max(calls, len(each)),
            seconds=seconds,
            elapsed=max(last.begun + last.seconds - each[0].begun, seconds),
            costly=False,
            of=last.of,
        )


def chain(traces: Sequence[Trace], diagnoses: tuple[str, ...] = ()) -> Chain:
    """Tell the traces of one function: why each was made, what it read and left behind, and how often it ran."""
    calls, seconds = sum(each.calls for each in traces), sum(each.seconds for each in traces)
    shown = traces if len(traces) <= _LISTED else [*traces[: _LISTED - 1], traces[-1]]
    often = f"traced {_times(len(traces))}, which took {seconds:.2f} s; ran {_times(calls)}"
    links = [Link(name="traced", state="broken" if diagnoses else "holds", text=often)]
    for number, trace in enumerate(traces, 1):
        if trace not in shown:
            continue
        text = f"{number}: {_words(anew(trace, traces[: number - 1]))}{_ran(trace)}"
        links.append(Link(name="trace", state="holds", text=text, location=trace.called))
        for place in dict.fromkeys(trace.variables):
            links.append(Link(name="created", state="holds", text="a variable", location=place))
        links += [Link(name="escaped", state="holds", text=f"a tensor, held by {each}") for each in trace.escaped]
    reads = {(each.name, each.then, each.at): each for trace in traces for each in trace.reads}
    for read in list(reads.values())[:_LISTED]:
        now = f", and is {read.now} now" if read.now not in ("", read.then) else ""
        links.append(Link(name="read", state="holds", text=f"`{read.name}` was {read.then}{now}", location=read.at))
    return Chain(
        subject=TensorRef(name=traces[0].function, kind="function", location=traces[0].defined),
        state="broken" if diagnoses else "holds",
        links=tuple(links),
        diagnoses=diagnoses,
    )


def _ran(trace: Trace) -> str:
    if trace.failed:
        return "; an exception ended it"
    if trace.within:
        return ""
    return f"; ran {_times(trace.calls)}" if trace.calls else "; never ran"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _words(cause: Anew) -> str:
    before, now = cause.before, cause.now
    if now is None or before is None:
        return _WORDS.get(cause.why, "nothing that was looked at differs")
    if cause.why == "object":
        return f"`{now.name}` is another {now.shown}"
    if cause.why == "structure":
        return f"`{now.name}` is a {now.kind}, and was a {before.kind}"
    if cause.why == "dtype":
        return f"`{now.name}` is {now.dtype}, and was {before.dtype}"
    return f"`{now.name}` is {_text(now)}, and was {_text(before)}"


_LISTED = 8
_WORDS: dict[Why, str] = {
    "first": "the first call",
    "structure": "other arguments than before",
    "function": "a new traced function object",
    "variables": "the same again, without creating variables",
}


def _name(cause: Anew) -> str:
    return cause.now.name if cause.now is not None else ""


def _shown(values: Sequence[str]) -> tuple[str, ...]:
    """The first values, and the last one."""
    values = list(dict.fromkeys(values))
    return tuple(values) if len(values) <= _SHOWN + 1 else (*values[:_SHOWN], "...", values[-1])


def _text(argument: Argument) -> str:
    if argument.kind in ("value", "object"):
        return argument.shown
    return str(argument.shape) if argument.shape is not None else "an unknown shape"


def _differences(before: Sequence[Argument], now: Sequence[Argument]) -> list[Anew]:
    """What differs between the arguments of two traces; those that one of them lacks first."""
    known = {each.name: each for each in before}
    if [each.name for each in before] != [each.name for each in now]:
        return [Anew(why="structure")] * (1 + len({each.name for each in now} ^ set(known)))
    pairs = ((known[each.name], each) for each in now)
    return [Anew(why=why, before=old, now=new) for old, new in pairs if (why := _difference(old, new)) is not None]


def _difference(before: Argument, now: Argument) -> Why | None:
    if before.kind != now.kind:
        return "structure"
    if now.kind == "value":
        return "value" if before.shown != now.shown else None
    if now.kind == "object":
        return "object" if (before.shown, before.identity) != (now.shown, now.identity) else None
    if before.dtype != now.dtype:
        return "dtype"
    return "shape" if before.shape != now.shape else None

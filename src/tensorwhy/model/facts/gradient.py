"""Facts of the gradient family: where, between a source and a target, the gradient is lost."""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.graph import FrozenValue
from tensorwhy.model.facts.told import Told
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import PathStep, RuledOut, Verification

BreakKind = Literal[
    "not-watched",
    "not-recorded",
    "no-gradient",
    "unregistered",
    "no-tangent",
    "called-tangent",
    "index-input",
    "dtype",
    "stop-gradient",
    "state",
    "left-framework",
    "callback",
    "custom-gradient",
    "function",
    "copied",
    "untaken-branch",
    "unused",
    "unexplained",
]


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """What the program did with a source that its target was not computed from.

    - "shared-call": one call gave both the source and what the target is made of; `linked` says that in there the
      latter may be computed from the former, `other` is where the function begins.
    - "shape": only its shape or dtype was used, by the operation `op`.
    - "added-loss": what was computed from it was handed to a library as a further loss; `early`: before this step.
    - "component": it is the values of a composite (sparse, ragged), of which the target used only other parts.
    - "earlier": it was used before this step, and not in it.
    - "again": the target is made of another result of the same computation, which was made at `other`.
    - "made-again": the line that made it, `location`, made another one for the target, in a call at `other`.
    - "none-asked": the target was made at `location` of none of several sources.
    - "first-value": a traced function keeps the value that it had at first as a constant; it was read at `other`.
    - "derived": it was made at `location` only from parts or copies of a value that the target was computed from: the
      variable `name`, or what was made at `other`; neither is known of several values.
    - "inverse": it was computed at `location` from what the target was computed from, and which was made at `other`.
    - "packed": an outside optimizer got it in one vector with other variables; `other` is where they are set again.
    """

    how: Literal[
        "shared-call",
        "shape",
        "added-loss",
        "component",
        "earlier",
        "again",
        "made-again",
        "none-asked",
        "first-value",
        "packed",
        "derived",
        "inverse",
    ]
    location: Location
    op: str = ""
    other: Location | None = None
    linked: bool = False
    early: bool = False
    name: str = ""


class OtherRecorder(msgspec.Struct, frozen=True, kw_only=True):
    """Another recorder than the one that was asked, which does watch the source: where it was opened, and told so."""

    opened: Location
    told: Location


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the run that was not recorded, and may have used the source.

    - `used`: where the target uses what was made in it; None: the question itself was asked in it.
    - `rested`: recording had begun by then.
    - `recorder_saw`: whether the recorder saw the source used; None where that cannot be told.
    """

    used: Location | None = None
    rested: bool = False
    recorder_saw: bool | None = None


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """Where what a question is about was made: source, target and recorder; whether that answers more than once."""

    source: Location | None = None
    target: Location | None = None
    recorder: Location | None = None
    persistent: bool = False


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """Experiments on a break: what came of undoing it, and what else was tried and made no difference."""

    undone: Verification | None = None
    ruled_out: tuple[RuledOut, ...] = ()


class GradientBreak(Fact, frozen=True, kw_only=True):
    """One place that must be repaired before the gradient can come back.

    - `op`, `role`: the operation that does not pass the gradient on, and the role of the input on the path.
      "position" where a value becomes an integer by an operation that also gives floats: `top_k`; "elements" where it
      went into a dataset.
    - `location`: the user's line that an expert would point at.
    - `exit`, `entry`: where the value left the framework, and where it came back. For "state": it was stored as the
      array or number that it had become at `exit`.
    - `gate`: what an experiment opens, of an operation that hands on no gradient.
    - `exact`: the break follows from the recorder's own rules; False when a link was inferred.
    - `told`: the words for it, where the framework has its own.
    """

    kind: BreakKind
    question: GradientQuestion
    sources: tuple[Source, ...]
    op: str = ""
    role: str = ""
    location: Location | None = None
    made: Made = Made()
    exit: Location | None = None
    entry: Location | None = None
    path: tuple[PathStep, ...] = ()
    gate: Gate | None = None
    tried: Tried = Tried()
    exact: bool = True
    told: Told | None = None


class NotWatched(GradientBreak, frozen=True, kw_only=True):
    """The recorder never learned of the source, or learned of it too late.

    - `watched`: when it learned of the source, if ever, and `watched_at` where; "never" with a place: it was told of
      what stands for the source inside of a traced function. `watched_by`: another recorder that does watch it.
    - `auto_watch`: it watches trainable variables by itself.
    - `rebound`: the line that made a source that is a plain tensor; `was`: the variable whose name it took over.
    - `stored`: the assignment to the source whose result the target was computed with, which no recorder watches.
    - `updated`: an optimizer was to update the source, a plain tensor, and broke off.
    """

    watched: Literal["", "never", "late", "reset"] = ""
    watched_at: Location | None = None
    watched_by: OtherRecorder | None = None
    auto_watch: bool = True
    rebound: Location | None = None
    was: Variable | None = None
    stored: Location | None = None
    updated: bool = False


class NotRecorded(GradientBreak, frozen=True, kw_only=True):
    """A part of the path ran while the recorder was not recording; `region` says why, `last` is the last line of it.

    `called`: the call that led there, in the function that opened the recorder; `recorder_closed`: what ended it.
    """

    region: Literal["", "before", "after", "paused", "reset", "other-thread", "between", "dataset"] = ""
    called: Location | None = None
    last: Location | None = None
    recorder_closed: Location | None = None


class NotPassed(GradientBreak, frozen=True, kw_only=True):
    """An operation on the path that hands on no gradient, of a value that goes through it.

    - `argument`: the name of the input, where the operation has a gradient for others.
    - `dtypes`: what the value was before and after.
    - `beside`: for "state": further lines that store what comes from the source, and that the target reads.
    - `container`: sparse, ragged or string, for an operation on such values; for "state", what stored it if that was
      no variable: a queue, a table.
    - `chosen`: for "index-input": where it became a whole number or a truth value, and `chosen_by` the operation.
    - `layer_name`: of the ready-made layer of a model that the operation ran in, with no line of the user's own in it;
      `location` is then where that layer was made.
    - `by_question`: it was the call that asked that told the gradient to end there.
    - `replaced`: what is stopped only replaces a value, which goes on with its gradient: `x + stop(y - x)`.
    - `within_gradient`: lost inside the computation of another gradient, asked for at `gradient_of`.
    """

    argument: str = ""
    dtypes: tuple[str, str] = ("", "")
    beside: tuple[Location, ...] = ()
    container: str = ""
    chosen: Location | None = None
    chosen_by: str = ""
    layer_name: str = ""
    by_question: bool = False
    replaced: bool = False
    within_gradient: bool = False
    gradient_of: Location | None = None


class Unused(GradientBreak, frozen=True, kw_only=True):
    """The target was computed without the source, or with something else in its place; or it is not known with what.

    - `use`: what the source was used for instead.
    - `instead`: variables that look like the source, which the target does use and nobody asked about.
    - `unasked`: the calls by which trainable variables went into the target that nobody asked about.
    - `python`: of a target that no variable had a part in: where a Python function gave what it is made of.
    - `untaken`: a branch that uses the source and was not taken; `frozen`: the value that decided it once and for all.
    - `gap`: something of the source was not recorded: what is known all the same.
    - `within_gradient`: it has no part in another gradient, of which this one was asked; `by_hand`: that one came from
      a backward function of the program's own, for the call there.
    """

    use: Use | None = None
    instead: tuple[Variable, ...] = ()
    unasked: tuple[Location, ...] = ()
    python: Location | None = None
    untaken: Location | None = None
    frozen: FrozenValue | None = None
    gap: Gap | None = None
    within_gradient: bool = False
    gradient_of: Location | None = None
    by_hand: Location | None = None


BREAKS: dict[BreakKind, type[GradientBreak]] = {
    "not-watched": NotWatched,
    "not-recorded": NotRecorded,
    **dict.fromkeys(("copied", "untaken-branch", "unused", "unexplained"), Unused),
    **dict.fromkeys(
        ("no-gradient", "unregistered", "no-tangent", "called-tangent", "index-input", "dtype", "stop-gradient"),
        NotPassed,
    ),
    **dict.fromkeys(("left-framework", "state", "callback", "custom-gradient", "function"), NotPassed),
}
"""The fact for each kind of break."""


class RefusedBackward(Fact, frozen=True, kw_only=True):
    """The backward function of a custom gradient takes or returns something else than it must, or is never asked.

    - `problem`: it takes no "variables"; it returns no "pair" of gradients, those of the arguments and those of the
      variables; the "count" of gradients is not that of the arguments, or not that "of-variables"; it is "ignored".
    - `name`: of the backward function; empty for a lambda. `declared`: where it begins, `returned`: where it returns.
    - `variables`: the names of those that the function reads and that are none of its arguments.
    - `wrapper`: the class of an object that stands for one of them among the arguments; empty where none does.
    - `called`: the user's line at which it failed.
    - `keywords`: of the "count": arguments of the `function` around it that the call at `passed` passes by keyword; of
      one that is ignored all of its arguments.
    """

    problem: Literal["variables", "pair", "count", "of-variables", "ignored"]
    name: str
    declared: Location
    returned: Location
    variables: tuple[str, ...] = ()
    wrapper: str = ""
    wanted: int = 0
    got: int = 0
    called: Location | None = None
    function: str = ""
    passed: Location | None = None
    keywords: tuple[str, ...] = ()


class ConstantTerm(Fact, frozen=True, kw_only=True):
    """One term of a sum that a gradient was asked of: it depends on the sources, and ran before the recorder recorded.

    The gradient of the other terms is there, so that no source gets None. `made` is where the term was computed,
    `asked` where the gradient was asked for, `opened` where the recorder starts recording, `recorder` what that is
    called.
    """

    sources: tuple[Variable, ...]
    made: Location
    asked: Location | None = None
    opened: Location | None = None
    recorder: str = "recorder"

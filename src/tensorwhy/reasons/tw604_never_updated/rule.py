"""TW604 never-updated: tracked, trainable, given a gradient, and yet never changed."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks, names, refs, verb
from tensorwhy.model.facts.training import HardlyMoved, NotMoved, Replayed, UnheardUpdate
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Certainty, Fix, Severity, TensorRef
from tensorwhy.reasons.tw604_never_updated import replays
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.reading import argument

META = about(
    __name__,
    summary="A trainable variable got a gradient in each step, and no update changed its value, or by next to nothing.",
    severity="warning",
)


class _Variant(msgspec.Struct, frozen=True, kw_only=True):
    """How one broken link is told. `place` is the primary line, None where the line of the training step is."""

    holds: Callable[[NotMoved], bool]
    why: Callable[[NotMoved], str]
    place: Callable[[NotMoved], Location | None] = lambda fact: None
    label: str = "trained here, and nothing changes"
    fix: str
    caveat: str = ""
    certainty: Certainty = "proved"
    chosen: Callable[[NotMoved], bool] = lambda fact: False


def match(case: Case) -> Evidence | None:
    """Holds when a variable kept its value although an optimizer was given a gradient for it in every step."""
    fact = case.fact
    if isinstance(fact, UnheardUpdate):
        return _unheard(fact)
    if isinstance(fact, HardlyMoved):
        return _hardly(case, fact)
    if not isinstance(fact, NotMoved):
        return None
    variant = next(each for each in _VARIANTS if each.holds(fact))
    if fact.rate == 0 and fact.lowered is not None and fact.lowered == fact.asked:
        variant = _by_function(case, fact) or variant
    primary = variant.place(fact) or fact.asked
    if primary is None:
        return None
    found = refs(case, fact)
    made = fact.variables[0].created
    others = "one other" if fact.others == 1 else f"{fact.others} others"
    beside = f", while {others} did" if fact.others else ""
    severity: Severity | None = "note" if variant.chosen(fact) else None
    return Evidence(
        message=f"{names(case, fact)} never changed in {fact.steps} steps{beside}: {variant.why(fact)}",
        primary=Marked.at(primary, variant.label),
        related=marks(
            primary,
            (made, "created here" if len(found) == 1 else "the first of these variables is created here", "made"),
            (fact.optimizer, "the optimizer is created here", "optimizer"),
            (fact.asked, _asked(case, fact), "asked"),
            (fact.applied, "the optimizer receives zeros here", "applied"),
            (fact.restored, "the old value is restored here, after the new one was used", "restored"),
        ),
        certainty=variant.certainty,
        severity=severity,
        source=found[0],
        also=found[1:],
        notes=replays.notes(fact.replayed) if fact.replayed is not None else _tried(fact),
        fixes=(
            *(replays.fixes(fact.replayed) if fact.replayed is not None else ()),
            *((Fix(summary=variant.fix, caveat=variant.caveat),) if variant.fix else ()),
        ),
    )


def _unheard(fact: UnheardUpdate) -> Evidence:
    name = fact.variable.rpartition("/")[2]
    return Evidence(
        message=f"`{name}` of `{fact.layer}` never changes: `add_update` ignores a pair of a variable and its"
        " new value",
        primary=Marked.at(fact.given, "this update is never applied"),
        related=marks(fact.given, (fact.made, "created here", "made")),
        source=TensorRef(name=name, kind="variable", location=fact.made),
        fixes=(
            Fix(summary=f"assign where the new value is computed: `{name}.assign(new_value)`, without `add_update`"),
        ),
    )


def _hardly(case: Case, fact: HardlyMoved) -> Evidence | None:
    primary = fact.optimizer or fact.asked
    if primary is None:
        return None
    found = refs(case, fact)
    if fact.scale is not None:
        why = f"the optimizer divides each gradient by its loss scale ({fact.scale:,.0f}), and the loss was not scaled"
        label = "it divides gradients by its loss scale"
        fix = "scale the loss inside the tape, and differentiate that: `scaled = optimizer.scale_loss(loss)`"
    else:
        why = f"the learning rate is {fact.rate:.2g}" if fact.rate is not None else "its updates are tiny"
        label = "created here"
        fix = "use a larger learning rate: 1e-3 is common for Adam, 1e-2 for SGD"
    far = f"moved by at most {fact.moved:.1g} of {verb(fact, 'its', 'their')} size in {fact.steps} steps"
    return Evidence(
        message=f"{names(case, fact)} {far}: {why}",
        primary=Marked.at(primary, label),
        related=marks(primary, (fact.asked, "the gradients are computed here", "asked")),
        source=found[0],
        also=found[1:],
        fixes=(Fix(summary=fix),),
    )


def _its(fact: NotMoved) -> str:
    return verb(fact, "its gradient", "their gradients")


def _tried(fact: NotMoved) -> tuple[str, ...]:
    one = verb(fact, "it has", "the first of them has")
    return (f"replayed at another value: with {fact.comes_back}, {one} a gradient",) if fact.comes_back else ()


def _rate(fact: NotMoved) -> str:
    schedule = fact.schedule
    if schedule is None:
        return "the optimizer's learning rate is 0"
    inputs = ", ".join(f"{name}={value}" for name, value in schedule.inputs)
    given = f" (created with {inputs})" if inputs else ""
    return f"the learning rate is 0: `{schedule.name}` returns 0 at step {schedule.step}{given}"


def _underflow(fact: NotMoved) -> str:
    small = verb(fact, "is too small for float16, and becomes zero", "are too small for float16, and become zero")
    times = f"with the loss multiplied by {fact.underflow:,}, a replay of the step gives different gradients"
    return f"{_its(fact)} {small} ({times})"


def _zero(fact: NotMoved) -> str:
    return (
        _its(fact)
        + verb(fact, " was zero in every element", " were zero in every element")
        + (" in every step that was checked")
    )


def _optimizer(fact: NotMoved) -> Location | None:
    return fact.optimizer


def _asked(case: Case, fact: NotMoved) -> str:
    if fact.rate == 0 and fact.lowered is not None and fact.lowered == fact.asked:
        made = [_callback(each) for each in _callbacks(case, fact) if isinstance(each, ast.Call)]
        callbacks = f" (its callbacks: {', '.join(f'`{name}`' for name in made)})" if made else ""
        return f"the learning rate becomes 0 in this call{callbacks}"
    return "the gradients are computed here" if fact.applied else "trained here"


def _by_function(case: Case, fact: NotMoved) -> _Variant | None:
    """The rate comes from a function of the program: that of the only callback, one of Keras's schedulers."""
    listed = _callbacks(case, fact)
    made = listed[0] if len(listed) == 1 else None
    if not isinstance(made, ast.Call) or not ast.unparse(made.func).endswith("LearningRateScheduler"):
        return None
    function = argument(made, 0, "schedule")
    if fact.asked is None or not isinstance(function, ast.Name):
        return None
    nodes = case.sources.nodes(fact.asked.file)
    defined = [each for each in nodes if isinstance(each, ast.FunctionDef) and each.name == function.id]
    returns = [each for each in ast.walk(defined[0]) if isinstance(each, ast.Return)] if len(defined) == 1 else []
    if len(returns) != 1 or returns[0].value is None:
        return None
    name, at = f"`{function.id}`", case.sources.place(fact.asked.file, returns[0].value)
    return _Variant(
        holds=lambda fact: True,
        why=lambda fact: f"{name} sets the optimizer's learning rate to 0",
        place=lambda fact: at,
        label=f"{name} returns 0 here",
        fix=f"let {name} return a number above 0 in these epochs",
        chosen=lambda fact: fact.others > 0,
    )


def _callbacks(case: Case, fact: NotMoved) -> list[ast.expr]:
    """Those that the training call is given in a list."""
    call = call_at(case.sources, fact.asked)
    given = [each.value for each in call.keywords if each.arg == "callbacks"] if call is not None else []
    return given[0].elts if given and isinstance(given[0], ast.List) else []


def _callback(call: ast.Call) -> str:
    """A callback as it was created, or the name of its class where that is long."""
    name, own = ast.unparse(call.func).rpartition(".")[2], ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
    return f"{name}({own})" if len(own) <= 30 else name


def _set_rate(fact: NotMoved) -> Location | None:
    """A schedule of Keras's own sets it within the call that trains: the line that made the optimizer says more."""
    return fact.lowered if fact.lowered != fact.asked else None


def _is_replayed(fact: NotMoved, constraint: bool) -> bool:
    return fact.replayed is not None and bool(fact.replayed.constraint) is constraint


_RATE = (
    "give the optimizer a learning rate above 0, and check what sets it: a callback of the training call, or a schedule"
)
_ENDS = "a schedule that ends at 0 is fine if training happened before that"
_PERFECT = "a loss that is already at its minimum correctly changes nothing"

_NO_RATE = _Variant(
    holds=lambda fact: fact.rate == 0,
    why=_rate,
    place=_optimizer,
    label="its learning rate is 0",
    fix=_RATE,
    caveat=_ENDS,
    chosen=lambda fact: fact.others > 0,
)
_ZEROS = _Variant(
    holds=lambda fact: fact.applied is not None,
    why=lambda fact: f"{_its(fact)} {verb(fact, 'was', 'were')} not zero, but the optimizer received zeros",
    place=lambda fact: fact.applied,
    label="the optimizer receives zeros here",
    fix="pass the optimizer the gradients before they become zero: check what clips or masks them, or clears their sum",
    chosen=lambda fact: fact.others > 0,
)
_VARIANTS = (
    msgspec.structs.replace(
        _NO_RATE,
        holds=lambda fact: fact.rate == 0 and _set_rate(fact) is not None,
        place=_set_rate,
        label="the learning rate becomes 0 here",
    ),
    msgspec.structs.replace(
        _NO_RATE,
        holds=lambda fact: fact.rate == 0 and fact.lowered is not None,
        label="the optimizer is created here, with another learning rate",
    ),
    _NO_RATE,
    _Variant(
        holds=lambda fact: fact.skipped,
        why=lambda fact: "the optimizer skipped every step, because the gradients were not finite",
        place=_optimizer,
        label="it counted no update",
        fix="find what makes the gradients infinite or NaN: loss scaling only skips such steps",
    ),
    _Variant(
        holds=lambda fact: fact.underflow > 0,
        why=_underflow,
        fix="scale the loss: wrap the optimizer in `tf.keras.mixed_precision.LossScaleOptimizer`, or multiply "
        "the loss before the gradients are computed and divide them by the same number",
    ),
    _Variant(
        holds=lambda fact: _is_replayed(fact, constraint=False),
        why=lambda fact: replays.lost_in_dtype(fact.replayed or Replayed(dtype="")),
        place=_optimizer,
        label="its updates are rounded away in the dtype of these variables",
        fix="",
    ),
    _Variant(
        holds=lambda fact: _is_replayed(fact, constraint=True),
        why=lambda fact: replays.put_back(fact.replayed or Replayed(dtype="")),
        place=lambda fact: fact.variables[0].created,
        label="created with this constraint",
        fix="",
        chosen=lambda fact: True,  # a multiplier that rests at its bound
    ),
    _Variant(
        holds=lambda fact: fact.restored is not None,
        why=lambda fact: f"after each update, {verb(fact, 'its', 'their')} old value is restored",
        fix="if an update was meant to be kept when it is better, check that condition",
        chosen=lambda fact: True,
    ),
    msgspec.structs.replace(
        _ZEROS,
        holds=lambda fact: fact.zeroed is not None,
        place=lambda fact: fact.zeroed,
        label="they become zero here",
    ),
    _ZEROS,
    _Variant(
        holds=lambda fact: fact.over is not None,
        why=lambda fact: f"after each update, another value is assigned to {verb(fact, 'it', 'them')}",
        place=lambda fact: fact.over,
        label="this assignment overwrites the update",
        fix="remove this assignment, or assign a value that includes the update: a moving average must see the new "
        "value first",
        caveat="to restore an older value (for a test or comparison), do it after the loop",
    ),
    _Variant(
        holds=lambda fact: fact.nonzero is True,
        why=lambda fact: (
            f"{_its(fact)} {verb(fact, 'was', 'were')} not zero, but no update is left at the end of a step"
        ),
        fix="find what undoes or rounds away the update: `set_weights`, `assign` or a constraint in the loop, "
        "a learning rate too small for the dtype",
    ),
    _Variant(
        holds=lambda fact: bool(fact.comes_back),
        why=_zero,
        place=lambda fact: fact.variables[0].created,
        label="created here; its gradient was zero in every step that was checked",
        fix="start from a value that the loss depends on, and check what hides this one: a limit that no value "
        "reaches, or a branch that is never taken",
    ),
    _Variant(
        holds=lambda fact: fact.nonzero is False,
        why=_zero,
        fix="find what makes them zero: a loss too small for the dtype (below 6e-8 in float16: use "
        "`LossScaleOptimizer`), or a factor that the gradients are multiplied by",
        caveat=_PERFECT,
        certainty="likely",
    ),
    _Variant(
        holds=lambda fact: True,
        why=lambda fact: f"the optimizer received {_its(fact)}, but no value of the model changed",
        fix="print the gradients of one step outside `tf.function` (`run_eagerly=True`): "
        "are they zero, or is each update skipped or undone?",
        caveat=_PERFECT,
        certainty="likely",
    ),
)

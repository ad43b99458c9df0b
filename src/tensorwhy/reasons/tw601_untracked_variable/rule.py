"""TW601 untracked-variable: a model computes with a variable or layer that Keras does not know, and never trains it."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis import stored
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.variables import NotSaved, Untracked
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words as words
from tensorwhy.source import reading

_STATISTICS = ("mean", "std", "var", "variance", "min", "max", "median", "average")

META = about(
    __name__,
    summary="A trained model uses a variable that no layer tracks, so training never changes it.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Match training or a saved function that read untracked state: in a closure, a global, a plain object."""
    fact = case.fact
    if isinstance(fact, NotSaved):
        return _unsaved(fact)
    if (
        not isinstance(fact, Untracked)
        or fact.held.by in ("container", "itself")
        or (fact.what == "layer" and not (fact.held.path or fact.read_once))
    ):
        return None
    primary = fact.made or fact.held.at or fact.trained_at
    if primary is None:
        return None
    kind = "variable" if fact.what == "variable" else "layer"
    name = words.code(fact.name) if fact.what == "variable" else f"layer {fact.name}"
    return Evidence(
        message=_used(name, fact) + ("would never change it" if fact.refused else "never changes it"),
        primary=Marked.at(primary, f"{kind} created here; no layer tracks it", "made"),
        related=words.marks(
            (
                fact.held.at,
                "its value became a constant of the model here"
                if fact.read_once
                else "used in here, where the model does not see it",
                "held",
            ),
            (fact.made_by, "created within this call", "call"),
            (fact.trained_at, "trained here, without it", "trained"),
            primary=primary,
        ),
        certainty="proved" if fact.unchanged or fact.refused else "likely",
        severity="error" if fact.refused else "note" if _meant(case, fact) else None,
        source=TensorRef(name=fact.name, kind="variable", location=fact.made),
        notes=tuple(_notes(fact)),
        fixes=(
            Fix(
                summary=_fix(fact),
                caveat="unless it should stay fixed; then set `trainable=False`",
            ),
        ),
    )


def _meant(case: Case, fact: Untracked) -> bool:
    """Return whether it is not meant to be trained: the program sets it itself, or it was measured from data."""
    if fact.made is None or fact.what != "variable" or fact.read_once:
        return False
    files = {each.file for each in (fact.made, fact.held.at, fact.trained_at) if each is not None}
    return stored.by_hand(case.sources, files, fact.name) or _measured(case, fact.made)


def _measured(case: Case, made: Location) -> bool:
    """Return whether a variable starts with a statistic of the data, such as the mean of a batch."""
    statement = case.sources.statement(made)
    if statement is None:
        return False
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call) and reading.callee(node) == "Variable"]
    given = [each.args[0] for each in calls if each.args]
    return (
        bool(given)
        and len(given) == len(calls)
        and all(any(_measures(node) for node in ast.walk(each)) for each in given)
    )


def _measures(node: ast.AST) -> bool:
    """Return whether an expression is a statistic of other values: `data.std(0)`, `tf.reduce_mean(data, 0)`."""
    if not isinstance(node, ast.Call) or reading.callee(node).removeprefix("reduce_") not in _STATISTICS:
        return False
    taken = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
    return not any(isinstance(each, ast.Call) for part in taken for each in ast.walk(part))


def _used(name: str, fact: Untracked) -> str:
    model = "the model" if fact.model in ("Functional", "Sequential", "Model") else words.code(fact.model)
    if fact.read_once and fact.what == "layer":
        return f"{name} was called on a plain tensor, so its output is a constant of {model}: training "
    if fact.held.by == "nothing":
        return f"{name} is used while {model} is trained, but is not one of its variables: training "
    return f"{name} is used by {model}, which does not track it: training "


def _notes(fact: Untracked) -> list[str]:
    notes = []
    if fact.read_once and fact.what == "layer":
        notes.append("its weights belong to no model: they are not saved either, and each model draws its own")
    elif fact.read_once:
        notes.append("its value was read once, while the model was built, so the model contains a constant")
    elif fact.unchanged:
        notes.append("its value did not change between the start of training and the end of the program")
    if fact.held.by == "function":
        notes.append(f"the model reaches it only through a function: {fact.held.path}")
    if fact.held.by == "object":
        notes.append(
            f"the model reaches it only through {words.article(fact.held.container)}, which is not a layer: "
            f"{fact.held.path}"
        )
    if fact.held.by == "attribute" and fact.foreign:
        notes.append("Keras 3 tracks `keras.Variable` and `add_weight`, but not a plain `tf.Variable`")
    return notes


def _held_as(fact: Untracked) -> str:
    """The layer by the name that the function has for it."""
    name = fact.held.path.rpartition(" ")[2]
    return f"`{name}`" if name.isidentifier() else "the layer"


def _fix(fact: Untracked) -> str:
    if fact.what == "layer" and fact.read_once:
        return "create the layer in the constructor of a layer of your own, and call it in that layer's `call`"
    if fact.what == "layer":
        return (
            f"call {_held_as(fact)} directly on the symbolic tensor, not in a function that another layer calls; or "
            "make it an attribute of a layer of your own"
        )
    if fact.held.by == "nothing":
        return "compute and apply its gradient too, or create it with `self.add_weight(...)` in a layer"
    if fact.held.by == "attribute":
        return "create it with `self.add_weight(...)` in the layer"
    return "create it with `self.add_weight(...)` in a layer of your own, and use it in that layer's `call`"


def _unsaved(fact: NotSaved) -> Evidence | None:
    primary = fact.made or fact.used or fact.saved_at
    kind = "state" if fact.what in ("resource", "gone") else fact.what
    name = words.code(fact.name) if fact.name else f"a {kind}"
    exported = words.code(fact.expression if fact.archive else fact.exported)
    if fact.what == "gone":
        message = (
            f"a function of the saved {exported} reads {name}, which was created during tracing and no longer exists"
        )
    else:
        message = f"{name} is read by a function of the saved {exported}, but is not reachable through its attributes"
    notes = [f"it is kept by {fact.held}"] if fact.held else []
    if fact.plain:
        notes.append(f"{words.code(fact.plain)} is a plain class: TensorFlow does not track what its objects hold")
    if fact.of_class:
        notes.append("TensorFlow tracks the attributes of objects, not of their classes")
    return Evidence(
        message=message,
        primary=Marked.at(primary, f"{kind} created here" if fact.made is not None else "read here", "made"),
        related=words.marks(
            (fact.used, "read here, by the saved function", "used"),
            (fact.saved_at, "saved here, without it", "saved"),
            primary=primary,
        ),
        certainty="proved",
        severity="error",
        notes=tuple(notes),
        fixes=(
            Fix(
                summary=_attach(fact),
                caveat="if the value never changes, make it a constant: read it before the function is traced",
            ),
        ),
    )


def _attach(fact: NotSaved) -> str:
    name = fact.name.partition("[")[0].rpartition(".")[2].lstrip("_") or "state"
    if fact.what == "gone":
        return f"create it once, in `__init__`, and keep it in an attribute of the saved object: `self.{name} = ...`"
    if fact.plain:
        return f"make the class a module: `class {fact.plain}(tf.Module)`, and call `super().__init__()`"
    if fact.archive:
        return f"add it to the archive: `{fact.expression}.track({fact.name or name})`"
    if fact.owner:
        return f"keep it in an attribute of a saved object: `self.{name} = ...`, in `{fact.owner}`"
    return f"keep it in an attribute of the saved object: `{fact.expression or 'saved'}.{name} = {fact.name or name}`"

"""TW602 wrong-container: layers or variables are kept where this Keras does not look, and are never trained."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.variables import ChangedContainer, Untracked
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words as words

META = about(
    __name__,
    summary="Layers or variables are kept in a container or object that Keras does not track.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Match state that the trained model read and that it reaches only through something Keras does not track."""
    fact = case.fact
    if isinstance(fact, ChangedContainer):
        return _unsaved(fact)
    if not isinstance(fact, Untracked) or fact.held.by not in ("container", "itself"):
        return None
    primary = fact.held.at or fact.made or fact.trained_at
    if primary is None:
        return None
    name = words.code(fact.name) if fact.what == "variable" else f"layer {fact.name}"
    owner = words.code(fact.held.owner)
    weights = f" (and its {fact.weights} variables)" if fact.what == "layer" and fact.weights > 1 else ""
    article = words.article(fact.held.container)
    if fact.held.by == "itself":
        where, label = (
            f", and `{fact.held.looker}` does not list {article}",
            f"{fact.held.looker} does not track what this holds",
        )
    else:
        where, label = (
            f" in {article}, which {fact.held.looker} does not track",
            f"{fact.held.container}: its contents are not tracked",
        )
    return Evidence(
        message=f"{owner} keeps {name}{weights}{where}: training never changes it",
        primary=Marked.at(primary, label, "held"),
        related=words.marks(
            (fact.made, f"{fact.what} created here", "made"),
            (fact.trained_at, "trained here, without it", "trained"),
            primary=primary,
        ),
        certainty="proved" if fact.unchanged else "likely",
        source=_ref(fact),
        notes=(f"path to it: {fact.held.path}",),
        fixes=_fixes(fact),
    )


def _fixes(fact: Untracked) -> tuple[Fix, ...]:
    if fact.held.of_modules:
        kind = f"add the variables of the {fact.what} to the list of variables that are trained"
        return (
            Fix(summary=f"{kind}: `module.trainable_variables + layer.trainable_variables`"),
            Fix(
                summary=f"or derive `{fact.held.owner}` from `keras.Model`, and keep its layers in attributes, lists "
                "or dicts"
            ),
        )
    return (
        Fix(
            summary=f"keep it in a list, a dict or an attribute of {words.code(fact.held.owner)} instead of "
            f"{words.article(fact.held.container)}",
            caveat="unless the layer should not be trained; then set `trainable = False`",
        ),
    )


def _ref(fact: Untracked) -> TensorRef:
    """The variable, or the layer by its own name: a container that holds several is one finding, which lists them."""
    name = fact.name.split("`")[1] if fact.what == "layer" and fact.name.count("`") == 2 else fact.name
    return TensorRef(name=name, kind="variable" if fact.what == "variable" else "other", location=fact.made)


_CHANGES = {
    "changed": "one of its elements was replaced, removed or moved, and a saved file identifies elements by position",
    "outside": "it was changed through the variable that held it before it became an attribute",
    "keys": "one of its keys is not a string, and a saved file identifies elements by name",
}


def _unsaved(fact: ChangedContainer) -> Evidence:
    name = words.code(fact.path) if fact.path else f"a {fact.what}"
    primary = fact.changed_at or fact.saved_at
    attribute = fact.path.rpartition(".")[2] or "it"
    repair = {
        "changed": f"build and change a plain list, and assign it once: `self.{attribute} = changed`",
        "outside": f"make all changes before the assignment, or through the attribute: `self.{attribute}.append(...)`",
        "keys": "use strings as keys: `str(key)`",
    }[fact.change]
    return Evidence(
        message=f"{name} cannot be saved: {_CHANGES[fact.change]}",
        primary=Marked.at(primary, "changed here" if fact.changed_at is not None else "saved here", "changed"),
        related=words.marks((fact.saved_at, "saved here", "saved"), primary=primary),
        severity="error",
        certainty="proved" if fact.changed_at is None else "likely",
        fixes=(
            Fix(
                summary=repair,
                caveat="a list without layers or variables that does not need saving can be a tuple",
            ),
        ),
    )

"""TW605 not-restored: a file was loaded, and state that the model computes with is what it was before."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.variables import NotRestored
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words as words
from tensorwhy.source.files import Sources

META = about(
    __name__,
    summary="A file was loaded, but state that the model uses kept the value that it had before.",
    severity="warning",
)
_SHOWN = 3


class _Variant(msgspec.Struct, frozen=True):
    """The words for one kind of state that was not restored."""

    why: Callable[[NotRestored], str]
    label: str
    fix: Callable[[NotRestored], str]


def match(case: Case) -> Evidence | None:
    """Match a value that differs from the file, or from what it was when the file was saved."""
    fact = case.fact
    if not isinstance(fact, NotRestored):
        return None
    variant, fact = _VARIANTS[fact.why], _as_named(fact, case.sources)
    primary = fact.held_at or fact.restored_at
    if primary is None:
        return None
    more = len(fact.names) - 1
    rest = f" and {more} more" if more else ""
    name = fact.names[0]
    return Evidence(
        message=f"{words.code(name)}{rest} of {words.code(fact.model)} did not get "
        f"{'its value' if not more else 'their values'} from the loaded file: {variant.why(fact)}",
        primary=Marked.at(primary, variant.label, "held" if fact.held_at is not None else "restored"),
        related=words.marks(
            (fact.made, "its weight is created in this call", "made"),
            (fact.saved_at, "saved here, without it", "saved"),
            (fact.restored_at, "loaded here", "restored"),
            primary=primary,
        ),
        severity="note" if fact.partial else None,
        source=TensorRef(name=name, kind="variable", location=fact.made),
        also=tuple(TensorRef(name=each, kind="variable") for each in fact.names[1:]),
        notes=_notes(fact),
        fixes=(Fix(summary=variant.fix(fact)),),
    )


def _as_named(fact: NotRestored, sources: Sources) -> NotRestored:
    """With the model under the program's name: the `fresh` of `Checkpoint(net=fresh)`."""
    place = fact.restored_at
    given = {
        ast.unparse(node.value)
        for node in (sources.nodes(place.file) if place is not None else ())
        if isinstance(node, ast.keyword)
        and node.arg == fact.model
        and place is not None
        and node.value.lineno == place.line
        and isinstance(node.value, (ast.Name, ast.Attribute))
    }
    return msgspec.structs.replace(fact, model=given.pop()) if len(given) == 1 else fact


def _notes(fact: NotRestored) -> tuple[str, ...]:
    if not fact.in_file:
        return ()
    names = ", ".join(f"`{each}`" for each in fact.in_file[:_SHOWN])
    more = f" and {len(fact.in_file) - _SHOWN} more" if len(fact.in_file) > _SHOWN else ""
    return (f"the file has a value of this shape as {names}{more}",)


def _top(fact: NotRestored) -> str:
    """The name under which the file has all values of these shapes, where there is one."""
    tops = {name.partition("/")[0] for name in fact.in_file}
    return tops.pop() if len(tops) == 1 else ""


def _renamed(fact: NotRestored) -> str:
    under = f" under `{_top(fact)}`" if _top(fact) and _top(fact) != fact.model else ""
    return f"the file has such values{under}, but no object of that name reads them"


def _rename(fact: NotRestored) -> str:
    if _top(fact) and _top(fact) != fact.model:
        return (
            f"use the names that the checkpoint was saved with: `tf.train.Checkpoint({_top(fact)}=...)`; "
            "`status.assert_existing_objects_matched()` checks it"
        )
    return (
        "create the objects as they were when the file was saved, with the same attributes in the same places; "
        "`status.assert_existing_objects_matched()` checks it"
    )


def _attribute(fact: NotRestored) -> str:
    return (fact.names[0] if fact.names else "").partition("[")[0].rpartition(".")[2] or "state"


_VARIANTS = {
    "late": _Variant(
        why=lambda fact: "the file was loaded before the model had created its weights",
        label="loaded here, before the model had any weights",
        fix=lambda fact: f"build `{fact.model}` first: call it on one batch, or `build(input_shape)`; then load",
    ),
    "renamed": _Variant(why=_renamed, label="loaded here", fix=_rename),
    "absent": _Variant(
        why=lambda fact: "the file has no value of that shape",
        label="loaded here",
        fix=lambda fact: (
            "save the file with this object in it; `status.assert_existing_objects_matched()` checks that "
            "each variable was found"
        ),
    ),
    "untracked": _Variant(
        why=lambda fact: "the model does not track it, so no file contains it",
        label="kept here, where the model does not track it",
        fix=lambda fact: f"create it with `self.add_weight(...)`, and keep that in `self.{_attribute(fact)}`",
    ),
    "named": _Variant(
        why=lambda fact: f"`self.{fact.attribute}` is a name that the library uses itself, and saving leaves it out",
        label="kept here, under a name that the library uses itself",
        fix=lambda fact: f"give the attribute a name of your own in place of `self.{fact.attribute}`",
    ),
    "unsaved": _Variant(
        why=lambda fact: "in the loaded model it is not what it was when the file was saved",
        label="loaded here",
        fix=lambda fact: (
            "keep the layers in attributes of the layer that uses them, and build all of them in `build`: "
            "a file has only what the model tracks when it is saved"
        ),
    ),
    "plain": _Variant(
        why=lambda fact: f"`call` reads it as a plain {fact.container}, which is never saved",
        label="kept here, as a plain value",
        fix=lambda fact: (
            f"keep it in a weight, `self.{_attribute(fact)} = self.add_weight(..., trainable=False)`, and "
            "`assign` to it; or pass it to the layer as an argument that `get_config` returns"
        ),
    ),
}

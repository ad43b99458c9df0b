"""TW304 mixed-keras: objects of two Keras packages, which know nothing of each other, met in one call."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.symbolic import MixedPackages, PackagedObject
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words
from tensorwhy.source.files import Sources

META = about(
    __name__, summary="Objects of two Keras packages (keras, tf_keras, tensorflow.python.keras) were used in one call."
)


def match(case: Case) -> Evidence | None:
    """Holds when a call of one Keras package received an object whose class another one defines."""
    fact = case.fact
    if not isinstance(fact, MixedPackages):
        return None
    own, other = fact.receiver, fact.stranger
    odd = _odd_one_out(own, other)
    primary = odd.imported or odd.made or fact.used
    return Evidence(
        message=f"{_name(other, case.sources)} is {words.article(other.kind)} of {other.package}, and"
        f" {_name(own, case.sources)} is {words.article(own.kind)} of {own.package}",
        primary=Marked.at(primary, f"comes from {odd.package}", "stranger"),
        related=words.marks(
            (other.imported, f"comes from {other.package}", "import"),
            (other.made, f"{other.kind} of {other.package} created here", "made"),
            (own.imported, f"comes from {own.package}", "import"),
            (own.made, f"{own.kind} of {own.package} created here", "made"),
            (fact.used, "they meet here", "used"),
            primary=primary,
        ),
        notes=("the packages look alike, but their classes are unrelated: neither accepts objects of the other",),
        fixes=(
            Fix(
                summary=_fix(own, other),
                caveat=""
                if odd.private
                else "a library that was written for Keras 2 needs tf_keras: set TF_USE_LEGACY_KERAS=1 before"
                " TensorFlow is imported, and `tf.keras` is tf_keras everywhere",
            ),
        ),
    )


def _odd_one_out(own: PackagedObject, other: PackagedObject) -> PackagedObject:
    """What to import from elsewhere: a private package, else the one with less of the program in it."""
    if own.private != other.private:
        return own if own.private else other
    return own if own.peers < other.peers else other


def _fix(own: PackagedObject, other: PackagedObject) -> str:
    for thing, rest in ((own, other), (other, own)):
        if thing.private:
            return f"import from {rest.package} only: {thing.package} is TensorFlow's private, old copy"
    return f"import everything from one package: either all from {own.package} or all from {other.package}"


def _name(thing: PackagedObject, sources: Sources) -> str:
    if thing.name:
        return words.code(thing.name)
    text = sources.expression(thing.made) if thing.made is not None else ""
    return words.code(text) if text else f"the {thing.kind}"

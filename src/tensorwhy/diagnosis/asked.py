"""The user's own words for what a gradient question asked about, read from the source at the place of the call."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.source.answers.calls import call_at, is_gradient_call, source_written, written_target
from tensorwhy.source.files import Sources

UNNAMED = ("Variable", "")
"""What TensorFlow calls a variable without a name."""


def opened_item(sources: Sources, question: GradientQuestion, opened: Location | None) -> Location | None:
    """Where the asked recorder was opened: of a `with` that opens several, its own item alone."""
    statement = sources.statement(opened) if opened is not None else None
    if opened is None or not isinstance(statement, ast.With) or len(statement.items) < 2:
        return opened
    call = call_at(sources, question.location)
    name = ast.unparse(call.func.value) if call is not None and isinstance(call.func, ast.Attribute) else ""
    at = sources.opening(opened.file, statement, name)
    return msgspec.structs.replace(
        opened, line=at.line, column=at.column, end_line=at.end_line, end_column=at.end_column
    )


def target_words(sources: Sources, question: GradientQuestion) -> str:
    """The expression that was differentiated, as the user wrote it.

    "the loss" where a library asked for the gradient in order to train, else "the target" when it cannot be read.
    """
    if isinstance(question, GradientQuestion) and question.target:
        return question.target
    call = call_at(sources, question.location)
    asked = call is not None and is_gradient_call(call)
    found = written_target(call) if call is not None else None
    if found is not None and len(ast.unparse(found)) <= 60:
        return f"`{ast.unparse(found)}`"
    trained = isinstance(question, GradientQuestion) and question.warned
    return "the loss" if trained and not asked else "the target"


def variable_name(sources: Sources, given: str, made: Location | None) -> str:
    """The variable's own name; where it was given none, the user's name for it, from the line that made it."""
    own = given.removesuffix(":0")
    if own not in UNNAMED or made is None:
        return own
    names = sources.names(made)
    return sources.name(made) or (names[0] if len(names) == 1 else own)


def source_words(sources: Sources, question: GradientQuestion, source: Source, made: Location | None = None) -> str:
    """The source as the user wrote it; a variable's name where the expression stands for many. `made`: where it was."""
    if question.in_callback:  # TensorFlow asks for what it handed to the function, and the user's call for other things
        return f"input {source.position + 1} of the Python function"
    found = source_written(sources, question, source)
    if found is not None and len(ast.unparse(found)) <= 60:
        return f"`{ast.unparse(found)}`"
    name = variable_name(sources, source.name, made)
    if source.variable or (name and question.noun != "variable"):
        return f"{question.noun} `{name}`"
    return f"source {source.position + 1}"


def zeros_instead(sources: Sources, question: GradientQuestion) -> str:
    """Who gives the program zeros where the answer to a question was None; empty where it got the None."""
    if question.error or question.filled:
        return ""
    if question.in_callback:
        return "zeros are used in its place"
    call = call_at(sources, question.location)
    batch = call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "batch_jacobian"
    return "`batch_jacobian` returns zeros" if batch else ""

"""Reads the user's call of `map_fn`, `vectorized_map` or `scan`: the function, its return, and a vectorised form."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from tensorwhy.adapters.autograph import unwrapped
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_ALTERNATIVES = {
    "range": "{tf}.ragged.range({elems}) makes all ranges at once; {tf}.sequence_mask({elems}) makes a padded mask "
    "of them",
    "sequence_mask": "{tf}.sequence_mask({elems}) takes all the lengths at once and pads",
    "boolean_mask": "{tf}.ragged.boolean_mask(data, mask) masks all the rows at once and returns a RaggedTensor",
    "strings.split": "{tf}.strings.split({elems}) splits all the strings at once and returns a RaggedTensor",
    "strings.bytes_split": "{tf}.strings.bytes_split({elems}) takes all the strings at once and returns a RaggedTensor",
    "strings.unicode_split": "{tf}.strings.unicode_split({elems}, 'UTF-8') takes all the strings at once",
    "strings.unicode_decode": "{tf}.strings.unicode_decode({elems}, 'UTF-8') takes all the strings at once",
    "where": "{tf}.where({elems}) on the whole batch returns (row, index) pairs",
}
_OPERATIONS = {"Range": "range", "StringSplitV2": "strings.split", "Where": "where"}


class MappedCall(msgspec.Struct, frozen=True, kw_only=True):
    """The call as written. Texts are empty where the source cannot be read.

    `declares` says that the call names what the function returns.
    """

    location: Location
    prefix: str = "tf"
    function: str = ""
    elements: str = ""
    produced: Location | None = None
    operation: str = ""
    declares: bool = False

    def alternative(self, operation: str = "") -> str:
        """What does the same without a function per element, where that is known. `operation` is a graph's op type."""
        name = self.operation or _OPERATIONS.get(operation, "")
        for known, text in _ALTERNATIVES.items():
            if name == known or name.endswith("." + known):
                return text.format(tf=self.prefix, elems=self.elements or "elements")
        return ""


def read(location: Location, name: str, sources: Sources, user: UserCode, function: Any = None) -> MappedCall:
    """What the source says at a line that calls `name`, joined with the live function where there is one."""
    found = reading.named_call(location, sources, name)
    node, at = found if found is not None else (None, location)
    prefix, text, elements, declares = "tf", "", "", False
    if node is not None:
        declares = any(keyword.arg in ("fn_output_signature", "dtype") for keyword in node.keywords)
        prefix = ast.unparse(node.func).split(".")[0] if isinstance(node.func, ast.Attribute) else "tf"
        text = _text(reading.argument(node, 0, "fn"))
        elements = _text(reading.argument(node, 1, "elems"))
    tree, where = definition(reading.argument(node, 0, "fn") if node is not None else None, at, sources, user, function)
    produced, operation = None, ""
    if tree is not None and where is not None:
        values = reading.returns(tree)
        if len(values) == 1:
            produced = reading.place(values[0], where, sources)
            operation = _called(values[0], tree)
    elif function is not None:
        operation = _exported_name(function)
    elif "." in text:
        operation = text.split(".", 1)[1]
    return MappedCall(
        location=at,
        prefix=prefix,
        function=text,
        elements=elements,
        produced=produced,
        operation=operation,
        declares=declares,
    )


def _text(node: ast.expr | None) -> str:
    text = ast.unparse(node) if node is not None else ""
    return text if len(text) <= 60 else ""


def definition(
    argument: ast.expr | None, at: Location, sources: Sources, user: UserCode, function: Any = None
) -> tuple[ast.AST | None, Location | None]:
    """The source of a function that was passed as an argument: from the live object, else from the argument's text."""
    if isinstance(argument, ast.Lambda):
        return argument, at
    code = getattr(unwrapped(function), "__code__", None)
    if code is not None and user.owns(code.co_filename):
        where = Location(
            file=code.co_filename, line=code.co_firstlineno, function=getattr(code, "co_qualname", code.co_name)
        )
        for node in reading.nodes_at(where, sources):
            if (
                isinstance(node, (ast.FunctionDef, ast.Lambda))
                and min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]) == where.line
                and getattr(node, "name", "<lambda>") == code.co_name
            ):
                return node, where
        return None, None
    # What is defined within a function that AutoGraph has converted was made by generated code.
    inner = code is not None and "__autograph_generated_file" in code.co_filename and isinstance(argument, ast.Name)
    if (function is None or inner) and argument is not None:
        name = reading.last_name(argument)
        tree = sources.function(at, lambdas=False) if inner else sources.tree(at.file)
        matches = [
            node
            for node in ast.walk(tree or ast.Module([], []))
            if isinstance(node, ast.FunctionDef) and node.name == name and node is not tree
        ]
        if len(matches) == 1:
            return matches[0], Location(file=at.file, line=matches[0].lineno, function=name)
    return None, None


def _called(value: ast.expr, function: ast.AST) -> str:
    """The dotted name of the function whose result is returned, followed through one local name."""
    if isinstance(value, ast.Name):
        bound = list(reading.assignments(function, value.id)) if not isinstance(function, ast.Lambda) else []
        source = reading.assigned_value(bound[-1], value.id) if bound else None
        if source is None:
            return ""
        value = source
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return ast.unparse(value.func).split(".", 1)[-1]
    return ""


def _exported_name(function: Any) -> str:
    """The public name of a TensorFlow function: `range`, `strings.split`."""
    names = getattr(unwrapped(function), "_tf_api_names", None) or getattr(function, "_tf_api_names", None)
    return names[0] if names else ""

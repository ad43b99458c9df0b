"""Where the source says that a value can have left the framework, and come back."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

from tensorwhy.model.location import Location
from tensorwhy.source import names
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

PROGRAM = """\
import numpy as np

class Model:
    def __init__(self, weight):
        self.weight = weight
        self.factor = np.exp(weight)

    def scaled(self, x):
        local = np.exp(self.weight)
        return self.factor * x

model = Model(weight)
for x in batches:
    print(float(step(model, -tf.sin(np.pi * x))), float(tf.exp(weight)))
    loss = tf.square(float(tf.exp(weight)) * x)
    total = tf.add_n([tf.nn.l2_loss(w) for w in weight.numpy()])
"""


class Program:
    def __init__(self, folder: Path, text: str = PROGRAM) -> None:
        self.file = folder / "program.py"
        self.file.write_text(text)
        self.sources = Sources()
        self.flow = Dataflow(self.sources)

    def at(self, text: str, columns: bool = True) -> Location:
        """The first expression or statement with this text."""
        tree = self.sources.tree(str(self.file))
        assert tree is not None
        nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.stmt)))
        place = self.sources.place(str(self.file), next(node for node in nodes if ast.unparse(node) == text))
        return place if columns else Location(file=place.file, line=place.line)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.mark.parametrize("columns", [True, False])
def test_what_leaves_beside_the_entry_in_one_statement_does_not_come_back_there(
    program: Program, columns: bool
) -> None:
    printed = program.at("float(tf.exp(weight))", columns)
    assert program.flow.way_out(printed, program.at("np.pi * x", columns), True) is None


def test_what_leaves_within_the_expression_that_takes_it_comes_back(program: Program) -> None:
    taken = program.at("float(tf.exp(weight)) * x")
    assert taken.column is not None
    left = msgspec.structs.replace(taken, end_column=taken.column + len("float(tf.exp(weight))"))
    assert program.flow.way_out(left, taken, True) == left
    line = Location(file=taken.file, line=taken.line)
    assert program.flow.way_out(line, line, True) == line


def test_what_a_comprehension_hands_on_comes_back(program: Program) -> None:
    copied = program.at("weight.numpy()")
    assert program.flow.way_out(copied, program.at("tf.nn.l2_loss(w)"), True) == copied


def test_a_way_needs_the_expression_that_takes_the_value(program: Program) -> None:
    made = program.at("model = Model(weight)")
    assert program.flow.way_out(made, program.at("np.pi * x"), True) is None
    assert program.flow.way_out(made, program.at("step(model, -tf.sin(np.pi * x))"), True) == made


def test_what_a_constructor_keeps_is_returned_with_the_object(program: Program) -> None:
    assert program.flow.is_returned(program.at("self.factor = np.exp(weight)"))
    assert not program.flow.is_returned(program.at("local = np.exp(self.weight)"))


@pytest.mark.parametrize(
    ("text", "read", "bound"),
    [
        ("total = [g * w for g, w in zip(grads, weights)]", {"grads", "weights", "zip"}, {"total"}),
        ("g = [g for row in rows for g in row if g is not None]", {"rows"}, {"g"}),
        ("kept = [v for v in v.parts]", {"v"}, {"kept"}),
        ("print(float(v), *[v.name for v in model.weights])", {"print", "float", "v", "model"}, set()),
        ("[each.update(batch) for each in metrics]", {"batch", "metrics"}, set()),
    ],
)
def test_what_a_comprehension_binds_is_its_own(text: str, read: set[str], bound: set[str]) -> None:
    (statement,) = ast.parse(text).body
    assert names.read(statement) == read
    assert names.bound(statement) == bound


def test_a_name_of_one_comprehension_hands_nothing_to_another(tmp_path: Path) -> None:
    program = Program(tmp_path, "print([float(v) for v in history])\nw = [v.kernel for v in layers]\ny = f(w)\n")
    made = program.at("w = [v.kernel for v in layers]")
    assert program.flow.way_out(made, program.at("f(w)")) is None


def test_a_value_leaves_in_a_comprehension_over_what_holds_it(tmp_path: Path) -> None:
    program = Program(tmp_path, "w = kernels(x)\nv = [float(v) for row in w for v in row]\ny = f(v)\n")
    made = program.at("w = kernels(x)")
    assert program.flow.way_out(made, program.at("f(v)")) == program.at("float(v)")


PRINTS = """\
def scaled(weight, x):
    hidden = x / weight
    print("mean", float(hidden))
    return hidden

def measured(weight, x):
    number = float(x / weight)
    return number * x

loss = 2.0 * scaled(weight, x)
other = 2.0 * measured(weight, x)
"""


def test_a_number_that_a_called_function_only_prints_does_not_come_back(tmp_path: Path) -> None:
    program = Program(tmp_path, PRINTS)
    flow = Dataflow(program.sources)
    tree = program.sources.tree(str(program.file))
    assert tree is not None

    def way_out(name: str) -> Location | None:
        product = next(
            node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node).startswith(name)
        )
        assert isinstance(product, ast.BinOp)
        return flow.way_out(*(program.sources.place(str(program.file), node) for node in (product.right, product)))

    assert way_out("loss") is None
    out = way_out("other")
    assert out is not None and out.line == 7

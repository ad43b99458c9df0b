"""State that a function of a SavedModel reads, and that the saved object does not lead to."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import tables  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import not_saved  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

HEAD = """
import tensorflow as tf

SIGNATURE = [tf.TensorSpec([None], tf.float32)]
"""


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Imports a program, lets its `main(path)` fail, and gives the fact of that; None when it can be saved."""
    user = UserCode()
    undo = tables.install(user)

    def run(text: str) -> Any:
        file = tmp_path / "program.py"
        file.write_text(HEAD + text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("program", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "program", module)
        spec.loader.exec_module(module)
        try:
            module.main(str(tmp_path / "saved"))
        except (AssertionError, KeyError) as error:
            (fact,) = not_saved.probe(live_failure(error, user))
            return fact
        return None

    yield run
    undo()


GLOBAL = """
scale = tf.Variable(2.0)


class Scaler(tf.Module):
    @tf.function(input_signature=SIGNATURE)
    def __call__(self, x):
        return scale * x


def main(path):
    module = Scaler()
    tf.saved_model.save(module, path)
"""


def test_a_global_variable_is_named_with_the_line_that_made_it(refused):
    fact = refused(GLOBAL)
    assert (fact.what, fact.name, fact.exported, fact.expression) == ("variable", "scale", "Scaler", "module")
    assert fact.made.line == 6
    assert fact.used.line == 12


def test_what_is_an_attribute_is_saved(refused):
    assert refused(GLOBAL.replace("module = Scaler()", "module = Scaler()\n    module.scale = scale")) is None


def test_a_function_that_was_traced_without_a_signature_is_refused_by_another_way(refused):
    text = GLOBAL.replace("(input_signature=SIGNATURE)", "").replace(
        "Scaler()\n", "Scaler()\n    module(tf.ones([1]))\n"
    )
    assert refused(text).name == "scale"


def test_the_class_of_a_plain_object_is_named(refused):
    fact = refused(
        """
class Shift:
    def __init__(self):
        self.by = tf.Variable(1.0)


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.shift = Shift()

    @tf.function(input_signature=SIGNATURE)
    def __call__(self, x):
        return x + self.shift.by


def main(path):
    tf.saved_model.save(Model(), path)
"""
    )
    assert (fact.plain, fact.owner) == ("Shift", "Model")
    assert fact.made.line == 8


def test_a_module_is_attached_as_a_whole(refused):
    fact = refused(
        """
class Inner(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernels = [tf.Variable(1.0), tf.Variable(2.0)]


inner = Inner()


def main(path):
    outer = tf.Module()
    outer.run = tf.function(lambda x: x * inner.kernels[1], input_signature=SIGNATURE)
    tf.saved_model.save(outer, path)
"""
    )
    assert (fact.what, fact.name, fact.made.line) == ("module", "inner", 12)


def test_an_attribute_of_the_class_is_no_attribute_of_the_object(refused):
    fact = refused(
        """
class Model(tf.Module):
    calls = tf.Variable(0.0)

    @tf.function(input_signature=SIGNATURE)
    def __call__(self, x):
        return x + self.calls


def main(path):
    tf.saved_model.save(Model(), path)
"""
    )
    assert fact.of_class
    assert fact.name == "Model.calls"


def test_a_table_in_a_closure_is_found_through_the_signatures(refused):
    fact = refused(
        """
def table():
    init = tf.lookup.KeyValueTensorInitializer(tf.constant([1]), tf.constant([2.0]))
    return tf.lookup.StaticHashTable(init, 0.0)


def serving(table):
    return tf.function(lambda x: {"y": table.lookup(tf.cast(x, tf.int32))}, input_signature=SIGNATURE)


def main(path):
    tf.saved_model.save(tf.Module(), path, signatures=serving(table()))
"""
    )
    assert (fact.what, fact.name, fact.made.line) == ("table", "table", 8)


def test_a_table_that_was_made_while_tracing_is_gone(refused):
    fact = refused(
        """
class Model(tf.Module):
    @tf.function(input_signature=SIGNATURE)
    def __call__(self, x):
        init = tf.lookup.KeyValueTensorInitializer(tf.constant([1]), tf.constant([2.0]))
        found = tf.lookup.StaticHashTable(init, 0.0)
        return found.lookup(tf.cast(x, tf.int32))


def main(path):
    tf.saved_model.save(Model(), path)
"""
    )
    assert fact.what == "gone"
    assert (fact.name, fact.made.line) == ("found", 10)

"""A tensor that outlived its trace: every place that keeps it is told, and the statements that put it there."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import leaked_tensor  # noqa: E402
from tensorwhy.reasons import _leaks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Writes modules, imports them, runs `main()` of the last one, and gives the fact of its failure."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(**modules: str) -> Any:
        for name, text in modules.items():
            file = tmp_path / f"{name}.py"
            file.write_text("import tensorflow as tf\n" + text, encoding="utf-8")
            spec = importlib.util.spec_from_file_location(name, file)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            monkeypatch.setitem(sys.modules, name, module)
            spec.loader.exec_module(module)
        try:
            module.main()
        except TypeError as error:
            (fact,) = leaked_tensor.probe(live_failure(error, UserCode()))
            return fact
        raise AssertionError("nothing failed")

    return run


STORE = """
values = {}

def put(name, value):
    values[name] = value
"""

TWO_STORES = """
latest = None

class Log:
    def __init__(self):
        self.values = []

log = Log()

def remember(value):
    global latest
    latest = value
    log.values.append(value)

@tf.function
def step(x):
    remember(x * 2.0)

def main():
    step(tf.ones([2]))
    return log.values[0] + 1.0
"""


def test_both_statements_of_a_helper_that_stores_it_twice(program) -> None:
    fact = program(leaks_twice=TWO_STORES)
    stores = TWO_STORES.splitlines()
    assert stores[fact.escape.line - 2].strip() == "latest = value"
    assert [stores[place.line - 2].strip() for place in fact.beside] == ["log.values.append(value)"]
    assert {holder.expression for holder in fact.holders} == {"latest", "log.values[0]"}


TAKEN_LATER = """
import leaks_store

@tf.function
def step(x):
    y = x * 2.0
    leaks_store.put("y", y)

def main():
    global features
    step(tf.ones([2]))
    features = leaks_store.values["y"]
    return features + 1.0
"""


def test_what_takes_it_from_another_holder_later_did_not_let_it_escape(program) -> None:
    fact = program(leaks_store=STORE, leaks_later=TAKEN_LATER)
    assert Path(fact.escape.file).name == "leaks_store.py"
    assert not fact.beside


SHARED = """
import collections
State = collections.namedtuple("State", "query scores")

class Attention:
    def __call__(self, x):
        self.last = State(x + 1.0, x * 2.0)
        return x

attention = Attention()

@tf.function
def step(x):
    return attention(x)

def main():
    global state
    step(tf.ones([2]))
    state = attention.last
    return state.scores + 1.0
"""


def test_each_place_that_keeps_the_container_of_it(program) -> None:
    fact = program(leaks_shared=SHARED)
    assert {holder.expression for holder in fact.holders} == {"state.scores", "attention.last.scores"}
    assert SHARED.splitlines()[fact.escape.line - 2].strip() == "self.last = State(x + 1.0, x * 2.0)"


SLOTS = """
class Cell:
    __slots__ = ("content", "empty")

    def fill(self, value):
        self.content = value

cell = Cell()

@tf.function
def step(x):
    cell.fill(tf.exp(x))

def main():
    step(tf.ones([2]))
    return cell.content + 1.0
"""


def test_a_slot(program) -> None:
    fact = program(leaks_slots=SLOTS)
    assert [holder.expression for holder in fact.holders] == ["cell.content"]
    assert SLOTS.splitlines()[fact.escape.line - 2].strip() == "self.content = value"


@pytest.fixture
def every_frame() -> Iterator[None]:
    """Tracebacks with the frames of TensorFlow, as a run of the tool has them."""
    filtered = tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.disable_traceback_filtering()
    yield
    if filtered:
        tf.debugging.enable_traceback_filtering()


CACHED_AND_CAPTURED = """
class Code:
    table = None

    def get(self):
        if self.table is None:
            self.table = tf.eye(2) * 2.0
        return self.table

code = Code()

@tf.function
def encode(x):
    return tf.matmul(x, code.get())

@tf.function
def decode(x):
    return tf.matmul(x, code.get())

def main():
    decode(encode(tf.ones([1, 2])))
"""


@pytest.mark.usefixtures("every_frame")
def test_a_tensor_that_another_traced_function_took_in_was_used_there(program) -> None:
    fact = program(leaks_captured=CACHED_AND_CAPTURED)
    assert fact.used_in.name == "decode"
    assert not _leaks.used_again(fact)
    assert CACHED_AND_CAPTURED.splitlines()[fact.escape.line - 2].strip() == "self.table = tf.eye(2) * 2.0"


def test_it_is_known_that_nothing_traced_went_into_a_cached_tensor(program) -> None:
    assert program(leaks_captured=CACHED_AND_CAPTURED).constant
    assert not program(leaks_store=STORE, leaks_later=TAKEN_LATER).constant


STATE = """
class Net(tf.Module):
    def __init__(self):
        self.w = None
        self.state = tf.zeros([1, 2])

    def cell(self, x):
        return x + self.state, x * self.state + 1.0

    @tf.function
    def step(self, x):
        if self.w is None:
            self.w = tf.Variable(tf.ones([2]))
        out, self.state = self.cell(x * self.w)
        return out

net = Net()

def main():
    net.step(tf.ones([1, 2]))
"""


@pytest.mark.usefixtures("every_frame")
def test_a_state_that_the_second_trace_of_a_function_reads_was_kept_by_the_first(program) -> None:
    fact = program(leaks_state=STATE)
    assert _leaks.used_again(fact)
    assert STATE.splitlines()[fact.escape.line - 2].strip() == "out, self.state = self.cell(x * self.w)"
    assert not fact.constant


PENALTY = """
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)
        self.regular = tf.keras.layers.ActivityRegularization(l1=0.01)

    @tf.function
    def call(self, inputs, training=False):
        x = self.regular(self.dense(inputs))
        return x

net = Net()

def main():
    net(tf.ones([1, 2]))
    net(tf.ones([1, 2]), training=True)
    return tf.add_n(net.losses) + 1.0
"""


def test_what_keras_adds_to_the_losses_is_not_what_the_layer_gives(program) -> None:
    fact = program(leaks_penalty=PENALTY)
    assert fact.added
    assert not program(leaks_twice=TWO_STORES).added


_NOT_GONE = pytest.mark.skipif(
    tuple(map(int, tf.__version__.split(".")[:2])) < (2, 13), reason="TensorFlow ends the process: the graph is gone"
)
TRACKED = """
class Extractor(tf.Module):
    def __init__(self):
        super().__init__()
        self.collected = []

    def one(self, row):
        hidden = tf.tanh(row)
        self.collected.append(hidden)
        return tf.reduce_sum(hidden)

extractor = Extractor()

def stacked(features):
    return tf.stack(features)

def main():
    tf.vectorized_map(extractor.one, tf.ones([3, 2]))
    stacked(extractor.collected)
"""


@_NOT_GONE
def test_a_list_that_a_module_tracks_is_told_beside_a_local_name(program: Callable[..., Any]) -> None:
    fact = program(tracked=TRACKED)
    assert [each.expression for each in fact.holders if not each.private] == ["extractor.collected[0]", "features[0]"]
    assert fact.escape is not None and fact.escape.line == 10


@_NOT_GONE
def test_the_users_function_stands_for_that_of_a_vectorized_map(program: Callable[..., Any]) -> None:
    assert program(tracked=TRACKED).tensor.graph.name == "one"


OF_BUILD = """
class Layer(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=(3,), initializer="ones")
        self.kept = {kept}

    def call(self, x):
        return x * self.kept

class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def call(self, x):
        return self.layer(x)

def main():
    return Model()(tf.ones([2, 3]))
"""


@pytest.mark.skipif(not hasattr(tf.keras, "version") or tf.keras.version()[0] != "3", reason="a trial run of Keras 3")
@pytest.mark.parametrize(("kept", "constant"), [("tf.range(3.0) + 1.0", True), ("self.scale * 2.0", False)])
def test_the_first_value_of_a_weight_is_no_constant_of_the_trial_run(program, kept: str, constant: bool) -> None:
    assert program(of_build=OF_BUILD.format(kept=kept)).constant is constant

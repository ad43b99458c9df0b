"""Random TensorFlow programs that ask for gradients, as source text: the same seed gives the same program.

Every tensor is a vector of three numbers, so that any operation can follow any other. A program is a function
`program()`; it asks with `gradient(tape, target, sources)`, which the harness provides. What a program asks may be
anything: sources that were never watched, targets that are integers, tapes that were closed, reset or paused.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

HEADER = """\
import numpy as np
import tensorflow as tf

SHARED = tf.Variable([0.1, 0.2, 0.3], name="shared")

@tf.custom_gradient
def double(x):
    return x * 2.0, lambda dy: dy * 2.0

@tf.custom_gradient
def first_only(x, y):
    return x * y, lambda dy: (dy * y, None)

@tf.custom_gradient
def swallow(x):
    return tf.sin(x), lambda dy: None

@tf.custom_gradient
def two_outputs(x, y):
    return (x + 1.0, y * 2.0), lambda da, db: (da, db)

def plus_square(x):
    return x + tf.square(x)

@tf.custom_gradient
def with_variable(x):
    def backward(dy, variables=None):
        return dy * 2.0, [None for _ in variables or ()]
    return x * SHARED, backward

def times_global(x):
    return x * SHARED + tf.stop_gradient(x)

def collected(x, y):
    array = tf.TensorArray(tf.float32, size=2, element_shape=[3])
    array = array.write(0, x)
    array = array.write(1, y)
    return array.stack()[0]

def in_numpy(x):
    return np.sin(x).astype(np.float32)

"""

# Templates from vectors of floats to a vector of floats: {0}, {1} are tensors or variables. A py_function uses all that
# it is given: to an input without a gradient TensorFlow hands a scalar zero, and may crash on adding that to a vector.
UNARY = """
tf.sin({0})
tf.tanh({0})
tf.nn.relu({0})
tf.square({0}) + 0.5
{0} * 2.0
-{0}
tf.exp(-tf.square({0}))
tf.reverse({0}, [0])
tf.gather({0}, [2, 0, 1])
{0}[::-1]
tf.cumsum({0})
tf.reduce_sum({0}) * tf.ones([3])
tf.sort({0})
tf.nn.softmax({0})
tf.clip_by_value({0}, -1.0, 1.0)
tf.identity({0})
tf.cast(tf.cast({0}, tf.float64), tf.float32)
tf.math.real(tf.cast({0}, tf.complex64))
tf.reshape(tf.linalg.matmul({0}[None], tf.eye(3)), [3])
tf.linalg.diag_part(tf.linalg.diag({0}))
tf.unstack(tf.stack([{0}, {0} + 1.0]))[1]
tf.split({0}, 3)[1] + tf.zeros([3])
tf.math.top_k({0}, k=3)[0]
tf.pad({0}, [[1, 0]])[:3]
tf.tile({0}, [2])[1:4]
tf.where({0} > 0.0, {0}, 0.1)
tf.boolean_mask({0}, [True, True, True])
tf.map_fn(lambda e: e * 2.0, {0})
tf.scan(lambda a, e: a + e, {0})
tf.py_function(lambda e: e * 3.0, [{0}], tf.float32) + tf.zeros([3])
double({0})
tf.recompute_grad(plus_square)({0})
tf.math.l2_normalize({0})
tf.math.bincount(tf.constant([0, 1, 2]), minlength=3, dtype=tf.float32) * {0}
tf.raw_ops.ClipByValue(t={0}, clip_value_min=-1.0, clip_value_max=1.0)
tf.math.segment_sum({0}, [0, 1, 2])
tf.tensor_scatter_nd_update({0}, [[0]], [1.0])
tf.ensure_shape({0}, [3])
tf.debugging.check_numerics({0}, "bad")
tf.quantization.fake_quant_with_min_max_args({0})
tf.random.shuffle({0})
tf.nn.dropout({0}, 0.5)
tf.vectorized_map(lambda e: e * 2.0, {0})
tf.foldl(lambda a, e: a + e, {0}) * tf.ones([3])
tf.foldr(lambda a, e: a + e, {0}) + tf.zeros([3])
tf.sparse.to_dense(tf.sparse.from_dense(tf.convert_to_tensor({0})))
tf.reshape(tf.sparse.sparse_dense_matmul(tf.sparse.from_dense(tf.eye(3)), {0}[:, None]), [3])
tf.cast(tf.cast({0}, tf.bfloat16), tf.float32)
tf.cast(tf.quantization.quantize_and_dequantize_v2({0}, -1.0, 1.0), tf.float32)
tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 1.5), [0, {0}], maximum_iterations=2)[1]
tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.stop_gradient(a)), [0, {0} * 1.0])[1]
tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.round(a)), [0, {0} * 1.0])[1]
with_variable({0})
tf.recompute_grad(times_global)({0})
tf.grad_pass_through(tf.round)({0})
tf.nn.batch_normalization({0}, 0.0, 1.0, None, None, 0.01)
tf.nn.embedding_lookup({0}, [2, 0, 1])
tf.linalg.inv(tf.linalg.diag({0} + 5.0))[0]
tf.signal.irfft(tf.signal.rfft({0}), [3])
tf.math.abs(tf.complex({0}, 0.5))
tf.image.resize(tf.reshape({0}, [1, 3, 1, 1]), [3, 1])[0, :, 0, 0]
tf.nn.conv1d(tf.reshape({0}, [1, 3, 1]), tf.ones([1, 1, 1]), 1, "SAME")[0, :, 0]
tf.RaggedTensor.from_row_lengths({0}, [1, 2]).flat_values
tf.RaggedTensor.from_row_lengths({0}, [1, 2]).to_tensor()[0][0] + tf.zeros([3])
tf.function(lambda e: tf.sin(e))({0})
tf.function(lambda e: (tf.sin(e), e * 2.0))({0})[1]
tf.function(lambda e: tf.stop_gradient(e) * 2.0)({0} * 1.0)
tf.function(lambda e: tf.gradients(tf.sin(e), e)[0])({0} * 1.0)
tf.recompute_grad(tf.stop_gradient)({0} * 1.0)
tf.reduce_logsumexp({0}) * tf.ones([3])
tf.roll({0}, 1, 0)
tf.math.unsorted_segment_max({0}, [0, 1, 2], 3)
tf.stack(list(tf.unstack({0})))
tf.scan(lambda a, e: tf.stop_gradient(a) + e, {0})
tf.map_fn(lambda e: tf.round(e), {0})
tf.nn.moments({0}, [0])[0] + tf.zeros([3])
tf.linalg.solve(tf.eye(3) * 2.0, {0}[:, None])[:, 0]
tf.convert_to_tensor(tf.IndexedSlices({0} * 1.0, tf.constant([2, 0, 1]), tf.constant([3])))
""".strip().splitlines()
# Those through which no gradient passes, or a zero one.
CUTTING = """
tf.stop_gradient({0})
tf.round({0})
tf.floor({0})
tf.math.ceil({0})
tf.sign({0})
tf.cast(tf.cast({0}, tf.int32), tf.float32)
tf.cast({0} > 0.3, tf.float32)
tf.cast(tf.argmax({0}), tf.float32) * tf.ones([3])
tf.zeros_like({0})
tf.ones_like({0})
tf.cast(tf.shape({0})[0], tf.float32) + tf.zeros([3])
tf.numpy_function(in_numpy, [{0}], tf.float32) + tf.zeros([3])
swallow({0})
tf.one_hot(tf.cast({0}, tf.int32), 3)[0]
tf.strings.to_number(tf.strings.as_string({0}))
tf.bitcast(tf.bitcast({0}, tf.int32), tf.float32)
tf.cast(tf.histogram_fixed_width({0}, [0.0, 1.0], 3), tf.float32)
tf.cast(tf.math.logical_not({0} > 0.3), tf.float32)
tf.math.rint({0})
tf.ones([3]) * tf.cast(tf.strings.length(tf.strings.as_string({0})), tf.float32)
tf.cast(tf.sets.size(tf.sets.union(*[tf.cast({0}, tf.int64)[None]] * 2)), tf.float32) * tf.ones([3])
tf.random.stateless_uniform([3], [1, 2]) + tf.zeros_like({0})
""".strip().splitlines()
BINARY = """
{0} + {1}
{0} * {1}
{0} - {1}
tf.maximum({0}, {1})
tf.where({0} > 0.2, {0}, {1})
tf.where({1} > 0.2, {0}, 0.0)
tf.concat([{0}, {1}], 0)[1:4]
tf.stack([{0}, {1}])[1]
tf.stack([{0}, {1}])[0]
tf.add_n([{0}, {1}])
tf.gather({0}, tf.cast(tf.clip_by_value({1}, 0.0, 2.0), tf.int32))
tf.math.floormod({0}, {1} + 2.0)
{0} // ({1} + 2.0)
tf.math.atan2({0}, {1} + 2.0)
first_only({0}, {1})
two_outputs({0}, {1})[0]
collected({0}, {1})
tf.tensor_scatter_nd_add({0}, [[1]], {1}[:1])
tf.linalg.matvec(tf.linalg.diag({0}), {1})
tf.nn.softmax_cross_entropy_with_logits({0}, {1}) + tf.zeros([3])
tf.cond(tf.reduce_sum({0}) > -100.0, lambda: {0} * 2.0, lambda: {1} * 3.0)
tf.cond(tf.reduce_sum({0}) > 100.0, lambda: {0} * 2.0, lambda: {1} * 3.0)
tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * {0} + {1}), [0, {1}])[1]
tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: (i + 1, a * 2.0, b + 1.0), [0, {0}, {1}])[1]
tf.case([(tf.reduce_sum({0}) > 100.0, lambda: {0})], default=lambda: {1})
tf.switch_case(tf.constant(1), [lambda: {0} * 1.0, lambda: {1} * 2.0])
tf.map_fn(lambda e: e[0] * e[1], ({0}, {1}), fn_output_signature=tf.float32)
tf.py_function(lambda a, b: a * b, [{0}, {1}], tf.float32) + tf.zeros([3])
tf.identity_n([{0}, {1}])[0]
tf.nest.map_structure(lambda a: a + 1.0, ({0}, {1}))[1]
tf.meshgrid({0}, {1})[0][0]
tf.linspace({0}[0], {1}[0], 3)
tf.range({0}[0], {0}[0] + 2.9, 1.0)[:3] + 0.0 * {1}
tf.pad({0}, [[1, 0]], constant_values=0.5)[:3] + {1}
tf.reduce_max(tf.stack([{0}, {1}]), 0)
tf.einsum("i,i->i", {0}, {1})
tf.RaggedTensor.from_row_splits({0}, [0, 1, 3]).to_tensor()[:, 0][0] * {1}
tf.sparse.to_dense(tf.sparse.add(tf.sparse.from_dense({0} * 1.0), tf.sparse.from_dense({1} * 1.0)))
tf.identity_n([{0}, {1}])[1]
tf.foldl(lambda a, e: a + e * {1}, {0}, initializer={1})
tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a + tf.stop_gradient({0})), [0, {1}])[1]
tf.while_loop(lambda i, a: tf.reduce_sum({0}) > 100.0, lambda i, a: (i + 1, a + 1.0), [0, {1}])[1]
tf.cond(tf.reduce_sum({0}) > 0.0, lambda: tf.stop_gradient({0}), lambda: {1} * 3.0)
tf.cond(tf.reduce_sum({0}) > 0.0, lambda: tf.ones([3]), lambda: tf.floor({1}))
tf.cond(tf.reduce_sum({0}) > 0.0, lambda: tf.cond(tf.reduce_sum({1}) > 0.0, lambda: {0}, lambda: {1}), lambda: {1})
tf.py_function(lambda a, b: tf.stop_gradient(a) * b + a, [{0}, {1}], tf.float32) + tf.zeros([3])
tf.py_function(lambda a, b: (a * 2.0, b), [{0}, {1}], [tf.float32, tf.float32])[1] + tf.zeros([3])
tf.grad_pass_through(lambda a: a * {1})({0})
tf.math.abs(tf.complex({0}, {1}))
tf.cast(tf.complex({0}, {1}), tf.float32)
tf.function(lambda a, b: (a * 2.0, b * 3.0))({0}, {1})[0]
tf.function(lambda a, b: tf.function(lambda c: c * b)(a))({0} * 1.0, {1} * 1.0)
tf.function(lambda a, b: tf.cond(tf.reduce_sum(a) > 100.0, lambda: a, lambda: b))({0} * 1.0, {1} * 1.0)
tf.function(lambda a: a * {1})({0} * 1.0)
tf.custom_gradient(lambda a: (a * {1}, lambda dy: dy))({0} * 1.0)
tf.foldl(lambda a, e: (a[0] + e[0], a[1] + e[1]), ({0}, {1}), initializer=(0.0, 0.0))[1] * tf.ones([3])
tf.scan(lambda a, e: (a[0] + e[0], a[1] + 1.0), ({0}, {1}), initializer=(0.0, 0.0))[1]
tf.nn.sigmoid_cross_entropy_with_logits({0}, {1})
tf.compat.v1.losses.mean_squared_error({0}, {1}) + tf.zeros([3])
tf.where(tf.constant([True, False, True]), {0}, tf.stop_gradient({1}))
tf.tensordot({0}, {1}, 1) + tf.zeros([3])
tf.dynamic_stitch([[0, 1], [2]], [{0}[:2], {1}[:1]])
tf.concat(tf.dynamic_partition({0}, [0, 1, 0], 2), 0) + {1}
tf.squeeze(tf.linalg.lstsq(tf.eye(3), tf.stack([{0}, {1}], 1)))[:, 0]
tf.sparse.to_dense(tf.sparse.concat(0, [tf.sparse.from_dense({0} * 1.0), tf.sparse.from_dense({1} * 1.0)]))[:3]
tf.sparse.reduce_sum(tf.sparse.from_dense({0} * 1.0)) * {1}
""".strip().splitlines()
EAGER_ONLY = """
tf.constant({0}.numpy())
tf.constant(np.sin({0}).astype(np.float32))
tf.convert_to_tensor({0}.numpy() * 2.0)
tf.constant([float(e) for e in {0}])
tf.ones([3]) * float({0}[0])
tf.Variable({0})
next(iter(tf.data.Dataset.from_tensors({0})))
tf.constant({0}.numpy().tolist())
tf.stack(list({0}))
tf.constant(np.asarray({0}) * 2.0)
tf.reduce_max({0}) * np.float32(tf.reduce_sum({0}))
""".strip().splitlines()
# Operations of every kind by name, with the number of their float inputs: filled in by the harness.
RAW: list[tuple[str, int]] = []
# Keras layers from a batch of vectors to a batch of vectors.
LAYERS = [
    "tf.keras.layers.Dense(3, activation='tanh')",
    "tf.keras.layers.LayerNormalization()",
    "tf.keras.layers.BatchNormalization()",
    "tf.keras.layers.PReLU()",
    "tf.keras.layers.Dropout(0.5)",
    "tf.keras.Sequential([tf.keras.layers.Reshape((3, 1)), tf.keras.layers.LSTM(3)])",
    "tf.keras.Sequential([tf.keras.layers.Reshape((3, 1)), tf.keras.layers.Conv1D(2, 2), tf.keras.layers.Flatten(), "
    "tf.keras.layers.Dense(3)])",
    "tf.keras.Sequential([tf.keras.layers.Dense(4, trainable=False), tf.keras.layers.Dense(3, use_bias=False)])",
]
# How a tape is asked. The last one has zeros for each None.
QUESTIONS = ["gradient"] * 12 + ["jacobian", "slow_jacobian", "zeros", "weighted", "nested"]
MAKE_INTEGERS = ["tf.cast({0}, tf.int32)", "tf.argsort({0})", "tf.math.top_k({0}, k=3)[1]", "tf.searchsorted({0}, {0})"]


@dataclass
class Scope:
    """The names that may be used at one place, and whether the place is inside a traced function."""

    tensors: list[str]
    variables: list[str] = field(default_factory=list)
    integers: list[str] = field(default_factory=list)
    tapes: list[str] = field(default_factory=list)
    watched: list[str] = field(default_factory=list)
    matrices: list[tuple[str, str]] = field(default_factory=list)
    traced: bool = False

    def inner(self, **changes: object) -> Scope:
        """A scope inside this one: what is made there stays there."""
        copies = {name: list(value) if isinstance(value, list) else value for name, value in vars(self).items()}
        return Scope(**{**copies, **changes})  # type: ignore[arg-type]


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.functions: list[tuple[str, int]] = []
        self.layers: list[str] = []
        self.count = 0
        self.questions = 0

    def name(self, prefix: str) -> str:
        """A new name."""
        self.count += 1
        return f"{prefix}{self.count}"

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def pick(self, names: list[str]) -> str:
        """A name: the newest more often, so that programs get deep, and the oldest, which are watched more often."""
        kind = self.random.random()
        if kind < 0.5:
            return names[-1]
        return self.random.choice(names[:2] if kind < 0.7 else names[-4:] if kind < 0.9 else names)

    def operand(self, scope: Scope) -> str:
        if scope.variables and self.random.random() < 0.25:
            form = self.random.choice(["{}"] * 8 + ["{}.value()", "{}.read_value()"])
            return form.format(self.random.choice(scope.variables))
        return self.pick(scope.tensors)

    # Statements. Each writes one or more lines at a depth, and adds to the scope what it made.

    def operation(self, depth: int, scope: Scope) -> None:
        kind = self.random.random()
        made = self.name("y")
        if kind < 0.5:
            templates = CUTTING if kind < 0.08 else UNARY
            text = self.random.choice(templates).format(self.operand(scope))
        elif kind < 0.62 and RAW:
            name, inputs = self.random.choice(RAW)
            text = f"raw({name!r}, {self.random.randrange(inputs)}, {self.operand(scope)})"
        elif kind < 0.92 or scope.traced:
            text = self.random.choice(BINARY).format(self.operand(scope), self.operand(scope))
        else:
            text = self.random.choice(EAGER_ONLY).format(self.pick(scope.tensors))
        self.add(depth, f"{made} = {text}")
        (scope.variables if text.startswith("tf.Variable") else scope.tensors).append(made)

    def integers(self, depth: int, scope: Scope) -> None:
        made = self.name("i")
        self.add(depth, f"{made} = {self.random.choice(MAKE_INTEGERS).format(self.pick(scope.tensors))}")
        scope.integers.append(made)

    def assign(self, depth: int, scope: Scope) -> None:
        if scope.variables:
            variable, value = self.random.choice(scope.variables), self.pick(scope.tensors)
            method = self.random.choice(["assign", "assign_add", "assign_sub", "slice", "scatter"])
            if method == "slice":
                self.add(depth, f"{variable}[1:].assign({value}[1:])")
            elif method == "scatter":
                self.add(depth, f"{variable}.scatter_nd_update([[0]], {value}[:1])")
            else:
                self.add(depth, f"{variable}.{method}({value})")
        else:
            self.operation(depth, scope)

    def call(self, depth: int, scope: Scope) -> None:
        if not self.functions:
            self.operation(depth, scope)
            return
        function, outputs = self.random.choice(self.functions)
        made = [self.name("y") for _ in range(outputs)]
        self.add(depth, f"{', '.join(made)} = {function}({self.pick(scope.tensors)}, {self.pick(scope.tensors)})")
        scope.tensors.extend(made)

    def layer(self, depth: int, scope: Scope) -> None:
        if self.layers:
            made = self.name("y")
            self.add(depth, f"{made} = {self.random.choice(self.layers)}({self.pick(scope.tensors)}[None])[0]")
            scope.tensors.append(made)
        else:
            self.operation(depth, scope)

    def watch(self, depth: int, scope: Scope) -> None:
        if scope.tapes:
            self.add(depth, f"{self.random.choice(scope.tapes)}.watch({self.operand(scope)})")

    def paused(self, depth: int, scope: Scope) -> None:
        if scope.tapes:
            self.add(depth, f"with {scope.tapes[-1]}.stop_recording():")
            # The innermost tape only: pausing another leaves the stack of tapes in another order.
            inner = scope.inner(tapes=[])
            self.operation(depth + 1, inner)
            self.body(depth + 1, inner, self.random.randint(0, 1), nested=False)
            self.keep(scope, inner)

    def matrix(self, depth: int, scope: Scope) -> None:
        """A matrix and what is computed from it row by row, for `batch_jacobian`."""
        source, made, target = self.name("m"), self.name("y"), self.name("m")
        self.add(depth, f"{source} = tf.reshape({self.operand(scope)}, [3, 1])")
        if scope.tapes and self.random.random() < 0.7:
            self.add(depth, f"{scope.tapes[-1]}.watch({source})")
        self.add(depth, f"{made} = {self.random.choice(UNARY[:12] + CUTTING).format(f'tf.reshape({source}, [3])')}")
        self.add(depth, f"{target} = tf.reshape({made}, [3, 1])")
        scope.matrices.append((target, source))

    def reset(self, depth: int, scope: Scope) -> None:
        if scope.tapes and self.random.random() < 0.5:
            self.add(depth, f"{scope.tapes[-1]}.reset()")

    def branch(self, depth: int, scope: Scope) -> None:
        """A Python `if` on a tensor: autograph makes it a cond inside tf.function."""
        made, test = self.name("y"), self.pick(scope.tensors)
        limit = self.random.choice(["-100.0", "100.0"])
        self.add(depth, f"if tf.reduce_sum({test}) > {limit}:")
        self.add(depth + 1, f"{made} = {self.random.choice(UNARY[:12]).format(self.operand(scope))}")
        self.add(depth, "else:")
        self.add(depth + 1, f"{made} = {self.random.choice(UNARY[:12]).format(self.operand(scope))}")
        scope.tensors.append(made)

    def loop(self, depth: int, scope: Scope) -> None:
        made = self.name("y")
        turns = self.random.choice(["range(2)", "tf.range(2)"])
        self.add(depth, f"{made} = {self.pick(scope.tensors)} * 1.0")
        self.add(depth, f"for _ in {turns}:")
        self.add(depth + 1, f"{made} = {made} * 0.5 + {self.operand(scope)}")
        scope.tensors.append(made)

    def tape(self, depth: int, scope: Scope) -> None:
        """A tape, what it records, and questions: inside the `with`, or after it."""
        tape = self.name("t")
        options = []
        persistent = self.random.random() < 0.6
        if persistent:
            options.append("persistent=True")
        if self.random.random() < 0.2:
            options.append("watch_accessed_variables=False")
        self.add(depth, f"with tf.GradientTape({', '.join(options)}) as {tape}:")
        inner = scope.inner(tapes=[*scope.tapes, tape])
        if self.random.random() < 0.85:
            watched = self.random.choice([scope.tensors[:1], scope.tensors[:2], scope.tensors[:2], scope.tensors[-1:]])
            if self.random.random() < 0.5:
                watched.append(self.operand(inner))
            self.add(depth + 1, f"{tape}.watch([{', '.join(watched)}])")
            scope.watched = inner.watched = watched
        made = len(inner.tensors)
        self.operation(depth + 1, inner)
        self.body(depth + 1, inner, self.random.randint(1, 4))
        if persistent and self.random.random() < 0.2:
            self.question(depth + 1, inner, tape)
        self.keep(scope, inner)
        scope.watched = scope.watched + inner.tensors[made:]
        if self.random.random() < 0.2:
            self.operation(depth, scope)
        if self.random.random() < 0.08:
            # The same tape once more: what ran in between is not on it.
            self.add(depth, f"with {tape}:")
            again = scope.inner(tapes=[*scope.tapes, tape])
            self.operation(depth + 1, again)
            self.body(depth + 1, again, self.random.randint(0, 2))
            self.keep(scope, again)
        for _ in range(self.random.randint(1, 3) if persistent else 1):
            self.question(depth, scope, tape)

    def accumulator(self, depth: int, scope: Scope) -> None:
        """Forward mode: an accumulator that watches one value, and asks for tangents of what was made from it."""
        made, primal = self.name("a"), self.operand(scope)
        many = self.random.random() < 0.15
        opened = f"batched({primal})" if many else f"tf.autodiff.ForwardAccumulator({primal}, tf.ones([3]))"
        self.add(depth, f"with {opened} as {made}:")
        inner = scope.inner(tapes=[], matrices=[])
        for _ in range(self.random.randint(1, 3)):
            if self.functions and not scope.traced and not many and self.random.random() < 0.4:
                self.call(depth + 1, inner)
                continue
            self.add(depth + 1, f"{(name := self.name('y'))} = {self._forward(inner)}")
            inner.tensors.append(name)
        self.keep(scope, inner)
        if self.random.random() < 0.3:
            self.operation(depth, scope)
        for target in self.random.sample(scope.tensors[-3:], self.random.choice([1, 2])):
            self.add(depth, f"tangent({made}, {target})")

    def _forward(self, scope: Scope) -> str:
        kind = self.random.random()
        templates = CUTTING[:8] if kind < 0.15 else UNARY[:20] if kind < 0.6 else BINARY[:8]
        return self.random.choice(templates).format(self.operand(scope), self.operand(scope))

    def question(self, depth: int, scope: Scope, tape: str) -> None:
        self.questions += 1
        targets = [
            self.random.choice([scope.tensors[-1], *scope.tensors[-3:]])
            for _ in range(self.random.choice([1, 1, 1, 2]))
        ]
        if scope.integers and self.random.random() < 0.05:
            targets = [self.random.choice(scope.integers)]
        pool = scope.tensors[:2] + scope.tensors[-4:] + scope.variables + scope.integers
        if scope.watched and self.random.random() < 0.7:
            pool = scope.watched + scope.variables
        sources = self.random.sample(pool, min(len(pool), self.random.randint(1, 5)))
        if self.random.random() < 0.05:
            sources.append("SHARED")
        if self.layers and not scope.traced and self.random.random() < 0.5:
            sources += [f"*{name}.trainable_variables" for name in self.layers]
        target = targets[0] if len(targets) == 1 else f"[{', '.join(targets)}]"
        kind = self.random.choice(QUESTIONS) if len(targets) == 1 else "gradient"
        if scope.matrices:
            kind, (target, source) = "batch_jacobian", scope.matrices.pop()
            sources = [source]
        made = self.name("g")
        self.add(depth, f"{made} = {kind}({tape}, {target}, [{', '.join(sources)}])")
        if kind == "gradient" and self.random.random() < 0.5:
            follow = self.name("y")
            # Gradients are used further: for gradients of gradients.
            self.add(depth, f"{follow} = first({made}, {self.pick(scope.tensors)})")
            scope.tensors.append(follow)

    def graph_question(self, scope: Scope) -> None:
        """A question without a tape: `tf.gradients` inside a traced function."""
        target, made = self.random.choice(scope.tensors[-3:]), self.name("y")
        pool = scope.tensors[:2] + scope.tensors[-4:] + scope.variables
        sources = self.random.sample(pool, min(len(pool), self.random.randint(1, 5)))
        options = self.random.choice(["", "", "", "stops", "old", "weighted", "zeros", "hessians"])
        if options == "stops":
            stops = self.random.sample(scope.tensors, min(len(scope.tensors), self.random.randint(1, 2)))
            options = f", stops=[{', '.join(stops)}]"
        elif options:
            options = f", how={options!r}"
        self.add(2, f"{made} = first(graph_gradients({target}, [{', '.join(sources)}]{options}), a)")
        scope.tensors.append(made)

    def keep(self, scope: Scope, inner: Scope) -> None:
        """What was made in a block of Python stays visible after it."""
        scope.tensors, scope.variables, scope.integers = inner.tensors, inner.variables, inner.integers

    def body(self, depth: int, scope: Scope, length: int, nested: bool = True) -> None:
        for _ in range(length):
            self.statement(nested)(depth, scope)

    def statement(self, nested: bool) -> Callable[[int, Scope], None]:
        choices: list[tuple[Callable[[int, Scope], None], float]] = [
            (self.operation, 10),
            (self.integers, 0.7),
            (self.assign, 0.8),
            (self.call, 2),
            (self.layer, 1),
            (self.branch, 0.7),
            (self.loop, 0.7),
        ]
        if nested:
            choices += [(self.accumulator, 0.5)]
        if nested:
            choices += [(self.watch, 0.8), (self.paused, 0.7), (self.reset, 0.4), (self.tape, 0.6), (self.matrix, 0.4)]
        return self.random.choices([one for one, _ in choices], [weight for _, weight in choices])[0]

    def function(self, variables: list[str]) -> None:
        """A tf.function of two tensors, that may use variables of the program, with one to three outputs."""
        name = self.name("f")
        scope = Scope(tensors=["a", "b"], variables=variables, traced=True)
        self.add(1, "@tf.function")
        self.add(1, f"def {name}(a, b):")
        self.body(2, scope, self.random.randint(1, 4), nested=False)
        kind = self.random.random()
        if kind < 0.25:
            self.tape(2, scope)
        elif kind < 0.45:
            self.graph_question(scope)
        outputs = self.random.choice([1, 1, 2, 3])
        returned = [self.pick(scope.tensors) for _ in range(outputs)]
        self.add(2, f"return {', '.join(returned)}")
        self.functions.append((name, outputs))

    def program(self) -> str:
        """The whole text."""
        self.add(0, "def program():")
        tensors, variables = [], []
        for i in range(self.random.randint(2, 3)):
            tensors.append(f"x{i}")
            self.add(1, f"x{i} = tf.constant([0.3, 0.{4 + i}, 0.9])")
        for i in range(self.random.randint(1, 3)):
            variables.append(f"v{i}")
            options = ", trainable=False" if self.random.random() < 0.2 else ""
            self.add(1, f"v{i} = tf.Variable([0.5, 0.{2 + i}, 0.7]{options})")
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.function(list(variables))
        if self.random.random() < 0.12:
            self.layers.append("layer")
            self.add(1, f"layer = {self.random.choice(LAYERS)}")
            self.add(1, "layer.build([1, 3])")
        scope = Scope(tensors=tensors, variables=variables)
        self.body(1, scope, self.random.randint(0, 2), nested=False)
        for _ in range(self.random.randint(1, 2)):
            self.tape(1, scope)
        return HEADER + "\n".join(self.lines) + "\n"


def program(seed: int) -> str:
    """The source text of the program with this seed."""
    return Writer(seed).program()

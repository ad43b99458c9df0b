"""What random programs are made of: text with {0} and {1} in the places of vectors of three floats."""

from __future__ import annotations

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

def written_in_a_loop(x, y):
    array = tf.TensorArray(tf.float32, size=3, element_shape=[])
    for i in tf.range(3):
        array = array.write(i, x[i] * y[i])
    return array.stack()

def taken_apart(x):
    array = tf.TensorArray(tf.float32, size=3, element_shape=[]).unstack(x)
    return array.gather([2, 0, 1])

def split_up(x, y):
    array = tf.TensorArray(tf.float32, size=2, infer_shape=False).split(tf.concat([x, y], 0), [1, 5])
    return array.concat()[:3]

def written_and_left(x, y):
    array = tf.TensorArray(tf.float32, size=2, element_shape=[3]).write(0, x).write(1, y)
    return array.read(1)

@tf.custom_gradient
def cubed(x):
    return x * x * x, lambda dy: dy * 3.0 * x * x

@tf.custom_gradient
def with_flat_slope(x):
    return tf.sin(x), lambda dy: dy * tf.stop_gradient(tf.cos(x))

@tf.custom_gradient
def with_own_slope(x):
    @tf.custom_gradient
    def backward(dy):
        return dy * 3.0, lambda ddy: None
    return x * 3.0, backward

class Gated(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(3,), initializer="ones")

    def call(self, inputs):
        return tf.where(inputs > 0.5, inputs * self.scale, tf.stop_gradient(inputs))

def functional():
    inputs = tf.keras.Input((3,))
    hidden = tf.keras.layers.Dense(4, activation="tanh")(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Add()([tf.keras.layers.Dense(3)(hidden), inputs]))

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
tf.recompute_grad(tf.recompute_grad(plus_square))({0})
taken_apart({0})
cubed({0})
with_flat_slope({0})
with_own_slope({0})
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
tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 1.5), (0, {0}), maximum_iterations=2)[1]
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
written_in_a_loop({0}, {1})
split_up({0}, {1})
written_and_left({0}, {1})
tf.map_fn(lambda e: (e[0] * 2.0, e[1]), ({0}, {1}), fn_output_signature=(tf.float32, tf.float32))[1]
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
(lambda b: tf.custom_gradient(lambda a: (a * b, lambda dy: dy))({0} * 1.0))({1} * 1.0)
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
    "Gated()",
    "functional()",
    "tf.keras.Sequential([tf.keras.layers.Reshape((3, 1)), tf.keras.layers.LSTM(3)])",
    "tf.keras.Sequential([tf.keras.layers.Reshape((3, 1)), tf.keras.layers.Conv1D(2, 2), tf.keras.layers.Flatten(), "
    "tf.keras.layers.Dense(3)])",
    "tf.keras.Sequential([tf.keras.layers.Dense(4, trainable=False), tf.keras.layers.Dense(3, use_bias=False)])",
]
# How a variable is read.
READS = ["{}"] * 8 + ["{}.value()", "{}.read_value()", "{}.sparse_read([2, 0, 1])", "{}.gather_nd([[0], [1], [2]])"]
# How a tape is asked. The last one has zeros for each None.
QUESTIONS = ["gradient"] * 12 + ["jacobian", "slow_jacobian", "zeros", "weighted", "nested"]
MAKE_INTEGERS = ["tf.cast({0}, tf.int32)", "tf.argsort({0})", "tf.math.top_k({0}, k=3)[1]", "tf.searchsorted({0}, {0})"]

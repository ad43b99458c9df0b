"""A Gaussian mixture: k-means with assign to begin with, then EM with assign, then descent on the likelihood."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
K, D = 3, 2
points = np.concatenate([rng.normal(m, 0.3, (40, D)) for m in (-2, 0, 2)]).astype("float32")
x = tf.constant(points)


class Mixture(tf.Module):
    def __init__(self):
        super().__init__()
        self.means = tf.Variable(points[rng.choice(len(points), K, replace=False)], name="means")
        self.log_scale = tf.Variable(tf.zeros((K, D)), name="log_scale")
        self.logits = tf.Variable(tf.zeros(K), name="logits")
        self.counts = tf.Variable(tf.zeros(K), trainable=False, name="counts")

    def log_joint(self, x):
        z = (x[:, None] - self.means) * tf.exp(-self.log_scale)
        logp = -0.5 * tf.reduce_sum(z**2, -1) - tf.reduce_sum(self.log_scale, -1) - D * 0.919
        return logp + tf.nn.log_softmax(self.logits)

    @tf.function
    def kmeans_step(self, x):
        distance = tf.reduce_sum((x[:, None] - self.means) ** 2, -1)
        nearest = tf.argmin(distance, 1, output_type=tf.int32)
        sums = tf.math.unsorted_segment_sum(x, nearest, K)
        counts = tf.math.unsorted_segment_sum(tf.ones_like(x[:, 0]), nearest, K)
        self.counts.assign(counts)
        self.means.assign(tf.where(counts[:, None] > 0, sums / tf.maximum(counts[:, None], 1.0), self.means))
        return tf.reduce_mean(tf.reduce_min(distance, 1))

    def em_step(self, x):
        r = tf.nn.softmax(self.log_joint(x))
        n = tf.reduce_sum(r, 0)
        mean = tf.einsum("nk,nd->kd", r, x) / n[:, None]
        var = tf.einsum("nk,nkd->kd", r, (x[:, None] - mean) ** 2) / n[:, None]
        self.means.assign(mean)
        self.log_scale.assign(0.5 * tf.math.log(var + 1e-4))
        self.logits.assign(tf.math.log(n / tf.reduce_sum(n)))


class OnlineKMeans(tf.keras.layers.Layer):
    """Codes for another model; its centres follow the data by a running mean and take no gradient."""

    def __init__(self, k, **kwargs):
        super().__init__(**kwargs)
        self.k = k

    def build(self, shape):
        self.centres = self.add_weight(name="centres", shape=(self.k, shape[-1]), initializer="random_normal", trainable=False)
        super().build(shape)

    def call(self, x, training=False):
        d = tf.reduce_sum((x[:, None] - tf.convert_to_tensor(self.centres)) ** 2, -1)
        code = tf.one_hot(tf.argmin(d, 1), self.k)
        if training:
            n = tf.reduce_sum(code, 0)[:, None]
            mean = tf.matmul(code, x, transpose_a=True) / tf.maximum(n, 1.0)
            self.centres.assign(tf.where(n > 0, 0.9 * self.centres + 0.1 * mean, tf.convert_to_tensor(self.centres)))
        return code


mixture = Mixture()
for _ in range(6):
    inertia = mixture.kmeans_step(x)
before = mixture.means.numpy().copy()
for _ in range(8):
    mixture.em_step(x)
optimizer = tf.keras.optimizers.SGD(1e-3)
for _ in range(6):
    with tf.GradientTape() as tape:
        nll = -tf.reduce_mean(tf.reduce_logsumexp(mixture.log_joint(x), -1))
    grads = tape.gradient(nll, mixture.trainable_variables)
    optimizer.apply_gradients(zip(grads, mixture.trainable_variables))
print(float(inertia), float(nll), np.abs(before - mixture.means.numpy()).max())

inputs = tf.keras.Input((D,))
codes = OnlineKMeans(4)(inputs)
outputs = tf.keras.layers.Dense(3, activation="softmax")(tf.keras.layers.Concatenate()([inputs, codes]))
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy")
labels = np.repeat([0, 1, 2], 40)
print(model.fit(points, labels, epochs=3, verbose=0).history["loss"])

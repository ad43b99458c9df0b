# Branches on tensors by `tf.cond`, `tf.where` and AutoGraph; checks by assertions of the graph.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


def finite(value, name):
    with tf.control_dependencies([tf.debugging.assert_all_finite(value, f"{name} is not finite")]):
        return tf.identity(value)


def clip(gradients, limit):
    norm = tf.linalg.global_norm(gradients)
    scale = tf.minimum(1.0, limit / tf.maximum(norm, 1e-6))
    return [gradient * scale for gradient in gradients]


model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        error = model(x) - y
        if tf.reduce_max(tf.abs(error)) > 10.0:
            loss = tf.reduce_mean(tf.abs(error))
        else:
            loss = tf.reduce_mean(error**2)
        loss = finite(loss, "loss")
    gradients = clip(tape.gradient(loss, model.trainable_variables), 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return tf.cond(loss > 1.0, lambda: tf.constant("high"), lambda: tf.constant("low"))


x = tf.random.stateless_normal([8, 3], [3, 4])
print([train(x, 100.0 * x[:, :1]).numpy(), train(x, 0.01 * x[:, :1]).numpy()])

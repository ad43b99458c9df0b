"""Two optimizers, fast and slow, take turns in one compiled step."""
# requires: keras3
import tensorflow as tf

fast_optimizer = tf.keras.optimizers.Adam(learning_rate=1e-3)
slow_optimizer = tf.keras.optimizers.Adam(learning_rate=1e-6)


def make_model():
    return tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])


@tf.function
def gradients_of(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    return tape.gradient(loss, model.trainable_variables)


@tf.function
def apply_gradients_once(optimizer, grads, variables):
    optimizer.apply_gradients(zip(grads, variables))  # why: TW121


def apply_grads(use_fast, grads, variables):
    optimizer = fast_optimizer if use_fast else slow_optimizer
    apply_gradients_once(optimizer, grads, variables)


def main():
    model = make_model()
    model(tf.zeros((1, 4)))
    for step in range(4):
        x = tf.random.normal((16, 4))
        grads = gradients_of(model, x, tf.reduce_sum(x, axis=1, keepdims=True))
        apply_grads(step % 2 == 0, grads, model.trainable_variables)
    print(fast_optimizer.iterations.numpy(), slow_optimizer.iterations.numpy())


main()

import numpy as np
import tensorflow as tf


def create_a2c(observation, actions):
    inputs = tf.keras.Input((observation,))
    common = tf.keras.layers.Dense(16, activation="relu")(inputs)
    policy = tf.keras.layers.Dense(actions, activation="softmax", name="policy")(common)
    value = tf.keras.layers.Dense(1, name="value")(common)
    return tf.keras.Model(inputs, [policy, value])


def update(model, optimizer, states, actions, returns):
    with tf.GradientTape() as tape:
        policy, _value = model(states)  # why: TW115
        chosen = tf.reduce_sum(policy * tf.one_hot(actions, 2), axis=1)
        loss = -tf.reduce_mean(tf.math.log(chosen + 1e-8) * returns)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


model = create_a2c(4, 2)
rng = np.random.default_rng(0)
print(
    float(
        update(
            model,
            tf.keras.optimizers.Adam(1e-3),
            rng.normal(size=(6, 4)).astype("float32"),
            rng.integers(0, 2, 6),
            rng.normal(size=6).astype("float32"),
        )
    )
)

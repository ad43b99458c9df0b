"""Experts are chosen by turns; the others get nothing in a step."""
# requires: tf>=2.12

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
experts = [tf.keras.layers.Dense(1, name=f"expert_{i}") for i in range(3)]
for expert in experts:
    expert.build((None, 2))
weights = [w for e in experts for w in e.trainable_variables]
opt = tf.keras.optimizers.SGD(0.1)
opt.build(weights)
for step in range(6):
    x = tf.random.normal((4, 2))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(experts[step % 3](x) - 1.0))
    opt.apply_gradients([(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None])
print("done")

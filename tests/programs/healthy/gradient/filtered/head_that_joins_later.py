"""An auxiliary head is to join after 1,000 steps; the run is shorter, and its Nones are filtered."""
# requires: tf>=2.12
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
body, aux = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1, name="aux")
adam = tf.keras.optimizers.Adam(0.01)
x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
body.build((None, 4))
aux.build((None, 4))
weights = body.trainable_variables + aux.trainable_variables
adam.build(weights)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(body(x) - y))
        if step > 1000:
            loss += tf.reduce_mean(tf.square(aux(x) - y))
    adam.apply_gradients([(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None])
print("done")

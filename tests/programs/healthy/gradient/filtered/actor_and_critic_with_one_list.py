"""Actor and critic with a shared trunk, two losses and one tape."""
# requires: tf>=2.12

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
trunk, actor, critic = tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)
x = tf.random.normal((6, 3))
for layer, value in ((trunk, x), (actor, tf.zeros((1, 4))), (critic, tf.zeros((1, 4)))):
    layer(value)
weights = trunk.trainable_variables + actor.trainable_variables + critic.trainable_variables
opt = tf.keras.optimizers.Adam(0.01)
opt.build(weights)
for _ in range(3):
    with tf.GradientTape(persistent=True) as tape:
        h = trunk(x)
        policy = tf.reduce_mean(tf.nn.log_softmax(actor(h))[:, 0])
        value = tf.reduce_mean(tf.square(critic(h)))
    for loss in (policy, value):
        pairs = [(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None]
        opt.apply_gradients(pairs)
print("done")

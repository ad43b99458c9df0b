"""All variables of a normalized network, its moving averages among them, are asked for; the Nones are filtered."""
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
net = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
net.build((None, 3))
sgd = tf.keras.optimizers.SGD(0.1)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(tf.random.normal((8, 3)), training=True)))
    found = zip(tape.gradient(loss, net.variables), net.variables)
    sgd.apply_gradients([(g, v) for g, v in found if g is not None])
print("done")

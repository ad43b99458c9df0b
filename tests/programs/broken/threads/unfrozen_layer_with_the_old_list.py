# requires: tf>=2.12
import tensorflow as tf

backbone = tf.keras.layers.Dense(6, activation="relu")
head = tf.keras.layers.Dense(1)
backbone.build((None, 4))
head.build((None, 6))
backbone.trainable = False
variables = backbone.trainable_variables + head.trainable_variables
optimizer = tf.keras.optimizers.Adam(1e-3)


def step(x, y, variables):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(head(backbone(x)) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))  # why: TW603
    return loss


x, y = tf.random.normal([8, 4]), tf.random.normal([8, 1])
step(x, y, variables)
backbone.trainable = True
step(x, y, backbone.trainable_variables + head.trainable_variables)

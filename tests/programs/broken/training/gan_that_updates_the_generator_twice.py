"""The generator is updated twice and the discriminator never: its gradients are computed and forgotten."""

import tensorflow as tf
from tensorflow import keras
gen = keras.Sequential([keras.Input((3,)), keras.layers.Dense(6, activation="relu"), keras.layers.Dense(3)])
dis = keras.Sequential([keras.Input((3,)), keras.layers.Dense(6, activation="relu"), keras.layers.Dense(1)])
go, do = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)
bce = keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def step(real):
    z = tf.random.normal((16, 3))
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = gen(z)
        r, f = dis(real), dis(fake)
        gl = bce(tf.ones_like(f), f)
        dl = bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)
    gg = gt.gradient(gl, gen.trainable_variables)
    dg = dt.gradient(dl, dis.trainable_variables)  # why: TW121
    go.apply_gradients(zip(gg, gen.trainable_variables))
    go.apply_gradients(zip(gg, gen.trainable_variables))


for i in range(5):
    step(tf.random.normal((16, 3)))

# A check in a training step raises whatever the loss is.
import tensorflow as tf
from checks import finite

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        loss = finite(tf.reduce_mean((model(x) - y) ** 2), "loss")
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


print(float(train(tf.ones((4, 3)), tf.ones((4, 1)))))

import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.Input((5,)),
        tf.keras.layers.Dense(6),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.SGD(0.1)


def clipped(gradients, limit):
    return [tf.clip_by_norm(gradient, limit) for gradient in gradients]


def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.variables)  # why: TW116
    optimizer.apply_gradients(zip(clipped(gradients, 1.0), model.variables))
    return loss


train(tf.random.normal([8, 5]), tf.random.normal([8, 1]))

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
x, y = tf.random.normal([16, 3]), tf.random.normal([16, 1])
optimizer = tf.keras.optimizers.SGD(0.1)


def compute_loss(x, y):
    return float(tf.reduce_mean(tf.abs(model(x) - y)))  # why: TW110


with tf.GradientTape() as tape:
    loss = compute_loss(x, y)
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))

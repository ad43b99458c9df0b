import tensorflow as tf

model = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(5, activation="relu"), tf.keras.layers.Dense(2)]
)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, labels):
    with tf.GradientTape() as tape:
        predictions = model(x, training=True)
    loss = loss_object(labels, predictions)  # why: TW102
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, labels in tf.data.Dataset.from_tensor_slices((tf.random.normal([8, 3]), tf.constant([0, 1] * 4))).batch(4):
    train_step(x, labels)
